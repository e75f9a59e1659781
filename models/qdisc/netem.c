// SPDX-License-Identifier: GPL-3.0-or-later
/* netem: delay, jitter, loss and a rate, as a queue ordered by the time at which each packet is to go. */
#include "engine/draw.h"
#include "qdisc/qdisc.h"

struct netem_params {
	int64_t delay, jitter; /* ns */
	int64_t loss; /* 2^-32 */
	int64_t rate; /* bit/s, PARAM_UNSET: none */
	int64_t limit; /* packets */
};

struct netem {
	struct qdisc q;
	struct packet *head, *tail; /* by time to go, both ways linked */
	u32 n;
	struct draw losses, jitters;
	struct qdisc_watchdog watchdog;
};

enum { NETEM_LOSS = QDISC_DROP_OWN, NETEM_TAIL };

static const char *const causes[] = {QDISC_CAUSES, "loss", "tail", NULL};

static struct netem *netem_of(struct qdisc *q)
{
	return container_of(q, struct netem, q);
}

static const struct netem_params *params_of(const struct netem *ne)
{
	return ne->q.obj.params;
}

/* When the packet is to go; behind the length in the control block. */
static s64 *time_to_send(const struct packet *p)
{
	return (s64 *)(p->skb.cb + 8);
}

/* Behind all that go earlier or at the same time. */
static void queue_insert(struct netem *ne, struct packet *p)
{
	struct packet *before = ne->tail;

	while (before && *time_to_send(before) > *time_to_send(p))
		before = before->skb.prev ? packet_of(before->skb.prev) : NULL;
	p->skb.prev = before ? &before->skb : NULL;
	p->skb.next = before ? before->skb.next : ne->head ? &ne->head->skb : NULL;
	if (p->skb.next)
		p->skb.next->prev = &p->skb;
	else
		ne->tail = p;
	if (before)
		before->skb.next = &p->skb;
	else
		ne->head = p;
	ne->n++;
}

static struct packet *queue_pop(struct netem *ne)
{
	struct packet *p = ne->head;

	ne->head = p->skb.next ? packet_of(p->skb.next) : NULL;
	if (ne->head)
		ne->head->skb.prev = NULL;
	else
		ne->tail = NULL;
	p->skb.next = NULL;
	ne->n--;
	return p;
}

/* tabledist() without a table: uniform. */
static s64 draw_delay(struct netem *ne)
{
	const struct netem_params *par = params_of(ne);
	u64 span = 2 * (u64)par->jitter;

	if (!span)
		return par->delay;
	return par->delay - par->jitter +
	       (s64)(((unsigned __int128)draw_bits(ne->jitters.key, ne->jitters.index++) * span) >>
		     64);
}

static s64 when(struct netem *ne, const struct packet *p)
{
	const struct netem_params *par = params_of(ne);
	s64 now = ne->q.obj.sim->now, delay = draw_delay(ne);

	if (par->rate == PARAM_UNSET)
		return now + delay;
	/* The last packet's time is where this one's begins, and has some of its delay behind it. */
	if (ne->tail) {
		delay -= *time_to_send(ne->tail) - now;
		if (delay < 0)
			delay = 0;
		now = *time_to_send(ne->tail);
	}
	return now + delay + (s64)((unsigned __int128)qdisc_len(p) * 8 * SIM_SEC / par->rate);
}

static int netem_enqueue(struct qdisc *q, struct packet *p)
{
	struct netem *ne = netem_of(q);
	const struct netem_params *par = params_of(ne);

	if (par->loss && draw_next_chance(&ne->losses, (u64)par->loss)) {
		qdisc_drop(q, p, NETEM_LOSS, false);
		return NET_XMIT_BYPASS;
	}
	/* It stands for a link: the sender's account ends before it. */
	if (par->delay || par->jitter || par->rate != PARAM_UNSET)
		packet_orphan(p);
	if (ne->n >= par->limit) {
		qdisc_drop(q, p, NETEM_TAIL, false);
		return NET_XMIT_DROP;
	}
	*time_to_send(p) = when(ne, p);
	qdisc_take(q, p);
	queue_insert(ne, p);
	return NET_XMIT_SUCCESS;
}

