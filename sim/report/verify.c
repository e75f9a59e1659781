// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/verify.h"

#include <math.h>
#include <string.h>

#include "report/stats.h"
#include "sweep/decimal.h"

/* What an expectation is evaluated with. */
struct verify {
	const struct expansion *x;
	const struct results *r;
	const struct expect *e;
	GPtrArray *lines;
};

/* The values of the seeds of one combination. */
struct side {
	uint32_t n;
	double *v;
	char *note; /* why there is none */
};

static void line_free(void *p)
{
	struct verify_line *l = p;

	g_free(l->metric);
	g_free(l->rows);
	g_free(l->value);
	g_free(l->band);
	g_free(l->note);
	g_free(l);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static char *combo_name(const struct expansion *x, uint32_t combo)
{
	const struct combo *c = &x->combos[combo];
	const struct scenario *s = x->scenario;
	GString *name = g_string_new(c->kase >= 0 ? s->cases[c->kase].name : "");

	for (uint32_t i = 0; i < s->n_axes; i++) {
		const char *dot = strrchr(s->axes[i].path, '.');

		g_string_append_printf(name, "%s%s = %s", name->len ? ", " : "",
				       dot ? dot + 1 : s->axes[i].path,
				       s->axes[i].text[c->values[i]]);
	}
	return g_string_free(name, FALSE);
}

static GArray *matching(const struct expansion *x, const struct selector *sel)
{
	GArray *combos = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < x->n_combos; i++) {
		if (combo_matches(x, i, sel))
			g_array_append_val(combos, i);
	}
	return combos;
}

void verify_needs(const struct expansion *x, const struct expect *e, uint8_t *needed)
{
	for (uint32_t i = 0; i < x->n_combos; i++) {
		if (combo_matches(x, i, &e->at) ||
		    (e->has_versus && combo_matches(x, i, &e->versus)))
			needed[i] = 1;
	}
}

static char *nearest_metric(const struct verify *v, const struct result_row *row)
{
	const char **names = g_new(const char *, row->n_metrics + 1);
	const char *near;
	char *text;

	for (uint32_t i = 0; i < row->n_metrics; i++)
		names[i] = row->metrics[i].name;
	near = nearest_name(v->e->metric, names, row->n_metrics);
	text = g_strdup_printf("no value%s%s%s", near ? "; did you mean '" : "", near ? near : "",
			       near ? "'?" : "");
	g_free(names);
	return text;
}

static struct side side_values(const struct verify *v, uint32_t combo, const char *metric)
{
	struct side s = {.v = g_new(double, v->x->n_points + 1)};

	for (uint32_t i = 0; i < v->x->n_points && !s.note; i++) {
		const struct result_row *row = &v->r->rows[i];
		int64_t micro;

		if (v->x->points[i].combo != combo)
			continue;
		if (!row_ok(row))
			s.note = g_strdup_printf("seed %" G_GUINT64_FORMAT " %s%s%s", row->seed,
						 row->status, row->error ? ": " : "",
						 row->error ? row->error : "");
		else if (!row_metric(row, metric, &micro))
			s.note = nearest_metric(v, row);
		else
			s.v[s.n++] = (double)micro / 1e6;
	}
	return s;
}

static void side_clear(struct side *s)
{
	g_free(s->v);
	g_free(s->note);
}

static double side_middle(const struct side *s, enum expect_over over)
{
	return over == OVER_MEDIAN ? stats_median(s->v, s->n) : stats_mean(s->v, s->n, 0.95).mean;
}

/* ---- bands ---------------------------------------------------------------------------------- */

/* The band in the unit of the value; @other is the versus side, NAN when there is none. */
static void band_of(const struct expect *e, double other, double *low, double *high)
{
	double ref = e->has_reference ? (double)e->reference / 1e6 : other;

	*low = -INFINITY;
	*high = INFINITY;
	switch (e->form) {
	case EXPECT_BETWEEN:
		if (e->low != EXPECT_OPEN_LOW)
			*low = (double)e->low / 1e6;
		if (e->high != EXPECT_OPEN_HIGH)
			*high = (double)e->high / 1e6;
		break;
	case EXPECT_WITHIN:
		*low = ref - fabs(ref) * (double)e->tolerance / 1e6;
		*high = ref + fabs(ref) * (double)e->tolerance / 1e6;
		break;
	case EXPECT_FACTOR:
		*low = ref / ((double)e->factor / 1e6);
		*high = ref * ((double)e->factor / 1e6);
		break;
	case EXPECT_SPREAD:
		*high = (double)e->tolerance / 1e6;
		break;
	}
}

