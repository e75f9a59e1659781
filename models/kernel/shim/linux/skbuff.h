/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The part of Linux's struct sk_buff that shared kernel code may touch. Its layout is ABI between
 * the program and loaded cores, asserted in models/packet/packet.c.
 */
#ifndef WLANQ_SHIM_LINUX_SKBUFF_H
#define WLANQ_SHIM_LINUX_SKBUFF_H

#include <linux/types.h>

struct sk_buff {
	struct sk_buff *next;
	struct sk_buff *prev;
	u32 len; /* bytes at the netdev: Ethernet header included, no FCS */
	u32 truesize; /* bytes of memory that Linux would charge */
	u32 hash; /* flow hash */
	u32 priority;
	u8 tos; /* DS field with the ECN bits */
	u8 __reserved[3];
	u32 gso; /* segments; 0 and 1: not a GSO packet */
	u64 tstamp;
	char cb[48] __attribute__((aligned(8)));
	void *sk; /* whose account it is on */
	/*
	 * NULL, or called once when the packet leaves its sender's account. It may read this struct only: a
	 * driver that keeps the account open until its completion interrupt keeps a copy of it.
	 */
	void (*destructor)(struct sk_buff *skb);
};

#endif
