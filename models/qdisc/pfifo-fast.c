// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * pfifo_fast: three bands in strict priority. Until 4.15 they share one limit, the device's txqueuelen as
 * it stands at each enqueue, and a packet that the device requeued counts too; since 4.16 each band is a
 * ring of its own of that size.
 */
#include "qdisc/priomap.h"
#include "qdisc/qdisc.h"

#define BANDS	  3
#define ERA_RINGS 41600

struct pfifo_fast {
	struct qdisc q;
	bool rings;
	struct packet_fifo bands[BANDS];
};

enum { PFIFO_FAST_TAIL = QDISC_DROP_OWN };

static const char *const causes[] = {QDISC_CAUSES, "tail", NULL};
static const u8 priomap[PRIO_MAX + 1] = {PRIOMAP};

static struct pfifo_fast *pfifo_fast_of(struct qdisc *q)
{
	return container_of(q, struct pfifo_fast, q);
}

static int pfifo_fast_enqueue(struct qdisc *q, struct packet *p)
{
	struct pfifo_fast *f = pfifo_fast_of(q);
	struct packet_fifo *band = &f->bands[priomap[p->skb.priority & PRIO_MAX]];

	if ((f->rings ? band->n : q->qlen) >= *q->dev->tx_queue_len) {
		qdisc_drop(q, p, PFIFO_FAST_TAIL, false);
		return NET_XMIT_DROP;
	}
	packet_fifo_push(band, p);
	qdisc_take(q, p);
	return NET_XMIT_SUCCESS;
}

static struct packet *pfifo_fast_dequeue(struct qdisc *q)
{
	struct pfifo_fast *f = pfifo_fast_of(q);
	struct packet *p;

	for (int i = 0; i < BANDS; i++) {
		p = packet_fifo_pop(&f->bands[i]);
		if (p) {
			qdisc_give(q, p);
			return p;
		}
	}
	return NULL;
}

static const struct packet *pfifo_fast_peek(const struct qdisc *q)
{
	const struct pfifo_fast *f = container_of(q, struct pfifo_fast, q);

	for (int i = 0; i < BANDS; i++)
		if (f->bands[i].head)
			return f->bands[i].head;
	return NULL;
}

static void pfifo_fast_reset(struct qdisc *q)
{
	struct packet *p;

	while ((p = pfifo_fast_dequeue(q)))
		qdisc_drop(q, p, QDISC_DROP_RESET, true);
}

static void pfifo_fast_attach(struct qdisc *q)
{
	pfifo_fast_of(q)->rings = q->dev->era >= ERA_RINGS;
	q->can_bypass = true;
}

static void pfifo_fast_describe(const struct object *obj, struct model_describe *d)
{
	const struct pfifo_fast *f = (const struct pfifo_fast *)obj;
	int64_t len = *f->q.dev->tx_queue_len;

	d->queue(d->arg, "qdisc", f->rings ? BANDS * len : len, -1, 0);
	if (!f->rings && !len)
		d->note(d->arg,
			"limit 0: a packet bypasses it, or waits alone for a stopped queue");
}

static const struct probe pfifo_fast_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops pfifo_fast_model_ops = {
	.init = qdisc_init,
	.describe = pfifo_fast_describe,
	.audit = qdisc_audit,
};

static const struct qdisc_ops pfifo_fast_ops = {
	.reach = QDISC_TAIL,
	.causes = causes,
	.enqueue = pfifo_fast_enqueue,
	.dequeue = pfifo_fast_dequeue,
	.peek = pfifo_fast_peek,
	.reset = pfifo_fast_reset,
	.attach = pfifo_fast_attach,
};

const struct model_class pfifo_fast_class = {
	.kind = &kind_qdisc,
	.name = "pfifo_fast",
	.doc = "three bands by priority, bounded by txqueuelen",
	.source = "Linux 2.6.32 and 6.1 net/sched/sch_generic.c",
	.not_modelled =
		"Since 4.16 a smaller txqueuelen drops what is over it at once; here it drains.",
	.size = sizeof(struct pfifo_fast),
	.probes = pfifo_fast_probes,
	.ops = &pfifo_fast_model_ops,
	.kind_ops = &pfifo_fast_ops,
};
