// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/probes.h"

#include <glib.h>

static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

/* @prefix: before the probe's name; NULL: names are not asked for. */
static void visit(struct object *obj, const struct probe *probe, void *base, const char *prefix,
		  probe_fn fn, void *arg)
{
	bool categories = probe->scope == PROBE_AC ||
			  (probe->scope == PROBE_STATION && probe->stride);
	char *queue = prefix ? g_strconcat(prefix, *probe->name ? "." : "", probe->name, NULL)
			     : NULL;
	struct probe_place place = {.obj = obj, .probe = probe, .name = queue, .queue = queue};

	for (int ac = 0; ac < (categories ? AC_COUNT : 1); ac++) {
		char *name = categories && queue ? g_strconcat(queue, ".", ac_names[ac], NULL)
						 : NULL;

		if (name)
			place.name = name;
		place.data = (char *)base + probe->offset + ac * probe->stride;
		fn(arg, &place);
		g_free(name);
	}
	g_free(queue);
}

static void visit_stations(struct object *obj, bool named, probe_fn fn, void *arg)
{
	const char *name = NULL;
	void *record;

	for (uint32_t i = 0; (record = obj->cls->ops->station(obj, i, &name)); i++) {
		char *prefix = named ? g_strconcat(obj->path, ".sta.", name, NULL) : NULL;

		for (const struct probe *p = obj->cls->probes; p->name; p++)
			if (p->scope == PROBE_STATION)
				visit(obj, p, record, prefix, fn, arg);
		g_free(prefix);
	}
}

static void visit_all(struct sim *sim, bool named, probe_fn fn, void *arg)
{
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];

		if (!obj->cls->probes)
			continue;
		for (const struct probe *p = obj->cls->probes; p->name; p++)
			if (p->scope != PROBE_STATION)
				visit(obj, p, obj, named ? obj->path : NULL, fn, arg);
		if (obj->cls->ops && obj->cls->ops->station)
			visit_stations(obj, named, fn, arg);
	}
}

void probes_each(struct sim *sim, probe_fn fn, void *arg)
{
	visit_all(sim, true, fn, arg);
}

void probes_each_unnamed(struct sim *sim, probe_fn fn, void *arg)
{
	visit_all(sim, false, fn, arg);
}
