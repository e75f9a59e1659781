// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Overrides: a case, an axis value or --set laid into the tree as PATH=VALUE, before anything is bound. The
 * path is followed through the declarations, so that a slot written as NAME opens into {model: NAME} and a
 * wrong path is told with what would be right.
 */
#include "scenario/bind.h"

#include <string.h>

#define PATH_MAX_PARTS 32

/* An override on its way down. */
struct step {
	struct bind *b;
	const struct override *ov;
	char **part; /* what is left of the path */
};

static void bad_path(const struct step *s, const char *what, const char *const *names, uint32_t n)
{
	char *allowed;

	if (errors_full(s->b->errors))
		return;
	if (!names) {
		errors_add(s->b->errors, s->ov->place, "'%s': %s", s->ov->path, what);
		return;
	}
	allowed = allowed_names(*s->part, names, n);
	errors_add(s->b->errors, s->ov->place, "'%s': %s '%s'%s", s->ov->path, what, *s->part,
		   allowed);
	g_free(allowed);
}

static void add_params(GPtrArray *names, const struct param *table)
{
	for (; table && table->name; table++)
		g_ptr_array_add(names, (gpointer)table->name);
}

static void bad_key(const struct step *s, const char *what, const struct param *const *tables,
		    uint32_t n_tables, const char *const *more, uint32_t n_more)
{
	GPtrArray *names = g_ptr_array_new();
	char *text = g_strdup_printf("%s has no key", what);

	for (uint32_t i = 0; i < n_more; i++)
		g_ptr_array_add(names, (gpointer)more[i]);
	for (uint32_t i = 0; i < n_tables; i++)
		add_params(names, tables[i]);
	g_ptr_array_add(names, NULL); /* a model without keys has names all the same */
	bad_path(s, text, (const char *const *)names->pdata, names->len - 1);
	g_ptr_array_free(names, TRUE);
	g_free(text);
}

static struct node *empty_map(const struct step *s)
{
	struct node *map = node_map(s->b->arena, s->ov->value->origin, s->ov->value->place);

	map->partial = true;
	return map;
}

static struct node *step_param(struct step *s, const struct param *p, struct node *now);

/* The map @now with the rest of the path set in it, one of @tables having the next key. */
static struct node *step_tables(struct step *s, struct node *now, const struct param *const *tables,
				uint32_t n, const char *what)
{
	const char *key = *s->part;

	for (uint32_t i = 0; i < n; i++) {
		const struct param *p = param_find(tables[i], key);
		struct node *value;

		if (!p)
			continue;
		s->part++;
		value = step_param(s, p, node_get(now, key));
		return value ? node_with(s->b->arena, now, key, value) : NULL;
	}
	bad_key(s, what, tables, n, NULL, 0);
	return NULL;
}

/* Into a slot: the model that is chosen there, by the tree or by default. */
static struct node *step_slot(struct step *s, const struct param *p, struct node *now)
{
	const struct node *name = now && now->type == NODE_MAP ? node_get(now, "model") : now;
	const struct model_class *cls;
	struct node *map;
	const char *text = name && name->type == NODE_SCALAR ? name->text : NULL;
	char *def = NULL;
	bool by_era;

	if (!strcmp(*s->part, "model") && !s->part[1]) {
		if (now && now->type == NODE_MAP && text && s->ov->value->type == NODE_SCALAR &&
		    !strcmp(text, s->ov->value->text))
			return node_with(s->b->arena, now, "model", (struct node *)s->ov->value);
		return (struct node *)s->ov->value;
	}
	if (!text) {
		text = param_default(p, s->b->kernel, &by_era);
		if (text && *text == '{') {
			struct node *tree = tree_read_value(s->b->arena, text, "a declared default",
							    ORIGIN_DECLARED, s->b->errors);
			const struct node *model = node_get(tree, "model");

			text = model ? model->text : NULL;
		}
	}
	cls = text ? class_find(&s->b->sp->classes, p->kind->name, text) : NULL;
	if (!cls) {
		errors_add(s->b->errors, s->ov->place, "'%s': no model is chosen for %s",
			   s->ov->path, p->name);
		return NULL;
	}
	if (now && now->type == NODE_MAP) {
		map = now;
	} else {
		map = empty_map(s);
		if (now)
			map = node_with(s->b->arena, map, "model", now);
	}
	def = g_strdup_printf("%s %s", p->kind->name, cls->name);
	map = step_tables(s, map, &cls->params, 1, def);
	g_free(def);
	return map;
}

