// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/plot.h"

#include <math.h>
#include <string.h>

#include "report/group.h"
#include "report/metric-info.h"
#include "report/plot-series.h"
#include "scenario/error.h"

/* A curve of more points than this shows no more and makes an SVG of megabytes. */
#define POINTS_MAX 2000
/* From this spread on, between the 1st percentile of the least curve and the end of the largest. */
#define LOG_SPREAD 30
/* Beyond this many curves nobody can tell them apart. */
#define CURVES_MAX 24

/* The step curve of a distribution, from (first value, 0) up. */
static void cdf_points(struct curve *c, const struct values *v)
{
	double all = v->total + v->lost, sum = 0, drawn = 0;

	c->steps = true;
	c->x[0] = v->value[0];
	c->y[0] = 0;
	c->n = 1;
	for (uint32_t i = 0; i < v->n; i++) {
		sum += v->weight[i];
		if (v->n > POINTS_MAX && i + 1 < v->n && (sum - drawn) * POINTS_MAX < v->total)
			continue;
		drawn = sum;
		c->x[c->n] = v->value[i];
		c->y[c->n++] = sum / all;
	}
}

static char *cdf_label(const char *label, const struct values *v)
{
	if (v->lost > 0)
		return g_strdup_printf("%s%s(%.0f of %.0f missing)", label, *label ? " " : "",
				       v->lost, v->total + v->lost);
	return g_strdup(*label ? label : "all runs");
}

/* The distribution of a group: its runs' samples together, or one value a run when METRIC is a number. */
static bool group_distribution(const struct results *r, const struct group *g, const char *metric,
			       struct values *v, GError **error)
{
	bool any = false;

	memset(v, 0, sizeof(*v));
	v->value = g_new(double, g->rows->len + 1);
	v->weight = g_new(double, g->rows->len + 1);
	v->n = group_values(g, metric, v->value);
	if (v->n > 0) {
		for (uint32_t i = 0; i < v->n; i++)
			v->weight[i] = 1;
		v->total = v->n;
		v->exact = any = true;
	}
	for (guint i = 0; !any && i < g->rows->len; i++) {
		const struct result_row *row = g->rows->pdata[i];
		json_t *run;

		if (!row_ok(row))
			continue;
		run = results_run(r, row, error);
		if (!run)
			return false;
		values_add(v, run, metric);
		json_decref(run);
	}
	values_sort(v);
	return true;
}

static void flent_values(const struct flent *f, struct values *v)
{
	memset(v, 0, sizeof(*v));
	for (uint32_t i = 0; i < f->n_series; i++) {
		const struct flent_series *s = &f->series[i];

		if (!flent_is_ping(s))
			continue;
		v->value = g_renew(double, v->value, v->n + s->n + 1);
		v->weight = g_renew(double, v->weight, v->n + s->n + 1);
		for (uint32_t j = 0; j < s->n; j++) {
			v->value[v->n] = s->value[j];
			v->weight[v->n++] = 1;
		}
		v->total += s->n;
		v->lost += s->lost;
	}
	values_sort(v);
}

static void add_real(struct picture *p, const struct plot_request *q, GPtrArray *all)
{
	struct values *v = g_new0(struct values, 1);
	char *base, *name;
	struct curve *c;

	flent_values(q->with, v);
	g_ptr_array_add(all, v);
	if (v->n == 0)
		return;
	base = g_path_get_basename(q->with->path);
	name = cdf_label(base, v);
	c = picture_add(p, name, v->n + 2);
	cdf_points(c, v);
	c->real = true;
	g_free(name);
	g_free(base);
}

/* Every curve runs on to the end of the picture, so that one that stays below 1 is seen to. */
static void extend(struct picture *p)
{
	double end = -INFINITY;

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = p->curves->pdata[i];

		end = MAX(end, c->x[c->n - 1]);
	}
	for (guint i = 0; i < p->curves->len; i++) {
		struct curve *c = p->curves->pdata[i];

		c->x[c->n] = end;
		c->y[c->n] = c->y[c->n - 1];
		c->n++;
	}
}

