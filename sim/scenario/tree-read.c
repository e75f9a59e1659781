// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/tree-read.h"

#include <string.h>
#include <yaml.h>

struct reader {
	struct limits *lim;
	const char *file;
	enum origin origin;
	yaml_parser_t parser;
	GHashTable *anchors; /* name -> node, NULL while it is being read */
	bool no_lines; /* a value that stands in no file */
};

static struct node *read_node(struct reader *r, yaml_event_t *ev, uint32_t depth);

static struct place place_at(const struct reader *r, yaml_mark_t m)
{
	struct place p = {.at = {r->file, (uint32_t)m.line + 1, (uint32_t)m.column + 1}};

	if (r->no_lines)
		p.at.line = p.at.col = 0;
	return p;
}

static bool count_node(struct reader *r, struct place p)
{
	if (r->lim->stopped)
		return false;
	if (++r->lim->n_nodes <= TREE_NODES_MAX)
		return true;
	errors_add(r->lim->errors, p, "more than %u nodes after expansion of aliases and merges",
		   TREE_NODES_MAX);
	r->lim->stopped = true;
	return false;
}

static struct node *make_node(struct reader *r, enum node_type type, const yaml_event_t *ev)
{
	struct place p = place_at(r, ev->start_mark);
	struct node *n;

	if (!count_node(r, p))
		return NULL;
	n = arena_alloc(r->lim->arena, sizeof(*n));
	n->type = (uint8_t)type;
	n->origin = (uint8_t)r->origin;
	n->place = p;
	return n;
}

/* A copy for use at @via; its nodes count, so that aliases of aliases stay within the limit. */
static struct node *copy_via(struct reader *r, const struct node *n, const struct mark *via)
{
	struct node *c;

	if (!count_node(r, n->place))
		return NULL;
	c = arena_alloc(r->lim->arena, sizeof(*c));
	*c = *n;
	c->place.via = *via;
	if (n->type == NODE_SEQ) {
		c->items = ARENA_ARRAY(r->lim->arena, struct node *, n->n);
		for (uint32_t i = 0; i < n->n; i++) {
			c->items[i] = copy_via(r, n->items[i], via);
			if (!c->items[i])
				return NULL;
		}
	} else if (n->type == NODE_MAP) {
		c->pairs = ARENA_ARRAY(r->lim->arena, struct node_pair, n->n);
		for (uint32_t i = 0; i < n->n; i++) {
			c->pairs[i].key = copy_via(r, n->pairs[i].key, via);
			c->pairs[i].value = copy_via(r, n->pairs[i].value, via);
			if (!c->pairs[i].key || !c->pairs[i].value)
				return NULL;
		}
	}
	return c;
}

/* ---- events -------------------------------------------------------------------------------- */

static bool next_event(struct reader *r, yaml_event_t *ev)
{
	const yaml_parser_t *p = &r->parser;
	struct place place;

	if (r->lim->stopped)
		return false;
	if (yaml_parser_parse(&r->parser, ev))
		return true;
	place = place_at(r, p->problem_mark);
	errors_add(r->lim->errors, place, "not YAML: %s%s%s", p->problem ? p->problem : "no memory",
		   p->context ? ", " : "", p->context ? p->context : "");
	r->lim->stopped = true;
	return false;
}

static bool has_tag(const yaml_event_t *ev, const yaml_char_t *tag)
{
	if (!tag)
		return false;
	/* "!" alone only says: not plain */
	return !(ev->type == YAML_SCALAR_EVENT && !strcmp((const char *)tag, "!"));
}

static void anchor_set(struct reader *r, const yaml_char_t *anchor, struct node *n)
{
	if (anchor)
		g_hash_table_insert(r->anchors, g_strdup((const char *)anchor), n);
}

static struct node *read_scalar(struct reader *r, const yaml_event_t *ev)
{
	struct node *n = make_node(r, NODE_SCALAR, ev);
	const char *text = (const char *)ev->data.scalar.value;
	size_t len = ev->data.scalar.length;

	if (!n)
		return NULL;
	if (has_tag(ev, ev->data.scalar.tag))
		errors_add(r->lim->errors, n->place, "read the tag '%s'; tags are not allowed",
			   ev->data.scalar.tag);
	if (memchr(text, '\0', len))
		errors_add(r->lim->errors, n->place, "a NUL character is not allowed");
	n->plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	n->text = arena_strndup(r->lim->arena, text, len);
	anchor_set(r, ev->data.scalar.anchor, n);
	return n;
}

