/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contention for one medium: EDCA, and DCF as EDCA with one access category. All contenders hear each other and lie in
 * arrays, one entry for each that counts down or waits; an idle period is resolved by linear scans when it begins and
 * when it ends, whatever the number of contenders or slots.
 *
 * Time is told relative to the instant at which the medium fell idle (.epoch), as 32-bit ns.
 *
 * Source: IEEE 802.11-2020 10.3.4 (DCF), 10.23.2 (EDCA). DCF takes a slot off at the end of each idle slot; EDCA one at
 * each slot boundary, the one that ends AIFS included.
 */
#ifndef WLANQ_WIFI_EDCA_H
#define WLANQ_WIFI_EDCA_H

#include "engine/draw.h"
#include "engine/model.h"
#include "wifi/phy.h"

#define EDCA_NONE UINT32_MAX

/* Queues of a station: first that of an access point's beacons, then one an access category. The lower goes first. */
#define EDCA_QUEUES  (AC_COUNT + 1u)
#define EDCA_BEACONS 0u
#define EDCA_AC(ac)  ((ac) + 1u)
#define QUEUE_AC(q)  ((q)-1u)

/* One access category's parameters. */
struct edca_params {
	u32 aifsn;
	u32 cwmin, cwmax; /* 2^n - 1 */
	u32 txop; /* ns, 0: one PPDU an access */
};

/* A contender: one queue of one station; its number is station * EDCA_QUEUES + queue. */
struct contender {
	struct edca_params params;
	u32 aifs; /* ns */
	u32 cw; /* now */
	u32 place; /* in the arrays; EDCA_NONE: backoff over, nothing to send */
	bool ready; /* has something to send */
	bool stopped; /* its station is away: it does not count */
	struct draw draw;
};

struct edca {
	struct contender *contenders;
	u32 n_stations;
	u32 slot; /* ns */
	u64 reciprocal; /* of slot, for exact division */
	u32 shift;
	bool dcf;

	sim_time epoch; /* the medium is idle since */
	s32 rest; /* what stations wait on top before AIFS, ns: 0, or NAV, or EIFS - DIFS */
	s32 *own_rest; /* the same of one station, when own_epoch is the present epoch */
	sim_time *own_epoch;

	/* One entry each for who counts down or waits, packed. */
	u32 n;
	u32 n_parked; /* entries with nothing to send */
	u32 *who; /* contender */
	s32 *slots; /* backoff still to count */
	s32 *aifs;
	s32 *wait; /* epoch to the first slot boundary: rest + aifs */
	s32 *parked; /* 0; or INT32_MAX for those with nothing to send */
	s32 *start; /* epoch to the transmission; INT32_MAX for the parked */
};

/* @dcf: the non-QoS rule of counting down. Contenders' params are set with edca_set(). */
void edca_init(struct edca *e, u32 n_stations, u32 slot, bool dcf);
void edca_clear(struct edca *e);

/* @path names the contender's draws. */
void edca_set(struct edca *e, u32 contender, const struct edca_params *params, u32 sifs, u64 seed,
	      const char *path);

/* The standard's defaults: of an AP or a station; @wmm false: a BSS without QoS (dot11EDCATable, 10.2.4.2). */
void edca_defaults(struct edca_params *params, const struct wifi_phy *phy, u32 ac, bool ap,
		   bool wmm);

/* The medium when a contender gets something to send. */
enum edca_medium {
	EDCA_IDLE,
	EDCA_RESERVED, /* no frame is on it, but the station defers to one that was announced (NAV) */
	EDCA_BUSY,
};

/*
 * Contender @c has something to send from @now on. Returns the instant at which it would transmit if the medium stays
 * idle; undefined while it is busy.
 */
sim_time edca_request(struct edca *e, u32 c, sim_time now, enum edca_medium medium);

/* Contender @c turned out to have nothing to send. */
void edca_withdraw(struct edca *e, u32 c);

/*
 * The queues of @station stop counting at @now, and go on with what is left when the medium was idle for AIFS from @from on: @now, or
 * the end of what the station defers to. @idle: the medium is now. None of them has anything to send while they are stopped.
 */
void edca_stop(struct edca *e, u32 station, sim_time now, bool idle);
void edca_resume(struct edca *e, u32 station, sim_time now, sim_time from, bool idle);

/* The contention window alone: back to its least, or doubled. */
static inline void edca_narrow(struct contender *c)
{
	c->cw = c->params.cwmin;
}

static inline void edca_widen(struct contender *c)
{
	c->cw = 2 * c->cw + 1 < c->params.cwmax ? 2 * c->cw + 1 : c->params.cwmax;
}

/* A new backoff: after success, from CWmin. */
void edca_success(struct edca *e, u32 c);
/* After a failure, from the doubled window. */
void edca_failure(struct edca *e, u32 c);
/* After the last attempt failed, from CWmin. */
void edca_give_up(struct edca *e, u32 c);

/* The medium fell idle at @epoch; everyone waits @rest on top of AIFS. */
void edca_idle(struct edca *e, sim_time epoch, s32 rest);
/* Station @station waits @rest instead; right after edca_idle(). */
void edca_rest(struct edca *e, u32 station, s32 rest);

/* When the next transmission starts; SIM_TIME_MAX: nobody has anything to send. */
sim_time edca_next(struct edca *e);

/*
 * Who transmits: all that start at @at or within @window ns behind it, who cannot sense each other. Fills
 * @who (contenders, ascending) and @start (absolute); both have room for all contenders. Returns how many.
 */
u32 edca_winners(struct edca *e, sim_time at, u32 window, u32 *who, sim_time *start);

/* Contender @c, a winner that was to start a little later, has nothing to send: it counted until edca_busy() as all others. */
void edca_miss(struct edca *e, u32 c);

/* The medium got busy at @at: everyone but the @n winners @who stops counting. */
void edca_busy(struct edca *e, sim_time at, const u32 *who, u32 n);

#endif