static bool wants_log(const GPtrArray *all)
{
	double low = INFINITY, high = -INFINITY;

	for (guint i = 0; i < all->len; i++) {
		const struct values *v = all->pdata[i];

		if (v->n == 0)
			continue;
		if (v->value[0] <= 0)
			return false;
		low = MIN(low, values_quantile(v, 0.01));
		high = MAX(high, v->value[v->n - 1]);
	}
	return high / low >= LOG_SPREAD;
}

/* From just below the least value to just above the largest. */
static void x_range(struct picture *p, const GPtrArray *all)
{
	double low = INFINITY, high = -INFINITY, room;

	for (guint i = 0; i < all->len; i++) {
		const struct values *v = all->pdata[i];

		if (v->n == 0)
			continue;
		low = MIN(low, v->value[0]);
		high = MAX(high, v->value[v->n - 1]);
	}
	room = p->log_x ? pow(high / low, 0.03) : (high - low) * 0.03;
	if (high > low) {
		p->x_low = p->log_x ? low / room : MAX(low - room, MIN(low, 0));
		p->x_high = p->log_x ? high * room : high + room;
	}
}

static void values_free(void *p)
{
	values_clear(p);
	g_free(p);
}

/* What could have been asked for. */
static void no_such(const struct results *r, const char *metric, GError **error)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	const char *key;
	json_t *value;
	char *allowed;

	for (uint32_t i = 0; i < r->n_rows && names->len == 0; i++) {
		json_t *run = row_ok(&r->rows[i]) ? results_run(r, &r->rows[i], NULL) : NULL;

		json_object_foreach(json_object_get(run, "distributions"), key, value)
			g_ptr_array_add(names, g_strdup(key));
		json_decref(run);
	}
	allowed = allowed_names(metric, (const char *const *)names->pdata, names->len);
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "no run in %s has samples of %s%s",
		    r->store->dir, metric, names->len ? allowed : "");
	g_free(allowed);
	g_ptr_array_unref(names);
}

bool plot_check_curves(const struct picture *p, GError **error)
{
	if (p->curves->len <= CURVES_MAX)
		return true;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
		    "%u curves cannot be told apart; --by KEY makes one for each value of KEY",
		    p->curves->len);
	return false;
}

static bool add_curves(const struct results *r, const struct plot_request *q,
		       const struct groups *groups, struct picture *p, GPtrArray *all,
		       GError **error)
{
	for (guint i = 0; i < groups->list->len; i++) {
		const struct group *g = groups->list->pdata[i];
		struct values *v = g_new0(struct values, 1);
		struct curve *c;
		char *label;

		g_ptr_array_add(all, v);
		if (!group_distribution(r, g, q->metric, v, error))
			return false;
		if (v->n == 0)
			continue;
		label = cdf_label(g->label, v);
		c = picture_add(p, label, v->n + 2);
		cdf_points(c, v);
		g_free(label);
	}
	if (p->curves->len == 0) {
		no_such(r, q->metric, error);
		return false;
	}
	if (p->curves->len > CURVES_MAX) {
		g_set_error(
			error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			"%u curves cannot be told apart; --by KEY makes one for each value of KEY",
			p->curves->len);
		return false;
	}
	return true;
}

static uint32_t count_seeds(const struct groups *groups)
{
	guint most = 0;

	for (guint i = 0; i < groups->list->len; i++)
		most = MAX(most, ((struct group *)groups->list->pdata[i])->rows->len);
	return most;
}

static char *make_subtitle(const struct results *r, const struct groups *groups)
{
	GString *s = g_string_new(r->about);
	uint32_t n = count_seeds(groups);

	if (n > 1)
		g_string_append_printf(s, "%s%u runs a curve", s->len ? "; " : "", n);
	if (groups->pooled)
		g_string_append_printf(s, ", over every %s", groups->pooled);
	return g_string_free(s, FALSE);
}

