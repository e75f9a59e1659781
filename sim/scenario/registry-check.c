// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/registry-check.h"

#include <string.h>

#include "scenario/bind.h"

struct check {
	struct scenario_priv sp;
	struct errors *errors;
	const struct model_class *cls;
	struct place place;
	bool inner; /* inside a struct, list or map: the format's own keys are free there */
};

static void bad(struct check *c, const char *what, const char *fmt, ...) G_GNUC_PRINTF(3, 4);

static void bad(struct check *c, const char *what, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	errors_add(c->errors, c->place, "%s: %s", what, text);
	g_free(text);
}

static bool kind_is(const struct model_class *cls, const char *kind)
{
	return !strcmp(cls->kind->name, kind);
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* Keys that lie in the same map and are not this class's. */
static bool key_taken(struct check *c, const char *key)
{
	const struct classes *all = &c->sp.classes;

	if (kind_is(c->cls, "node"))
		return !strcmp(key, "interfaces") || !strcmp(key, "count") ||
		       class_find(all, "protocol", key);
	if (kind_is(c->cls, "interface"))
		return !strcmp(key, "driver");
	if (kind_is(c->cls, "driver"))
		return !strcmp(key, "driver") ||
		       (all->netdev && param_find(all->netdev->params, key));
	return !kind_is(c->cls, "protocol") && !strcmp(key, "model");
}

static size_t value_size(const struct param *p)
{
	switch (p->type) {
	case PARAM_STRING:
	case PARAM_REF:
		return sizeof(void *);
	case PARAM_SLOT:
		return sizeof(struct slot);
	case PARAM_STRUCT:
		return p->size;
	case PARAM_LIST:
		return sizeof(struct param_list);
	case PARAM_MAP:
		return sizeof(struct param_map);
	case PARAM_TABLE:
		return sizeof(struct param_table);
	case PARAM_PER_AC:
		return AC_COUNT * sizeof(int64_t);
	case PARAM_QUEUE_SIZE:
		return sizeof(struct queue_size);
	default:
		return sizeof(int64_t);
	}
}

static void check_table(struct check *c, const struct param *table, size_t size);

static void check_needs(struct check *c, const struct param *p)
{
	bool compound = p->type == PARAM_STRUCT || p->type == PARAM_LIST || p->type == PARAM_MAP ||
			p->type == PARAM_TABLE;

	if (p->type == PARAM_ENUM && (!p->values || !p->values->name))
		bad(c, p->name, "a choice without values");
	if ((p->type == PARAM_REF || p->type == PARAM_SLOT) && !p->kind)
		bad(c, p->name, "a reference or slot without a kind");
	if (p->type == PARAM_PER_AC && (p->element < PARAM_INT || p->element > PARAM_DECIMAL))
		bad(c, p->name, "per category of what is no number");
	if (compound && (!p->fields || !p->fields->name || !p->size)) {
		bad(c, p->name, "a struct, list, map or table without fields or size");
	} else if (compound) {
		bool outer = c->inner;

		c->inner = true;
		check_table(c, p->fields, p->size);
		c->inner = outer;
	}
	for (const struct param *f = p->type == PARAM_TABLE && p->fields ? p->fields->fields : NULL;
	     f && f->name; f++)
		if (f->type > PARAM_DECIMAL && f->type != PARAM_ENUM)
			bad(c, f->name, "a column that is no number and no name of a choice");
	if (!compound && p->min > p->max)
		bad(c, p->name, "its least value is above its greatest");
	if ((p->flags & PARAM_REQUIRED) && (p->def || p->eras))
		bad(c, p->name, "required, yet with a default");
	if ((p->flags & PARAM_LIVE) && (p->flags & PARAM_STRUCTURAL))
		bad(c, p->name, "live, yet structural");
}

static void check_table(struct check *c, const struct param *table, size_t size)
{
	for (const struct param *p = table; p && p->name; p++) {
		if (!name_valid(p->name))
			bad(c, p->name, "the key is not of the form [a-z][a-z0-9_-]*");
		if (param_find(table, p->name) != p)
			bad(c, p->name, "two parameters of one name");
		if (!c->inner && key_taken(c, p->name))
			bad(c, p->name, "the key is taken in the same map");
		if (p->offset + value_size(p) > size)
			bad(c, p->name, "it lies outside of its struct");
		if (!p->doc || !*p->doc)
			bad(c, p->name, "no line of documentation");
		check_needs(c, p);
	}
}

/* ---- defaults ------------------------------------------------------------------------------ */

static void check_eras(struct check *c, const struct param *p)
{
	int64_t last = -1;

	for (const struct param_era *e = p->eras; e && e->era; e++) {
		int64_t era = kernel_number(e->era);

		if (era < 0)
			bad(c, p->name, "'%s' is no kernel", e->era);
		else if (era <= last)
			bad(c, p->name, "eras out of order at %s", e->era);
		if (!e->value)
			bad(c, p->name, "no value from %s", e->era);
		last = era;
	}
}

/* Binds every default under every kernel. Required parameters are left out, references not followed. */
static void check_defaults(struct check *c)
{
	struct bind b = {.sp = &c->sp, .errors = c->errors, .here = c->place};

	b.arena = arena_new();
	b.nodes = node_map(b.arena, ORIGIN_DECLARED, c->place);
	b.refs = g_array_new(FALSE, FALSE, sizeof(struct pending_ref));
	for (int i = 0; scenario_eras[i]; i++) {
		struct bound *bound = bound_new(&b, c->cls, c->cls->name, c->place);

		b.kernel = scenario_eras[i];
		for (uint32_t k = 0; k < bound->n_values; k++) {
			const struct param *p = &c->cls->params[k];

			bind_value(&b, p, (char *)bound->params + p->offset, NULL,
				   (struct at){c->cls->name, p->name}, &bound->values[k]);
		}
	}
	g_array_free(b.refs, TRUE);
	arena_free(b.arena);
}

static void check_class(struct check *c)
{
	const struct model_class *cls = c->cls;
	uint32_t told = c->errors->n_told;

	if (!cls->doc || !cls->source)
		bad(c, cls->name, "no line of documentation, or no source");
	check_table(c, cls->params, cls->params_size);
	for (const struct param *p = cls->params; p && p->name; p++)
		check_eras(c, p);
	if (c->errors->n_told == told)
		check_defaults(c);
	for (const struct probe *p = cls->probes; p && p->name; p++) {
		if (!p->doc || !*p->doc)
			bad(c, p->name, "a probe without a line of documentation");
		for (const struct probe *q = cls->probes; q < p; q++)
			if (!strcmp(p->name, q->name) && p->scope == q->scope)
				bad(c, p->name, "two probes of one name");
	}
}

void registry_check(const struct registry *reg, struct errors *errors)
{
	struct check c = {.errors = errors};

	c.sp.arena = arena_new();
	defaults_init(&c.sp);
	classes_init(&c.sp.classes, reg, c.sp.arena);
	for (const struct model_class *const *p = reg->classes; *p; p++) {
		c.cls = *p;
		c.place.at.file = arena_printf(c.sp.arena, "%s/%s", (*p)->kind->name, (*p)->name);
		if (class_find(&c.sp.classes, (*p)->kind->name, (*p)->name) != *p)
			bad(&c, (*p)->name, "two models of one name");
		check_class(&c);
	}
	defaults_clear(&c.sp);
	arena_free(c.sp.arena);
}
