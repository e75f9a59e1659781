/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network interface: tx queues with their stop bits, the qdisc on each, the transmit engine of net/sched
 * (bypass, requeue, bulk dequeue) and byte queue limits. Below it stands a driver or mac80211.
 */
#ifndef WLANQ_NET_NETDEV_H
#define WLANQ_NET_NETDEV_H

#include "engine/model.h"
#include "net/host.h"
#include "packet/fifo.h"
#include "packet/layer.h"
#include "packet/link.h"
#include "qdisc/qdisc.h"

extern const struct model_class netdev_class;

struct netdev_params {
	struct slot qdisc; /* per tx queue under mq, or root; empty: the era's default */
	int64_t txqueuelen;
	int64_t mtu;
	struct slot rate_control; /* Wi-Fi only */
	int64_t bql; /* byte queue limits, where the driver has them */
	int64_t bql_limit_min, bql_limit_max, bql_hold_time;
};

#define QUEUE_DRV_XOFF	 0x1
#define QUEUE_STACK_XOFF 0x2

struct bql; /* models/net/bql.h */

struct netdev_queue {
	u8 state; /* QUEUE_*_XOFF */
	bool running; /* inside the transmit loop */
	u32 index;
	struct netdev *dev;
	struct qdisc *qdisc; /* NULL: noqueue */
	struct packet_fifo requeued; /* gso_skb: what met a stopped queue */
	struct event run; /* the deferred transmit (NET_TX softirq) */
	struct bql *bql; /* NULL: none */
	u64 stops, wakes;
	struct qdisc_dev qdev;
};

struct netdev {
	struct object obj;
	struct host *host;
	u16 id; /* address on its link */
	u32 mtu;
	const struct layer_down *lower;
	void *lower_obj;
	struct netdev_queue queues[NETDEV_QUEUES_MAX];
	u32 n_queues;

	struct object *link;
	u16 *members; /* interface ids on the link, own included */
	u32 n_members;

	u64 tx_packets, rx_packets, tx_bytes, rx_bytes;
	u64 noqueue_drops;
};

/* Adds the interface to its host and gives it an id. */
void netdev_register(struct host *h, struct netdev *dev);

/* Sets what stands below; the queues and their qdiscs are made here. */
void netdev_set_lower(struct netdev *dev, const struct layer_down *lower, void *obj);

/* dev_queue_xmit(): takes @p; returns NET_XMIT_* or -ENETDOWN. */
int dev_queue_xmit(struct netdev *dev, struct packet *p);

/* Makes the interface a member of @link, by its link_ops.join. All interfaces of the run are registered. */
void *link_join(struct object *link, struct netdev *dev, char *err, size_t err_len);

#endif