static bool draw_cdf(const struct results *r, const struct plot_request *q,
		     const struct groups *groups, const char *file, GError **error)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(values_free);
	char *subtitle = make_subtitle(r, groups);
	struct picture p;
	bool ok = false;

	picture_init(&p);
	if (add_curves(r, q, groups, &p, all, error)) {
		if (q->with)
			add_real(&p, q, all);
		p.title = q->title ? q->title : r->name;
		p.subtitle = *subtitle ? subtitle : NULL;
		p.x_label = metric_label(q->metric);
		p.y_label = g_strdup("share of samples at or below");
		p.unit_y = true;
		p.log_x = wants_log(all);
		x_range(&p, all);
		extend(&p);
		ok = picture_write(&p, file, error);
	}
	picture_clear(&p);
	g_free(subtitle);
	g_ptr_array_unref(all);
	return ok;
}

/* Takes out the groups that no pattern of @only matches. */
static bool keep_only(struct groups *groups, char **only, GError **error)
{
	GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
	char *allowed;
	bool any;

	for (guint i = 0; i < groups->list->len;) {
		const struct group *g = groups->list->pdata[i];
		bool matches = false;

		for (char **p = only; *p; p++)
			matches |= g_pattern_match_simple(*p, g->label);
		if (matches) {
			i++;
			continue;
		}
		g_ptr_array_add(labels, g_strdup(g->label));
		g_ptr_array_remove_index(groups->list, i);
	}
	any = groups->list->len > 0;
	if (!any) {
		allowed = allowed_names(only[0], (const char *const *)labels->pdata, labels->len);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "--only %s matches no curve%s",
			    only[0], allowed);
		g_free(allowed);
	}
	g_ptr_array_unref(labels);
	return any;
}

bool plot_draw(const struct results *r, const struct plot_request *q, const char *file,
	       uint32_t *left_out, GError **error)
{
	struct groups *groups;
	bool ok;

	if (!picture_known(file, error))
		return false;
	groups = groups_new(r, q->by, error);
	if (!groups)
		return false;
	*left_out = 0;
	for (uint32_t i = 0; i < r->n_rows; i++)
		*left_out += !row_ok(&r->rows[i]);
	ok = !q->only || keep_only(groups, q->only, error);
	ok = ok && (q->series ? plot_draw_series : draw_cdf)(r, q, groups, file, error);
	groups_free(groups);
	return ok;
}

/* ---- what there is to draw ------------------------------------------------------------------ */

static void add_delays(const struct results *r, GArray *list)
{
	GPtrArray *names = results_metric_names(r);

	for (guint i = 0; i < names->len; i++) {
		struct metric_info info = metric_info(names->pdata[i]);
		char *base = metric_base(names->pdata[i]);

		if (info.of_traffic && strcmp(info.unit, "ms") == 0 &&
		    g_str_has_suffix(names->pdata[i], ".mean")) {
			struct plot_request q = {
				.metric = g_string_chunk_insert_const(r->strings, base)};

			g_array_append_val(list, q);
		}
		g_free(base);
	}
	g_ptr_array_unref(names);
}

GArray *plot_declared(const struct results *r)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct plot_request));
	const json_t *plots = json_object_get(r->manifest, "plots"), *plot;
	size_t i;

	json_array_foreach(plots, i, plot)
	{
		const char *cdf = json_string_value(json_object_get(plot, "cdf"));
		const char *series = json_string_value(json_object_get(plot, "series"));
		struct plot_request q = {
			.series = !cdf,
			.metric = cdf ? cdf : series,
			.by = json_string_value(json_object_get(plot, "by")),
			.title = json_string_value(json_object_get(plot, "title")),
		};

		if (q.metric)
			g_array_append_val(list, q);
	}
	if (list->len == 0)
		add_delays(r, list);
	return list;
}

char *plot_name(const struct plot_request *q)
{
	GString *s = g_string_new(q->series ? "series-" : "cdf-");

	g_string_append(s, q->metric);
	if (q->by)
		g_string_append_printf(s, "-by-%s", q->by);
	g_strdelimit(s->str, "/ *", '_');
	return g_string_free(s, FALSE);
}
