/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* CoDel in a qdisc: a packet's enqueue time is kept in the qdisc's part of the control block. */
#ifndef __NET_SCHED_CODEL_QDISC_H
#define __NET_SCHED_CODEL_QDISC_H

#include <net/codel.h>
#include <net/pkt_sched.h>

/**
 * struct codel_skb_cb - what a qdisc with CoDel knows of a packet in its queue
 * @enqueue_time: when it was queued
 * @mem_usage: its memory as it was charged, for qdiscs with a memory limit
 */
struct codel_skb_cb {
	codel_time_t enqueue_time;
	unsigned int mem_usage;
};

static inline struct codel_skb_cb *get_codel_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct codel_skb_cb));

	return (struct codel_skb_cb *)qdisc_skb_cb(skb)->data;
}

static inline codel_time_t codel_get_enqueue_time(const struct sk_buff *skb)
{
	return get_codel_cb(skb)->enqueue_time;
}

static inline void codel_set_enqueue_time(struct sk_buff *skb)
{
	get_codel_cb(skb)->enqueue_time = codel_get_time();
}

#endif
