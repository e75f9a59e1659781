// SPDX-License-Identifier: GPL-3.0-or-later
/* Frames on the air: who hears them, who receives them, and what others do to that. */
#include "wifi/stations-impl.h"

#include "wifi/airtime.h"
#include "wifi/tap.h"

void stations_update(struct air *air)
{
	struct stations *st = air->stations;
	u32 n = air->n, version = 1;
	s32 threshold = INT32_MIN;

	if (air->channel && air->channel_ops->power) {
		version = air->channel_ops->version(air->channel);
		threshold = air->channel_ops->threshold(air->channel);
	}
	if (version == st->version)
		return;
	st->version = version;
	for (u32 a = 0; a < n; a++)
		for (u32 b = 0; b < n; b++)
			st->hears[a * n + b] = a != b && station_power(air, a, b) >= threshold;
}

/* The other frame is stronger by the margin that a receiver needs to lock to it. */
static bool captures(const struct air *air, const struct frame *strong, const struct frame *weak,
		     u32 at)
{
	const struct air_params *p = air_params_of(air);

	return p->capture &&
	       station_power(air, strong->from, at) - station_power(air, weak->from, at) >=
		       p->capture_margin;
}

static void lock(struct reception *rx, struct frame *f)
{
	rx->frame = f;
	rx->header = true;
	rx->n = 0;
}

static void note_overlap(struct air *air, struct node *n, const struct frame *other, sim_time from)
{
	struct reception *rx = &n->rx;

	if (rx->n == OVERLAPS) {
		rx->overlaps[OVERLAPS - 1].end = rx->frame->end;
		return;
	}
	rx->overlaps[rx->n++] =
		(struct overlap){.start = from,
				 .end = other->end,
				 .power = station_power(air, other->from, n->station)};
}

/* A further frame arrives at a station that is receiving one. */
static void interfere(struct air *air, struct node *n, struct frame *f, sim_time now)
{
	struct frame *locked = n->rx.frame;

	if (captures(air, f, locked, n->station)) {
		/* the receiver turns to the stronger one */
		lock(&n->rx, f);
		note_overlap(air, n, locked, now);
		return;
	}
	if (now < locked->header && !captures(air, locked, f, n->station))
		n->rx.header = false;
	note_overlap(air, n, f, now);
}

/* Others are on the air that the station could not lock to; this one may be strong enough. */
static void try_lock(struct air *air, struct node *n, struct frame *f, sim_time now)
{
	for (struct frame *g = air->stations->frames; g; g = g->next)
		if (g != f && station_hears(air, g->from, n->station) &&
		    !captures(air, f, g, n->station))
			return;
	lock(&n->rx, f);
	for (struct frame *g = air->stations->frames; g; g = g->next)
		if (g != f && station_hears(air, g->from, n->station))
			note_overlap(air, n, g, now);
}

void frame_start(struct frame *f)
{
	struct air *air = f->x->air;
	struct stations *st = air->stations;
	sim_time now = air->obj.sim->now;
	struct node *sender = node_of(air, f->from);

	stations_update(air);
	f->start = now;
	f->next = st->frames;
	st->frames = f;
	node_busy(sender, now);
	sender->sending = true;
	sender->bad = false;
	sender->timeout = 0;
	sender->rx.frame = NULL;
	for (u32 i = 0; i < air->n; i++) {
		struct node *n = node_of(air, i);

		f->x->heard[i] = station_hears(air, f->from, i);
		if (!f->x->heard[i])
			continue;
		/* no response can come any more, nor does an EIFS go on (10.3.2.11, 10.3.2.3.7) */
		if (!n->heard++ && !n->sending)
			n->timeout = 0;
		node_busy(n, now);
		if (n->sending)
			continue;
		if (n->rx.frame)
			interfere(air, n, f, now);
		else if (n->heard == 1)
			lock(&n->rx, f);
		else
			try_lock(air, n, f, now);
	}
	event_schedule(air->obj.sim, &f->over, f->end);
}

static void unlink_frame(struct stations *st, struct frame *f)
{
	struct frame **at = &st->frames;

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
}

/* Others learn of what is to come: the Duration field. */
static void announce(struct node *n, const struct frame *f)
{
	const struct transmission *tx = &f->x->tx;
	sim_time until = f->kind == FRAME_RTS ? transmission_rts_nav(n->air, tx) : tx->end;

	if (until > n->nav) {
		n->nav = until;
		n->holder = tx->dev->station;
	}
}

bool reception_whole(const struct reception *rx)
{
	return rx->header && !rx->n;
}

/* Frames are told of when they end: one that is on the air yet may have begun before others. */
static void settle_tap(struct air *air, sim_time now)
{
	for (const struct frame *f = air->stations->frames; f; f = f->next)
		if (f->start < now)
			now = f->start;
	air_tap_settle(air->tap, now);
}

void frame_over(struct sim *sim, struct event *ev)
{
	struct frame *f = container_of(ev, struct frame, over);
	struct exchange *x = f->x;
	struct air *air = x->air;
	struct node *sender = node_of(air, f->from);
	u32 addressed = f->kind == FRAME_CTS && f->from != x->to ? NOBODY
			: f->from == x->to			 ? x->tx.dev->station
								 : x->to;
	struct node *target = addressed == NOBODY ? NULL : node_of(air, addressed);

	unlink_frame(air->stations, f);
	sender->sending = false;
	for (u32 i = 0; i < air->n; i++) {
		struct node *n = node_of(air, i);

		/* powers may have changed since: who heard it start is who hears it end */
		if (!x->heard[i])
			continue;
		n->heard--;
		if (n == target || n->rx.frame != f)
			continue;
		n->bad = !reception_whole(&n->rx);
		if (!n->bad) {
			announce(n, f);
			x->heard[i] = HEARD_WHOLE;
		}
		n->rx.frame = NULL;
	}
	if (__builtin_expect(air->tap != NULL, 0))
		settle_tap(air, f->start);
	exchange_received(x, target);
	for (u32 i = 0; i < air->n; i++)
		if (i != f->from && x->heard[i])
			node_maybe_idle(node_of(air, i));
	node_maybe_idle(sender);
}
