// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * mac80211's intermediate queues: fair queueing over flows that all stations of a radio share, CoDel on each flow.
 *
 * Source: Linux 6.1 net/mac80211/tx.c (ieee80211_txq_enqueue, fq_tin_dequeue_func), sta_info.c (CoDel by station).
 */
#include "mac80211/txq.h"

#include <stdlib.h>
#include <string.h>

#include <net/codel.h>
#include <net/codel_impl.h>
#include <net/fq.h>
#include <net/fq_impl.h>

#include "engine/clock.h"
#include "measure/queue-stat.h"

#define MEMORY_VHT    (16 << 20)
#define MEMORY_NO_VHT (4 << 20)
#define WIFI_HEADROOM 20 /* 802.11 QoS header and SNAP in place of Ethernet's: what Linux queues */

enum { TXQ_CODEL, TXQ_OVERLIMIT, TXQ_FLUSHED };

static const char *const txq_causes[] = {"codel", "overlimit", "flushed", NULL};

struct txq_fq_params {
	int64_t limit; /* packets */
	int64_t memory_limit; /* bytes, PARAM_UNSET: by band */
	int64_t quantum; /* bytes */
	int64_t flows;
	int64_t target, interval, slow_target, slow_interval; /* ns */
	int64_t ecn;
	int64_t codel;
};

struct txq_tin {
	struct fq_tin tin;
	struct codel_vars def_vars; /* of the default flow */
	struct txq_fq *pool;
	u32 ac;
	struct txq_tin *next;
};

struct txq_fq {
	struct object obj;
	struct fq fq;
	struct codel_vars *vars; /* by flow */
	struct codel_stats cstats;
	struct codel_params fast, slow;
	struct txq_tin *tins;
	u32 hz;
	bool vht;
	bool made; /* the flows are there: once the first packet has come */
	struct queue_stat stat[AC_COUNT];
	u64 marks, collisions;
};

/* In skb.cb while a packet is here. */
struct txq_cb {
	codel_time_t enqueue_time;
	sim_time since;
};

_Static_assert(sizeof(struct txq_cb) <= PACKET_CB_MAC, "it lies before the time of entry");

static struct txq_cb *txq_cb(const struct sk_buff *skb)
{
	return (struct txq_cb *)skb->cb;
}

static struct txq_fq *txq_fq_of(struct object *obj)
{
	return (struct txq_fq *)obj;
}

static void txq_enter_kernel(const struct txq_fq *q)
{
	kernel_clock.hz = q->hz;
}

static void txq_drop(struct txq_fq *q, u32 ac, struct sk_buff *skb, u32 cause)
{
	struct packet *p = packet_of(skb);

	skb->len -= WIFI_HEADROOM;
	queue_stat_drop(&q->stat[ac], q->obj.sim->now, skb->len, cause);
	packet_free(q->obj.sim, p);
}

/* ---- callbacks of the core ------------------------------------------------------------------------ */

static void txq_overlimit_free(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow,
			       struct sk_buff *skb)
{
	struct txq_fq *q = container_of(fq, struct txq_fq, fq);

	txq_drop(q, container_of(tin, struct txq_tin, tin)->ac, skb, TXQ_OVERLIMIT);
}

static void txq_flush_free(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow,
			   struct sk_buff *skb)
{
	struct txq_fq *q = container_of(fq, struct txq_fq, fq);

	txq_drop(q, container_of(tin, struct txq_tin, tin)->ac, skb, TXQ_FLUSHED);
}

static u32 txq_skb_len(const struct sk_buff *skb)
{
	return skb->len;
}

static codel_time_t txq_skb_time(const struct sk_buff *skb)
{
	return txq_cb(skb)->enqueue_time;
}

static void txq_codel_drop(struct sk_buff *skb, void *ctx)
{
	struct txq_tin *t = ctx;

	txq_drop(t->pool, t->ac, skb, TXQ_CODEL);
}

static struct fq_flow *txq_flow_of(struct txq_tin *t, struct codel_vars *vars)
{
	if (vars == &t->def_vars)
		return &t->tin.default_flow;
	return &t->pool->fq.flows[vars - t->pool->vars];
}

static struct sk_buff *txq_codel_dequeue(struct codel_vars *vars, void *ctx)
{
	struct txq_tin *t = ctx;

	return fq_flow_dequeue(&t->pool->fq, txq_flow_of(t, vars));
}

/* One packet of the flow that is to be served, past its CoDel. */
static struct sk_buff *txq_flow_dequeue(struct txq_fq *q, struct txq_tin *t, struct fq_flow *flow,
					struct codel_params *params)
{
	struct codel_vars *vars = &t->def_vars;

	if (!((struct txq_fq_params *)q->obj.params)->codel)
		return fq_flow_dequeue(&q->fq, flow);
	if (flow != &t->tin.default_flow)
		vars = &q->vars[flow - q->fq.flows];
	return codel_dequeue(t, &flow->backlog, params, vars, &q->cstats, txq_skb_len, txq_skb_time,
			     txq_codel_drop, txq_codel_dequeue);
}

