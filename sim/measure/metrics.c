// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/metrics.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/metric-sort.h"
#include "measure/probes.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"
#include "measure/shares.h"

#define NS_PER_MS 1000000

static const char *const percentile_names[PERCENTILE_COUNT] = {"p50", "p90", "p95", "p99"};

#define NAMES_BLOCK 65536u

/* Memory of names. */
struct metric_names {
	struct metric_names *next;
	size_t used, size;
	char text[];
};

struct list {
	struct metric *v;
	uint32_t n, room;
};

struct collect {
	struct sim *sim;
	sim_time window;
	struct metrics *m;
	struct list list;
	struct list drops; /* .micro is a count; those of one name are one */
	GString *base; /* scratch */
	const struct object *obj; /* whose emit op runs */
};

static char *name_room(struct metrics *m, size_t len)
{
	struct metric_names *block = m->names;
	char *room;

	if (!block || block->size - block->used < len) {
		size_t size = len > NAMES_BLOCK ? len : NAMES_BLOCK;

		block = g_malloc(sizeof(*block) + size);
		block->next = m->names;
		block->used = 0;
		block->size = size;
		m->names = block;
	}
	room = block->text + block->used;
	block->used += len;
	return room;
}

/* The name "@base.@stat", or @base with @stat NULL; valid as long as the metrics are. @len: of @base. */
static const char *name_join(struct collect *c, const char *base, size_t len, const char *stat)
{
	size_t stat_size = stat ? strlen(stat) + 1 : 0;
	char *name = name_room(c->m, len + stat_size + 1);

	memcpy(name, base, len);
	name[len] = stat ? '.' : '\0';
	memcpy(name + len + 1, stat ? stat : "", stat_size);
	return name;
}

static const char *name_new(struct collect *c, const char *base, const char *stat)
{
	return name_join(c, base, strlen(base), stat);
}

static void put(struct list *list, const char *name, int64_t micro)
{
	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 256;
		list->v = g_renew(struct metric, list->v, list->room);
	}
	list->v[list->n++] = (struct metric){.name = name, .micro = micro};
}

struct base {
	const char *name;
	size_t len;
};

static void add_stat(struct collect *c, struct base base, const char *stat, __int128 num,
		     __int128 den, bool defined)
{
	put(&c->list, name_join(c, base.name, base.len, stat),
	    defined ? micro_ratio(num, den) : METRIC_ABSENT);
}

static void add_summary(struct collect *c, const struct object *obj, const char *name,
			const struct summary *s, int64_t per, bool mdev)
{
	const struct base base = {name, strlen(name)};
	bool any = s->count > 0;

	SIM_CHECK(c->sim, obj, !any || s->min >= 0, "%s is negative: %lld", name,
		  (long long)s->min);
	/* in the order of their names, which spares sorting */
	add_stat(c, base, "max", s->max, per, any);
	if (mdev)
		add_stat(c, base, "mdev", s->mdev, per, any);
	add_stat(c, base, "mean", s->sum, (__int128)s->count * per, any);
	add_stat(c, base, "min", s->min, per, any);
	for (int i = 0; i < PERCENTILE_COUNT; i++)
		add_stat(c, base, percentile_names[i], s->percentile[i], per, any);
}

static void add_histogram(struct collect *c, const struct object *obj, const char *base,
			  const struct histogram *h, int64_t per)
{
	struct summary s;

	histogram_summary(h, &s);
	add_summary(c, obj, base, &s, per, false);
}

static void collect_drops(struct collect *c, const char *queue, const struct queue_stat *q)
{
	const char *dot = strrchr(queue, '.');
	size_t prefix = dot ? (size_t)(dot - queue) + 1 : 0;
	uint64_t all = 0;

	if (!q->causes || !q->causes[0])
		return;
	g_string_truncate(c->base, 0);
	g_string_append_len(c->base, queue, (gssize)prefix);
	g_string_append(c->base, "drops");
	for (int i = 0; q->causes[i]; i++)
		all += q->drops[i] - q->drops_before[i];
	put(&c->drops, name_new(c, c->base->str, NULL), (int64_t)all);
	g_string_append_c(c->base, '.');
	g_string_append(c->base, queue + prefix);
	for (int i = 0; q->causes[i]; i++)
		put(&c->drops, name_new(c, c->base->str, q->causes[i]),
		    (int64_t)(q->drops[i] - q->drops_before[i]));
}

/* Drops are told by name, whichever queues they came from. */
static void add_drops(struct collect *c)
{
	struct metric *v = c->drops.v;
	uint32_t n = c->drops.n;

	metric_sort(v, n);
	for (uint32_t i = 0, next; i < n; i = next) {
		int64_t sum = 0;

		for (next = i; next < n && !strcmp(v[next].name, v[i].name); next++)
			sum += v[next].micro;
		put(&c->list, v[i].name, micro_ratio(sum, 1));
	}
}

static const char *under(struct collect *c, const char *name, const char *part)
{
	g_string_assign(c->base, name);
	g_string_append_c(c->base, '.');
	g_string_append(c->base, part);
	return c->base->str;
}

static void collect_queue(struct collect *c, const struct probe_place *place)
{
	const struct queue_stat *q = place->data;

	add_histogram(c, place->obj, under(c, place->name, "packets"), &q->packets.over_time, 1);
	if (q->bytes)
		add_histogram(c, place->obj, under(c, place->name, "bytes"), &q->bytes->over_time,
			      1);
	add_histogram(c, place->obj, under(c, place->name, "sojourn_ms"), &q->sojourn, NS_PER_MS);
	collect_drops(c, place->queue, q);
}

static void collect_shares(struct collect *c, const struct probe_place *place)
{
	const struct shares *s = place->data;
	char key[64];

	for (uint32_t i = 0; i < s->n; i++)
		put(&c->list, name_new(c, place->name, s->name(s->v[i].key, key, sizeof(key))),
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
		put(&c->list, name_new(c, place->name, NULL),
		    micro_ratio(*(uint64_t *)place->data, per));
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
		put(&c->list, name_new(c, place->name, NULL), probe_value(place, c->window));
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

	put(&c->list, name_new(c, c->obj->path, name), micro);
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
	struct metrics *m = g_new0(struct metrics, 1);
	struct collect c = {.sim = sim, .window = window, .m = m};
	struct model_emit emit = {.arg = &c, .value = emitted};

	c.base = g_string_new(NULL);
	probes_each(sim, collect_probe, &c);
	groups_each(sim, collect_probe, &c);
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		c.obj = sim->objects[i];
		if (c.obj->cls->ops && c.obj->cls->ops->emit)
			c.obj->cls->ops->emit(c.obj, window, &emit);
	}
	add_drops(&c);
	g_free(c.drops.v);
	g_string_free(c.base, TRUE);
	put(&c.list, name_new(&c, "run.events", NULL), micro_ratio(sim->n_events, 1));
	put(&c.list, name_new(&c, "run.packets", NULL), micro_ratio(sim->n_packets, 1));

	m->n = c.list.n;
	m->v = c.list.v;
	if (!metric_sort(m->v, m->n))
		refuse_twins(sim, m);
	return m;
}

void metrics_free(struct metrics *m)
{
	struct metric_names *next;

	if (!m)
		return;
	for (struct metric_names *block = m->names; block; block = next) {
		next = block->next;
		g_free(block);
	}
	g_free(m->v);
	g_free(m);
}

int64_t metrics_find(const struct metrics *m, const char *name)
{
	struct metric key = {.name = name};
	const struct metric *found = bsearch(&key, m->v, m->n, sizeof(key), by_name);

	return found ? found->micro : METRIC_ABSENT;
}
