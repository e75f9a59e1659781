// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/clock.h"
#include "engine/heap-sift.h"
#include "engine/lazy.h"
#include "engine/model.h"
#include "engine/pool.h"
#include "engine/profile.h"

#define HEAP_FIRST 1000u /* entries to begin with */

struct sim *sim_new(uint64_t seed)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		abort();
	sim->seed = seed;
	heap_init(&sim->heap, HEAP_FIRST);
	kernel_clock.now_ns = 0;
	return sim;
}

void sim_free(struct sim *sim)
{
	if (!sim)
		return;
	objects_free(sim);
	pool_free(sim->packets);
	heap_clear(&sim->heap);
	free(sim);
}

void event_setup(struct event *ev, event_fn fn, enum event_rank rank, const char *where)
{
	*ev = (struct event){.fn = fn, .where = where, .slot = EVENT_IDLE, .rank = (uint8_t)rank};
}

void event_setup_source(struct sim *sim, struct event *ev, event_fn fn, const char *where)
{
	event_setup(ev, fn, RANK_ARRIVE, where);
	ev->seq = sim->n_sources++;
}

static void fail_past(struct sim *sim, sim_time at)
{
	sim_fail(sim, NULL, "an event was scheduled for %lld ns, which is in the past",
		 (long long)at);
}

/* ---- what is due at once ------------------------------------------------------------------- */

/* Into its place, from the end: most come in order. */
static inline void soon_put(struct sim *sim, struct event *ev)
{
	uint32_t i = sim->n_soon++;

	ev->order = (uint64_t)ev->rank << 56 | ev->seq;
	ev->slot = EVENT_SOON;
	for (; i && sim->soon[i - 1]->order > ev->order; i--)
		sim->soon[i] = sim->soon[i - 1];
	sim->soon[i] = ev;
}

static void soon_remove(struct sim *sim, struct event *ev)
{
	uint32_t i = 0;

	while (sim->soon[i] != ev)
		i++;
	for (sim->n_soon--; i < sim->n_soon; i++)
		sim->soon[i] = sim->soon[i + 1];
	ev->slot = EVENT_IDLE;
}

static inline bool is_before(const struct heap_entry *e, sim_time now, uint64_t order)
{
	return __builtin_expect(e->time == now, 0) && e->ev->order < order;
}

/* The first of them goes before all in the heap. */
static bool soon_is_next(const struct sim *sim)
{
	const struct heap_entry *e = sim->heap.entries;
	uint64_t order = sim->soon[0]->order;
	sim_time now = sim->now;

	if (!sim->heap.hole)
		return !is_before(e, now, order);
	/* The children of the hole, or what stands in for them. */
	return !is_before(e + 1, now, order) && !is_before(e + 2, now, order) &&
	       !is_before(e + 3, now, order) && !is_before(e + 4, now, order);
}

/* The run stands: all that is pending is in the heap. */
static void soon_end(struct sim *sim)
{
	sim->max_soon = 0;
	for (uint32_t i = 0; i < sim->n_soon; i++)
		heap_push(&sim->heap, event_entry(sim->soon[i]));
	sim->n_soon = 0;
}

/* ---- scheduling ---------------------------------------------------------------------------- */

static inline void schedule(struct sim *sim, struct event *ev, sim_time at)
{
	if (__builtin_expect(at < sim->now, 0))
		fail_past(sim, at);
	if (__builtin_expect(ev->slot == EVENT_SOON, 0))
		soon_remove(sim, ev);
	ev->due = at;
	if (event_pending(ev))
		heap_replace(&sim->heap, ev->slot, event_entry(ev));
	else if (at == sim->now && sim->n_soon < sim->max_soon)
		soon_put(sim, ev);
	else
		heap_push_inline(&sim->heap, event_entry(ev));
}

void event_schedule(struct sim *sim, struct event *ev, sim_time at)
{
	ev->seq = sim->seq++;
	schedule(sim, ev, at);
}

void event_arrive(struct sim *sim, struct event *ev, sim_time at)
{
	/* It may come behind some that its place is before: those have run then, here as everywhere. */
	if (__builtin_expect(at == sim->now, 0))
		lazy_end_all(sim);
	schedule(sim, ev, at);
}

