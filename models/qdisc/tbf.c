// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * tbf: a token bucket, in Linux's integer arithmetic. Tokens are nanoseconds at the rate; a packet goes when
 * its length's worth of them is there.
 */
#include <stdio.h>

#include "qdisc/qdisc.h"

struct tbf_params {
	int64_t rate, peakrate; /* bit/s; peakrate PARAM_UNSET: none */
	int64_t burst, mtu; /* bytes of either bucket */
	int64_t limit; /* bytes; PARAM_UNSET: from latency */
	int64_t latency; /* ns */
	struct slot child; /* empty: bfifo of limit */
};

/* A rate as Linux divides by it: ns = (bytes * mult) >> shift (psched_ratecfg_precompute()). */
struct rate {
	u64 bytes_ps;
	u32 mult;
	u8 shift;
};

struct tbf {
	struct qdisc q;
	struct qdisc *child;
	struct fifo_params fifo; /* of the child, where none was chosen */
	struct packet *next; /* the child's next, waiting for tokens */
	struct rate rate, peak;
	u32 max_size; /* bytes of the largest packet */
	s64 buffer, mtu; /* ns of the full buckets */
	s64 tokens, ptokens;
	s64 checked; /* when the tokens were counted last */
	struct qdisc_watchdog watchdog;
};

enum { TBF_OVERSIZE = QDISC_DROP_OWN };

static const char *const causes[] = {QDISC_CAUSES, "oversize", NULL};

static struct tbf *tbf_of(struct qdisc *q)
{
	return container_of(q, struct tbf, q);
}

static void rate_set(struct rate *r, int64_t bit_ps)
{
	u64 factor = SIM_SEC;

	r->bytes_ps = (u64)bit_ps / 8;
	r->shift = 0;
	for (;;) {
		r->mult = (u32)(factor / r->bytes_ps);
		if (r->mult >> 31 || factor >> 63)
			break;
		factor <<= 1;
		r->shift++;
	}
}

