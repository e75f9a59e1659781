// SPDX-License-Identifier: GPL-3.0-or-later
/* How a comparison is told. */
#include "report/compare.h"

#include <math.h>

#include "engine/model.h"
#include "report/table.h"
#include "sweep/decimal.h"

static void interval_cell(struct table *t, const struct interval *i)
{
	char low[MICRO_TEXT], high[MICRO_TEXT];

	if (i->n < 2)
		table_cell(t, "one run");
	else
		table_cellf(t, "[%s, %s]", decimal_short(low, decimal_from_double(i->low), 3),
			    decimal_short(high, decimal_from_double(i->high), 3));
}

void comparison_text(const struct comparison *c, GString *out)
{
	struct table *t = table_new();

	table_column(t, "case", false);
	table_column(t, "metric", false);
	table_column(t, "base", true);
	table_column(t, "new", true);
	table_column(t, "change", true);
	table_column(t, "difference, 95 %", true);
	table_column(t, "n", true);
	table_column(t, "verdict", false);
	for (guint i = 0; i < c->lines->len; i++) {
		const struct compare_line *l = c->lines->pdata[i];

		table_cell(t, *l->group ? l->group : "-");
		table_cell(t, l->metric);
		table_number(t, decimal_from_double(l->base), 4);
		table_number(t, decimal_from_double(l->change), 4);
		if (l->base != 0)
			table_cellf(t, "%+.1f %%", (l->change - l->base) / fabs(l->base) * 100);
		else
			table_cell(t, "-");
		interval_cell(t, &l->diff);
		table_cellf(t, "%u", l->diff.n);
		table_cell(t, verdict_name(l->verdict));
	}
	table_text(t, "", out);
	table_free(t);
	g_string_append_printf(out, "\n%s: %u runs compared", verdict_name(c->verdict), c->n_pairs);
	if (c->n_unpaired)
		g_string_append_printf(out, ", %u stand in one of the folders only", c->n_unpaired);
	if (c->n_broken)
		g_string_append_printf(out, ", %u FAIL in NEW that ran in BASE", c->n_broken);
	g_string_append_c(out, '\n');
}

static void set_number(json_t *o, const char *key, double v)
{
	int64_t micro = decimal_from_double(v);

	json_object_set_new(o, key, micro == METRIC_ABSENT ? json_null() : decimal_json(micro));
}

json_t *comparison_json(const struct comparison *c)
{
	json_t *lines = json_array();

	for (guint i = 0; i < c->lines->len; i++) {
		const struct compare_line *l = c->lines->pdata[i];
		json_t *o = json_pack("{s:s, s:s, s:i}", "case", l->group, "metric", l->metric, "n",
				      (int)l->diff.n);

		set_number(o, "base", l->base);
		set_number(o, "new", l->change);
		set_number(o, "difference", l->diff.mean);
		set_number(o, "low", l->diff.low);
		set_number(o, "high", l->diff.high);
		json_object_set_new(o, "verdict", json_string(verdict_name(l->verdict)));
		json_array_append_new(lines, o);
	}
	return json_pack("{s:i, s:s, s:i, s:i, s:i, s:o}", "format", 1, "verdict",
			 verdict_name(c->verdict), "pairs", (int)c->n_pairs, "unpaired",
			 (int)c->n_unpaired, "broken", (int)c->n_broken, "comparisons", lines);
}
