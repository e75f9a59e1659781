/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CoDel, controlled delay active queue management (RFC 8289): types and time.
 *
 * CoDel looks at the time that packets spent in a queue, not at the queue's length. A queue that
 * absorbs a burst drains again; one whose delay never came below the target for a whole interval is
 * a standing queue. From then on a packet is dropped (or marked) at gaps that shrink with the square
 * root of the number of drops, until the delay falls below the target.
 *
 * The algorithm is in codel_impl.h. It knows neither the queue nor the packet: its user gives it
 * functions for a packet's length and enqueue time, for taking the next packet and for dropping one.
 */
#ifndef __NET_SCHED_CODEL_H
#define __NET_SCHED_CODEL_H

#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/skbuff.h>
#include <linux/types.h>

/*
 * Time is counted in units of 1024 ns in 32 bits, cheap to make and half the size of ktime_t. It
 * wraps after 73 minutes; two times compare rightly when they are less than half of that apart.
 */
typedef u32 codel_time_t;
typedef s32 codel_tdiff_t;
#define CODEL_SHIFT 10

/* Milliseconds to codel time, rounded down. */
#define MS2TIME(ms) (((ms)*NSEC_PER_MSEC) >> CODEL_SHIFT)

static inline codel_time_t codel_get_time(void)
{
	return (codel_time_t)(ktime_get_ns() >> CODEL_SHIFT);
}

static inline bool codel_time_after(codel_time_t a, codel_time_t b)
{
	return (codel_tdiff_t)(a - b) > 0;
}

static inline bool codel_time_after_eq(codel_time_t a, codel_time_t b)
{
	return (codel_tdiff_t)(a - b) >= 0;
}

static inline bool codel_time_before(codel_time_t a, codel_time_t b)
{
	return codel_time_after(b, a);
}

static inline bool codel_time_before_eq(codel_time_t a, codel_time_t b)
{
	return codel_time_after_eq(b, a);
}

/* To microseconds, rounded down: what was set as 5000 us reads back as 4999. */
static inline u32 codel_time_to_us(codel_time_t val)
{
	return (u32)div_u64((u64)val << CODEL_SHIFT, NSEC_PER_USEC);
}

/**
 * struct codel_params - what the administrator sets; may be shared by many queues
 * @target: acceptable delay of a standing queue (codel time)
 * @ce_threshold: a packet that waited longer is CE-marked, whatever else; CODEL_DISABLED_THRESHOLD
 *	turns that off (codel time)
 * @interval: about a round-trip time of the slowest connections served well (codel time)
 * @mtu: a queue that holds at most this many bytes is never dropped from
 * @ecn: mark ECN-capable packets in place of dropping them
 * @ce_threshold_selector: what the masked DS field must be for @ce_threshold to apply
 * @ce_threshold_mask: bits of the DS field to compare; 0: @ce_threshold applies to all packets
 */
struct codel_params {
	codel_time_t target;
	codel_time_t ce_threshold;
	codel_time_t interval;
	u32 mtu;
	bool ecn;
	u8 ce_threshold_selector;
	u8 ce_threshold_mask;
};

/**
 * struct codel_vars - state of one queue
 * @count: packets dropped or marked since the dropping state was entered; kept when it is left
 * @lastcount: @count as it was set on entering the dropping state
 * @dropping: in the dropping state
 * @rec_inv_sqrt: 1 / sqrt(@count) as a fraction of 2^16, approximately
 * @first_above_time: when the delay will have been above the target for an interval; 0: it is below
 * @drop_next: when the next packet is to be dropped
 * @ldelay: delay of the packet that was dequeued last
 */
struct codel_vars {
	u32 count;
	u32 lastcount;
	bool dropping;
	u16 rec_inv_sqrt;
	codel_time_t first_above_time;
	codel_time_t drop_next;
	codel_time_t ldelay;
};

/* The reciprocal root is kept in the upper 16 bits of a 32-bit fraction. */
#define REC_INV_SQRT_BITS  (8 * sizeof(u16))
#define REC_INV_SQRT_SHIFT (32 - REC_INV_SQRT_BITS)

/**
 * struct codel_stats - counters; may be shared by many queues
 * @maxpacket: length of the largest packet seen, for information
 * @drop_count: packets dropped, until the user sets it back to 0
 * @drop_len: bytes dropped, until the user sets it back to 0
 * @ecn_mark: packets marked in place of a drop
 * @ce_mark: packets marked because of ce_threshold
 */
struct codel_stats {
	u32 maxpacket;
	u32 drop_count;
	u32 drop_len;
	u32 ecn_mark;
	u32 ce_mark;
};

#define CODEL_DISABLED_THRESHOLD INT_MAX

/* What the user of codel_dequeue() supplies. */
typedef u32 (*codel_skb_len_t)(const struct sk_buff *skb);
typedef codel_time_t (*codel_skb_time_t)(const struct sk_buff *skb);
/* Ends a packet; its bytes have already left the backlog. */
typedef void (*codel_skb_drop_t)(struct sk_buff *skb, void *ctx);
/* Takes the next packet and takes its bytes off the backlog; NULL when there is none. */
typedef struct sk_buff *(*codel_skb_dequeue_t)(struct codel_vars *vars, void *ctx);

#endif
