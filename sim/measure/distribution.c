// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib.h>

#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/metrics.h"
#include "measure/probes.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"

#define NS_PER_MS 1000000

/* One of these is set. */
struct source {
	char *name;
	const struct samples *samples;
	const struct histogram *histogram;
	int64_t per;
	bool own; /* they are copies, of what a group has measured */
};

static void found(GArray *sources, const char *name, const char *suffix, const struct samples *s,
		  const struct histogram *h, int64_t per)
{
	struct source source = {
		.name = g_strconcat(name, suffix, NULL),
		.samples = s,
		.histogram = h,
		.per = per ? per : 1,
	};

	g_array_append_val(sources, source);
}

/* What a group has measured is there for the call only. */
static void keep_group(GArray *sources, const struct probe_place *place)
{
	struct source *s = &g_array_index(sources, struct source, sources->len - 1);

	if (!place->n_members)
		return;
	s->own = true;
	if (s->samples) {
		struct samples *copy = g_new0(struct samples, 1);

		samples_merge(copy, s->samples);
		s->samples = copy;
	} else {
		struct histogram *copy = g_new0(struct histogram, 1);

		histogram_merge(copy, s->histogram);
		s->histogram = copy;
	}
}

static void source_clear(struct source *s)
{
	g_free(s->name);
	if (!s->own)
		return;
	if (s->samples)
		samples_clear((struct samples *)s->samples);
	else
		histogram_clear((struct histogram *)s->histogram);
	g_free((gpointer)s->samples);
	g_free((gpointer)s->histogram);
}

static void find(void *arg, const struct probe_place *place)
{
	const struct queue_stat *q = place->data;
	const struct gauge *gauge = place->data;
	int64_t per = place->probe->per;

	switch (place->probe->shape) {
	case PROBE_SAMPLES:
		found(arg, place->name, "", place->data, NULL, per);
		keep_group(arg, place);
		break;
	case PROBE_HISTOGRAM:
		found(arg, place->name, "", NULL, place->data, per);
		keep_group(arg, place);
		break;
	case PROBE_GAUGE:
		found(arg, place->name, "", NULL, &gauge->over_time, per);
		break;
	case PROBE_QUEUE:
		found(arg, place->name, ".packets", NULL, &q->packets.over_time, 1);
		found(arg, place->name, ".sojourn_ms", NULL, &q->sojourn, NS_PER_MS);
		if (q->bytes)
			found(arg, place->name, ".bytes", NULL, &q->bytes->over_time, 1);
		break;
	case PROBE_COUNTER:
	case PROBE_VALUE:
	case PROBE_ANATOMY:
	case PROBE_SHARES:
	case PROBE_JAIN:
		break;
	}
}

struct buckets {
	int64_t *micro;
	uint64_t *weight;
	uint32_t n;
	int64_t per;
};

static void add_bucket(void *arg, int64_t low, uint64_t weight)
{
	struct buckets *b = arg;

	b->micro[b->n] = micro_ratio(low, b->per);
	b->weight[b->n++] = weight;
}

static void tell_buckets(const struct source *s,
			 void (*fn)(void *arg, const struct distribution *d), void *arg)
{
	uint32_t n = histogram_buckets(s->histogram);
	struct buckets b = {
		.micro = g_new(int64_t, n),
		.weight = g_new(uint64_t, n),
		.per = s->per,
	};
	struct distribution d = {.name = s->name, .n = n, .micro = b.micro, .weight = b.weight};

	histogram_each(s->histogram, add_bucket, &b);
	fn(arg, &d);
	g_free(b.micro);
	g_free(b.weight);
}

static void tell_samples(const struct source *s,
			 void (*fn)(void *arg, const struct distribution *d), void *arg)
{
	int64_t *micro = g_new(int64_t, s->samples->n);
	struct distribution d = {
		.name = s->name,
		.exact = true,
		.lost = s->samples->lost,
		.n = s->samples->n,
		.micro = micro,
	};

	for (uint32_t i = 0; i < s->samples->n; i++)
		micro[i] = micro_ratio(s->samples->v[i].value, s->per);
	fn(arg, &d);
	g_free(micro);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->name, ((const struct source *)b)->name);
}

void metrics_distributions(struct sim *sim, void (*fn)(void *arg, const struct distribution *d),
			   void *arg)
{
	GArray *sources = g_array_new(FALSE, FALSE, sizeof(struct source));

	probes_each(sim, find, sources);
	groups_each(sim, find, sources);
	g_array_sort(sources, by_name);
	for (uint32_t i = 0; i < sources->len; i++) {
		struct source *s = &g_array_index(sources, struct source, i);

		if (s->samples && (s->samples->n || s->samples->lost))
			tell_samples(s, fn, arg);
		if (s->histogram && histogram_buckets(s->histogram))
			tell_buckets(s, fn, arg);
		source_clear(s);
	}
	g_array_unref(sources);
}

struct anatomies {
	void (*fn)(void *arg, const char *name, const struct anatomy *a);
	void *arg;
};

static void tell_anatomy(void *arg, const struct probe_place *place)
{
	struct anatomies *a = arg;

	if (place->probe->shape == PROBE_ANATOMY)
		a->fn(a->arg, place->name, place->data);
}

void metrics_anatomies(struct sim *sim,
		       void (*fn)(void *arg, const char *name, const struct anatomy *a), void *arg)
{
	struct anatomies a = {.fn = fn, .arg = arg};

	probes_each(sim, tell_anatomy, &a);
	groups_each(sim, tell_anatomy, &a);
}