static struct node *step_per_ac(struct step *s, struct node *now)
{
	static const char *const names[] = {"vo", "vi", "be", "bk"};
	struct node *map = now && now->type == NODE_MAP ? now : empty_map(s);
	bool known = false;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		known |= !strcmp(names[i], *s->part);
		if (now && now->type == NODE_SCALAR)
			map = node_with(s->b->arena, map, names[i], now);
	}
	if (!known || s->part[1]) {
		bad_path(s, "no access category", names, G_N_ELEMENTS(names));
		return NULL;
	}
	return node_with(s->b->arena, map, *s->part, (struct node *)s->ov->value);
}

/* The new node for parameter @p, which is @now (or NULL). */
static struct node *step_param(struct step *s, const struct param *p, struct node *now)
{
	const struct param *fields = p->fields;
	struct node *map = now && now->type == NODE_MAP ? now : empty_map(s), *value;
	const char *key = *s->part;

	if (!key)
		return (struct node *)s->ov->value;
	switch (p->type) {
	case PARAM_SLOT:
		return step_slot(s, p, now);
	case PARAM_STRUCT:
		return step_tables(s, map, &fields, 1, p->name);
	case PARAM_PER_AC:
		return step_per_ac(s, now);
	case PARAM_MAP:
		s->part++;
		value = step_param(s, &fields[0], node_get(map, key));
		return value ? node_with(s->b->arena, map, key, value) : NULL;
	case PARAM_LIST:
		errors_add(s->b->errors, s->ov->place,
			   "'%s': %s is a list and can only be set as a whole", s->ov->path,
			   p->name);
		return NULL;
	default:
		errors_add(s->b->errors, s->ov->place, "'%s': %s is one value and has no keys",
			   s->ov->path, p->name);
		return NULL;
	}
}

/* ---- sections ------------------------------------------------------------------------------ */

/* The map without those keys of @old that @cls does not have. */
static struct node *drop_keys(struct step *s, struct node *map, const struct model_class *old,
			      const struct model_class *cls)
{
	for (const struct param *p = old ? old->params : NULL; p && p->name; p++)
		if (node_get(map, p->name) && !(cls && param_find(cls->params, p->name)))
			map = node_with(s->b->arena, map, p->name, NULL);
	return map;
}

/* Sets the key (`model`, `driver`) that chooses the class whose keys lie in the same map. */
static struct node *step_choose(struct step *s, struct node *map, const char *kind, const char *key,
				const struct model_class *old)
{
	const struct node *value = s->ov->value;
	const struct model_class *cls = NULL;

	if (s->part[1]) {
		bad_path(s, "there is nothing below this key", NULL, 0);
		return NULL;
	}
	if (value->type == NODE_SCALAR)
		cls = class_find(&s->b->sp->classes, kind, value->text);
	if (cls && cls != old)
		map = drop_keys(s, map, old, cls);
	return node_with(s->b->arena, map, key, (struct node *)value);
}

static const struct model_class *chosen(const struct step *s, const struct node *map,
					const char *kind, const char *key)
{
	const struct node *name = node_get(map, key);

	if (!name || name->type != NODE_SCALAR)
		return NULL;
	return class_find(&s->b->sp->classes, kind, name->text);
}

static struct node *step_interface(struct step *s, struct node *map, const char *name)
{
	const struct classes *c = &s->b->sp->classes;
	const struct model_class *driver = chosen(s, map, "driver", "driver");
	const struct param *tables[2];

	if (!node_get(map, "driver"))
		driver = c->def_driver;
	if (map->type != NODE_MAP || !*s->part) {
		bad_path(s, "a whole interface cannot be set, name one of its keys", NULL, 0);
		return NULL;
	}
	if (!strcmp(*s->part, "driver"))
		return step_choose(s, map, "driver", "driver", driver);
	tables[0] = c->netdev ? c->netdev->params : NULL;
	tables[1] = driver ? driver->params : NULL;
	return step_tables(s, map, tables, 2, name);
}

static struct node *step_node(struct step *s, struct node *map, const char *name)
{
	const struct classes *c = &s->b->sp->classes;
	struct node *interfaces = node_get(map, "interfaces"), *child;
	const struct node *kernel = node_get(map, "kernel");
	const char *key = *s->part;
	GPtrArray *more;

