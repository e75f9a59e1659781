// SPDX-License-Identifier: GPL-3.0-or-later
/* One parameter: from a node of the tree, or its default, into the parameter struct. */
#include "scenario/bind.h"

#include <string.h>

#include "scenario/units.h"

static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

struct place value_place(const struct bound_value *v, const struct bound *owner)
{
	return v->node ? v->node->place : owner->place;
}

/* "air.members: read 'x', expected ..." */
static void bad(struct bind *b, const struct node *n, struct at at, const struct param *p,
		const char *fmt, ...) G_GNUC_PRINTF(5, 6);

static void bad(struct bind *b, const struct node *n, struct at at, const struct param *p,
		const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	errors_add(b->errors, n->place.at.file ? n->place : b->here, "%s.%s: %s", at.path, at.key,
		   text);
	g_free(text);
}

static void bad_type(struct bind *b, const struct node *n, struct at at, const struct param *p,
		     const char *expected)
{
	char *what = node_what(n);

	bad(b, n, at, p, "read %s, expected %s", what, expected);
	g_free(what);
}

/* ---- scalars ------------------------------------------------------------------------------- */

static void check_range(struct bind *b, const struct param *p, enum param_type type, int64_t value,
			const struct node *n, struct at at)
{
	char lo[UNITS_TEXT_MAX], hi[UNITS_TEXT_MAX];
	int64_t min = p->min, max = p->max;

	if (!min && !max)
		units_range(type, &min, &max);
	if (value >= min && value <= max)
		return;
	units_format(type, min, lo);
	units_format(type, max, hi);
	if (max == INT64_MAX)
		bad(b, n, at, p, "read '%s', expected at least %s", n->text, lo);
	else
		bad(b, n, at, p, "read '%s', expected %s .. %s", n->text, lo, hi);
}

static void bind_enum(struct bind *b, const struct param *p, int64_t *ptr, const struct node *n,
		      struct at at)
{
	const char *hint = scalar_trap(n);
	GPtrArray *names;
	char *allowed;

	for (const struct param_enum *e = p->values; e->name; e++) {
		if (!strcmp(e->name, n->text)) {
			*ptr = e->value;
			return;
		}
	}
	if (hint) {
		bad(b, n, at, p, "read '%s': %s", n->text, hint);
		return;
	}
	names = g_ptr_array_new();
	for (const struct param_enum *e = p->values; e->name; e++)
		g_ptr_array_add(names, (gpointer)e->name);
	allowed = allowed_names(n->text, (const char *const *)names->pdata, names->len);
	bad(b, n, at, p, "read '%s'%s", n->text, allowed);
	g_free(allowed);
	g_ptr_array_free(names, TRUE);
}

static void bind_scalar(struct bind *b, const struct param *p, enum param_type type, int64_t *ptr,
			const struct node *n, struct at at)
{
	const char *hint;
	GString *err;

	if (n->type != NODE_SCALAR) {
		bad_type(b, n, at, p,
			 type == PARAM_ENUM   ? "a name"
			 : type == PARAM_BOOL ? "true or false"
					      : units_noun(type));
		return;
	}
	if (type == PARAM_ENUM) {
		bind_enum(b, p, ptr, n, at);
		return;
	}
	hint = scalar_trap(n);
	if (hint) {
		bad(b, n, at, p, "read '%s': %s", n->text, hint);
		return;
	}
	if (type == PARAM_BOOL) {
		if (scalar_classify(n) == SCALAR_BOOL)
			*ptr = *n->text == 't';
		else
			bad_type(b, n, at, p, "true or false");
		return;
	}
	if (!n->plain && !*units_allowed(type)) {
		bad(b, n, at, p, "read \"%s\", a string; expected %s, without quotes", n->text,
		    units_noun(type));
		return;
	}
	err = g_string_new(NULL);
	if (units_parse(type, n->text, ptr, err))
		check_range(b, p, type, *ptr, n, at);
	else
		bad(b, n, at, p, "%s", err->str);
	g_string_free(err, TRUE);
}

static void bind_queue_size(struct bind *b, const struct param *p, struct queue_size *size,
			    const struct node *n, struct at at)
{
	bool any = p->flags & PARAM_UNIT_ANY;
	GString *err;

	if (n->type != NODE_SCALAR) {
		bad_type(b, n, at, p, "a size of a queue");
		return;
	}
	if (scalar_trap(n)) {
		bad(b, n, at, p, "read '%s': %s", n->text, scalar_trap(n));
		return;
	}
	err = g_string_new(NULL);
	if (!units_parse_queue(n->text, any, size, err))
		bad(b, n, at, p, "%s", err->str);
	else if (size->unit == QUEUE_PACKETS && (p->min || p->max))
		check_range(b, p, PARAM_INT, size->value, n, at);
	g_string_free(err, TRUE);
}

static void bind_string(struct bind *b, const struct param *p, const char **ptr,
			const struct node *n, struct at at)
{
	if (n->type != NODE_SCALAR)
		bad_type(b, n, at, p, "a string");
	else if (scalar_trap(n))
		bad(b, n, at, p, "read '%s': %s", n->text, scalar_trap(n));
	else if (scalar_classify(n) != SCALAR_STRING)
		bad_type(b, n, at, p, "a string; quote it if it is one");
	else
		*ptr = n->text;
}

