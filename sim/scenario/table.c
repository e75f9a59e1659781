// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A list that stands in a CSV file of its own: one heading a field, one line a row. Cells are read as the same values
 * are in YAML, with the same checks; a heading may give the unit of its column: "at [s], size [B]".
 */
#include "scenario/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/tree-read.h"
#include "scenario/units.h"

#define COLUMNS_MAX 64u
#define CELL_MAX    64u

struct column {
	const struct param *field;
	char unit[CELL_MAX];
};

struct table {
	struct bind *b;
	const struct param *p;
	struct at at;
	const char *file;
	struct column columns[COLUMNS_MAX];
	uint32_t n_columns;
	char *defaults; /* a row of which every field has its default */
	GByteArray *rows;
	GArray *lines; /* uint32_t */
};

static struct node cell_node(const struct table *t, uint32_t line, uint32_t col, const char *text)
{
	struct node n = {.type = NODE_SCALAR, .origin = ORIGIN_FILE, .plain = true, .text = text};

	n.place.at = (struct mark){t->file, line, col};
	return n;
}

/* ---- cells --------------------------------------------------------------------------------- */

/* The next cell of a line, without the blanks around it; false behind the last. */
struct cells {
	const char *line, *next, *end;
};

static bool cell_next(struct cells *c, const char **text, uint32_t *len, uint32_t *col)
{
	const char *from = c->next, *to;

	if (!from)
		return false;
	to = memchr(from, ',', (size_t)(c->end - from));
	c->next = to ? to + 1 : NULL;
	if (!to)
		to = c->end;
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	*text = from;
	*len = (uint32_t)(to - from);
	*col = (uint32_t)(from - c->line) + 1;
	return true;
}

/* A cell of which nothing is lost in a string of CELL_MAX. */
static bool fits(const char *text, uint32_t len)
{
	return len < CELL_MAX && !memchr(text, '\0', len);
}

static const struct param *row_fields(const struct table *t)
{
	return t->p->fields[0].fields;
}

/* ---- the headings -------------------------------------------------------------------------- */

static void unknown_heading(const struct table *t, const struct node *n)
{
	uint32_t count = param_count(row_fields(t));
	const char **names = g_new(const char *, count);
	char *allowed;

	for (uint32_t i = 0; i < count; i++)
		names[i] = row_fields(t)[i].name;
	allowed = allowed_names(n->text, names, count);
	bind_bad(t->b, n, t->at, "no column '%s'%s", n->text, allowed);
	g_free(allowed);
	g_free(names);
}

/* "at [s]" into name and unit. */
static void read_heading(struct table *t, const char *text, uint32_t len, uint32_t line,
			 uint32_t col)
{
	struct column *c = &t->columns[t->n_columns];
	char name[CELL_MAX], probe[CELL_MAX + 1], *open;
	struct node n = cell_node(t, line, col, name);
	int64_t value;

	if (t->n_columns == COLUMNS_MAX || !fits(text, len)) {
		snprintf(name, sizeof(name), "%.*s", (int)MIN(len, CELL_MAX - 1), text);
		bind_bad(t->b, &n, t->at, "read '%s', expected a heading of less than %u letters",
			 name, CELL_MAX);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)len, text);
	c->unit[0] = '\0';
	open = strchr(name, '[');
	if (open && name[len - 1] == ']') {
		name[len - 1] = '\0';
		g_strlcpy(c->unit, g_strstrip(open + 1), sizeof(c->unit));
		*open = '\0';
		g_strchomp(name);
	}
	c->field = param_find(row_fields(t), name);
	if (!c->field) {
		unknown_heading(t, &n);
		return;
	}
	for (uint32_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].field == c->field)
			bind_bad(t->b, &n, t->at, "two columns '%s'", name);
	snprintf(probe, sizeof(probe), "1%s", c->unit);
	if (*c->unit && !units_parse(c->field->type, probe, &value, NULL))
		bind_bad(t->b, &n, t->at, "read the unit '%s' of '%s', expected one of: %s",
			 c->unit, name,
			 *units_allowed(c->field->type) ? units_allowed(c->field->type)
							: "none, it is a count");
	t->n_columns++;
}

static bool read_headings(struct table *t, struct cells *cells, uint32_t line)
{
	struct node n = cell_node(t, line, 1, "");
	uint32_t told = t->b->errors->n_told, len, col;
	const char *text;

	while (cell_next(cells, &text, &len, &col))
		read_heading(t, text, len, line, col);
	for (const struct param *f = row_fields(t); f->name; f++) {
		bool there = false;

		for (uint32_t i = 0; i < t->n_columns; i++)
			there |= t->columns[i].field == f;
		if (!there && (f->flags & PARAM_REQUIRED) && t->b->errors->n_told == told)
			bind_bad(t->b, &n, t->at, "missing column '%s': %s", f->name, f->doc);
	}
	return t->b->errors->n_told == told;
}

/* ---- the rows ------------------------------------------------------------------------------ */