static struct packet *netem_dequeue(struct qdisc *q)
{
	struct netem *ne = netem_of(q);
	struct packet *p = ne->head;

	if (!p)
		return NULL;
	if (*time_to_send(p) > q->obj.sim->now) {
		qdisc_watchdog_schedule(&ne->watchdog, *time_to_send(p));
		return NULL;
	}
	queue_pop(ne);
	qdisc_give(q, p);
	return p;
}

static const struct packet *netem_peek(const struct qdisc *q)
{
	const struct packet *p = container_of(q, struct netem, q)->head;

	return p && *time_to_send(p) <= q->obj.sim->now ? p : NULL;
}

static void netem_reset(struct qdisc *q)
{
	struct netem *ne = netem_of(q);

	while (ne->head) {
		struct packet *p = queue_pop(ne);

		qdisc_give(q, p);
		qdisc_drop(q, p, QDISC_DROP_RESET, true);
	}
	ne->losses.index = 0;
	ne->jitters.index = 0;
	qdisc_watchdog_cancel(&ne->watchdog);
}

static void netem_attach(struct qdisc *q)
{
	struct netem *ne = netem_of(q);

	qdisc_watchdog_init(&ne->watchdog, q);
	draw_init(&ne->losses, q->obj.sim->seed, q->obj.path, "loss");
	draw_init(&ne->jitters, q->obj.sim->seed, q->obj.path, "jitter");
}

static void netem_describe(const struct object *obj, struct model_describe *d)
{
	const struct netem_params *par = obj->params;

	d->queue(d->arg, "qdisc", par->limit, -1, par->rate == PARAM_UNSET ? 0 : par->rate);
}

static const struct param netem_params[] = {
	{.name = "delay",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netem_params, delay),
	 .def = "0s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "each packet waits for this long",
	 .linux_name = "delay"},
	{.name = "jitter",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netem_params, jitter),
	 .def = "0s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "more or less, uniformly; packets may overtake each other unless there is a rate",
	 .linux_name = "delay"},
	{.name = "loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netem_params, loss),
	 .def = "0",
	 .min = 0,
	 .max = PROB_ONE,
	 .doc = "share of packets that vanish; the sender is not told",
	 .linux_name = "loss random"},
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netem_params, rate),
	 .min = 8,
	 .max = 400000000000,
	 .doc = "packets go one after the other at this rate",
	 .linux_name = "rate"},
	{.name = "limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netem_params, limit),
	 .def = "1000",
	 .min = 1,
	 .max = UINT32_MAX,
	 .doc = "packets that may wait, those on their delay among them",
	 .linux_name = "limit"},
	PARAM_END,
};

static const struct probe netem_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops netem_model_ops = {
	.init = qdisc_init,
	.describe = netem_describe,
	.audit = qdisc_audit,
};

static const struct qdisc_ops netem_ops = {
	.causes = causes,
	.enqueue = netem_enqueue,
	.dequeue = netem_dequeue,
	.peek = netem_peek,
	.reset = netem_reset,
	.attach = netem_attach,
};

const struct model_class netem_class = {
	.kind = &kind_qdisc,
	.name = "netem",
	.doc = "emulates a network: delay, jitter, loss, rate",
	.source = "Linux 6.1 net/sched/sch_netem.c",
	.not_modelled =
		"Duplicates, corruption, reordering by gap, correlation, distribution tables, slots, a "
		"child qdisc.",
	.size = sizeof(struct netem),
	.params_size = sizeof(struct netem_params),
	.params = netem_params,
	.probes = netem_probes,
	.ops = &netem_model_ops,
	.kind_ops = &netem_ops,
};
