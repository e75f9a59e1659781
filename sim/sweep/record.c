// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/record.h"

#include "sweep/decimal.h"
#include "sweep/store.h"

json_t *record_metrics(const struct metrics *m)
{
	json_t *all = json_object();

	for (uint32_t i = 0; i < m->n; i++) {
		if (m->v[i].micro != METRIC_ABSENT)
			json_object_set_new(all, m->v[i].name, decimal_json(m->v[i].micro));
	}
	return all;
}

static json_t *distribution_json(const struct run_distribution *d)
{
	json_t *values = json_array();

	for (uint32_t i = 0; i < d->n; i++) {
		json_t *value = decimal_json(d->micro[i]);

		if (!d->exact) {
			json_t *pair = json_array();

			json_array_append_new(pair, value);
			json_array_append_new(pair, json_integer((json_int_t)d->weight[i]));
			value = pair;
		}
		json_array_append_new(values, value);
	}
	return json_pack("{s:I, s:o}", "lost", (json_int_t)d->lost,
			 d->exact ? "samples" : "buckets", values);
}

/* ns by part, as ms. */
static json_t *parts_json(const struct run_anatomy *a, const int64_t *ns)
{
	json_t *parts = json_object();

	for (uint32_t i = 0; i < a->n; i++)
		json_object_set_new(parts, a->parts[i], decimal_json(ns[i]));
	return parts;
}

static json_t *anatomy_json(const struct run_anatomy *a)
{
	return json_pack("{s:I, s:o, s:o}", "count", (json_int_t)a->count, "mean_ms",
			 parts_json(a, a->mean), "slowest_ms", parts_json(a, a->slowest));
}

static json_t *series_json(const struct run_series *s)
{
	json_t *points = json_array();

	for (uint32_t i = 0; i < s->n; i++) {
		json_t *point = json_array();

		json_array_append_new(point,
				      decimal_json(micro_ratio(s->points[i].at, 1000000000)));
		json_array_append_new(point, decimal_json(s->points[i].micro));
		json_array_append_new(points, point);
	}
	return points;
}

static void add_result(json_t *doc, const struct run_result *result)
{
	json_t *all = json_object();

	json_object_set_new(doc, "metrics", record_metrics(result->metrics));
	for (uint32_t i = 0; i < result->n_distributions; i++)
		json_object_set_new(all, result->distributions[i].name,
				    distribution_json(&result->distributions[i]));
	json_object_set_new(doc, "distributions", all);
	if (result->n_anatomies > 0) {
		all = json_object();
		for (uint32_t i = 0; i < result->n_anatomies; i++)
			json_object_set_new(all, result->anatomies[i].name,
					    anatomy_json(&result->anatomies[i]));
		json_object_set_new(doc, "anatomy", all);
	}
	if (result->n_series > 0) {
		all = json_object();
		for (uint32_t i = 0; i < result->n_series; i++)
			json_object_set_new(all, result->series[i].name,
					    series_json(&result->series[i]));
		json_object_set_new(doc, "series", all);
	}
}

json_t *record_new(const struct record_id *id, const char *status, const char *error,
		   const struct run_result *result)
{
	json_t *doc = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:I, s:s}", "format", STORE_FORMAT,
				"key", id->key, "version", id->version, "core", id->core,
				"core_files", id->core_files, "case", id->kase, "seed",
				(json_int_t)id->seed, "status", status);

	if (error)
		json_object_set_new(doc, "error", json_string_nocheck(error));
	json_object_set(doc, "params", id->params);
	if (result)
		add_result(doc, result);
	return doc;
}