	if (kernel && kernel->type == NODE_SCALAR)
		s->b->kernel = kernel->text;
	if (map->type != NODE_MAP || !key) {
		bad_path(s, "a whole node cannot be set, name one of its keys", NULL, 0);
		return NULL;
	}
	child = node_get(interfaces, key);
	if (child) {
		s->part++;
		child = step_interface(s, child, key);
		if (!child)
			return NULL;
		interfaces = node_with(s->b->arena, interfaces, key, child);
		return node_with(s->b->arena, map, "interfaces", interfaces);
	}
	for (uint32_t i = 0; i < c->n_protocols; i++) {
		if (strcmp(c->protocols[i]->name, key) || !s->part[1])
			continue;
		s->part++;
		child = node_get(map, key);
		child = step_tables(s, child && child->type == NODE_MAP ? child : empty_map(s),
				    &c->protocols[i]->params, 1, key);
		return child ? node_with(s->b->arena, map, key, child) : NULL;
	}
	if (!strcmp(key, "kernel") && !s->part[1])
		return node_with(s->b->arena, map, key, (struct node *)s->ov->value);
	if (c->host && param_find(c->host->params, key))
		return step_tables(s, map, &c->host->params, 1, name);
	more = g_ptr_array_new();
	for (uint32_t i = 0; interfaces && interfaces->type == NODE_MAP && i < interfaces->n; i++)
		g_ptr_array_add(more, (gpointer)interfaces->pairs[i].key->text);
	for (uint32_t i = 0; i < c->n_protocols; i++)
		g_ptr_array_add(more, (gpointer)c->protocols[i]->name);
	bad_key(s, name, c->host ? &c->host->params : NULL, c->host != NULL,
		(const char *const *)more->pdata, more->len);
	g_ptr_array_free(more, TRUE);
	return NULL;
}

static struct node *step_modelled(struct step *s, struct node *map, const char *kind,
				  const char *name)
{
	const struct model_class *cls = chosen(s, map, kind, "model");
	char *what;

	if (map->type != NODE_MAP || !*s->part) {
		bad_path(s, "it cannot be set as a whole, name one of its keys", NULL, 0);
		return NULL;
	}
	if (!strcmp(*s->part, "model"))
		return step_choose(s, map, kind, "model", cls);
	if (!cls)
		return NULL; /* told when the map itself is bound */
	what = g_strdup_printf("%s (%s)", name, cls->name);
	map = step_tables(s, map, &cls->params, 1, what);
	g_free(what);
	return map;
}

/* ---- the whole path ------------------------------------------------------------------------ */

static const char *const top_keys[] = {"kernel", "duration", "warmup", "core", "seed", "repeat"};

static bool is_object(const struct overlay *o, const char *name)
{
	static const char *const sections[] = {"nodes", "links", "traffic"};

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		if (node_get(node_get(o->root, sections[i]), name))
			return true;
	return false;
}

static void apply_top(struct overlay *o, struct step *s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(top_keys); i++) {
		if (strcmp(top_keys[i], *s->part))
			continue;
		if (i >= 4 && s->ov->value->origin != ORIGIN_SET) {
			errors_add(
				s->b->errors, s->ov->place,
				"'%s' is not for cases and axes: a sweep runs seed .. seed+repeat-1",
				s->ov->path);
			return;
		}
		o->root = node_with(s->b->arena, o->root, *s->part, (struct node *)s->ov->value);
		return;
	}
	if (is_object(o, *s->part)) {
		bad_path(s, "it cannot be set as a whole, name one of its keys", NULL, 0);
		return;
	}
	bad_path(s, "neither PATH.KEY nor one of the scenario's own keys:", top_keys,
		 G_N_ELEMENTS(top_keys));
}

/* Whether @pattern names @name, or stands for it and others like it: for all that come from @of, if it does. */
static bool matches(const char *pattern, const char *name, const char *of)
{
	size_t len = strlen(pattern);

	if (!len || pattern[len - 1] != '*')
		return !strcmp(name, pattern);
	if (of)
		return strlen(of) == len - 1 && !strncmp(of, pattern, len - 1);
	return !strncmp(name, pattern, len - 1);
}

/* True when @name is one of the nodes, or stands for some. */
static bool apply_nodes(struct overlay *o, struct step *s)
{
	const char *name = *s->part;
	char **rest = s->part + 1;
	bool any = false;

	for (uint32_t i = 0; i < s->b->nodes->n; i++) {
		struct node *changed;

		if (!matches(name, s->b->nodes->pairs[i].key->text, s->b->counted[i]))
			continue;
		any = true;
		s->part = rest;
		changed =
			step_node(s, s->b->nodes->pairs[i].value, s->b->nodes->pairs[i].key->text);
		if (!changed)
			return true;
		s->b->nodes->pairs[i].value = changed;
	}
	return any;
}

