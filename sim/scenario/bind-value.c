// SPDX-License-Identifier: GPL-3.0-or-later
/* One parameter of any type, or its default, into the parameter struct: models in slots, structs, lists, maps. */
#include "scenario/bind.h"
#include "scenario/table.h"

#include <string.h>

/* ---- defaults ------------------------------------------------------------------------------ */

/* The tree of a compound default, read once for all bindings. */
static const struct node *default_tree(struct bind *b, const char *text)
{
	struct node *n = g_hash_table_lookup(b->sp->defaults, text);

	if (!n) {
		n = tree_read_value(b->sp->arena, text, "a declared default", ORIGIN_DECLARED,
				    b->errors);
		if (!n)
			n = node_scalar(b->sp->arena, "", ORIGIN_DECLARED, (struct place){0});
		g_hash_table_insert(b->sp->defaults, (gpointer)text, n);
	}
	return n;
}

static guint scalar_hash(gconstpointer key)
{
	const struct default_scalar *s = key;

	return g_direct_hash(s->param) * 31 + g_direct_hash(s->text);
}

static gboolean scalar_equal(gconstpointer a, gconstpointer b)
{
	const struct default_scalar *s = a, *t = b;

	return s->param == t->param && s->text == t->text;
}

void defaults_init(struct scenario_priv *sp)
{
	sp->defaults = g_hash_table_new(g_direct_hash, g_direct_equal);
	sp->scalars = g_hash_table_new(scalar_hash, scalar_equal);
	sp->tables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void defaults_clear(struct scenario_priv *sp)
{
	g_hash_table_destroy(sp->defaults);
	g_hash_table_destroy(sp->scalars);
	g_hash_table_destroy(sp->tables);
}

static void set_unset(const struct param *p, void *ptr)
{
	struct queue_size none = {PARAM_UNSET, QUEUE_PACKETS};

	switch (p->type) {
	case PARAM_STRING:
	case PARAM_REF:
	case PARAM_SLOT:
	case PARAM_STRUCT:
	case PARAM_LIST:
	case PARAM_MAP:
	case PARAM_TABLE:
		break; /* zero is "none" */
	case PARAM_PER_AC:
		for (int ac = 0; ac < AC_COUNT; ac++)
			((int64_t *)ptr)[ac] = PARAM_UNSET;
		break;
	case PARAM_QUEUE_SIZE:
		*(struct queue_size *)ptr = none;
		break;
	default:
		*(int64_t *)ptr = PARAM_UNSET;
	}
}

/* ---- models in slots ----------------------------------------------------------------------- */

static const struct model_class *slot_class(struct bind *b, const struct param *p,
					    const struct node *name, struct at at)
{
	const struct model_class *cls;
	char *allowed;

	if (name->type != NODE_SCALAR) {
		bind_bad_type(b, name, at, "the name of a model");
		return NULL;
	}
	cls = class_find(&b->sp->classes, p->kind->name, name->text);
	if (cls)
		return cls;
	allowed = class_allowed(&b->sp->classes, p->kind->name, name->text);
	bind_bad(b, name, at, "read '%s', no %s of that name%s", name->text, p->kind->name,
		 allowed);
	g_free(allowed);
	return NULL;
}

static void bind_slot(struct bind *b, const struct param *p, struct slot *slot,
		      const struct node *n, struct at at, struct bound_value *v)
{
	static const char *const reserved[] = {"model"};
	struct node def = {.type = NODE_SCALAR, .plain = true};
	const struct node *name = n, *map = NULL;
	const struct model_class *cls;
	bool by_era;

	if (n->type == NODE_MAP) {
		map = n;
		name = node_get(n, "model");
		def.text = param_default(p, b->kernel, &by_era);
		if (!name && n->partial && def.text && *def.text == '{') {
			map = node_overlay(b->arena, (struct node *)default_tree(b, def.text),
					   (struct node *)n);
			name = node_get(map, "model");
		} else if (!name && n->partial && def.text) {
			name = &def;
		}
		if (!name) {
			char *allowed = class_allowed(&b->sp->classes, p->kind->name, "");

			bind_bad(b, n, at, "a map without the key 'model'%s", allowed);
			g_free(allowed);
			return;
		}
	} else if (n->type == NODE_SEQ) {
		bind_bad_type(b, n, at, "NAME or {model: NAME, ...}");
		return;
	}
	cls = slot_class(b, p, name, at);
	if (!cls)
		return;
	v->slot = bound_new(b, cls, arena_path(b->arena, at.path, at.key),
			    n->place.at.file ? n->place : b->here);
	slot->cls = cls;
	slot->params = v->slot->params;
	slot->path = v->slot->path;
	if (bind_map(b, map, &v->slot, 1, reserved, 1, cls->name))
		bind_check(b, v->slot);
}

/* ---- compounds ----------------------------------------------------------------------------- */

static void unknown_key(struct bind *b, const struct node *key, const struct param *table,
			struct at at)
{
	uint32_t n = param_count(table);
	const char **names;
	char *allowed;

	if (errors_full(b->errors))
		return;
	names = g_new(const char *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		names[i] = table[i].name;
	allowed = allowed_names(key->text, names, n);
	errors_add(b->errors, key->place, "%s.%s: no key '%s'%s", at.path, at.key, key->text,
		   allowed);
	g_free(allowed);
	g_free(names);
}

static void bind_struct(struct bind *b, const struct param *p, void *ptr, const struct node *n,
			struct at at, struct bound_value *v)
{
	if (n && n->type != NODE_MAP) {
		bind_bad_type(b, n, at, "a map of its fields");
		n = NULL;
	}
	for (uint32_t i = 0; n && i < n->n; i++)
		if (!param_find(p->fields, n->pairs[i].key->text))
			unknown_key(b, n->pairs[i].key, p->fields, at);
	v->n_sub = param_count(p->fields);
	v->sub = ARENA_ARRAY(b->arena, struct bound_value, v->n_sub);
	for (uint32_t i = 0; i < v->n_sub; i++) {
		const struct param *f = &p->fields[i];
		const struct node *value = node_get(n, f->name);
		struct at inner = {at.path, arena_path(b->arena, at.key, f->name)};

		if (!value && (f->flags & PARAM_REQUIRED)) {
			if (n)
				errors_add(b->errors, n->place, "%s.%s: missing key: %s", at.path,
					   inner.key, f->doc);
			v->sub[i].param = f;
			v->sub[i].ptr = (char *)ptr + f->offset;
			set_unset(f, v->sub[i].ptr);
			continue;
		}
		bind_value(b, f, (char *)ptr + f->offset, value, inner, &v->sub[i]);
	}
}

/* "sta*.wlan0" over the nodes of the document; a plain name is itself. */
static void glob_nodes(struct bind *b, const struct node *n, struct at at, GPtrArray *out)
{
	const char *star = strchr(n->text, '*'), *dot = strchr(n->text, '.');
	GPtrArray *names;

	if (!star || (dot && dot < star) || star[1] == '*' || (star[1] && star[1] != '.')) {
		g_ptr_array_add(out, (gpointer)n);
		return;
	}
	names = star_nodes(b, n->text);
	if (!names->len)
		star_unmatched(b, n, arena_path(b->arena, at.path, at.key));
	for (guint i = 0; i < names->len; i++) {
		struct node *one = node_scalar(b->arena, names->pdata[i], n->origin, n->place);

		if (star[1])
			one->text = arena_printf(b->arena, "%s%s", one->text, star + 1);
		g_ptr_array_add(out, one);
	}
	g_ptr_array_free(names, TRUE);
}

static void bind_list(struct bind *b, const struct param *p, struct param_list *list,
		      const struct node *n, struct at at, struct bound_value *v)
{
	const struct param *element = &p->fields[0];
	bool refs = element->type == PARAM_REF;
	GPtrArray *items;
	char *base;

	if (n->type != NODE_SEQ && !(refs && n->type == NODE_SCALAR)) {
		bind_bad_type(b, n, at, "a list");
		return;
	}
	items = g_ptr_array_new();
	for (uint32_t i = 0; i < (n->type == NODE_SEQ ? n->n : 1); i++) {
		const struct node *item = n->type == NODE_SEQ ? n->items[i] : n;

		if (refs && item->type == NODE_SCALAR)
			glob_nodes(b, item, at, items);
		else
			g_ptr_array_add(items, (gpointer)item);
	}
	base = arena_alloc(b->arena, p->size * items->len);
	list->n = items->len;
	list->items = base;
	v->n_sub = items->len;
	v->sub = ARENA_ARRAY(b->arena, struct bound_value, v->n_sub);
	for (uint32_t i = 0; i < items->len; i++) {
		struct at inner = {at.path, arena_printf(b->arena, "%s.%u", at.key, i)};

		bind_value(b, element, base + i * p->size + element->offset, items->pdata[i], inner,
			   &v->sub[i]);
		v->sub[i].name = strrchr(inner.key, '.') + 1;
	}
	g_ptr_array_free(items, TRUE);
}

static void bind_param_map(struct bind *b, const struct param *p, struct param_map *map,
			   const struct node *n, struct at at, struct bound_value *v)
{
	const struct param *element = &p->fields[0];
	const char **names;
	char *base;

	if (n->type != NODE_MAP) {
		bind_bad_type(b, n, at, "a map");
		return;
	}
	names = ARENA_ARRAY(b->arena, const char *, n->n);
	base = arena_alloc(b->arena, p->size * n->n);
	map->n = n->n;
	map->names = names;
	map->items = base;
	v->n_sub = n->n;
	v->sub = ARENA_ARRAY(b->arena, struct bound_value, v->n_sub);
	for (uint32_t i = 0; i < n->n; i++) {
		struct at inner = {at.path, arena_path(b->arena, at.key, n->pairs[i].key->text)};

		names[i] = n->pairs[i].key->text;
		bind_value(b, element, base + i * p->size + element->offset, n->pairs[i].value,
			   inner, &v->sub[i]);
		v->sub[i].name = names[i];
	}
}

/* ---- any ----------------------------------------------------------------------------------- */

static void bind_node(struct bind *b, const struct param *p, void *ptr, const struct node *n,
		      struct at at, struct bound_value *v)
{
	if (bind_plain(b, p, ptr, n, at))
		return;
	switch (p->type) {
	case PARAM_SLOT:
		bind_slot(b, p, ptr, n, at, v);
		break;
	case PARAM_STRUCT:
		bind_struct(b, p, ptr, n, at, v);
		break;
	case PARAM_LIST:
		bind_list(b, p, ptr, n, at, v);
		break;
	case PARAM_TABLE:
		bind_table(b, p, ptr, n, at);
		break;
	default:
		bind_param_map(b, p, ptr, n, at, v);
	}
}

/* A default that is one number is the same in every row: it is read and checked once. */
static void bind_default(struct bind *b, const struct param *p, int64_t *ptr, struct node *def,
			 struct at at, struct bound_value *v)
{
	struct default_scalar key = {.param = p, .text = def->text}, *kept;
	uint32_t told = b->errors->n_told;

	kept = p->type <= PARAM_DECIMAL || p->type == PARAM_ENUM
		       ? g_hash_table_lookup(b->sp->scalars, &key)
		       : NULL;
	if (kept) {
		*ptr = kept->value;
		return;
	}
	bind_node(b, p, ptr, def, at, v);
	if ((p->type > PARAM_DECIMAL && p->type != PARAM_ENUM) || b->errors->n_told != told)
		return;
	kept = arena_alloc(b->sp->arena, sizeof(*kept));
	key.value = *ptr;
	*kept = key;
	g_hash_table_add(b->sp->scalars, kept);
}

void bind_value(struct bind *b, const struct param *p, void *ptr, const struct node *n,
		struct at at, struct bound_value *v)
{
	struct node def = {.type = NODE_SCALAR, .plain = true};
	bool by_era = false, per_ac_part;

	v->param = p;
	v->ptr = ptr;
	v->node = n;
	v->origin = n ? n->origin : ORIGIN_DECLARED;
	set_unset(p, ptr);
	/* a map of some categories leaves the others at their default */
	per_ac_part = n && n->type == NODE_MAP && p->type == PARAM_PER_AC && n->n < AC_COUNT;
	v->def = def.text = param_default(p, b->kernel, &by_era);
	if (!n || per_ac_part) {
		if (!n && by_era)
			v->origin = ORIGIN_ERA;
		if (def.text && (*def.text == '{' || *def.text == '['))
			bind_node(b, p, ptr, default_tree(b, def.text), at, v);
		else if (def.text) {
			def.plain = p->type != PARAM_STRING && p->type != PARAM_REF;
			bind_default(b, p, ptr, &def, at, v);
		} else if (p->type == PARAM_STRUCT) {
			bind_struct(b, p, ptr, NULL, at, v);
		}
	}
	if (n)
		bind_node(b, p, ptr, n, at, v);
}
