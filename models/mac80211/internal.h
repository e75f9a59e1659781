/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structs of mac80211, for its own files. */
#ifndef WLANQ_MAC80211_INTERNAL_H
#define WLANQ_MAC80211_INTERNAL_H

#include "engine/lazy.h"
#include "driver/softmac.h"
#include "mac80211/reorder.h"
#include "mac80211/sched.h"
#include "mac80211/txq.h"
#include "measure/shares.h"
#include "packet/cpu.h"
#include "packet/fifo.h"
#include "packet/layer.h"

#define STA_SEQS (SOFTMAC_TIDS + 1) /* the last for frames without QoS */

/* Who asks for block-ack sessions and how others' requests are answered. */
enum { ADDBA_ACCEPT, ADDBA_REFUSE, ADDBA_IGNORE };

struct mac80211_params {
	int64_t ampdu; /* sessions are started */
	int64_t addba; /* ADDBA_* */
	int64_t ba_window; /* frames granted at most */
	int64_t ba_timeout; /* TU asked for, PARAM_UNSET: by era */
	int64_t max_ampdu,
		max_amsdu; /* bytes that this station receives, PARAM_UNSET: the standard's */
	int64_t ampdu_density; /* ns */
	int64_t amsdu_in_ampdu;
	struct slot txq;
	int64_t aql_limit_low, aql_limit_high, aql_threshold; /* ns */
	int64_t aql, airtime_fairness; /* PARAM_UNSET: as the driver has it */
	int64_t airtime_flags; /* AIRTIME_* */
	int64_t airtime_weight; /* ns */
	int64_t software_cipher; /* PARAM_UNSET: as the driver has it */
	int64_t cipher_cost; /* ns for 1024 bytes */
	int64_t tx_sk_pacing_shift; /* 0: sockets keep theirs */
	int64_t power_save;
	int64_t ps_timeout; /* ns */
	int64_t scan_start, scan_interval; /* ns; PARAM_UNSET: no scans; 0: one */
	int64_t scan_channels, scan_passive;
	struct param_list absent; /* of struct absence */
};

struct absence {
	int64_t at, span; /* ns */
};

#define ERA_AQL 50500 /* Linux 5.5 */

enum { AIRTIME_TX = 1, AIRTIME_RX = 2 };

struct mac80211;

enum ba_state { BA_IDLE, BA_REQUESTED, BA_OPERATIONAL };

/* Originator's side of one TID's session. */
struct ba_tx {
	struct mac80211 *mac;
	struct softmac_tid *tid;
	enum ba_state state;
	u8 dialog;
	u16 start;
	u16 timeout; /* TU, as agreed */
	u32 requests; /* since the last success */
	int64_t last_request; /* jiffy */
	sim_time last_tx;
	struct event response_timer, session_timer;
	struct packet_fifo pending; /* waits for the session, without station queues */
	bool bar_failed;
	u16 bar_start;
};

/* Recipient's side. */
struct ba_rx {
	struct mac80211 *mac;
	u32 station; /* the originator */
	u8 tid;
	bool active;
	u8 dialog;
	u16 timeout; /* TU */
	sim_time last_rx;
	struct event session_timer;
	struct reorder reorder;
};

/* A station queue, of drivers that pull. */
struct sta_txq {
	struct sched_queue sched;
	struct txq_tin *tin;
	bool stopped; /* a block-ack session is being set up */
};

/* A station that is away, or about to be: ps.c. */
enum away_state {
	AWAY_NOT,
	AWAY_TELLS, /* the access point is being told that it will doze */
	AWAY_DOZES,
	AWAY_FLUSHES, /* queues are stopped; the driver sends what it has */
	AWAY_GONE, /* on another channel */
};

struct away {
	enum away_state state;
	bool saves; /* power save is on */
	bool off; /* queues are stopped for it */
	bool told; /* the access point was */
	struct event idle; /* nothing has gone or come for ps_timeout */
	struct event step; /* of leaving the channel, and the return */
	struct event scan, again, absent; /* the next scan, its next excursion, the next absence */
	sim_time flush_end;
	sim_time span; /* of an absence; 0: it is a scan's */
	u32 left; /* channels that the scan has yet to visit */
	u32 next; /* absence */
	sim_time since; /* present or not */
	u64 ns, times; /* in the window: away, dozing included; how often it went */
};

struct sta {
	struct softmac_sta soft;
	struct packet_fifo ps_buffer[AC_COUNT]; /* kept for it while it sleeps */
	struct packet_fifo filtered[AC_COUNT]; /* came back from the hardware, as it sleeps */
	struct sta_txq txqs[SOFTMAC_TIDS];
	struct sched_account airtime[AC_COUNT];
	bool slow; /* CoDel for slow links */
	struct shares rates; /* transmissions of MPDUs by rate */
	wifi_rate last_rate; /* of the last PPDU, WIFI_RATE_NONE: none yet */
	u16 next_seq[SOFTMAC_TIDS];
	s32 last_seq[STA_SEQS]; /* the last one received, -1: none */
	bool dropping; /* the A-MSDU at hand is a repeat */
	u8 dialog; /* last one used */
	struct ba_tx ba_tx[SOFTMAC_TIDS];
	struct ba_rx *ba_rx[SOFTMAC_TIDS]; /* made when first needed */
};