static void bind_ref(struct bind *b, const struct param *p, struct object **ptr,
		     const struct node *n, struct at at)
{
	struct pending_ref ref = {.where = ptr, .kind = p->kind, .place = n->place};

	if (n->type != NODE_SCALAR || scalar_classify(n) != SCALAR_STRING) {
		char *expected =
			g_strdup_printf("the name of %s%s", article(p->kind->name), p->kind->name);

		bad_type(b, n, at, p, expected);
		g_free(expected);
		return;
	}
	ref.path = n->text;
	ref.key = arena_path(b->arena, at.path, at.key);
	g_array_append_val(b->refs, ref);
}

static void bind_per_ac(struct bind *b, const struct param *p, int64_t *ptr, const struct node *n,
			struct at at)
{
	if (n->type != NODE_MAP) {
		bind_scalar(b, p, p->element, &ptr[0], n, at);
		for (int ac = 1; ac < AC_COUNT; ac++)
			ptr[ac] = ptr[0];
		return;
	}
	for (uint32_t i = 0; i < n->n; i++) {
		const char *key = n->pairs[i].key->text;
		int ac = 0;

		while (ac < AC_COUNT && strcmp(ac_names[ac], key))
			ac++;
		if (ac == AC_COUNT)
			bad(b, n->pairs[i].key, at, p,
			    "read '%s', expected an access category: vo, vi, be, bk", key);
		else
			bind_scalar(b, p, p->element, &ptr[ac], n->pairs[i].value, at);
	}
}

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
		bad_type(b, name, at, p, "the name of a model");
		return NULL;
	}
	cls = class_find(&b->sp->classes, p->kind->name, name->text);
	if (cls)
		return cls;
	allowed = class_allowed(&b->sp->classes, p->kind->name, name->text);
	bad(b, name, at, p, "read '%s', no %s of that name%s", name->text, p->kind->name, allowed);
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

			bad(b, n, at, p, "a map without the key 'model'%s", allowed);
			g_free(allowed);
			return;
		}
	} else if (n->type == NODE_SEQ) {
		bad_type(b, n, at, p, "NAME or {model: NAME, ...}");
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
		bad_type(b, n, at, p, "a map of its fields");
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
static void glob_nodes(struct bind *b, const struct node *n, GPtrArray *out)
{
	const char *star = strchr(n->text, '*'), *dot = strchr(n->text, '.');
	char *stem;
	bool counted = false;

	if (!star || (dot && dot < star) || star[1] == '*' || (star[1] && star[1] != '.')) {
		g_ptr_array_add(out, (gpointer)n);
		return;
	}
	stem = g_strndup(n->text, (gsize)(star - n->text));
	for (uint32_t i = 0; i < b->nodes->n; i++)
		counted |= !g_strcmp0(b->counted[i], stem);
	for (uint32_t i = 0; i < b->nodes->n; i++) {
		const char *name = b->nodes->pairs[i].key->text;
		struct node *one;

		if (counted ? g_strcmp0(b->counted[i], stem) : strncmp(name, stem, strlen(stem)))
			continue;
		one = node_scalar(b->arena, name, n->origin, n->place);
		if (star[1])
			one->text = arena_printf(b->arena, "%s%s", name, star + 1);
		g_ptr_array_add(out, one);
	}
	g_free(stem);
}

static void bind_list(struct bind *b, const struct param *p, struct param_list *list,
		      const struct node *n, struct at at, struct bound_value *v)
{
	const struct param *element = &p->fields[0];
	bool refs = element->type == PARAM_REF;
	GPtrArray *items;
	char *base;

	if (n->type != NODE_SEQ && !(refs && n->type == NODE_SCALAR)) {
		bad_type(b, n, at, p, "a list");
		return;
	}
	items = g_ptr_array_new();
	for (uint32_t i = 0; i < (n->type == NODE_SEQ ? n->n : 1); i++) {
		const struct node *item = n->type == NODE_SEQ ? n->items[i] : n;

		if (refs && item->type == NODE_SCALAR)
			glob_nodes(b, item, items);
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
		bad_type(b, n, at, p, "a map");
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
	switch (p->type) {
	case PARAM_STRING:
		bind_string(b, p, ptr, n, at);
		break;
	case PARAM_REF:
		bind_ref(b, p, ptr, n, at);
		break;
	case PARAM_SLOT:
		bind_slot(b, p, ptr, n, at, v);
		break;
	case PARAM_STRUCT:
		bind_struct(b, p, ptr, n, at, v);
		break;
	case PARAM_LIST:
		bind_list(b, p, ptr, n, at, v);
		break;
	case PARAM_MAP:
		bind_param_map(b, p, ptr, n, at, v);
		break;
	case PARAM_PER_AC:
		bind_per_ac(b, p, ptr, n, at);
		break;
	case PARAM_QUEUE_SIZE:
		bind_queue_size(b, p, ptr, n, at);
		break;
	default:
		bind_scalar(b, p, p->type, ptr, n, at);
	}
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
			bind_node(b, p, ptr, &def, at, v);
		} else if (p->type == PARAM_STRUCT) {
			bind_struct(b, p, ptr, NULL, at, v);
		}
	}
	if (n)
		bind_node(b, p, ptr, n, at, v);
}
