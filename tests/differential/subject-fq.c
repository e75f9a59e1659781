// SPDX-License-Identifier: GPL-3.0-or-later
/* fq as mac80211 uses it: tins that share a pool of flows, CoDel on each flow, or without it. */
#include <stdio.h>
#include <string.h>

#include <linux/kernel.h>
#include <net/codel.h>
#include <net/codel_impl.h>
#include <net/fq.h>
#include <net/fq_impl.h>

#include "diff.h"

enum { ENQUEUE, DEQUEUE, RESET_TIN, FILTER, LIMITS, CLASSIFY, FLOW_DEQUEUE, REMAKE, POKE, OPS };

static const char *const op_names[OPS] = {"enqueue",	  "dequeue", "reset tin",
					  "filter",	  "limits",  "classify",
					  "flow dequeue", "remake",  "poke"};

#define TINS	   3
#define FLOWS	   12
#define PACKETS	   512
#define QUEUES	   (FLOWS + TINS)
#define FQ_WORDS   12 /* of the record before the tins */
#define TIN_WORDS  10
#define FLOW_WORDS 4

struct state {
	struct fq fq;
	struct fq_tin tin[TINS];
	struct codel_vars cvars[QUEUES]; /* of the pool's flows, then of the default flows */
	struct codel_params params;
	struct codel_stats stats;
	bool codel;
	struct sk_buff_head idle;
	u32 serial;
	struct diff_record *out;
	struct fq_flow *serving;
	struct sk_buff skbs[PACKETS];
};

static u32 queue_index(const struct state *s, const struct fq_flow *flow)
{
	for (u32 i = 0; i < TINS; i++)
		if (flow == &s->tin[i].default_flow)
			return FLOWS + i;
	return (u32)(flow - s->fq.flows);
}

static u32 tin_index(const struct state *s, const struct fq_tin *tin)
{
	return tin ? (u32)(tin - s->tin) : TINS;
}

static void note_freed(struct state *s, u32 kind, struct sk_buff *skb)
{
	diff_put(s->out, (u64)kind << 32 | skb->priority);
	__skb_queue_tail(&s->idle, skb);
}

static void free_packet(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow,
			struct sk_buff *skb)
{
	struct state *s = container_of(fq, struct state, fq);

	note_freed(s, 1 + tin_index(s, tin), skb);
	/* What the accounts say while the packet is ended. */
	diff_put(s->out, (u64)fq->backlog << 32 | fq->memory_usage);
	diff_put(s->out, (u64)queue_index(s, flow) << 32 | flow->backlog);
}

static u32 packet_len(const struct sk_buff *skb)
{
	return skb->len;
}

static codel_time_t packet_time(const struct sk_buff *skb)
{
	return (codel_time_t)skb->tstamp;
}

static void drop(struct sk_buff *skb, void *ctx)
{
	note_freed(ctx, 16, skb);
}

static struct sk_buff *pull(struct codel_vars *vars, void *ctx)
{
	struct state *s = ctx;

	return fq_flow_dequeue(&s->fq, s->serving);
}

static struct sk_buff *dequeue_flow(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	struct state *s = container_of(fq, struct state, fq);

	if (!s->codel)
		return fq_flow_dequeue(fq, flow);
	s->serving = flow;
	return codel_dequeue(s, &flow->backlog, &s->params, &s->cvars[queue_index(s, flow)],
			     &s->stats, packet_len, packet_time, drop, pull);
}

static bool pick(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow, struct sk_buff *skb,
		 void *data)
{
	return (skb->priority & *(u32 *)data) == 0;
}

static void make_pool(struct state *s, int flows)
{
	/* The first FLOWS are what is recorded; a smaller pool is made, then counted down. */
	if (fq_init(&s->fq, FLOWS))
		return;
	s->fq.flows_cnt = flows;
	for (u32 i = 0; i < TINS; i++)
		fq_tin_init(&s->tin[i]);
}

static void init(void *state)
{
	struct state *s = state;

	__skb_queue_head_init(&s->idle);
	for (u32 i = 0; i < PACKETS; i++)
		__skb_queue_tail(&s->idle, &s->skbs[i]);
	codel_params_init(&s->params);
	make_pool(s, FLOWS);
	s->fq.limit = 200;
}

static void reset_tin(struct state *s, u32 i)
{
	fq_tin_reset(&s->fq, &s->tin[i], free_packet);
	memset(&s->tin[i], 0, sizeof(s->tin[i]));
	fq_tin_init(&s->tin[i]);
}

