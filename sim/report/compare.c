// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/compare.h"

#include <math.h>
#include <string.h>

#include "report/group.h"
#include "report/metric-info.h"
#include "sweep/names.h"

#define LEVEL	     0.95
#define SIGNIFICANCE 0.05

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {"same", "better", "worse", "undecided"};

	return names[v];
}

static void line_free(void *p)
{
	struct compare_line *l = p;

	g_free(l->group);
	g_free(l->metric);
	g_free(l);
}

static struct comparison *comparison_new(void)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->lines = g_ptr_array_new_with_free_func(line_free);
	return c;
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->lines);
	g_free(c);
}

static struct compare_line *add_line(struct comparison *c, const char *group, const char *metric)
{
	struct compare_line *l = g_new0(struct compare_line, 1);

	l->group = g_strdup(group);
	l->metric = g_strdup(metric);
	g_ptr_array_add(c->lines, l);
	return l;
}

/* ---- two result folders --------------------------------------------------------------------- */

/* "case\naxis=value\n...\nseed", the axes by path, so that their order in the file does not matter. */
static char *pair_name(const struct results *r, const struct result_row *row)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	char *name;

	for (uint32_t i = 0; i < r->n_axes; i++)
		g_ptr_array_add(parts, g_strdup_printf("%s=%s", r->axes[i], row->axes[i]));
	names_sort(parts);
	g_ptr_array_insert(parts, 0, g_strdup(row->kase));
	g_ptr_array_add(parts, g_strdup_printf("%" G_GUINT64_FORMAT, row->seed));
	g_ptr_array_add(parts, NULL);
	name = g_strjoinv("\n", (char **)parts->pdata);
	g_ptr_array_unref(parts);
	return name;
}

static GHashTable *index_rows(const struct results *r)
{
	GHashTable *by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (uint32_t i = 0; i < r->n_rows; i++) {
		if (strcmp(r->rows[i].status, "missing"))
			g_hash_table_insert(by_name, pair_name(r, &r->rows[i]), &r->rows[i]);
	}
	return by_name;
}

static bool judged(const char *metric, const struct compare_options *opt)
{
	if (opt->metrics)
		return g_pattern_match_simple(opt->metrics, metric);
	return metric_rank(metric) >= 0;
}

/* One group of NEW against the rows that BASE has for it. */
static void compare_group(struct comparison *c, const struct results *new, const struct group *g,
			  GHashTable *base_rows, const GPtrArray *metrics)
{
	const struct result_row **base = g_new0(const struct result_row *, g->rows->len);
	double *a = g_new(double, g->rows->len), *b = g_new(double, g->rows->len);

	for (guint i = 0; i < g->rows->len; i++) {
		const struct result_row *row = g->rows->pdata[i];
		char *name = pair_name(new, row);

		base[i] = strcmp(row->status, "missing") ? g_hash_table_lookup(base_rows, name)
							 : NULL;
		g_free(name);
		if (!base[i]) {
			c->n_unpaired++;
			continue;
		}
		c->n_pairs++;
		c->n_broken += row_ok(base[i]) && !row_ok(row);
	}
	for (guint m = 0; m < metrics->len; m++) {
		struct compare_line *l;
		uint32_t n = 0;

		for (guint i = 0; i < g->rows->len; i++) {
			int64_t x, y;

			if (base[i] && row_metric(base[i], metrics->pdata[m], &x) &&
			    row_metric(g->rows->pdata[i], metrics->pdata[m], &y)) {
				a[n] = (double)x / 1e6;
				b[n++] = (double)y / 1e6;
			}
		}
		if (n == 0)
			continue;
		l = add_line(c, g->label, metrics->pdata[m]);
		l->base = stats_mean(a, n, LEVEL).mean;
		l->change = stats_mean(b, n, LEVEL).mean;
		l->diff = stats_paired(a, b, n, LEVEL);
	}
	g_free(base);
	g_free(a);
	g_free(b);
}

struct comparison *compare_results(const struct results *base, const struct results *new,
				   const struct compare_options *opt, GError **error)
{
	struct groups *groups = groups_new(new, NULL, error);
	GHashTable *base_rows = index_rows(base);
	GPtrArray *names = results_metric_names(new), *metrics = g_ptr_array_new();
	struct comparison *c = comparison_new();

	for (guint i = 0; i < names->len; i++) {
		if (judged(names->pdata[i], opt))
			g_ptr_array_add(metrics, names->pdata[i]);
	}
	for (guint i = 0; i < groups->list->len; i++)
		compare_group(c, new, groups->list->pdata[i], base_rows, metrics);
	c->n_unpaired += g_hash_table_size(base_rows) - c->n_pairs;
	if (c->n_pairs == 0) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			    "%s and %s have no run of the same case, axes and seed",
			    base->store->dir, new->store->dir);
		g_clear_pointer(&c, comparison_free);
	} else {
		comparison_judge(c, opt, false);
	}
	g_ptr_array_unref(metrics);
	g_ptr_array_unref(names);
	g_hash_table_unref(base_rows);
	groups_free(groups);
	return c;
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static double margin_of(const struct compare_line *l, const struct compare_options *opt, bool real)
{
	double share = COMPARE_MARGIN;

	if (opt->margin >= 0)
		share = opt->margin;
	else if (real)
		share = strcmp(metric_info(l->metric).unit, "ms") ? COMPARE_MARGIN_REAL_RATE
								  : COMPARE_MARGIN_REAL_DELAY;
	return share * fabs(l->base);
}