static bool apply_link(struct overlay *o, struct step *s)
{
	struct node *list = node_get(o->root, "links");
	struct node *map = node_get(list, *s->part);
	const char *name = *s->part;

	if (!map)
		return false;
	s->part++;
	map = step_modelled(s, map, "link", name);
	if (map) {
		list = node_with(s->b->arena, list, name, map);
		o->root = node_with(s->b->arena, o->root, "links", list);
	}
	return true;
}

/* Where a group goes from and to has been looked at when it was expanded. */
static bool is_end(const struct step *s, const char *group)
{
	return group && !s->part[1] && (!strcmp(*s->part, "from") || !strcmp(*s->part, "to"));
}

/* A group's name stands for all of its members, "up*" too, and up3 for one. */
static bool apply_traffic(struct overlay *o, struct step *s)
{
	const char *name = *s->part;
	char **rest = s->part + 1;
	bool any = false;

	for (uint32_t i = 0; i < s->b->traffic->n; i++) {
		struct node_pair *pair = &s->b->traffic->pairs[i];
		const char *group = s->b->groups[i];
		bool whole = group && !strcmp(name, group);
		struct node *map;

		if (!whole && !matches(name, pair->key->text, group))
			continue;
		any = true;
		s->part = rest;
		if (whole && is_end(s, group))
			continue;
		map = step_modelled(s, pair->value, "traffic", pair->key->text);
		if (!map)
			return true;
		pair->value = map;
	}
	/* a group of none */
	return any || node_get(node_get(o->root, "traffic"), name);
}

static void no_object(struct overlay *o, struct step *s)
{
	static const char *const sections[] = {"links", "traffic"};
	const struct node *template = node_get(node_get(o->root, "nodes"), *s->part);
	GPtrArray *names;

	if (template) {
		errors_add(s->b->errors, s->ov->place,
			   "'%s': '%s' is counted, write '%s*' for all of them or '%s1' for one",
			   s->ov->path, *s->part, *s->part, *s->part);
		return;
	}
	names = g_ptr_array_new();
	for (uint32_t i = 0; i < s->b->nodes->n; i++)
		g_ptr_array_add(names, (gpointer)s->b->nodes->pairs[i].key->text);
	for (size_t k = 0; k < G_N_ELEMENTS(sections); k++) {
		const struct node *list = node_get(o->root, sections[k]);

		for (uint32_t i = 0; list && list->type == NODE_MAP && i < list->n; i++)
			g_ptr_array_add(names, (gpointer)list->pairs[i].key->text);
	}
	bad_path(s, "no node, link or traffic", (const char *const *)names->pdata, names->len);
	g_ptr_array_free(names, TRUE);
}

static bool is_count(const struct overlay *o, char **part)
{
	const struct node *nodes = node_get(o->root, "nodes");

	return part[0] && part[1] && !part[2] && !strcmp(part[1], "count") &&
	       node_get(nodes, part[0]);
}

void overlay_apply(struct overlay *o, const struct override *ov)
{
	char **parts = g_strsplit(ov->path, ".", PATH_MAX_PARTS);
	struct step s = {.b = o->b, .ov = ov, .part = parts};
	const struct node *kernel = node_get(o->root, "kernel");

	o->b->kernel = kernel && kernel->type == NODE_SCALAR ? kernel->text : SCENARIO_KERNEL;
	if (!parts[0] || !*parts[0])
		bad_path(&s, "an empty path", NULL, 0);
	else if (!parts[1])
		apply_top(o, &s);
	else if (!is_count(o, parts) && !apply_nodes(o, &s) && !apply_link(o, &s) &&
		 !apply_traffic(o, &s))
		no_object(o, &s);
	g_strfreev(parts);
}

/* ---- order --------------------------------------------------------------------------------- */

static uint32_t weight(const char *path)
{
	const char *last = strrchr(path, '.');
	uint32_t dots = 0;

	for (const char *p = path; *p; p++)
		dots += *p == '.';
	last = last ? last + 1 : path;
	return dots * 2 + (strcmp(last, "model") && strcmp(last, "driver"));
}

void overrides_sort(struct override *list, uint32_t n)
{
	/* few entries, and the order among equals must stay */
	for (uint32_t i = 1; i < n; i++) {
		struct override ov = list[i];
		uint32_t k = i;

		for (; k && weight(list[k - 1].path) > weight(ov.path); k--)
			list[k] = list[k - 1];
		list[k] = ov;
	}
}
