/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the medium by stations share: stations.c (exchanges), hearing.c (frames), counting.c (contention),
 * stations-setup.c. */
#ifndef WLANQ_WIFI_STATIONS_IMPL_H
#define WLANQ_WIFI_STATIONS_IMPL_H

#include "wifi/stations.h"

#define OVERLAPS \
	16 /* of one reception that are told apart; further ones are taken to last to its end */
#define NOBODY	    UINT32_MAX
#define HEARD_WHOLE 2 /* in exchange.heard: and received without error */

enum frame_kind { FRAME_RTS, FRAME_CTS, FRAME_DATA, FRAME_RESPONSE };

struct exchange;

/* A frame on the air. */
struct frame {
	u32 from;
	enum frame_kind kind;
	sim_time start, header, end; /* .header: end of preamble and PHY header */
	struct exchange *x;
	struct event over;
	struct frame *next; /* of those on the air */
};

/* Part of a reception that other frames overlap. */
struct overlap {
	sim_time start, end;
	s32 power;
};

struct reception {
	struct frame *frame; /* NULL: none */
	bool header; /* preamble and header came through */
	u32 n;
	struct overlap overlaps[OVERLAPS];
};

/* One contender's backoff. */
struct counter {
	bool active; /* counts down, or waits */
	s32 slots;
	sim_time wait; /* first slot boundary of this idle period */
};

struct node {
	u32 heard; /* frames of others on the air that it hears */
	bool sending;
	bool busy; /* to its contenders */
	bool taking; /* drivers are asked for what they send now: others of its queues wait for the outcome */
	bool bad; /* what it heard last was no whole frame */
	bool due; /* its exchange failed, and is told when the medium is idle */
	sim_time since; /* when it got busy last */
	sim_time idle; /* since when it is */
	s32 rest; /* what it waits then before AIFS */
	sim_time nav;
	sim_time timeout; /* a response is waited for, or an EIFS goes on until then */
	u32 holder; /* whose frame set .nav */
	struct wifi_ppdu *next; /* at its turn: what .winner sends; NULL: nothing */
	u32 winner, losers; /* queues; .losers by bit */
	struct exchange *own, *answering;
	struct reception rx;
	struct counter counters[EDCA_QUEUES];
	struct event contend, nav_over;
	struct air *air;
	u32 station;
};

/* One attempt, from its first frame to its last. */
struct exchange {
	struct air *air;
	struct transmission tx;
	u32 to;
	struct frame frame; /* the one on the air, or the next */
	struct event step; /* that one starts */
	bool met; /* began together with another one that it hears */
	bool overlapped; /* its receiver lost it to another frame */
	struct exchange *next; /* of all under way */
	u8 heard[]; /* stations that hear the frame on the air */
};

struct stations {
	struct node *nodes;
	u8 *hears; /* [from * n + to] */
	u32 version; /* of the channel's powers */
	struct frame *frames;
	struct exchange *exchanges;
	struct pool *pool;
};

static inline struct node *node_of(struct air *air, u32 station)
{
	return &air->stations->nodes[station];
}

static inline struct contender *contender_of(struct node *n, u32 queue)
{
	return air_contender(n->air, n->station * EDCA_QUEUES + queue);
}

static inline bool station_hears(const struct air *air, u32 from, u32 to)
{
	return air->stations->hears[from * air->n + to];
}

static inline s32 station_power(const struct air *air, u32 from, u32 to)
{
	if (!air->channel || !air->channel_ops->power)
		return POWER_FULL;
	return air->channel_ops->power(air->channel, from, to);
}

static inline const struct air_params *air_params_of(const struct air *air)
{
	return air->obj.params;
}

/* ---- contention of one station: counting.c -------------------------------------------------------- */

/* When it transmits if the medium stays idle. */
static inline sim_time counter_start(const struct node *n, const struct counter *k)
{
	return k->wait + (sim_time)k->slots * n->air->phy.slot;
}

/* Sets the event of its next transmission, if the medium stays idle. */
void node_schedule(struct node *n);
void node_backoff(struct node *n, u32 queue);
/* The first slot boundaries of an idle time that has begun. */
void node_set_waits(struct node *n);
void node_set_wait(struct node *n, u32 queue);
/* The medium gets busy at @at. Who is to start before it could sense that is not held up. */
void node_busy(struct node *n, sim_time at);
/* It is idle if nothing is on the air that it hears, it is in no exchange, and defers to none. */
void node_maybe_idle(struct node *n);
/* @queue was to start, but has nothing to send: it stops counting where the others of a busy medium did. */
void node_withdraw(struct node *n, u32 queue);
void node_nav_over(struct sim *sim, struct event *ev);

/* ---- frames: hearing.c ----------------------------------------------------------------------------- */

void frame_start(struct frame *f);
void frame_over(struct sim *sim, struct event *ev);
/* Who hears whom may have changed. */
void stations_update(struct air *air);
bool reception_whole(const struct reception *rx);

/* A station's own .contend. stations.c */
void node_contend(struct sim *sim, struct event *ev);

/* ---- exchanges: stations.c ------------------------------------------------------------------------- */

/* A frame of the exchange has ended at the station that it is for; NULL: it is for all. */
void exchange_received(struct exchange *x, struct node *n);
/* The sender of a failed exchange learns of it. */
void exchange_tell_failure(struct node *n);

#endif
