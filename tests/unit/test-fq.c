// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: fq shares a pool of flows among tins as Linux 6.1's include/net/fq_impl.h does: deficit round robin with
 * new flows first, one owner a flow, drops from the head of the fattest flow.
 * Set-up: a small pool, packets with hashes chosen to hit given flows; for collisions 2^18 random hashes.
 * Expected: the order of packets and the counters, worked out by hand from the rules; the shares of flows alone in
 * their queue as published for 1024 and 4096 queues.
 * Tolerance: none for order and counters; 0.01 for the shares (as the figures are given), whose standard error over
 * the trials here is below 0.001.
 */
#include "check-main.h"

#include <string.h>

#include <net/fq.h>
#include <net/fq_impl.h>

#include "engine/draw.h"

#define FLOWS 8

struct bench {
	struct fq fq;
	struct fq_tin tin[3];
	struct sk_buff skbs[8192];
	u32 n;
	u32 freed;
	u32 first_freed;
};

static struct sk_buff *pull(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	return fq_flow_dequeue(fq, flow);
}

static void release(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow, struct sk_buff *skb)
{
	struct bench *b = container_of(fq, struct bench, fq);

	if (!b->freed++)
		b->first_freed = skb->priority;
}

static struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	ck_assert_int_eq(fq_init(&b->fq, FLOWS), 0);
	for (u32 i = 0; i < 3; i++)
		fq_tin_init(&b->tin[i]);
	return b;
}

static void bench_free(struct bench *b)
{
	for (u32 i = 0; i < 3; i++)
		fq_tin_reset(&b->fq, &b->tin[i], release);
	ck_assert_uint_eq(b->fq.backlog, 0);
	ck_assert_uint_eq(b->fq.memory_usage, 0);
	fq_reset(&b->fq, release);
	free(b);
}

/* A packet of @len bytes of flow @flow, named @name. */
static void put(struct bench *b, u32 tin, u32 flow, u32 len, u32 name)
{
	struct sk_buff *skb = &b->skbs[b->n++];

	skb->len = len;
	skb->truesize = len + 512;
	skb->hash = flow * (UINT_MAX / FLOWS + 1) + 5;
	skb->priority = name;
	ck_assert_uint_eq(fq_flow_idx(&b->fq, skb), flow);
	fq_tin_enqueue(&b->fq, &b->tin[tin], flow, skb, release);
}

/* Name of the next packet of a tin, 0 when there is none. */
static u32 get(struct bench *b, u32 tin)
{
	struct sk_buff *skb = fq_tin_dequeue(&b->fq, &b->tin[tin], pull);

	return skb ? skb->priority : 0;
}

static void expect(struct bench *b, u32 tin, const u32 *names, u32 n)
{
	for (u32 i = 0; i < n; i++)
		ck_assert_uint_eq(get(b, tin), names[i]);
}

#define EXPECT(b, tin, ...)                                              \
	do {                                                             \
		static const u32 names[] = {__VA_ARGS__};                \
		expect(b, tin, names, sizeof(names) / sizeof(names[0])); \
	} while (0)

START_TEST(defaults)
{
	struct bench *b = bench_new();

	ck_assert_uint_eq(b->fq.quantum, 300);
	ck_assert_uint_eq(b->fq.limit, 8192);
	ck_assert_uint_eq(b->fq.memory_limit, 16777216);
	ck_assert_uint_eq(b->fq.flows_cnt, FLOWS);
	ck_assert_uint_eq(get(b, 0), 0);
	bench_free(b);
}
END_TEST

/* A flow may send while its deficit is above 0, and its last packet may take it far below. */
START_TEST(round_robin)
{
	struct bench *b = bench_new();

	for (u32 i = 0; i < 4; i++) {
		put(b, 0, 1, 1500, 10 + i);
		put(b, 0, 2, 100, 20 + i);
	}
	/* 1500 bytes cost flow 1 five rounds; meanwhile flow 2 sends all of its small packets */
	EXPECT(b, 0, 10, 20, 21, 22, 23, 11, 12, 13, 0);
	ck_assert_uint_eq(b->tin[0].tx_packets, 8);
	ck_assert_uint_eq(b->tin[0].tx_bytes, 4 * 1600);
	ck_assert_uint_eq(b->tin[0].flows, 2);
	bench_free(b);
}
END_TEST

