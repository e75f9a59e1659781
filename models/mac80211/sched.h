/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which station queue may send next, and how much: airtime fairness by deficit, and airtime queue limits (AQL).
 *
 * Source: Linux 6.1 net/mac80211/tx.c (ieee80211_next_txq, __ieee80211_schedule_txq), sta_info.c, airtime.c.
 */
#ifndef WLANQ_MAC80211_SCHED_H
#define WLANQ_MAC80211_SCHED_H

#include <linux/list.h>

#include "driver/softmac.h"

/* One station's account in one access category. */
struct sched_account {
	s32 deficit; /* us */
	s32 pending; /* us that AQL has let go and that are not completed; never negative */
	u32 limit_low, limit_high; /* us */
	int64_t last_active; /* jiffy */
	u64 tx, rx; /* us in the window */
};

/* One station queue. */
struct sched_queue {
	struct list_head order; /* in sched.active */
	struct softmac_tid *tid;
	struct sched_account *account;
	u16 round; /* the last in which it was taken */
};

struct sched {
	bool fairness, aql; /* features of the driver */
	bool use_tx, use_rx; /* airtime_flags */
	u32 hz;
	s32 weight; /* us of a round */
	struct list_head active[AC_COUNT];
	u32 n_active[AC_COUNT]; /* queues in it */
	u16 round[AC_COUNT]; /* 0: none is under way */
	s32 pending[AC_COUNT], pending_total; /* us */
	u32 limit_low, limit_high, threshold; /* us */
};

/* @s is zeroed but for its settings. */
void sched_init(struct sched *s);
void sched_account_init(const struct sched *s, struct sched_account *a);

/* AQL lets the station's @ac send. */
bool sched_may_send(const struct sched *s, const struct sched_account *a);

void sched_start(struct sched *s, u32 ac);
/* The next queue of the round, unlisted; NULL: the round is over. */
struct sched_queue *sched_next(struct sched *s, u32 ac);
/* Lists @q if it has packets, is @forced, or its station is in debt and was active lately. @now: jiffy. */
void sched_list(struct sched *s, struct sched_queue *q, u32 ac, bool has_packets, bool forced,
		int64_t now);

/* @q of @ac is listed no more. */
void sched_unlist(struct sched *s, struct sched_queue *q, u32 ac);

/* Airtime was used. @now: jiffy. */
void sched_used(struct sched *s, struct sched_account *a, u32 tx, u32 rx, int64_t now);

/* A packet was let go, or is done, that was charged @us. */
void sched_charge(struct sched *s, struct sched_account *a, u32 ac, u32 us);
void sched_discharge(struct sched *s, struct sched_account *a, u32 ac, u32 us);

/*
 * What AQL charges for a frame of @len bytes at @r: its share of an assumed aggregate, or (@single) a frame of its own.
 * Multiples of 4 us, at most 4092.
 */
u32 sched_estimate(wifi_rate r, u32 len, bool single);

#endif
