// SPDX-License-Identifier: GPL-3.0-or-later
/* One object: a map of the document bound to the parameter tables of one or two classes. */
#include "scenario/bind.h"

#include <stdio.h>
#include <string.h>

struct bound *bound_new(struct bind *b, const struct model_class *cls, const char *path,
			struct place place)
{
	struct bound *bound = arena_alloc(b->arena, sizeof(*bound));

	bound->cls = cls;
	bound->path = path;
	bound->params = arena_alloc(b->arena, cls->params_size);
	bound->place = place;
	bound->n_values = param_count(cls->params);
	bound->values = ARENA_ARRAY(b->arena, struct bound_value, bound->n_values);
	return bound;
}

static bool in_list(const char *name, const char *const *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static void unknown_key(struct bind *b, const struct node *key, struct bound *const *bounds,
			uint32_t n_bounds, const char *const *reserved, uint32_t n_reserved,
			const char *what)
{
	GPtrArray *names;
	char *allowed;

	if (errors_full(b->errors))
		return;
	names = g_ptr_array_new();
	for (uint32_t i = 0; i < n_reserved; i++)
		g_ptr_array_add(names, (gpointer)reserved[i]);
	for (uint32_t i = 0; i < n_bounds; i++)
		for (uint32_t k = 0; k < bounds[i]->n_values; k++)
			g_ptr_array_add(names, (gpointer)bounds[i]->cls->params[k].name);
	allowed = allowed_names(key->text, (const char *const *)names->pdata, names->len);
	errors_add(b->errors, key->place, "%s: %s has no key '%s'%s", bounds[0]->path, what,
		   key->text, allowed);
	g_free(allowed);
	g_ptr_array_free(names, TRUE);
}

static void missing_key(struct bind *b, const struct param *p, const struct bound *bound)
{
	errors_add(b->errors, bound->place, "%s: missing key '%s': %s", bound->path, p->name,
		   p->doc ? p->doc : "");
}

bool bind_map(struct bind *b, const struct node *map, struct bound *const *bounds,
	      uint32_t n_bounds, const char *const *reserved, uint32_t n_reserved, const char *what)
{
	uint32_t told = b->errors->n_told;
	struct place outer = b->here;

	for (uint32_t i = 0; map && i < map->n; i++) {
		const struct node_pair *pair = &map->pairs[i];
		bool known = in_list(pair->key->text, reserved, n_reserved);

		for (uint32_t k = 0; k < n_bounds; k++) {
			struct bound *bound = bounds[k];
			const struct param *p = param_find(bound->cls->params, pair->key->text);

			if (!p)
				continue;
			known = true;
			bound->values[p - bound->cls->params].node = pair->value;
		}
		if (!known)
			unknown_key(b, pair->key, bounds, n_bounds, reserved, n_reserved, what);
	}
	for (uint32_t k = 0; k < n_bounds; k++) {
		struct bound *bound = bounds[k];

		b->here = bound->place;
		for (uint32_t i = 0; i < bound->n_values; i++) {
			const struct param *p = &bound->cls->params[i];
			struct bound_value *v = &bound->values[i];

			if (!v->node && (p->flags & PARAM_REQUIRED))
				missing_key(b, p, bound);
			bind_value(b, p, (char *)bound->params + p->offset, v->node,
				   (struct at){bound->path, p->name}, v);
		}
	}
	b->here = outer;
	return b->errors->n_told == told;
}

struct place bound_place(const struct bound *bound, const char *param)
{
	const struct bound_value *values = bound->values;
	struct place place = bound->place;
	uint32_t n = bound->n_values;
	char **parts = g_strsplit(param ? param : "", ".", -1);

	for (char **part = parts; *part; part++) {
		const struct bound_value *v = NULL;

		for (uint32_t i = 0; i < n && !v; i++)
			if (values[i].name
				    ? !strcmp(values[i].name, *part)
				    : values[i].param && !strcmp(values[i].param->name, *part))
				v = &values[i];
		if (!v)
			break;
		if (v->node && v->node->place.at.file)
			place = v->node->place;
		if (v->param->type == PARAM_TABLE && part[1] && g_ascii_isdigit(*part[1])) {
			const struct param_table *t = v->ptr;
			guint64 row = g_ascii_strtoull(part[1], NULL, 10);

			if (row < t->rows.n)
				place.at = (struct mark){t->file, t->lines[row], 1};
			break;
		}
		values = v->slot ? v->slot->values : v->sub;
		n = v->slot ? v->slot->n_values : v->n_sub;
	}
	g_strfreev(parts);
	return place;
}

static void check_error(void *arg, const char *param, const char *msg)
{
	struct check_arg *c = arg;

	errors_add(c->b->errors, bound_place(c->bound, param), "%s%s%s: %s", c->bound->path,
		   param ? "." : "", param ? param : "", msg);
}

struct model_check bind_checker(struct check_arg *arg)
{
	return (struct model_check){.arg = arg, .error = check_error, .kernel = arg->b->kernel};
}

void bind_check(struct bind *b, struct bound *bound)
{
	struct check_arg arg = {b, bound};
	struct model_check check = bind_checker(&arg);

	if (!bound->cls->ops || !bound->cls->ops->check)
		return;
	bound->cls->ops->check(bound->params, &check);
}
