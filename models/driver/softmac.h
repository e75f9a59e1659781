/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between mac80211 and a Wi-Fi driver: the driver_ops of such a driver, and what it hands back up.
 */
#ifndef WLANQ_DRIVER_SOFTMAC_H
#define WLANQ_DRIVER_SOFTMAC_H

#include "driver/driver.h"
#include "driver/ring.h"
#include "wifi/mgmt.h"
#include "wifi/wifi.h"

#define SOFTMAC_TIDS 8

struct softmac_sta;

/* One TID towards one peer. */
struct softmac_tid {
	struct softmac_sta *sta;
	u8 tid, ac;
	bool ampdu; /* a block-ack agreement stands */
	bool amsdu; /* A-MSDUs may be in it */
	u16 window; /* frames, of the agreement */
	void *drv; /* the driver's */
};

/* What a station can receive, as it tells others. */
struct softmac_caps {
	bool ht;
	u32 ampdu; /* bytes of the longest A-MPDU; 0: none */
	u32 density; /* ns from the start of one MPDU of an A-MPDU to the next */
	u32 amsdu; /* bytes of the longest A-MSDU */
	u32 mpdu; /* bytes of the longest MPDU inside an A-MPDU */
};

/* A retry chain that rate control has fixed when it was asked about a frame. */
struct softmac_chain {
	u32 n_steps;
	struct wifi_step steps[WIFI_STEPS];
};

#define SOFTMAC_CHAINS \
	256 /* that are kept: more than frames with one of their own can be under way */

/* A peer as a driver knows it; mac80211 owns it. Packets given to a driver carry theirs in p->mac.word. */
struct softmac_sta {
	struct wifi_dev *dev; /* the other end */
	struct softmac_caps caps;
	/* The rate table that rate control keeps up to date: at least one step. */
	u32 n_steps;
	struct wifi_step steps[WIFI_STEPS];
	struct softmac_chain *chains; /* SOFTMAC_CHAINS of them; NULL: rate control fixes none */
	u32 amsdu; /* bytes of the longest A-MSDU by rate control, which 1 byte forbids; 0: no limit */
	bool gone; /* it, or this end, has left: nothing is to be sent to it */
	bool asleep; /* to an access point: it has said that it is away */
	void *rc; /* rate control's */
	struct softmac_tid tids[SOFTMAC_TIDS];
	u64 retries; /* attempts after the first, in the window */
};

static inline struct softmac_sta *packet_sta(const struct packet *p)
{
	return (struct softmac_sta *)(uintptr_t)p->mac.word;
}

static inline void packet_set_sta(struct packet *p, const struct softmac_sta *sta)
{
	p->mac.word = (u64)(uintptr_t)sta;
}

/* packet.mac.flags */
#define SOFTMAC_AMPDU 0x1 /* under a block-ack agreement */
#define SOFTMAC_PROBE 0x2 /* rate control's sample: sent alone, first at packet.mac.rate */
#define SOFTMAC_CHAIN 0x4 /* its chain is sta->chains[packet.mac.rate]; it may be a sample too */

/* What a driver notes in skb.cb. */
struct softmac_cb {
	sim_time since; /* when it got the packet */
};

_Static_assert(sizeof(struct softmac_cb) <= PACKET_CB_MAC, "it lies before the time of entry");

static inline struct softmac_cb *packet_driver(const struct packet *p)
{
	return (struct softmac_cb *)p->skb.cb;
}

/* What became of a PPDU. */
struct softmac_status {
	struct softmac_sta *sta;
	const struct wifi_ppdu *ppdu; /* its steps, what was used of them; packets may be gone */
	u32 acked; /* MPDUs */
	const struct softmac_mgmt *bar; /* a BAR that did not arrive; else NULL */
};

enum softmac_ampdu { AMPDU_START, AMPDU_OPERATIONAL, AMPDU_STOP };

struct softmac_up {
	void (*rx)(void *up, struct packet *p);
	/* The same of several, in their order; takes all of @list. */
	void (*rx_all)(void *up, struct packet_fifo *list);
	void (*wake)(void *up, u32 queue);
	void (*tx_status)(void *up, const struct softmac_status *st);
	/* The driver gave up frames of an agreement: the receiver is to be told to go on at @start. */
	void (*bar)(void *up, struct softmac_tid *tid, u16 start);
	/*
	 * Of drivers that pull: a round over the station queues of @ac is started, the next one that may send is taken (NULL
	 * ends the round), packets are pulled from it, and it is given back; @force: it stays listed though it is empty.
	 */
	void (*pull_start)(void *up, u32 ac);
	struct softmac_tid *(*pull_next)(void *up, u32 ac);
	struct packet *(*pull)(void *up, struct softmac_tid *t);
	void (*pull_return)(void *up, struct softmac_tid *t, bool force);
	/* The driver has frames of @t to send again: it is listed for the next round. */
	void (*pull_again)(void *up, struct softmac_tid *t);
	/* Airtime that was used for @t's station, us. */
	void (*airtime)(void *up, struct softmac_tid *t, u32 tx, u32 rx);
	/* The hardware did not send @p, as its station sleeps: it is mac80211's again. */
	void (*filtered)(void *up, struct packet *p);
	/* A frame that was pulled is done: what AQL charged it with (packet.mac.airtime) is given back. */
	void (*done)(void *up, struct softmac_tid *t, u32 charged);
};