static void enqueue(struct state *s, const struct diff_op *op)
{
	struct sk_buff *skb = __skb_dequeue(&s->idle);
	u32 idx;

	if (!skb)
		return;
	skb->priority = s->serial++;
	skb->len = op->y & 0xffff;
	skb->truesize = skb->len + (op->z & 0xffff);
	skb->hash = op->x;
	skb->tos = op->z >> 30;
	skb->tstamp = codel_get_time();
	idx = fq_flow_idx(&s->fq, skb);
	diff_put(s->out, idx);
	fq_tin_enqueue(&s->fq, &s->tin[op->y >> 16], idx, skb, free_packet);
}

static void set_limits(struct state *s, const struct diff_op *op)
{
	u32 target_ms = op->z >> 18 & 31, interval_ms = op->z >> 23 & 127;

	s->fq.limit = op->x;
	s->fq.memory_limit = op->y;
	s->fq.quantum = (op->z & 0xffff) + 1; /* without any nothing would ever be served */
	s->codel = op->z >> 16 & 1;
	s->params.ecn = op->z >> 17 & 1;
	s->params.target = MS2TIME(target_ms);
	s->params.interval = MS2TIME(interval_ms);
}

static void poke(struct state *s, const struct diff_op *op)
{
	struct fq_tin *tin = &s->tin[op->z % TINS];
	struct fq_flow *flow = &s->fq.flows[op->z / TINS % FLOWS];

	switch (op->y) {
	case 0: /* counters near their wrap */
		tin->tx_bytes = op->x;
		tin->tx_packets = op->x;
		tin->collisions = op->x;
		tin->overlimit = op->x;
		tin->flows = op->x;
		s->fq.overlimit = op->x;
		s->fq.overmemory = op->x;
		s->fq.collisions = op->x;
		break;
	case 1:
		flow->deficit = (int)op->x % 100000;
		break;
	default:
		s->cvars[op->z % QUEUES].count += op->x & 0xff;
		break;
	}
}

static void apply(void *state, const struct diff_op *op, struct diff_record *out)
{
	struct state *s = state;
	struct sk_buff *skb, probe = {.hash = op->x};
	u32 mask = op->x;

	s->out = out;
	switch (op->code) {
	case ENQUEUE:
		enqueue(s, op);
		break;
	case DEQUEUE:
		skb = fq_tin_dequeue(&s->fq, &s->tin[op->x % TINS], dequeue_flow);
		diff_put(out, skb ? (u64)skb->tos << 32 | skb->priority : UINT64_MAX);
		if (skb)
			__skb_queue_tail(&s->idle, skb);
		break;
	case RESET_TIN:
		reset_tin(s, op->x % TINS);
		break;
	case FILTER:
		fq_tin_filter(&s->fq, &s->tin[op->y % TINS], pick, &mask, free_packet);
		break;
	case LIMITS:
		set_limits(s, op);
		break;
	case CLASSIFY:
		diff_put(out,
			 queue_index(s, fq_flow_classify(&s->fq, &s->tin[op->y % TINS],
							 fq_flow_idx(&s->fq, &probe), &probe)));
		break;
	case FLOW_DEQUEUE: /* as A-MSDU aggregation and the queue's purge do */
		skb = fq_flow_dequeue(&s->fq, &s->fq.flows[op->x % FLOWS]);
		diff_put(out, skb ? skb->priority : UINT64_MAX);
		if (skb)
			__skb_queue_tail(&s->idle, skb);
		break;
	case REMAKE:
		for (u32 i = 0; i < TINS; i++)
			reset_tin(s, i);
		fq_reset(&s->fq, free_packet);
		diff_put(out, !s->fq.flows && !s->fq.flows_bitmap);
		make_pool(s, 1 + op->x % FLOWS);
		break;
	case POKE:
		poke(s, op);
		break;
	}
}

/* The flows of a list in their order, in base QUEUES + 1. */
static u64 chain(const struct state *s, struct list_head *head)
{
	struct fq_flow *flow;
	u64 order = 0;

	list_for_each_entry(flow, head, flowchain)
		order = order * (QUEUES + 1) + 1 + queue_index(s, flow);
	return order;
}

static void record_flow(struct state *s, const struct fq_flow *flow, struct diff_record *out)
{
	diff_put(out, tin_index(s, flow->tin));
	diff_put(out, flow->backlog);
	diff_put(out, (u64)(s64)flow->deficit);
	diff_put(out, skb_queue_len(&flow->queue));
}

