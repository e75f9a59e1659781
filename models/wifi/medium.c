// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The medium when all stations hear each other: an idle period, an exchange, an idle period. One event starts the
 * exchange, one delivers what is received, one ends it.
 */
#include "wifi/air.h"

#include "wifi/bss.h"
#include "wifi/stations.h"
#include "wifi/tap.h"

static const struct air_params *params_of(const struct air *air)
{
	return air->obj.params;
}

static void restart(struct air *air)
{
	sim_time next = edca_next(&air->edca);

	if (next == SIM_TIME_MAX)
		event_cancel(air->obj.sim, &air->contend);
	else
		event_schedule(air->obj.sim, &air->contend, next);
}

/* No frame is on the medium, but one was announced to the station. */
static bool defers(const struct air *air, u32 station)
{
	return air->obj.sim->now < air->reserved && station != air->reserver &&
	       station != air->target;
}

void air_kick(struct wifi_dev *dev, u32 queue)
{
	struct air *air = dev->air;
	struct sim *sim = air->obj.sim;
	u32 c = dev->station * EDCA_QUEUES + queue;
	enum edca_medium medium = EDCA_IDLE;
	sim_time at;

	if (air_contender(air, c)->ready)
		return;
	if (air->stations) {
		stations_kick(air, c);
		return;
	}
	if (air->busy)
		medium = EDCA_BUSY;
	else if (defers(air, dev->station))
		medium = EDCA_RESERVED;
	at = edca_request(&air->edca, c, sim->now, medium);
	if (air->busy || air->settling)
		return;
	if (!event_pending(&air->contend) || at < event_due(&air->contend))
		event_schedule(sim, &air->contend, at);
}

bool air_hold(struct air *air, u32 c)
{
	struct wifi_dev *dev = air->devs[c / EDCA_QUEUES];

	if (dev->presence == WIFI_PRESENT)
		return false;
	if (c % EDCA_QUEUES == EDCA_BEACONS)
		dev->bss->due = false;
	else
		dev->held |= (u8)(1u << QUEUE_AC(c % EDCA_QUEUES));
	edca_withdraw(&air->edca, c);
	return true;
}

void air_stop(struct wifi_dev *dev)
{
	struct air *air = dev->air;

	for (u32 q = 0; q < EDCA_QUEUES; q++)
		if (air_contender(air, dev->station * EDCA_QUEUES + q)->ready)
			air_hold(air, dev->station * EDCA_QUEUES + q);
	if (air->stations)
		stations_stop(air, dev->station);
	else
		edca_stop(&air->edca, dev->station, air->obj.sim->now, !air->busy);
}

void air_resume(struct wifi_dev *dev)
{
	struct air *air = dev->air;
	sim_time now = air->obj.sim->now;

	if (air->stations)
		stations_resume(air, dev->station);
	else
		edca_resume(&air->edca, dev->station, now,
			    defers(air, dev->station) ? air->reserved : now, !air->busy);
	if (!air->stations && !air->busy && !air->settling)
		restart(air);
}

void wifi_kick_first(struct wifi_dev *dev, u32 ac)
{
	if (dev->presence != WIFI_PRESENT) {
		dev->held |= (u8)(1u << ac);
		return;
	}
	air_kick(dev, EDCA_AC(ac));
}

bool wifi_waits(struct wifi_dev *dev, u32 ac, struct lazy *l)
{
	dev->lazy = l;
	return !dev->may_be_absent && dev->presence == WIFI_PRESENT &&
	       air_contender(dev->air, dev->station * EDCA_QUEUES + EDCA_AC(ac))->ready;
}

/*
 * An RTS that is not answered: its station is not there, or defers to others (10.3.2.9), with QoS but to the TXOP's holder
 * (10.23.2.4).
 */
static bool unheard(const struct air *air, const struct transmission *tx)
{
	u32 to = tx->ppdu->to ? tx->ppdu->to->station : air->n;

	if (tx->protect != PROTECT_RTS)
		return false;
	return tx->deaf || (tx->protect_end < air->reserved && to != air->reserver &&
			    to != air->target && !(air->wmm && tx->dev->station == air->reserver));
}

/* A lone transmission starts at @start. */
static void begin(struct air *air, struct transmission *tx, sim_time start)
{
	struct wifi_ppdu *ppdu = tx->ppdu;

	transmission_plan(air, tx, start);
	tx->unheard = unheard(air, tx);
	ppdu->attempts++;
	ppdu->sent += !tx->unheard;
	ppdu->used[ppdu->step]++;
	tx->dev->attempts++;
	air->attempts++;
	transmission_receive(air, tx);
	if (__builtin_expect(air->tap != NULL, 0))
		air_tap_exchange(air->tap, tx);
	event_schedule(air->obj.sim, &air->medium, tx->unheard ? tx->protect_end : tx->data_end);
}

