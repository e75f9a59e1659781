// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/probes.h"

#include <glib.h>
#include <string.h>

static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

/* What is asked for names writes them here. */
struct visit {
	bool named;
	GString *queue, *name; /* without the category, and with it */
	probe_fn fn;
	void *arg;
};

/* A walk puts thousands of names together of pieces this short. */
static void append(GString *s, const char *text)
{
	gsize len = s->len, n = strlen(text);

	g_string_set_size(s, len + n);
	memcpy(s->str + len, text, n);
}

static void assign(GString *s, const char *text)
{
	s->len = 0;
	append(s, text);
}

/* @prefix: how much of .queue comes before the probe's name. */
static void visit(struct visit *v, struct object *obj, const struct probe *probe, void *base,
		  gsize prefix)
{
	bool categories = probe->scope == PROBE_AC ||
			  (probe->scope == PROBE_STATION && probe->stride);
	struct probe_place place = {.obj = obj, .probe = probe};

	if (v->named) {
		g_string_truncate(v->queue, prefix);
		if (*probe->name)
			g_string_append_c(v->queue, '.');
		append(v->queue, probe->name);
		place.name = place.queue = v->queue->str;
	}
	for (int ac = 0; ac < (categories ? AC_COUNT : 1); ac++) {
		if (categories && v->named) {
			assign(v->name, v->queue->str);
			g_string_append_c(v->name, '.');
			append(v->name, ac_names[ac]);
			place.name = v->name->str;
		}
		place.data = (char *)base + probe->offset + ac * probe->stride;
		v->fn(v->arg, &place);
	}
}

static void visit_stations(struct visit *v, struct object *obj)
{
	const char *name = NULL;
	gsize prefix = 0;
	void *record;

	for (uint32_t i = 0; (record = obj->cls->ops->station(obj, i, &name)); i++) {
		if (v->named) {
			assign(v->queue, obj->path);
			append(v->queue, ".sta.");
			append(v->queue, name);
			prefix = v->queue->len;
		}
		for (const struct probe *p = obj->cls->probes; p->name; p++)
			if (p->scope == PROBE_STATION)
				visit(v, obj, p, record, prefix);
	}
}

static void visit_object(struct visit *v, struct object *obj)
{
	gsize prefix = 0;

	if (v->named) {
		assign(v->queue, obj->path);
		prefix = v->queue->len;
	}
	for (const struct probe *p = obj->cls->probes; p->name; p++)
		if (p->scope != PROBE_STATION)
			visit(v, obj, p, obj, prefix);
	if (obj->cls->ops && obj->cls->ops->station)
		visit_stations(v, obj);
}

void probes_each(struct sim *sim, probe_fn fn, void *arg)
{
	struct visit v = {.named = true, .fn = fn, .arg = arg};

	v.queue = g_string_new(NULL);
	v.name = g_string_new(NULL);
	for (uint32_t i = 0; i < sim->n_objects; i++)
		if (sim->objects[i]->cls->probes)
			visit_object(&v, sim->objects[i]);
	g_string_free(v.queue, TRUE);
	g_string_free(v.name, TRUE);
}

void probes_each_unnamed(struct sim *sim, probe_fn fn, void *arg)
{
	struct visit v = {.fn = fn, .arg = arg};

	for (uint32_t i = 0; i < sim->n_objects; i++)
		if (sim->objects[i]->cls->probes)
			visit_object(&v, sim->objects[i]);
}