/* A new flow goes ahead of the old ones; having run empty it must pass through the old list once. */
START_TEST(sparse_first)
{
	struct bench *b = bench_new();

	for (u32 i = 0; i < 4; i++) {
		put(b, 0, 1, 300, 10 + i);
		put(b, 0, 2, 300, 20 + i);
	}
	EXPECT(b, 0, 10, 20, 11);
	put(b, 0, 3, 60, 30);
	EXPECT(b, 0, 30);
	/* flow 3 is empty, but listed behind the old flows: its next packet has its turn there */
	EXPECT(b, 0, 21);
	put(b, 0, 3, 60, 31);
	EXPECT(b, 0, 31, 12, 22);
	/* it ran empty there and was delisted: new again, and first */
	put(b, 0, 3, 60, 32);
	EXPECT(b, 0, 32, 13, 23, 0);
	bench_free(b);
}
END_TEST

/* A flow belongs to one tin; another tin's packets of that hash go to its default flow, until it is given up. */
START_TEST(one_owner)
{
	struct bench *b = bench_new();

	put(b, 0, 4, 100, 10);
	put(b, 1, 4, 100, 20);
	put(b, 1, 4, 100, 21);
	ck_assert_uint_eq(b->fq.collisions, 2);
	ck_assert_uint_eq(b->tin[1].collisions, 2);
	ck_assert_uint_eq(b->tin[0].collisions, 0);
	ck_assert_uint_eq(b->tin[1].default_flow.backlog, 200);
	ck_assert_uint_eq(b->tin[1].flows, 1);

	EXPECT(b, 0, 10);
	put(b, 1, 4, 100, 22); /* empty, but not yet delisted */
	ck_assert_uint_eq(b->fq.collisions, 3);
	EXPECT(b, 0, 0);
	put(b, 1, 4, 100, 23);
	ck_assert_uint_eq(b->fq.collisions, 3);
	EXPECT(b, 1, 20, 21, 22, 23, 0);
	bench_free(b);
}
END_TEST

/* Over the limit the flow with most bytes loses from its head, 32 at most and at most half of it, 1 at least. */
START_TEST(fattest_loses)
{
	struct bench *b = bench_new();

	b->fq.limit = 100;
	for (u32 i = 0; i < 30; i++)
		put(b, 0, 1, 100, 100 + i);
	for (u32 i = 0; i < 70; i++)
		put(b, 1, 2, 1000, 200 + i);
	ck_assert_uint_eq(b->freed, 0);

	put(b, 0, 3, 60, 300);
	ck_assert_uint_eq(b->freed, 32);
	ck_assert_uint_eq(b->first_freed, 200);
	ck_assert_uint_eq(b->fq.overlimit, 1);
	ck_assert_uint_eq(b->tin[1].overlimit, 1);
	ck_assert_uint_eq(b->tin[0].overlimit, 0);
	ck_assert_uint_eq(b->fq.backlog, 69);
	ck_assert_uint_eq(b->tin[1].backlog_bytes, 38000);
	EXPECT(b, 1, 232);

	/* a limit of 0 lets nothing stay, the new packet included */
	b->fq.limit = 0;
	b->freed = 0;
	put(b, 2, 0, 60, 400);
	ck_assert_uint_eq(b->fq.backlog, 0);
	ck_assert_uint_eq(b->freed, 69);
	ck_assert_uint_eq(b->fq.overmemory, 0);
	bench_free(b);
}
END_TEST

/* Of equals the pool's flow of lowest index loses, then default flows, the latest one to fill first. */
START_TEST(fattest_of_equals)
{
	struct bench *b = bench_new();

	b->fq.limit = 4;
	put(b, 0, 6, 100, 10);
	put(b, 0, 3, 100, 20);
	put(b, 1, 3, 100, 30);
	put(b, 2, 3, 100, 40);
	put(b, 0, 7, 50, 50);
	ck_assert_uint_eq(b->first_freed, 20);
	b->freed = 0;
	put(b, 0, 5, 50, 60);
	ck_assert_uint_eq(b->first_freed, 10);
	b->freed = 0;
	put(b, 0, 1, 50, 70);
	ck_assert_uint_eq(b->first_freed, 40);
	b->freed = 0;
	put(b, 0, 2, 50, 80);
	ck_assert_uint_eq(b->first_freed, 30);
	bench_free(b);
}
END_TEST

