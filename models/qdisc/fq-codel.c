// SPDX-License-Identifier: GPL-3.0-or-later
/* fq_codel: hashed flows in deficit round robin, new ones first, each with CoDel at its head. */
#include <stdlib.h>
#include <string.h>

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/slab.h>

#include "qdisc/codel-options.h"

#define FQ_CODEL_QUANTUM_MIN 256
#define FQ_CODEL_QUANTUM_MAX (1 << 20)

struct fq_codel_params {
	struct codel_options codel;
	int64_t limit; /* packets */
	int64_t flows;
	int64_t quantum; /* bytes, PARAM_UNSET: the MTU with its header */
	int64_t memory_limit; /* bytes of truesize */
	int64_t drop_batch; /* packets */
	int64_t ce_threshold_mask, ce_threshold_selector;
};

/* All zero until it is used first: of 1024 flows most never are, and their memory is not touched. */
struct fq_codel_flow {
	struct packet *head, *tail;
	struct list_head chain; /* in new_flows or old_flows */
	int deficit;
	struct codel_vars vars;
};

struct fq_codel {
	struct qdisc q;
	struct fq_codel_flow *flows;
	u32 *backlogs; /* bytes of each flow, apart for the search of the largest */
	u64 *busy; /* a bit a flow: it has bytes; the search looks at no other */
	u32 n_flows;
	u32 quantum;
	struct codel_params cparams;
	struct codel_stats cstats;
	struct list_head new_flows, old_flows;
	u32 memory_usage;
	struct codel_counters counters;
	u64 drop_overlimit, drop_overmemory, new_flow_count;
	struct codel_rehearsal rehearsal;
};

enum { FQ_CODEL_DROP_CODEL = QDISC_DROP_OWN, FQ_CODEL_DROP_OVERLIMIT, FQ_CODEL_DROP_OVERMEMORY };

static const char *const fq_codel_causes[] = {QDISC_CAUSES, "codel", "overlimit", "overmemory",
					      NULL};

static struct fq_codel *fq_codel_of(struct qdisc *q)
{
	return container_of(q, struct fq_codel, q);
}

static const struct fq_codel_params *fq_codel_params(const struct fq_codel *f)
{
	return f->q.obj.params;
}

/* ---- enqueue -------------------------------------------------------------------------------- */

static bool fq_codel_flow_used(const struct fq_codel_flow *flow)
{
	return flow->chain.next;
}

static void fq_codel_flow_init(struct fq_codel_flow *flow)
{
	INIT_LIST_HEAD(&flow->chain);
	codel_vars_init(&flow->vars);
}

static void fq_codel_push(struct fq_codel_flow *flow, struct packet *p)
{
	p->skb.next = NULL;
	if (flow->head)
		flow->tail->skb.next = &p->skb;
	else
		flow->head = p;
	flow->tail = p;
}

static inline void fq_codel_set_backlog(struct fq_codel *f, u32 i, u32 bytes)
{
	if (!bytes)
		f->busy[i / 64] &= ~(1ULL << i % 64);
	else if (!f->backlogs[i])
		f->busy[i / 64] |= 1ULL << i % 64;
	f->backlogs[i] = bytes;
}

/* Takes the head of flow @i out of all accounts. */
static struct packet *fq_codel_pop(struct fq_codel *f, u32 i)
{
	struct fq_codel_flow *flow = &f->flows[i];
	struct packet *p = flow->head;

	if (!p)
		return NULL;
	flow->head = p->skb.next ? packet_of(p->skb.next) : NULL;
	fq_codel_set_backlog(f, i, f->backlogs[i] - qdisc_len(p));
	f->memory_usage -= get_codel_cb(&p->skb)->mem_usage;
	qdisc_give(&f->q, p);
	return p;
}

/* The first of the largest; 0 when all are empty. */
static u32 fq_codel_fattest(const struct fq_codel *f)
{
	u32 most = 0, fattest = 0;

	for (u32 at = 0; at < f->n_flows; at += 64) {
		for (u64 bits = f->busy[at / 64]; bits; bits &= bits - 1) {
			u32 i = at + (u32)__builtin_ctzll(bits);

			if (f->backlogs[i] > most) {
				most = f->backlogs[i];
				fattest = i;
			}
		}
	}
	return fattest;
}

/*
 * Makes room: the flow with the largest backlog loses from its head up to a batch of packets, or half its bytes.
 * Returns the flow. Its CoDel starts from a higher count next time, without a Newton step.
 */
