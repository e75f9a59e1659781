// SPDX-License-Identifier: GPL-3.0-or-later
/* CoDel over one queue, as a qdisc uses it: packets come and go, parameters and state are set to anything. */
#include <stdio.h>
#include <string.h>

#include <linux/kernel.h>
#include <net/codel.h>
#include <net/codel_impl.h>
#include <net/codel_qdisc.h>

#include "diff.h"

enum { ENQUEUE, DEQUEUE, RESET, PARAMS, POKE, FLUSH, TIME, OPS };

static const char *const op_names[OPS] = {"enqueue", "dequeue", "reset", "params",
					  "poke",    "flush",	"time"};

static const char *const field_names[] = {
	"count",
	"lastcount",
	"dropping",
	"rec_inv_sqrt",
	"first_above_time",
	"drop_next",
	"ldelay",
	"maxpacket",
	"drop_count",
	"drop_len",
	"ecn_mark",
	"ce_mark",
	"target",
	"ce_threshold",
	"interval",
	"mtu",
	"ecn",
	"ce_threshold_selector",
	"ce_threshold_mask",
	"backlog",
	"qlen",
};

#define PACKETS 128

struct state {
	struct codel_params params;
	struct codel_vars vars;
	struct codel_stats stats;
	struct sk_buff_head queue, idle;
	u32 backlog;
	u32 serial;
	struct diff_record *out;
	struct sk_buff skbs[PACKETS];
};

static u32 packet_len(const struct sk_buff *skb)
{
	return qdisc_pkt_len(skb);
}

static void drop(struct sk_buff *skb, void *ctx)
{
	struct state *s = ctx;

	diff_put(s->out, (u64)1 << 32 | skb->priority);
	/* What the algorithm had done when it called. */
	diff_put(s->out, (u64)s->stats.drop_count << 32 | s->stats.drop_len);
	diff_put(s->out, (u64)s->vars.count << 32 | s->vars.drop_next);
	__skb_queue_tail(&s->idle, skb);
}

static struct sk_buff *pull(struct codel_vars *vars, void *ctx)
{
	struct state *s = ctx;
	struct sk_buff *skb = __skb_dequeue(&s->queue);

	if (skb)
		s->backlog -= qdisc_pkt_len(skb);
	return skb;
}

static void init(void *state)
{
	struct state *s = state;

	__skb_queue_head_init(&s->queue);
	__skb_queue_head_init(&s->idle);
	for (u32 i = 0; i < PACKETS; i++)
		__skb_queue_tail(&s->idle, &s->skbs[i]);
	codel_params_init(&s->params);
	codel_vars_init(&s->vars);
	codel_stats_init(&s->stats);
	s->params.mtu = 1514;
}

static void enqueue(struct state *s, u32 len, u32 tos)
{
	struct sk_buff *skb = __skb_dequeue(&s->idle);

	if (!skb)
		return;
	memset(skb->cb, 0, sizeof(skb->cb));
	skb->priority = s->serial++;
	skb->tos = (u8)tos;
	qdisc_skb_cb(skb)->pkt_len = len;
	codel_set_enqueue_time(skb);
	s->backlog += len;
	__skb_queue_tail(&s->queue, skb);
}

static void dequeue(struct state *s, struct diff_record *out)
{
	struct sk_buff *skb;

	s->out = out;
	skb = codel_dequeue(s, &s->backlog, &s->params, &s->vars, &s->stats, packet_len,
			    codel_get_enqueue_time, drop, pull);
	diff_put(out, skb ? (u64)skb->tos << 32 | skb->priority : UINT64_MAX);
	if (skb)
		__skb_queue_tail(&s->idle, skb);
}

static void poke(struct codel_vars *v, u32 which, u32 x)
{
	switch (which) {
	case 0:
		v->count = x;
		break;
	case 1:
		v->lastcount = x;
		break;
	case 2:
		v->count += x & 0xff; /* as fq_codel does when it drops for want of room */
		break;
	case 3:
		v->rec_inv_sqrt = (u16)x;
		break;
	case 4:
		v->first_above_time = x;
		break;
	case 5:
		v->drop_next = x;
		break;
	case 6:
		v->drop_next = codel_get_time() + x % 2000000 - 1000000;
		break;
	default:
		v->dropping = x & 1;
		break;
	}
}

static void set_params(struct codel_params *p, const struct diff_op *op)
{
	static const u16 ms[][2] = {{5, 100}, {20, 100}, {50, 300}, {1, 20}, {0, 1}, {0, 0}};
	u32 i = op->x % (ARRAY_SIZE(ms) + 1);

	if (i < ARRAY_SIZE(ms)) {
		p->target = MS2TIME((u32)ms[i][0]);
		p->interval = MS2TIME((u32)ms[i][1]);
	} else {
		p->target = op->y;
		p->interval = op->z;
	}
	p->ecn = op->x >> 8 & 1;
	p->mtu = op->x >> 9 & 1 ? 0 : op->x >> 10 & 1 ? 1514 : op->y % 65536;
	p->ce_threshold = op->x >> 11 & 1 ? CODEL_DISABLED_THRESHOLD : op->z % 100000;
	p->ce_threshold_mask = op->x >> 12 & 1 ? 0 : (u8)(op->y >> 8);
	p->ce_threshold_selector = (u8)(op->y >> 16) & p->ce_threshold_mask;
}