static void read_row(struct table *t, struct cells *cells, uint32_t line)
{
	uint32_t len, col, i = 0, row = t->lines->len;
	char *base, text[2 * CELL_MAX], key[CELL_MAX * 2];
	const char *cell;

	g_byte_array_append(t->rows, (const guint8 *)t->defaults, (guint)t->p->size);
	g_array_append_val(t->lines, line);
	base = (char *)t->rows->data + (size_t)row * t->p->size;
	while (cell_next(cells, &cell, &len, &col)) {
		const struct column *c = &t->columns[i++];
		struct node n = cell_node(t, line, col, text);
		struct at at = {t->at.path, key};

		snprintf(text, sizeof(text), "%.*s", (int)MIN(len, CELL_MAX - 1), cell);
		snprintf(key, sizeof(key), "%s.%u", t->at.key, row);
		if (i > t->n_columns) {
			bind_bad(t->b, &n, at, "read '%s', expected an end after %u cells", text,
				 t->n_columns);
			return;
		}
		snprintf(key, sizeof(key), "%s.%u.%s", t->at.key, row, c->field->name);
		if (!len && !(c->field->flags & PARAM_REQUIRED))
			continue;
		if (!fits(cell, len)) {
			bind_bad(t->b, &n, at, "read '%s', expected text of less than %u letters",
				 text, CELL_MAX);
			continue;
		}
		g_strlcat(text, c->unit, sizeof(text));
		if (len)
			bind_plain(t->b, c->field, base + c->field->offset, &n, at);
		else
			bind_bad(t->b, &n, at, "read nothing, expected: %s", c->field->doc);
	}
	if (i < t->n_columns) {
		struct node n = cell_node(t, line, 1, "");

		bind_bad(t->b, &n, t->at, "read %u cells, expected %u", i, t->n_columns);
	}
}

static void read_lines(struct table *t, const char *text, size_t size)
{
	const char *end = text + size, *from = text;
	uint32_t line = 0;

	/* Spreadsheets write a byte order mark where they say UTF-8. */
	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		from += 3;
	for (const char *at = from; at < end && !errors_full(t->b->errors);) {
		const char *nl = memchr(at, '\n', (size_t)(end - at));
		struct cells cells = {.line = at, .next = at, .end = nl ? nl : end};

		line++;
		at = cells.end + 1;
		if (cells.end > cells.line && cells.end[-1] == '\r')
			cells.end--;
		if (cells.end == cells.line || *cells.line == '#')
			continue;
		if (!t->n_columns) {
			if (!read_headings(t, &cells, line))
				return;
		} else if (t->lines->len == TABLE_ROWS_MAX) {
			struct node n = cell_node(t, line, 1, "");

			bind_bad(t->b, &n, t->at, "more than %u rows", TABLE_ROWS_MAX);
			return;
		} else {
			read_row(t, &cells, line);
		}
	}
}

static char *row_of_defaults(struct table *t)
{
	char *row = g_malloc0(t->p->size);
	struct bound_value v;

	for (const struct param *f = row_fields(t); f->name; f++) {
		memset(&v, 0, sizeof(v));
		bind_value(t->b, f, row + f->offset, NULL, t->at, &v);
	}
	return row;
}

/* ---- the file ------------------------------------------------------------------------------ */

static struct param_table *load(struct bind *b, const struct param *p, const struct node *n,
				struct at at, const char *file)
{
	struct arena *a = b->sp->arena;
	struct param_table *table;
	struct table t = {.b = b, .p = p, .at = at};
	uint32_t told = b->errors->n_told;
	size_t size;
	char *text = tree_slurp(file, TABLE_FILE_MAX, &size, n->place, b->errors), *sum;

	if (!text)
		return NULL;
	t.file = arena_strdup(a, file);
	t.rows = g_byte_array_new();
	t.lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	t.defaults = row_of_defaults(&t);
	read_lines(&t, text, size);
	if (b->errors->n_told == told && !t.lines->len)
		bind_bad(b, n, at, "'%s' has no rows", file);
	table = b->errors->n_told == told ? arena_alloc(a, sizeof(*table)) : NULL;
	if (table) {
		char *base = arena_alloc(a, t.rows->len);
		uint32_t *lines = ARENA_ARRAY(a, uint32_t, t.lines->len);

		memcpy(base, t.rows->data, t.rows->len);
		memcpy(lines, t.lines->data, t.lines->len * sizeof(*lines));
		sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, size);
		table->file = t.file;
		table->id = arena_printf(a, "%s sha256:%.20s", n->text, sum);
		table->lines = lines;
		table->rows = (struct param_list){t.lines->len, base};
		g_free(sum);
	}
	g_free(t.defaults);
	g_array_free(t.lines, TRUE);
	g_byte_array_free(t.rows, TRUE);
	g_free(text);
	return table;
}

void bind_table(struct bind *b, const struct param *p, struct param_table *table,
		const struct node *n, struct at at)
{
	const struct param_table *kept;
	char *file, *key;

	if (n->type != NODE_SCALAR || scalar_classify(n) != SCALAR_STRING) {
		bind_bad_type(b, n, at, "the name of a CSV file");
		return;
	}
	file = tree_inner_file(n->place.at.line ? n->place.at.file : NULL, n->text, b->sp->folder,
			       n->place, b->errors);
	if (!file)
		return;
	/* Each case and seed binds it anew, but it is read once. */
	key = g_strdup_printf("%p %s", (const void *)p, file);
	kept = g_hash_table_lookup(b->sp->tables, key);
	if (!kept) {
		kept = load(b, p, n, at, file);
		if (kept)
			g_hash_table_insert(b->sp->tables, g_strdup(key), (gpointer)kept);
	}
	if (kept)
		*table = *kept;
	g_free(key);
	g_free(file);
}
