// SPDX-License-Identifier: GPL-3.0-or-later
#include "qdisc/qdisc.h"

#include "engine/profile.h"

const struct model_kind kind_qdisc = {
	.name = "qdisc",
	.doc = "queueing discipline of an interface",
};

/* ---- while the run's time is measured: calls count for the qdisc that they are to ------------- */

static int profiled_enqueue(struct qdisc *q, struct packet *p)
{
	const struct qdisc_ops *ops = q->obj.cls->kind_ops;
	int rc;

	PROFILED(&q->obj, rc = ops->enqueue(q, p));
	return rc;
}

static struct packet *profiled_dequeue(struct qdisc *q)
{
	const struct qdisc_ops *ops = q->obj.cls->kind_ops;
	struct packet *p;

	PROFILED(&q->obj, p = ops->dequeue(q));
	return p;
}

static const struct qdisc_ops *profiled_ops(struct object *obj)
{
	struct qdisc_ops *ops = profile_alloc(obj->sim->profile, sizeof(*ops));

	profile_object(obj, "qdisc");
	*ops = *(const struct qdisc_ops *)obj->cls->kind_ops;
	if (ops->enqueue)
		ops->enqueue = profiled_enqueue;
	if (ops->dequeue)
		ops->dequeue = profiled_dequeue;
	return ops;
}

/* ---- set-up ----------------------------------------------------------------------------------- */

void qdisc_init(struct object *obj)
{
	struct qdisc *q = qdisc_of(obj);

	q->ops = obj->sim->profile ? profiled_ops(obj) : obj->cls->kind_ops;
	queue_stat_init(&q->stat, q->ops->causes);
}

struct qdisc *qdisc_new(struct sim *sim, const struct slot *slot, const char *path,
			const struct qdisc_dev *dev, struct qdisc *parent, struct object *owner)
{
	struct slot s = *slot;
	struct qdisc *q;

	if (path)
		s.path = path;
	q = qdisc_of(object_from_slot(sim, &s, owner));
	q->dev = dev;
	q->parent = parent;
	if (q->ops->attach)
		q->ops->attach(q);
	return q;
}

int qdisc_child_enqueue(struct qdisc *q, struct qdisc *child, struct packet *p)
{
	struct sim *sim = q->obj.sim;
	u32 len = qdisc_len(p);
	int rc = qdisc_enqueue(child, p);

	if (rc == NET_XMIT_SUCCESS) {
		q->qlen++;
		q->backlog += len;
		queue_stat_in(&q->stat, sim->now, len);
	} else {
		/*
		 * CN: the child kept this packet and dropped others, of which it told its ancestors one
		 * too few (qdisc_tree_reduce()). So one in and one out leaves the sums right.
		 */
		q->drops++;
		queue_stat_refuse(&q->stat, QDISC_DROP_CHILD);
	}
	return rc;
}

struct packet *qdisc_child_dequeue(struct qdisc *q, struct qdisc *child)
{
	struct packet *p = qdisc_dequeue(child);

	if (p) {
		qdisc_left(child, qdisc_len(p), p->since);
		qdisc_give(q, p);
	}
	return p;
}

void qdisc_reset(struct qdisc *q)
{
	u32 packets = q->qlen, bytes = q->backlog;

	q->ops->reset(q);
	if (!q->ops->classful)
		qdisc_tree_reduce(q, packets - q->qlen, (int)(bytes - q->backlog));
}

void qdisc_drop(struct qdisc *q, struct packet *p, u32 cause, bool held)
{
	struct sim *sim = q->obj.sim;

	q->drops++;
	if (held) {
		queue_stat_drop(&q->stat, sim->now, qdisc_len(p), cause);
	} else {
		q->refused_cause = cause;
		queue_stat_refuse(&q->stat, cause);
	}
	packet_drop(sim, p);
}

void qdisc_refused(struct qdisc *q, u32 n)
{
	u32 cause = q->refused_cause;

	for (; q; q = q->parent) {
		q->drops += n;
		queue_stat_refuse_many(&q->stat, n, cause);
		cause = QDISC_DROP_CHILD;
	}
}

void qdisc_tree_reduce(struct qdisc *q, u32 packets, int bytes)
{
	sim_time now = q->obj.sim->now;

	if (!packets && !bytes)
		return;
	for (q = q->parent; q; q = q->parent) {
		q->qlen -= packets;
		q->backlog -= (u32)bytes;
		q->drops += packets;
		q->stat.dropped += packets;
		q->stat.drops[QDISC_DROP_CHILD] += packets;
		queue_stat_held(&q->stat, now, -(int64_t)packets, -(int64_t)bytes);
	}
}

void qdisc_tree_grow(struct qdisc *q, u32 packets, int bytes)
{
	sim_time now = q->obj.sim->now;

	for (q = q->parent; q; q = q->parent) {
		q->qlen += packets;
		q->backlog += (u32)bytes;
		queue_stat_held(&q->stat, now, packets, bytes);
	}
}

static void watchdog_fire(struct sim *sim, struct event *ev)
{
	const struct qdisc_dev *dev = container_of(ev, struct qdisc_watchdog, ev)->q->dev;

	dev->wake(dev->up, dev->queue);
}

void qdisc_watchdog_init(struct qdisc_watchdog *w, struct qdisc *q)
{
	w->q = q;
	draw_init(&w->draw, q->obj.sim->seed, q->obj.path, "watchdog");
	event_init(&w->ev, watchdog_fire, RANK_TIMER);
}

void qdisc_watchdog_schedule(struct qdisc_watchdog *w, sim_time at)
{
	const struct late *late = w->q->dev->late;

	if (event_pending(&w->ev) && w->due == at)
		return;
	w->due = at;
	event_schedule(w->q->obj.sim, &w->ev, late ? late_time(late, &w->draw, at) : at);
}

void qdisc_watchdog_cancel(struct qdisc_watchdog *w)
{
	event_cancel(w->q->obj.sim, &w->ev);
}

void qdisc_audit(const struct object *obj, struct model_audit *a)
{
	const struct qdisc *q = (const struct qdisc *)obj;
	const struct queue_stat *s = &q->stat;

	if (!q->ops->classful) {
		queue_stat_audit(s, a, "qdisc", q->qlen);
		return;
	}
	/* Its packets are told of by its children, what the device requeued by the device. */
	SIM_CHECK(obj->sim, obj, queue_stat_packets(s) == q->qlen,
		  "%llu packets in, but %llu out, %llu dropped and %u held",
		  (unsigned long long)queue_stat_taken(s), (unsigned long long)s->out,
		  (unsigned long long)s->dropped, q->qlen);
}
