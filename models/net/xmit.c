// SPDX-License-Identifier: GPL-3.0-or-later
/* The transmit engine: net/core/dev.c and net/sched/sch_generic.c of 2.6.32 to 6.1. */
#include <errno.h>

#include "net/netdev.h"
#include "packet/gso.h"

/* The kernel from which on the engine ... */
#define ERA_QUOTA 30000 /* ends a run after dev_weight packets, not by the jiffy */
#define ERA_CHECK_STOP \
	30800 /* looks at the stop bits before it dequeues, where there is one queue */
#define ERA_BULK  31800 /* dequeues in bulk, by what byte queue limits leave */
#define ERA_GO_ON 41600 /* dequeues on though the last packet stopped its queue */

#define QUOTA	  64 /* net.core.dev_weight */
#define BULK_SLOW 8 /* packets beyond the first when a qdisc serves several queues */

#define GONE_MAX 16

static struct sim *sim_of(const struct netdev_queue *q)
{
	return q->dev->obj.sim;
}

static u32 era_of(const struct netdev_queue *q)
{
	return q->qdev.era;
}

/* A qdisc of one tx queue (TCQ_F_ONETXQUEUE). */
static bool one_queue(const struct netdev_queue *q)
{
	return q->dev->n_queues == 1 || q->qdisc->parent;
}

/* Whether the loop goes on behind what was sent to @q. */
static bool goes_on(const struct netdev_queue *q)
{
	return era_of(q) >= ERA_GO_ON || !netdev_queue_stopped(q);
}

/* The root qdisc @qd, and mq above it, take in or give out what the engine itself moves. */
static void count_in(struct qdisc *qd, u32 len)
{
	for (; qd; qd = qd->parent)
		queue_stat_in(&qd->stat, qd->obj.sim->now, len);
}

static void count_out(struct qdisc *qd, u32 len, sim_time since)
{
	for (; qd; qd = qd->parent)
		qdisc_left(qd, len, since);
}

/* In and out again at the same instant. */
static void count_passed(struct qdisc *qd)
{
	for (; qd; qd = qd->parent)
		queue_stat_pass(&qd->stat);
}

static void count_held(struct qdisc *qd, int packets, int bytes)
{
	for (; qd; qd = qd->parent) {
		qd->qlen += (u32)packets;
		qd->backlog += (u32)bytes;
	}
}

static void count_sent(struct qdisc *qd, const struct packet *p)
{
	for (; qd; qd = qd->parent) {
		qd->sent_bytes += qdisc_len(p);
		qd->sent_packets += packet_segments(p);
	}
}

static int root_enqueue(struct qdisc *qd, struct packet *p)
{
	return qd->parent ? qdisc_child_enqueue(qd->parent, qd, p) : qdisc_enqueue(qd, p);
}

/* The packet is out of qlen, but in the queue's statistics until the layer below has taken it. */
static inline struct packet *root_dequeue(struct qdisc *qd)
{
	struct packet *p = qdisc_dequeue(qd);

	if (p && qd->parent) {
		qdisc_give(qd->parent, p);
		count_sent(qd->parent, p);
	}
	return p;
}

/* Packets that are dequeued together, linked through skb.next; .end is where the next one is to be noted. */
struct list {
	struct packet *first;
	struct sk_buff **end;
	u32 n;
};

static inline void list_begin(struct list *l, struct packet *p)
{
	l->first = p;
	l->end = &p->skb.next;
	l->n = 1;
}

static inline void list_add_packet(struct list *l, struct packet *p)
{
	*l->end = &p->skb;
	l->end = &p->skb.next;
	l->n++;
}

/* dev_requeue_skb(): @p goes first when its queue is open again. */
static void requeue(struct netdev_queue *q, struct packet *p)
{
	struct qdisc *qd = q->qdisc;

	if (p->layer != LAYER_QDISC)
		packet_enter(p, LAYER_QDISC, sim_of(q)->now);
	packet_fifo_push(&q->requeued, p);
	count_held(qd, 1, (int)qdisc_len(p));
	qd->requeues++;
}

static void stop(struct netdev_queue *q)
{
	if (q->state & QUEUE_DRV_XOFF)
		return;
	q->state |= QUEUE_DRV_XOFF;
	q->dev->stops++;
}

/* What ends a list of packets that is on its way: dev_hard_start_xmit(). */
static inline bool list_ends(const struct netdev_queue *q)
{
	return q->state & q->ends_list;
}

