// SPDX-License-Identifier: GPL-3.0-or-later
/* `count: 10` of a node: sta becomes sta1 .. sta10. */
#include "scenario/bind.h"

#include <string.h>

#include "scenario/units.h"

#define COUNT_MAX 1024

static bool read_count(struct bind *b, const char *name, const struct node *n, int64_t *count)
{
	GString *err;
	bool good = false;

	if (n->type != NODE_SCALAR || scalar_trap(n) || !n->plain) {
		char *what = node_what(n);

		errors_add(b->errors, n->place, "%s.count: read %s, expected a whole number", name,
			   what);
		g_free(what);
		return false;
	}
	err = g_string_new(NULL);
	if (!units_parse(PARAM_INT, n->text, count, err))
		errors_add(b->errors, n->place, "%s.count: %s", name, err->str);
	else if (*count < 0 || *count > COUNT_MAX)
		errors_add(b->errors, n->place, "%s.count: read '%s', expected 0 .. %d", name,
			   n->text, COUNT_MAX);
	else
		good = true;
	g_string_free(err, TRUE);
	return good;
}

/* The count in effect for node @name: the last override of it, else the document's. */
static const struct node *count_node(const struct node *map, const char *name,
				     const struct override *const *list, uint32_t n)
{
	const struct node *count = node_get(map, "count");
	size_t len = strlen(name);

	for (uint32_t i = 0; i < n; i++)
		if (!strncmp(list[i]->path, name, len) && !strcmp(list[i]->path + len, ".count"))
			count = list[i]->value;
	return count;
}

struct expanded {
	GArray *pairs; /* struct node_pair */
	GPtrArray *counted; /* const char * */
	uint64_t n_nodes;
};

static void add(struct expanded *x, struct node *key, struct node *value, const char *counted)
{
	struct node_pair pair = {key, value};

	g_array_append_val(x->pairs, pair);
	g_ptr_array_add(x->counted, (gpointer)counted);
}

static void expand_one(struct bind *b, struct expanded *x, const struct node_pair *pair,
		       const struct node *count)
{
	const char *name = pair->key->text;
	struct node *map;
	int64_t n;

	if (!read_count(b, name, count, &n))
		return;
	map = node_with(b->arena, pair->value, "count", NULL);
	x->n_nodes += (uint64_t)node_count(map) * (uint64_t)n;
	if (x->n_nodes > TREE_NODES_MAX) {
		errors_add(b->errors, count->place,
			   "%s.count: more than %u nodes of the document after expansion", name,
			   TREE_NODES_MAX);
		return;
	}
	for (int64_t i = 1; i <= n; i++) {
		struct node *key = arena_alloc(b->arena, sizeof(*key));

		*key = *pair->key;
		key->text = arena_printf(b->arena, "%s%d", name, (int)i);
		add(x, key, map, name);
	}
}

void overlay_counts(struct overlay *o, const struct override *const *list, uint32_t n)
{
	const struct node *nodes = node_get(o->root, "nodes");
	struct expanded x = {g_array_new(FALSE, FALSE, sizeof(struct node_pair)), g_ptr_array_new(),
			     0};
	struct bind *b = o->b;
	struct node *all;

	if (nodes && nodes->type != NODE_MAP) {
		errors_add(b->errors, nodes->place, "nodes: expected a map: name -> keys");
		nodes = NULL;
	}
	for (uint32_t i = 0; nodes && i < nodes->n; i++) {
		const struct node_pair *pair = &nodes->pairs[i];
		const struct node *count = count_node(pair->value, pair->key->text, list, n);

		if (count && pair->value->type == NODE_MAP)
			expand_one(b, &x, pair, count);
		else
			add(&x, pair->key, pair->value, NULL);
	}
	all = node_map(b->arena, ORIGIN_FILE, nodes ? nodes->place : (struct place){0});
	all->n = x.pairs->len;
	all->pairs = ARENA_ARRAY(b->arena, struct node_pair, all->n);
	b->counted = ARENA_ARRAY(b->arena, const char *, all->n);
	if (all->n) {
		memcpy(all->pairs, x.pairs->data, all->n * sizeof(all->pairs[0]));
		memcpy(b->counted, x.counted->pdata, all->n * sizeof(b->counted[0]));
	}
	b->nodes = all;
	g_array_free(x.pairs, TRUE);
	g_ptr_array_free(x.counted, TRUE);
}
