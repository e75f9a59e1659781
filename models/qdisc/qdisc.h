/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a queueing discipline is here: Linux's Qdisc_ops in small. A qdisc owns the packets it holds, keeps
 * qlen and backlog exact at every step (children included) and counts every drop by cause.
 */
#ifndef WLANQ_QDISC_H
#define WLANQ_QDISC_H

#include "engine/late.h"
#include "engine/model.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"
#include "packet/gso.h"
#include "packet/packet.h"

/* Results of enqueue, Linux's values. */
enum {
	NET_XMIT_SUCCESS = 0,
	NET_XMIT_DROP = 1,
	NET_XMIT_CN = 2,
	NET_XMIT_MASK = 0x0f, /* what the sender is told */
	NET_XMIT_BYPASS =
		0x20000, /* to parents: the packet is gone, though the sender is told of success */
};

/* First of every qdisc's causes of drops; QDISC_DROP_OWN is the first that a class may name itself. */
#define QDISC_CAUSES "reset", "child"
enum { QDISC_DROP_RESET, QDISC_DROP_CHILD, QDISC_DROP_OWN };

extern const struct model_kind kind_qdisc;

/* What a qdisc knows of the device it stands on; filled by the netdev, lives as long as the qdisc. */
struct qdisc_dev {
	u32 mtu;
	u32 hard_header_len;
	const int64_t *tx_queue_len; /* packets; live, may change during the run */
	u32 hz;
	u32 era; /* era_number() of the node's kernel */
	u32 n_queues; /* tx queues of the device */
	const struct late *late; /* the host's timers; NULL: never late */
	/* The qdisc can give packets again though nobody enqueued (watchdog). */
	void (*wake)(void *up, u32 queue);
	void *up;
	u32 queue;
};

struct qdisc {
	struct object obj;
	const struct qdisc_ops *ops; /* obj.cls->kind_ops */
	const struct qdisc_dev *dev;
	struct qdisc *parent; /* NULL at the root */
	/* As Linux counts them: children included, and at the root what the device requeued. */
	u32 qlen; /* packets */
	u32 backlog; /* bytes, qdisc_len() summed */
	bool can_bypass; /* an empty qdisc may be passed by (TCQ_F_CAN_BYPASS) */

	/* tc -s qdisc */
	u64 sent_bytes, sent_packets;
	u64 drops, overlimits, requeues;

	u32 refused_cause; /* why it did not take the last packet that it refused */

	/* What qlen and backlog count, over time; a classful qdisc's children have theirs as well. */
	struct queue_stat stat;
};

/* What enqueue touches. */
enum qdisc_reach {
	QDISC_FAR, /* perhaps events, or others' draws */
	QDISC_NEAR, /* the qdisc alone and packets that it holds, of which it may drop some */
	/* The same, and it drops none but the one that comes; then all like it, until one has left. qdisc_drop() counts them. */
	QDISC_TAIL,
};

struct qdisc_ops {
	enum qdisc_reach reach;
	bool classful; /* all its packets are its children's, who tell it of what they drop */
	/* Names of the causes of drops: QDISC_CAUSES, then the class's own, then NULL. */
	const char *const *causes;
	/* Takes @p, always: what is not queued is freed and counted. Returns NET_XMIT_*, perhaps with BYPASS. */
	int (*enqueue)(struct qdisc *q, struct packet *p);
	/* The next packet, NULL when there is none now. */
	struct packet *(*dequeue)(struct qdisc *q);
	/* What dequeue would give, without any effect on state, counters or drops. */
	const struct packet *(*peek)(const struct qdisc *q);
	/* Drops all packets (counted as cause "reset") and returns to the initial state. */
	void (*reset)(struct qdisc *q);
	/*
	 * The device is known: limits that depend on it are worked out, children are attached. NULL: nothing to do.
	 */
	void (*attach)(struct qdisc *q);
	/*
	 * Only of a qdisc that is a set of others, one for each tx queue (mq): the one for @queue. Its enqueue, dequeue
	 * and peek are NULL, as in Linux.
	 */
	struct qdisc *(*leaf)(struct qdisc *q, u32 queue);
};

/*
 * The interface's default qdisc: what the device makes of it depends on what stands below (none over a Wi-Fi
 * driver that pulls), else it is .qdisc, one for each tx queue.
 */
struct qdisc_default_params {
	struct slot qdisc;
};

struct mq_params {
	struct slot child; /* made once for each tx queue */
};

struct fifo_params {
	int64_t limit; /* packets or bytes; PARAM_UNSET: from the device */
};

extern const struct model_class qdisc_default_class, noqueue_class, mq_class, pfifo_class,
	bfifo_class;

static inline struct qdisc *qdisc_of(struct object *obj)
{
	return (struct qdisc *)obj;
}

/*
 * Makes the qdisc of a slot and attaches it. @parent may be NULL. @path: of the object, NULL for the slot's own.
 */
struct qdisc *qdisc_new(struct sim *sim, const struct slot *slot, const char *path,
			const struct qdisc_dev *dev, struct qdisc *parent, struct object *owner);

/* qdisc_pkt_len(): bytes on the link, headers of all segments included; set by dev_queue_xmit(). */
static inline u32 qdisc_len(const struct packet *p)
{
	return *(const u32 *)p->skb.cb;
}

