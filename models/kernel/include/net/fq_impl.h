/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fair queueing among tins that share one pool of flows: deficit round robin with a list of new
 * flows that is served first, so that sparse flows do not wait behind bulk ones (as RFC 8290 has it,
 * without CoDel, which the user may put into its dequeue function). When a limit is exceeded the
 * flow that holds the most bytes, of whichever tin, loses packets from its head.
 *
 * To be included by the one file of a user that queues and dequeues.
 */
#ifndef __NET_SCHED_FQ_IMPL_H
#define __NET_SCHED_FQ_IMPL_H

#include <linux/bitmap.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/fq.h>

#define FQ_DEFAULT_QUANTUM	300
#define FQ_DEFAULT_LIMIT	8192
#define FQ_DEFAULT_MEMORY_LIMIT (16 << 20)
/* At most this many packets are dropped from a flow at a time, and at most half of them. */
#define FQ_DROP_BATCH 32

/* What left a flow together, for the accounts. */
struct fq_removed {
	unsigned int packets;
	unsigned int bytes;
	unsigned int truesize;
};

/* @flow is zeroed memory. */
static inline void fq_flow_init(struct fq_flow *flow)
{
	INIT_LIST_HEAD(&flow->flowchain);
	__skb_queue_head_init(&flow->queue);
}

/* Flows of the pool are set up when they are first used: most never are, and their memory is not touched. */
static inline bool fq_flow_is_set_up(const struct fq_flow *flow)
{
	return flow->flowchain.next;
}

static inline bool fq_flow_is_default(const struct fq_flow *flow)
{
	return flow == &flow->tin->default_flow;
}

/*
 * Flows that hold bytes are known to the search for the fattest one: the pool's by their bit, a
 * tin's default flow by the tin's place in tin_backlog.
 */
static inline void fq_flow_note_busy(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	if (flow != &tin->default_flow)
		__set_bit(flow - fq->flows, fq->flows_bitmap);
	else if (list_empty(&tin->tin_list))
		list_add(&tin->tin_list, &fq->tin_backlog);
}

static inline void fq_flow_note_empty(struct fq *fq, struct fq_flow *flow)
{
	if (fq_flow_is_default(flow))
		list_del_init(&flow->tin->tin_list);
	else
		__clear_bit(flow - fq->flows, fq->flows_bitmap);
}

static inline void fq_account_removed(struct fq *fq, struct fq_flow *flow,
				      const struct fq_removed *r)
{
	struct fq_tin *tin = flow->tin;

	fq->backlog -= r->packets;
	fq->memory_usage -= r->truesize;
	tin->backlog_packets -= r->packets;
	tin->backlog_bytes -= r->bytes;
	flow->backlog -= r->bytes;
	if (!flow->backlog)
		fq_flow_note_empty(fq, flow);
}

static inline void fq_adjust_removal(struct fq *fq, struct fq_flow *flow, struct sk_buff *skb)
{
	const struct fq_removed r = {
		.packets = 1,
		.bytes = skb->len,
		.truesize = skb->truesize,
	};

	fq_account_removed(fq, flow, &r);
}

/**
 * fq_flow_dequeue - take the head of a flow
 * @fq: the pool
 * @flow: the flow, in its tin or in use as default flow
 *
 * Return: the packet, or NULL when the flow is empty.
 */
static inline struct sk_buff *fq_flow_dequeue(struct fq *fq, struct fq_flow *flow)
{
	struct sk_buff *skb;

	lockdep_assert_held(&fq->lock);

	skb = __skb_dequeue(&flow->queue);
	if (skb)
		fq_adjust_removal(fq, flow, skb);
	return skb;
}

/* Drops from the head of @flow, one packet at least. Returns how many. */
static inline int fq_flow_drop(struct fq *fq, struct fq_flow *flow, fq_skb_free_t free_func)
{
	unsigned int batch = min_t(unsigned int, FQ_DROP_BATCH, skb_queue_len(&flow->queue) / 2);
	struct fq_removed r = {0};

	lockdep_assert_held(&fq->lock);

	do {
		struct sk_buff *skb = __skb_dequeue(&flow->queue);

		if (!skb)
			break;
		r.packets++;
		r.bytes += skb->len;
		r.truesize += skb->truesize;
		free_func(fq, flow->tin, flow, skb);
	} while (r.packets < batch);

	fq_account_removed(fq, flow, &r);
	return r.packets;
}

/* The list that is served now: new flows come first. NULL when the tin is idle. */
static inline struct list_head *fq_tin_busy_list(struct fq_tin *tin)
{
	if (!list_empty(&tin->new_flows))
		return &tin->new_flows;
	if (!list_empty(&tin->old_flows))
		return &tin->old_flows;
	return NULL;
}

/*
 * @flow, head of @list, had nothing to send. A new flow goes once through the old ones before it is
 * given up: else a flow that sends a packet each time it is delisted would always be a new one, and
 * starve the others.
 */