static u32 fq_codel_make_room(struct fq_codel *f, u32 cause)
{
	const u32 batch = (u32)fq_codel_params(f)->drop_batch;
	u32 i = fq_codel_fattest(f), half = f->backlogs[i] / 2, bytes = 0, n = 0;

	do {
		struct packet *p = fq_codel_pop(f, i);

		bytes += qdisc_len(p);
		qdisc_drop(&f->q, p, cause, true);
	} while (++n < batch && bytes < half);
	f->flows[i].vars.count += n;
	return i;
}

/*
 * A limit is exceeded since a packet of @len bytes was put into flow @i; what makes room may be that packet. Returns
 * NET_XMIT_*.
 */
static __attribute__((noinline)) int fq_codel_overlimit(struct fq_codel *f, u32 i, u32 len,
							bool overmemory)
{
	struct qdisc *q = &f->q;
	u32 qlen = q->qlen, backlog = q->backlog, fattest;

	fattest = fq_codel_make_room(f, overmemory ? FQ_CODEL_DROP_OVERMEMORY
						   : FQ_CODEL_DROP_OVERLIMIT);
	qlen -= q->qlen;
	backlog -= q->backlog;
	f->drop_overlimit += qlen;
	if (overmemory)
		f->drop_overmemory += qlen;
	if (fattest != i) {
		qdisc_tree_reduce(q, qlen, (int)backlog);
		return NET_XMIT_SUCCESS;
	}
	/* CN says that the ancestors did not count this packet; so one drop less is theirs. */
	qdisc_tree_reduce(q, qlen - 1, (int)(backlog - len));
	return NET_XMIT_CN;
}

static int fq_codel_enqueue(struct qdisc *q, struct packet *p)
{
	struct fq_codel *f = fq_codel_of(q);
	const struct fq_codel_params *par = fq_codel_params(f);
	u32 i = reciprocal_scale(p->skb.hash, f->n_flows), len = qdisc_len(p);
	struct fq_codel_flow *flow = &f->flows[i];
	bool overmemory;

	if (unlikely(!fq_codel_flow_used(flow)))
		fq_codel_flow_init(flow);
	codel_set_enqueue_time(&p->skb);
	get_codel_cb(&p->skb)->mem_usage = p->skb.truesize;
	fq_codel_push(flow, p);
	fq_codel_set_backlog(f, i, f->backlogs[i] + len);
	if (list_empty(&flow->chain)) {
		list_add_tail(&flow->chain, &f->new_flows);
		f->new_flow_count++;
		flow->deficit = (int)f->quantum;
	}
	f->memory_usage += p->skb.truesize;
	overmemory = f->memory_usage > par->memory_limit;
	qdisc_take(q, p);
	if (likely(q->qlen <= par->limit && !overmemory))
		return NET_XMIT_SUCCESS;
	return fq_codel_overlimit(f, i, len, overmemory);
}

/* ---- dequeue -------------------------------------------------------------------------------- */

static struct sk_buff *fq_codel_pull(struct codel_vars *vars, void *ctx)
{
	struct fq_codel *f = ctx;
	struct fq_codel_flow *flow = container_of(vars, struct fq_codel_flow, vars);
	struct packet *p = fq_codel_pop(f, (u32)(flow - f->flows));

	if (!p)
		return NULL;
	codel_rehearsal_note(&f->rehearsal, &p->skb);
	codel_options_pulled(&fq_codel_params(f)->codel, &f->cparams, &f->cstats, &p->skb);
	return &p->skb;
}

static void fq_codel_drop(struct sk_buff *skb, void *ctx)
{
	struct fq_codel *f = ctx;

	if (!f->rehearsal.on)
		qdisc_drop(&f->q, packet_of(skb), FQ_CODEL_DROP_CODEL, true);
}

