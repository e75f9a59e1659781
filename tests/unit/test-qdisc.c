// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the simple qdiscs take, order and drop as Linux's do, and all counts agree at every step.
 * Set-up: a qdisc over a device that never asks, packets of known priority and size.
 * Expected: bands in strict order by the map of tc; pfifo_fast with one shared limit in 2.6.32 and one a
 * band in 6.1; bfifo takes a packet that fits exactly; pfifo_head_drop drops the oldest and answers CN; prio
 * over it stays right though CN counts as a drop there.
 * Tolerance: none, all are counts.
 */
#include "check-main.h"

#include "net-lab.h"

extern const struct model_class pfifo_fast_class, bfifo_class, pfifo_head_drop_class, prio_class;

struct prio_params {
	int64_t bands;
	struct param_list priomap, children;
};

static int64_t tx_queue_len;

struct bench {
	struct sim *sim;
	struct qdisc_dev dev;
	struct qdisc *q;
	u64 next;
};

static void bench_open(struct bench *b, const struct model_class *cls, const void *params, u32 era,
		       int64_t len)
{
	struct slot slot = {.cls = cls, .params = params, .path = "q"};

	tx_queue_len = len;
	b->sim = sim_new(1);
	b->dev = (struct qdisc_dev){.mtu = 1500,
				    .hard_header_len = ETH_HLEN,
				    .tx_queue_len = &tx_queue_len,
				    .hz = 250,
				    .era = era,
				    .n_queues = 1};
	b->q = qdisc_new(b->sim, &slot, NULL, &b->dev, NULL, NULL);
}

static int put(struct bench *b, u32 priority, u32 len)
{
	struct packet *p = packet_new(b->sim);

	p->skb.priority = priority;
	p->skb.len = len;
	qdisc_set_len(p);
	return qdisc_enqueue(b->q, p);
}

/* Id of the next packet, 0 when there is none. */
static u64 get(struct bench *b)
{
	const struct packet *peeked = b->q->ops->peek(b->q);
	struct packet *p = qdisc_dequeue(b->q);
	u64 id;

	ck_assert_ptr_eq(peeked, p);
	if (!p)
		return 0;
	qdisc_left(b->q, qdisc_len(p), p->since);
	id = p->id;
	packet_free(b->sim, p);
	return id;
}

static void bench_close(struct bench *b)
{
	ck_assert_uint_eq(objects_audit(b->sim), b->sim->packets->live);
	metrics_clear(b->sim);
	sim_free(b->sim);
}

START_TEST(test_bands)
{
	static const u32 priorities[] = {0, 2, 6, 4, 7, 8, 15, 16 + 6};
	/* bands 1 2 0 1 0 1 1 0; ids count from 1 */
	static const u64 order[] = {3, 5, 8, 1, 4, 6, 7, 2};
	static const struct prio_params prio = {.bands = 3};
	static const struct model_class *const classes[] = {&pfifo_fast_class, &prio_class};

	for (u32 c = 0; c < 2; c++) {
		struct bench b;

		bench_open(&b, classes[c], &prio, 60100, 100);
		for (u32 i = 0; i < 8; i++)
			ck_assert_int_eq(put(&b, priorities[i], 100), NET_XMIT_SUCCESS);
		for (u32 i = 0; i < 8; i++)
			ck_assert_uint_eq(get(&b), order[i]);
		ck_assert_uint_eq(get(&b), 0);
		bench_close(&b);
	}
}
END_TEST

static u32 held_of_40(u32 era, int64_t len)
{
	struct bench b;
	u32 held;

	bench_open(&b, &pfifo_fast_class, NULL, era, len);
	for (u32 i = 0; i < 40; i++)
		put(&b, i % 2 ? 6 : 0, 100);
	held = b.q->qlen;
	ck_assert_uint_eq(b.q->drops, 40 - held);
	bench_close(&b);
	return held;
}

START_TEST(test_pfifo_fast_limit)
{
	ck_assert_uint_eq(held_of_40(20632, 10), 10);
	ck_assert_uint_eq(held_of_40(60100, 10), 20);
	ck_assert_uint_eq(held_of_40(20632, 0), 0);
}
END_TEST

