// SPDX-License-Identifier: GPL-3.0-or-later
/* Exchanges of frames between two stations, and who starts them. */
#include "wifi/stations-impl.h"

#include <string.h>

#include "wifi/airtime.h"
#include "wifi/tap.h"

/* ---- exchanges -------------------------------------------------------------------------------------- */

static void step_at(struct exchange *x, u32 from, enum frame_kind kind, sim_time start,
		    sim_time end)
{
	struct wifi_ppdu *ppdu = x->tx.ppdu;

	ppdu->sent += kind == FRAME_DATA;
	x->frame.from = from;
	x->frame.kind = kind;
	x->frame.end = end;
	x->frame.header = start + (kind == FRAME_DATA ? wifi_preamble(ppdu->steps[ppdu->step].rate)
						      : wifi_preamble(x->tx.response));
	event_schedule(x->air->obj.sim, &x->step, start);
}

static void next_frame(struct sim *sim, struct event *ev)
{
	frame_start(&container_of(ev, struct exchange, step)->frame);
}

static void first_frame(struct exchange *x, sim_time start)
{
	const struct transmission *tx = &x->tx;

	if (tx->protect == PROTECT_NONE)
		step_at(x, tx->dev->station, FRAME_DATA, start, tx->data_end);
	else
		step_at(x, tx->dev->station, tx->protect == PROTECT_RTS ? FRAME_RTS : FRAME_CTS,
			start, tx->protect_end);
}

static void plan(struct exchange *x, struct wifi_ppdu *ppdu, sim_time start)
{
	x->tx.ppdu = ppdu;
	x->tx.answered = false;
	x->overlapped = false;
	x->to = ppdu->to ? ppdu->to->station : NOBODY;
	transmission_plan(x->air, &x->tx, start);
}

static void count_attempt(struct exchange *x)
{
	x->tx.ppdu->attempts++;
	x->tx.ppdu->used[x->tx.ppdu->step]++;
	x->tx.dev->attempts++;
	x->air->attempts++;
}

static void free_exchange(struct exchange *x)
{
	struct stations *st = x->air->stations;
	struct exchange **at = &st->exchanges;

	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	if (!st->exchanges) {
		x->air->busy = false;
		x->air->busy_ns += (u64)(x->air->obj.sim->now - x->air->busy_since);
	}
	pool_put(st->pool, x);
}

static void count_airtime(struct exchange *x)
{
	sim_time took = x->air->obj.sim->now - x->tx.start;

	x->tx.ppdu->airtime += took;
	x->tx.dev->airtime += (u64)took;
}

/* The exchange is over without the response it should have had; its sender learns of it when it can. */
static void fail(struct exchange *x)
{
	struct air *air = x->air;
	struct node *sender = node_of(air, x->tx.dev->station);

	sender->due = true;
	if (x->to == NOBODY)
		return;
	if (node_of(air, x->to)->answering == x)
		node_of(air, x->to)->answering = NULL;
	if ((x->met || x->overlapped) && air_params_of(air)->after_collision == AFTER_DIFS)
		return;
	sender->timeout = air->obj.sim->now + wifi_phy_timeout(&air->phy, x->tx.response);
}

void exchange_tell_failure(struct node *n)
{
	struct air *air = n->air;
	struct exchange *x = n->own;
	struct transmission *tx = &x->tx;
	u32 queue = tx->contender % EDCA_QUEUES;
	struct contender *c = contender_of(n, queue);
	bool told = true;

	n->due = false;
	n->own = NULL;
	air->txop_end[tx->contender] = 0;
	count_airtime(x);
	if (x->met || x->overlapped) {
		tx->dev->collisions++;
		air->collided++;
	}
	if (transmission_again(air, tx)) {
		edca_widen(c);
		air->waiting[tx->contender] = tx->ppdu;
		told = false;
	} else if (tx->ppdu->flags & PPDU_GOES_ON) {
		edca_widen(c);
	} else {
		edca_narrow(c);
	}
	node_backoff(n, queue);
	node_set_wait(n, queue);
	if (told)
		transmission_conclude(air, tx);
	free_exchange(x);
}

