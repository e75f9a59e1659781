/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CoDel, the algorithm (RFC 8289). To be included by the one file of a user that dequeues: all of it
 * is inlined there together with the user's functions.
 */
#ifndef __NET_SCHED_CODEL_IMPL_H
#define __NET_SCHED_CODEL_IMPL_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <net/codel.h>
#include <net/inet_ecn.h>

/* Re-entering within this many intervals of the last drop resumes its drop rate. */
#define CODEL_RESUME_INTERVALS 16

/**
 * codel_params_init - the RFC's defaults
 * @params: to be filled; mtu is left to the caller
 */
static inline void codel_params_init(struct codel_params *params)
{
	params->target = MS2TIME(5);
	params->interval = MS2TIME(100);
	params->ecn = false;
	params->ce_threshold = CODEL_DISABLED_THRESHOLD;
	params->ce_threshold_selector = 0;
	params->ce_threshold_mask = 0;
}

static inline void codel_vars_init(struct codel_vars *vars)
{
	memset(vars, 0, sizeof(*vars));
}

/* The other counters are the user's to clear: they may outlive a reset. */
static inline void codel_stats_init(struct codel_stats *stats)
{
	stats->maxpacket = 0;
}

/*
 * One step of Newton's method towards 1 / sqrt(count): x' = x * (3 - count * x^2) / 2. As count
 * grows by one a drop, one step a drop keeps up with it. After a jump of count the first results are
 * far off, the subtraction may even wrap; the steps then settle again within some ten drops.
 */
static inline void codel_Newton_step(struct codel_vars *vars)
{
	u32 x = (u32)vars->rec_inv_sqrt << REC_INV_SQRT_SHIFT;
	u32 x2 = (u32)(((u64)x * x) >> 32);
	u64 y = ((u64)3 << 32) - (u64)vars->count * x2;

	/* Two bits of y make room for its product with x; the third shift is the division by 2. */
	y = ((y >> 2) * x) >> (32 - 2 + 1);
	vars->rec_inv_sqrt = (u16)(y >> REC_INV_SQRT_SHIFT);
}

/* The drop after one at @t: interval / sqrt(count) later. */
static inline codel_time_t codel_control_law(codel_time_t t, codel_time_t interval,
					     u32 rec_inv_sqrt)
{
	return t + reciprocal_scale(interval, rec_inv_sqrt << REC_INV_SQRT_SHIFT);
}

/**
 * codel_should_drop - has the queue been bad for an interval?
 * @skb: the packet just taken from it, or NULL
 * @ctx: the user's
 * @vars: state of the queue
 * @params: its parameters
 * @stats: its counters
 * @skb_len_func: gives a packet's length
 * @skb_time_func: gives a packet's enqueue time
 * @backlog: bytes left behind @skb
 * @now: the time of this dequeue
 *
 * Return: true when @skb may be dropped.
 */
static inline bool codel_should_drop(const struct sk_buff *skb, void *ctx, struct codel_vars *vars,
				     struct codel_params *params, struct codel_stats *stats,
				     codel_skb_len_t skb_len_func, codel_skb_time_t skb_time_func,
				     u32 *backlog, codel_time_t now)
{
	u32 len;

	if (!skb) {
		vars->first_above_time = 0;
		return false;
	}

	len = skb_len_func(skb);
	if (unlikely(len > stats->maxpacket))
		stats->maxpacket = len;

	vars->ldelay = now - skb_time_func(skb);

	/* With no more than a packet left the link would run dry: that is no standing queue. */
	if (codel_time_before(vars->ldelay, params->target) || *backlog <= params->mtu) {
		vars->first_above_time = 0;
		return false;
	}

	if (!vars->first_above_time) {
		vars->first_above_time = now + params->interval;
		return false;
	}

	return codel_time_after(now, vars->first_above_time);
}

/* Marks @skb instead of dropping it, if that is wanted and its flow understands. */
static inline bool codel_mark(struct sk_buff *skb, const struct codel_params *params,
			      struct codel_stats *stats)
{
	if (!params->ecn || !INET_ECN_set_ce(skb))
		return false;

	stats->ecn_mark++;
	return true;
}

/* Drops @skb and takes the next packet. */
static inline struct sk_buff *codel_replace(struct sk_buff *skb, void *ctx, struct codel_vars *vars,
					    struct codel_stats *stats, codel_skb_len_t skb_len_func,
					    codel_skb_drop_t drop_func,
					    codel_skb_dequeue_t dequeue_func)
{
	stats->drop_len += skb_len_func(skb);
	drop_func(skb, ctx);
	stats->drop_count++;

	return dequeue_func(vars, ctx);
}

