/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The air: one channel with its stations, as a link of class "wifi". Of the wifi layer only; others see wifi/wifi.h.
 */
#ifndef WLANQ_WIFI_AIR_H
#define WLANQ_WIFI_AIR_H

#include "engine/pool.h"
#include "measure/histogram.h"
#include "wifi/channel.h"
#include "wifi/edca.h"
#include "wifi/wifi.h"

/* Its parameters and their cross-checks. air-params.c */
extern const struct param air_param_table[], air_member_element[];
void air_check(const void *params, struct model_check *c);

struct air_params {
	struct param_list members; /* of struct object * */
	int64_t standard; /* enum wifi_standard */
	int64_t band; /* enum wifi_band, PARAM_UNSET: the standard's */
	int64_t width; /* Hz */
	int64_t mode; /* enum wifi_bss_mode */
	struct object *ap;
	int64_t wmm; /* PARAM_UNSET: with 11n and 11ac */
	int64_t preamble_short;
	int64_t slot_long;
	struct param_list basic_rates; /* of int64_t bit/s */
	int64_t protection; /* enum wifi_protection, for OFDM and HT frames at 2.4 GHz */
	int64_t rts_threshold; /* bytes of PSDU */
	int64_t slot_time, sifs, plcp, propagation, cca_time,
		signal_extension; /* ns, PARAM_UNSET: the standard's */
	int64_t after_collision; /* AFTER_* */
	int64_t ccmp;
	int64_t loss; /* 2^-32 */
	struct slot channel, interferer;
	int64_t capture;
	int64_t capture_margin; /* 0.001 dB */
	int64_t medium; /* MEDIUM_* */
	int64_t beacons;
	int64_t beacon_interval; /* ns */
	int64_t beacon_bytes;
	int64_t aifsn[AC_COUNT], cwmin[AC_COUNT], cwmax[AC_COUNT], txop[AC_COUNT];
	int64_t ap_aifsn[AC_COUNT], ap_cwmin[AC_COUNT], ap_cwmax[AC_COUNT], ap_txop[AC_COUNT];
	int64_t lifetime[AC_COUNT], ap_lifetime[AC_COUNT]; /* ns, PARAM_UNSET: without end */
};

enum { AFTER_EIFS, AFTER_DIFS };
enum { MEDIUM_AUTO, MEDIUM_SHARED, MEDIUM_STATIONS };

/* A PPDU on its way: who sends it, and when its parts end. */
struct transmission {
	struct wifi_dev *dev;
	u32 contender;
	struct wifi_ppdu *ppdu;
	sim_time start;
	sim_time data; /* the PPDU itself starts, behind its protection */
	sim_time data_end;
	sim_time end; /* with the response */
	sim_time protect_end; /* of the first frame of the exchange */
	wifi_rate response; /* rate of the response to the first frame */
	bool answered; /* the response comes */
	bool deaf; /* whom it is for is not there when it begins */
	bool unheard; /* it begins with an RTS, which is not answered; of the shared medium */
	u8 protect; /* enum wifi_protection that it has */
	wifi_rate protect_rate; /* of its frames */
};

/* A cell (basic service set): an access point with its stations, or stations among themselves. bss.h */
struct bss {
	struct air *air;
	const struct object *link; /* that it is */
	struct bss *next;
	bool adhoc;
	const struct object
		*wanted; /* the interface that is to be the access point; NULL: chosen */
	struct wifi_dev *ap; /* NULL: none */
	struct event tbtt; /* the next beacon falls due */
	bool due; /* one is */
	bool listened; /* stations are told of beacons */
	sim_time target; /* since then */
	u64 sent, beacons; /* since 0; of the window */
	struct histogram delay; /* from target to start, ns */
};

struct air {
	struct object obj;
	struct wifi_phy phy;
	bool wmm;
	struct wifi_dev **devs;
	u32 n, max;
	struct bss bss; /* its own; further ones are linked to it */
	u16 n_ids; /* stations by interface id */
	struct wifi_dev **ids;

	struct object *channel, *interferer; /* NULL: none, or one that loses nothing */
	const struct channel_ops *channel_ops, *interferer_ops;
	const char **names; /* of the stations' nodes */
	u32 *aps; /* by station: the access point of its cell, UINT32_MAX: none */
	struct stations *stations; /* when not all hear all: stations.c */
	bool watch; /* this may come to be */
	u32 version; /* of the channel's powers, when that was looked at last */