/*
 * Where a transmission that met others is over: behind an RTS its sender waits for the CTS; a CTS to itself asks nothing, and
 * the frame follows.
 */
static sim_time meeting_end(const struct transmission *tx)
{
	return tx->protect == PROTECT_RTS ? tx->protect_end : tx->data_end;
}

/* Several stations transmit at once: nothing is received, and all know it only by the missing response. */
static void collide(struct air *air)
{
	sim_time end = 0;

	air->collisions++;
	for (u32 i = 0; i < air->n_now; i++) {
		struct transmission *tx = &air->now[i];

		transmission_plan(air, tx, tx->start);
		tx->ppdu->attempts++;
		tx->ppdu->sent += tx->protect != PROTECT_RTS;
		tx->ppdu->used[tx->ppdu->step]++;
		tx->dev->attempts++;
		air->attempts++;
		tx->answered = false;
		if (meeting_end(tx) > end)
			end = meeting_end(tx);
	}
	if (__builtin_expect(air->tap != NULL, 0))
		air_tap_collision(air->tap);
	event_schedule(air->obj.sim, &air->medium, end);
}

/*
 * Drivers are asked for what those send whose turn is now. Who has nothing is no winner any more; a queue that must let a higher
 * one of its station go is in .lost. Returns when the next of the winners has its turn.
 */
static sim_time take(struct air *air)
{
	struct edca *e = &air->edca;
	sim_time now = air->obj.sim->now, next = SIM_TIME_MAX;
	u32 kept = 0, last = UINT32_MAX;

	air->settling = true;
	for (u32 i = 0; i < air->n_who; i++) {
		u32 c = air->who[i], station = c / EDCA_QUEUES;
		struct wifi_dev *dev = air->devs[station];
		struct wifi_ppdu *ppdu = NULL;
		sim_time start = air->start[i];
		bool internal = station == last && start >= now;

		if (start == now && !internal && !air_hold(air, c)) {
			ppdu = air_take(air, dev, c);
			if (!ppdu && !air->busy)
				edca_withdraw(e, c);
		}
		if (start == now && !internal && !ppdu) {
			if (air->busy)
				edca_miss(e, c);
			continue;
		}
		if (internal) {
			dev->internal++;
			air->lost[air->n_lost++] = c;
			start = now;
		}
		if (ppdu) {
			last = station;
			air->now[air->n_now++] = (struct transmission){
				.dev = dev, .contender = c, .ppdu = ppdu, .start = now};
		}
		if (start > now && start < next)
			next = start;
		air->who[kept] = c;
		air->start[kept++] = start;
	}
	air->n_who = kept;
	air->settling = false;
	return next;
}

/* The turn of the first, or of one that starts too short a while behind it to have sensed it. */
void air_contend(struct sim *sim, struct event *ev)
{
	struct air *air = container_of(ev, struct air, contend);
	struct edca *e = &air->edca;
	sim_time next;

	if (!air->busy) {
		if (air->watch && stations_needed_now(air))
			return;
		air->n_who = edca_winners(e, sim->now, air->phy.cca, air->who, air->start);
		air->n_now = 0;
	}
	next = take(air);
	if (!air->n_now) {
		restart(air);
		return;
	}
	if (!air->busy) {
		air->exchanges++;
		air->busy = true;
		air->busy_since = sim->now;
		edca_busy(e, sim->now, air->who, air->n_who);
	}
	while (air->n_lost)
		edca_failure(e, air->lost[--air->n_lost]);
	if (next != SIM_TIME_MAX)
		event_schedule(sim, &air->contend, next);
	else if (air->n_now == 1)
		begin(air, &air->now[0], air->now[0].start);
	else
		collide(air);
}

static void deliver(struct air *air, struct transmission *tx)
{
	if (tx->ppdu->to) {
		air_deliver(air, tx, false);
		return;
	}
	for (u32 i = 0; i < air->n; i++)
		beacon_heard(air, tx, i);
}

/* What stations wait before AIFS once the medium is idle again: @rest, or until what was announced before is over. */
static void set_rest(struct air *air, sim_time idle, s32 rest)
{
	s32 nav = air->reserved > idle ? (s32)(air->reserved - idle) : 0;

	edca_idle(&air->edca, idle, rest > nav ? rest : nav);
	if (nav <= rest)
		return;
	edca_rest(&air->edca, air->reserver, rest);
	edca_rest(&air->edca, air->target, rest);
}