START_TEST(test_pfifo_limit)
{
	static const struct fifo_params unset = {.limit = PARAM_UNSET}, three = {.limit = 3};
	struct bench b;

	bench_open(&b, &pfifo_class, &three, 60100, 10);
	for (u32 i = 0; i < 3; i++)
		ck_assert_int_eq(put(&b, 0, 100), NET_XMIT_SUCCESS);
	ck_assert_int_eq(put(&b, 0, 100), NET_XMIT_DROP);
	ck_assert(b.q->can_bypass);
	bench_close(&b);

	/* txqueuelen 0 counted as 1 until 4.2. */
	bench_open(&b, &pfifo_class, &unset, 30200, 0);
	ck_assert_int_eq(put(&b, 0, 100), NET_XMIT_SUCCESS);
	ck_assert_int_eq(put(&b, 0, 100), NET_XMIT_DROP);
	bench_close(&b);
	bench_open(&b, &pfifo_class, &unset, 60100, 0);
	ck_assert_int_eq(put(&b, 0, 100), NET_XMIT_DROP);
	ck_assert(!b.q->can_bypass);
	bench_close(&b);
}
END_TEST

START_TEST(test_bfifo_limit)
{
	static const struct fifo_params bytes = {.limit = 3000};
	struct bench b;

	bench_open(&b, &bfifo_class, &bytes, 60100, 1000);
	ck_assert_int_eq(put(&b, 0, 1514), NET_XMIT_SUCCESS);
	ck_assert_int_eq(put(&b, 0, 1487), NET_XMIT_DROP);
	ck_assert_int_eq(put(&b, 0, 1486), NET_XMIT_SUCCESS);
	ck_assert_uint_eq(b.q->backlog, 3000);
	bench_close(&b);
}
END_TEST

START_TEST(test_head_drop)
{
	static const struct fifo_params two = {.limit = 2};
	struct bench b;

	bench_open(&b, &pfifo_head_drop_class, &two, 60100, 1000);
	put(&b, 0, 100);
	put(&b, 0, 200);
	ck_assert_int_eq(put(&b, 0, 300), NET_XMIT_CN);
	ck_assert_uint_eq(b.q->qlen, 2);
	ck_assert_uint_eq(b.q->backlog, 500);
	ck_assert_uint_eq(get(&b), 2);
	ck_assert_uint_eq(get(&b), 3);
	bench_close(&b);
}
END_TEST

START_TEST(test_prio_counts)
{
	static const struct fifo_params two = {.limit = 2};
	struct slot children[] = {{.cls = &pfifo_head_drop_class, .params = &two},
				  {.cls = &pfifo_class, .params = &two}};
	struct prio_params par = {.bands = 3, .children = {.n = 2, .items = children}};
	struct bench b;

	bench_open(&b, &prio_class, &par, 60100, 5);
	for (u32 i = 0; i < 5; i++)
		put(&b, 6, 100 + i); /* band 0: three head drops */
	ck_assert_uint_eq(b.q->qlen, 2);
	ck_assert_uint_eq(b.q->backlog, 103 + 104);
	for (u32 i = 0; i < 5; i++)
		put(&b, 0, 100); /* band 1: three tail drops */
	for (u32 i = 0; i < 9; i++)
		put(&b, 2, 100); /* band 2: pfifo of txqueuelen 5 */
	ck_assert_uint_eq(b.q->qlen, 2 + 2 + 5);
	ck_assert_uint_eq(b.q->drops, 3 + 3 + 4);
	ck_assert_int_eq(queue_stat_packets(&b.q->stat), 9);
	ck_assert_uint_eq(get(&b), 4);
	qdisc_reset(b.q);
	ck_assert_uint_eq(b.q->qlen, 0);
	ck_assert_uint_eq(b.q->backlog, 0);
	ck_assert_int_eq(queue_stat_packets(&b.q->stat), 0);
	bench_close(&b);
}
END_TEST

CHECK_MAIN("qdisc", test_bands, test_pfifo_fast_limit, test_pfifo_limit, test_bfifo_limit,
	   test_head_drop, test_prio_counts)
