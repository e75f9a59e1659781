// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/metrics.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/probes.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"
#include "measure/shares.h"

#define NS_PER_MS 1000000

static const char *const percentile_names[PERCENTILE_COUNT] = {"p50", "p90", "p95", "p99"};

struct collect {
	struct sim *sim;
	sim_time window;
	GArray *list; /* struct metric */
	GHashTable *drops; /* name -> uint64_t *, summed over queues and categories */
	const struct object *obj; /* whose emit op runs */
};

static void add(struct collect *c, char *name, int64_t micro)
{
	struct metric m = {.name = name, .micro = micro};

	g_array_append_val(c->list, m);
}

static void add_stat(struct collect *c, const char *base, const char *stat, __int128 num,
		     __int128 den, bool defined)
{
	add(c, g_strconcat(base, ".", stat, NULL), defined ? micro_ratio(num, den) : METRIC_ABSENT);
}

static void add_summary(struct collect *c, const struct object *obj, const char *base,
			const struct summary *s, int64_t per, bool mdev)
{
	bool any = s->count > 0;

	SIM_CHECK(c->sim, obj, !any || s->min >= 0, "%s is negative: %lld", base,
		  (long long)s->min);
	add_stat(c, base, "min", s->min, per, any);
	add_stat(c, base, "mean", s->sum, (__int128)s->count * per, any);
	for (int i = 0; i < PERCENTILE_COUNT; i++)
		add_stat(c, base, percentile_names[i], s->percentile[i], per, any);
	add_stat(c, base, "max", s->max, per, any);
	if (mdev)
		add_stat(c, base, "mdev", s->mdev, per, any);
}

static void add_histogram(struct collect *c, const struct object *obj, const char *base,
			  const struct histogram *h, int64_t per)
{
	struct summary s;

	histogram_summary(h, &s);
	add_summary(c, obj, base, &s, per, false);
}

static void count_drops(struct collect *c, char *name, uint64_t n)
{
	uint64_t *sum = g_hash_table_lookup(c->drops, name);

	if (!sum) {
		sum = g_new0(uint64_t, 1);
		g_hash_table_insert(c->drops, name, sum);
	} else {
		g_free(name);
	}
	*sum += n;
}

static void collect_drops(struct collect *c, const char *queue, const struct queue_stat *q)
{
	const char *dot = strrchr(queue, '.');
	int prefix = dot ? (int)(dot - queue) : 0;

	for (int i = 0; q->causes && q->causes[i]; i++) {
		uint64_t n = q->drops[i] - q->drops_before[i];

		count_drops(c,
			    g_strdup_printf("%.*s%sdrops.%s.%s", prefix, queue, dot ? "." : "",
					    dot ? dot + 1 : queue, q->causes[i]),
			    n);
		count_drops(c, g_strdup_printf("%.*s%sdrops", prefix, queue, dot ? "." : ""), n);
	}
}

static void collect_queue(struct collect *c, const struct probe_place *place)
{
	const struct queue_stat *q = place->data;
	char *base = g_strconcat(place->name, ".packets", NULL);

	add_histogram(c, place->obj, base, &q->packets.over_time, 1);
	g_free(base);
	if (q->bytes) {
		base = g_strconcat(place->name, ".bytes", NULL);
		add_histogram(c, place->obj, base, &q->bytes->over_time, 1);
		g_free(base);
	}
	base = g_strconcat(place->name, ".sojourn_ms", NULL);
	add_histogram(c, place->obj, base, &q->sojourn, NS_PER_MS);
	g_free(base);
	collect_drops(c, place->queue, q);
}

static void collect_shares(struct collect *c, const struct probe_place *place)
{
	const struct shares *s = place->data;
	char key[64];

	for (uint32_t i = 0; i < s->n; i++)
		add(c, g_strconcat(place->name, ".", s->name(s->v[i].key, key, sizeof(key)), NULL),
		    micro_ratio(s->v[i].weight, s->sum));
}

static void collect_probe(void *arg, const struct probe_place *place)
{
	struct collect *c = arg;
	const struct probe *probe = place->probe;
	int64_t per = probe->per ? probe->per : 1;
	const struct gauge *gauge = place->data;
	struct summary s;

	switch (probe->shape) {
	case PROBE_COUNTER:
		add(c, g_strdup(place->name), micro_ratio(*(uint64_t *)place->data, per));
		break;
	case PROBE_GAUGE:
		add_histogram(c, place->obj, place->name, &gauge->over_time, per);
		break;
	case PROBE_SAMPLES:
		samples_summary(place->data, &s);
		add_summary(c, place->obj, place->name, &s, per, true);
		break;
	case PROBE_HISTOGRAM:
		add_histogram(c, place->obj, place->name, place->data, per);
		break;
	case PROBE_VALUE:
	case PROBE_JAIN:
		add(c, g_strdup(place->name), probe_value(place, c->window));
		break;
	case PROBE_QUEUE:
		collect_queue(c, place);
		break;
	case PROBE_SHARES:
		collect_shares(c, place);
		break;
	case PROBE_ANATOMY:
		break;
	}
}

static void emitted(void *arg, const char *name, int64_t micro)
{
	struct collect *c = arg;

	add(c, g_strconcat(c->obj->path, ".", name, NULL), micro);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct metric *)a)->name, ((const struct metric *)b)->name);
}

static void refuse_twins(struct sim *sim, struct metrics *m)
{
	char name[128];

	for (uint32_t i = 1; i < m->n; i++) {
		if (strcmp(m->v[i - 1].name, m->v[i].name) != 0)
			continue;
		g_strlcpy(name, m->v[i].name, sizeof(name));
		metrics_free(m);
		sim_fail(sim, NULL, "two metrics have the name %s", name);
	}
}

struct metrics *metrics_collect(struct sim *sim, sim_time window)
{
	struct collect c = {.sim = sim, .window = window};
	struct model_emit emit = {.arg = &c, .value = emitted};
	struct metrics *m = g_new0(struct metrics, 1);
	GHashTableIter drops;
	gpointer key, value;

	c.list = g_array_new(FALSE, FALSE, sizeof(struct metric));
	c.drops = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	probes_each(sim, collect_probe, &c);
	groups_each(sim, collect_probe, &c);
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		c.obj = sim->objects[i];
		if (c.obj->cls->ops && c.obj->cls->ops->emit)
			c.obj->cls->ops->emit(c.obj, window, &emit);
	}
	/* The order of the table does not matter: all is sorted below. */
	g_hash_table_iter_init(&drops, c.drops);
	while (g_hash_table_iter_next(&drops, &key, &value))
		add(&c, key, micro_ratio(*(uint64_t *)value, 1));
	g_hash_table_unref(c.drops);
	add(&c, g_strdup("run.events"), micro_ratio(sim->n_events, 1));
	add(&c, g_strdup("run.packets"), micro_ratio(sim->n_packets, 1));

	g_array_sort(c.list, by_name);
	m->n = c.list->len;
	m->v = (struct metric *)g_array_free(c.list, FALSE);
	refuse_twins(sim, m);
	return m;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->n; i++)
		g_free(m->v[i].name);
	g_free(m->v);
	g_free(m);
}

int64_t metrics_find(const struct metrics *m, const char *name)
{
	struct metric key = {.name = (char *)name};
	const struct metric *found = bsearch(&key, m->v, m->n, sizeof(key), by_name);

	return found ? found->micro : METRIC_ABSENT;
}