static inline void qdisc_set_len(struct packet *p)
{
	*(u32 *)p->skb.cb = packet_len_on_link(p);
}

/* ---- what callers use: the netdev, classful parents ------------------------------------------ */

static inline int qdisc_enqueue(struct qdisc *q, struct packet *p)
{
	return q->ops->enqueue(q, p);
}

/* With the counters of tc. The caller then calls qdisc_left(), at once or when the packet is really gone. */
static inline struct packet *qdisc_dequeue(struct qdisc *q)
{
	struct packet *p = q->ops->dequeue(q);

	if (p) {
		q->sent_bytes += qdisc_len(p);
		q->sent_packets += packet_segments(p);
	}
	return p;
}

/* @p, of @len bytes and in since @since, has left @q for the next layer. */
static inline void qdisc_left(struct qdisc *q, u32 len, sim_time since)
{
	sim_time now = q->obj.sim->now;

	queue_stat_out(&q->stat, now, len, now - since);
}

/* The same between a classful qdisc and its child, with the parent's qlen, backlog and counters. */
int qdisc_child_enqueue(struct qdisc *q, struct qdisc *child, struct packet *p);
struct packet *qdisc_child_dequeue(struct qdisc *q, struct qdisc *child);

/* Resets @q with the ancestors' counts. What the device requeued is the device's, and stays. */
void qdisc_reset(struct qdisc *q);

/* ---- what qdiscs use ------------------------------------------------------------------------- */

/* @p is now held by @q itself: qlen, backlog, stamps. */
static inline void qdisc_take(struct qdisc *q, struct packet *p)
{
	sim_time now = q->obj.sim->now;
	u32 len = qdisc_len(p);

	q->qlen++;
	q->backlog += len;
	if (p->layer != LAYER_QDISC)
		packet_enter(p, LAYER_QDISC, now);
	queue_stat_in(&q->stat, now, len);
}

/* @p is held no more, and will be given out by dequeue or dropped. */
static inline void qdisc_give(struct qdisc *q, const struct packet *p)
{
	q->qlen--;
	q->backlog -= qdisc_len(p);
}

/*
 * Drops @p, which is not (or no longer) in @q's qlen and backlog: counted in drops and under @cause (an index into
 * the causes of q->ops), then freed. @held says that @q had taken it in.
 */
void qdisc_drop(struct qdisc *q, struct packet *p, u32 cause, bool held);

/* @n more like the last one that @q refused, and its ancestors with it. */
void qdisc_refused(struct qdisc *q, u32 n);

/* After packets were dropped inside a child (not at its enqueue): lowers qlen and backlog of all ancestors. */
void qdisc_tree_reduce(struct qdisc *q, u32 packets, int bytes);

/* A packet that ancestors will count as one is held as more: raises their qlen and backlog by the rest. */
void qdisc_tree_grow(struct qdisc *q, u32 packets, int bytes);

/* Tells the device at a set time that the qdisc can give packets again. */
struct qdisc_watchdog {
	struct event ev;
	struct qdisc *q;
	sim_time due; /* set for; it fires that much later as the host's timers are late */
	struct draw draw;
};

void qdisc_watchdog_init(struct qdisc_watchdog *w, struct qdisc *q);
/* Puts off or brings forward what is pending. */
void qdisc_watchdog_schedule(struct qdisc_watchdog *w, sim_time at);
void qdisc_watchdog_cancel(struct qdisc_watchdog *w);

/* Ops of struct model_ops that all qdiscs share. */
void qdisc_init(struct object *obj);
void qdisc_audit(const struct object *obj, struct model_audit *a);

/* The probes of every qdisc; a class may add its own before PROBE_END. */
#define QDISC_PROBES                                                              \
	{                                                                         \
		.name = "",                                                       \
		.unit = "packets",                                                \
		.shape = PROBE_QUEUE,                                             \
		.offset = offsetof(struct qdisc, stat),                           \
		.doc = "the queue: occupancy, sojourn, drops",                    \
	},                                                                        \
		{                                                                 \
			.name = "sent_packets",                                   \
			.unit = "packets",                                        \
			.shape = PROBE_COUNTER,                                   \
			.offset = offsetof(struct qdisc, sent_packets),           \
			.doc = "tc: sent",                                        \
		},                                                                \
		{                                                                 \
			.name = "sent_bytes",                                     \
			.unit = "bytes",                                          \
			.shape = PROBE_COUNTER,                                   \
			.offset = offsetof(struct qdisc, sent_bytes),             \
			.doc = "tc: sent",                                        \
		},                                                                \
		{                                                                 \
			.name = "dropped",                                        \
			.unit = "packets",                                        \
			.shape = PROBE_COUNTER,                                   \
			.offset = offsetof(struct qdisc, drops),                  \
			.doc = "tc: dropped",                                     \
		},                                                                \
		{                                                                 \
			.name = "overlimits",                                     \
			.unit = "packets",                                        \
			.shape = PROBE_COUNTER,                                   \
			.offset = offsetof(struct qdisc, overlimits),             \
			.doc = "tc: overlimits",                                  \
		},                                                                \
	{                                                                         \
		.name = "requeues", .unit = "packets", .shape = PROBE_COUNTER,    \
		.offset = offsetof(struct qdisc, requeues),                       \
		.doc = "tc: packets that met a stopped queue and were kept back", \
	}

#endif