void event_postpone(struct sim *sim, struct event *ev, sim_time at)
{
	if (ev->slot >= EVENT_SOON || at < sim->heap.entries[ev->slot].time) {
		event_schedule(sim, ev, at);
		return;
	}
	/* The entry comes up too early; dispatch() sees that and puts it where it belongs. */
	ev->due = at;
	ev->seq = sim->seq++;
}

void event_cancel(struct sim *sim, struct event *ev)
{
	if (ev->slot >= EVENT_SOON) {
		if (event_pending(ev))
			soon_remove(sim, ev);
		return;
	}
	heap_remove(&sim->heap, ev->slot);
	ev->slot = EVENT_IDLE;
}

void events_forget(struct sim *sim)
{
	soon_end(sim);
	for (struct heap_entry *top; (top = heap_top(&sim->heap));)
		event_cancel(sim, top->ev);
}

/* @watched: somebody wants to know of each event. Compiled twice, so that other runs do not ask. */
static inline __attribute__((always_inline)) void dispatch(struct sim *sim, sim_time until,
							   bool watched)
{
	struct heap_entry *top;

	sim->max_soon = SOON_MAX;
	while (!sim->stopping) {
		struct event *ev;

		if (sim->n_soon && soon_is_next(sim)) {
			ev = sim->soon[0];
			sim->n_soon--;
			for (uint32_t i = 0; i < sim->n_soon; i++)
				sim->soon[i] = sim->soon[i + 1];
			ev->slot = EVENT_IDLE;
		} else {
			if (sim->heap.hole)
				heap_settle_inline(&sim->heap);
			top = sim->heap.entries; /* a sentinel when there is none */
			if (top->time > until || !sim->heap.n)
				break;
			ev = top->ev;

			if (__builtin_expect((ev->order ^ ev->seq) << 8 != 0, 0)) {
				heap_replace(&sim->heap, 0, event_entry(ev));
				continue;
			}
			sim->now = top->time;
			kernel_clock.now_ns = top->time;
			heap_take(&sim->heap);
			ev->slot = EVENT_IDLE;
		}
		sim->order = ev->order;
		sim->n_events++;
		if (watched && sim->trace)
			sim->trace(sim, ev);
		if (watched && sim->profile)
			profile_dispatch(sim, ev);
		else
			ev->fn(sim, ev);
	}
	if (!sim->stopping) {
		sim->now = sim->now < until ? until : sim->now;
		sim->order = UINT64_MAX;
	}
	kernel_clock.now_ns = sim->now;
	lazy_end_all(sim);
	soon_end(sim);
}

struct run {
	sim_time until;
};

static void run(struct sim *sim, void *arg)
{
	const struct run *r = arg;

	if (sim->profile) {
		struct profile *p = sim->profile;
		struct profile_part *before =
			profile_enter(p, profile_part(p, "engine", "event queue"));

		dispatch(sim, r->until, true);
		profile_leave(p, before);
	} else if (sim->trace) {
		dispatch(sim, r->until, true);
	} else {
		dispatch(sim, r->until, false);
	}
}

int sim_call(struct sim *sim, void (*fn)(struct sim *sim, void *arg), void *arg)
{
	jmp_buf *outer = sim->on_fail;
	jmp_buf here;

	if (sim->error[0])
		return -1;
	if (setjmp(here)) {
		sim->on_fail = outer;
		return -1;
	}
	sim->on_fail = &here;
	kernel_clock.now_ns = sim->now;
	fn(sim, arg);
	sim->on_fail = outer;
	return 0;
}

int sim_run(struct sim *sim, sim_time until)
{
	struct run r = {.until = until};

	sim->stopping = false;
	return sim_call(sim, run, &r);
}

void sim_stop(struct sim *sim)
{
	sim->stopping = true;
}

void sim_fail(struct sim *sim, const struct object *obj, const char *fmt, ...)
{
	size_t size = sizeof(sim->error);
	char text[384];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	snprintf(sim->error, size, "%s%s%s (at %lld.%09lld s)", obj && obj->path ? obj->path : "",
		 obj && obj->path ? ": " : "", text, (long long)(sim->now / SIM_SEC),
		 (long long)(sim->now % SIM_SEC));
	if (sim->on_fail)
		longjmp(*sim->on_fail, 1);
	fprintf(stderr, "%s\n", sim->error);
	abort();
}