static struct packet *fq_codel_next(struct fq_codel *f)
{
	for (;;) {
		bool is_new = !list_empty(&f->new_flows);
		struct list_head *list = is_new ? &f->new_flows : &f->old_flows;
		struct fq_codel_flow *flow;
		struct sk_buff *skb;

		if (list_empty(list))
			return NULL;
		flow = list_first_entry(list, struct fq_codel_flow, chain);
		if (flow->deficit <= 0) {
			flow->deficit += (int)f->quantum;
			/* where it is already, when it is the only one */
			if (flow->chain.next != &f->old_flows)
				list_move_tail(&flow->chain, &f->old_flows);
			continue;
		}

		/* The backlog that CoDel looks at is the whole qdisc's. */
		skb = codel_dequeue(f, &f->q.backlog, &f->cparams, &flow->vars, &f->cstats,
				    qdisc_pkt_len, codel_get_enqueue_time, fq_codel_drop,
				    fq_codel_pull);
		if (skb) {
			flow->deficit -= (int)qdisc_pkt_len(skb);
			return packet_of(skb);
		}

		/* A new flow that ran empty waits once behind the old ones, lest it starve them. */
		if (is_new && !list_empty(&f->old_flows))
			list_move_tail(&flow->chain, &f->old_flows);
		else
			list_del_init(&flow->chain);
	}
}

static struct packet *fq_codel_dequeue(struct qdisc *q)
{
	struct fq_codel *f = fq_codel_of(q);
	struct packet *p = fq_codel_next(f);

	codel_settle(q, &f->cstats, &f->counters);
	return p;
}

/* ---- peek ----------------------------------------------------------------------------------- */

/* The listed flows in their order, as they were before the rehearsal. */
struct fq_codel_saved {
	u32 n_new, n_old;
	struct {
		struct fq_codel_flow flow, *at;
		u32 backlog;
	} flows[];
};

static u32 fq_codel_listed(struct list_head *list)
{
	struct fq_codel_flow *flow;
	u32 n = 0;

	list_for_each_entry(flow, list, chain)
		n++;
	return n;
}

static u32 fq_codel_save_list(const struct fq_codel *f, struct list_head *list,
			      struct fq_codel_saved *s, u32 n)
{
	struct fq_codel_flow *flow;

	list_for_each_entry(flow, list, chain) {
		s->flows[n].flow = *flow;
		s->flows[n].at = flow;
		s->flows[n].backlog = f->backlogs[flow - f->flows];
		n++;
	}
	return n;
}

/* Links and all: the lists' heads lie in @f, which is put back as well. */
static void fq_codel_restore(struct fq_codel *f, const struct fq_codel_saved *s)
{
	for (u32 i = 0; i < s->n_new + s->n_old; i++) {
		*s->flows[i].at = s->flows[i].flow;
		fq_codel_set_backlog(f, (u32)(s->flows[i].at - f->flows), s->flows[i].backlog);
	}
}

/*
 * The dequeue, rehearsed, then everything put back. It costs as much as there are busy flows; a parent that needs the
 * head and keeps it waiting takes it out, as Linux's qdiscs do in their peek.
 */
static const struct packet *fq_codel_peek(const struct qdisc *q)
{
	struct fq_codel *f = fq_codel_of((struct qdisc *)q);
	u32 n_new = fq_codel_listed(&f->new_flows), n_old = fq_codel_listed(&f->old_flows);
	const struct fq_codel before = *f;
	struct fq_codel_saved *s;
	const struct packet *p;

	s = malloc(sizeof(*s) + (n_new + n_old) * sizeof(s->flows[0]));
	SIM_CHECK(q->obj.sim, &q->obj, s, "no memory");
	s->n_new = n_new;
	s->n_old = n_old;
	fq_codel_save_list(f, &f->old_flows, s, fq_codel_save_list(f, &f->new_flows, s, 0));

	f->rehearsal.on = true;
	p = fq_codel_next(f);
	codel_rehearsal_end(&f->rehearsal);
	*f = before;
	fq_codel_restore(f, s);
	free(s);
	return p;
}

/* ---- set-up --------------------------------------------------------------------------------- */

static void fq_codel_lists_init(struct fq_codel *f)
{
	INIT_LIST_HEAD(&f->new_flows);
	INIT_LIST_HEAD(&f->old_flows);
	codel_stats_init(&f->cstats);
}

static void fq_codel_reset(struct qdisc *q)
{
	struct fq_codel *f = fq_codel_of(q);

	for (u32 i = 0; i < f->n_flows; i++) {
		struct packet *p;

		if (!fq_codel_flow_used(&f->flows[i]))
			continue;
		while ((p = fq_codel_pop(f, i)))
			qdisc_drop(q, p, QDISC_DROP_RESET, true);
		fq_codel_flow_init(&f->flows[i]);
	}
	fq_codel_lists_init(f);
}

