// SPDX-License-Identifier: GPL-3.0-or-later
/* How the lines of verify.h are told. */
#include "report/verify.h"

#include "report/table.h"
#include "sweep/decimal.h"

uint32_t verify_passed(const GPtrArray *lines)
{
	uint32_t n = 0;

	for (guint i = 0; i < lines->len; i++)
		n += ((const struct verify_line *)lines->pdata[i])->pass;
	return n;
}

void verify_text_failed(const GPtrArray *lines, GString *out)
{
	for (guint i = 0; i < lines->len; i++) {
		const struct verify_line *l = lines->pdata[i];

		if (!l->pass)
			g_string_append_printf(out, "  FAIL %s:%u: %s%s%s\n",
					       l->expect->place.at.file, l->expect->place.at.line,
					       l->expect->text, l->note ? ": " : "",
					       l->note ? l->note : "");
	}
}

void verify_text(const GPtrArray *lines, GString *out)
{
	struct table *t = table_new();

	table_column(t, "", false);
	table_column(t, "metric", false);
	table_column(t, "rows", false);
	table_column(t, "value", true);
	table_column(t, "expected", true);
	table_column(t, "source", false);
	for (guint i = 0; i < lines->len; i++) {
		const struct verify_line *l = lines->pdata[i];

		table_cell(t, l->pass ? "pass" : "FAIL");
		table_cell(t, l->metric);
		table_cell(t, l->rows);
		table_cell(t, l->value);
		table_cell(t, l->band);
		table_cell(t, l->expect->source ? l->expect->source : "");
	}
	table_text(t, "  ", out);
	table_free(t);
	verify_text_failed(lines, out);
}

static void set_bound(json_t *o, const char *key, int64_t micro, int64_t open)
{
	json_object_set_new(o, key, micro == open ? json_null() : decimal_json(micro));
}

json_t *verify_json(const GPtrArray *lines)
{
	json_t *all = json_array();

	for (guint i = 0; i < lines->len; i++) {
		const struct verify_line *l = lines->pdata[i];
		json_t *o = json_pack("{s:s, s:s, s:b, s:s, s:i}", "metric", l->metric, "rows",
				      l->rows, "pass", l->pass, "expectation", l->expect->text,
				      "line", (int)l->expect->place.at.line);

		set_bound(o, "value", l->micro, METRIC_ABSENT);
		set_bound(o, "low", l->low, EXPECT_OPEN_LOW);
		set_bound(o, "high", l->high, EXPECT_OPEN_HIGH);
		json_object_set_new(o, "source",
				    l->expect->source ? json_string(l->expect->source)
						      : json_null());
		if (l->note)
			json_object_set_new(o, "note", json_string(l->note));
		json_array_append_new(all, o);
	}
	return all;
}