/* One packet to the layer below. False: not taken, the queue is stopped. */
static inline __attribute__((always_inline)) bool xmit_one(struct netdev_queue *q, struct packet *p)
{
	struct netdev *dev = q->dev;
	u32 len = p->skb.len, packets = packet_segments(p);
	enum xmit_result r = dev->lower->xmit(dev->lower_obj, q->index, p);

	if (__builtin_expect(r == XMIT_BUSY || r == XMIT_OK_STOP, 0)) {
		stop(q);
		if (r == XMIT_BUSY)
			return false;
	}
	if (r != XMIT_DROP) {
		dev->tx_packets += packets;
		dev->tx_bytes += len;
		if (q->bql && q->bql_ops->sent(q->bql, len))
			q->state |= QUEUE_STACK_XOFF;
	}
	return true;
}

static bool must_segment(const struct netdev *dev, const struct packet *p)
{
	return packet_is_gso(p) &&
	       !(dev->lower->tso && ((const struct netdev_params *)dev->obj.params)->tso);
}

/*
 * A GSO packet for a device without TSO: from here on its segments are packets of their own, in the
 * qdisc's account too when they must wait. False: some do.
 */
static __attribute__((noinline)) bool xmit_segments(struct netdev_queue *q,
						    struct netdev_queue *engine, struct packet *gso)
{
	struct packet_fifo list = {0};
	bool open = true;
	struct packet *p;

	count_out(engine->qdisc, qdisc_len(gso), gso->since);
	packet_segment(sim_of(q), gso, &list);
	while ((p = packet_fifo_pop(&list))) {
		qdisc_set_len(p);
		open = open && !list_ends(q) && xmit_one(q, p);
		if (open)
			continue;
		count_in(engine->qdisc, qdisc_len(p));
		requeue(engine, p);
	}
	return open;
}

/* Packets of a list that went down, to be counted at one go: all of it happens at one instant. */
struct gone {
	u32 n;
	u32 bytes, qdisc_bytes;
	sim_time waited[GONE_MAX]; /* in the qdisc */
};

static __attribute__((noinline)) void count_gone(struct netdev_queue *engine, struct gone *g)
{
	struct netdev *dev = engine->dev;

	dev->tx_packets += g->n;
	dev->tx_bytes += g->bytes;
	for (struct qdisc *qd = engine->qdisc; qd; qd = qd->parent) {
		histogram_add_all(&qd->stat.sojourn, g->waited, g->n);
		queue_stat_out_many(&qd->stat, qd->obj.sim->now, g->n, g->qdisc_bytes);
	}
	g->n = g->bytes = g->qdisc_bytes = 0;
}

/* GSO packets, which count for several, and what has never been in the qdisc, go singly. */
static bool goes_singly(const struct packet *p)
{
	return packet_is_gso(p) || p->layer != LAYER_QDISC;
}

static bool xmit_single(struct netdev_queue *engine, struct netdev_queue *q, struct packet *p)
{
	u32 len = qdisc_len(p);
	sim_time since = p->layer == LAYER_QDISC ? p->since : sim_of(q)->now;

	if (must_segment(q->dev, p))
		return xmit_segments(q, engine, p);
	if (!xmit_one(q, p)) {
		requeue(engine, p);
		return false;
	}
	count_out(engine->qdisc, len, since);
	return true;
}

/* False: @p was not taken, and is requeued. */
static inline bool xmit_listed(struct netdev_queue *engine, struct netdev_queue *q,
			       struct packet *p, struct gone *g, sim_time now)
{
	const struct netdev *dev = q->dev;
	u32 len = p->skb.len, qdisc_bytes = qdisc_len(p);
	sim_time waited = now - p->since;
	enum xmit_result r = dev->lower->xmit(dev->lower_obj, q->index, p);

	if (__builtin_expect(r != XMIT_OK, 0)) {
		if (r != XMIT_DROP)
			stop(q);
		if (r == XMIT_BUSY) {
			requeue(engine, p);
			return false;
		}
		if (r == XMIT_DROP) {
			count_out(engine->qdisc, qdisc_bytes, now - waited);
			return true;
		}
	}
	if (q->bql && q->bql_ops->sent(q->bql, len))
		q->state |= QUEUE_STACK_XOFF;
	g->waited[g->n++] = waited;
	g->bytes += len;
	g->qdisc_bytes += qdisc_bytes;
	if (g->n == GONE_MAX)
		count_gone(engine, g);
	return true;
}