static struct node *broken_node(struct reader *r, struct place p)
{
	struct node *n = node_scalar(r->lim->arena, "", r->origin, p);

	n->broken = true;
	return n;
}

static struct node *read_alias(struct reader *r, const yaml_event_t *ev)
{
	const char *name = (const char *)ev->data.alias.anchor;
	struct place p = place_at(r, ev->start_mark);
	gpointer n;

	if (!g_hash_table_lookup_extended(r->anchors, name, NULL, &n)) {
		errors_add(r->lim->errors, p, "alias '*%s' has no anchor before it", name);
		return broken_node(r, p);
	}
	if (!n) {
		errors_add(r->lim->errors, p, "alias '*%s' lies inside its own anchor", name);
		return broken_node(r, p);
	}
	return copy_via(r, n, &p.at);
}

static struct node *read_seq(struct reader *r, const yaml_event_t *start, uint32_t depth)
{
	struct node *n = make_node(r, NODE_SEQ, start);
	GPtrArray *items;
	yaml_event_t ev;

	if (!n)
		return NULL;
	if (has_tag(start, start->data.sequence_start.tag))
		errors_add(r->lim->errors, n->place, "read the tag '%s'; tags are not allowed",
			   start->data.sequence_start.tag);
	anchor_set(r, start->data.sequence_start.anchor, NULL);
	items = g_ptr_array_new();
	while (next_event(r, &ev)) {
		bool end = ev.type == YAML_SEQUENCE_END_EVENT;
		struct node *item = end ? NULL : read_node(r, &ev, depth);

		yaml_event_delete(&ev);
		if (end)
			break;
		if (!item)
			break;
		if (!item->broken)
			g_ptr_array_add(items, item);
	}
	n->n = items->len;
	n->items = ARENA_ARRAY(r->lim->arena, struct node *, n->n);
	if (n->n)
		memcpy(n->items, items->pdata, n->n * sizeof(n->items[0]));
	g_ptr_array_free(items, TRUE);
	anchor_set(r, start->data.sequence_start.anchor, n);
	return r->lim->stopped ? NULL : n;
}

/* ---- maps and merges ----------------------------------------------------------------------- */

struct map_build {
	GArray *pairs; /* struct node_pair */
	GHashTable *seen; /* key text -> index + 1 */
	uint32_t n_own;
	struct node *merge, *merge_key;
};

static void map_add(struct map_build *b, struct node_pair pair)
{
	g_array_append_val(b->pairs, pair);
	g_hash_table_insert(b->seen, (gpointer)pair.key->text, GUINT_TO_POINTER(b->pairs->len));
}

static void map_pair(struct reader *r, struct map_build *b, struct node *key, struct node *value)
{
	struct node_pair pair = {key, value};
	uint32_t before;

	if (key->type != NODE_SCALAR) {
		errors_add(r->lim->errors, key->place, "read %s as a key, expected a name",
			   key->type == NODE_SEQ ? "a list" : "a map");
		return;
	}
	if (key->broken || value->broken)
		return;
	if (key->plain && !strcmp(key->text, "<<")) {
		if (b->merge)
			errors_add(r->lim->errors, key->place,
				   "a second '<<'; write one with a list: '<<: [*a, *b]'");
		b->merge = value;
		b->merge_key = key;
		return;
	}
	if (!*key->text) {
		errors_add(r->lim->errors, key->place, "an empty key");
		return;
	}
	before = GPOINTER_TO_UINT(g_hash_table_lookup(b->seen, key->text));
	if (before) {
		const struct node *first =
			g_array_index(b->pairs, struct node_pair, before - 1).key;

		errors_add(r->lim->errors, key->place, "duplicate key '%s', first at line %u",
			   key->text, first->place.at.line);
		return;
	}
	map_add(b, pair);
}

static void map_merge_one(struct reader *r, struct map_build *b, const struct node *from)
{
	if (from->type != NODE_MAP) {
		char *what = node_what(from);

		errors_add(r->lim->errors, from->place,
			   "read %s after '<<', expected an alias of a map or a list of them",
			   what);
		g_free(what);
		return;
	}
	for (uint32_t i = 0; i < from->n; i++) {
		struct node_pair pair = from->pairs[i];

		/* own keys win, then the maps in their order */
		if (g_hash_table_lookup(b->seen, pair.key->text))
			continue;
		if (!pair.value->place.via.file) {
			pair.key = copy_via(r, pair.key, &b->merge_key->place.at);
			pair.value = copy_via(r, pair.value, &b->merge_key->place.at);
			if (!pair.key || !pair.value)
				return;
		}
		map_add(b, pair);
	}
}

