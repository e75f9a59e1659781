// SPDX-License-Identifier: GPL-3.0-or-later
/* codel: one queue with CoDel at its head. */
#include "qdisc/codel-options.h"

struct codel_qdisc_params {
	struct codel_options codel;
	int64_t limit; /* packets */
};

struct codel_qdisc {
	struct qdisc q;
	struct packet_fifo packets;
	struct codel_params params;
	struct codel_vars vars;
	struct codel_stats stats;
	struct codel_counters counters;
	u64 drop_overlimit;
	struct codel_rehearsal rehearsal;
};

enum { CODEL_DROP_CODEL = QDISC_DROP_OWN, CODEL_DROP_OVERLIMIT };

static const char *const codel_causes[] = {QDISC_CAUSES, "codel", "overlimit", NULL};

const struct param_enum codel_backlog_tests[] = {
	{"mtu", CODEL_BACKLOG_MTU, "the device's MTU with its header"},
	{"maxpacket", CODEL_BACKLOG_MAXPACKET, "the largest packet seen, as until 4.1"},
	{NULL, 0, NULL},
};

const struct param_era codel_backlog_by_era[] = {
	{"2.6.32", "maxpacket"},
	{"4.6", "mtu"},
	{NULL, NULL},
};

static struct codel_qdisc *codel_qdisc_of(struct qdisc *q)
{
	return container_of(q, struct codel_qdisc, q);
}

static const struct codel_qdisc_params *codel_qdisc_params(const struct codel_qdisc *c)
{
	return c->q.obj.params;
}

static int codel_qdisc_enqueue(struct qdisc *q, struct packet *p)
{
	struct codel_qdisc *c = codel_qdisc_of(q);

	if (q->qlen >= codel_qdisc_params(c)->limit) {
		c->drop_overlimit++;
		qdisc_drop(q, p, CODEL_DROP_OVERLIMIT, false);
		return NET_XMIT_DROP;
	}
	codel_set_enqueue_time(&p->skb);
	qdisc_take(q, p);
	packet_fifo_push(&c->packets, p);
	return NET_XMIT_SUCCESS;
}

static struct sk_buff *codel_qdisc_pull(struct codel_vars *vars, void *ctx)
{
	struct codel_qdisc *c = ctx;
	struct packet *p = packet_fifo_pop(&c->packets);

	if (!p)
		return NULL;
	codel_rehearsal_note(&c->rehearsal, &p->skb);
	codel_options_pulled(&codel_qdisc_params(c)->codel, &c->params, &c->stats, &p->skb);
	qdisc_give(&c->q, p);
	return &p->skb;
}

static void codel_qdisc_drop(struct sk_buff *skb, void *ctx)
{
	struct codel_qdisc *c = ctx;

	if (!c->rehearsal.on)
		qdisc_drop(&c->q, packet_of(skb), CODEL_DROP_CODEL, true);
}

static struct packet *codel_qdisc_next(struct codel_qdisc *c)
{
	struct sk_buff *skb;

	skb = codel_dequeue(c, &c->q.backlog, &c->params, &c->vars, &c->stats, qdisc_pkt_len,
			    codel_get_enqueue_time, codel_qdisc_drop, codel_qdisc_pull);
	return skb ? packet_of(skb) : NULL;
}

static struct packet *codel_qdisc_dequeue(struct qdisc *q)
{
	struct codel_qdisc *c = codel_qdisc_of(q);
	struct packet *p = codel_qdisc_next(c);

	codel_settle(q, &c->stats, &c->counters);
	return p;
}

/* The dequeue, rehearsed: packets are taken off the list and nothing else is done to them; then all is put back. */
static const struct packet *codel_qdisc_peek(const struct qdisc *q)
{
	struct codel_qdisc *c = codel_qdisc_of((struct qdisc *)q);
	const struct codel_qdisc before = *c;
	const struct packet *p;

	c->rehearsal.on = true;
	p = codel_qdisc_next(c);
	codel_rehearsal_end(&c->rehearsal);
	*c = before;
	return p;
}

static void codel_qdisc_reset(struct qdisc *q)
{
	struct codel_qdisc *c = codel_qdisc_of(q);
	struct packet *p;

	while ((p = packet_fifo_pop(&c->packets))) {
		qdisc_give(q, p);
		qdisc_drop(q, p, QDISC_DROP_RESET, true);
	}
	codel_vars_init(&c->vars);
	codel_stats_init(&c->stats);
}

static void codel_qdisc_attach(struct qdisc *q)
{
	struct codel_qdisc *c = codel_qdisc_of(q);
	const struct codel_qdisc_params *par = codel_qdisc_params(c);

	codel_options_apply(&par->codel, q->dev, &c->params);
	codel_qdisc_reset(q);
	q->can_bypass = par->limit >= 1;
}

