/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network interface: tx queues with their stop bits, the qdisc on each, the transmit engine of net/sched
 * (bypass, requeue, bulk dequeue) and byte queue limits. Below it stands a driver or mac80211.
 */
#ifndef WLANQ_NET_NETDEV_H
#define WLANQ_NET_NETDEV_H

#include "engine/lazy.h"
#include "engine/model.h"
#include "net/bql.h"
#include "net/host.h"
#include "packet/fifo.h"
#include "packet/layer.h"
#include "packet/link.h"
#include "qdisc/qdisc.h"

extern const struct model_class netdev_class;

struct netdev_params {
	struct slot qdisc; /* of each tx queue under mq, or root; empty: noqueue */
	int64_t qdisc_root; /* one qdisc over all tx queues */
	int64_t txqueuelen;
	int64_t mtu;
	struct slot rate_control, mac80211; /* Wi-Fi only */
	int64_t tso; /* where the layer below can */
	struct slot bql; /* of each tx queue, where the driver has byte queue limits; empty: none */
};

#define QUEUE_DRV_XOFF	 0x1
#define QUEUE_STACK_XOFF 0x2

struct netdev_queue {
	u8 state; /* QUEUE_*_XOFF */
	u8 ends_list; /* of these, what ends a list of packets that is on its way */
	bool running; /* inside the transmit loop */
	u32 index;
	struct netdev *dev;
	struct qdisc *qdisc; /* NULL: noqueue */
	struct netdev_queue
		*engine; /* whose transmit loop serves the qdisc: its own, or queue 0's */
	struct packet_fifo requeued; /* gso_skb: what met a stopped queue */
	struct event run; /* the deferred transmit (NET_TX softirq) */
	struct object *bql; /* NULL: no byte queue limits */
	const struct bql_ops *bql_ops;
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
	struct lazy lazy; /* arrivals put off, which go to queues that are stopped */
	struct netdev_queue *last; /* that a packet was given to */
	bool accounts; /* some of the packets belonged to sockets, which are told when they are gone */
	u32 n_queues;
	struct mq_params
		implicit_mq; /* what a plain qdisc stands under when there are several queues */

	struct object *link;
	u16 *members; /* interface ids on the link, own included; g_malloc()ed */
	u32 n_members;

	u64 tx_packets, rx_packets, tx_bytes, rx_bytes;
	u64 stops, wakes;
	u64 noqueue_drops;
};

/* Either bit: the stack gives the queue nothing. */
static inline bool netdev_queue_stopped(const struct netdev_queue *q)
{
	return q->state != 0;
}

/* Adds the interface to its host and gives it an id. */
void netdev_register(struct host *h, struct netdev *dev);

/* Sets what stands below; the queues and their qdiscs are made here. */
void netdev_set_lower(struct netdev *dev, const struct layer_down *lower, void *obj);

/* Has the run's time measured at both sides of what stands below; hands it @up. net/profiled.c */
void netdev_profile(struct netdev *dev, const struct layer_up *up);

/* Runs the queue's qdisc, after what is going on now (netif_schedule_queue()). */
void netdev_queue_schedule(struct netdev_queue *q);
/* The transmit loop (qdisc_run()). */
void netdev_queue_run(struct netdev_queue *q);

/*
 * Whether a packet like the last one would only wait, or be dropped, if it came now, until the interface's lazy is ended;
 * then that is returned, otherwise NULL.
 */
struct lazy *netdev_waits(struct netdev *dev);

/*
 * The last packet was dropped (NET_XMIT_DROP) by a queue that drops all like it until one has left. Then @n more of them
 * were given.
 */
bool netdev_refuses(const struct netdev *dev);
void netdev_refused(struct netdev *dev, u32 n);

/* dev_queue_xmit(): takes @p; returns NET_XMIT_* or -ENETDOWN. */
int dev_queue_xmit(struct netdev *dev, struct packet *p);
/* Its two halves: the tx queue for @p and others of the flow, noted in @p (netdev_pick_tx()); and the way into it. */
struct netdev_queue *dev_select_queue(struct netdev *dev, struct packet *p);
int dev_queue_give(struct netdev_queue *q, struct packet *p);

/* Makes the interface a member of @link, by its link_ops.join. All interfaces of the run are registered. */
void *link_join(struct object *link, struct netdev *dev, char *err, size_t err_len);

#endif
