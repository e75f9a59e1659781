// SPDX-License-Identifier: GPL-3.0-or-later
/* Contention of one station with the medium that it hears: as edca.c has it for all stations at once. */
#include "wifi/stations-impl.h"

#define NEVER (SIM_TIME_MAX / 2) /* with room for the slots on top */

void node_schedule(struct node *n)
{
	struct sim *sim = n->air->obj.sim;
	sim_time first = SIM_TIME_MAX;

	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		const struct counter *k = &n->counters[q];

		if (k->active && contender_of(n, q)->ready && counter_start(n, k) < first)
			first = counter_start(n, k);
	}
	if (first == SIM_TIME_MAX)
		event_cancel(sim, &n->contend);
	else
		event_schedule(sim, &n->contend, first);
}

void node_backoff(struct node *n, u32 q)
{
	struct contender *c = contender_of(n, q);

	n->counters[q].active = true;
	n->counters[q].slots = (s32)draw_next_below(&c->draw, c->cw + 1);
}

/* Counts what has passed at @at, and no more: it starts not before the next idle time. */
static void count(struct node *n, u32 q, sim_time at)
{
	const struct edca *e = &n->air->edca;
	struct counter *k = &n->counters[q];

	if (at >= k->wait) {
		sim_time counted = (at - k->wait) / e->slot + !e->dcf;

		k->slots = counted < k->slots ? k->slots - (s32)counted : 0;
	}
	k->wait = NEVER;
}

/* One contender stops counting at @at, though another queue of the station may be about to start. */
static void freeze(struct node *n, u32 q, sim_time at)
{
	const struct edca *e = &n->air->edca;
	struct counter *k = &n->counters[q];
	struct contender *c = contender_of(n, q);

	count(n, q, at);
	if (k->slots)
		return;
	if (!c->ready)
		k->active = false;
	else if (e->dcf) /* the medium did not stay idle for its DIFS */
		node_backoff(n, q);
}

void node_busy(struct node *n, sim_time at)
{
	bool committed = false;

	if (n->busy)
		return;
	n->busy = true;
	n->since = at;
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		const struct counter *k = &n->counters[q];

		if (!k->active)
			continue;
		if (event_pending(&n->contend) && contender_of(n, q)->ready &&
		    counter_start(n, k) < at + n->air->phy.cca)
			committed = true;
		else
			freeze(n, q, at);
	}
	if (!committed)
		event_cancel(n->air->obj.sim, &n->contend);
	event_cancel(n->air->obj.sim, &n->nav_over);
}

void node_withdraw(struct node *n, u32 q)
{
	edca_withdraw(&n->air->edca, n->station * EDCA_QUEUES + q);
	if (n->busy)
		freeze(n, q, n->since);
}

void node_set_wait(struct node *n, u32 q)
{
	const struct contender *c = contender_of(n, q);

	n->counters[q].wait = c->stopped ? NEVER : n->idle + n->rest + c->aifs;
}

void node_set_waits(struct node *n)
{
	for (u32 q = 0; q < EDCA_QUEUES; q++)
		node_set_wait(n, q);
}

void stations_stop(struct air *air, u32 station)
{
	struct node *n = node_of(air, station);
	sim_time now = air->obj.sim->now;

	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct counter *k = &n->counters[q];

		contender_of(n, q)->stopped = true;
		if (!k->active)
			continue;
		if (!n->busy)
			count(n, q, now);
		k->active = k->slots > 0;
	}
	if (!n->busy)
		node_schedule(n);
}

void stations_resume(struct air *air, u32 station)
{
	struct node *n = node_of(air, station);
	sim_time now = air->obj.sim->now;

	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct counter *k = &n->counters[q];
		struct contender *c = contender_of(n, q);

		c->stopped = false;
		if (n->busy)
			continue;
		if (k->active)
			k->wait = now + c->aifs;
		else
			node_set_wait(n, q);
	}
	if (!n->busy)
		node_schedule(n);
}

/* What a station waits before AIFS, from now on. */
static s32 rest_of(const struct node *n, sim_time now)
{
	s32 rest = 0;

	if (n->bad && air_params_of(n->air)->after_collision == AFTER_EIFS)
		rest = (s32)n->air->phy.eifs;
	if (n->timeout > now && n->timeout - now > rest)
		rest = (s32)(n->timeout - now);
	return rest;
}

void node_maybe_idle(struct node *n)
{
	struct sim *sim = n->air->obj.sim;
	bool due = n->due;

	if (n->heard || n->sending || n->answering || (n->own && !due))
		return;
	if (n->nav > sim->now && !due) {
		/* an EIFS begins all the same (10.3.2.3.7) */
		if (rest_of(n, sim->now))
			n->timeout = sim->now + rest_of(n, sim->now);
		n->bad = false;
		event_schedule(sim, &n->nav_over, n->nav);
		return;
	}
	n->busy = false;
	n->idle = sim->now;
	n->rest = rest_of(n, sim->now);
	node_set_waits(n);
	if (due)
		exchange_tell_failure(n);
	node_schedule(n);
}

void node_nav_over(struct sim *sim, struct event *ev)
{
	node_maybe_idle(container_of(ev, struct node, nav_over));
}

void stations_kick(struct air *air, u32 c)
{
	struct node *n = node_of(air, c / EDCA_QUEUES);
	struct counter *k = &n->counters[c % EDCA_QUEUES];
	struct contender *con = air_contender(air, c);
	sim_time now = air->obj.sim->now, late;

	con->ready = true;
	if (!k->active) {
		if (n->busy) {
			node_backoff(n, c % EDCA_QUEUES);
			k->wait = NEVER; /* another of its queues may be about to start */
		} else {
			k->active = true;
			k->slots = 0;
		}
	}
	if (n->busy)
		return;
	late = now - counter_start(n, k);
	if (late > 0) {
		sim_time slot = air->phy.slot;

		/* Backoff and AIFS are over: at once; with EDCA at the next slot boundary. */
		k->wait = air->edca.dcf ? now
					: counter_start(n, k) + (late + slot - 1) / slot * slot;
		k->slots = 0;
	}
	if (!n->taking)
		node_schedule(n);
}
