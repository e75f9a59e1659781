// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/tree.h"

#include <string.h>

struct node *node_get(const struct node *n, const char *key)
{
	if (!n || n->type != NODE_MAP)
		return NULL;
	for (uint32_t i = 0; i < n->n; i++)
		if (!strcmp(n->pairs[i].key->text, key))
			return n->pairs[i].value;
	return NULL;
}

struct node *node_scalar(struct arena *a, const char *text, enum origin origin, struct place place)
{
	struct node *n = arena_alloc(a, sizeof(*n));

	n->type = NODE_SCALAR;
	n->origin = (uint8_t)origin;
	n->plain = true;
	n->place = place;
	n->text = arena_strdup(a, text);
	return n;
}

struct node *node_map(struct arena *a, enum origin origin, struct place place)
{
	struct node *n = arena_alloc(a, sizeof(*n));

	n->type = NODE_MAP;
	n->origin = (uint8_t)origin;
	n->place = place;
	return n;
}

struct node *node_copy(struct arena *a, const struct node *n, enum origin origin)
{
	struct node *c = arena_alloc(a, sizeof(*c));

	*c = *n;
	c->origin = (uint8_t)origin;
	if (n->type == NODE_SEQ) {
		c->items = ARENA_ARRAY(a, struct node *, n->n);
		for (uint32_t i = 0; i < n->n; i++)
			c->items[i] = node_copy(a, n->items[i], origin);
	} else if (n->type == NODE_MAP) {
		c->pairs = ARENA_ARRAY(a, struct node_pair, n->n);
		for (uint32_t i = 0; i < n->n; i++) {
			c->pairs[i].key = node_copy(a, n->pairs[i].key, origin);
			c->pairs[i].value = node_copy(a, n->pairs[i].value, origin);
		}
	}
	return c;
}

struct node *node_with(struct arena *a, const struct node *n, const char *key, struct node *value)
{
	struct node *c = arena_alloc(a, sizeof(*c));
	bool found = false;

	*c = *n;
	c->n = 0;
	c->pairs = ARENA_ARRAY(a, struct node_pair, n->n + 1);
	for (uint32_t i = 0; i < n->n; i++) {
		struct node_pair pair = n->pairs[i];

		if (!strcmp(pair.key->text, key)) {
			found = true;
			pair.value = value;
		}
		if (pair.value)
			c->pairs[c->n++] = pair;
	}
	if (!found && value) {
		c->pairs[c->n].key = node_scalar(a, key, value->origin, value->place);
		c->pairs[c->n++].value = value;
	}
	return c;
}

static bool other_model(const struct node *base, const struct node *over)
{
	const struct node *a = node_get(base, "model"), *b = node_get(over, "model");

	return a && b && a->type == NODE_SCALAR && b->type == NODE_SCALAR &&
	       strcmp(a->text, b->text);
}

struct node *node_overlay(struct arena *a, struct node *base, struct node *over)
{
	struct node *c;
	GHashTable *at;

	if (!base || base->type != NODE_MAP || over->type != NODE_MAP || other_model(base, over))
		return over;
	c = arena_alloc(a, sizeof(*c));
	*c = *over;
	c->n = base->n;
	c->pairs = ARENA_ARRAY(a, struct node_pair, base->n + over->n);
	at = g_hash_table_new(g_str_hash, g_str_equal);
	for (uint32_t i = 0; i < base->n; i++) {
		c->pairs[i] = base->pairs[i];
		g_hash_table_insert(at, (gpointer)base->pairs[i].key->text,
				    GUINT_TO_POINTER(i + 1));
	}
	for (uint32_t i = 0; i < over->n; i++) {
		uint32_t k = GPOINTER_TO_UINT(g_hash_table_lookup(at, over->pairs[i].key->text));

		if (!k) {
			c->pairs[c->n++] = over->pairs[i];
			continue;
		}
		c->pairs[k - 1].value =
			node_overlay(a, c->pairs[k - 1].value, over->pairs[i].value);
		c->pairs[k - 1].key = over->pairs[i].key;
	}
	g_hash_table_destroy(at);
	return c;
}

