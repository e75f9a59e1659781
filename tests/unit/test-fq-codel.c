// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the qdiscs codel and fq_codel queue, order, drop and mark as Linux 6.1's do, and all counts agree at each step.
 * Set-up: a qdisc over a device that never asks; packets with hashes that hit known flows; the clock set by hand.
 * Expected: orders and counts worked out by hand from the rules of sch_codel.c and sch_fq_codel.c; under random load
 * peek names the packet that dequeue gives, and leaves every byte of the qdisc as it was.
 * Tolerance: none.
 */
#include "check-main.h"

#include "net-lab.h"
#include "qdisc/codel-options.h"

#include "engine/clock.h"
#include "engine/draw.h"
#include "measure/metrics.h"

#define FLOWS 16

extern const struct model_class codel_class, fq_codel_class, prio_class;

/* The parameter structs as the classes have them. */
struct codel_qdisc_params {
	struct codel_options codel;
	int64_t limit;
};

struct fq_codel_params {
	struct codel_options codel;
	int64_t limit, flows, quantum, memory_limit, drop_batch;
	int64_t ce_threshold_mask, ce_threshold_selector;
};

struct prio_params {
	int64_t bands;
	struct param_list priomap, children;
};

static int64_t tx_queue_len = 1000;

struct bench {
	struct sim *sim;
	struct qdisc_dev dev;
	struct qdisc *q;
};

static struct codel_options options(bool ecn)
{
	return (struct codel_options){.target = 5 * SIM_MS,
				      .interval = 100 * SIM_MS,
				      .ecn = ecn,
				      .ce_threshold = PARAM_UNSET};
}

static struct fq_codel_params fq_params(void)
{
	return (struct fq_codel_params){.codel = options(true),
					.limit = 10240,
					.flows = FLOWS,
					.quantum = PARAM_UNSET,
					.memory_limit = 32 << 20,
					.drop_batch = 64};
}

static void set_now(struct bench *b, sim_time now)
{
	b->sim->now = now;
	kernel_clock.now_ns = now;
}

static void bench_open(struct bench *b, const struct model_class *cls, const void *params)
{
	struct slot slot = {.cls = cls, .params = params, .path = "q"};

	b->sim = sim_new(1);
	b->dev = (struct qdisc_dev){.mtu = 1500,
				    .hard_header_len = ETH_HLEN,
				    .tx_queue_len = &tx_queue_len,
				    .hz = 250,
				    .era = 60100,
				    .n_queues = 1};
	set_now(b, 0);
	b->q = qdisc_new(b->sim, &slot, NULL, &b->dev, NULL, NULL);
}

static int put(struct bench *b, u32 flow, u32 len, u8 tos)
{
	struct packet *p = packet_new(b->sim);

	p->skb.len = len;
	p->skb.truesize = len + 786;
	p->skb.hash = flow * (UINT32_MAX / FLOWS + 1);
	p->skb.tos = tos;
	qdisc_set_len(p);
	return qdisc_enqueue(b->q, p);
}

/* Id of the next packet, 0 when there is none; ids count from 1. */
static u64 get(struct bench *b, u8 *tos)
{
	struct packet *p = qdisc_dequeue(b->q);
	u64 id;

	if (!p)
		return 0;
	if (tos)
		*tos = p->skb.tos;
	qdisc_left(b->q, qdisc_len(p), p->since);
	id = p->id;
	packet_free(b->sim, p);
	return id;
}

static void bench_close(struct bench *b)
{
	ck_assert_uint_eq(objects_audit(b->sim), b->sim->packets->live);
	metrics_clear(b->sim);
	objects_free(b->sim);
	sim_free(b->sim);
}

static int64_t metric(const struct bench *b, const char *name)
{
	for (const struct probe *p = b->q->obj.cls->probes; p->name; p++) {
		if (strcmp(p->name, name))
			continue;
		if (p->shape == PROBE_VALUE)
			return p->value(&b->q->obj, 0) / 1000000;
		return (int64_t) * (u64 *)((char *)b->q + p->offset);
	}
	ck_abort_msg("no probe %s", name);
	return 0;
}

/* ---- codel ---------------------------------------------------------------------------------- */

