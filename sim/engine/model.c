// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u

static void objects_append(struct sim *sim, struct object *obj)
{
	if (sim->n_objects == sim->max_objects) {
		sim->max_objects = sim->max_objects ? sim->max_objects * 2 : 64;
		sim->objects = realloc(sim->objects, sim->max_objects * sizeof(struct object *));
		if (!sim->objects)
			abort();
	}
	obj->id = sim->n_objects;
	sim->objects[sim->n_objects++] = obj;
}

struct object *object_new(struct sim *sim, const struct model_class *cls, const char *path,
			  void *params, struct object *owner)
{
	size_t size = cls->size > sizeof(struct object) ? cls->size : sizeof(struct object);
	struct object *obj;

	size = (size + LINE - 1) / LINE * LINE;
	obj = aligned_alloc(LINE, size);
	if (!obj)
		abort();
	memset(obj, 0, size);
	obj->cls = cls;
	obj->sim = sim;
	obj->path = strdup(path);
	if (!obj->path)
		abort();
	obj->params = params;
	obj->owner = owner;
	/* Before init, which may make the object's parts: they stand behind it and go before it. */
	objects_append(sim, obj);
	if (cls->ops && cls->ops->init)
		cls->ops->init(obj);
	return obj;
}

struct object *object_from_slot(struct sim *sim, const struct slot *slot, struct object *owner)
{
	if (!slot->cls)
		return NULL;
	/* The scenario owns the bytes and may change live parameters; const is for the models. */
	return object_new(sim, slot->cls, slot->path, (void *)slot->params, owner);
}

void objects_start(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];

		if (obj->cls->ops && obj->cls->ops->start)
			obj->cls->ops->start(obj);
	}
}

void objects_window_open(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];

		if (obj->cls->ops && obj->cls->ops->window_open)
			obj->cls->ops->window_open(obj);
	}
}

void objects_window_close(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];

		if (obj->cls->ops && obj->cls->ops->window_close)
			obj->cls->ops->window_close(obj);
	}
}

struct audit {
	struct object *obj;
	uint64_t held;
};

static void audit_queue(void *arg, const char *name, uint64_t in, uint64_t out, uint64_t dropped,
			uint64_t held)
{
	struct audit *a = arg;

	SIM_CHECK(a->obj->sim, a->obj, in == out + dropped + held,
		  "%s: %" PRIu64 " packets in, but %" PRIu64 " out, %" PRIu64
		  " dropped and %" PRIu64 " held",
		  name, in, out, dropped, held);
	a->held += held;
}

uint64_t objects_audit(struct sim *sim)
{
	struct audit a = {.held = 0};
	struct model_audit calls = {.arg = &a, .queue = audit_queue};

	for (uint32_t i = 0; i < sim->n_objects; i++) {
		a.obj = sim->objects[i];
		if (a.obj->cls->ops && a.obj->cls->ops->audit)
			a.obj->cls->ops->audit(a.obj, &calls);
	}
	return a.held;
}

void objects_free(struct sim *sim)
{
	if (sim->n_objects)
		events_forget(sim);
	/* Parts were made after what they are parts of. Memory goes last: a fini may look around. */
	for (uint32_t i = sim->n_objects; i-- > 0;) {
		struct object *obj = sim->objects[i];

		if (obj->cls->ops && obj->cls->ops->fini)
			obj->cls->ops->fini(obj);
	}
	for (uint32_t i = sim->n_objects; i-- > 0;) {
		struct object *obj = sim->objects[i];

		if (obj->cls->ops && obj->cls->ops->release)
			obj->cls->ops->release(obj);
	}
	for (uint32_t i = sim->n_objects; i-- > 0;) {
		free((char *)sim->objects[i]->path);
		free(sim->objects[i]);
	}
	free(sim->objects);
	sim->objects = NULL;
	sim->n_objects = 0;
	sim->max_objects = 0;
}

const struct model_class *registry_find(const struct registry *r, const struct model_kind *kind,
					const char *name)
{
	for (const struct model_class *const *c = r->classes; *c; c++)
		if ((*c)->kind == kind && strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

void model_check_error(struct model_check *c, const char *param, const char *fmt, ...)
{
	char msg[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(msg, sizeof(msg), fmt, args);
	va_end(args);
	c->error(c->arg, param, msg);
}
