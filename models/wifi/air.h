/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The air: one channel with its stations, as a link of class "wifi". Of the wifi layer only; others see wifi/wifi.h.
 */
#ifndef WLANQ_WIFI_AIR_H
#define WLANQ_WIFI_AIR_H

#include "engine/pool.h"
#include "wifi/edca.h"
#include "wifi/wifi.h"

extern const struct model_class wifi_class;

struct air_params {
	struct param_list members; /* of struct object * */
	int64_t standard; /* enum wifi_standard */
	int64_t band; /* enum wifi_band, PARAM_UNSET: the standard's */
	int64_t width; /* Hz */
	int64_t mode; /* AIR_* */
	struct object *ap;
	int64_t wmm; /* PARAM_UNSET: with 11n and 11ac */
	int64_t preamble_short;
	int64_t slot_long;
	struct param_list basic_rates; /* of int64_t bit/s */
	int64_t protection; /* enum wifi_protection, for OFDM and HT frames at 2.4 GHz */
	int64_t rts_threshold; /* bytes of PSDU */
	int64_t slot_time, sifs, plcp, propagation; /* ns, PARAM_UNSET: the standard's */
	int64_t after_collision; /* AFTER_* */
	int64_t ccmp;
	int64_t loss; /* 2^-32 */
	int64_t aifsn[AC_COUNT], cwmin[AC_COUNT], cwmax[AC_COUNT], txop[AC_COUNT];
	int64_t ap_aifsn[AC_COUNT], ap_cwmin[AC_COUNT], ap_cwmax[AC_COUNT], ap_txop[AC_COUNT];
};

enum { AIR_INFRASTRUCTURE, AIR_ADHOC };
enum { AFTER_EIFS, AFTER_DIFS };

/* A PPDU on its way: who sends it, and when its parts end. */
struct transmission {
	struct wifi_dev *dev;
	u32 contender;
	struct wifi_ppdu *ppdu;
	sim_time start;
	sim_time data; /* the PPDU itself starts, behind its protection */
	sim_time data_end;
	sim_time end; /* with the response */
	sim_time protect_end; /* of the first frame of the exchange: where a collision is over */
	wifi_rate response; /* rate of the response to the first frame */
	bool answered; /* the response comes */
};

struct air {
	struct object obj;
	struct wifi_phy phy;
	bool wmm;
	struct wifi_dev **devs;
	u32 n, max;
	struct wifi_dev *ap;
	u16 n_ids; /* stations by interface id */
	struct wifi_dev **ids;

	struct edca edca;
	struct wifi_ppdu **waiting; /* by contender: a PPDU between two attempts */
	sim_time *served; /* by contender: when its last PPDU was through */
	sim_time *txop_end; /* by contender: of a burst under way, 0: none */
	bool busy; /* an exchange is under way */
	bool settling; /* its end is being told: no contention is started */
	struct event contend; /* the next transmission starts */
	struct event medium; /* part of an exchange ends */

	u32 n_now; /* transmissions under way */
	struct transmission *now;
	u32 *who; /* scratch, by contender */
	sim_time *start;

	struct pool *ppdus, *accounts;
	u64 taken, handed, returned; /* packets pulled, given to receivers, given back; since 0 */

	u64 exchanges, collisions; /* in the window: accesses, and those of more than one station */
	u64 attempts, collided; /* in the window: PPDUs sent, and those that met another */
	u64 busy_ns;
	sim_time busy_since;
};

static inline struct contender *air_contender(struct air *air, u32 c)
{
	return &air->edca.contenders[c];
}

/* Plans one attempt that starts at @start: fills in @tx's times. medium.c */
void transmission_plan(struct air *air, struct transmission *tx, sim_time start);

/* The callbacks of .contend and .medium. */
void air_contend(struct sim *sim, struct event *ev);
void air_medium(struct sim *sim, struct event *ev);

#endif
