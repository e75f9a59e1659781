/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fair queueing among many tins that share one pool of hashed flows: types. See fq_impl.h.
 *
 * A tin is a place that is served as a whole (in mac80211: one station and traffic class). Flows are
 * hashed over the whole pool; a flow belongs to the tin that queued to it first, until it is empty
 * and has been delisted.
 */
#ifndef __NET_SCHED_FQ_H
#define __NET_SCHED_FQ_H

#include <linux/list.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct fq_tin;

/**
 * struct fq_flow - one queue
 * @tin: the tin that it belongs to, NULL while it is idle
 * @flowchain: link in one of the tin's two lists
 * @queue: its packets
 * @backlog: bytes in @queue
 * @deficit: bytes that it may still send in this round
 */
struct fq_flow {
	struct fq_tin *tin;
	struct list_head flowchain;
	struct sk_buff_head queue;
	u32 backlog;
	int deficit;
};

/**
 * struct fq_tin - flows that are served together
 * @new_flows: flows that became busy and have not yet used up a quantum
 * @old_flows: the other busy flows
 * @tin_list: link in fq.tin_backlog while @default_flow holds bytes
 * @default_flow: takes the packets whose flow in the pool belongs to another tin
 * @backlog_bytes: bytes in all flows
 * @backlog_packets: packets in all flows
 * @overlimit: times that packets were dropped from here because fq was over a limit
 * @collisions: packets for which @default_flow was used
 * @flows: flows that became busy, in total
 * @tx_bytes: bytes dequeued
 * @tx_packets: packets dequeued
 */
struct fq_tin {
	struct list_head new_flows;
	struct list_head old_flows;
	struct list_head tin_list;
	struct fq_flow default_flow;
	u32 backlog_bytes;
	u32 backlog_packets;
	u32 overlimit;
	u32 collisions;
	u32 flows;
	u32 tx_bytes;
	u32 tx_packets;
};

/**
 * struct fq - the pool of flows and its limits
 * @flows: the flows
 * @flows_bitmap: which of @flows hold bytes
 * @tin_backlog: tins whose default flow holds bytes
 * @lock: to be held by the user around every call
 * @flows_cnt: number of @flows
 * @limit: packets that all tins together may hold
 * @memory_limit: the same in bytes of memory (truesize)
 * @memory_usage: bytes of memory held
 * @quantum: bytes that a flow is given in a round
 * @backlog: packets held
 * @overlimit: times that packets were dropped because of a limit
 * @overmemory: those of them because of @memory_limit
 * @collisions: packets for which a tin's default flow was used
 */
struct fq {
	struct fq_flow *flows;
	unsigned long *flows_bitmap;

	struct list_head tin_backlog;
	spinlock_t lock;
	u32 flows_cnt;
	u32 limit;
	u32 memory_limit;
	u32 memory_usage;
	u32 quantum;
	u32 backlog;
	u32 overlimit;
	u32 overmemory;
	u32 collisions;
};

/* Takes a packet from a flow with fq_flow_dequeue(), or NULL; may drop some on the way. */
typedef struct sk_buff *fq_tin_dequeue_t(struct fq *, struct fq_tin *, struct fq_flow *flow);

/* Ends a packet that has left its queue. */
typedef void fq_skb_free_t(struct fq *, struct fq_tin *, struct fq_flow *, struct sk_buff *);

/* Is the packet to be removed? */
typedef bool fq_skb_filter_t(struct fq *, struct fq_tin *, struct fq_flow *, struct sk_buff *,
			     void *);

#endif