static struct sk_buff *txq_dequeue_fast(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	struct txq_fq *q = container_of(fq, struct txq_fq, fq);

	return txq_flow_dequeue(q, container_of(tin, struct txq_tin, tin), flow, &q->fast);
}

static struct sk_buff *txq_dequeue_slow(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	struct txq_fq *q = container_of(fq, struct txq_fq, fq);

	return txq_flow_dequeue(q, container_of(tin, struct txq_tin, tin), flow, &q->slow);
}

/* ---- the pool of flows ---------------------------------------------------------------------------- */

static codel_time_t txq_codel_time(int64_t ns)
{
	return (codel_time_t)((u64)ns >> CODEL_SHIFT);
}

static void txq_configure(struct txq_fq *q)
{
	const struct txq_fq_params *p = q->obj.params;

	q->fq.limit = (u32)p->limit;
	q->fq.quantum = (u32)p->quantum;
	q->fq.memory_limit = q->vht ? MEMORY_VHT : MEMORY_NO_VHT;
	if (p->memory_limit != PARAM_UNSET)
		q->fq.memory_limit = (u32)p->memory_limit;
	codel_params_init(&q->fast);
	q->fast.target = txq_codel_time(p->target);
	q->fast.interval = txq_codel_time(p->interval);
	q->fast.ecn = p->ecn;
	q->fast.mtu = 0;
	q->slow = q->fast;
	q->slow.target = txq_codel_time(p->slow_target);
	q->slow.interval = txq_codel_time(p->slow_interval);
	q->slow.ecn = false;
}

/* A core's idea of fresh CoDel variables is what calloc() gives: then no flow's need be touched. */
static bool txq_vars_are_zero(void)
{
	static const char zero[sizeof(struct codel_vars)];
	struct codel_vars vars;

	memset(&vars, 0xff, sizeof(vars));
	codel_vars_init(&vars);
	return !memcmp(&vars, zero, sizeof(vars));
}

/* The 4096 flows are most of a radio's memory and set-up, and many a radio never queues a packet. */
static __attribute__((cold, noinline)) void txq_make_flows(struct txq_fq *q)
{
	const struct txq_fq_params *p = q->obj.params;

	if (fq_init(&q->fq, (int)p->flows))
		abort();
	q->vars = kvcalloc((size_t)p->flows, sizeof(*q->vars), GFP_KERNEL);
	if (!q->vars)
		abort();
	for (int64_t i = 0; i < p->flows && !txq_vars_are_zero(); i++)
		codel_vars_init(&q->vars[i]);
	txq_configure(q);
	q->made = true;
}

/* ---- ops ------------------------------------------------------------------------------------------ */

static void txq_fq_enqueue(struct object *obj, struct txq_tin *t, struct packet *p)
{
	struct txq_fq *q = txq_fq_of(obj);
	u32 collisions = q->fq.collisions;

	txq_enter_kernel(q);
	if (__builtin_expect(!q->made, 0))
		txq_make_flows(q);
	packet_enter(p, LAYER_TXQ, obj->sim->now);
	queue_stat_in(&q->stat[t->ac], obj->sim->now, p->skb.len);
	p->skb.len += WIFI_HEADROOM;
	txq_cb(&p->skb)->enqueue_time = codel_get_time();
	txq_cb(&p->skb)->since = obj->sim->now;
	fq_tin_enqueue(&q->fq, &t->tin, fq_flow_idx(&q->fq, &p->skb), &p->skb, txq_overlimit_free);
	q->collisions += q->fq.collisions - collisions;
}

static struct packet *txq_fq_dequeue(struct object *obj, struct txq_tin *t, bool slow)
{
	struct txq_fq *q = txq_fq_of(obj);
	struct sk_buff *skb;
	sim_time now = obj->sim->now;

	txq_enter_kernel(q);
	skb = fq_tin_dequeue(&q->fq, &t->tin, slow ? txq_dequeue_slow : txq_dequeue_fast);
	q->marks += q->cstats.ecn_mark;
	q->cstats.ecn_mark = 0;
	if (!skb)
		return NULL;
	skb->len -= WIFI_HEADROOM;
	queue_stat_out(&q->stat[t->ac], now, skb->len, now - txq_cb(skb)->since);
	return packet_of(skb);
}

static u32 txq_fq_packets(const struct txq_tin *t)
{
	return t->tin.backlog_packets;
}

static void txq_fq_flush(struct object *obj, struct txq_tin *t)
{
	fq_tin_reset(&txq_fq_of(obj)->fq, &t->tin, txq_flush_free);
}

static struct txq_tin *txq_fq_tin_new(struct object *obj, u32 ac)
{
	struct txq_fq *q = txq_fq_of(obj);
	struct txq_tin *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	fq_tin_init(&t->tin);
	codel_vars_init(&t->def_vars);
	t->pool = q;
	t->ac = ac;
	t->next = q->tins;
	q->tins = t;
	return t;
}

static void txq_fq_attach(struct object *obj, u32 hz, bool vht)
{
	struct txq_fq *q = txq_fq_of(obj);

	q->hz = hz;
	q->vht = vht;
	codel_stats_init(&q->cstats);
	txq_configure(q);
}