static void fq_codel_configure(struct fq_codel *f)
{
	const struct fq_codel_params *par = fq_codel_params(f);

	codel_options_apply(&par->codel, f->q.dev, &f->cparams);
	f->cparams.ce_threshold_mask = (u8)par->ce_threshold_mask;
	f->cparams.ce_threshold_selector = (u8)par->ce_threshold_selector;
	f->quantum = clamp_t(u32, par->quantum == PARAM_UNSET ? f->cparams.mtu : par->quantum,
			     FQ_CODEL_QUANTUM_MIN, FQ_CODEL_QUANTUM_MAX);
	f->q.can_bypass = par->limit >= 1;
}

static void fq_codel_attach(struct qdisc *q)
{
	struct fq_codel *f = fq_codel_of(q);

	fq_codel_configure(f);
	f->n_flows = (u32)fq_codel_params(f)->flows;
	f->flows = kvcalloc(f->n_flows, sizeof(*f->flows), GFP_KERNEL);
	f->backlogs = calloc(f->n_flows, sizeof(*f->backlogs));
	f->busy = calloc(f->n_flows / 64 + 1, sizeof(*f->busy));
	SIM_CHECK(q->obj.sim, &q->obj, f->flows && f->backlogs && f->busy, "no memory for %u flows",
		  f->n_flows);
	fq_codel_lists_init(f);
}

static void fq_codel_fini(struct object *obj)
{
	struct fq_codel *f = (struct fq_codel *)obj;

	kvfree(f->flows);
	free(f->backlogs);
	free(f->busy);
}

/* tc qdisc change: what is over smaller limits is dequeued, CoDel's way, and dropped. */
static void fq_codel_changed(struct object *obj, const struct param *p)
{
	struct fq_codel *f = (struct fq_codel *)obj;
	const struct fq_codel_params *par = fq_codel_params(f);
	struct qdisc *q = &f->q;

	fq_codel_configure(f);
	while (q->qlen > par->limit || f->memory_usage > par->memory_limit) {
		struct packet *head = fq_codel_dequeue(q);
		u32 len;

		if (!head)
			break;
		len = qdisc_len(head);
		qdisc_drop(q, head, FQ_CODEL_DROP_OVERLIMIT, true);
		qdisc_tree_reduce(q, 1, (int)len);
	}
}

static void fq_codel_check(const void *params, struct model_check *c)
{
	const struct fq_codel_params *par = params;

	if (par->ce_threshold_selector & ~par->ce_threshold_mask)
		model_check_error(c, "ce_threshold_selector",
				  "has bits that ce_threshold_mask takes away: no packet matches");
}

static void fq_codel_describe(const struct object *obj, struct model_describe *d)
{
	d->queue(d->arg, "qdisc", fq_codel_params((const struct fq_codel *)obj)->limit, -1, 0);
}

/* ---- tc -s qdisc ---------------------------------------------------------------------------- */

static int64_t fq_codel_maxpacket(const struct object *obj, int64_t window)
{
	return ((const struct fq_codel *)obj)->cstats.maxpacket * 1000000LL;
}

static int64_t fq_codel_memory_usage(const struct object *obj, int64_t window)
{
	return ((const struct fq_codel *)obj)->memory_usage * 1000000LL;
}

static int64_t fq_codel_new_flows_len(const struct object *obj, int64_t window)
{
	return fq_codel_listed((struct list_head *)&((const struct fq_codel *)obj)->new_flows) *
	       1000000LL;
}

static int64_t fq_codel_old_flows_len(const struct object *obj, int64_t window)
{
	return fq_codel_listed((struct list_head *)&((const struct fq_codel *)obj)->old_flows) *
	       1000000LL;
}

static const struct param_era fq_codel_batch_by_era[] = {
	{"2.6.32", "1"},
	{"6.1", "64"},
	{NULL, NULL},
};

static const struct param_era fq_codel_memory_by_era[] = {
	{"2.6.32", "2GiB"},
	{"6.1", "32MiB"},
	{NULL, NULL},
};