/* The memory limit counts truesize and is checked anew after each batch. */
START_TEST(memory_limit)
{
	struct bench *b = bench_new();

	b->fq.memory_limit = 10 * 612;
	for (u32 i = 0; i < 10; i++)
		put(b, 0, 1, 100, 10 + i);
	ck_assert_uint_eq(b->freed, 0);
	put(b, 0, 1, 100, 20);
	ck_assert_uint_eq(b->freed, 5);
	ck_assert_uint_eq(b->fq.overlimit, 1);
	ck_assert_uint_eq(b->fq.overmemory, 1);
	ck_assert_uint_eq(b->fq.memory_usage, 6 * 612);
	EXPECT(b, 0, 15);
	bench_free(b);
}
END_TEST

static bool odd(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow, struct sk_buff *skb,
		void *data)
{
	++*(u32 *)data;
	return skb->priority % 2;
}

START_TEST(filter)
{
	struct bench *b = bench_new();
	u32 seen = 0;

	for (u32 i = 0; i < 6; i++)
		put(b, 0, i % 2, 100, 10 + i);
	put(b, 1, 5, 100, 21);
	fq_tin_filter(&b->fq, &b->tin[0], odd, &seen, release);
	ck_assert_uint_eq(seen, 6);
	ck_assert_uint_eq(b->freed, 3);
	ck_assert_uint_eq(b->fq.backlog, 4);
	ck_assert_uint_eq(b->tin[0].backlog_packets, 3);
	EXPECT(b, 0, 10, 12, 14, 0);
	EXPECT(b, 1, 21, 0);
	bench_free(b);
}
END_TEST

/* Share of @n flows that are alone in one of @queues queues. */
static double alone(u32 queues, u32 n)
{
	const u32 trials = (1 << 18) / n;
	u64 key = draw_key(7, "flows.hash"), index = 0;
	struct fq fq = {.flows_cnt = queues};
	u32 *used = calloc(queues, sizeof(*used));
	u32 *idx = calloc(n, sizeof(*idx));
	u64 count = 0;

	for (u32 t = 0; t < trials; t++) {
		memset(used, 0, queues * sizeof(*used));
		for (u32 i = 0; i < n; i++) {
			struct sk_buff skb = {.hash = (u32)(draw_bits(key, index++) >> 32)};

			idx[i] = fq_flow_idx(&fq, &skb);
			used[idx[i]]++;
		}
		for (u32 i = 0; i < n; i++)
			count += used[idx[i]] == 1;
	}
	free(used);
	free(idx);
	return (double)count / ((double)trials * n);
}

/* What no packet was put into is memory that nobody has written, before and after others were used. */
START_TEST(flows_unused_are_untouched)
{
	static const struct fq_flow zero;
	struct bench *b = bench_new();
	u32 touched = 0;

	for (u32 i = 0; i < 20; i++)
		put(b, i % 3, i % 2 ? 5 : 7, 1000, i + 1);
	for (u32 i = 0; i < 10; i++)
		get(b, i % 3);
	for (u32 i = 0; i < FLOWS; i++)
		touched += memcmp(&b->fq.flows[i], &zero, sizeof(zero)) != 0;
	ck_assert_uint_eq(touched, 2);
	bench_free(b);
}
END_TEST

START_TEST(collisions)
{
	ck_assert_double_eq_tol(alone(1024, 10), 0.9912, 0.01);
	ck_assert_double_eq_tol(alone(1024, 100), 0.9078, 0.01);
	ck_assert_double_eq_tol(alone(4096, 10), 0.9978, 0.01);
	ck_assert_double_eq_tol(alone(4096, 100), 0.9761, 0.01);
}
END_TEST

CHECK_MAIN("fq", defaults, round_robin, sparse_first, one_owner, fattest_loses, fattest_of_equals,
	   memory_limit, filter, flows_unused_are_untouched, collisions)
