// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/record.h"

#include <string.h>

#include "sweep/decimal.h"
#include "sweep/store.h"

static void put_metrics(struct json_text *t, const struct metrics *m)
{
	json_text_key(t, "metrics");
	json_text_open(t, '{');
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->v[i].micro == METRIC_ABSENT)
			continue;
		json_text_key(t, m->v[i].name);
		json_text_micro(t, m->v[i].micro);
	}
	json_text_close(t, '}');
}

static void put_distribution(struct json_text *t, const struct run_distribution *d)
{
	json_text_key(t, d->name);
	json_text_open(t, '{');
	json_text_key(t, "lost");
	json_text_integer(t, (int64_t)d->lost);
	json_text_key(t, d->exact ? "samples" : "buckets");
	json_text_open(t, '[');
	for (uint32_t i = 0; i < d->n; i++) {
		if (d->exact) {
			json_text_micro(t, d->micro[i]);
			continue;
		}
		json_text_open(t, '[');
		json_text_micro(t, d->micro[i]);
		json_text_integer(t, (int64_t)d->weight[i]);
		json_text_close(t, ']');
	}
	json_text_close(t, ']');
	json_text_close(t, '}');
}

/* ns by part, as ms. */
static void put_parts(struct json_text *t, const char *key, const struct run_anatomy *a,
		      const int64_t *ns)
{
	json_text_key(t, key);
	json_text_open(t, '{');
	for (uint32_t i = 0; i < a->n; i++) {
		json_text_key(t, a->parts[i]);
		json_text_micro(t, ns[i]);
	}
	json_text_close(t, '}');
}

static void put_anatomies(struct json_text *t, const struct run_result *result)
{
	json_text_key(t, "anatomy");
	json_text_open(t, '{');
	for (uint32_t i = 0; i < result->n_anatomies; i++) {
		const struct run_anatomy *a = &result->anatomies[i];

		json_text_key(t, a->name);
		json_text_open(t, '{');
		json_text_key(t, "count");
		json_text_integer(t, (int64_t)a->count);
		put_parts(t, "mean_ms", a, a->mean);
		put_parts(t, "slowest_ms", a, a->slowest);
		json_text_close(t, '}');
	}
	json_text_close(t, '}');
}

/* Asked for twice, it is told once. */
static bool told(const struct run_result *result, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (!strcmp(result->series[k].name, result->series[i].name))
			return true;
	return false;
}

static void put_series(struct json_text *t, const struct run_result *result)
{
	json_text_key(t, "series");
	json_text_open(t, '{');
	for (uint32_t i = 0; i < result->n_series; i++) {
		const struct run_series *s = &result->series[i];

		if (told(result, i))
			continue;
		json_text_key(t, s->name);
		json_text_open(t, '[');
		for (uint32_t j = 0; j < s->n; j++) {
			json_text_open(t, '[');
			json_text_micro(t, micro_ratio(s->points[j].at, 1000000000));
			json_text_micro(t, s->points[j].micro);
			json_text_close(t, ']');
		}
		json_text_close(t, ']');
	}
	json_text_close(t, '}');
}

static void put_result(struct json_text *t, const struct run_result *result, bool distributions)
{
	put_metrics(t, result->metrics);
	if (distributions) {
		json_text_key(t, "distributions");
		json_text_open(t, '{');
		for (uint32_t i = 0; i < result->n_distributions; i++)
			put_distribution(t, &result->distributions[i]);
		json_text_close(t, '}');
	}
	if (result->n_anatomies)
		put_anatomies(t, result);
	if (result->n_series)
		put_series(t, result);
}

void record_members(struct json_text *t, const json_t *params, const char *status,
		    const char *error, const struct run_result *result, bool distributions)
{
	json_text_key(t, "status");
	json_text_string(t, status);
	if (error) {
		json_text_key(t, "error");
		json_text_string(t, error);
	}
	json_text_key(t, "params");
	json_text_value(t, params);
	if (result)
		put_result(t, result, distributions);
}

void record_text(const struct record_id *id, const char *status, const char *error,
		 const struct run_result *result, const json_t *wanted, GString *out)
{
	struct json_text t = {.out = out, .compact = true};
	const struct {
		const char *key, *value;
	} strings[] = {
		{"key", id->key},   {"version", id->version},
		{"core", id->core}, {"core_files", id->core_files},
		{"case", id->kase},
	};

	json_text_open(&t, '{');
	json_text_key(&t, "format");
	json_text_integer(&t, STORE_FORMAT);
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++) {
		json_text_key(&t, strings[i].key);
		json_text_string(&t, strings[i].value);
	}
	json_text_key(&t, "seed");
	json_text_integer(&t, (int64_t)id->seed);
	record_members(&t, id->params, status, error, result, true);
	if (json_array_size(wanted) > 0) {
		json_text_key(&t, "wanted");
		json_text_value(&t, wanted);
	}
	json_text_close(&t, '}');
}

json_t *record_anatomy(const struct run_result *result)
{
	GString *out = g_string_new(NULL);
	struct json_text t = {.out = out, .compact = true};
	json_t *doc;

	json_text_open(&t, '{');
	put_anatomies(&t, result);
	json_text_close(&t, '}');
	doc = json_loads(out->str, 0, NULL);
	g_string_free(out, TRUE);
	return doc;
}