/* kind_ops of a driver whose medium is "wifi". */
struct softmac_ops {
	struct driver_ops driver; /* .down: xmit only */
	/* After attach: how many queues it has, up to NETDEV_QUEUES_MAX. */
	u32 (*queues)(struct object *drv);
	/* Which of them takes @p; p->tid, p->ac and skb.priority are set. */
	u32 (*queue_of)(struct object *drv, const struct packet *p);
	void (*set_up)(struct object *drv, const struct softmac_up *ops, void *up);
	/* A peer is there, before the run; its .tids[].drv are the driver's to set. NULL: not of interest. */
	void (*sta_add)(struct object *drv, struct softmac_sta *sta);
	/*
	 * A block-ack session is about to be asked for, stands (tid->ampdu and .window are set), or is over. At the start
	 * *@start is the next sequence number and the driver may hold back the TID's frames. NULL: no aggregation.
	 */
	void (*ampdu)(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action,
		      u16 *start);
	/* Steps of a retry chain, and tries of one (0: not told); 0 steps: it needs a fixed rate. */
	u8 max_rates, max_tries;
	bool ht_cck; /* it sends at CCK rates to 802.11n stations too */
	bool airtime_fairness, aql; /* features that it declares */
	bool software_cipher; /* it leaves ciphers to mac80211 unless told otherwise */
	/* As layer_down.absorbs, of packets of @tid; NULL: never. */
	bool (*absorbs)(struct object *drv, const struct softmac_tid *tid, struct lazy *l);
	/* The queue that data frames of @ac that it pulls are put on: stopped by it, none are given. */
	u32 (*hw_queue)(struct object *drv, u32 ac);
	/* It takes data frames from mac80211's station queues: says so once it is attached. */
	bool (*pulls)(struct object *drv);
	/* A station queue has packets, or may send again. */
	void (*wake_txq)(struct object *drv, struct softmac_tid *t);
	/* Frames that it has, with the hardware or not; NULL: it is not waited for. */
	u32 (*held)(const struct object *drv);
	/*
	 * A station of this access point has gone to sleep (sta->asleep is set), or is awake: what the driver has for it
	 * waits, or goes on. True: it has something. NULL: the hardware sends all the same.
	 */
	bool (*sleep)(struct object *drv, struct softmac_sta *sta, bool asleep);
	/*
	 * The peer is gone (sta->gone is set), or this station is: what the driver has for it and is not on the air is dropped,
	 * with the cause "flushed". NULL: it has nothing.
	 */
	void (*forget)(struct object *drv, struct softmac_sta *sta);
};

/*
 * A PPDU of this one packet: receiver, size, and the retry chain of its rate table (or, of a management frame, the lowest
 * basic rate). .cookie is its struct softmac_sta.
 */
struct wifi_ppdu *softmac_single(struct wifi_dev *dev, struct packet *p);

/* Attempts after the first. */
static inline u32 softmac_retries(const struct wifi_ppdu *ppdu)
{
	return ppdu->attempts ? ppdu->attempts - 1 : 0;
}

/* The oldest packet of a ring of frames is there, and for a station that is gone. */
static inline bool ring_gone(const struct ring *r)
{
	const struct packet *p = r->slots[r->head].p;

	return p && packet_sta(p)->gone;
}

/* Bytes of the packet's MPDU. */
u32 softmac_bytes(const struct wifi_dev *dev, const struct packet *p);

/* Of drivers with a queue a category: softmac_ops.queues, .queue_of and .hw_queue. */
u32 softmac_queues(struct object *drv);
u32 softmac_queue_of(struct object *drv, const struct packet *p);
u32 softmac_hw_queue(struct object *drv, u32 ac);

/* Tells mac80211 of @ppdu, before its MPDUs are ended. */
void softmac_report(const struct softmac_up *up, void *arg, const struct wifi_ppdu *ppdu);

static inline const struct softmac_ops *softmac_ops(const struct object *drv)
{
	return drv->cls->kind_ops;
}

#endif
