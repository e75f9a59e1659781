// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table.h"

#include <string.h>

#include "engine/model.h"
#include "sweep/decimal.h"

struct column {
	char *name;
	bool right;
	glong width; /* characters */
};

struct table {
	GArray *columns;
	GPtrArray *cells; /* row by row */
};

static void column_clear(void *p)
{
	g_free(((struct column *)p)->name);
}

struct table *table_new(void)
{
	struct table *t = g_new0(struct table, 1);

	t->columns = g_array_new(FALSE, FALSE, sizeof(struct column));
	g_array_set_clear_func(t->columns, column_clear);
	t->cells = g_ptr_array_new_with_free_func(g_free);
	return t;
}

void table_free(struct table *t)
{
	g_array_unref(t->columns);
	g_ptr_array_unref(t->cells);
	g_free(t);
}

static glong width_of(const char *text)
{
	return g_utf8_validate(text, -1, NULL) ? g_utf8_strlen(text, -1) : (glong)strlen(text);
}

void table_column(struct table *t, const char *name, bool right)
{
	struct column c = {.name = g_strdup(name), .right = right, .width = width_of(name)};

	g_array_append_val(t->columns, c);
}

void table_cell(struct table *t, const char *text)
{
	struct column *c =
		&g_array_index(t->columns, struct column, t->cells->len % t->columns->len);

	c->width = MAX(c->width, width_of(text));
	g_ptr_array_add(t->cells, g_strdup(text));
}

void table_cellf(struct table *t, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = g_strdup_vprintf(fmt, args);
	va_end(args);
	table_cell(t, text);
	g_free(text);
}

void table_number(struct table *t, int64_t micro, int digits)
{
	char buf[MICRO_TEXT];

	table_cell(t, micro == METRIC_ABSENT ? "-" : decimal_short(buf, micro, digits));
}

static void append_blanks(GString *out, glong n)
{
	while (n-- > 0)
		g_string_append_c(out, ' ');
}

static void append_row(const struct table *t, const char *indent, const char *const *cells,
		       GString *out)
{
	g_string_append(out, indent);
	for (guint i = 0; i < t->columns->len; i++) {
		const struct column *c = &g_array_index(t->columns, struct column, i);
		const char *text = cells ? cells[i] : c->name;
		glong pad = c->width - width_of(text);

		if (c->right)
			append_blanks(out, pad);
		g_string_append(out, text);
		if (i + 1 == t->columns->len)
			break;
		append_blanks(out, c->right ? 2 : pad + 2);
	}
	/* A left column at the end, or an empty cell, leaves blanks that nobody wants. */
	while (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

void table_text(const struct table *t, const char *indent, GString *out)
{
	append_row(t, indent, NULL, out);
	for (guint i = 0; i + t->columns->len <= t->cells->len; i += t->columns->len)
		append_row(t, indent, (const char *const *)t->cells->pdata + i, out);
}

void html_escape(GString *out, const char *text)
{
	char *escaped = g_markup_escape_text(text, -1);

	g_string_append(out, escaped);
	g_free(escaped);
}

void table_html(const struct table *t, GString *out)
{
	guint n = t->columns->len;

	g_string_append(out, "<table>\n<thead><tr>");
	for (guint i = 0; i < n; i++) {
		const struct column *c = &g_array_index(t->columns, struct column, i);

		g_string_append(out, c->right ? "<th class=\"n\">" : "<th>");
		html_escape(out, c->name);
		g_string_append(out, "</th>");
	}
	g_string_append(out, "</tr></thead>\n<tbody>\n");
	for (guint i = 0; i < t->cells->len; i++) {
		bool right = g_array_index(t->columns, struct column, i % n).right;

		if (i % n == 0)
			g_string_append(out, "<tr>");
		g_string_append(out, right ? "<td class=\"n\">" : "<td>");
		html_escape(out, t->cells->pdata[i]);
		g_string_append(out, i % n == n - 1 ? "</td></tr>\n" : "</td>");
	}
	g_string_append(out, "</tbody></table>\n");
}