START_TEST(test_codel_limit)
{
	struct codel_qdisc_params par = {.codel = options(false), .limit = 3};
	struct bench b;

	bench_open(&b, &codel_class, &par);
	ck_assert(b.q->can_bypass);
	for (u32 i = 0; i < 3; i++)
		ck_assert_int_eq(put(&b, 0, 1514, 0), NET_XMIT_SUCCESS);
	ck_assert_int_eq(put(&b, 0, 1514, 0), NET_XMIT_DROP);
	ck_assert_int_eq(metric(&b, "drop_overlimit"), 1);
	ck_assert_uint_eq(get(&b, NULL), 1);
	bench_close(&b);
}
END_TEST

/* A standing queue served each 10 ms: first drop an interval after it turned bad, then by the control law. */
START_TEST(test_codel_drops)
{
	static const u32 at_ms[] = {120, 220, 270, 330, 380};
	struct codel_qdisc_params par = {.codel = options(false), .limit = 1000};
	u32 seen = 0;
	struct bench b;

	bench_open(&b, &codel_class, &par);
	for (u32 i = 0; i < 100; i++)
		put(&b, 0, 1514, 0);
	for (u32 ms = 10; seen < 5; ms += 10) {
		set_now(&b, ms * SIM_MS);
		get(&b, NULL);
		if (metric(&b, "codel_drops") == seen)
			continue;
		ck_assert_uint_eq(ms, at_ms[seen]);
		ck_assert_int_eq(metric(&b, "codel_drops"), ++seen);
	}
	ck_assert_int_eq(metric(&b, "dropped"), 5);
	ck_assert_int_eq(metric(&b, "count"), 5);
	ck_assert_int_eq(metric(&b, "lastcount"), 1);
	ck_assert_int_eq(metric(&b, "dropping"), 1);
	ck_assert_int_eq(metric(&b, "maxpacket"), 1514);
	ck_assert_int_eq(metric(&b, "ldelay"), 379999);
	bench_close(&b);
}
END_TEST

/* A backlog of one large packet keeps the old test from dropping where the MTU's test does. */
START_TEST(test_backlog_test)
{
	for (u32 old = 0; old < 2; old++) {
		struct codel_qdisc_params par = {.codel = options(false), .limit = 1000};
		struct bench b;

		par.codel.backlog_test = old ? CODEL_BACKLOG_MAXPACKET : CODEL_BACKLOG_MTU;
		bench_open(&b, &codel_class, &par);
		put(&b, 0, 9000, 0);
		for (u32 i = 1; i < 30; i++) {
			set_now(&b, i * 50 * SIM_MS);
			put(&b, 0, 1000, 0);
			put(&b, 0, 1000, 0);
			while (b.q->qlen > 4) /* at most 4000 bytes stay */
				get(&b, NULL);
		}
		if (old)
			ck_assert_int_eq(metric(&b, "codel_drops"), 0);
		else
			ck_assert_int_ge(metric(&b, "codel_drops"), 1);
		bench_close(&b);
	}
}
END_TEST

/* ---- fq_codel ------------------------------------------------------------------------------- */

/* Quantum 1514: a full frame each a round; a flow of small packets sends until its quantum is used up. */
START_TEST(test_order)
{
	static const u64 order[] = {1, 3, 4, 5, 2, 6, 7, 8, 0};
	struct fq_codel_params par = fq_params();
	struct bench b;

	bench_open(&b, &fq_codel_class, &par);
	put(&b, 1, 1514, 0); /* 1 */
	put(&b, 1, 1514, 0); /* 2 */
	for (u32 i = 0; i < 3; i++)
		put(&b, 2, 505, 0); /* 3 4 5: the third takes the deficit below 0 */
	put(&b, 2, 505, 0); /* 6 */
	put(&b, 2, 505, 0); /* 7 */
	put(&b, 2, 505, 0); /* 8 */
	ck_assert_int_eq(metric(&b, "new_flow_count"), 2);
	ck_assert_int_eq(metric(&b, "new_flows_len"), 2);
	for (u32 i = 0; i < 9; i++)
		ck_assert_uint_eq(get(&b, NULL), order[i]);
	ck_assert_int_eq(metric(&b, "old_flows_len"), 0);
	ck_assert_int_eq(metric(&b, "memory_used"), 0);
	bench_close(&b);
}
END_TEST

