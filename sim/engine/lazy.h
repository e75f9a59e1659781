/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrivals that nobody would notice yet. What a source gives to a queue that is stopped changes that queue and no more,
 * until somebody turns to it: so it may be given later, with the clock set back to its own time, and all that are due by
 * then at one go. Results, and the count of events, are those of arrivals at their times.
 *
 * The queue's owner has one struct lazy. It calls lazy_catch_up() before anything else enters or leaves what arrivals go
 * into, and lazy_end() before an arrival may do more than wait. The engine does so for all of them before a run stands.
 */
#ifndef WLANQ_ENGINE_LAZY_H
#define WLANQ_ENGINE_LAZY_H

#include "engine/clock.h"
#include "engine/sim.h"

struct lazy {
	sim_time due; /* of the first; SIM_TIME_MAX: there is none, or they are being run */
	sim_time
		horizon; /* while one runs: when the next one is due, or a present event takes over; else the past */
	bool running;
	bool listed; /* in sim->lazies */
	struct heap heap;
	struct sim *sim;
	struct lazy *next;
};

/* lazy_clear() frees what it takes. */
void lazy_init(struct lazy *l, struct sim *sim);
void lazy_clear(struct lazy *l);

/* Somebody watches the order of events, or wants none of this. */
static inline bool lazy_never(const struct sim *sim)
{
	return sim->eager || sim->trace || sim->profile;
}

/*
 * As event_arrive() for an @ev that is not pending, and @at later than now: its callback may run late. It schedules nothing but @ev,
 * and touches nothing but its own and what @l's owner guards. @ev is not to be cancelled or moved meanwhile.
 */
void lazy_defer(struct lazy *l, struct event *ev, sim_time at);

/*
 * An event of @l runs and would go on at @at. True: nothing comes before that, it is @at now, and the next event may begin
 * without its callback being called.
 */
static inline bool lazy_goes_on(const struct lazy *l, sim_time at)
{
	if (at >= l->horizon)
		return false;
	l->sim->now = at;
	l->sim->n_events++;
	kernel_clock.now_ns = at;
	return true;
}

/* As lazy_catch_up() and lazy_end(), when there is something to do. */
void lazy_run(struct lazy *l);
void lazy_flush(struct lazy *l);

/* All that come before the present event have run when this returns. */
static inline void lazy_catch_up(struct lazy *l)
{
	if (__builtin_expect(l->due <= l->sim->now, 0))
		lazy_run(l);
}

/* The same, and those to come are events as all others. */
static inline void lazy_end(struct lazy *l)
{
	if (l->due != SIM_TIME_MAX)
		lazy_flush(l);
}

/* Of all queues: before a parameter changes. */
void lazy_end_all(struct sim *sim);

#endif
