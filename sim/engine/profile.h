/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a run's CPU time goes: by part (a model in its layer) and by kind of event. Only a run that is asked for it
 * has a struct profile (sim->profile); others pay nothing, since what measures stands between layers only when one
 * is there, and events are dispatched by a loop of their own.
 *
 * Time is that of one part at a time, the present one: each change of part adds what has passed to the one before.
 * So the parts' sum is the whole.
 */
#ifndef WLANQ_ENGINE_PROFILE_H
#define WLANQ_ENGINE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct object;
struct event;

#define PROFILE_NAME 48

struct profile_part {
	char layer[PROFILE_NAME], model[PROFILE_NAME]; /* "mac80211", "reorder" */
	uint64_t calls; /* times that it was entered */
	uint64_t ticks; /* of its own */
};

/* One kind of event: a callback, as event_init() names it. */
struct profile_event {
	const char *where; /* "models/wifi/air.c:air_contend" */
	char name[PROFILE_NAME]; /* "air_contend" */
	struct profile_part *part;
	uint64_t count;
	uint64_t ticks; /* from its dispatch to its return, whatever part they went to */
};

struct profile;

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The part of that name, made when it is new. Valid as long as @p. */
struct profile_part *profile_part(struct profile *p, const char *layer, const char *model);

/* Time goes to @part from now on; returns the part that it went to before, to be given back to profile_leave(). */
struct profile_part *profile_enter(struct profile *p, struct profile_part *part);
void profile_leave(struct profile *p, struct profile_part *before);

/* Names the part that @obj's time goes to; nothing without a profile. @layer: constant. */
void profile_object(struct object *obj, const char *layer);

/* Zeroed memory that lives as long as the profile: tables of ops that measure. */
void *profile_alloc(struct profile *p, size_t size);

/* Dispatches @ev, whose time has come, and counts it. */
void profile_dispatch(struct sim *sim, struct event *ev);

/* Ends the measuring. */
void profile_finish(struct profile *p);

/* Of what was entered, in the order of time taken; after profile_finish(). */
uint32_t profile_parts(const struct profile *p, const struct profile_part *const **parts);
uint32_t profile_events(const struct profile *p, const struct profile_event *const **events);

/* Ticks as ns, by the clock of the whole run; after profile_finish(). */
uint64_t profile_ns(const struct profile *p, uint64_t ticks);
/* Ticks of all parts; what profile_finish() left out: gaps in which others had the processor. */
uint64_t profile_total(const struct profile *p);
uint64_t profile_gaps(const struct profile *p);
/* CPU time of the process between profile_new() and profile_finish(), the measuring included. */
uint64_t profile_cpu_ns(const struct profile *p);

/* @call in the part of object @obj, which profile_object() has named. */
#define PROFILED(obj, call)                                                                   \
	do {                                                                                  \
		const struct object *obj_ = (obj);                                            \
		struct profile_part *before_ = profile_enter(obj_->sim->profile, obj_->part); \
                                                                                              \
		call;                                                                         \
		profile_leave(obj_->sim->profile, before_);                                   \
	} while (0)

#endif