/* The last frame told of the next one, too. */
static void reserve(struct exchange *x)
{
	struct air *air = x->air;

	node_of(air, x->to)->answering = x;
	for (u32 i = 0; i < air->n; i++) {
		struct node *n = node_of(air, i);

		if (i == x->tx.dev->station || i == x->to)
			continue;
		if ((station_hears(air, x->tx.dev->station, i) || station_hears(air, x->to, i)) &&
		    x->tx.end > n->nav) {
			n->nav = x->tx.end;
			n->holder = x->tx.dev->station;
		}
	}
}

/* Goes on inside the TXOP with the next PPDU if there is one that fits; the one before has been told. */
static bool burst(struct exchange *x)
{
	struct air *air = x->air;
	struct transmission *tx = &x->tx;
	u32 c = tx->contender;
	sim_time start = air->obj.sim->now + air->phy.sifs, began = tx->start;
	struct wifi_ppdu *ppdu;

	if (!air->txop_end[c])
		air->txop_end[c] = began + air_contender(air, c)->params.txop;
	transmission_conclude(air, tx);
	ppdu = air_contender(air, c)->ready ? air_take(air, tx->dev, c) : NULL;
	if (!ppdu) {
		edca_withdraw(&air->edca, c);
		return false;
	}
	plan(x, ppdu, start);
	if (tx->end <= air->txop_end[c]) {
		x->met = false;
		count_attempt(x);
		first_frame(x, start);
		reserve(x);
		return true;
	}
	air_wait(air, ppdu);
	air->waiting[c] = ppdu;
	return false;
}

static void succeed(struct exchange *x)
{
	struct air *air = x->air;
	struct transmission *tx = &x->tx;
	struct node *n = node_of(air, tx->dev->station);
	u32 queue = tx->contender % EDCA_QUEUES;
	struct contender *c = contender_of(n, queue);
	bool told = false;

	count_airtime(x);
	if (c->params.txop) {
		if (burst(x))
			return;
		told = true;
	}
	air->txop_end[tx->contender] = 0;
	n->own = NULL;
	n->bad = false;
	edca_narrow(c);
	node_backoff(n, queue);
	node_maybe_idle(n);
	if (!told)
		transmission_conclude(air, tx);
	free_exchange(x);
	if (!n->busy)
		node_schedule(n);
}

/* What others put over a part of the reception: POWER_NONE, or the strongest. */
static s32 overlap_power(const struct reception *rx, sim_time from, sim_time to)
{
	s32 most = POWER_NONE;

	for (u32 i = 0; i < rx->n; i++)
		if (rx->overlaps[i].start < to && rx->overlaps[i].end > from &&
		    rx->overlaps[i].power > most)
			most = rx->overlaps[i].power;
	return most;
}

/* The receiver has the data frame: which of its MPDUs are whole. True: some are. */
static bool take_data(struct exchange *x, const struct reception *rx)
{
	struct air *air = x->air;
	struct transmission *tx = &x->tx;
	struct wifi_ppdu *ppdu = tx->ppdu;
	wifi_rate r = ppdu->steps[ppdu->step].rate;
	sim_time from = tx->data + wifi_preamble(r), to;
	bool any = false;

	for (u32 i = 0; i < ppdu->n; i++, from = to) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];
		s32 noise;
		u64 loss;

		to = i + 1 == ppdu->n ? tx->data_end
				      : from + (sim_time)(m->bytes + WIFI_DELIMITER) * 8 * SIM_SEC /
							wifi_bps(r);
		noise = overlap_power(rx, from, to);
		m->flags &= (u8)~MPDU_RECEIVED;
		loss = noise != POWER_NONE && !air_params_of(air)->capture
			       ? PROB_ONE
			       : air_loss(air, tx, ppdu->to->station, m->bytes, from, noise);
		if (loss && draw_chance(tx->dev->loss_key, tx->dev->mpdus + i, loss)) {
			x->overlapped |= noise != POWER_NONE;
			continue;
		}
		m->flags |= MPDU_RECEIVED;
		any = true;
	}
	tx->dev->mpdus += ppdu->n;
	return any;
}

