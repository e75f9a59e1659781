// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/edca.h"

#include <stdlib.h>
#include <string.h>

#define LINE	  64u
#define PARKED	  INT32_MAX
#define LONG_IDLE ((sim_time)1 << 30) /* ns; more than any backoff: 32767 slots of 20 us */
#define LONG_AGO  1000 /* slots */
#define NEVER	  (1 << 30) /* AIFS of who is away: beyond LONG_IDLE, with room for backoff on top */
#define WINNER	  (1 << 20) /* slots of who transmits: out of the way of the countdown */

static void *array(u32 n, size_t size)
{
	size_t bytes = (n * size + LINE - 1) / LINE * LINE;
	void *p = aligned_alloc(LINE, bytes ? bytes : LINE);

	if (!p)
		abort();
	memset(p, 0, bytes ? bytes : LINE);
	return p;
}

void edca_init(struct edca *e, u32 n_stations, u32 slot, bool dcf)
{
	u32 n = n_stations * EDCA_QUEUES, log2 = 0;

	memset(e, 0, sizeof(*e));
	e->n_stations = n_stations;
	e->slot = slot;
	e->dcf = dcf;
	/* x / slot == x * reciprocal >> shift for all x < 2^30 (Granlund and Montgomery, 1994, theorem 4.2). */
	while (1u << log2 < slot)
		log2++;
	e->shift = 30 + log2;
	e->reciprocal = (1ULL << e->shift) / slot + 1;

	e->contenders = array(n, sizeof(*e->contenders));
	e->own_rest = array(n_stations, sizeof(*e->own_rest));
	e->own_epoch = array(n_stations, sizeof(*e->own_epoch));
	e->who = array(n, sizeof(*e->who));
	e->slots = array(n, sizeof(*e->slots));
	e->aifs = array(n, sizeof(*e->aifs));
	e->wait = array(n, sizeof(*e->wait));
	e->parked = array(n, sizeof(*e->parked));
	e->start = array(n, sizeof(*e->start));
	for (u32 i = 0; i < n; i++)
		e->contenders[i].place = EDCA_NONE;
	for (u32 i = 0; i < n_stations; i++)
		e->own_epoch[i] = -1;
}

void edca_clear(struct edca *e)
{
	free(e->contenders);
	free(e->own_rest);
	free(e->own_epoch);
	free(e->who);
	free(e->slots);
	free(e->aifs);
	free(e->wait);
	free(e->parked);
	free(e->start);
	memset(e, 0, sizeof(*e));
}

void edca_set(struct edca *e, u32 contender, const struct edca_params *params, u32 sifs, u64 seed,
	      const char *path)
{
	static const char *const domains[EDCA_QUEUES] = {"backoff.beacon", "backoff.vo",
							 "backoff.vi", "backoff.be", "backoff.bk"};
	struct contender *c = &e->contenders[contender];

	c->params = *params;
	c->aifs = sifs + params->aifsn * e->slot;
	c->cw = params->cwmin;
	draw_init(&c->draw, seed, path, domains[contender % EDCA_QUEUES]);
}

void edca_defaults(struct edca_params *params, const struct wifi_phy *phy, u32 ac, bool ap,
		   bool wmm)
{
	bool dsss = phy->standard == WIFI_11B;

	/* txop: 6016 and 3264 us for DSSS, 3008 and 1504 us for OFDM */
	memset(params, 0, sizeof(*params));
	params->aifsn = 2;
	params->cwmin = phy->cwmin;
	params->cwmax = 1023;
	if (!wmm)
		return;
	switch (ac) {
	case AC_VO:
		params->aifsn = ap ? 1 : 2;
		params->cwmin = (phy->cwmin + 1) / 4 - 1;
		params->cwmax = (phy->cwmin + 1) / 2 - 1;
		params->txop = (u32)((dsss ? 102 : 47) * 32 * SIM_US);
		break;
	case AC_VI:
		params->aifsn = ap ? 1 : 2;
		params->cwmin = (phy->cwmin + 1) / 2 - 1;
		params->cwmax = phy->cwmin;
		params->txop = (u32)((dsss ? 188 : 94) * 32 * SIM_US);
		break;
	case AC_BE:
		params->aifsn = 3;
		if (ap) /* hostapd */
			params->cwmax = 4 * (phy->cwmin + 1) - 1;
		break;
	default:
		params->aifsn = 7;
	}
}

static s32 rest_of(const struct edca *e, u32 station)
{
	return e->own_epoch[station] == e->epoch ? e->own_rest[station] : e->rest;
}