uint32_t node_count(const struct node *n)
{
	uint32_t count = 1;

	if (n->type == NODE_SEQ)
		for (uint32_t i = 0; i < n->n; i++)
			count += node_count(n->items[i]);
	if (n->type == NODE_MAP)
		for (uint32_t i = 0; i < n->n; i++)
			count += 1 + node_count(n->pairs[i].value);
	return count;
}

char *node_what(const struct node *n)
{
	if (n->type == NODE_SEQ)
		return g_strdup("a list");
	if (n->type == NODE_MAP)
		return g_strdup("a map");
	if (n->plain && scalar_classify(n) == SCALAR_NULL)
		return g_strdup("nothing");
	if (strlen(n->text) > 60)
		return g_strdup_printf("'%.57s...'", n->text);
	return g_strdup_printf("'%s'", n->text);
}

static bool flow_needs_quotes(const struct node *n)
{
	return !n->plain || !*n->text || strpbrk(n->text, ",[]{}#:\"'\n") || *n->text == ' ';
}

static void flow_scalar(const struct node *n, GString *out)
{
	if (!flow_needs_quotes(n)) {
		g_string_append(out, n->text);
		return;
	}
	g_string_append_c(out, '"');
	for (const char *p = n->text; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		if (*p == '\n')
			g_string_append(out, "\\n");
		else
			g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
}

void node_flow(const struct node *n, GString *out)
{
	if (n->type == NODE_SCALAR) {
		flow_scalar(n, out);
		return;
	}
	g_string_append_c(out, n->type == NODE_SEQ ? '[' : '{');
	for (uint32_t i = 0; i < n->n; i++) {
		if (i)
			g_string_append(out, ", ");
		if (n->type == NODE_MAP) {
			flow_scalar(n->pairs[i].key, out);
			g_string_append(out, ": ");
			node_flow(n->pairs[i].value, out);
		} else {
			node_flow(n->items[i], out);
		}
	}
	g_string_append_c(out, n->type == NODE_SEQ ? ']' : '}');
}

static bool one_of(const char *text, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(text, *names))
			return true;
	return false;
}

static bool core_number(const char *s)
{
	const char *first;
	bool digits = false;

	if (*s == '-' || *s == '+')
		s++;
	if (!strcmp(s, ".inf") || !strcmp(s, ".Inf") || !strcmp(s, ".INF") || !strcmp(s, ".nan"))
		return true;
	if (s[0] == '0' && s[1] == 'x' && s[2])
		return strspn(s + 2, "0123456789abcdefABCDEF") == strlen(s + 2);
	if (s[0] == '0' && s[1] == 'o' && s[2])
		return strspn(s + 2, "01234567") == strlen(s + 2);
	first = s;
	s += strspn(s, "0123456789");
	digits = s > first;
	if (*s == '.') {
		first = ++s;
		s += strspn(s, "0123456789");
		digits = digits || s > first;
	}
	if (!digits)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		if (*s == '-' || *s == '+')
			s++;
		if (!*s)
			return false;
		s += strspn(s, "0123456789");
	}
	return !*s;
}

enum scalar_class scalar_classify(const struct node *n)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
	static const char *const bools[] = {"true", "false", NULL};

	if (!n->plain)
		return SCALAR_STRING;
	if (one_of(n->text, nulls))
		return SCALAR_NULL;
	if (one_of(n->text, bools))
		return SCALAR_BOOL;
	return core_number(n->text) ? SCALAR_NUMBER : SCALAR_STRING;
}

const char *scalar_trap(const struct node *n)
{
	static const char *const yes[] = {"on",	 "On",	 "ON",	 "yes", "Yes",
					  "YES", "True", "TRUE", NULL};
	static const char *const no[] = {"off", "Off",	 "OFF",	  "no", "No",
					 "NO",	"False", "FALSE", NULL};
	const char *s = n->text;

	/* most scalars are numbers or names that begin otherwise */
	if (!n->plain || !strchr("oOyYnNTF0+-", *s))
		return NULL;
	if (one_of(s, yes))
		return "write true, or quote it if a string is meant";
	if (one_of(s, no))
		return "write false, or quote it if a string is meant";
	if (*s == '-' || *s == '+')
		s++;
	if (s[0] == '0' && g_ascii_isdigit(s[1]) && strspn(s, "0123456789") == strlen(s))
		return "a leading zero is octal to some and decimal to others; write it without "
		       "(octal is 0o10)";
	return NULL;
}