/* Sets the time of the second drop; the first one, or its mark, is done. */
static inline void codel_enter_dropping(struct codel_vars *vars, const struct codel_params *params,
					codel_time_t now)
{
	u32 done_last_time = vars->count - vars->lastcount;
	codel_time_t since_due = now - vars->drop_next;

	vars->dropping = true;

	/*
	 * Soon after the last dropping state the rate that controlled the queue then is a better
	 * start than the slowest one. A due time that is still to come counts as recent.
	 */
	if (done_last_time > 1 &&
	    codel_time_before(since_due, CODEL_RESUME_INTERVALS * params->interval)) {
		vars->count = done_last_time;
		codel_Newton_step(vars);
	} else {
		vars->count = 1;
		vars->rec_inv_sqrt = (u16)(~0U >> REC_INV_SQRT_SHIFT);
	}

	vars->lastcount = vars->count;
	vars->drop_next = codel_control_law(now, params->interval, vars->rec_inv_sqrt);
}

/* The low-delay threshold of data centres (RFC 8289 knows none): marks by delay alone. */
static inline void codel_mark_ce(struct sk_buff *skb, const struct codel_vars *vars,
				 const struct codel_params *params, struct codel_stats *stats)
{
	if (!codel_time_after(vars->ldelay, params->ce_threshold))
		return;

	if (params->ce_threshold_mask) {
		int dsfield = skb_get_dsfield(skb);

		if (dsfield < 0 ||
		    ((u8)dsfield & params->ce_threshold_mask) != params->ce_threshold_selector)
			return;
	}

	if (INET_ECN_set_ce(skb))
		stats->ce_mark++;
}

/**
 * codel_dequeue - take the next packet to be sent
 * @ctx: handed to the user's functions
 * @backlog: bytes in the queue that decides (a whole qdisc's, or one flow's); @dequeue_func keeps it
 * @params: parameters
 * @vars: state of the queue
 * @stats: counters
 * @skb_len_func: gives a packet's length
 * @skb_time_func: gives a packet's enqueue time
 * @drop_func: ends a packet
 * @dequeue_func: takes the head of the queue
 *
 * Packets may be dropped on the way. The clock is read once.
 *
 * Return: a packet, or NULL when the queue is, or has become, empty.
 */
static inline struct sk_buff *codel_dequeue(void *ctx, u32 *backlog, struct codel_params *params,
					    struct codel_vars *vars, struct codel_stats *stats,
					    codel_skb_len_t skb_len_func,
					    codel_skb_time_t skb_time_func,
					    codel_skb_drop_t drop_func,
					    codel_skb_dequeue_t dequeue_func)
{
	struct sk_buff *skb = dequeue_func(vars, ctx);
	codel_time_t now;
	bool drop;

	if (!skb) {
		vars->first_above_time = 0;
		vars->dropping = false;
		return NULL;
	}

	now = codel_get_time();
	drop = codel_should_drop(skb, ctx, vars, params, stats, skb_len_func, skb_time_func,
				 backlog, now);

	if (!vars->dropping) {
		if (drop) {
			if (!codel_mark(skb, params, stats)) {
				skb = codel_replace(skb, ctx, vars, stats, skb_len_func, drop_func,
						    dequeue_func);
				/* Only for what it notes: this packet goes out in any case. */
				codel_should_drop(skb, ctx, vars, params, stats, skb_len_func,
						  skb_time_func, backlog, now);
			}
			codel_enter_dropping(vars, params, now);
		}
	} else if (!drop) {
		vars->dropping = false;
	} else {
		/* Several drops may have come due since the last dequeue; a mark ends the round. */
		while (vars->dropping && codel_time_after_eq(now, vars->drop_next)) {
			bool marked;

			vars->count++;
			codel_Newton_step(vars);

			marked = codel_mark(skb, params, stats);
			if (!marked) {
				skb = codel_replace(skb, ctx, vars, stats, skb_len_func, drop_func,
						    dequeue_func);
				if (!codel_should_drop(skb, ctx, vars, params, stats, skb_len_func,
						       skb_time_func, backlog, now)) {
					vars->dropping = false;
					break;
				}
			}

			/* Counted from when it was due, not from now: the rate is kept. */
			vars->drop_next = codel_control_law(vars->drop_next, params->interval,
							    vars->rec_inv_sqrt);
			if (marked)
				break;
		}
	}

	if (skb)
		codel_mark_ce(skb, vars, params, stats);

	return skb;
}

#endif
