// SPDX-License-Identifier: GPL-3.0-or-later
/* Groups of objects of one class: what their instance probes have measured together. */
#include <glib.h>
#include <string.h>

#include "measure/anatomy.h"
#include "measure/histogram.h"
#include "measure/micro.h"
#include "measure/probes.h"
#include "measure/samples.h"

union merged {
	uint64_t count;
	struct histogram histogram;
	struct samples samples;
	struct anatomy anatomy;
};

struct group {
	struct object **members;
	uint32_t n;
};

/* The group of which sim->objects[*i] is the first; moves *i behind its last. */
static struct group next_group(struct sim *sim, uint32_t *i)
{
	struct group g = {g_new(struct object *, sim->n_objects), 0};

	for (; *i < sim->n_objects; (*i)++) {
		struct object *obj = sim->objects[*i];

		if (!obj->group)
			continue;
		if (g.n && strcmp(obj->group, g.members[0]->group))
			break;
		g.members[g.n++] = obj;
	}
	return g;
}

static void *data_of(struct object *obj, const struct probe *p)
{
	return (char *)obj + p->offset;
}

/* False: @p makes no sense of several objects. */
static bool merge(const struct group *g, const struct probe *p, union merged *m)
{
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < g->n; i++) {
		void *data = data_of(g->members[i], p);

		switch (p->shape) {
		case PROBE_COUNTER:
			m->count += *(const uint64_t *)data;
			break;
		case PROBE_HISTOGRAM:
			histogram_merge(&m->histogram, data);
			break;
		case PROBE_SAMPLES:
		case PROBE_JAIN:
			samples_merge(&m->samples, data);
			break;
		case PROBE_ANATOMY:
			if (!i)
				anatomy_init(&m->anatomy, ((struct anatomy *)data)->names,
					     ((struct anatomy *)data)->n);
			anatomy_merge(&m->anatomy, data);
			break;
		case PROBE_VALUE:
			return p->over != PROBE_OVER_NONE;
		case PROBE_GAUGE:
		case PROBE_QUEUE:
		case PROBE_SHARES:
			return false;
		}
	}
	if (p->shape == PROBE_SAMPLES)
		samples_sort(&m->samples);
	return true;
}

static void merged_clear(const struct probe *p, union merged *m)
{
	if (p->shape == PROBE_HISTOGRAM)
		histogram_clear(&m->histogram);
	else if (p->shape == PROBE_SAMPLES || p->shape == PROBE_JAIN)
		samples_clear(&m->samples);
	else if (p->shape == PROBE_ANATOMY)
		anatomy_clear(&m->anatomy);
}

static void visit(const struct group *g, const struct probe *p, probe_fn fn, void *arg)
{
	char *name = g_strconcat(g->members[0]->group, ".", p->name, NULL);
	struct probe_place place = {
		.obj = g->members[0],
		.probe = p,
		.name = name,
		.queue = name,
		.members = g->members,
		.n_members = g->n,
	};
	union merged m;

	place.data = &m;
	if (merge(g, p, &m))
		fn(arg, &place);
	merged_clear(p, &m);
	g_free(name);
}

void groups_each(struct sim *sim, probe_fn fn, void *arg)
{
	for (uint32_t i = 0; i < sim->n_objects;) {
		struct group g = next_group(sim, &i);
		const struct probe *p = g.n ? g.members[0]->cls->probes : NULL;

		for (; p && p->name; p++)
			if (p->scope == PROBE_INSTANCE)
				visit(&g, p, fn, arg);
		g_free(g.members);
	}
}

int64_t probe_value(const struct probe_place *place, sim_time window)
{
	const struct probe *p = place->probe;
	__int128 sum = 0;
	int64_t most = METRIC_ABSENT;
	uint32_t n = 0;

	if (p->shape == PROBE_JAIN)
		return samples_jain(place->data);
	if (!place->n_members)
		return p->value(place->obj, window);
	for (uint32_t i = 0; i < place->n_members; i++) {
		int64_t v = p->value(place->members[i], window);

		if (v == METRIC_ABSENT)
			continue;
		sum += v;
		n++;
		if (most == METRIC_ABSENT || v > most)
			most = v;
	}
	if (!n)
		return METRIC_ABSENT;
	return p->over == PROBE_OVER_SUM    ? micro_ratio(sum, MICRO)
	       : p->over == PROBE_OVER_MEAN ? micro_ratio(sum, (__int128)n * MICRO)
					    : most;
}

uint32_t group_parts(struct sim *sim, const char *name, probe_fn fn, void *arg)
{
	const char *dot = strrchr(name, '.');
	uint32_t n = 0;

	for (uint32_t i = 0; dot && i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];
		const struct probe *p = obj->group ? obj->cls->probes : NULL;

		if (!p || strncmp(name, obj->group, (size_t)(dot - name)) || obj->group[dot - name])
			continue;
		for (; p->name; p++) {
			struct probe_place place = {
				.obj = obj,
				.probe = p,
				.name = name,
				.queue = name,
				.data = data_of(obj, p),
			};

			if (p->scope == PROBE_INSTANCE && p->shape != PROBE_GAUGE &&
			    p->shape != PROBE_QUEUE && !strcmp(p->name, dot + 1)) {
				fn(arg, &place);
				n++;
			}
		}
	}
	return n;
}
