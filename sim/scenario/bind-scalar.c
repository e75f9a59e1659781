// SPDX-License-Identifier: GPL-3.0-or-later
/* Parameters that are one value: from a node of the tree into the parameter struct. */
#include "scenario/bind.h"

#include <string.h>

#include "scenario/units.h"

static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

void bind_bad(struct bind *b, const struct node *n, struct at at, const char *fmt, ...)
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

void bind_bad_type(struct bind *b, const struct node *n, struct at at, const char *expected)
{
	char *what = node_what(n);

	bind_bad(b, n, at, "read %s, expected %s", what, expected);
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
		bind_bad(b, n, at, "read '%s', expected at least %s", n->text, lo);
	else
		bind_bad(b, n, at, "read '%s', expected %s .. %s", n->text, lo, hi);
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
		bind_bad(b, n, at, "read '%s': %s", n->text, hint);
		return;
	}
	names = g_ptr_array_new();
	for (const struct param_enum *e = p->values; e->name; e++)
		g_ptr_array_add(names, (gpointer)e->name);
	allowed = allowed_names(n->text, (const char *const *)names->pdata, names->len);
	bind_bad(b, n, at, "read '%s'%s", n->text, allowed);
	g_free(allowed);
	g_ptr_array_free(names, TRUE);
}

static void bind_scalar(struct bind *b, const struct param *p, enum param_type type, int64_t *ptr,
			const struct node *n, struct at at)
{
	const char *hint;
	GString *err;

	if (n->type != NODE_SCALAR) {
		bind_bad_type(b, n, at,
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
		bind_bad(b, n, at, "read '%s': %s", n->text, hint);
		return;
	}
	if (type == PARAM_BOOL) {
		if (scalar_classify(n) == SCALAR_BOOL)
			*ptr = *n->text == 't';
		else
			bind_bad_type(b, n, at, "true or false");
		return;
	}
	if (!n->plain && !*units_allowed(type)) {
		bind_bad(b, n, at, "read \"%s\", a string; expected %s, without quotes", n->text,
			 units_noun(type));
		return;
	}
	err = g_string_new(NULL);
	if (units_parse(type, n->text, ptr, err))
		check_range(b, p, type, *ptr, n, at);
	else
		bind_bad(b, n, at, "%s", err->str);
	g_string_free(err, TRUE);
}

static void bind_queue_size(struct bind *b, const struct param *p, struct queue_size *size,
			    const struct node *n, struct at at)
{
	bool any = p->flags & PARAM_UNIT_ANY;
	GString *err;

	if (n->type != NODE_SCALAR) {
		bind_bad_type(b, n, at, "a size of a queue");
		return;
	}
	if (scalar_trap(n)) {
		bind_bad(b, n, at, "read '%s': %s", n->text, scalar_trap(n));
		return;
	}
	err = g_string_new(NULL);
	if (!units_parse_queue(n->text, any, size, err))
		bind_bad(b, n, at, "%s", err->str);
	else if (size->unit == QUEUE_PACKETS && (p->min || p->max))
		check_range(b, p, PARAM_INT, size->value, n, at);
	g_string_free(err, TRUE);
}

static void bind_string(struct bind *b, const struct param *p, const char **ptr,
			const struct node *n, struct at at)
{
	if (n->type != NODE_SCALAR)
		bind_bad_type(b, n, at, "a string");
	else if (scalar_trap(n))
		bind_bad(b, n, at, "read '%s': %s", n->text, scalar_trap(n));
	else if (scalar_classify(n) != SCALAR_STRING)
		bind_bad_type(b, n, at, "a string; quote it if it is one");
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

		bind_bad_type(b, n, at, expected);
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
			bind_bad(b, n->pairs[i].key, at,
				 "read '%s', expected an access category: vo, vi, be, bk", key);
		else
			bind_scalar(b, p, p->element, &ptr[ac], n->pairs[i].value, at);
	}
}

bool bind_plain(struct bind *b, const struct param *p, void *ptr, const struct node *n,
		struct at at)
{
	switch (p->type) {
	case PARAM_STRING:
		bind_string(b, p, ptr, n, at);
		return true;
	case PARAM_REF:
		bind_ref(b, p, ptr, n, at);
		return true;
	case PARAM_PER_AC:
		bind_per_ac(b, p, ptr, n, at);
		return true;
	case PARAM_QUEUE_SIZE:
		bind_queue_size(b, p, ptr, n, at);
		return true;
	case PARAM_SLOT:
	case PARAM_STRUCT:
	case PARAM_LIST:
	case PARAM_MAP:
	case PARAM_TABLE:
		return false;
	default:
		bind_scalar(b, p, p->type, ptr, n, at);
		return true;
	}
}