/* The last digit of a metric is 10^-6: a bound that is met exactly is met in floating point too. */
static bool in_band(double v, double low, double high)
{
	return v >= low - 5e-7 && v <= high + 5e-7;
}

static char *band_text(double low, double high)
{
	char a[MICRO_TEXT], b[MICRO_TEXT];

	if (isinf(low) && isinf(high))
		return g_strdup("any");
	if (isinf(low))
		return g_strdup_printf("<= %s", decimal_short(b, decimal_from_double(high), 4));
	if (isinf(high))
		return g_strdup_printf(">= %s", decimal_short(a, decimal_from_double(low), 4));
	return g_strdup_printf("%s .. %s", decimal_short(a, decimal_from_double(low), 4),
			       decimal_short(b, decimal_from_double(high), 4));
}

static struct verify_line *add_line(const struct verify *v, char *rows)
{
	static const char *const as[] = {
		[AS_VALUE] = "", [AS_RATIO] = "ratio of ", [AS_DIFFERENCE] = "difference of "};
	struct verify_line *l = g_new0(struct verify_line, 1);

	l->expect = v->e;
	l->metric = g_strconcat(v->e->form == EXPECT_SPREAD ? "spread of " : as[v->e->as],
				v->e->metric, NULL);
	l->rows = rows;
	l->micro = METRIC_ABSENT;
	l->low = EXPECT_OPEN_LOW;
	l->high = EXPECT_OPEN_HIGH;
	g_ptr_array_add(v->lines, l);
	return l;
}

static void line_fail(struct verify_line *l, const char *note)
{
	l->note = g_strdup(note);
	l->value = g_strdup("-");
	l->band = g_strdup("-");
}

static void line_bounds(struct verify_line *l, double low, double high)
{
	if (!isinf(low))
		l->low = decimal_from_double(low);
	if (!isinf(high))
		l->high = decimal_from_double(high);
	l->band = band_text(low, high);
}

/* ---- the forms ------------------------------------------------------------------------------ */

/* What stands against the band: @a as it is, or in relation to @b. */
static double relate(const struct expect *e, double a, double b)
{
	switch (e->has_versus ? e->as : AS_VALUE) {
	case AS_RATIO:
		return a / b;
	case AS_DIFFERENCE:
		return a - b;
	default:
		return a;
	}
}

static void evaluate_each(struct verify_line *l, const struct side *a, const struct side *b)
{
	double least = INFINITY, most = -INFINITY, low = 0, high = 0;
	char x[MICRO_TEXT], y[MICRO_TEXT];

	l->pass = true;
	for (uint32_t i = 0; i < a->n; i++) {
		double other = b ? b->v[i] : NAN;
		double value = relate(l->expect, a->v[i], other);

		band_of(l->expect, other, &low, &high);
		l->pass &= in_band(value, low, high);
		least = MIN(least, value);
		most = MAX(most, value);
	}
	l->micro = decimal_from_double(l->pass || in_band(least, low, high) ? most : least);
	l->value = g_strdup_printf("%s .. %s", decimal_short(x, decimal_from_double(least), 4),
				   decimal_short(y, decimal_from_double(most), 4));
	line_bounds(l, low, high);
}

static void evaluate_middle(struct verify_line *l, const struct side *a, const struct side *b)
{
	double other = b ? side_middle(b, l->expect->over) : NAN;
	double value = relate(l->expect, side_middle(a, l->expect->over), other);
	char buf[MICRO_TEXT];
	double low, high;

	band_of(l->expect, other, &low, &high);
	l->pass = isfinite(value) && in_band(value, low, high);
	l->micro = decimal_from_double(value);
	l->value = g_strdup(isfinite(value) ? decimal_short(buf, l->micro, 4) : "-");
	line_bounds(l, low, high);
}