static const struct param fq_codel_param_table[] = {
	CODEL_PARAMS(struct fq_codel_params, "true"),
	{.name = "limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, limit),
	 .def = "10240",
	 .min = 0,
	 .max = UINT32_MAX,
	 .doc = "packets of all flows; beyond, the flow with most bytes loses from its head",
	 .linux_name = "TCA_FQ_CODEL_LIMIT"},
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct fq_codel_params, flows),
	 .def = "1024",
	 .min = 1,
	 .max = 65536,
	 .doc = "queues that flows are hashed to",
	 .linux_name = "TCA_FQ_CODEL_FLOWS"},
	{.name = "quantum",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, quantum),
	 .min = 1,
	 .max = FQ_CODEL_QUANTUM_MAX,
	 .doc = "bytes a flow may send in a round, at least 256; without it the MTU with its header",
	 .linux_name = "TCA_FQ_CODEL_QUANTUM"},
	{.name = "memory_limit",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, memory_limit),
	 .def = "32MiB",
	 .min = 0,
	 .max = 1LL << 31,
	 .eras = fq_codel_memory_by_era,
	 .doc = "memory of all packets together, as Linux charges it; none before 4.7",
	 .linux_name = "TCA_FQ_CODEL_MEMORY_LIMIT"},
	{.name = "drop_batch",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, drop_batch),
	 .def = "64",
	 .min = 1,
	 .max = UINT32_MAX,
	 .eras = fq_codel_batch_by_era,
	 .doc = "packets dropped at most when a limit is exceeded",
	 .linux_name = "TCA_FQ_CODEL_DROP_BATCH_SIZE"},
	{.name = "ce_threshold_mask",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, ce_threshold_mask),
	 .def = "0",
	 .min = 0,
	 .max = 255,
	 .doc = "bits of the DS field that ce_threshold looks at; 0: it is for all packets",
	 .linux_name = "TCA_FQ_CODEL_CE_THRESHOLD_MASK"},
	{.name = "ce_threshold_selector",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct fq_codel_params, ce_threshold_selector),
	 .def = "0",
	 .min = 0,
	 .max = 255,
	 .doc = "what they must be",
	 .linux_name = "TCA_FQ_CODEL_CE_THRESHOLD_SELECTOR"},
	PARAM_END,
};

static const struct probe fq_codel_probes[] = {
	QDISC_PROBES,
	CODEL_PROBES(struct fq_codel),
	{.name = "drop_overlimit",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct fq_codel, drop_overlimit),
	 .doc = "tc: dropped because a limit was exceeded"},
	{.name = "drop_overmemory",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct fq_codel, drop_overmemory),
	 .doc = "tc: those of them because of memory_limit"},
	{.name = "new_flow_count",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct fq_codel, new_flow_count),
	 .doc = "tc: times that a flow became busy"},
	{.name = "maxpacket",
	 .unit = "bytes",
	 .shape = PROBE_VALUE,
	 .value = fq_codel_maxpacket,
	 .doc = "tc: largest packet seen"},
	{.name = "memory_used",
	 .unit = "bytes",
	 .shape = PROBE_VALUE,
	 .value = fq_codel_memory_usage,
	 .doc = "tc: memory of the packets held, at the end"},
	{.name = "new_flows_len",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = fq_codel_new_flows_len,
	 .doc = "tc: flows on the list of new ones, at the end"},
	{.name = "old_flows_len",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = fq_codel_old_flows_len,
	 .doc = "tc: flows on the list of old ones, at the end"},
	PROBE_END,
};

static const struct model_ops fq_codel_model_ops = {
	.check = fq_codel_check,
	.init = qdisc_init,
	.changed = fq_codel_changed,
	.describe = fq_codel_describe,
	.audit = qdisc_audit,
	.fini = fq_codel_fini,
};

static const struct qdisc_ops fq_codel_ops = {
	.reach = QDISC_NEAR,
	.causes = fq_codel_causes,
	.enqueue = fq_codel_enqueue,
	.dequeue = fq_codel_dequeue,
	.peek = fq_codel_peek,
	.reset = fq_codel_reset,
	.attach = fq_codel_attach,
};

const struct model_class fq_codel_class = {
	.kind = &kind_qdisc,
	.name = "fq_codel",
	.doc = "hashed flows in deficit round robin, sparse ones first, CoDel on each",
	.source = "RFC 8290; Linux 6.1 net/sched/sch_fq_codel.c, include/net/codel_impl.h",
	.not_modelled =
		"Filters and class ids: the flow follows from the hash.\n"
		"Packets dropped by a live change of a limit count in \"dropped\"; Linux frees them uncounted.",
	.size = sizeof(struct fq_codel),
	.params_size = sizeof(struct fq_codel_params),
	.params = fq_codel_param_table,
	.probes = fq_codel_probes,
	.ops = &fq_codel_model_ops,
	.kind_ops = &fq_codel_ops,
};