struct mac80211 {
	struct object obj;
	struct wifi_dev *dev;
	u32 hz, era;
	bool qos, ht;
	struct object *drv;
	const struct softmac_ops *ops;
	struct object *rc;
	const struct rate_control_ops *rc_ops;
	bool rc_triggers; /* it says when a block-ack session is to be asked for */
	bool plain; /* QoS frames that go to the driver as they come: no station queues, ciphers or rates of each */
	bool queue_by_ac; /* the driver has a queue a category */
	const struct layer_up *up;
	void *up_arg;
	struct layer_down down;

	struct sta **stas; /* by the air's index; NULL: no peer */
	u32 n_stas;
	u16 last_dst; /* interface that the last frame was for, and its station; NULL: there was none */
	struct sta *last_sta;
	struct softmac_sta **peers; /* packed, in the air's order */
	u32 n_peers;
	u16 next_seq; /* of frames without QoS */

	struct lazy *
		lazy; /* what was put off since the driver would only keep it; NULL: never anything */
	struct softmac_tid *last; /* of the last packet sent */
	/* By hardware queue: stopped by the driver, netdev told so, frames that came all the same. */
	bool stopped[NETDEV_QUEUES_MAX], told[NETDEV_QUEUES_MAX];
	struct packet_fifo pending[NETDEV_QUEUES_MAX];

	bool pulls; /* the driver takes data frames from station queues */
	struct object *txq;
	const struct txq_ops *txq_ops;
	struct sched sched;
	/* What AQL charged the last frame, whose rate, size and kind most others share; .rate is WIFI_RATE_NONE before that. */
	struct {
		wifi_rate rate;
		bool single;
		u32 bytes, us;
	} charged;

	struct cpu *cpu; /* the node's */
	bool ciphers; /* in software, and that takes time */
	sim_time cipher_at; /* when what is being ciphered was pulled or given */
	struct event cipher_done, decipher_done;
	struct packet_fifo deciphering; /* received; mac.word is when each is done */

	struct away away;
	u32 ps_buffered; /* frames kept for all sleeping stations */
	struct softmac_caps caps; /* its own */
	struct reorder_stat reorder;

	/* packets, since 0 */
	u64 tx, no_station, pending_dropped, given; /* from above; lost here; to the driver */
	u64 queued; /* into station queues */
	u64 mgmt_made, mgmt_ended;
	u64 rx, duplicates, delivered; /* from the driver */
	u64 ps_dropped; /* of what was kept for sleeping stations, since 0 */
	u64 left_dropped; /* for or at stations that left, since 0 */
	u64 rx_dropped; /* no room to wait for the processor, since 0 */
	u64 strangers; /* packets from stations that are gone, since 0 */
	u64 expired; /* older than their lifetime, since 0 */
	u64 addba_sent, delba_sent, pending_lost, ps_lost, ps_filtered, left_lost, rx_lost,
		expired_lost; /* of the window */
};

/* params.c */
extern const struct param mac_param_table[];
void mac_check(const void *params, struct model_check *c);

static inline const struct mac80211_params *mac_params(const struct mac80211 *mac)
{
	return mac->obj.params;
}

extern const u8 up_to_ac[8]; /* 802.1D user priority to access category */
extern const struct softmac_up mac_up;

/* Has the run's time measured at what @mac calls; the same of what it is told by its driver. profiled.c */
void mac_profile(struct mac80211 *mac);
const struct softmac_up *mac_profiled_up(struct profile *profile);

/* What was put off has been given to the driver. */
static inline void mac_catch_up(struct mac80211 *mac)
{
	if (mac->lazy)
		lazy_catch_up(mac->lazy);
}

/* Ops of struct layer_down. mac80211.c */
u32 mac_select_queue(void *down, struct packet *p);
bool mac_absorbs(void *down, struct lazy *l);
enum xmit_result mac_xmit(void *down, u32 queue, struct packet *p);

/* Gives @p to the driver, with its sequence number; keeps it if the queue is stopped. mac80211.c */
void mac_give(struct mac80211 *mac, struct sta *sta, struct packet *p);

/* @p is too old to be sent. mac80211.c */
void mac_expire(struct mac80211 *mac, struct packet *p);

/* Rate control is asked about a data frame that goes to the driver. mac80211.c */
void mac_rate(struct mac80211 *mac, struct sta *sta, struct packet *p);

/* Ops of struct rate_control_env. mac80211.c */
void mac_rates_updated(void *arg, struct softmac_sta *soft, u32 kbit);
void mac_aggregate(void *arg, struct softmac_sta *soft, u8 tid);

/* Sends a frame of our own. mac80211.c */
void mac_send_mgmt(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m);

/* A frame of a peer is in order. mac80211.c */
void mac_deliver(void *mac, struct packet *p);

