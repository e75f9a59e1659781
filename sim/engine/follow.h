/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What follows at the same instant need not go through the event queue when nothing else waits for it. Results, and the
 * count of events, are those of scheduling it.
 */
#ifndef WLANQ_ENGINE_FOLLOW_H
#define WLANQ_ENGINE_FOLLOW_H

#include "engine/sim.h"

/* Nothing else waits for this instant. */
static inline bool follow_at_once(const struct sim *sim)
{
	const struct heap_entry *e = sim->heap.entries;

	if (sim->n_soon)
		return false;
	if (!sim->heap.hole)
		return e[0].time > sim->now;
	/* The children of the hole, or what stands in for them. */
	return e[1].time > sim->now && e[2].time > sim->now && e[3].time > sim->now &&
	       e[4].time > sim->now;
}

/* An event that is scheduled now, by a callback that does nothing more, may run at once; who watches events sees each. */
static inline bool event_may_follow(const struct sim *sim)
{
	return !sim->trace && !sim->profile && !sim->stopping && follow_at_once(sim);
}

/* It does: counts it, for a caller who then does what its callback would do. */
static inline void event_followed(struct sim *sim)
{
	sim->seq++;
	sim->n_events++;
}

/*
 * As event_schedule(sim, ev, sim->now) for an @ev that is not pending, where the caller is an event's callback that does
 * nothing more: @ev may have run when this returns. Who watches a run's events sees it scheduled.
 */
static inline void event_follow(struct sim *sim, struct event *ev)
{
	if (!event_may_follow(sim)) {
		event_schedule(sim, ev, sim->now);
		return;
	}
	ev->due = sim->now;
	ev->seq = sim->seq++;
	sim->n_events++;
	ev->fn(sim, ev);
}

#endif
