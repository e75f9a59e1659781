/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The simulator's packets as sk_buffs, and back. */
#ifndef WLANQ_TREE_SKB_H
#define WLANQ_TREE_SKB_H

#include <linux/skbuff.h>

#include "shim.h"

/* An sk_buff with header bytes as they would be on the wire; the payload is only counted. */
struct sk_buff *seam_skb_new(const struct seam_packet *p, struct net_device *dev);

/* Tells what became of it, and forgets the sk_buff: the packet goes back to the simulator. */
void seam_skb_give(struct sk_buff *skb, struct seam_given *out);

void *seam_skb_cookie(const struct sk_buff *skb);

/* Why packets that are freed from now on are. */
extern enum seam_gone seam_skb_why;

#endif