static s64 rate_ns(const struct rate *r, u32 len)
{
	return (s64)(((u64)len * r->mult) >> r->shift);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* One that is too long goes as its segments. */
static int tbf_segment(struct tbf *t, struct packet *p)
{
	struct packet_fifo list = {0};
	struct qdisc *q = &t->q;
	u32 before = qdisc_len(p), taken = 0, bytes = 0;

	packet_segment(q->obj.sim, p, &list);
	while ((p = packet_fifo_pop(&list))) {
		u32 len = p->skb.len;

		qdisc_set_len(p);
		if (qdisc_child_enqueue(q, t->child, p) == NET_XMIT_SUCCESS) {
			taken++;
			bytes += len;
		}
	}
	if (!taken)
		return NET_XMIT_DROP;
	qdisc_tree_grow(q, taken - 1, (int)(bytes - before));
	return NET_XMIT_SUCCESS;
}

static int tbf_enqueue(struct qdisc *q, struct packet *p)
{
	struct tbf *t = tbf_of(q);

	if (qdisc_len(p) <= t->max_size)
		return qdisc_child_enqueue(q, t->child, p);
	if (packet_is_gso(p) && ETH_HLEN + p->header + p->gso_size <= t->max_size)
		return tbf_segment(t, p);
	qdisc_drop(q, p, TBF_OVERSIZE, false);
	return NET_XMIT_DROP;
}

struct tokens {
	s64 rate, peak; /* left when the packet has gone; negative: it may not go */
};

static struct tokens tokens_after(const struct tbf *t, u32 len)
{
	s64 gained = t->q.obj.sim->now - t->checked;
	struct tokens left = {0};

	if (gained > t->buffer)
		gained = t->buffer;
	if (t->peak.bytes_ps) {
		left.peak = gained + t->ptokens;
		if (left.peak > t->mtu)
			left.peak = t->mtu;
		left.peak -= rate_ns(&t->peak, len);
	}
	left.rate = gained + t->tokens;
	if (left.rate > t->buffer)
		left.rate = t->buffer;
	left.rate -= rate_ns(&t->rate, len);
	return left;
}

/*
 * The packet that is next, taken out of the child but still in its counts, so that it goes on to limit what
 * the child takes (qdisc_peek_dequeued()).
 */
static struct packet *tbf_next(struct tbf *t)
{
	if (!t->next) {
		t->next = qdisc_dequeue(t->child);
		if (!t->next)
			return NULL;
		t->child->qlen++;
		t->child->backlog += qdisc_len(t->next);
	}
	return t->next;
}

static struct packet *tbf_take_next(struct tbf *t)
{
	struct packet *p = t->next;

	t->next = NULL;
	qdisc_give(t->child, p);
	qdisc_left(t->child, qdisc_len(p), p->since);
	qdisc_give(&t->q, p);
	return p;
}

static struct packet *tbf_dequeue(struct qdisc *q)
{
	struct tbf *t = tbf_of(q);
	struct packet *p = tbf_next(t);
	struct tokens left;
	s64 wait;

	if (!p)
		return NULL;
	left = tokens_after(t, qdisc_len(p));
	if ((left.rate | left.peak) < 0) {
		wait = -left.rate > -left.peak ? -left.rate : -left.peak;
		qdisc_watchdog_schedule(&t->watchdog, q->obj.sim->now + wait);
		q->overlimits++;
		return NULL;
	}
	t->checked = q->obj.sim->now;
	t->tokens = left.rate;
	t->ptokens = left.peak;
	return tbf_take_next(t);
}

static const struct packet *tbf_peek(const struct qdisc *q)
{
	const struct tbf *t = container_of(q, struct tbf, q);
	const struct packet *p = t->next ? t->next : t->child->ops->peek(t->child);
	struct tokens left;

	if (!p)
		return NULL;
	left = tokens_after(t, qdisc_len(p));
	return (left.rate | left.peak) < 0 ? NULL : p;
}

static void tbf_fill(struct tbf *t)
{
	t->checked = t->q.obj.sim->now;
	t->tokens = t->buffer;
	t->ptokens = t->mtu;
}

static void tbf_reset(struct qdisc *q)
{
	struct tbf *t = tbf_of(q);

	if (t->next) {
		struct packet *p = tbf_take_next(t);
		u32 len = qdisc_len(p);

		qdisc_drop(q, p, QDISC_DROP_RESET, true);
		qdisc_tree_reduce(q, 1, (int)len);
	}
	qdisc_reset(t->child);
	tbf_fill(t);
	qdisc_watchdog_cancel(&t->watchdog);
}

/* ---- set-up ---------------------------------------------------------------------------------- */

/* tc: the limit, or what the rate (and the peak rate) sends in latency. */
static int64_t tbf_limit(const struct tbf_params *par)
{
	int64_t limit, peak;

	if (par->limit != PARAM_UNSET)
		return par->limit;
	limit = (int64_t)((__int128)par->rate / 8 * par->latency / SIM_SEC) + par->burst;
	if (par->peakrate == PARAM_UNSET)
		return limit;
	peak = (int64_t)((__int128)par->peakrate / 8 * par->latency / SIM_SEC) + par->mtu;
	return peak < limit ? peak : limit;
}

static void tbf_configure(struct tbf *t)
{
	const struct tbf_params *par = t->q.obj.params;

	rate_set(&t->rate, par->rate);
	t->max_size = (u32)par->burst;
	t->buffer = rate_ns(&t->rate, (u32)par->burst);
	t->peak = (struct rate){0};
	t->mtu = 0;
	if (par->peakrate != PARAM_UNSET) {
		rate_set(&t->peak, par->peakrate);
		t->mtu = rate_ns(&t->peak, (u32)par->mtu);
		if (par->mtu < par->burst)
			t->max_size = (u32)par->mtu;
	}
	tbf_fill(t);
}

static void tbf_attach(struct qdisc *q)
{
	struct tbf *t = tbf_of(q);
	const struct tbf_params *par = q->obj.params;
	struct slot fifo = {.cls = &bfifo_class, .params = &t->fifo};
	char path[256];

	qdisc_watchdog_init(&t->watchdog, q);
	tbf_configure(t);
	t->fifo.limit = tbf_limit(par);
	snprintf(path, sizeof(path), "%s.child", q->obj.path);
	t->child = qdisc_new(q->obj.sim, par->child.cls ? &par->child : &fifo, path, q->dev, q,
			     &q->obj);
}

static void tbf_changed(struct object *obj, const struct param *p)
{
	struct tbf *t = (struct tbf *)obj;
	const struct tbf_params *par = obj->params;

	tbf_configure(t);
	t->fifo.limit = tbf_limit(par);
	if (!par->child.cls)
		t->child->obj.cls->ops->changed(&t->child->obj, NULL);
	/* What waits goes at the new rate. */
	if (t->q.qlen)
		qdisc_watchdog_schedule(&t->watchdog, obj->sim->now);
}

static void tbf_check(const void *params, struct model_check *c)
{
	const struct tbf_params *par = params;

	if (par->limit == PARAM_UNSET && par->latency == PARAM_UNSET && !par->child.cls)
		model_check_error(c, "limit", "is needed, or latency");
	if (par->peakrate != PARAM_UNSET && par->peakrate <= par->rate)
		model_check_error(c, "peakrate", "is not above rate");
	if (par->child.cls && !((const struct qdisc_ops *)par->child.cls->kind_ops)->enqueue)
		model_check_error(c, "child", "cannot stand below another qdisc");
}

static void tbf_describe(const struct object *obj, struct model_describe *d)
{
	const struct tbf_params *par = obj->params;

	if (!par->child.cls)
		d->queue(d->arg, "qdisc", -1, tbf_limit(par), par->rate);
}

static const struct param tbf_params[] = {
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE | PARAM_REQUIRED,
	 .offset = offsetof(struct tbf_params, rate),
	 .min = 8,
	 .max = 400000000000,
	 .doc = "rate of the Ethernet frames without FCS",
	 .linux_name = "rate"},
	{.name = "burst",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct tbf_params, burst),
	 .def = "1540B",
	 .min = 1,
	 .max = 1 << 30,
	 .doc = "size of the bucket; longer packets are dropped",
	 .linux_name = "burst"},
	{.name = "limit",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct tbf_params, limit),
	 .min = 0,
	 .max = UINT32_MAX,
	 .doc = "bytes that may wait",
	 .linux_name = "limit"},
	{.name = "latency",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct tbf_params, latency),
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "in place of limit: what is sent in this time, and burst",
	 .linux_name = "latency"},
	{.name = "peakrate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct tbf_params, peakrate),
	 .min = 8,
	 .max = 400000000000,
	 .doc = "rate at which a burst goes out",
	 .linux_name = "peakrate"},
	{.name = "mtu",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct tbf_params, mtu),
	 .def = "1540B",
	 .min = 1,
	 .max = 1 << 30,
	 .doc = "size of peakrate's bucket",
	 .linux_name = "minburst"},
	{.name = "child",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tbf_params, child),
	 .doc = "qdisc that packets wait in; without it bfifo of limit",
	 .kind = &kind_qdisc},
	PARAM_END,
};

static const struct probe tbf_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops tbf_model_ops = {
	.check = tbf_check,
	.init = qdisc_init,
	.changed = tbf_changed,
	.describe = tbf_describe,
	.audit = qdisc_audit,
};

static const struct qdisc_ops tbf_ops = {
	.classful = true,
	.causes = causes,
	.enqueue = tbf_enqueue,
	.dequeue = tbf_dequeue,
	.peek = tbf_peek,
	.reset = tbf_reset,
	.attach = tbf_attach,
};

const struct model_class tbf_class = {
	.kind = &kind_qdisc,
	.name = "tbf",
	.doc = "token bucket: a rate, with bursts",
	.source = "Linux 6.1 net/sched/sch_tbf.c, sch_generic.c psched_ratecfg_precompute()",
	.not_modelled =
		"Link layer overheads (overhead, linklayer, mpu). The coarser clock before 3.10.",
	.size = sizeof(struct tbf),
	.params_size = sizeof(struct tbf_params),
	.params = tbf_params,
	.probes = tbf_probes,
	.ops = &tbf_model_ops,
	.kind_ops = &tbf_ops,
};