/* tc qdisc change: what is over a smaller limit goes, from the head. */
static void codel_qdisc_changed(struct object *obj, const struct param *p)
{
	struct codel_qdisc *c = (struct codel_qdisc *)obj;
	const struct codel_qdisc_params *par = codel_qdisc_params(c);
	struct qdisc *q = &c->q;
	u32 qlen = q->qlen, backlog = q->backlog;
	struct packet *head;

	codel_options_apply(&par->codel, q->dev, &c->params);
	while (q->qlen > par->limit && (head = packet_fifo_pop(&c->packets))) {
		qdisc_give(q, head);
		qdisc_drop(q, head, CODEL_DROP_OVERLIMIT, true);
	}
	qdisc_tree_reduce(q, qlen - q->qlen, (int)(backlog - q->backlog));
	q->can_bypass = par->limit >= 1;
}

static void codel_qdisc_describe(const struct object *obj, struct model_describe *d)
{
	d->queue(d->arg, "qdisc", codel_qdisc_params((const struct codel_qdisc *)obj)->limit, -1,
		 0);
}

/* ---- tc -s qdisc ---------------------------------------------------------------------------- */

static int64_t codel_maxpacket(const struct object *obj, int64_t window)
{
	return ((const struct codel_qdisc *)obj)->stats.maxpacket * 1000000LL;
}

static int64_t codel_count(const struct object *obj, int64_t window)
{
	return ((const struct codel_qdisc *)obj)->vars.count * 1000000LL;
}

static int64_t codel_lastcount(const struct object *obj, int64_t window)
{
	return ((const struct codel_qdisc *)obj)->vars.lastcount * 1000000LL;
}

static int64_t codel_dropping(const struct object *obj, int64_t window)
{
	return ((const struct codel_qdisc *)obj)->vars.dropping * 1000000LL;
}

static int64_t codel_ldelay(const struct object *obj, int64_t window)
{
	return codel_time_to_us(((const struct codel_qdisc *)obj)->vars.ldelay) * 1000000LL;
}

/* Signed, from now on; 0 outside of the dropping state. */
static int64_t codel_drop_next(const struct object *obj, int64_t window)
{
	const struct codel_vars *v = &((const struct codel_qdisc *)obj)->vars;
	codel_tdiff_t delta = (codel_tdiff_t)(v->drop_next - codel_get_time());

	if (!v->dropping)
		return 0;
	return delta >= 0 ? codel_time_to_us(delta) * 1000000LL
			  : -(int64_t)codel_time_to_us(-delta) * 1000000LL;
}

static const struct param codel_qdisc_param_table[] = {
	CODEL_PARAMS(struct codel_qdisc_params, "false"),
	{.name = "limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct codel_qdisc_params, limit),
	 .def = "1000",
	 .min = 0,
	 .max = UINT32_MAX,
	 .doc = "packets; drops at the tail beyond",
	 .linux_name = "TCA_CODEL_LIMIT"},
	PARAM_END,
};

static const struct probe codel_qdisc_probes[] = {
	QDISC_PROBES,
	CODEL_PROBES(struct codel_qdisc),
	{.name = "drop_overlimit",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct codel_qdisc, drop_overlimit),
	 .doc = "tc: dropped because the queue was at its limit"},
	{.name = "maxpacket",
	 .unit = "bytes",
	 .shape = PROBE_VALUE,
	 .value = codel_maxpacket,
	 .doc = "tc: largest packet seen"},
	{.name = "count",
	 .unit = "packets",
	 .shape = PROBE_VALUE,
	 .value = codel_count,
	 .doc = "tc: drops and marks of the present or last dropping state, at the end"},
	{.name = "lastcount",
	 .unit = "packets",
	 .shape = PROBE_VALUE,
	 .value = codel_lastcount,
	 .doc = "tc: count at the start of that state"},
	{.name = "dropping",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = codel_dropping,
	 .doc = "tc: 1 in the dropping state, at the end"},
	{.name = "ldelay",
	 .unit = "us",
	 .shape = PROBE_VALUE,
	 .value = codel_ldelay,
	 .doc = "tc: delay of the packet dequeued last"},
	{.name = "drop_next",
	 .unit = "us",
	 .shape = PROBE_VALUE,
	 .value = codel_drop_next,
	 .doc = "tc: time until the next drop, at the end"},
	PROBE_END,
};

static const struct model_ops codel_qdisc_model_ops = {
	.init = qdisc_init,
	.changed = codel_qdisc_changed,
	.describe = codel_qdisc_describe,
	.audit = qdisc_audit,
};

static const struct qdisc_ops codel_qdisc_ops = {
	.reach = QDISC_NEAR,
	.causes = codel_causes,
	.enqueue = codel_qdisc_enqueue,
	.dequeue = codel_qdisc_dequeue,
	.peek = codel_qdisc_peek,
	.reset = codel_qdisc_reset,
	.attach = codel_qdisc_attach,
};

const struct model_class codel_class = {
	.kind = &kind_qdisc,
	.name = "codel",
	.doc = "one queue, drops or marks by the time that packets waited",
	.source = "RFC 8289; Linux 6.1 net/sched/sch_codel.c, include/net/codel_impl.h",
	.size = sizeof(struct codel_qdisc),
	.params_size = sizeof(struct codel_qdisc_params),
	.params = codel_qdisc_param_table,
	.probes = codel_qdisc_probes,
	.ops = &codel_qdisc_model_ops,
	.kind_ops = &codel_qdisc_ops,
};