/* ---- station queues: pull.c --------------------------------------------------------------------- */

void pull_init(struct mac80211 *mac, const struct slot *txq);
void pull_init_sta(struct mac80211 *mac, struct sta *sta);

/* A data frame from above is queued for its station. */
void pull_queue(struct mac80211 *mac, struct sta *sta, struct packet *p);
/* The TID's queue is held while a session is set up, and goes on. */
void pull_hold(struct mac80211 *mac, struct softmac_tid *tid, bool hold);
/* The driver is done with a frame that AQL charged. */
void pull_done(struct mac80211 *mac, struct softmac_tid *tid, u32 us);

void mac_pull_start(void *up, u32 ac);
struct softmac_tid *mac_pull_next(void *up, u32 ac);
struct packet *mac_pull(void *up, struct softmac_tid *tid);
void mac_pull_return(void *up, struct softmac_tid *tid, bool force);
void mac_pull_again(void *up, struct softmac_tid *tid);
void mac_airtime(void *up, struct softmac_tid *tid, u32 tx, u32 rx);

/* A station of ours sleeps: its queues are listed no more. True: they have something. Or they go on. */
bool pull_sleep_sta(struct mac80211 *mac, struct sta *sta);
void pull_wake_sta(struct mac80211 *mac, struct sta *sta);

/* What came while a queue was stopped goes on, if it is open, and the layer above is told. mac80211.c */
void mac_pending(struct mac80211 *mac, u32 queue);

/* What is queued for a station is dropped. */
void pull_flush_sta(struct mac80211 *mac, struct sta *sta);

/* A packet goes up, in order and in the clear. mac80211.c */
void mac_up_packet(struct mac80211 *mac, struct packet *p);

/* ---- ciphers in software: cipher.c -------------------------------------------------------------- */

void cipher_init(struct mac80211 *mac, struct cpu *cpu);
void cipher_fini(struct mac80211 *mac);
/* What was sent before is still being ciphered. */
bool cipher_busy(const struct mac80211 *mac);
/* A data frame is sent. True: the next one has to wait; queues are told when it need not. */
bool cipher_tx(struct mac80211 *mac, const struct packet *p);
/* A data frame came. True: it goes up later. */
bool cipher_rx(struct mac80211 *mac, struct packet *p);

/* ---- stations that leave and join: leave.c ------------------------------------------------------ */

void mac_station_remove(struct object *obj, struct object *station);
void mac_station_add(struct object *obj, struct object *station);

/* All sessions with @sta are over, and both ends know. ba.c */
void ba_forget(struct mac80211 *mac, struct sta *sta);

/* ---- stations that are away: ps.c --------------------------------------------------------------- */

void away_init(struct mac80211 *mac); /* before links are ready */
void away_start(struct mac80211 *mac);
void away_stop(struct mac80211 *mac); /* until away_start() */
void away_window_open(struct mac80211 *mac);
int64_t away_share(const struct object *obj, int64_t window);

/* A data frame goes or comes: who dozes wakes up, and the time to the next rest begins anew. */
void away_active(struct mac80211 *mac);
void away_wake(struct mac80211 *mac);
/* A nullfunc frame is through. */
void away_null_done(struct mac80211 *mac, bool acked);

/* The access point: a frame came from @sta, with or without the power management bit. */
void ps_heard(struct mac80211 *mac, struct sta *sta, bool pm);
/* Keeps @p until @sta is awake. */
void ps_buffer(struct mac80211 *mac, struct sta *sta, struct packet *p);
void ps_filtered(void *up, struct packet *p);
u64 ps_held(const struct sta *sta);
void ps_clear_sta(struct mac80211 *mac, struct sta *sta);

/* ---- block-ack sessions: ba.c ------------------------------------------------------------------ */

void ba_init_sta(struct mac80211 *mac, struct sta *sta);
void ba_clear_sta(struct mac80211 *mac, struct sta *sta);

/* The session of @tid stands. */
bool ba_stands(const struct softmac_tid *tid);
/* A data frame is about to be given to the driver. True: it was kept until the session stands. */
bool ba_tx_frame(struct mac80211 *mac, struct sta *sta, struct packet *p);
/* It was given: a session is asked for if there is none. */
void ba_tx_start(struct mac80211 *mac, struct sta *sta, u8 tid);
/* A frame of ours arrived, or a BAR failed. */
void ba_tx_status(struct mac80211 *mac, struct sta *sta, const struct softmac_status *st);

void ba_bar(struct mac80211 *mac, struct softmac_tid *tid, u16 start);

/* A frame of the peer's mac80211; @p is ended. */
void ba_mgmt_rx(struct mac80211 *mac, struct sta *sta, struct packet *p);

/* The session that a received data frame belongs to, NULL: none. */
struct ba_rx *ba_rx_of(struct sta *sta, const struct packet *p);

/* Packets held for sessions, both ways. */
u64 ba_tx_held(const struct sta *sta);
u64 ba_rx_held(const struct sta *sta);

#endif