/* What came is on the recipient's scoreboard; what came before is told again. */
static void keep_scores(struct wifi_ppdu *ppdu)
{
	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];

		if (m->flags & MPDU_RECEIVED)
			m->p->mac.flags |= MAC_ON_SCOREBOARD;
		else if (ppdu->flags & PPDU_BLOCK_ACK && m->p->mac.flags & MAC_ON_SCOREBOARD)
			m->flags |= MPDU_RECEIVED;
	}
}

static void data_over(struct exchange *x, struct node *n, bool locked)
{
	struct air *air = x->air;
	struct transmission *tx = &x->tx;
	struct wifi_ppdu *ppdu = tx->ppdu;
	sim_time now = air->obj.sim->now;
	bool any;

	for (u32 i = 0; i < ppdu->n; i++)
		ppdu->mpdus[i].flags &= (u8)~MPDU_RECEIVED;
	if (!locked || !n->rx.header) {
		x->overlapped |= n->heard || (locked && !n->rx.header);
		any = false;
	} else {
		any = !tx->deaf && take_data(x, &n->rx);
	}
	if (locked)
		n->bad = !any;
	if (__builtin_expect(air->tap != NULL, 0))
		air_tap_data(air->tap, tx, !any);
	if (any) {
		air_deliver(air, tx, true);
		keep_scores(ppdu);
	}
	if (ppdu->flags & PPDU_NO_ACK) {
		succeed(x);
	} else if (any) {
		n->answering = x;
		step_at(x, x->to, FRAME_RESPONSE, now + air->phy.sifs, tx->end);
	} else {
		fail(x);
	}
}

/* A frame but data has ended. */
static void tell_tap(struct air_tap *tap, const struct frame *f, bool good)
{
	const struct transmission *tx = &f->x->tx;

	if (f->kind == FRAME_RTS)
		air_tap_rts(tap, tx, f->start, good);
	else if (f->kind == FRAME_CTS)
		air_tap_cts(tap, tx, f->start, good);
	else
		air_tap_response(tap, tx, f->start, good);
}

/* Its NAV forbids a CTS: 10.3.2.9; with QoS not to the TXOP's holder: 10.23.2.4. */
static bool defers_to_other(const struct node *n, const struct transmission *tx)
{
	return n->nav > n->air->obj.sim->now && (!n->air->wmm || n->holder != tx->dev->station);
}

/* A frame of the exchange has ended at the station that it is for; NULL: it is for all. */
void exchange_received(struct exchange *x, struct node *n)
{
	struct air *air = x->air;
	struct frame *f = &x->frame;
	struct transmission *tx = &x->tx;
	sim_time now = air->obj.sim->now, sifs = air->phy.sifs;
	bool locked = n && n->rx.frame == f, good = locked && reception_whole(&n->rx);

	if (f->kind == FRAME_DATA && !n) {
		if (__builtin_expect(air->tap != NULL, 0))
			air_tap_data(air->tap, tx, x->met);
		for (u32 i = 0; i < air->n; i++)
			if (x->heard[i] == HEARD_WHOLE)
				beacon_heard(air, tx, i);
		/* who sends to all learns of nothing; the count of what met waits for the medium */
		if (x->met)
			fail(x);
		else
			succeed(x);
		return;
	}
	if (f->kind == FRAME_DATA) {
		data_over(x, n, locked);
		if (locked)
			n->rx.frame = NULL;
		return;
	}
	if (locked) {
		n->bad = !good;
		n->rx.frame = NULL;
	}
	if (__builtin_expect(air->tap != NULL, 0))
		tell_tap(air->tap, f, good || !n);
	switch (f->kind) {
	case FRAME_RTS:
		if (!good || tx->deaf || defers_to_other(n, tx) || n->own ||
		    (n->answering && n->answering != x)) {
			x->overlapped |= !good;
			fail(x);
			break;
		}
		n->answering = x;
		step_at(x, x->to, FRAME_CTS, now + sifs, tx->data - sifs);
		break;
	case FRAME_CTS:
		if (n && !good) {
			x->overlapped = true;
			fail(x);
			break;
		}
		step_at(x, tx->dev->station, FRAME_DATA, now + sifs, tx->data_end);
		break;
	default:
		node_of(air, x->to)->answering = NULL;
		tx->answered = good;
		if (good) {
			succeed(x);
		} else {
			x->overlapped = true;
			fail(x);
		}
	}
}