/* False: some of the list from @p on was requeued, if only since @open says that @q was stopped before. */
static __attribute__((noinline)) bool xmit_all(struct netdev_queue *engine, struct netdev_queue *q,
					       struct packet *p, bool open)
{
	sim_time now = sim_of(q)->now;
	struct packet *next;
	struct gone g;

	g.n = g.bytes = g.qdisc_bytes = 0;
	for (; open && p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		if (__builtin_expect(goes_singly(p), 0))
			open = xmit_single(engine, q, p);
		else
			open = xmit_listed(engine, q, p, &g, now);
		if (next && list_ends(q))
			open = false;
	}
	for (; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		requeue(engine, p);
	}
	if (g.n)
		count_gone(engine, &g);
	return open;
}

/*
 * sch_direct_xmit(): sends the list from @p on, all of it for one queue. What meets a stopped queue is requeued. True: the
 * loop may go on.
 */
static bool direct_xmit(struct netdev_queue *engine, struct packet *p)
{
	struct netdev_queue *q = &engine->dev->queues[p->queue];
	bool open = !netdev_queue_stopped(q);

	if (p->skb.next) {
		open = xmit_all(engine, q, p, open);
	} else if (open) {
		open = xmit_single(engine, q, p);
	} else {
		requeue(engine, p);
	}
	/* Linux raises the softirq for what was requeued, which then finds the queue still stopped. */
	return open && goes_on(q);
}
/* try_bulk_dequeue_skb(): as many more as byte queue limits have room for. */
static void bulk_dequeue(struct netdev_queue *q, struct list *l)
{
	int room = q->bql ? q->bql_ops->avail(q->bql) - (int)l->first->skb.len : 0;
	struct packet *p;

	while (room > 0) {
		p = root_dequeue(q->qdisc);
		if (!p)
			break;
		room -= (int)p->skb.len;
		list_add_packet(l, p);
	}
}

/* try_bulk_dequeue_skb_slow(): one that is for another queue than the first waits with the requeued. */
static void bulk_dequeue_slow(struct netdev_queue *engine, struct list *l)
{
	struct packet *p;

	while (l->n <= BULK_SLOW && (p = root_dequeue(engine->qdisc))) {
		if (p->queue != l->first->queue) {
			requeue(engine, p);
			break;
		}
		list_add_packet(l, p);
	}
}

/* Whether what would be sent next may go. */
static bool may_dequeue(const struct netdev_queue *engine)
{
	const struct packet *p = engine->requeued.head;

	if (p)
		return !netdev_queue_stopped(&engine->dev->queues[p->queue]);
	return !netdev_queue_stopped(engine) || era_of(engine) < ERA_CHECK_STOP ||
	       !one_queue(engine);
}

/* dequeue_skb(): the list of what is to be sent next. How many; 0: nothing. */
static u32 dequeue(struct netdev_queue *engine, struct list *l)
{
	struct packet *p = packet_fifo_pop(&engine->requeued);
	bool requeued = p;

	if (requeued)
		count_held(engine->qdisc, -1, -(int)qdisc_len(p));
	else
		p = root_dequeue(engine->qdisc);
	if (!p)
		return 0;
	list_begin(l, p);
	if (!requeued && era_of(engine) >= ERA_BULK) {
		if (one_queue(engine))
			bulk_dequeue(engine, l);
		else
			bulk_dequeue_slow(engine, l);
	}
	*l->end = NULL;
	return l->n;
}

/* Apart from netdev_queue_run(), which most often finds that nothing may go. */
static __attribute__((noinline)) void run(struct netdev_queue *engine)
{
	int quota = QUOTA;

	lazy_catch_up(&engine->dev->lazy);
	engine->running = true;
	do {
		struct list l;
		u32 n = dequeue(engine, &l);

		if (!n)
			break;
		quota -= (int)n;
		if (!direct_xmit(engine, l.first))
			break;
		/* Before 3.0 a run ended with the jiffy; here none ends inside an event. */
		if (quota <= 0 && era_of(engine) >= ERA_QUOTA) {
			netdev_queue_schedule(engine);
			break;
		}
	} while (may_dequeue(engine));
	engine->running = false;
}

void netdev_queue_run(struct netdev_queue *q)
{
	struct netdev_queue *engine = q->engine;

	if (!engine->running && may_dequeue(engine))
		run(engine);
}