static s32 start_of(const struct edca *e, u32 i)
{
	return (e->wait[i] + e->slots[i] * (s32)e->slot) | e->parked[i];
}

static u32 enter(struct edca *e, u32 c, s32 slots)
{
	struct contender *con = &e->contenders[c];
	u32 i = e->n++;

	con->place = i;
	e->who[i] = c;
	e->slots[i] = slots;
	e->aifs[i] = con->stopped ? NEVER : (s32)con->aifs;
	e->wait[i] = rest_of(e, c / EDCA_QUEUES) + e->aifs[i];
	e->parked[i] = 0;
	return i;
}

static void leave(struct edca *e, u32 i)
{
	u32 last = --e->n;

	e->contenders[e->who[i]].place = EDCA_NONE;
	if (e->parked[i])
		e->n_parked--;
	if (i == last)
		return;
	e->who[i] = e->who[last];
	e->slots[i] = e->slots[last];
	e->aifs[i] = e->aifs[last];
	e->wait[i] = e->wait[last];
	e->parked[i] = e->parked[last];
	e->start[i] = e->start[last];
	e->contenders[e->who[i]].place = i;
}

/* Nobody counts any more but who is away. The epoch moves by whole slots, so that 32 bits do. */
static void move_epoch(struct edca *e, sim_time now)
{
	sim_time epoch = e->epoch + ((now - e->epoch) / e->slot - LONG_AGO) * e->slot;

	for (u32 i = e->n; i-- > 0;)
		if (!e->contenders[e->who[i]].stopped)
			leave(e, i);
	for (u32 i = 0; i < e->n_stations; i++)
		if (e->own_epoch[i] == e->epoch)
			e->own_epoch[i] = epoch;
	e->epoch = epoch;
}

sim_time edca_request(struct edca *e, u32 c, sim_time now, enum edca_medium medium)
{
	struct contender *con = &e->contenders[c];
	s32 late, gone;
	u32 i;

	if (medium == EDCA_IDLE && now - e->epoch >= LONG_IDLE)
		move_epoch(e, now);
	con->ready = true;
	if (con->place == EDCA_NONE) {
		/* Its last backoff ran out long ago. On a busy medium it needs a new one. */
		i = enter(e, c,
			  medium == EDCA_IDLE ? 0 : (s32)draw_next_below(&con->draw, con->cw + 1));
	} else {
		i = con->place;
		if (e->parked[i])
			e->n_parked--;
		e->parked[i] = 0;
	}
	if (medium == EDCA_BUSY)
		return SIM_TIME_MAX;
	e->start[i] = start_of(e, i);
	late = (s32)(now - e->epoch) - e->start[i];
	if (late > 0) {
		/* Backoff and AIFS are over: at once; with EDCA at the next slot boundary. */
		gone = e->dcf ? late : (late + (s32)e->slot - 1) / (s32)e->slot * (s32)e->slot;
		e->wait[i] = e->start[i] + gone;
		e->slots[i] = 0;
		e->start[i] = e->wait[i];
	}
	return e->epoch + e->start[i];
}

void edca_withdraw(struct edca *e, u32 c)
{
	struct contender *con = &e->contenders[c];

	if (!con->ready)
		return;
	con->ready = false;
	if (con->place == EDCA_NONE)
		return;
	e->parked[con->place] = PARKED;
	e->start[con->place] = PARKED;
	e->n_parked++;
}

void edca_stop(struct edca *e, u32 station, sim_time now, bool idle)
{
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct contender *con = &e->contenders[station * EDCA_QUEUES + q];
		u32 i = con->place;

		con->stopped = true;
		if (i == EDCA_NONE)
			continue;
		if (idle && now - e->epoch >= e->wait[i]) {
			sim_time counted = (now - e->epoch - e->wait[i]) / e->slot + !e->dcf;

			e->slots[i] = counted < e->slots[i] ? e->slots[i] - (s32)counted : 0;
		}
		e->aifs[i] = NEVER;
		e->wait[i] = NEVER;
		if (!e->slots[i])
			leave(e, i);
	}
}

void edca_resume(struct edca *e, u32 station, sim_time now, sim_time from, bool idle)
{
	if (idle && now - e->epoch >= LONG_IDLE)
		move_epoch(e, now);
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct contender *con = &e->contenders[station * EDCA_QUEUES + q];
		u32 i = con->place;

		con->stopped = false;
		if (i == EDCA_NONE)
			continue;
		e->aifs[i] = (s32)con->aifs;
		if (idle)
			e->wait[i] = (s32)(from - e->epoch) + (s32)con->aifs;
	}
}

