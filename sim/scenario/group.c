// SPDX-License-Identifier: GPL-3.0-or-later
/* Traffic of counted nodes: `up: {from: sta*, to: ap}` becomes up1, up2, ..., one for each of them. */
#include "scenario/bind.h"

#include <string.h>

/* ---- names with a star --------------------------------------------------------------------- */

static bool is_star(const char *text)
{
	const char *star = strchr(text, '*');

	return star && star != text && !star[1];
}

static bool any_counted(const struct bind *b, const char *stem, size_t len)
{
	for (uint32_t i = 0; i < b->nodes->n; i++)
		if (b->counted[i] && strlen(b->counted[i]) == len &&
		    !strncmp(b->counted[i], stem, len))
			return true;
	return false;
}

GPtrArray *star_nodes(const struct bind *b, const char *text)
{
	GPtrArray *names = g_ptr_array_new();
	size_t len = strcspn(text, "*");
	bool counted = any_counted(b, text, len);

	for (uint32_t i = 0; i < b->nodes->n; i++) {
		const char *name = b->nodes->pairs[i].key->text, *of = b->counted[i];

		if (counted ? of && strlen(of) == len && !strncmp(of, text, len)
			    : !strncmp(name, text, len))
			g_ptr_array_add(names, (gpointer)name);
	}
	return names;
}

/* Whether a node of the document has a name that begins so; with a count of 0 it stands for none. */
static bool in_document(const struct bind *b, const char *stem, size_t len)
{
	const struct node *nodes = node_get(b->sp->root, "nodes");

	for (uint32_t i = 0; nodes && nodes->type == NODE_MAP && i < nodes->n; i++)
		if (!strncmp(nodes->pairs[i].key->text, stem, len))
			return true;
	return false;
}

void star_unmatched(struct bind *b, const struct node *n, const char *where)
{
	size_t len = strcspn(n->text, "*");
	GPtrArray *names;
	char *read, *allowed;

	if (b->sp->torn || in_document(b, n->text, len))
		return;
	names = g_ptr_array_new_with_free_func(g_free);
	for (uint32_t i = 0; i < b->nodes->n; i++) {
		const char *of = b->counted[i];

		if (!of)
			g_ptr_array_add(names, g_strdup(b->nodes->pairs[i].key->text));
		else if (!i || !b->counted[i - 1] || strcmp(of, b->counted[i - 1]))
			g_ptr_array_add(names, g_strconcat(of, "*", NULL));
	}
	read = g_strndup(n->text, len + 1);
	allowed = allowed_names(read, (const char *const *)names->pdata, names->len);
	errors_add(b->errors, n->place, "%s: no node matches '%s'%s", where, read, allowed);
	g_free(allowed);
	g_free(read);
	g_ptr_array_free(names, TRUE);
}

/* ---- expansion ----------------------------------------------------------------------------- */

struct grouped {
	GArray *pairs; /* struct node_pair */
	GPtrArray *groups; /* const char *, NULL for what is in none */
	uint64_t n_nodes;
};

static void add(struct grouped *g, struct node *key, struct node *value, const char *group)
{
	struct node_pair pair = {key, value};

	g_array_append_val(g->pairs, pair);
	g_ptr_array_add(g->groups, (gpointer)group);
}

/* The value of @key in traffic @name: the last override of it, else the document's. */
static const struct node *end_node(const struct node *map, const char *name, const char *key,
				   const struct override *const *list, uint32_t n)
{
	const struct node *end = node_get(map, key);
	size_t len = strlen(name);

	for (uint32_t i = 0; i < n; i++)
		if (!strncmp(list[i]->path, name, len) && list[i]->path[len] == '.' &&
		    !strcmp(list[i]->path + len + 1, key))
			end = list[i]->value;
	return end;
}

/* The nodes that an end stands for; NULL: one that is no star, for all members. */
static GPtrArray *end_names(struct bind *b, const char *name, const char *key,
			    const struct node *end)
{
	GPtrArray *names;
	char *where;

	if (!end || end->type != NODE_SCALAR || !is_star(end->text))
		return NULL;
	names = star_nodes(b, end->text);
	if (!names->len) {
		where = g_strconcat(name, ".", key, NULL);
		star_unmatched(b, end, where);
		g_free(where);
	}
	return names;
}

static struct node *with_end(struct bind *b, struct node *map, const char *key,
			     const struct node *end, const GPtrArray *names, uint32_t i)
{
	struct node *one;

	if (!names)
		return end ? node_with(b->arena, map, key, (struct node *)end) : map;
	one = node_scalar(b->arena, names->pdata[i], end->origin, end->place);
	return node_with(b->arena, map, key, one);
}

