// SPDX-License-Identifier: GPL-3.0-or-later
/* Distributions out of run documents: struct values of results.h. */
#include "sweep/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	double value, weight;
};

static void add(struct values *v, double value, double weight)
{
	v->value[v->n] = value;
	v->weight[v->n] = weight;
	v->total += weight;
	v->n++;
}

bool values_add(struct values *v, const json_t *run, const char *name)
{
	const json_t *d = json_object_get(json_object_get(run, "distributions"), name);
	const json_t *samples = json_object_get(d, "samples");
	const json_t *list = samples ? samples : json_object_get(d, "buckets");
	size_t n = json_array_size(list);

	if (!json_is_array(list))
		return false;
	v->exact = samples && (v->n == 0 || v->exact);
	v->value = g_renew(double, v->value, v->n + n + 1);
	v->weight = g_renew(double, v->weight, v->n + n + 1);
	for (size_t i = 0; i < n; i++) {
		const json_t *item = json_array_get(list, i);
		double weight = samples ? 1 : json_number_value(json_array_get(item, 1));

		if (weight > 0)
			add(v, json_number_value(samples ? item : json_array_get(item, 0)), weight);
	}
	v->lost += json_number_value(json_object_get(d, "lost"));
	return true;
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct pair *)a)->value, y = ((const struct pair *)b)->value;

	return x < y ? -1 : x > y;
}

void values_sort(struct values *v)
{
	struct pair *pairs = g_new(struct pair, v->n + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->n; i++)
		pairs[i] = (struct pair){v->value[i], v->weight[i]};
	qsort(pairs, v->n, sizeof(*pairs), by_value);
	for (uint32_t i = 0; i < v->n; i++) {
		if (n > 0 && v->value[n - 1] == pairs[i].value) {
			v->weight[n - 1] += pairs[i].weight;
			continue;
		}
		v->value[n] = pairs[i].value;
		v->weight[n] = pairs[i].weight;
		n++;
	}
	v->n = n;
	g_free(pairs);
}

void values_clear(struct values *v)
{
	g_free(v->value);
	g_free(v->weight);
	memset(v, 0, sizeof(*v));
}

double values_quantile(const struct values *v, double q)
{
	double need = q * v->total, sum = 0;

	for (uint32_t i = 0; i < v->n; i++) {
		sum += v->weight[i];
		/* A weight's rounding must not push the rank to the next value. */
		if (sum >= need * (1 - 1e-12))
			return v->value[i];
	}
	return v->n ? v->value[v->n - 1] : NAN;
}
