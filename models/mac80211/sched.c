// SPDX-License-Identifier: GPL-3.0-or-later
#include "mac80211/sched.h"

#define REFERENCE_BYTES 1024u /* AVG_PKT_SIZE */
#define OVERHEAD_BYTES	38u
#define ESTIMATE_MAX	4095u /* kept in 10 bits of 4 us */

void sched_init(struct sched *s)
{
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		INIT_LIST_HEAD(&s->active[ac]);
}

void sched_account_init(const struct sched *s, struct sched_account *a)
{
	a->deficit = s->weight;
	a->limit_low = s->limit_low;
	a->limit_high = s->limit_high;
}

bool sched_may_send(const struct sched *s, const struct sched_account *a)
{
	if (!s->aql || (u32)a->pending < a->limit_low)
		return true;
	return (u32)s->pending_total < s->threshold && (u32)a->pending < a->limit_high;
}

/* A round starts only while the category's pending airtime is below a bound that grows with its queues. */
static bool round_may_start(const struct sched *s, u32 ac)
{
	u32 limit;

	if (!s->aql)
		return true;
	/* without any queue the unsigned product wraps: no bound */
	limit = (s->n_active[ac] - 1) * s->limit_low / 2 + s->limit_high;
	return (u32)s->pending[ac] < limit;
}

void sched_start(struct sched *s, u32 ac)
{
	if (!round_may_start(s, ac)) {
		s->round[ac] = 0;
		return;
	}
	if (!++s->round[ac])
		++s->round[ac];
}

void sched_unlist(struct sched *s, struct sched_queue *q, u32 ac)
{
	if (list_empty(&q->order))
		return;
	list_del_init(&q->order);
	s->n_active[ac]--;
}

static s32 effective_deficit(const struct sched_account *a)
{
	return a->deficit - a->pending;
}

struct sched_queue *sched_next(struct sched *s, u32 ac)
{
	struct sched_queue *q, *first = NULL;
	bool eligible = false;

	if (!s->round[ac])
		return NULL;
	while (!list_empty(&s->active[ac])) {
		bool may;
		s32 deficit;

		q = list_first_entry(&s->active[ac], struct sched_queue, order);
		if (q == first) {
			/* all were seen: once more if only deficits held them back */
			if (!eligible)
				return NULL;
			eligible = false;
		}
		if (!first)
			first = q;
		may = sched_may_send(s, q->account);
		deficit = effective_deficit(q->account);
		eligible |= may;
		if (deficit < 0)
			q->account->deficit += s->weight;
		if (deficit < 0 || !may) {
			list_del_init(&q->order);
			list_add_tail(&q->order, &s->active[ac]);
			continue;
		}
		if (q->round == s->round[ac])
			return NULL;
		sched_unlist(s, q, ac);
		q->round = s->round[ac];
		return q;
	}
	return NULL;
}

/* Within AIRTIME_ACTIVE_DURATION: 100 ms. */
static bool lately(const struct sched *s, const struct sched_account *a, int64_t now)
{
	return now - a->last_active <= s->hz / 10;
}

void sched_list(struct sched *s, struct sched_queue *q, u32 ac, bool has_packets, bool forced,
		int64_t now)
{
	bool has = has_packets || forced;

	if (!list_empty(&q->order))
		return;
	if (!has && (effective_deficit(q->account) >= 0 || !lately(s, q->account, now)))
		return;
	s->n_active[ac]++;
	if (has && s->fairness && (s->use_tx || s->use_rx))
		list_add(&q->order, &s->active[ac]);
	else
		list_add_tail(&q->order, &s->active[ac]);
	if (has)
		q->account->last_active = now;
}

void sched_used(struct sched *s, struct sched_account *a, u32 tx, u32 rx, int64_t now)
{
	a->tx += tx;
	a->rx += rx;
	if (lately(s, a, now))
		a->deficit -= (s32)((s->use_tx ? tx : 0) + (s->use_rx ? rx : 0));
}

void sched_charge(struct sched *s, struct sched_account *a, u32 ac, u32 us)
{
	a->pending += (s32)us;
	s->pending[ac] += (s32)us;
	s->pending_total += (s32)us;
}

void sched_discharge(struct sched *s, struct sched_account *a, u32 ac, u32 us)
{
	a->pending -= (s32)us;
	s->pending[ac] -= (s32)us;
	s->pending_total -= (s32)us;
}

/* A legacy frame's own duration, us. */
static u32 legacy_us(wifi_rate r, u32 len)
{
	u32 rate = (u32)(wifi_bps(r) / 100000);

	if (RATE_MODE(r) == WIFI_CCK)
		return (RATE_SHORT(r) ? 106 : 202) + len * 80 / rate;
	return 36 + len * 80 / rate;
}

static u32 duration_of(u32 bits, bool sgi)
{
	u32 symbols = (REFERENCE_BYTES * 8 * 1024 + bits - 1) / bits;

	return sgi ? symbols * 4 * 18 / 20 : symbols * 4;
}

/* Of 1024 bytes in 1/1024 us, without the low bits that Linux's 16-bit tables lose. */
static u32 reference_duration(wifi_rate r)
{
	wifi_rate lowest = (wifi_rate)(r & ~0xfu);
	u32 bits = wifi_ndbps(r), base = duration_of(wifi_ndbps(lowest), RATE_SGI(r)), shift;

	if (RATE_MODE(r) == WIFI_VHT && RATE_WIDTH(r) == WIFI_20 && RATE_INDEX(r) == 9)
		bits = 346 * RATE_NSS(r);
	shift = 32 - (u32)__builtin_clz(base) > 16 ? 16 - (u32)__builtin_clz(base) : 0;
	return duration_of(bits, RATE_SGI(r)) >> shift << shift;
}

u32 sched_estimate(wifi_rate r, u32 len, bool single)
{
	u32 duration, overhead, us, shift;

	len += OVERHEAD_BYTES;
	if (RATE_LEGACY(r)) {
		us = legacy_us(r, len);
	} else {
		duration = reference_duration(r);
		overhead = 36 + 4 * RATE_NSS(r);
		us = duration * len / REFERENCE_BYTES / 1024; /* 32 bits, as there */
		if (single) {
			us += overhead;
		} else {
			shift = duration > 400 * 1024	? 1
				: duration > 250 * 1024 ? 2
				: duration > 150 * 1024 ? 3
				: duration > 70 * 1024	? 4
							: 5;
			us += overhead >> shift;
			us = us < 4 ? 4 : us;
		}
	}
	return (us < ESTIMATE_MAX ? us : ESTIMATE_MAX) & ~3u;
}
