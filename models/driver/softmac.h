/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between mac80211 and a Wi-Fi driver: the driver_ops of such a driver, and what it hands back up.
 */
#ifndef WLANQ_DRIVER_SOFTMAC_H
#define WLANQ_DRIVER_SOFTMAC_H

#include "driver/driver.h"
#include "wifi/wifi.h"

/* A peer as a driver knows it; mac80211 owns it. Packets given to a driver carry theirs in p->mac.word. */
struct softmac_sta {
	struct wifi_dev *dev; /* the other end */
	/* The rate table that rate control keeps up to date: at least one step. */
	u32 n_steps;
	struct wifi_step steps[WIFI_STEPS];
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

/* A management frame: .payload is the size of its body. It ends in the receiver's mac80211. */
#define PROTO_WIFI_MGMT 254

/* What became of a PPDU. */
struct softmac_status {
	struct softmac_sta *sta;
	const struct wifi_ppdu *ppdu; /* its steps, what was used of them; packets may be gone */
	u32 acked; /* MPDUs */
};

struct softmac_up {
	void (*rx)(void *up, struct packet *p);
	void (*wake)(void *up, u32 queue);
	void (*tx_status)(void *up, const struct softmac_status *st);
};

/* kind_ops of a driver whose medium is "wifi". */
struct softmac_ops {
	struct driver_ops driver; /* .down: xmit only */
	/* After attach: how many queues it has, up to NETDEV_QUEUES_MAX. */
	u32 (*queues)(struct object *drv);
	/* Which of them takes @p; p->tid, p->ac and skb.priority are set. */
	u32 (*queue_of)(struct object *drv, const struct packet *p);
	void (*set_up)(struct object *drv, const struct softmac_up *ops, void *up);
};

/*
 * A PPDU of this one packet: receiver, size, and the retry chain of its rate table (or, of a management frame, the lowest
 * basic rate). .cookie is its struct softmac_sta.
 */
struct wifi_ppdu *softmac_single(struct wifi_dev *dev, struct packet *p);

/* Bytes of the packet's MPDU. */
u32 softmac_bytes(const struct wifi_dev *dev, const struct packet *p);

static inline const struct softmac_ops *softmac_ops(const struct object *drv)
{
	return drv->cls->kind_ops;
}

#endif
