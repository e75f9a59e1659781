// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/plot-series.h"

#include <string.h>

#include "report/metric-info.h"

/* A rate over less time than some packets take is all noise. */
#define RATE_POINTS 150

/* Means of as many points as leave RATE_POINTS; times are those of the last in each. */
static void thin_rate(struct curve *c)
{
	uint32_t size = (c->n + RATE_POINTS - 1) / RATE_POINTS, n = 0;

	for (uint32_t i = 0; size > 1 && i < c->n; i += size) {
		uint32_t last = MIN(i + size, c->n);
		double sum = 0;

		for (uint32_t j = i; j < last; j++)
			sum += c->y[j];
		c->x[n] = c->x[last - 1];
		c->y[n++] = sum / (last - i);
	}
	if (size > 1)
		c->n = n;
}

/* The points of a run's series as a curve; false when the run did not record it. */
static bool add_series(struct picture *p, const json_t *run, const char *metric, const char *label)
{
	const json_t *points = json_object_get(json_object_get(run, "series"), metric), *point;
	struct curve *c;
	size_t i;

	if (!json_is_array(points))
		return false;
	c = picture_add(p, label, (uint32_t)json_array_size(points));
	json_array_foreach(points, i, point)
	{
		c->x[c->n] = json_number_value(json_array_get(point, 0));
		c->y[c->n++] = json_number_value(json_array_get(point, 1));
	}
	if (strcmp(metric_info(metric).unit, "Mbit/s") == 0)
		thin_rate(c);
	return true;
}

/* The first run of a group that ended well: a mean over seeds would blur what a series is looked at for. */
static bool add_group_series(const struct results *r, const struct plot_request *q,
			     const struct group *g, struct picture *p, GError **error)
{
	for (guint i = 0; i < g->rows->len; i++) {
		const struct result_row *row = g->rows->pdata[i];
		json_t *run = row_ok(row) ? results_run(r, row, error) : NULL;
		char *label;

		if (!row_ok(row))
			continue;
		if (!run)
			return false;
		if (g->rows->len > 1)
			label = g_strdup_printf("%s%sseed %" G_GUINT64_FORMAT, g->label,
						*g->label ? ", " : "", row->seed);
		else
			label = g_strdup(g->label);
		add_series(p, run, q->metric, label);
		json_decref(run);
		g_free(label);
		return true;
	}
	return true;
}

static void add_real_series(struct picture *p, const struct plot_request *q)
{
	bool rate = strcmp(metric_info(q->metric).unit, "Mbit/s") == 0;
	char *base = g_path_get_basename(q->with->path);

	for (uint32_t i = 0; i < q->with->n_series; i++) {
		const struct flent_series *s = &q->with->series[i];
		struct curve *c;
		char *label;

		if (rate ? !flent_is_tcp(s) : !flent_is_ping(s))
			continue;
		label = g_strdup_printf("%s: %s", base, s->name);
		c = picture_add(p, label, s->n);
		memcpy(c->x, s->t, s->n * sizeof(*s->t));
		memcpy(c->y, s->value, s->n * sizeof(*s->value));
		c->n = s->n;
		c->real = true;
		g_free(label);
	}
	g_free(base);
}

bool plot_draw_series(const struct results *r, const struct plot_request *q,
		      const struct groups *groups, const char *file, GError **error)
{
	struct picture p;
	bool ok = true;

	picture_init(&p);
	for (guint i = 0; ok && i < groups->list->len; i++)
		ok = add_group_series(r, q, groups->list->pdata[i], &p, error);
	if (ok && p.curves->len == 0) {
		g_set_error(
			error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			"no run in %s recorded %s over time; a `series` in the scenario's plots "
			"or `wlanq sweep --trace %s` records it",
			r->store->dir, q->metric, q->metric);
		ok = false;
	}
	ok = ok && plot_check_curves(&p, error);
	if (ok) {
		if (q->with)
			add_real_series(&p, q);
		p.title = q->title ? q->title : r->name;
		p.subtitle = *r->about ? r->about : NULL;
		p.x_label = g_strdup("time (s)");
		p.y_label = metric_label(q->metric);
		ok = picture_write(&p, file, error);
	}
	picture_clear(&p);
	return ok;
}
