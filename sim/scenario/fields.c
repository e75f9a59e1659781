// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/fields.h"

#include <string.h>

#include "scenario/units.h"

/* "expect.between"; of the scenario itself the key alone. */
static char *field_name(const struct fields *f, const char *key)
{
	return *f->what ? g_strdup_printf("%s.%s", f->what, key) : g_strdup(key);
}

static const char *owner_name(const struct fields *f)
{
	return *f->what ? f->what : "the scenario";
}

static void bad_node(struct errors *errors, const struct node *n, const char *what,
		     const char *expected)
{
	char *read = node_what(n);

	errors_add(errors, n->place, "%s: read %s, expected %s", what, read, expected);
	g_free(read);
}

bool fields_check(const struct fields *f, const char *const *names)
{
	uint32_t n = 0;

	if (f->map->type != NODE_MAP) {
		bad_node(f->errors, f->map, owner_name(f), "a map");
		return false;
	}
	while (names[n])
		n++;
	for (uint32_t i = 0; i < f->map->n; i++) {
		const struct node *key = f->map->pairs[i].key;
		char *allowed;
		uint32_t k = 0;

		while (k < n && strcmp(names[k], key->text))
			k++;
		if (k < n || errors_full(f->errors))
			continue;
		allowed = allowed_names(key->text, names, n);
		errors_add(f->errors, key->place, "%s has no key '%s'%s", owner_name(f), key->text,
			   allowed);
		g_free(allowed);
	}
	return true;
}

const struct node *field(const struct fields *f, const char *key, bool required)
{
	const struct node *n = node_get(f->map, key);

	if (!n && required)
		errors_add(f->errors, f->map->place, "%s: missing key '%s'", owner_name(f), key);
	return n;
}

const char *field_string(const struct fields *f, const char *key, bool required)
{
	const struct node *n = field(f, key, required);
	enum scalar_class class;
	char *what;

	if (!n)
		return NULL;
	what = field_name(f, key);
	class = n->type == NODE_SCALAR ? scalar_classify(n) : SCALAR_NULL;
	if (n->type != NODE_SCALAR || class == SCALAR_NULL || class == SCALAR_BOOL) {
		bad_node(f->errors, n, what, "a string");
		n = NULL;
	} else if (scalar_trap(n)) {
		errors_add(f->errors, n->place, "%s: read '%s': %s", what, n->text, scalar_trap(n));
		n = NULL;
	}
	g_free(what);
	return n ? n->text : NULL;
}

int field_choice(const struct fields *f, const char *key, const char *const *names, int missing)
{
	const struct node *n = field(f, key, false);
	uint32_t count = 0;
	char *allowed, *read, *name;

	if (!n)
		return missing;
	for (; names[count]; count++)
		if (n->type == NODE_SCALAR && !strcmp(names[count], n->text))
			return (int)count;
	read = node_what(n);
	allowed = allowed_names(n->type == NODE_SCALAR ? n->text : "", names, count);
	name = field_name(f, key);
	errors_add(f->errors, n->place, "%s: read %s%s", name, read, allowed);
	g_free(name);
	g_free(allowed);
	g_free(read);
	return missing;
}

bool node_units(struct errors *errors, const struct node *n, const char *what, enum param_type type,
		int64_t *value)
{
	int64_t v, min, max;
	GString *err;
	bool good;

	if (n->type != NODE_SCALAR) {
		bad_node(errors, n, what, units_noun(type));
		return false;
	}
	if (scalar_trap(n)) {
		errors_add(errors, n->place, "%s: read '%s': %s", what, n->text, scalar_trap(n));
		return false;
	}
	err = g_string_new(NULL);
	good = units_parse(type, n->text, &v, err);
	units_range(type, &min, &max);
	if (good && (v < min || v > max)) {
		g_string_printf(err, "read '%s': out of range for %s", n->text, units_noun(type));
		good = false;
	}
	if (!good)
		errors_add(errors, n->place, "%s: %s", what, err->str);
	else
		*value = v;
	g_string_free(err, TRUE);
	return good;
}

bool field_units(const struct fields *f, const char *key, enum param_type type, bool required,
		 int64_t *value)
{
	const struct node *n = field(f, key, required);
	char *what;
	bool good;

	if (!n)
		return false;
	what = field_name(f, key);
	good = node_units(f->errors, n, what, type, value);
	g_free(what);
	return good;
}

const struct node *node_list(struct errors *errors, const struct node *n, const char *what)
{
	if (!n || n->type == NODE_SEQ)
		return n;
	bad_node(errors, n, what, "a list");
	return NULL;
}

const struct node *node_named(struct errors *errors, const struct node *n, const char *what)
{
	if (!n || n->type == NODE_MAP)
		return n;
	bad_node(errors, n, what, "a map");
	return NULL;
}