void netdev_queue_schedule(struct netdev_queue *q)
{
	struct event *ev = &q->engine->run;

	if (!event_pending(ev))
		event_schedule(sim_of(q), ev, sim_of(q)->now);
}

/* No qdisc: straight down, and lost when the queue is stopped. */
static __attribute__((noinline)) int noqueue_xmit(struct netdev_queue *q, struct packet *p)
{
	struct netdev *dev = q->dev;
	struct packet_fifo list = {0};
	int rc = NET_XMIT_SUCCESS;

	if (must_segment(dev, p))
		packet_segment(sim_of(q), p, &list);
	else
		packet_fifo_push(&list, p);
	while ((p = packet_fifo_pop(&list))) {
		if (!netdev_queue_stopped(q) && xmit_one(q, p))
			continue;
		dev->noqueue_drops++;
		packet_drop(sim_of(q), p);
		rc = -ENETDOWN;
	}
	return rc;
}

/*
 * An empty qdisc is passed by (__dev_xmit_skb()), by a packet that the layer below may take as it is. True: the loop may run
 * for what has been queued meanwhile.
 */
static bool pass_by(struct netdev_queue *q, struct packet *p)
{
	struct qdisc *qd = q->qdisc;
	u32 len = qdisc_len(p);

	if (!xmit_one(q, p)) {
		count_in(qd, len);
		requeue(q->engine, p);
		return false;
	}
	count_passed(qd);
	return goes_on(q);
}

/* The same of any: a GSO packet may have to wait in parts, and a stopped queue takes none. */
static __attribute__((noinline)) bool pass_through(struct netdev_queue *q, struct packet *p)
{
	count_in(q->qdisc, qdisc_len(p));
	p->skb.next = NULL;
	return direct_xmit(q->engine, p);
}

static __attribute__((noinline)) int bypass(struct netdev_queue *q, struct packet *p)
{
	struct netdev_queue *engine = q->engine;
	bool go_on;

	engine->running = true;
	count_sent(q->qdisc, p);
	if (__builtin_expect(netdev_queue_stopped(q) || packet_is_gso(p) || p->layer == LAYER_QDISC,
			     0))
		go_on = pass_through(q, p);
	else
		go_on = pass_by(q, p);
	engine->running = false;
	if (go_on && q->qdisc->qlen)
		netdev_queue_run(q);
	return NET_XMIT_SUCCESS;
}

struct netdev_queue *dev_select_queue(struct netdev *dev, struct packet *p)
{
	const struct layer_down *lower = dev->lower;

	p->queue = lower->select_queue ? (u8)lower->select_queue(dev->lower_obj, p) : 0;
	return &dev->queues[p->queue];
}

int dev_queue_xmit(struct netdev *dev, struct packet *p)
{
	return dev_queue_give(dev_select_queue(dev, p), p);
}

int dev_queue_give(struct netdev_queue *q, struct packet *p)
{
	struct netdev *dev = q->dev;
	struct qdisc *qd = q->qdisc;
	int rc;

	lazy_catch_up(&dev->lazy);
	dev->last = q;
	if (__builtin_expect(p->skb.destructor && !dev->accounts, 0)) {
		lazy_end(&dev->lazy);
		dev->accounts = true;
	}
	if (!qd)
		return noqueue_xmit(q, p);

	qdisc_set_len(p);
	if (qd->can_bypass && !qd->qlen && !q->engine->running)
		return bypass(q, p);
	rc = root_enqueue(qd, p);
	netdev_queue_run(q);
	return rc & NET_XMIT_MASK;
}

struct lazy *netdev_waits(struct netdev *dev)
{
	const struct netdev_queue *q = dev->last;
	const struct qdisc *qd = q->qdisc;
	bool waits;

	/* Who has packets there is told of a drop, and may go on sending. */
	if (!qd || qd->ops->reach < (dev->accounts ? QDISC_TAIL : QDISC_NEAR))
		return NULL;
	if (qd->qlen)
		waits = !may_dequeue(q->engine);
	else
		waits = !netdev_queue_stopped(q) && !event_pending(&q->engine->run) &&
			dev->lower->absorbs && dev->lower->absorbs(dev->lower_obj, &dev->lazy);
	return waits ? &dev->lazy : NULL;
}

bool netdev_refuses(const struct netdev *dev)
{
	const struct qdisc *qd = dev->last->qdisc;

	return qd && qd->ops->reach == QDISC_TAIL;
}

void netdev_refused(struct netdev *dev, u32 n)
{
	qdisc_refused(dev->last->qdisc, n);
}