static void record(void *state, struct diff_record *out)
{
	struct state *s = state;
	struct fq_tin *tin;
	u64 order = 0;

	list_for_each_entry(tin, &s->fq.tin_backlog, tin_list)
		order = order * (TINS + 1) + 1 + tin_index(s, tin);
	diff_put(out, s->fq.flows_cnt);
	diff_put(out, s->fq.limit);
	diff_put(out, s->fq.memory_limit);
	diff_put(out, s->fq.memory_usage);
	diff_put(out, s->fq.quantum);
	diff_put(out, s->fq.backlog);
	diff_put(out, s->fq.overlimit);
	diff_put(out, s->fq.overmemory);
	diff_put(out, s->fq.collisions);
	diff_put(out, s->fq.flows_bitmap[0]);
	diff_put(out, order);
	diff_put(out, skb_queue_len(&s->idle));

	for (u32 i = 0; i < TINS; i++) {
		tin = &s->tin[i];
		diff_put(out, tin->backlog_bytes);
		diff_put(out, tin->backlog_packets);
		diff_put(out, tin->overlimit);
		diff_put(out, tin->collisions);
		diff_put(out, tin->flows);
		diff_put(out, tin->tx_bytes);
		diff_put(out, tin->tx_packets);
		diff_put(out, list_empty(&tin->tin_list));
		diff_put(out, chain(s, &tin->new_flows));
		diff_put(out, chain(s, &tin->old_flows));
	}
	for (u32 i = 0; i < FLOWS; i++)
		record_flow(s, &s->fq.flows[i], out);
	for (u32 i = 0; i < TINS; i++)
		record_flow(s, &s->tin[i].default_flow, out);
}

static void fini(void *state)
{
	struct state *s = state;
	struct diff_record out = {0};

	s->out = &out;
	for (u32 i = 0; i < TINS; i++)
		fq_tin_reset(&s->fq, &s->tin[i], free_packet);
	fq_reset(&s->fq, free_packet);
}

static void make(struct draw *d, u32 mode, struct diff_op *op)
{
	u32 kind = draw_next_below(d, 256);

	op->dt = mode & 0x80 ? diff_step(d) : diff_between(d, 0, 1000000u << (mode >> 8 & 7));
	op->x = diff_u32(d);
	if (kind >= (mode & 0x40 ? 32 : 6)) {
		if (draw_next_below(d, 8) < 3 + (mode & 3)) {
			u32 len = diff_one_in(d, 3) ? diff_between(d, 40, 200) : 1514;

			op->code = ENQUEUE;
			if (mode & 8 && diff_one_in(d, 20))
				len = diff_one_in(d, 2) ? 0 : 65535;
			op->y = draw_next_below(d, TINS) << 16 | len;
			op->z = diff_u32(d) & (mode & 16 ? ~0u : ~0u >> 2);
		} else {
			op->code = DEQUEUE;
		}
		return;
	}

	op->code = RESET_TIN + draw_next_below(d, OPS - RESET_TIN);
	op->y = diff_u32(d);
	op->z = diff_u32(d);
	if (op->code == LIMITS) {
		op->x = diff_one_in(d, 8) ? draw_next_below(d, 4) : diff_between(d, 10, 400);
		op->y = diff_one_in(d, 3) ? diff_between(d, 0, 500000) : 16 << 20;
		op->z = (op->z & ~0xffffu) | (diff_one_in(d, 4) ? diff_between(d, 1, 65535) : 300);
	} else if (op->code == FILTER) {
		op->x = 1u << draw_next_below(d, 4);
	} else if (op->code == POKE) {
		op->y = draw_next_below(d, 3);
		op->x = diff_one_in(d, 2) ? 0u - diff_between(d, 0, 20) : diff_u32(d);
	}
}

static void print(const struct diff_op *op, char *buf, size_t len)
{
	snprintf(buf, len, "%s 0x%x 0x%x 0x%x", op_names[op->code], op->x, op->y, op->z);
}

static void field(u32 i, char *buf, size_t len)
{
	static const char *const fq_names[FQ_WORDS] = {
		"flows_cnt",  "limit",	      "memory_limit", "memory_usage",
		"quantum",    "backlog",      "overlimit",    "overmemory",
		"collisions", "flows_bitmap", "tin_backlog",  "idle packets"};
	static const char *const tin_names[TIN_WORDS] = {"backlog_bytes", "backlog_packets",
							 "overlimit",	  "collisions",
							 "flows",	  "tx_bytes",
							 "tx_packets",	  "not in tin_backlog",
							 "new_flows",	  "old_flows"};
	static const char *const flow_names[FLOW_WORDS] = {"tin", "backlog", "deficit", "qlen"};

	if (i < FQ_WORDS) {
		snprintf(buf, len, "fq.%s", fq_names[i]);
		return;
	}
	i -= FQ_WORDS;
	if (i < TINS * TIN_WORDS) {
		snprintf(buf, len, "tin %u.%s", i / TIN_WORDS, tin_names[i % TIN_WORDS]);
		return;
	}
	i -= TINS * TIN_WORDS;
	snprintf(buf, len, "flow %u.%s", i / FLOW_WORDS, flow_names[i % FLOW_WORDS]);
}

const struct diff_subject diff_fq = {
	.name = "fq",
	.size = sizeof(struct state),
	.init = init,
	.apply = apply,
	.record = record,
	.fini = fini,
	.make = make,
	.print = print,
	.field = field,
};