static void txq_fq_init(struct object *obj)
{
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&txq_fq_of(obj)->stat[ac], txq_causes);
}

static void txq_fq_changed(struct object *obj, const struct param *p)
{
	txq_configure(txq_fq_of(obj));
}

static void txq_fq_audit(const struct object *obj, struct model_audit *a)
{
	static const char *const names[AC_COUNT] = {"txq.vo", "txq.vi", "txq.be", "txq.bk"};
	const struct txq_fq *q = (const struct txq_fq *)obj;
	u64 held[AC_COUNT] = {0};

	for (const struct txq_tin *t = q->tins; t; t = t->next)
		held[t->ac] += t->tin.backlog_packets;
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_audit(&q->stat[ac], a, names[ac], held[ac]);
}

static void txq_fq_describe(const struct object *obj, struct model_describe *d)
{
	const struct txq_fq *q = (const struct txq_fq *)obj;

	d->queue(d->arg, "txq", q->fq.limit, q->fq.memory_limit, -1);
}

static void txq_fq_fini(struct object *obj)
{
	struct txq_fq *q = txq_fq_of(obj);

	while (q->tins) {
		struct txq_tin *t = q->tins;

		txq_fq_flush(obj, t);
		q->tins = t->next;
		free(t);
	}
	if (q->made)
		fq_reset(&q->fq, txq_flush_free);
	kvfree(q->vars);
}

#define TXQ_P(field) offsetof(struct txq_fq_params, field)

static const struct param txq_fq_param_table[] = {
	{.name = "limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(limit),
	 .def = "8192",
	 .min = 1,
	 .max = 1 << 20,
	 .doc = "packets of all stations together",
	 .linux_name = "fq_limit"},
	{.name = "memory_limit",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(memory_limit),
	 .min = 1,
	 .max = 1 << 30,
	 .doc = "memory of all packets together; without it 16 MiB with 802.11ac, else 4 MiB",
	 .linux_name = "fq_memory_limit"},
	{.name = "quantum",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(quantum),
	 .def = "300B",
	 .min = 1,
	 .max = 1 << 20,
	 .doc = "bytes that a flow may send in a round",
	 .linux_name = "fq_quantum"},
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = TXQ_P(flows),
	 .def = "4096",
	 .min = 1,
	 .max = 65536,
	 .doc = "flow queues of the radio"},
	{.name = "codel",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(codel),
	 .def = "true",
	 .doc = "CoDel on each flow"},
	{.name = "target",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(target),
	 .def = "20ms",
	 .min = SIM_US,
	 .max = 100 * SIM_SEC,
	 .doc = "CoDel's acceptable delay"},
	{.name = "interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(interval),
	 .def = "100ms",
	 .min = SIM_US,
	 .max = 100 * SIM_SEC,
	 .doc = "CoDel's interval"},
	{.name = "ecn",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(ecn),
	 .def = "true",
	 .doc = "CoDel marks in place of dropping"},
	{.name = "slow_target",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(slow_target),
	 .def = "50ms",
	 .min = SIM_US,
	 .max = 100 * SIM_SEC,
	 .doc = "the target of a station whose expected throughput is low; it is not marked"},
	{.name = "slow_interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = TXQ_P(slow_interval),
	 .def = "300ms",
	 .min = SIM_US,
	 .max = 100 * SIM_SEC,
	 .doc = "the interval of such a station"},
	PARAM_END,
};

static const struct probe txq_fq_probes[] = {
	{.name = "txq",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct txq_fq, stat),
	 .stride = sizeof(struct queue_stat),
	 .doc = "packets in the station queues"},
	{.name = "txq.ecn_marks",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct txq_fq, marks),
	 .doc = "packets that CoDel marked"},
	{.name = "txq.collisions",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct txq_fq, collisions),
	 .doc = "packets whose flow queue belonged to another station or TID"},
	PROBE_END,
};

static const struct model_ops txq_fq_model_ops = {
	.init = txq_fq_init,
	.changed = txq_fq_changed,
	.describe = txq_fq_describe,
	.audit = txq_fq_audit,
	.fini = txq_fq_fini,
};

static const struct txq_ops txq_fq_ops = {
	.attach = txq_fq_attach,
	.tin_new = txq_fq_tin_new,
	.enqueue = txq_fq_enqueue,
	.dequeue = txq_fq_dequeue,
	.packets = txq_fq_packets,
	.flush = txq_fq_flush,
};

const struct model_class txq_fq_class = {
	.kind = &kind_txq,
	.name = "fq",
	.doc = "fair queueing with CoDel over the flows of all stations",
	.source = "Linux 6.1 net/mac80211/tx.c; RFC 8290",
	.size = sizeof(struct txq_fq),
	.params_size = sizeof(struct txq_fq_params),
	.params = txq_fq_param_table,
	.probes = txq_fq_probes,
	.ops = &txq_fq_model_ops,
	.kind_ops = &txq_fq_ops,
};
