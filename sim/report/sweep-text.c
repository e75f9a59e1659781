// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/sweep-text.h"

#include <math.h>
#include <string.h>

#include "report/group.h"
#include "report/metric-info.h"
#include "report/run-text.h"
#include "report/stats.h"
#include "sweep/decimal.h"

#define WIDTH	     7
#define FAILURES_MAX 10

/* By traffic, then by rank. */
static int by_traffic(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t m = strcspn(x, "."), n = strcspn(y, ".");
	int c = strncmp(x, y, MAX(m, n));

	return c ? c : metric_rank(x) - metric_rank(y);
}

/* The metrics of least rank, by traffic; those of one rank stay together or go together. */
static GPtrArray *pick_metrics(const struct results *r, uint32_t width, uint32_t *more)
{
	GPtrArray *all = results_metric_names(r), *picked = g_ptr_array_new();
	int rank = 0;
	uint32_t ranked = 0;

	for (guint i = 0; i < all->len; i++)
		ranked += metric_rank(all->pdata[i]) >= 0;
	/* At least one rank is taken, be it ever so wide. */
	for (; picked->len < ranked; rank++) {
		GPtrArray *next = g_ptr_array_new();

		for (guint i = 0; i < all->len; i++) {
			if (metric_rank(all->pdata[i]) == rank)
				g_ptr_array_add(next, all->pdata[i]);
		}
		if (picked->len > 0 && picked->len + next->len > width) {
			g_ptr_array_unref(next);
			break;
		}
		g_ptr_array_extend(picked, next, NULL, NULL);
		g_ptr_array_unref(next);
	}
	*more = ranked - picked->len;
	g_ptr_array_sort(picked, by_traffic);
	g_ptr_array_unref(all);
	return picked;
}

static void value_cell(struct table *t, const struct group *g, const char *metric)
{
	double *v = g_new(double, g->rows->len + 1);
	char mean[MICRO_TEXT], half[MICRO_TEXT];
	uint32_t n = group_values(g, metric, v);
	struct interval i;

	if (n == 0) {
		table_cell(t, "-");
		g_free(v);
		return;
	}
	i = stats_mean(v, n, 0.95);
	decimal_short(mean, decimal_from_double(i.mean), 4);
	if (n > 1 && i.high > i.mean)
		table_cellf(t, "%s ±%s", mean,
			    decimal_short(half, decimal_from_double(i.high - i.mean), 2));
	else
		table_cell(t, mean);
	g_free(v);
}

struct table *sweep_table(const struct results *r, uint32_t width, uint32_t *more)
{
	struct groups *groups = groups_new(r, NULL, NULL);
	GPtrArray *metrics = pick_metrics(r, width, more);
	struct table *t = table_new();

	table_column(t, r->n_rows && *r->rows[0].kase ? "case" : "axes", false);
	table_column(t, "runs", true);
	for (guint i = 0; i < metrics->len; i++)
		table_column(t, metrics->pdata[i], true);
	for (guint i = 0; i < groups->list->len; i++) {
		const struct group *g = groups->list->pdata[i];
		uint32_t ok = group_ok(g);

		table_cell(t, *g->label ? g->label : "-");
		if (ok == g->rows->len)
			table_cellf(t, "%u", ok);
		else
			table_cellf(t, "%u of %u", ok, g->rows->len);
		for (guint m = 0; m < metrics->len; m++)
			value_cell(t, g, metrics->pdata[m]);
	}
	g_ptr_array_unref(metrics);
	groups_free(groups);
	return t;
}

void sweep_text_failures(const struct results *r, uint32_t max, GString *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_rows; i++) {
		const struct result_row *row = &r->rows[i];

		if (row_ok(row) || !strcmp(row->status, "missing") || n++ >= max)
			continue;
		g_string_append_printf(out, "%s: %s%s", row->status, row->kase,
				       *row->kase ? ", " : "");
		for (uint32_t a = 0; a < r->n_axes; a++)
			g_string_append_printf(out, "%s = %s, ", axis_short(r, a), row->axes[a]);
		g_string_append_printf(out, "seed %" G_GUINT64_FORMAT "%s%s\n", row->seed,
				       row->error ? ": " : "", row->error ? row->error : "");
	}
	if (n > max)
		g_string_append_printf(out, "... and %u more\n", n - max);
}

/* Each warning once, with the first row that has it. */
static void warnings(const struct results *r, GString *out)
{
	struct groups *groups = groups_new(r, NULL, NULL);

	for (guint i = 0; i < groups->list->len; i++) {
		const struct group *g = groups->list->pdata[i];
		const struct result_row *row = g->rows->pdata[0];
		struct metric_list m = {row->metrics, row->n_metrics};
		GString *text = g_string_new(NULL);
		char **lines;

		run_text_warnings(&m, text);
		lines = g_strsplit(text->str, "\n", -1);
		for (char **l = lines; *l && **l; l++)
			g_string_append_printf(out, "%s%s%s\n", g->label, *g->label ? ": " : "",
					       *l);
		g_strfreev(lines);
		g_string_free(text, TRUE);
	}
	groups_free(groups);
}

void sweep_text(const struct results *r, GString *out)
{
	uint32_t more;
	struct table *t = sweep_table(r, WIDTH, &more);

	table_text(t, "", out);
	table_free(t);
	if (more > 0)
		g_string_append_printf(
			out, "(%u more such metrics of the traffics in " SUMMARY_NAME ")\n", more);
	sweep_text_failures(r, FAILURES_MAX, out);
	warnings(r, out);
}
