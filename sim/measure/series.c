// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/series.h"

#include <glib.h>
#include <string.h>

#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/micro.h"
#include "measure/probes.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"

#define NS_PER_MS 1000000

enum series_kind {
	SERIES_NONE,
	SERIES_GAUGE,
	SERIES_BYTES,
	SERIES_COUNTER,
	SERIES_RATE,
	SERIES_HISTOGRAM,
	SERIES_SAMPLES
};

struct part {
	const void *data; /* the probe's, by kind */
	uint32_t first; /* sample that was not there before */
};

struct series {
	struct sim *sim;
	GArray *parts; /* struct part; several of a group */
	enum series_kind kind;
	int64_t per;
	sim_time last; /* end of the last step */
	uint64_t count; /* at that time */
	__int128 sum;
	GArray *points; /* struct series_point */
};

struct search {
	const char *name;
	char *counter; /* "X.received_bytes" for X.goodput_mbit, NULL */
	struct series *s;
};

static void take(struct search *f, enum series_kind kind, const void *data, int64_t per)
{
	const struct samples *samples = data;
	struct part part = {data, kind == SERIES_SAMPLES ? samples->n : 0};

	f->s->kind = kind;
	g_array_append_val(f->s->parts, part);
	f->s->per = per ? per : 1;
}

/* Whether @name is @base with @end behind it. */
static bool is(const char *name, const char *base, const char *end)
{
	size_t len = strlen(base);

	return strncmp(name, base, len) == 0 && strcmp(name + len, end) == 0;
}

static void match_queue(struct search *f, const struct probe_place *place)
{
	const struct queue_stat *q = place->data;

	if (is(f->name, place->name, ".packets"))
		take(f, SERIES_GAUGE, &q->packets, 1);
	else if (is(f->name, place->name, ".bytes"))
		take(f, SERIES_BYTES, q, 1);
	else if (is(f->name, place->name, ".sojourn_ms"))
		take(f, SERIES_HISTOGRAM, &q->sojourn, NS_PER_MS);
}

static void match(void *arg, const struct probe_place *place)
{
	struct search *f = arg;
	int64_t per = place->probe->per;
	bool same = strcmp(f->name, place->name) == 0;

	switch (place->probe->shape) {
	case PROBE_QUEUE:
		match_queue(f, place);
		break;
	case PROBE_GAUGE:
		if (same)
			take(f, SERIES_GAUGE, place->data, per);
		break;
	case PROBE_COUNTER:
		if (same)
			take(f, SERIES_COUNTER, place->data, per);
		else if (f->counter && strcmp(f->counter, place->name) == 0)
			take(f, SERIES_RATE, place->data, 1);
		break;
	case PROBE_HISTOGRAM:
		if (same)
			take(f, SERIES_HISTOGRAM, place->data, per);
		break;
	case PROBE_SAMPLES:
		if (same)
			take(f, SERIES_SAMPLES, place->data, per);
		break;
	case PROBE_VALUE:
	case PROBE_ANATOMY:
	case PROBE_SHARES:
	case PROBE_JAIN:
		break;
	}
}

static const struct part *part_of(const struct series *s, guint i)
{
	return &g_array_index(s->parts, struct part, i);
}

/* What has been counted up to now; of a histogram the number of values, and their sum. */
static uint64_t counted(const struct series *s, __int128 *sum)
{
	uint64_t count = 0;

	*sum = 0;
	for (guint i = 0; i < s->parts->len; i++) {
		const void *data = part_of(s, i)->data;
		struct histogram_totals t;

		if (s->kind == SERIES_COUNTER || s->kind == SERIES_RATE) {
			count += *(const uint64_t *)data;
		} else if (s->kind == SERIES_HISTOGRAM) {
			histogram_total(data, &t);
			count += t.count;
			*sum += t.sum;
		}
	}
	return count;
}

static void snapshot(struct series *s)
{
	s->last = s->sim->now;
	s->count = counted(s, &s->sum);
}

struct series *series_new(struct sim *sim, const char *name)
{
	static const char goodput[] = ".goodput_mbit";
	struct search f = {.name = name, .s = g_new0(struct series, 1)};
	size_t len = strlen(name), end = strlen(goodput);

	if (len > end && strcmp(name + len - end, goodput) == 0)
		f.counter = g_strdup_printf("%.*s.received_bytes", (int)(len - end), name);
	f.s->parts = g_array_new(FALSE, FALSE, sizeof(struct part));
	f.s->points = g_array_new(FALSE, FALSE, sizeof(struct series_point));
	probes_each(sim, match, &f);
	group_parts(sim, name, match, &f);
	if (f.counter)
		group_parts(sim, f.counter, match, &f);
	g_free(f.counter);
	if (f.s->kind == SERIES_NONE) {
		series_free(f.s);
		return NULL;
	}
	f.s->sim = sim;
	snapshot(f.s);
	return f.s;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	g_array_unref(s->points);
	g_array_unref(s->parts);
	g_free(s);
}

/* The value of the step that ends now; METRIC_ABSENT when there is none. */
static int64_t value_now(const struct series *s)
{
	const void *data = part_of(s, 0)->data;
	const struct gauge *g = data;
	__int128 sum;
	uint64_t n = counted(s, &sum) - s->count;

	switch (s->kind) {
	case SERIES_GAUGE:
		return micro_ratio(g->value, s->per);
	case SERIES_BYTES:
		return micro_ratio(queue_stat_bytes(data), 1);
	case SERIES_COUNTER:
		return micro_ratio(n, s->per);
	case SERIES_RATE:
		/* bytes over ns, as Mbit/s */
		return micro_ratio((__int128)n * 8000, s->sim->now - s->last);
	case SERIES_HISTOGRAM:
		return micro_ratio(sum - s->sum, (__int128)n * s->per);
	default:
		return METRIC_ABSENT;
	}
}

void series_step(struct series *s)
{
	struct series_point p = {.at = s->sim->now, .micro = value_now(s)};

	if (p.micro != METRIC_ABSENT)
		g_array_append_val(s->points, p);
	snapshot(s);
}

/* All samples that came, in order of time. */
static void collect_samples(struct series *s)
{
	struct samples all = {0};

	g_array_set_size(s->points, 0);
	for (guint i = 0; i < s->parts->len; i++) {
		const struct samples *samples = part_of(s, i)->data;

		for (uint32_t k = part_of(s, i)->first; k < samples->n; k++)
			samples_add(&all, samples->v[k].at, samples->v[k].value);
	}
	samples_sort(&all);
	for (uint32_t i = 0; i < all.n; i++) {
		struct series_point p = {.at = all.v[i].at,
					 .micro = micro_ratio(all.v[i].value, s->per)};

		g_array_append_val(s->points, p);
	}
	samples_clear(&all);
}

const struct series_point *series_points(struct series *s, uint32_t *n)
{
	if (s->kind == SERIES_SAMPLES)
		collect_samples(s);
	*n = s->points->len;
	return (const struct series_point *)s->points->data;
}
