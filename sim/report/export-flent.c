// SPDX-License-Identifier: GPL-3.0-or-later
/* One run as flent keeps it: the format's minimum that flent 2.1 accepts, and what its plots want. */
#include "report/export.h"

#include <math.h>
#include <string.h>

#include "report/group.h"
#include "sweep/decimal.h"

/* flent's own step of the binned values, s. */
#define STEP 0.2
/* Simulated time has no date; flent wants one. 2000-01-01T00:00:00Z, in UNIX seconds. */
#define EPOCH	   946684800
#define EPOCH_TEXT "2000-01-01T00:00:00.000000Z"

#define PING_NAME "Ping (ms) ICMP"
#define RATE_NAME "TCP upload"

char **export_flent_series(const struct scenario *s)
{
	GPtrArray *names = g_ptr_array_new();
	struct errors errors;
	struct config *c;

	errors_init(&errors);
	c = scenario_bind(s, s->n_cases ? 0 : -1, NULL, &errors);
	for (uint32_t i = 0; c && i < c->n_traffic; i++) {
		for (const struct probe *p = c->traffic[i]->cls->probes; p && p->name; p++) {
			if (strcmp(p->name, "goodput_mbit") == 0 || strcmp(p->name, "rtt_ms") == 0)
				g_ptr_array_add(names, g_strdup_printf("%s.%s", c->traffic[i]->path,
								       p->name));
		}
	}
	if (c)
		config_free(c);
	errors_clear(&errors);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* What is put together under one name of flent's. */
struct pool {
	const char *name, *unit, *end;
	bool add; /* values of one time add up: rates; else they are averaged */
	json_t *raw;
	uint32_t n_bins;
	double *sum;
	uint32_t *count;
};

static void pool_init(struct pool *p, double length)
{
	p->raw = json_array();
	p->n_bins = (uint32_t)(length / STEP) + 1;
	p->sum = g_new0(double, p->n_bins);
	p->count = g_new0(uint32_t, p->n_bins);
}

static void pool_add(struct pool *p, const json_t *points)
{
	double *sum = g_new0(double, p->n_bins);
	uint32_t *count = g_new0(uint32_t, p->n_bins);
	const json_t *point;
	size_t i;

	json_array_foreach(points, i, point)
	{
		double t = json_number_value(json_array_get(point, 0));
		double v = json_number_value(json_array_get(point, 1));
		uint32_t bin = (uint32_t)MIN(MAX(t, 0) / STEP, p->n_bins - 1);

		sum[bin] += v;
		count[bin]++;
		json_array_append_new(p->raw, json_pack("{s:f, s:f}", "t", EPOCH + t, "val", v));
	}
	for (uint32_t bin = 0; bin < p->n_bins; bin++) {
		if (count[bin] == 0)
			continue;
		/* Rates of one traffic are averaged over the bin, then added to the others'. */
		p->sum[bin] += p->add ? sum[bin] / count[bin] : sum[bin];
		p->count[bin] += p->add ? 1 : count[bin];
	}
	g_free(sum);
	g_free(count);
}

static void pool_take(struct pool *p, json_t *results, json_t *raw, json_t *meta)
{
	json_t *bins = json_array();

	for (uint32_t i = 0; i < p->n_bins; i++) {
		double v = p->add ? p->sum[i] : p->sum[i] / p->count[i];

		json_array_append_new(bins, p->count[i] ? json_real(v) : json_null());
	}
	if (json_array_size(p->raw) > 0) {
		json_object_set_new(results, p->name, bins);
		json_object_set(raw, p->name, p->raw);
		json_object_set_new(meta, p->name, json_pack("{s:s}", "UNITS", p->unit));
	} else {
		json_decref(bins);
	}
	json_decref(p->raw);
	g_free(p->sum);
	g_free(p->count);
}

/* The end of the run: the last point of any series. */
static double length_of(const json_t *series)
{
	const char *name;
	json_t *points;
	double end = 0;

	json_object_foreach((json_t *)series, name, points)
	{
		const json_t *last = json_array_get(points, json_array_size(points) - 1);

		end = MAX(end, json_number_value(json_array_get(last, 0)));
	}
	return end;
}

static json_t *metadata(const struct results *r, const struct result_row *row, const char *test,
			double length, json_t *series_meta)
{
	GString *title = g_string_new(r->name);
	json_t *meta;

	if (*row->kase)
		g_string_append_printf(title, ", %s", row->kase);
	for (uint32_t i = 0; i < r->n_axes; i++)
		g_string_append_printf(title, ", %s = %s", axis_short(r, i), row->axes[i]);
	g_string_append_printf(title, ", seed %" G_GUINT64_FORMAT, row->seed);
	meta = json_pack("{s:s, s:s, s:f, s:f, s:f, s:s, s:s, s:s, s:s, s:s, s:i, s:O}", "NAME",
			 test, "TITLE", title->str, "STEP_SIZE", STEP, "LENGTH", ceil(length),
			 "TOTAL_LENGTH", ceil(length), "HOST", r->name, "LOCAL_HOST", "wlanq",
			 "TIME", EPOCH_TEXT, "T0", EPOCH_TEXT, "NOTE", r->about, "IP_VERSION", 4,
			 "SERIES_META", series_meta);
	g_string_free(title, TRUE);
	return meta;
}

json_t *export_flent(const struct results *r, const struct result_row *row, GError **error)
{
	struct pool rates = {RATE_NAME, "Mbits/s", ".goodput_mbit", true};
	struct pool pings = {PING_NAME, "ms", ".rtt_ms", false};
	json_t *run = results_run(r, row, error), *series, *points, *doc = NULL;
	json_t *results = json_object(), *raw = json_object(), *meta = json_object();
	json_t *x = json_array();
	const char *name;
	double length;

	if (!run)
		goto out;
	series = json_object_get(run, "series");
	length = length_of(series);
	pool_init(&rates, length);
	pool_init(&pings, length);
	json_object_foreach(series, name, points)
	{
		if (g_str_has_suffix(name, rates.end))
			pool_add(&rates, points);
		else if (g_str_has_suffix(name, pings.end))
			pool_add(&pings, points);
	}
	for (uint32_t i = 0; i < rates.n_bins; i++)
		json_array_append_new(x, decimal_json(llround(i * STEP * MICRO)));
	pool_take(&rates, results, raw, meta);
	pool_take(&pings, results, raw, meta);
	if (json_object_size(results) > 0)
		doc = json_pack("{s:i, s:o, s:O, s:O, s:O}", "version", 4, "metadata",
				metadata(r, row,
					 json_object_get(results, RATE_NAME) ? "tcp_upload"
									     : "ping",
					 length, meta),
				"x_values", x, "results", results, "raw_values", raw);
	else
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "run %s has neither a ping nor a rate over time", row->key);
out:
	json_decref(x);
	json_decref(results);
	json_decref(raw);
	json_decref(meta);
	json_decref(run);
	return doc;
}

char *export_flent_name(const struct results *r, const struct result_row *row)
{
	GString *s = g_string_new(r->name);

	if (*row->kase)
		g_string_append_printf(s, "-%s", row->kase);
	for (uint32_t i = 0; i < r->n_axes; i++)
		g_string_append_printf(s, "-%s=%s", axis_short(r, i), row->axes[i]);
	g_string_append_printf(s, "-s%" G_GUINT64_FORMAT ".flent.gz", row->seed);
	g_strdelimit(s->str, "/ {}[],:*?\"'", '_');
	return g_string_free(s, FALSE);
}
