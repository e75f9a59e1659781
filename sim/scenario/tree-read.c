// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* What all files of one scenario share. */
struct limits {
	struct arena *arena;
	struct errors *errors;
	char *folder; /* real path that includes must lie under; NULL: no includes */
	char *written; /* the same as it was given, made absolute */
	uint32_t n_nodes, n_includes;
	bool stopped; /* a limit was hit: what follows is not read */
};

struct reader {
	struct limits *lim;
	const char *file;
	enum origin origin;
	yaml_parser_t parser;
	GHashTable *anchors; /* name -> node, NULL while it is being read */
	const struct reader *includer;
	const char *real;
	bool no_lines; /* a value that stands in no file */
};

static struct node *read_node(struct reader *r, yaml_event_t *ev, uint32_t depth);
static struct node *read_text(struct limits *lim, const char *text, size_t len, const char *file,
			      const char *real, enum origin origin, const struct reader *includer);

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

/* ---- files --------------------------------------------------------------------------------- */

/* At most TREE_FILE_MAX bytes; NULL and an error at @p otherwise. */
static char *slurp(const char *file, size_t *len, struct place p, struct errors *errors)
{
	char *text;
	FILE *f = fopen(file, "rbe");

	if (!f) {
		errors_add(errors, p, "cannot read '%s': %s", file, g_strerror(errno));
		return NULL;
	}
	text = g_malloc(TREE_FILE_MAX + 1);
	*len = fread(text, 1, TREE_FILE_MAX + 1, f);
	if (ferror(f)) {
		errors_add(errors, p, "cannot read '%s': %s", file, g_strerror(errno));
		g_clear_pointer(&text, g_free);
	} else if (*len > TREE_FILE_MAX) {
		errors_add(errors, p, "'%s' is larger than 1 MiB", file);
		g_clear_pointer(&text, g_free);
	}
	fclose(f);
	return text;
}

static bool lies_under(const char *real, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(real, folder, len) && (real[len] == '/' || !strcmp(folder, "/"));
}

/* By its text alone, so that an outer file is refused whether it is there or not. */
static bool written_under(const struct limits *lim, const char *name, const char *file)
{
	char *absolute = g_canonicalize_filename(file, NULL);
	bool under = !g_path_is_absolute(name) && lies_under(absolute, lim->written);

	g_free(absolute);
	return under;
}

static struct node *include_one(struct reader *r, const struct node *name)
{
	struct limits *lim = r->lim;
	char *folder = g_path_get_dirname(r->file);
	struct node *n = NULL;
	char *file, *real, *text;
	size_t len;
	int why;

	file = !strcmp(folder, ".") ? g_strdup(name->text)
				    : g_build_filename(folder, name->text, NULL);
	real = realpath(file, NULL);
	why = errno;
	if (!written_under(lim, name->text, file) || (real && !lies_under(real, lim->folder))) {
		errors_add(lim->errors, name->place,
			   "include '%s' lies outside of the scenario's folder", name->text);
	} else if (!real) {
		errors_add(lim->errors, name->place, "cannot include '%s': %s", name->text,
			   g_strerror(why));
	} else if (++lim->n_includes > TREE_INCLUDES_MAX) {
		errors_add(lim->errors, name->place, "more than %u includes", TREE_INCLUDES_MAX);
		lim->stopped = true;
	} else {
		const struct reader *up = r;

		while (up && g_strcmp0(up->real, real))
			up = up->includer;
		text = up ? NULL : slurp(file, &len, name->place, lim->errors);
		if (up)
			errors_add(lim->errors, name->place, "'%s' includes itself", name->text);
		if (text)
			n = read_text(lim, text, len, file, real, ORIGIN_INCLUDE, r);
		g_free(text);
	}
	free(real);
	g_free(file);
	g_free(folder);
	return n;
}

/* Lays the file upon what it includes; a later include wins over an earlier one. */
static struct node *resolve_includes(struct reader *r, struct node *root)
{
	struct node *list = node_get(root, "include"), *base = NULL;

	if (!list)
		return root;
	if (!r->lim->folder) {
		errors_add(r->lim->errors, list->place, "include is not possible here");
		return root;
	}
	for (uint32_t i = 0; i < (list->type == NODE_SEQ ? list->n : 1); i++) {
		struct node *name = list->type == NODE_SEQ ? list->items[i] : list;
		struct node *n;

		if (name->type != NODE_SCALAR || scalar_classify(name) != SCALAR_STRING) {
			errors_add(r->lim->errors, name->place,
				   "include takes the name of a file or a list of names");
			continue;
		}
		n = include_one(r, name);
		if (n)
			base = base ? node_overlay(r->lim->arena, base, n) : n;
	}
	root = node_with(r->lim->arena, root, "include", NULL);
	return base ? node_overlay(r->lim->arena, base, root) : root;
}

static struct node *read_text(struct limits *lim, const char *text, size_t len, const char *file,
			      const char *real, enum origin origin, const struct reader *includer)
{
	struct reader r = {.lim = lim, .origin = origin, .includer = includer, .real = real};
	struct node *root;

	r.file = arena_strdup(lim->arena, file);
	if (!yaml_parser_initialize(&r.parser))
		g_error("no memory for the YAML parser");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	r.anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	root = read_document(&r);
	yaml_parser_delete(&r.parser);
	g_hash_table_destroy(r.anchors);
	if (lim->stopped)
		return NULL;
	if (!root || root->type != NODE_MAP) {
		struct place p = {.at = {r.file, 1, 1}};

		errors_add(lim->errors, root ? root->place : p,
			   "expected a map of name, duration, nodes, links, traffic");
		return NULL;
	}
	return resolve_includes(&r, root);
}

struct node *tree_read_text(struct arena *a, const char *text, size_t len, const char *file,
			    const char *folder, struct errors *errors)
{
	struct limits lim = {.arena = a, .errors = errors};
	struct place p = {.at = {file, 1, 1}};
	struct node *root;
	char *real;

	if (len > TREE_FILE_MAX) {
		errors_add(errors, p, "'%s' is larger than 1 MiB", file);
		return NULL;
	}
	lim.folder = folder ? realpath(folder, NULL) : NULL;
	lim.written = folder ? g_canonicalize_filename(folder, NULL) : NULL;
	real = realpath(file, NULL);
	root = read_text(&lim, text, len, file, real, ORIGIN_FILE, NULL);
	free(real);
	free(lim.folder);
	g_free(lim.written);
	return root;
}

struct node *tree_read_file(struct arena *a, const char *file, const char *folder,
			    struct errors *errors)
{
	struct place p = {.at = {file, 0, 0}};
	struct node *root;
	size_t len;
	char *text = slurp(file, &len, p, errors);

	if (!text)
		return NULL;
	root = tree_read_text(a, text, len, file, folder, errors);
	g_free(text);
	return root;
}

struct node *tree_read_value(struct arena *a, const char *text, const char *file,
			     enum origin origin, struct errors *errors)
{
	struct limits lim = {.arena = a, .errors = errors};
	struct reader r = {.lim = &lim, .origin = origin, .no_lines = true};
	struct node *n;

	r.file = arena_strdup(a, file);
	if (!yaml_parser_initialize(&r.parser))
		g_error("no memory for the YAML parser");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, strlen(text));
	r.anchors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	n = read_document(&r);
	yaml_parser_delete(&r.parser);
	g_hash_table_destroy(r.anchors);
	if (!n && !lim.stopped)
		n = node_scalar(a, "", origin, (struct place){.at = {r.file, 0, 0}});
	return n;
}
