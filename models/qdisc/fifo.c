// SPDX-License-Identifier: GPL-3.0-or-later
/* pfifo, bfifo and pfifo_head_drop: one queue with a limit. */
#include "qdisc/qdisc.h"

/* tx_queue_len 0 counted as 1 before 4.3, and before 3.0 only the default qdisc could be passed by. */
#define ERA_LIMIT_ZERO 40300
#define ERA_BYPASS     30000

struct fifo {
	struct qdisc q;
	u32 limit; /* packets or bytes */
	struct packet_fifo packets;
};

enum { FIFO_TAIL = QDISC_DROP_OWN, FIFO_HEAD };

static const char *const causes[] = {QDISC_CAUSES, "tail", "head", NULL};

static struct fifo *fifo_of(struct qdisc *q)
{
	return container_of(q, struct fifo, q);
}

static int fifo_append(struct fifo *f, struct packet *p)
{
	qdisc_take(&f->q, p);
	packet_fifo_push(&f->packets, p);
	return NET_XMIT_SUCCESS;
}

static int fifo_refuse(struct fifo *f, struct packet *p)
{
	qdisc_drop(&f->q, p, FIFO_TAIL, false);
	return NET_XMIT_DROP;
}

static int pfifo_enqueue(struct qdisc *q, struct packet *p)
{
	struct fifo *f = fifo_of(q);

	return q->qlen < f->limit ? fifo_append(f, p) : fifo_refuse(f, p);
}

static int bfifo_enqueue(struct qdisc *q, struct packet *p)
{
	struct fifo *f = fifo_of(q);

	return q->backlog + qdisc_len(p) <= f->limit ? fifo_append(f, p) : fifo_refuse(f, p);
}

static struct packet *fifo_dequeue(struct qdisc *q)
{
	struct packet *p = packet_fifo_pop(&fifo_of(q)->packets);

	if (p)
		qdisc_give(q, p);
	return p;
}

static int pfifo_head_drop_enqueue(struct qdisc *q, struct packet *p)
{
	struct fifo *f = fifo_of(q);
	u32 before = q->backlog;
	struct packet *head;

	if (!f->limit)
		return fifo_refuse(f, p);
	if (q->qlen < f->limit)
		return fifo_append(f, p);
	/* All may be packets that the device requeued, which are not this queue's to drop. */
	head = fifo_dequeue(q);
	if (head)
		qdisc_drop(q, head, FIFO_HEAD, true);
	fifo_append(f, p);
	if (head)
		qdisc_tree_reduce(q, 0, (int)(before - q->backlog));
	else /* CN tells the ancestors of one in and one out, and none went */
		qdisc_tree_grow(q, 1, (int)(q->backlog - before));
	return NET_XMIT_CN;
}

static const struct packet *fifo_peek(const struct qdisc *q)
{
	return container_of(q, struct fifo, q)->packets.head;
}

static void fifo_reset(struct qdisc *q)
{
	struct packet *p;

	while ((p = fifo_dequeue(q)))
		qdisc_drop(q, p, QDISC_DROP_RESET, true);
}

static u32 device_limit(const struct qdisc *q)
{
	int64_t len = *q->dev->tx_queue_len;

	return len || q->dev->era >= ERA_LIMIT_ZERO ? (u32)len : 1;
}

static void fifo_attach(struct qdisc *q)
{
	struct fifo *f = fifo_of(q);
	const struct fifo_params *par = q->obj.params;

	f->limit = par->limit == PARAM_UNSET ? device_limit(q) : (u32)par->limit;
	q->can_bypass = q->dev->era >= ERA_BYPASS && f->limit >= 1;
}

static void bfifo_attach(struct qdisc *q)
{
	struct fifo *f = fifo_of(q);
	const struct fifo_params *par = q->obj.params;
	u32 frame = q->dev->mtu + q->dev->hard_header_len;

	f->limit = par->limit == PARAM_UNSET ? device_limit(q) * frame : (u32)par->limit;
	q->can_bypass = q->dev->era >= ERA_BYPASS && f->limit >= frame;
}