static inline void fq_flow_ran_dry(struct fq_tin *tin, struct fq_flow *flow, struct list_head *list)
{
	if (list == &tin->new_flows && !list_empty(&tin->old_flows)) {
		list_move_tail(&flow->flowchain, &tin->old_flows);
		return;
	}

	list_del_init(&flow->flowchain);
	flow->tin = NULL;
}

/**
 * fq_tin_dequeue - take the next packet of a tin
 * @fq: the pool
 * @tin: the tin
 * @dequeue_func: takes a packet from the flow chosen
 *
 * Return: the packet, or NULL when the tin is, or has become, empty.
 */
static inline struct sk_buff *fq_tin_dequeue(struct fq *fq, struct fq_tin *tin,
					     fq_tin_dequeue_t dequeue_func)
{
	struct list_head *list;

	lockdep_assert_held(&fq->lock);

	while ((list = fq_tin_busy_list(tin))) {
		struct fq_flow *flow = list_first_entry(list, struct fq_flow, flowchain);
		struct sk_buff *skb;

		if (flow->deficit <= 0) {
			flow->deficit += fq->quantum;
			list_move_tail(&flow->flowchain, &tin->old_flows);
			continue;
		}

		skb = dequeue_func(fq, tin, flow);
		if (skb) {
			flow->deficit -= skb->len;
			tin->tx_bytes += skb->len;
			tin->tx_packets++;
			return skb;
		}

		fq_flow_ran_dry(tin, flow, list);
	}

	return NULL;
}

/* Index of the flow that a packet hashes to; the same for all tins. */
static inline u32 fq_flow_idx(struct fq *fq, struct sk_buff *skb)
{
	return reciprocal_scale(skb_get_hash(skb), fq->flows_cnt);
}

/**
 * fq_flow_classify - the flow that a packet of a tin is to be put into
 * @fq: the pool
 * @tin: the tin
 * @idx: what fq_flow_idx() gave for the packet
 * @skb: the packet
 *
 * Return: the flow; its owner is not changed, but collisions and new flows are counted.
 */
static inline struct fq_flow *fq_flow_classify(struct fq *fq, struct fq_tin *tin, u32 idx,
					       struct sk_buff *skb)
{
	struct fq_flow *flow = &fq->flows[idx];

	lockdep_assert_held(&fq->lock);

	if (unlikely(!fq_flow_is_set_up(flow)))
		fq_flow_init(flow);

	if (flow->tin && flow->tin != tin) {
		flow = &tin->default_flow;
		fq->collisions++;
		tin->collisions++;
	}

	if (!flow->tin)
		tin->flows++;

	return flow;
}

/* The flow that holds the most bytes; the first one found of equals. NULL when all are empty. */
static inline struct fq_flow *fq_find_fattest_flow(struct fq *fq)
{
	struct fq_flow *fattest = NULL;
	struct fq_tin *tin;
	u32 most = 0;
	int i;

	for_each_set_bit(i, fq->flows_bitmap, fq->flows_cnt) {
		if (fq->flows[i].backlog > most) {
			fattest = &fq->flows[i];
			most = fattest->backlog;
		}
	}

	list_for_each_entry(tin, &fq->tin_backlog, tin_list) {
		if (tin->default_flow.backlog > most) {
			fattest = &tin->default_flow;
			most = fattest->backlog;
		}
	}

	return fattest;
}

/* Drops until both limits hold again, or nothing is left to drop. */
static inline void fq_enforce_limits(struct fq *fq, fq_skb_free_t free_func)
{
	bool oom = fq->memory_usage > fq->memory_limit;

	while (oom || fq->backlog > fq->limit) {
		struct fq_flow *flow = fq_find_fattest_flow(fq);

		if (!flow || !fq_flow_drop(fq, flow, free_func))
			return;

		flow->tin->overlimit++;
		fq->overlimit++;
		if (oom) {
			fq->overmemory++;
			oom = fq->memory_usage > fq->memory_limit;
		}
	}
}

/**
 * fq_tin_enqueue - queue a packet
 * @fq: the pool
 * @tin: the tin
 * @idx: what fq_flow_idx() gave for the packet
 * @skb: the packet
 * @free_func: ends the packets that must make room, perhaps this one
 */
static inline void fq_tin_enqueue(struct fq *fq, struct fq_tin *tin, u32 idx, struct sk_buff *skb,
				  fq_skb_free_t free_func)
{
	struct fq_flow *flow;

	lockdep_assert_held(&fq->lock);

	flow = fq_flow_classify(fq, tin, idx, skb);
	if (!flow->backlog)
		fq_flow_note_busy(fq, tin, flow);

	flow->tin = tin;
	flow->backlog += skb->len;
	tin->backlog_bytes += skb->len;
	tin->backlog_packets++;
	fq->memory_usage += skb->truesize;
	fq->backlog++;

	if (list_empty(&flow->flowchain)) {
		flow->deficit = fq->quantum;
		list_add_tail(&flow->flowchain, &tin->new_flows);
	}

	__skb_queue_tail(&flow->queue, skb);
	fq_enforce_limits(fq, free_func);
}

