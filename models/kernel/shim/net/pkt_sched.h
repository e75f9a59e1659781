/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A qdisc's part of the packet's control block, laid out as in Linux 6.1. */
#ifndef WLANQ_SHIM_NET_PKT_SCHED_H
#define WLANQ_SHIM_NET_PKT_SCHED_H

#include <linux/skbuff.h>

#define QDISC_CB_PRIV_LEN 20

struct qdisc_skb_cb {
	unsigned int pkt_len; /* bytes on the link: a GSO packet's with all its headers */
	u16 slave_dev_queue_mapping;
	u16 tc_classid;
	unsigned char data[QDISC_CB_PRIV_LEN]; /* the qdisc's own */
};

static inline struct qdisc_skb_cb *qdisc_skb_cb(const struct sk_buff *skb)
{
	return (struct qdisc_skb_cb *)skb->cb;
}

#define qdisc_cb_private_validate(skb, size)                                     \
	_Static_assert((size) <= QDISC_CB_PRIV_LEN &&                            \
			       sizeof(struct qdisc_skb_cb) <= sizeof((skb)->cb), \
		       "control block too small")

static inline unsigned int qdisc_pkt_len(const struct sk_buff *skb)
{
	return qdisc_skb_cb(skb)->pkt_len;
}

#endif