/* Nobody answered a lone sender: others heard the frame and wait as if there were a response. */
static void set_rest_unanswered(struct air *air, const struct transmission *tx, sim_time idle)
{
	bool eifs = params_of(air)->after_collision == AFTER_EIFS && !tx->unheard;
	bool first = !air->txop_end[tx->contender]; /* else the frame before it told of this one */
	sim_time until = tx->unheard && first ? transmission_rts_nav(air, tx) : tx->end;
	u32 target = tx->ppdu->to->station;
	s32 rest = eifs ? (s32)air->phy.eifs : 0; /* to its receiver it was a frame with errors */

	if (air->reserved > idle && target != air->reserver && target != air->target &&
	    air->reserved - idle > rest)
		rest = (s32)(air->reserved - idle);
	if (until > air->reserved)
		air->reserved = until;
	air->reserver = tx->dev->station;
	air->target = target;
	edca_idle(&air->edca, idle, (s32)(air->reserved - idle));
	edca_rest(&air->edca, target, rest);
}

static void set_rests(struct air *air, sim_time idle)
{
	struct edca *e = &air->edca;

	if (air->n_now == 1 && idle >= air->now[0].end) {
		set_rest(air, idle, 0);
		return;
	}
	if (air->n_now == 1) {
		set_rest_unanswered(air, &air->now[0], idle);
	} else if (params_of(air)->after_collision == AFTER_DIFS) {
		set_rest(air, idle, 0);
		return;
	} else {
		set_rest(air, idle, (s32)air->phy.eifs);
	}
	for (u32 i = 0; i < air->n_now; i++) {
		struct transmission *tx = &air->now[i];
		sim_time known = meeting_end(tx);

		if (air->n_now == 1 && !tx->unheard) /* the protection was answered */
			known = tx->data_end;
		if (!(tx->ppdu->flags & PPDU_NO_ACK))
			known += wifi_phy_timeout(&air->phy, tx->response);
		edca_rest(e, tx->dev->station, known > idle ? (s32)(known - idle) : 0);
	}
}

/* Goes on inside the TXOP with the next PPDU if there is one that fits. True: it does. */
static bool burst(struct air *air, struct transmission *tx)
{
	struct contender *con = air_contender(air, tx->contender);
	sim_time now = air->obj.sim->now;
	struct transmission next;
	struct wifi_ppdu *ppdu;

	if (!con->params.txop)
		return false;
	if (!air->txop_end[tx->contender])
		air->txop_end[tx->contender] = tx->start + con->params.txop;
	transmission_conclude(air, tx);
	ppdu = con->ready ? air_take(air, tx->dev, tx->contender) : NULL;
	if (!ppdu) {
		edca_withdraw(&air->edca, tx->contender);
		return false;
	}
	next = *tx;
	next.ppdu = ppdu;
	transmission_plan(air, &next, now + air->phy.sifs);
	if (next.end <= air->txop_end[tx->contender]) {
		*tx = next;
		begin(air, tx, next.start);
		return true;
	}
	air_wait(air, ppdu);
	air->waiting[tx->contender] = ppdu;
	return false;
}

static void finish(struct air *air)
{
	struct sim *sim = air->obj.sim;
	struct edca *e = &air->edca;
	sim_time now = sim->now;
	bool told = false;

	for (u32 i = 0; i < air->n_now; i++) {
		struct transmission *tx = &air->now[i];
		sim_time took = now - tx->start;

		tx->ppdu->airtime += took;
		tx->dev->airtime += (u64)took;
		tx->dev->collisions += air->n_now > 1;
		air->collided += air->n_now > 1;
	}
	if (air->n_now == 1 && (air->now[0].answered || air->now[0].ppdu->flags & PPDU_NO_ACK) &&
	    air_contender(air, air->now[0].contender)->params.txop) {
		if (burst(air, &air->now[0]))
			return;
		told = true;
	}

	set_rests(air, now);
	for (u32 i = 0; i < air->n_now; i++) {
		struct transmission *tx = &air->now[i];
		u32 c = tx->contender;

		air->txop_end[c] = 0;
		if (told || tx->answered || (air->n_now == 1 && tx->ppdu->flags & PPDU_NO_ACK)) {
			edca_success(e, c);
		} else if (transmission_again(air, tx)) {
			edca_failure(e, c);
			air->waiting[c] = tx->ppdu;
			tx->ppdu = NULL;
		} else if (tx->ppdu->flags & PPDU_GOES_ON) {
			edca_failure(e, c);
		} else {
			edca_give_up(e, c);
		}
	}
	air->busy_ns += (u64)(now - air->busy_since);
	air->busy = false;
	air->settling = true;
	for (u32 i = 0; i < air->n_now && !told; i++)
		if (air->now[i].ppdu)
			transmission_conclude(air, &air->now[i]);
	air->settling = false;
	air->n_now = 0;
	restart(air);
}

void air_medium(struct sim *sim, struct event *ev)
{
	struct air *air = container_of(ev, struct air, medium);
	struct transmission *tx = &air->now[0];

	if (air->n_now == 1 && sim->now == tx->data_end) {
		if (tx->answered || tx->ppdu->flags & PPDU_NO_ACK)
			deliver(air, tx);
		if (tx->answered) {
			event_schedule(sim, &air->medium, tx->end);
			return;
		}
	}
	finish(air);
}