	struct edca edca;
	struct wifi_ppdu **waiting; /* by contender: a PPDU between two attempts */
	sim_time *served; /* by contender: when its last PPDU was through */
	sim_time *txop_end; /* by contender: of a burst under way, 0: none */
	bool busy; /* an exchange is under way */
	sim_time reserved; /* until then stations but one defer to a response that does not come */
	u32 reserver, target; /* those that do not: its sender and its receiver */
	bool settling; /* drivers are told of ends: no contention is started */
	struct event contend; /* the next transmission starts */
	struct event medium; /* part of an exchange ends */

	/* Responses to frames at the rate of the last transmission; .of is WIFI_RATE_NONE before the first. */
	struct {
		wifi_rate of, rate;
		sim_time ack, ba; /* how long they take */
	} response;

	u32 n_now; /* transmissions under way */
	struct transmission *now;
	u32 *who; /* scratch, by contender */
	sim_time *start;
	u32 *lost; /* those of .who that had to let another queue of their station go */
	u32 n_who, n_lost;

	struct pool *ppdus, *accounts;
	struct air_tap *tap; /* NULL: nobody listens */
	u64 taken, handed, returned; /* packets pulled, given to receivers, given back; since 0 */
	u64 copies; /* packets given to receivers as copies */

	u64 exchanges, collisions; /* in the window: accesses, and those of more than one station */
	u64 attempts, collided; /* in the window: PPDUs sent, and those that met another */
	u64 busy_ns;
	sim_time busy_since;
};

static inline struct contender *air_contender(struct air *air, u32 c)
{
	return &air->edca.contenders[c];
}

/* Which MPDUs of an attempt that starts is lost is drawn: sets MPDU_RECEIVED and, if any was, .answered. transmission.c */
void transmission_receive(struct air *air, struct transmission *tx);

/* The attempt failed. True: another one follows. transmission.c */
bool transmission_again(struct air *air, struct transmission *tx);

/* Tells the driver of a PPDU that is through. handover.c */
void transmission_conclude(struct air *air, struct transmission *tx);

/* The PPDU that contender @c sends next, NULL when there is none. handover.c */
struct wifi_ppdu *air_take(struct air *air, struct wifi_dev *dev, u32 c);

/* A queue of a station has something to send: as wifi_kick(), which is for access categories. medium.c */
void air_kick(struct wifi_dev *dev, u32 queue);

/* A station goes, or is back: its queues stop counting, and go on. medium.c */
void air_stop(struct wifi_dev *dev);
void air_resume(struct wifi_dev *dev);

/* An absent station's turn has come: it waits until it is back. medium.c */
bool air_hold(struct air *air, u32 c);

/* Station @station received the beacon of @tx; what the channel loses is drawn. bss.c */
void beacon_heard(struct air *air, const struct transmission *tx, u32 station);

/* The beacon that the access point @dev sends now. bss.c */
struct wifi_ppdu *beacon_take(struct wifi_dev *dev);

/* No frame of @ppdu is to be sent any more: all are too old. handover.c */
bool air_expired(const struct wifi_dev *dev, const struct wifi_ppdu *ppdu);

/* Packets of a PPDU go back to waiting for the medium. handover.c */
void air_wait(struct air *air, struct wifi_ppdu *ppdu);

/* Frees the packets of a PPDU; counts them. NULL has none. air.c */
void air_drop(struct air *air, struct wifi_ppdu *ppdu);
u64 air_count(const struct wifi_ppdu *ppdu);

/* The MPDUs that were received go up at the receiver; @copies: the sender keeps its own, and may send them again. handover.c */
void air_deliver(struct air *air, struct transmission *tx, bool copies);

/* 2^-32 of the loss of an MPDU of @bytes at @at on its way to station @to, @noise being the power of others at the receiver. transmission.c */
u64 air_loss(struct air *air, const struct transmission *tx, u32 to, u32 bytes, sim_time at,
	     s32 noise);

/* Until when others defer to the RTS of @tx: they go on if they do not hear the data start (10.3.2.4). transmission.c */
sim_time transmission_rts_nav(const struct air *air, const struct transmission *tx);

/* Plans one attempt that starts at @start: fills in @tx's times. transmission.c */
void transmission_plan(struct air *air, struct transmission *tx, sim_time start);

/* The callbacks of .contend and .medium. */
void air_contend(struct sim *sim, struct event *ev);
void air_medium(struct sim *sim, struct event *ev);

#endif
