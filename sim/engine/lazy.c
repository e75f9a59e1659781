// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lazy.h"

#include "engine/heap-sift.h"

#define LAZY_FIRST 16u /* entries to begin with */

void lazy_init(struct lazy *l, struct sim *sim)
{
	*l = (struct lazy){.due = SIM_TIME_MAX, .horizon = INT64_MIN, .sim = sim};
}

void lazy_clear(struct lazy *l)
{
	heap_clear(&l->heap);
}

void lazy_defer(struct lazy *l, struct event *ev, sim_time at)
{
	struct sim *sim = l->sim;

	if (__builtin_expect(!l->listed, 0)) {
		heap_init(&l->heap, LAZY_FIRST);
		l->listed = true;
		l->next = sim->lazies;
		sim->lazies = l;
	}
	ev->due = at;
	heap_push_inline(&l->heap, event_entry(ev));
	if (!l->running && at < l->due)
		l->due = at;
}

/* The top has been taken: when the next is due, at most @end. */
static sim_time horizon(const struct heap *h, sim_time end)
{
	/* The children of the hole, or what stands in for them. */
	for (int i = 1; i <= 4; i++)
		end = h->entries[i].time < end ? h->entries[i].time : end;
	return end;
}

void lazy_run(struct lazy *l)
{
	struct sim *sim = l->sim;
	sim_time now = sim->now;
	uint64_t order = sim->order, seq = sim->seq, events = sim->n_events;
	uint32_t others = heap_count(&sim->heap) + sim->n_soon;
	const struct heap_entry *top;

	l->running = true;
	l->due = SIM_TIME_MAX;
	while ((top = heap_top(&l->heap)) &&
	       (top->time < now || (top->time == now && top->ev->order < order))) {
		struct event *ev = top->ev;

		sim->now = top->time;
		sim->order = ev->order;
		kernel_clock.now_ns = top->time;
		heap_take(&l->heap);
		ev->slot = EVENT_IDLE;
		sim->n_events++;
		l->horizon = horizon(&l->heap, now);
		ev->fn(sim, ev);
	}
	SIM_CHECK(sim, NULL, seq == sim->seq && others == heap_count(&sim->heap) + sim->n_soon,
		  "an arrival that was put off did more than wait");
	sim->n_late += sim->n_events - events;
	if (top)
		l->due = top->time;
	l->horizon = INT64_MIN;
	l->running = false;
	sim->now = now;
	sim->order = order;
	kernel_clock.now_ns = now;
}

void lazy_flush(struct lazy *l)
{
	const struct heap_entry *top;

	lazy_catch_up(l);
	l->due = SIM_TIME_MAX;
	while ((top = heap_top(&l->heap))) {
		struct event *ev = top->ev;

		heap_take(&l->heap);
		ev->slot = EVENT_IDLE;
		event_arrive(l->sim, ev, ev->due);
	}
}

void lazy_end_all(struct sim *sim)
{
	for (struct lazy *l = sim->lazies; l; l = l->next)
		lazy_end(l);
}