static enum verdict judge_line(const struct compare_line *l, double margin, double p)
{
	int better = metric_info(l->metric).better;
	double low = l->diff.low, high = l->diff.high;

	/* Runs that are equal to the last digit are the same, be it one only. */
	if (l->diff.n == 1 && l->diff.mean == 0)
		return VERDICT_SAME;
	if (low >= -margin && high <= margin)
		return VERDICT_SAME;
	/* Without a direction there is different, which is nobody's gain or loss. */
	if (better == NEITHER)
		return VERDICT_UNDECIDED;
	if (fabs(l->diff.mean) > margin && (low > 0 || high < 0)) {
		if ((l->diff.mean > 0) == (better == HIGHER_IS_BETTER))
			return VERDICT_BETTER;
		if (p < SIGNIFICANCE)
			return VERDICT_WORSE;
	}
	return VERDICT_UNDECIDED;
}

void comparison_judge(struct comparison *c, const struct compare_options *opt, bool real)
{
	double *p = g_new(double, c->lines->len + 1);
	uint32_t count[4] = {0};

	for (guint i = 0; i < c->lines->len; i++)
		p[i] = ((struct compare_line *)c->lines->pdata[i])->diff.p;
	stats_holm(p, c->lines->len);
	for (guint i = 0; i < c->lines->len; i++) {
		struct compare_line *l = c->lines->pdata[i];

		l->verdict = judge_line(l, margin_of(l, opt, real), p[i]);
		count[l->verdict]++;
	}
	if (count[VERDICT_WORSE] || c->n_broken)
		c->verdict = VERDICT_WORSE;
	else if (count[VERDICT_UNDECIDED] || c->lines->len == 0)
		c->verdict = VERDICT_UNDECIDED;
	else
		c->verdict = count[VERDICT_BETTER] ? VERDICT_BETTER : VERDICT_SAME;
	g_free(p);
}

/* ---- a real run ----------------------------------------------------------------------------- */

/* Batches of a real series: enough for an interval, long enough to forget each other. */
#define BATCHES 10

/* Values of flent's series of one kind, as batch means: pings put together, TCP flows added up. */
static uint32_t flent_batches(const struct flent *f, bool (*kind)(const struct flent_series *),
			      bool add, double *out)
{
	double sum[BATCHES] = {0}, one[BATCHES];
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_series; i++) {
		const struct flent_series *s = &f->series[i];

		if (!kind(s) || s->n < BATCHES)
			continue;
		stats_batch_means(s->value, s->n, one, BATCHES);
		for (int j = 0; j < BATCHES; j++)
			sum[j] += one[j];
		n++;
	}
	for (int j = 0; j < BATCHES; j++)
		out[j] = add || n == 0 ? sum[j] : sum[j] / n;
	return n;
}

/* Of one row: the mean of all traffics' rtt_ms, or the sum of their goodputs. */
static bool row_total(const struct result_row *row, const char *end, bool add, double *out)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < row->n_metrics; i++) {
		const char *name = row->metrics[i].name, *dot = strchr(name, '.');

		if (!dot || strcmp(dot + 1, end))
			continue;
		sum += (double)row->metrics[i].micro / 1e6;
		n++;
	}
	*out = add || n == 0 ? sum : sum / n;
	return n > 0;
}

static void compare_real(struct comparison *c, const struct group *g, const char *end, bool add,
			 const double *real)
{
	double *b = g_new(double, g->rows->len + 1);
	struct compare_line *l;
	uint32_t n = 0;
	char *name;

	for (guint i = 0; i < g->rows->len; i++)
		n += row_ok(g->rows->pdata[i]) && row_total(g->rows->pdata[i], end, add, &b[n]);
	if (n > 0) {
		name = g_strconcat(add ? "sum." : "pings.", end, NULL);
		l = add_line(c, g->label, name);
		l->base = stats_mean(real, BATCHES, LEVEL).mean;
		l->change = stats_mean(b, n, LEVEL).mean;
		l->diff = stats_welch(real, BATCHES, b, n, LEVEL);
		g_free(name);
	}
	g_free(b);
}

struct comparison *compare_flent(const struct flent *base, const struct results *new,
				 const struct compare_options *opt, GError **error)
{
	struct groups *groups = groups_new(new, NULL, error);
	struct comparison *c = comparison_new();
	double pings[BATCHES], rates[BATCHES];
	uint32_t n_pings = flent_batches(base, flent_is_ping, false, pings);
	uint32_t n_rates = flent_batches(base, flent_is_tcp, true, rates);

	for (guint i = 0; i < groups->list->len; i++) {
		const struct group *g = groups->list->pdata[i];

		c->n_pairs += group_ok(g);
		if (n_rates)
			compare_real(c, g, "goodput_mbit", true, rates);
		if (n_pings)
			compare_real(c, g, "rtt_ms.mean", false, pings);
	}
	groups_free(groups);
	if (c->lines->len == 0) {
		g_set_error(
			error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			"%s and %s have nothing in common: neither pings (rtt_ms) nor TCP rates "
			"(goodput_mbit) are in both",
			base->path, new->store->dir);
		g_clear_pointer(&c, comparison_free);
	} else {
		comparison_judge(c, opt, true);
	}
	return c;
}