static void expand(struct bind *b, struct grouped *g, const struct node_pair *pair,
		   const struct node *from, const struct node *to)
{
	const char *name = pair->key->text;
	GPtrArray *froms = end_names(b, name, "from", from);
	GPtrArray *tos = end_names(b, name, "to", to);
	uint32_t n = froms ? froms->len : tos->len;

	if (froms && tos && froms->len != tos->len) {
		errors_add(
			b->errors, to->place,
			"%s: '%s' is %u nodes and '%s' is %u; with stars in both they go in pairs",
			name, from->text, froms->len, to->text, tos->len);
		n = 0;
	}
	g->n_nodes += (uint64_t)node_count(pair->value) * n;
	if (g->n_nodes > TREE_NODES_MAX) {
		errors_add(b->errors, pair->key->place,
			   "%s: more than %u nodes of the document after expansion", name,
			   TREE_NODES_MAX);
		n = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct node *key = arena_alloc(b->arena, sizeof(*key)), *map = pair->value;

		*key = *pair->key;
		key->text = arena_printf(b->arena, "%s%u", name, i + 1);
		map = with_end(b, map, "from", from, froms, i);
		map = with_end(b, map, "to", to, tos, i);
		add(g, key, map, name);
	}
	if (froms)
		g_ptr_array_free(froms, TRUE);
	if (tos)
		g_ptr_array_free(tos, TRUE);
}

void overlay_groups(struct overlay *o, const struct override *const *list, uint32_t n)
{
	const struct node *traffic = node_get(o->root, "traffic");
	struct grouped g = {g_array_new(FALSE, FALSE, sizeof(struct node_pair)), g_ptr_array_new(),
			    0};
	struct bind *b = o->b;

	if (traffic && traffic->type != NODE_MAP)
		traffic = NULL; /* told when it is bound */
	for (uint32_t i = 0; traffic && i < traffic->n; i++) {
		const struct node_pair *pair = &traffic->pairs[i];
		const char *name = pair->key->text;
		const struct node *from = end_node(pair->value, name, "from", list, n);
		const struct node *to = end_node(pair->value, name, "to", list, n);
		bool star = (from && from->type == NODE_SCALAR && is_star(from->text)) ||
			    (to && to->type == NODE_SCALAR && is_star(to->text));

		if (star && pair->value->type == NODE_MAP)
			expand(b, &g, pair, from, to);
		else
			add(&g, pair->key, pair->value, NULL);
	}
	b->traffic = node_map(b->arena, ORIGIN_FILE, traffic ? traffic->place : (struct place){0});
	b->traffic->n = g.pairs->len;
	b->traffic->pairs = ARENA_ARRAY(b->arena, struct node_pair, g.pairs->len);
	b->groups = ARENA_ARRAY(b->arena, const char *, g.pairs->len);
	if (g.pairs->len) {
		memcpy(b->traffic->pairs, g.pairs->data, g.pairs->len * sizeof(struct node_pair));
		memcpy(b->groups, g.groups->pdata, g.groups->len * sizeof(b->groups[0]));
	}
	g_array_free(g.pairs, TRUE);
	g_ptr_array_free(g.groups, TRUE);
}

/* ---- paths of a bound configuration -------------------------------------------------------- */

/* Adds @name with the rest of the path behind it. */
static void add_path(GPtrArray *paths, const char *name, const char *rest)
{
	g_ptr_array_add(paths, g_strconcat(name, rest, NULL));
}

static bool stem_is(const char *of, const char *path, size_t len)
{
	return of && strlen(of) == len && !strncmp(of, path, len);
}

static void like_nodes(const struct config *c, const char *path, size_t len, GPtrArray *paths)
{
	bool counted = false;

	for (uint32_t i = 0; i < c->n_nodes; i++)
		counted |= stem_is(c->nodes[i].counted, path, len);
	for (uint32_t i = 0; i < c->n_nodes; i++)
		if (counted ? stem_is(c->nodes[i].counted, path, len)
			    : !strncmp(c->nodes[i].name, path, len))
			add_path(paths, c->nodes[i].name, path + len + 1);
}

GPtrArray *config_paths(const struct config *c, const char *path)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	size_t head = strcspn(path, "."), len = strcspn(path, "*");
	bool star = len + 1 == head && path[len] == '*';

	for (uint32_t i = 0; i < c->n_traffic; i++)
		if (stem_is(c->traffic[i]->group, path, star ? len : head))
			add_path(paths, c->traffic[i]->path, path + head);
	if (!paths->len && star)
		like_nodes(c, path, len, paths);
	if (!paths->len && !star)
		add_path(paths, path, "");
	return paths;
}