START_TEST(test_sparse_first)
{
	struct fq_codel_params par = fq_params();
	struct bench b;

	bench_open(&b, &fq_codel_class, &par);
	for (u32 i = 0; i < 10; i++)
		put(&b, 1, 1514, 0); /* 1 .. 10 */
	ck_assert_uint_eq(get(&b, NULL), 1);
	ck_assert_uint_eq(get(&b, NULL), 2);
	put(&b, 5, 98, 0); /* 11 */
	ck_assert_uint_eq(get(&b, NULL), 11);
	ck_assert_uint_eq(get(&b, NULL), 3);
	bench_close(&b);
}
END_TEST

/* Over the limit: a batch from the head of the largest, half its bytes at most; CN when it is the packet's own. */
START_TEST(test_overlimit)
{
	struct fq_codel_params par = fq_params();
	struct bench b;

	par.limit = 100;
	bench_open(&b, &fq_codel_class, &par);
	for (u32 i = 0; i < 80; i++)
		ck_assert_int_eq(put(&b, 1, 1514, 0), NET_XMIT_SUCCESS); /* 1 .. 80 */
	for (u32 i = 0; i < 20; i++)
		ck_assert_int_eq(put(&b, 2, 100, 0), NET_XMIT_SUCCESS);
	ck_assert_int_eq(put(&b, 2, 100, 0), NET_XMIT_SUCCESS);
	ck_assert_uint_eq(b.q->qlen, 101 - 40); /* half of 80 frames */
	ck_assert_int_eq(metric(&b, "drop_overlimit"), 40);
	ck_assert_int_eq(metric(&b, "drop_overmemory"), 0);
	ck_assert_uint_eq(get(&b, NULL), 41);

	par.drop_batch = 8;
	for (u32 i = 0; i < 39; i++)
		ck_assert_int_eq(put(&b, 1, 1514, 0), NET_XMIT_SUCCESS);
	ck_assert_uint_eq(b.q->qlen, 99);
	put(&b, 1, 1514, 0);
	ck_assert_int_eq(put(&b, 1, 1514, 0), NET_XMIT_CN);
	ck_assert_uint_eq(b.q->qlen, 101 - 8);
	ck_assert_int_eq(metric(&b, "drop_overlimit"), 48);
	ck_assert_int_eq(metric(&b, "dropped"), 48);
	bench_close(&b);
}
END_TEST

START_TEST(test_memory)
{
	struct fq_codel_params par = fq_params();
	struct bench b;

	par.memory_limit = 10 * 2300;
	bench_open(&b, &fq_codel_class, &par);
	for (u32 i = 0; i < 10; i++)
		put(&b, 1, 1514, 0);
	ck_assert_int_eq(metric(&b, "memory_used"), 23000);
	ck_assert_int_eq(put(&b, 1, 1514, 0), NET_XMIT_CN);
	ck_assert_int_eq(metric(&b, "drop_overmemory"),
			 6); /* half the bytes of 11, rounded up to packets */
	ck_assert_int_eq(metric(&b, "drop_overlimit"), 6);
	ck_assert_int_eq(metric(&b, "memory_used"), 5 * 2300);
	bench_close(&b);
}
END_TEST

/* Below prio: its counts stay those of the child through batch drops, with and without CN. */
START_TEST(test_parent)
{
	struct fq_codel_params par = fq_params();
	struct slot child = {.cls = &fq_codel_class, .params = &par};
	struct prio_params prio = {.bands = 2, .children = {.n = 1, .items = &child}};
	struct bench b;

	par.limit = 20;
	bench_open(&b, &prio_class, &prio);
	for (u32 i = 0; i < 200; i++) {
		struct packet *p = packet_new(b.sim);

		p->skb.priority = 6;
		p->skb.len = 100 + i % 7 * 200;
		p->skb.hash = (i % 5) << 28;
		qdisc_set_len(p);
		set_now(&b, i * SIM_MS * 10);
		qdisc_enqueue(b.q, p);
		if (i % 3 == 0)
			get(&b, NULL);
		ck_assert_int_eq(queue_stat_packets(&b.q->stat), b.q->qlen);
		ck_assert_int_eq(queue_stat_bytes(&b.q->stat), b.q->backlog);
	}
	while (get(&b, NULL))
		;
	ck_assert_uint_eq(b.q->qlen, 0);
	ck_assert_uint_eq(b.q->backlog, 0);
	bench_close(&b);
}
END_TEST