static void apply(void *state, const struct diff_op *op, struct diff_record *out)
{
	struct state *s = state;

	switch (op->code) {
	case ENQUEUE:
		for (u32 i = 0; i <= op->z; i++)
			enqueue(s, op->x, op->y);
		break;
	case DEQUEUE:
		dequeue(s, out);
		break;
	case RESET:
		if (op->x & 1)
			codel_vars_init(&s->vars);
		if (op->x & 2)
			codel_stats_init(&s->stats);
		if (op->x & 4)
			codel_params_init(&s->params);
		break;
	case PARAMS:
		set_params(&s->params, op);
		break;
	case POKE:
		poke(&s->vars, op->y, op->x);
		break;
	case FLUSH:
		s->stats.drop_count = op->x;
		s->stats.drop_len = op->y;
		s->stats.ecn_mark = op->x;
		s->stats.ce_mark = op->y;
		break;
	case TIME:
		diff_put(out, codel_get_time());
		diff_put(out, codel_time_to_us(op->x));
		diff_put(out, MS2TIME(op->x));
		diff_put(out, codel_time_after(op->x, op->y) << 3 |
				      codel_time_before(op->x, op->y) << 2 |
				      codel_time_after_eq(op->x, op->y) << 1 |
				      codel_time_before_eq(op->x, op->y));
		diff_put(out, codel_control_law(op->x, op->y, op->z & 0xffff));
		break;
	}
}

static void record(void *state, struct diff_record *out)
{
	struct state *s = state;

	diff_put(out, s->vars.count);
	diff_put(out, s->vars.lastcount);
	diff_put(out, s->vars.dropping);
	diff_put(out, s->vars.rec_inv_sqrt);
	diff_put(out, s->vars.first_above_time);
	diff_put(out, s->vars.drop_next);
	diff_put(out, s->vars.ldelay);
	diff_put(out, s->stats.maxpacket);
	diff_put(out, s->stats.drop_count);
	diff_put(out, s->stats.drop_len);
	diff_put(out, s->stats.ecn_mark);
	diff_put(out, s->stats.ce_mark);
	diff_put(out, s->params.target);
	diff_put(out, s->params.ce_threshold);
	diff_put(out, s->params.interval);
	diff_put(out, s->params.mtu);
	diff_put(out, s->params.ecn);
	diff_put(out, s->params.ce_threshold_selector);
	diff_put(out, s->params.ce_threshold_mask);
	diff_put(out, s->backlog);
	diff_put(out, skb_queue_len(&s->queue));
}

static void make(struct draw *d, u32 mode, struct diff_op *op)
{
	static const u8 tos[] = {0, INET_ECN_ECT_0, INET_ECN_ECT_1, INET_ECN_CE, 0xb8, 0xba};
	u32 kind = draw_next_below(d, 256);

	/* Either a queue that is served at some pace for long, so that states last, or anything at all. */
	if (mode & 0x80)
		op->dt = diff_step(d);
	else
		op->dt = diff_between(d, 0, 1000000u << (mode >> 8 & 7));

	if (kind >= (mode & 0x40 ? 32 : 6)) {
		u32 load = 3 + (mode & 3); /* of 8 are arrivals */

		if (draw_next_below(d, 8) < load) {
			op->code = ENQUEUE;
			op->x = diff_one_in(d, 64) ? diff_u32(d) : diff_between(d, 40, 1514);
			op->y = mode & 4 ? tos[draw_next_below(d, 6)] : mode & 8 ? 2 : 0;
			op->z = diff_one_in(d, 16) ? draw_next_below(d, 16) : 0;
		} else {
			op->code = DEQUEUE;
		}
		return;
	}

	switch (draw_next_below(d, 6)) {
	case 0:
		op->code = RESET;
		break;
	case 1:
		op->code = PARAMS;
		break;
	case 2:
		op->code = FLUSH;
		break;
	case 3:
		op->code = TIME;
		break;
	default:
		op->code = POKE;
		break;
	}
	op->x = diff_u32(d);
	op->y = op->code == POKE ? draw_next_below(d, 8) : diff_u32(d);
	op->z = diff_u32(d);
	if (op->code == POKE && diff_one_in(d, 2))
		op->x %= 5000;
}

static void print(const struct diff_op *op, char *buf, size_t len)
{
	snprintf(buf, len, "%s %u %u %u", op_names[op->code], op->x, op->y, op->z);
}

static void field(u32 i, char *buf, size_t len)
{
	snprintf(buf, len, "%s", i < ARRAY_SIZE(field_names) ? field_names[i] : "?");
}

const struct diff_subject diff_codel = {
	.name = "codel",
	.size = sizeof(struct state),
	.init = init,
	.apply = apply,
	.record = record,
	.make = make,
	.print = print,
	.field = field,
};