static void fifo_changed(struct object *obj, const struct param *p)
{
	struct qdisc *q = qdisc_of(obj);

	q->ops->attach(q);
}

static void pfifo_describe(const struct object *obj, struct model_describe *d)
{
	d->queue(d->arg, "qdisc", ((const struct fifo *)obj)->limit, -1, 0);
}

static void bfifo_describe(const struct object *obj, struct model_describe *d)
{
	d->queue(d->arg, "qdisc", -1, ((const struct fifo *)obj)->limit, 0);
}

static const struct param pfifo_params[] = {
	{.name = "limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fifo_params, limit),
	 .min = 0,
	 .max = UINT32_MAX,
	 .doc = "packets; without it the interface's txqueuelen when the qdisc is made",
	 .linux_name = "tc_fifo_qopt.limit"},
	PARAM_END,
};

static const struct param bfifo_params[] = {
	{.name = "limit",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fifo_params, limit),
	 .min = 0,
	 .max = UINT32_MAX,
	 .doc = "bytes; without it txqueuelen full frames",
	 .linux_name = "tc_fifo_qopt.limit"},
	PARAM_END,
};

static const struct probe fifo_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops pfifo_model_ops = {
	.init = qdisc_init,
	.changed = fifo_changed,
	.describe = pfifo_describe,
	.audit = qdisc_audit,
};

static const struct model_ops bfifo_model_ops = {
	.init = qdisc_init,
	.changed = fifo_changed,
	.describe = bfifo_describe,
	.audit = qdisc_audit,
};

static const struct qdisc_ops pfifo_ops = {
	.reach = QDISC_TAIL,
	.causes = causes,
	.enqueue = pfifo_enqueue,
	.dequeue = fifo_dequeue,
	.peek = fifo_peek,
	.reset = fifo_reset,
	.attach = fifo_attach,
};

static const struct qdisc_ops bfifo_ops = {
	.reach = QDISC_TAIL,
	.causes = causes,
	.enqueue = bfifo_enqueue,
	.dequeue = fifo_dequeue,
	.peek = fifo_peek,
	.reset = fifo_reset,
	.attach = bfifo_attach,
};

static const struct qdisc_ops pfifo_head_drop_ops = {
	.reach = QDISC_NEAR,
	.causes = causes,
	.enqueue = pfifo_head_drop_enqueue,
	.dequeue = fifo_dequeue,
	.peek = fifo_peek,
	.reset = fifo_reset,
	.attach = fifo_attach,
};

const struct model_class pfifo_class = {
	.kind = &kind_qdisc,
	.name = "pfifo",
	.doc = "one queue with a limit in packets, drops at the tail",
	.source = "Linux 6.1 net/sched/sch_fifo.c",
	.size = sizeof(struct fifo),
	.params_size = sizeof(struct fifo_params),
	.params = pfifo_params,
	.probes = fifo_probes,
	.ops = &pfifo_model_ops,
	.kind_ops = &pfifo_ops,
};

const struct model_class bfifo_class = {
	.kind = &kind_qdisc,
	.name = "bfifo",
	.doc = "one queue with a limit in bytes, drops at the tail",
	.source = "Linux 6.1 net/sched/sch_fifo.c",
	.size = sizeof(struct fifo),
	.params_size = sizeof(struct fifo_params),
	.params = bfifo_params,
	.probes = fifo_probes,
	.ops = &bfifo_model_ops,
	.kind_ops = &bfifo_ops,
};

const struct model_class pfifo_head_drop_class = {
	.kind = &kind_qdisc,
	.name = "pfifo_head_drop",
	.doc = "one queue with a limit in packets, drops at the head",
	.source = "Linux 6.1 net/sched/sch_fifo.c",
	.size = sizeof(struct fifo),
	.params_size = sizeof(struct fifo_params),
	.params = pfifo_params,
	.probes = fifo_probes,
	.ops = &pfifo_model_ops,
	.kind_ops = &pfifo_head_drop_ops,
};