static void evaluate_pair(struct verify *v, uint32_t at, const uint32_t *versus)
{
	const struct expect *e = v->e;
	char *rows = combo_name(v->x, at), *other, *both;
	struct side a = side_values(v, at, e->metric), b = {0};
	struct verify_line *l;

	if (versus) {
		other = combo_name(v->x, *versus);
		both = g_strdup_printf("%s / %s", rows, other);
		if (*other) {
			g_free(rows);
			rows = both;
		} else {
			g_free(both);
		}
		g_free(other);
		b = side_values(v, *versus, e->versus_metric ? e->versus_metric : e->metric);
	}
	l = add_line(v, rows);
	if (a.note || b.note)
		line_fail(l, a.note ? a.note : b.note);
	else if (a.n == 0 || (versus && b.n != a.n))
		line_fail(l, "no runs");
	else if (e->over == OVER_EACH)
		evaluate_each(l, &a, versus ? &b : NULL);
	else
		evaluate_middle(l, &a, versus ? &b : NULL);
	side_clear(&a);
	side_clear(&b);
}

/* (max - min) / mean over the combinations. */
static void evaluate_spread(struct verify *v, const GArray *at)
{
	double least = INFINITY, most = -INFINITY, sum = 0, low, high;
	struct verify_line *l = add_line(v, g_strdup_printf("%u rows", at->len));
	char x[MICRO_TEXT], y[MICRO_TEXT], z[MICRO_TEXT];

	for (guint i = 0; i < at->len; i++) {
		struct side s = side_values(v, g_array_index(at, uint32_t, i), v->e->metric);
		double m;

		if (s.note || s.n == 0) {
			if (!l->note)
				line_fail(l, s.note ? s.note : "no runs");
			side_clear(&s);
			continue;
		}
		m = side_middle(&s, v->e->over);
		least = MIN(least, m);
		most = MAX(most, m);
		sum += m;
		side_clear(&s);
	}
	if (l->note)
		return;
	band_of(v->e, NAN, &low, &high);
	l->micro = decimal_from_double((most - least) / (sum / at->len));
	l->pass = in_band((double)l->micro / 1e6, low, high);
	l->value =
		g_strdup_printf("%s %% (%s .. %s)",
				decimal_round(x, l->micro == METRIC_ABSENT ? 0 : l->micro * 100, 1),
				decimal_short(y, decimal_from_double(least), 4),
				decimal_short(z, decimal_from_double(most), 4));
	l->high = v->e->tolerance;
	l->band = g_strdup_printf("<= %s %%", decimal_round(x, v->e->tolerance * 100, 1));
}

static void evaluate(struct verify *v)
{
	const struct expect *e = v->e;
	GArray *at = matching(v->x, &e->at);
	GArray *versus = e->has_versus ? matching(v->x, &e->versus) : NULL;

	if (at->len == 0 || (versus && versus->len == 0)) {
		line_fail(add_line(v, g_strdup("-")), "no row is meant");
	} else if (e->form == EXPECT_SPREAD) {
		evaluate_spread(v, at);
	} else if (versus && versus->len != 1 && versus->len != at->len) {
		line_fail(add_line(v, g_strdup("-")),
			  "versus names neither one row nor as many as the expectation");
	} else {
		for (guint i = 0; i < at->len; i++)
			evaluate_pair(v, g_array_index(at, uint32_t, i),
				      versus ? &g_array_index(versus, uint32_t,
							      versus->len == 1 ? 0 : i)
					     : NULL);
	}
	g_array_unref(at);
	if (versus)
		g_array_unref(versus);
}

GPtrArray *verify_all(const struct expansion *x, verify_results_fn results, void *arg)
{
	struct verify v = {.x = x, .lines = g_ptr_array_new_with_free_func(line_free)};

	for (uint32_t i = 0; i < x->scenario->n_expects; i++) {
		v.e = &x->scenario->expects[i];
		v.r = results(arg, v.e);
		evaluate(&v);
	}
	return v.lines;
}
