/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_NET_INET_ECN_H
#define WLANQ_SHIM_NET_INET_ECN_H

#include <linux/skbuff.h>

enum {
	INET_ECN_NOT_ECT = 0,
	INET_ECN_ECT_1 = 1,
	INET_ECN_ECT_0 = 2,
	INET_ECN_CE = 3,
	INET_ECN_MASK = 3,
};

/* Marks an ECN-capable packet; one that is marked already counts as well. */
static inline int INET_ECN_set_ce(struct sk_buff *skb)
{
	if ((skb->tos & INET_ECN_MASK) == INET_ECN_NOT_ECT)
		return 0;

	skb->tos |= INET_ECN_CE;
	return 1;
}

static inline int skb_get_dsfield(struct sk_buff *skb)
{
	return skb->tos;
}

#endif