static void map_merge(struct reader *r, struct map_build *b)
{
	if (!b->merge)
		return;
	if (b->merge->type != NODE_SEQ) {
		map_merge_one(r, b, b->merge);
		return;
	}
	for (uint32_t i = 0; i < b->merge->n; i++)
		map_merge_one(r, b, b->merge->items[i]);
}

static struct node *read_map(struct reader *r, const yaml_event_t *start, uint32_t depth)
{
	struct node *n = make_node(r, NODE_MAP, start);
	struct map_build b = {0};
	struct node *key = NULL;
	yaml_event_t ev;

	if (!n)
		return NULL;
	if (has_tag(start, start->data.mapping_start.tag))
		errors_add(r->lim->errors, n->place, "read the tag '%s'; tags are not allowed",
			   start->data.mapping_start.tag);
	anchor_set(r, start->data.mapping_start.anchor, NULL);
	b.pairs = g_array_new(FALSE, FALSE, sizeof(struct node_pair));
	b.seen = g_hash_table_new(g_str_hash, g_str_equal);
	while (next_event(r, &ev)) {
		bool end = ev.type == YAML_MAPPING_END_EVENT;
		struct node *item = end ? NULL : read_node(r, &ev, depth);

		yaml_event_delete(&ev);
		if (!item)
			break;
		if (key)
			map_pair(r, &b, key, item);
		key = key ? NULL : item;
	}
	if (!r->lim->stopped)
		map_merge(r, &b);
	n->n = b.pairs->len;
	n->pairs = ARENA_ARRAY(r->lim->arena, struct node_pair, n->n);
	if (n->n)
		memcpy(n->pairs, b.pairs->data, n->n * sizeof(n->pairs[0]));
	g_array_free(b.pairs, TRUE);
	g_hash_table_destroy(b.seen);
	anchor_set(r, start->data.mapping_start.anchor, n);
	return r->lim->stopped ? NULL : n;
}

/* NULL: reading has stopped. */
static struct node *read_node(struct reader *r, yaml_event_t *ev, uint32_t depth)
{
	if (depth >= TREE_DEPTH_MAX) {
		errors_add(r->lim->errors, place_at(r, ev->start_mark),
			   "nested deeper than %u levels", TREE_DEPTH_MAX);
		r->lim->stopped = true;
		return NULL;
	}
	switch (ev->type) {
	case YAML_SCALAR_EVENT:
		return read_scalar(r, ev);
	case YAML_ALIAS_EVENT:
		return read_alias(r, ev);
	case YAML_SEQUENCE_START_EVENT:
		return read_seq(r, ev, depth + 1);
	case YAML_MAPPING_START_EVENT:
		return read_map(r, ev, depth + 1);
	default:
		return NULL;
	}
}

static struct node *read_document(struct reader *r)
{
	struct node *root = NULL;
	yaml_event_t ev;
	bool more = true;

	while (more && next_event(r, &ev)) {
		switch (ev.type) {
		case YAML_STREAM_END_EVENT:
			more = false;
			break;
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		case YAML_DOCUMENT_START_EVENT:
			if (!root)
				break;
			errors_add(r->lim->errors, place_at(r, ev.start_mark),
				   "a second document; a scenario is one");
			more = false;
			break;
		default:
			root = read_node(r, &ev, 0);
			more = root != NULL;
		}
		yaml_event_delete(&ev);
	}
	return r->lim->stopped ? NULL : root;
}

struct node *tree_parse(struct limits *lim, const char *text, size_t len, const char *file,
			enum origin origin, bool no_lines)
{
	struct reader r = {.lim = lim, .origin = origin, .no_lines = no_lines};
	struct node *root;

	r.file = arena_strdup(lim->arena, file);
	if (!yaml_parser_initialize(&r.parser))
		g_error("no memory for the YAML parser");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	r.anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	root = read_document(&r);
	yaml_parser_delete(&r.parser);
	g_hash_table_destroy(r.anchors);
	return root;
}

struct node *tree_read_value(struct arena *a, const char *text, const char *file,
			     enum origin origin, struct errors *errors)
{
	struct limits lim = {.arena = a, .errors = errors};
	struct node *n = tree_parse(&lim, text, strlen(text), file, origin, true);

	if (!n && !lim.stopped)
		n = node_scalar(a, "", origin, (struct place){.at = {arena_strdup(a, file), 0, 0}});
	return n;
}
