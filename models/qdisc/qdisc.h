/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a queueing discipline is here: Linux's Qdisc_ops in small. A qdisc owns the packets it holds, keeps
 * qlen and backlog exact at every step (children included) and counts every drop by cause.
 */
#ifndef WLANQ_QDISC_H
#define WLANQ_QDISC_H

#include "engine/model.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"
#include "packet/packet.h"

/* Results of enqueue, Linux's values. */
enum { NET_XMIT_SUCCESS = 0, NET_XMIT_DROP = 1, NET_XMIT_CN = 2 };

extern const struct model_kind kind_qdisc;

/* What a qdisc knows of the device it stands on; filled by the netdev, lives as long as the qdisc. */
struct qdisc_dev {
	u32 mtu;
	u32 hard_header_len;
	const int64_t *tx_queue_len; /* packets; live, may change during the run */
	u32 hz;
	u32 era; /* era_number() of the node's kernel */
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
	u32 qlen; /* packets held, children included */
	u32 backlog; /* their skb.len summed */
	bool can_bypass; /* an empty qdisc may be passed by (TCQ_F_CAN_BYPASS) */

	/* tc -s qdisc */
	u64 sent_bytes, sent_packets;
	u32 drops, overlimits, requeues;

	struct queue_stat
		stat; /* of packets this qdisc itself holds; a classful one's children have theirs */
};

struct qdisc_ops {
	/* Takes @p, always: what is not queued is freed and counted. Returns NET_XMIT_*. */
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
};

static inline struct qdisc *qdisc_of(struct object *obj)
{
	return (struct qdisc *)obj;
}

/* Makes the qdisc of a slot and attaches it. @parent may be NULL. */
struct qdisc *qdisc_new(struct sim *sim, const struct slot *slot, const struct qdisc_dev *dev,
			struct qdisc *parent, struct object *owner);

/* Enqueue and dequeue with the counters of tc; callers (netdev, classful parents) use these. */
int qdisc_enqueue(struct qdisc *q, struct packet *p);
struct packet *qdisc_dequeue(struct qdisc *q);

/*
 * Drops @p, which is not (or no longer) in @q's qlen and backlog: counted in drops and under @cause (an index into
 * the cause names of q->stat), then freed. @held says that q->stat had taken it in.
 */
void qdisc_drop(struct qdisc *q, struct packet *p, u32 cause, bool held);

/* After packets were dropped inside a child (not at its enqueue): lowers qlen and backlog of all ancestors. */
void qdisc_tree_reduce(struct qdisc *q, u32 packets, u32 bytes);

#endif