/* Removes from @flow what @filter_func picks. */
static inline void fq_flow_filter(struct fq *fq, struct fq_flow *flow, fq_skb_filter_t filter_func,
				  void *filter_data, fq_skb_free_t free_func)
{
	struct fq_tin *tin = flow->tin;
	struct sk_buff *skb, *next;

	lockdep_assert_held(&fq->lock);

	skb_queue_walk_safe(&flow->queue, skb, next)
	{
		if (filter_func(fq, tin, flow, skb, filter_data)) {
			__skb_unlink(skb, &flow->queue);
			fq_adjust_removal(fq, flow, skb);
			free_func(fq, tin, flow, skb);
		}
	}
}

/**
 * fq_tin_filter - remove the packets of a tin that a function picks
 * @fq: the pool
 * @tin: the tin
 * @filter_func: picks them
 * @filter_data: handed to @filter_func
 * @free_func: ends them
 */
static inline void fq_tin_filter(struct fq *fq, struct fq_tin *tin, fq_skb_filter_t filter_func,
				 void *filter_data, fq_skb_free_t free_func)
{
	struct fq_flow *flow;

	lockdep_assert_held(&fq->lock);

	list_for_each_entry(flow, &tin->new_flows, flowchain)
		fq_flow_filter(fq, flow, filter_func, filter_data, free_func);
	list_for_each_entry(flow, &tin->old_flows, flowchain)
		fq_flow_filter(fq, flow, filter_func, filter_data, free_func);
}

/* Empties @flow and gives it back to the pool. */
static inline void fq_flow_reset(struct fq *fq, struct fq_flow *flow, fq_skb_free_t free_func)
{
	struct fq_tin *tin = flow->tin;
	struct sk_buff *skb;

	while ((skb = fq_flow_dequeue(fq, flow)))
		free_func(fq, tin, flow, skb);

	if (!list_empty(&flow->flowchain)) {
		list_del_init(&flow->flowchain);
		if (!fq_tin_busy_list(tin))
			list_del_init(&tin->tin_list);
	}

	flow->tin = NULL;
	WARN_ON_ONCE(flow->backlog);
}

/**
 * fq_tin_reset - empty a tin
 * @fq: the pool
 * @tin: the tin
 * @free_func: ends its packets
 */
static inline void fq_tin_reset(struct fq *fq, struct fq_tin *tin, fq_skb_free_t free_func)
{
	struct list_head *list;

	while ((list = fq_tin_busy_list(tin)))
		fq_flow_reset(fq, list_first_entry(list, struct fq_flow, flowchain), free_func);

	WARN_ON_ONCE(!list_empty(&tin->tin_list));
	WARN_ON_ONCE(tin->backlog_bytes);
	WARN_ON_ONCE(tin->backlog_packets);
}

/* @tin is zeroed memory. */
static inline void fq_tin_init(struct fq_tin *tin)
{
	INIT_LIST_HEAD(&tin->new_flows);
	INIT_LIST_HEAD(&tin->old_flows);
	INIT_LIST_HEAD(&tin->tin_list);
	fq_flow_init(&tin->default_flow);
}

/**
 * fq_init - make a pool
 * @fq: to be filled; quantum and limits get their defaults and may then be changed
 * @flows_cnt: number of flows, at least 1 are made
 *
 * Return: 0, or -ENOMEM.
 */
static inline int fq_init(struct fq *fq, int flows_cnt)
{
	memset(fq, 0, sizeof(*fq));
	spin_lock_init(&fq->lock);
	INIT_LIST_HEAD(&fq->tin_backlog);
	fq->flows_cnt = max_t(u32, flows_cnt, 1);
	fq->quantum = FQ_DEFAULT_QUANTUM;
	fq->limit = FQ_DEFAULT_LIMIT;
	fq->memory_limit = FQ_DEFAULT_MEMORY_LIMIT;

	fq->flows = kvcalloc(fq->flows_cnt, sizeof(*fq->flows), GFP_KERNEL);
	if (!fq->flows)
		return -ENOMEM;

	fq->flows_bitmap = bitmap_zalloc(fq->flows_cnt, GFP_KERNEL);
	if (!fq->flows_bitmap) {
		kvfree(fq->flows);
		fq->flows = NULL;
		return -ENOMEM;
	}

	return 0;
}

/**
 * fq_reset - empty all flows of the pool and free it
 * @fq: made by fq_init(); tins have been reset
 * @free_func: ends packets that are left
 */
static inline void fq_reset(struct fq *fq, fq_skb_free_t free_func)
{
	int i;

	for_each_set_bit(i, fq->flows_bitmap, fq->flows_cnt)
		fq_flow_reset(fq, &fq->flows[i], free_func);

	kvfree(fq->flows);
	fq->flows = NULL;

	bitmap_free(fq->flows_bitmap);
	fq->flows_bitmap = NULL;
}

#endif
