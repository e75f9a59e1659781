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

struct series {
	struct sim *sim;
	const void *data; /* the probe's, by kind */
	enum series_kind kind;
	int64_t per;
	sim_time last; /* end of the last step */
	uint64_t count; /* at that time */
	__int128 sum;
	uint32_t first; /* sample that was not there before */
	GArray *points; /* struct series_point */
};

struct search {
	const char *name;
	char *counter; /* "X.received_bytes" for X.goodput_mbit, NULL */
	struct series *s;
};

static void take(struct search *f, enum series_kind kind, const void *data, int64_t per)
{
	f->s->kind = kind;
	f->s->data = data;
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
		break;
	}
}

/* Where counts stand now. */
static void snapshot(struct series *s)
{
	const struct histogram *h = s->data;

	s->last = s->sim->now;
	if (s->kind == SERIES_COUNTER || s->kind == SERIES_RATE) {
		s->count = *(const uint64_t *)s->data;
	} else if (s->kind == SERIES_HISTOGRAM) {
		s->count = h->count;
		s->sum = h->sum;
	}
}

struct series *series_new(struct sim *sim, const char *name)
{
	static const char goodput[] = ".goodput_mbit";
	struct search f = {.name = name, .s = g_new0(struct series, 1)};
	size_t len = strlen(name), end = strlen(goodput);

	if (len > end && strcmp(name + len - end, goodput) == 0)
		f.counter = g_strdup_printf("%.*s.received_bytes", (int)(len - end), name);
	probes_each(sim, match, &f);
	g_free(f.counter);
	if (f.s->kind == SERIES_NONE) {
		g_free(f.s);
		return NULL;
	}
	f.s->sim = sim;
	f.s->points = g_array_new(FALSE, FALSE, sizeof(struct series_point));
	snapshot(f.s);
	if (f.s->kind == SERIES_SAMPLES)
		f.s->first = ((const struct samples *)f.s->data)->n;
	return f.s;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	g_array_unref(s->points);
	g_free(s);
}

/* The value of the step that ends now; METRIC_ABSENT when there is none. */
static int64_t value_now(const struct series *s)
{
	const struct gauge *g = s->data;
	const struct histogram *h = s->data;

	switch (s->kind) {
	case SERIES_GAUGE:
		return micro_ratio(g->value, s->per);
	case SERIES_BYTES:
		return micro_ratio(queue_stat_bytes(s->data), 1);
	case SERIES_COUNTER:
		return micro_ratio(*(const uint64_t *)s->data - s->count, s->per);
	case SERIES_RATE:
		/* bytes over ns, as Mbit/s */
		return micro_ratio((__int128)(*(const uint64_t *)s->data - s->count) * 8000,
				   s->sim->now - s->last);
	case SERIES_HISTOGRAM:
		return micro_ratio(h->sum - s->sum, (__int128)(h->count - s->count) * s->per);
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

const struct series_point *series_points(struct series *s, uint32_t *n)
{
	const struct samples *samples = s->data;

	if (s->kind == SERIES_SAMPLES) {
		g_array_set_size(s->points, 0);
		for (uint32_t i = s->first; i < samples->n; i++) {
			struct series_point p = {.at = samples->v[i].at,
						 .micro = micro_ratio(samples->v[i].value, s->per)};

			g_array_append_val(s->points, p);
		}
	}
	*n = s->points->len;
	return (const struct series_point *)s->points->data;
}