/* ---- access ----------------------------------------------------------------------------------------- */

/* Others that began too short a while ago to be sensed: a collision, counted once for all. */
static void count_meeting(struct air *air, struct exchange *x, sim_time now)
{
	bool counted = false;

	for (struct exchange *y = air->stations->exchanges; y; y = y->next)
		if (y != x && y->tx.start + air->phy.cca > now)
			counted |= y->met;
	for (struct exchange *y = air->stations->exchanges; y; y = y->next)
		if (y != x && y->tx.start + air->phy.cca > now)
			y->met = true;
	x->met = true;
	air->collisions += !counted;
}

static void start_exchange(struct node *n, u32 queue, struct wifi_ppdu *ppdu)
{
	struct air *air = n->air;
	struct stations *st = air->stations;
	struct exchange *x = pool_get(st->pool);
	sim_time now = air->obj.sim->now;

	memset(x, 0, sizeof(*x));
	x->air = air;
	x->frame.x = x;
	event_init(&x->step, next_frame, RANK_XMIT);
	event_init(&x->frame.over, frame_over, RANK_MEDIUM);
	x->tx.dev = air->devs[n->station];
	x->tx.contender = n->station * EDCA_QUEUES + queue;
	plan(x, ppdu, now);
	if (!st->exchanges) {
		air->busy = true;
		air->busy_since = now;
	}
	x->next = st->exchanges;
	st->exchanges = x;
	if (n->busy)
		count_meeting(air, x, now);
	else
		air->exchanges++;
	n->own = x;
	count_attempt(x);
	first_frame(x, now);
	event_cancel(air->obj.sim, &x->step);
	frame_start(&x->frame);
}

/* The turn of a station: its driver is asked for what it sends. */
static void take(struct node *n)
{
	struct air *air = n->air;
	sim_time now = air->obj.sim->now;

	n->next = NULL;
	n->losers = 0;
	n->taking = true;
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct counter *k = &n->counters[q];
		u32 c = n->station * EDCA_QUEUES + q;

		if (!k->active || !contender_of(n, q)->ready ||
		    counter_start(n, k) >= now + air->phy.cca || air_hold(air, c))
			continue;
		if (n->next) {
			/* A higher category of this station has the turn: an internal collision. */
			air->devs[n->station]->internal++;
			n->losers |= 1u << q;
			k->active = false;
			continue;
		}
		n->next = air_take(air, air->devs[n->station], c);
		if (n->next) {
			n->winner = q;
			k->active = false;
		} else {
			node_withdraw(n, q);
		}
	}
}

static void start(struct node *n)
{
	n->taking = false;
	if (!n->next) {
		if (!n->busy)
			node_schedule(n);
		return;
	}
	start_exchange(n, n->winner, n->next);
	n->next = NULL;
	for (u32 q = 0; q < EDCA_QUEUES; q++)
		if (n->losers & 1u << q) {
			edca_widen(contender_of(n, q));
			node_backoff(n, q);
		}
}

/* All whose turn is now ask their drivers before one of them starts: none knows what the others do. */
void node_contend(struct sim *sim, struct event *ev)
{
	struct air *air = container_of(ev, struct node, contend)->air;

	for (u32 i = 0; i < air->n; i++) {
		struct node *n = node_of(air, i);

		n->taking = &n->contend == ev ||
			    (event_pending(&n->contend) && event_due(&n->contend) == sim->now);
		if (!n->taking)
			continue;
		event_cancel(sim, &n->contend);
		take(n);
	}
	for (u32 i = 0; i < air->n; i++)
		if (node_of(air, i)->taking)
			start(node_of(air, i));
}
