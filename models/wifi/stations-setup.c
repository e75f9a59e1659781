// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether the medium is reckoned by station, from the start or from when some stations do not hear each other any more. */
#include "wifi/stations-impl.h"

#include <stdlib.h>

static bool all_hear_all(const struct air *air)
{
	for (u32 a = 0; a < air->n; a++)
		for (u32 b = 0; b < air->n; b++)
			if (a != b &&
			    station_power(air, a, b) < air->channel_ops->threshold(air->channel))
				return false;
	return true;
}

/* Powers that may change during the run are no reason by themselves: see stations_needed_now(). */
static bool needed(const struct air *air)
{
	const struct air_params *p = air_params_of(air);

	if (p->medium != MEDIUM_AUTO)
		return p->medium == MEDIUM_STATIONS;
	if (p->capture)
		return true;
	/* an RTS to a station that is not there is answered by nobody */
	for (u32 i = 0; i < air->n; i++)
		if (air->devs[i]->may_be_absent)
			return true;
	return air->channel && air->channel_ops->power && !all_hear_all(air);
}

static void set_up(struct air *air)
{
	struct stations *st;

	st = calloc(1, sizeof(*st));
	if (!st)
		abort();
	air->stations = st;
	st->nodes = calloc(air->n ? air->n : 1, sizeof(*st->nodes));
	st->hears = calloc((size_t)air->n * air->n + 1, 1);
	if (!st->nodes || !st->hears)
		abort();
	st->pool = pool_new(sizeof(struct exchange) + air->n, 16);
	for (u32 i = 0; i < air->n; i++) {
		struct node *n = &st->nodes[i];

		n->air = air;
		n->station = i;
		event_init(&n->contend, node_contend, RANK_XMIT);
		event_init(&n->nav_over, node_nav_over, RANK_MEDIUM);
	}
	stations_update(air);
}

void stations_init(struct air *air)
{
	if (needed(air))
		set_up(air);
	else
		air->watch = air_params_of(air)->medium == MEDIUM_AUTO && air->channel &&
			     air->channel_ops->power;
	if (air->watch)
		air->version = air->channel_ops->version(air->channel);
}

/* The countdown of one station goes on where the shared medium has it. */
static void take_over(struct node *n, sim_time now)
{
	struct air *air = n->air;
	const struct edca *e = &air->edca;
	bool exempt = n->station == air->reserver || n->station == air->target;

	n->idle = e->epoch;
	n->rest = e->own_epoch[n->station] == e->epoch ? e->own_rest[n->station] : e->rest;
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		u32 i = contender_of(n, q)->place;

		node_set_wait(n, q);
		if (i == EDCA_NONE)
			continue;
		n->counters[q].active = true;
		n->counters[q].slots = e->slots[i];
		if (!contender_of(n, q)->stopped)
			n->counters[q].wait = e->epoch + e->wait[i];
	}
	if (now < air->reserved && !exempt) {
		n->nav = air->reserved;
		n->busy = true;
		event_schedule(air->obj.sim, &n->nav_over, n->nav);
		return;
	}
	node_schedule(n);
}

bool stations_needed_now(struct air *air)
{
	u32 version = air->channel_ops->version(air->channel);
	sim_time now = air->obj.sim->now;

	if (version == air->version)
		return false;
	air->version = version;
	if (all_hear_all(air))
		return false;
	air->watch = false;
	event_cancel(air->obj.sim, &air->contend);
	set_up(air);
	for (u32 i = 0; i < air->n; i++)
		take_over(node_of(air, i), now);
	return true;
}

/* Contenders' parameters are known: the medium is idle since ever. */
void stations_start(struct air *air)
{
	for (u32 i = 0; air->stations && i < air->n; i++)
		node_set_waits(node_of(air, i));
}

void stations_drop(struct air *air)
{
	for (struct exchange *x = air->stations ? air->stations->exchanges : NULL; x; x = x->next) {
		air_drop(air, x->tx.ppdu);
		x->tx.ppdu = NULL;
	}
}

void stations_clear(struct air *air)
{
	struct stations *st = air->stations;

	if (!st)
		return;
	pool_free(st->pool);
	free(st->nodes);
	free(st->hears);
	free(st);
	air->stations = NULL;
}

u64 stations_held(const struct air *air)
{
	u64 n = 0;

	for (const struct exchange *x = air->stations ? air->stations->exchanges : NULL; x;
	     x = x->next)
		n += air_count(x->tx.ppdu);
	return n;
}