START_TEST(test_ecn)
{
	struct fq_codel_params par = fq_params();
	u32 marked = 0;
	struct bench b;
	u8 tos;

	bench_open(&b, &fq_codel_class, &par);
	for (u32 i = 0; i < 300; i++)
		put(&b, 1, 1514, i < 150 ? 2 : 0);
	for (u32 ms = 10; ms <= 1500; ms += 10) {
		set_now(&b, ms * SIM_MS);
		get(&b, &tos);
		marked += tos == 3;
	}
	ck_assert_uint_gt(marked, 5);
	ck_assert_int_eq(metric(&b, "ecn_mark"), marked);
	ck_assert_int_eq(metric(&b, "dropped"), 0);
	for (u32 ms = 1510; ms < 2000; ms += 10) {
		set_now(&b, ms * SIM_MS);
		get(&b, NULL);
	}
	ck_assert_int_eq(metric(&b, "ecn_mark"), marked);
	ck_assert_int_gt(metric(&b, "codel_drops"), 5);
	bench_close(&b);
}
END_TEST

START_TEST(test_changed)
{
	struct fq_codel_params par = fq_params();
	struct bench b;

	bench_open(&b, &fq_codel_class, &par);
	for (u32 i = 0; i < 100; i++)
		put(&b, i % 4, 1514, 0);
	par.limit = 10;
	b.q->obj.cls->ops->changed(&b.q->obj, NULL);
	ck_assert_uint_eq(b.q->qlen, 10);
	qdisc_reset(b.q);
	ck_assert_uint_eq(b.q->qlen, 0);
	ck_assert_int_eq(metric(&b, "memory_used"), 0);
	put(&b, 3, 1514, 0);
	ck_assert_uint_eq(get(&b, NULL), 101);
	bench_close(&b);
}
END_TEST

/* ---- peek ----------------------------------------------------------------------------------- */

/* Ids and marks of all that left, in order. */
static u64 leave(struct bench *b, u64 h, bool look)
{
	const struct packet *head = look ? b->q->ops->peek(b->q) : NULL;
	u64 expected = head ? head->id : 0, id;
	u8 tos = 0;

	id = get(b, &tos);
	if (look)
		ck_assert_uint_eq(id, expected);
	return (h ^ (id << 8 | tos)) * 0x100000001b3ull;
}

/* The same load twice, looked at before each dequeue and not: peek is right, and nothing comes of it. */
static u64 load(const struct model_class *cls, void *params, bool look)
{
	struct draw d = {.key = draw_key(3, "peek")};
	sim_time now = 0;
	struct bench b;
	u64 h = 1;

	bench_open(&b, cls, params);
	for (u32 i = 0; i < 30000; i++) {
		now += draw_next_below(&d, 3000000);
		set_now(&b, now);
		if (draw_next_below(&d, 100) < 52) {
			put(&b, draw_next_below(&d, FLOWS), 60 + draw_next_below(&d, 1455),
			    (u8)draw_next_below(&d, 3));
			continue;
		}
		h = leave(&b, h, look);
	}
	ck_assert_int_gt(metric(&b, "codel_drops"), 100);
	ck_assert_int_gt(metric(&b, "ecn_mark"), 100);
	h ^= b.q->backlog ^ (u64)metric(&b, "dropped") << 32;
	bench_close(&b);
	return h;
}

START_TEST(test_peek)
{
	struct fq_codel_params fq = fq_params();
	struct codel_qdisc_params single = {.codel = options(true), .limit = 500};

	fq.limit = 200;
	ck_assert_uint_eq(load(&fq_codel_class, &fq, true), load(&fq_codel_class, &fq, false));
	ck_assert_uint_eq(load(&codel_class, &single, true), load(&codel_class, &single, false));
}
END_TEST

CHECK_MAIN("fq_codel", test_codel_limit, test_codel_drops, test_backlog_test, test_order,
	   test_sparse_first, test_overlimit, test_memory, test_parent, test_ecn, test_changed,
	   test_peek)
