/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The part of Linux's struct sk_buff that shared kernel code may touch. Its layout is ABI between
 * the program and loaded cores, asserted in models/packet/packet.c.
 */
#ifndef WLANQ_SHIM_LINUX_SKBUFF_H
#define WLANQ_SHIM_LINUX_SKBUFF_H

/* As in the kernel, whoever includes this gets most of what fq_impl.h and codel_impl.h use. */
#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
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
	 * NULL, or called once when the packet leaves its sender's account. It may read this struct only, and of a
	 * packet that came as far as a driver no more than sk, truesize and len: a driver that keeps the account open
	 * until its completion interrupt keeps these.
	 */
	void (*destructor)(struct sk_buff *skb);
};

/* A queue is a ring of packets through its head, which begins like a packet. */
struct sk_buff_head {
	struct sk_buff *next;
	struct sk_buff *prev;
	u32 qlen;
};

static inline struct sk_buff *skb_queue_end(const struct sk_buff_head *list)
{
	return (struct sk_buff *)list;
}

static inline void __skb_queue_head_init(struct sk_buff_head *list)
{
	list->next = skb_queue_end(list);
	list->prev = skb_queue_end(list);
	list->qlen = 0;
}

static inline u32 skb_queue_len(const struct sk_buff_head *list)
{
	return list->qlen;
}

/* The head, left where it is; NULL when the queue is empty. */
static inline struct sk_buff *skb_peek(const struct sk_buff_head *list)
{
	return list->next == skb_queue_end(list) ? NULL : list->next;
}

static inline struct sk_buff *skb_peek_tail(const struct sk_buff_head *list)
{
	return list->prev == skb_queue_end(list) ? NULL : list->prev;
}

static inline void __skb_queue_tail(struct sk_buff_head *list, struct sk_buff *skb)
{
	skb->next = skb_queue_end(list);
	skb->prev = list->prev;
	list->prev->next = skb;
	list->prev = skb;
	list->qlen++;
}

static inline void __skb_unlink(struct sk_buff *skb, struct sk_buff_head *list)
{
	list->qlen--;
	skb->next->prev = skb->prev;
	skb->prev->next = skb->next;
	skb->next = NULL;
	skb->prev = NULL;
}

static inline struct sk_buff *__skb_dequeue(struct sk_buff_head *list)
{
	struct sk_buff *skb = skb_peek(list);

	if (skb)
		__skb_unlink(skb, list);
	return skb;
}

#define skb_queue_walk_safe(list, skb, tmp)                                   \
	for (skb = (list)->next, tmp = skb->next; skb != skb_queue_end(list); \
	     skb = tmp, tmp = skb->next)

/* A list of packets that is in no queue: ends with NULL. */
#define skb_list_walk_safe(first, skb, tmp)                    \
	for (skb = (first), tmp = skb ? skb->next : NULL; skb; \
	     skb = tmp, tmp = skb ? skb->next : NULL)

static inline void skb_mark_not_on_list(struct sk_buff *skb)
{
	skb->next = NULL;
}

static inline u32 skb_get_hash(struct sk_buff *skb)
{
	return skb->hash;
}

#endif