static void backoff(struct edca *e, u32 c)
{
	struct contender *con = &e->contenders[c];
	s32 slots = (s32)draw_next_below(&con->draw, con->cw + 1);

	if (con->place == EDCA_NONE)
		enter(e, c, slots);
	else
		e->slots[con->place] = slots;
}

void edca_success(struct edca *e, u32 c)
{
	edca_narrow(&e->contenders[c]);
	backoff(e, c);
}

void edca_failure(struct edca *e, u32 c)
{
	edca_widen(&e->contenders[c]);
	backoff(e, c);
}

void edca_give_up(struct edca *e, u32 c)
{
	edca_success(e, c);
}

void edca_idle(struct edca *e, sim_time epoch, s32 rest)
{
	s32 *restrict wait = e->wait;
	const s32 *restrict aifs = e->aifs;
	u32 n = e->n;

	e->epoch = epoch;
	e->rest = rest;
	for (u32 i = 0; i < n; i++)
		wait[i] = rest + aifs[i];
}

void edca_rest(struct edca *e, u32 station, s32 rest)
{
	e->own_epoch[station] = e->epoch;
	e->own_rest[station] = rest;
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		struct contender *con = &e->contenders[station * EDCA_QUEUES + q];

		if (con->place != EDCA_NONE)
			e->wait[con->place] = rest + e->aifs[con->place];
	}
}

sim_time edca_next(struct edca *e)
{
	const s32 *restrict wait = e->wait, *restrict slots = e->slots,
			    *restrict parked = e->parked;
	s32 *restrict start = e->start;
	s32 slot = (s32)e->slot, least = PARKED;
	u32 n = e->n;

	for (u32 i = 0; i < n; i++) {
		start[i] = (wait[i] + slots[i] * slot) | parked[i];
		least = start[i] < least ? start[i] : least;
	}
	return least == PARKED ? SIM_TIME_MAX : e->epoch + least;
}

u32 edca_winners(struct edca *e, sim_time at, u32 window, u32 *who, sim_time *start)
{
	s32 first = (s32)(at - e->epoch), last = first + (s32)window;
	u32 n = 0;

	for (u32 i = 0; i < e->n; i++) {
		u32 k = n;

		if (e->start[i] >= last)
			continue;
		for (; k && who[k - 1] > e->who[i]; k--) {
			who[k] = who[k - 1];
			start[k] = start[k - 1];
		}
		who[k] = e->who[i];
		start[k] = e->epoch + e->start[i];
		n++;
	}
	return n;
}

/* Who has counted down to zero behind the busy medium: gone if there is nothing to send. */
static void settle(struct edca *e)
{
	for (u32 i = e->n; i-- > 0;) {
		struct contender *con = &e->contenders[e->who[i]];

		if (e->slots[i])
			continue;
		if (e->parked[i])
			leave(e, i);
		else if (e->dcf) /* the medium did not stay idle for its DIFS */
			e->slots[i] = (s32)draw_next_below(&con->draw, con->cw + 1);
	}
}

void edca_busy(struct edca *e, sim_time at, const u32 *who, u32 n)
{
	const s32 *restrict wait = e->wait;
	s32 *restrict slots = e->slots;
	sim_time passed = at - e->epoch;
	s32 now = (s32)(passed < LONG_IDLE ? passed : LONG_IDLE - 1);
	u64 reciprocal = e->reciprocal;
	u32 shift = e->shift, edge = !e->dcf, zeroes = 0, entries = e->n;

	for (u32 k = 0; k < n; k++)
		slots[e->contenders[who[k]].place] = WINNER;
	for (u32 i = 0; i < entries; i++) {
		s32 idle = now - wait[i];
		u32 x = idle < 0 ? 0 : (u32)idle;
		s32 counted = (s32)((x * reciprocal) >> shift) + (s32)edge;
		s32 left = slots[i] - (idle < 0 ? 0 : counted);

		slots[i] = left < 0 ? 0 : left;
		zeroes |= left <= 0;
	}
	if (zeroes && (e->n_parked || e->dcf))
		settle(e);
}

void edca_miss(struct edca *e, u32 c)
{
	u32 i = e->contenders[c].place;

	if (i == EDCA_NONE)
		return;
	/* its last slot ends when it was to start: EDCA has taken it off at its beginning */
	e->slots[i] = e->dcf && e->start[i] > e->wait[i];
	if (!e->slots[i])
		leave(e, i);
	edca_withdraw(e, c);
}
