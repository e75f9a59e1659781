// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: CoDel's arithmetic and its decisions are Linux 6.1's.
 * Set-up: the integer tables below were made by the rules of Linux 6.1's include/net/codel_impl.h; the decisions
 * are taken on a queue of our own with the clock set by hand, in CoDel's unit of 1024 ns.
 * Expected: equal numbers. Tolerance: none, but for the drop times in milliseconds, which may lie one dequeue
 * (0.01 ms) after the published figure's last digit.
 */
#include "check-main.h"

#include <string.h>

#include <net/codel.h>
#include <net/codel_impl.h>

#define INTERVAL 97656
#define TARGET	 4882
#define LEN	 1000

/* ---- a queue with CoDel at its head --------------------------------------------------------- */

struct bench {
	struct codel_params params;
	struct codel_vars vars;
	struct codel_stats stats;
	struct sk_buff_head queue;
	u32 backlog;
	u32 dropped;
	struct sk_buff *last_dropped;
	struct sk_buff skbs[64];
	u32 n;
};

static u32 bench_len(const struct sk_buff *skb)
{
	return skb->len;
}

static codel_time_t bench_time(const struct sk_buff *skb)
{
	return (codel_time_t)skb->tstamp;
}

static void bench_drop(struct sk_buff *skb, void *ctx)
{
	struct bench *b = ctx;

	b->dropped++;
	b->last_dropped = skb;
}

static struct sk_buff *bench_pull(struct codel_vars *vars, void *ctx)
{
	struct bench *b = ctx;
	struct sk_buff *skb = __skb_dequeue(&b->queue);

	if (skb)
		b->backlog -= skb->len;
	return skb;
}

static void set_now(codel_time_t now)
{
	kernel_clock.now_ns = (int64_t)now << CODEL_SHIFT;
}

static void bench_init(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	__skb_queue_head_init(&b->queue);
	codel_params_init(&b->params);
	codel_vars_init(&b->vars);
	codel_stats_init(&b->stats);
	b->params.mtu = 1514;
}

static struct sk_buff *put(struct bench *b, codel_time_t at)
{
	struct sk_buff *skb = &b->skbs[b->n++ % ARRAY_SIZE(b->skbs)];

	memset(skb, 0, sizeof(*skb));
	skb->len = LEN;
	skb->tstamp = at;
	b->backlog += LEN;
	__skb_queue_tail(&b->queue, skb);
	return skb;
}

static struct sk_buff *get(struct bench *b, codel_time_t now)
{
	set_now(now);
	return codel_dequeue(b, &b->backlog, &b->params, &b->vars, &b->stats, bench_len, bench_time,
			     bench_drop, bench_pull);
}

/* Packets that have waited twice the target, ten of them in the queue, and a dequeue at @now. */
static struct sk_buff *get_late(struct bench *b, codel_time_t now)
{
	while (skb_queue_len(&b->queue) < 10)
		put(b, 0);
	for (struct sk_buff *s = b->queue.next; s != skb_queue_end(&b->queue); s = s->next)
		s->tstamp = (codel_time_t)(now - 2 * TARGET);
	return get(b, now);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

START_TEST(time_units)
{
	static const u32 ms[][2] = {
		{5, 4882}, {20, 19531}, {50, 48828}, {100, 97656}, {300, 292968}};

	for (size_t i = 0; i < ARRAY_SIZE(ms); i++)
		ck_assert_uint_eq(MS2TIME(ms[i][0]), ms[i][1]);
	ck_assert_uint_eq(codel_time_to_us(MS2TIME(5)), 4999);

	kernel_clock.now_ns = (5LL << 42) + (7 << 10) + 1023;
	ck_assert_uint_eq(codel_get_time(), 7);

	ck_assert(codel_time_after(3, UINT_MAX - 3));
	ck_assert(codel_time_before(UINT_MAX - 3, 3));
	ck_assert(!codel_time_after(3, 3));
	ck_assert(codel_time_after_eq(3, 3));
	ck_assert(codel_time_before_eq(3, 3));
	ck_assert(codel_time_after(0x7fffffff, 0));
	ck_assert(!codel_time_after(0x80000000, 0));
}
END_TEST

static void drop_once(struct codel_vars *v)
{
	v->count++;
	codel_Newton_step(v);
}

START_TEST(reciprocal_root)
{
	static const u16 rec[] = {0xffff, 0x8001, 0x9000, 0x7ce0, 0x7107, 0x6771, 0x600c,
				  0x59fd, 0x54f2, 0x50a7, 0x4cf3, 0x49b5, 0x46d8, 0x4449,
				  0x41fd, 0x3fe8, 0x3e02, 0x3c45, 0x3aab, 0x3930, 0x37d0,
				  0x3689, 0x3557, 0x3438, 0x332b};
	static const u32 next[] = {97654,  146483, 201414, 249049, 292165, 331624, 368262,
				   402589, 434992, 465758, 495111, 523227, 550251, 576299,
				   601471, 625849, 649503, 672493, 694872, 716687, 737977,
				   758780, 779127, 799046, 818564};
	struct codel_vars v = {.count = 1, .rec_inv_sqrt = 0xffff};
	codel_time_t t = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rec); i++) {
		if (i)
			drop_once(&v);
		ck_assert_uint_eq(v.rec_inv_sqrt, rec[i]);
		t = codel_control_law(t, INTERVAL, v.rec_inv_sqrt);
		ck_assert_uint_eq(t, next[i]);
	}
	while (v.count < 200)
		drop_once(&v);
	ck_assert_uint_eq(v.rec_inv_sqrt, 0x121a);
}
END_TEST

/* A jump of count sends the step astray; how far, and how it comes back, is part of the behaviour. */
START_TEST(reciprocal_root_after_jump)
{
	static const u16 from_1[] = {0x8061, 0x8705, 0xcd89, 0x5972, 0x07fe, 0x0bb6,
				     0x10af, 0x1670, 0x1b47, 0x1d4d, 0x1d5d, 0x1d2c};
	static const u16 from_16[] = {0xbe91, 0x344c, 0xf3df, 0x1ec9, 0x1b41,
				      0x1b99, 0x1b71, 0x1b49, 0x1b22, 0x1afb};
	static const u16 by_delta[][2] = {{2, 0x2f80},	{8, 0x2e00},  {14, 0x2c80}, {20, 0x2b00},
					  {26, 0x2980}, {32, 0x2800}, {38, 0x2680}};
	struct codel_vars v = {.count = 1 + 64, .rec_inv_sqrt = 0xffff};

	for (size_t i = 0; i < ARRAY_SIZE(from_1); i++) {
		drop_once(&v);
		ck_assert_uint_eq(v.rec_inv_sqrt, from_1[i]);
	}

	v = (struct codel_vars){.count = 16 + 64, .rec_inv_sqrt = 0x3fe8};
	for (size_t i = 0; i < ARRAY_SIZE(from_16); i++) {
		drop_once(&v);
		ck_assert_uint_eq(v.rec_inv_sqrt, from_16[i]);
	}

	for (size_t i = 0; i < ARRAY_SIZE(by_delta); i++) {
		v = (struct codel_vars){.count = by_delta[i][0], .rec_inv_sqrt = 0x2000};
		codel_Newton_step(&v);
		ck_assert_uint_eq(v.rec_inv_sqrt, by_delta[i][1]);
	}
}
END_TEST

/* ---- decisions ------------------------------------------------------------------------------ */

/* A queue that is always bad, dequeued each 0.01 ms: a drop at each time of the integer schedule. */
START_TEST(drop_times)
{
	static const u32 tenths_ms[] = {0, 1000, 1500, 2062, 2550, 2992, 3396, 3771};
	int64_t first = 0;
	struct bench b;
	u32 seen = 0;

	bench_init(&b);
	for (int64_t us = 1000000; seen < ARRAY_SIZE(tenths_ms); us += 10) {
		const codel_time_t now = (codel_time_t)((us * 1000) >> CODEL_SHIFT);
		u32 before = b.dropped;

		get_late(&b, now);
		if (b.dropped == before)
			continue;
		ck_assert_uint_eq(b.dropped, before + 1);
		if (!seen)
			first = us;
		ck_assert_int_ge(us - first, (int64_t)tenths_ms[seen] * 100 - 50);
		ck_assert_int_le(us - first, (int64_t)tenths_ms[seen] * 100 + 60);
		seen++;
	}
	ck_assert_uint_eq(b.stats.drop_count, seen);
	ck_assert_uint_eq(b.stats.drop_len, seen * LEN);
}
END_TEST

/* Less than the target is good; the target itself is not. The interval must be over, not just reached. */
START_TEST(thresholds)
{
	const codel_time_t t0 = 1000000;
	struct bench b;

	bench_init(&b);
	for (u32 i = 0; i < 20; i++)
		put(&b, t0 - TARGET + 1);
	ck_assert_ptr_nonnull(get(&b, t0));
	ck_assert_uint_eq(b.vars.first_above_time, 0);
	ck_assert_uint_eq(b.vars.ldelay, TARGET - 1);
	ck_assert_ptr_nonnull(get(&b, t0 + 1));
	ck_assert_uint_eq(b.vars.first_above_time, t0 + 1 + INTERVAL);
	ck_assert_ptr_nonnull(get(&b, t0 + 1 + INTERVAL));
	ck_assert_uint_eq(b.dropped, 0);
	ck_assert_ptr_nonnull(get(&b, t0 + 2 + INTERVAL));
	ck_assert_uint_eq(b.dropped, 1);
	ck_assert(b.vars.dropping);
	ck_assert_uint_eq(b.vars.count, 1);
	ck_assert_uint_eq(b.vars.drop_next, t0 + 2 + INTERVAL + 97654);

	/* drop_next itself is the time to drop */
	get(&b, b.vars.drop_next - 1);
	ck_assert_uint_eq(b.dropped, 1);
	get(&b, b.vars.drop_next);
	ck_assert_uint_eq(b.dropped, 2);
	ck_assert_uint_eq(b.vars.count, 2);
	ck_assert_uint_eq(b.vars.drop_next, t0 + 2 + INTERVAL + 146483);
}
END_TEST

/* No drop while at most an MTU stays behind, and that is what mtu = 0 turns into "while it is empty". */
START_TEST(last_packet_stays)
{
	struct bench b;

	bench_init(&b);
	for (u32 i = 0; i < 200; i++) {
		put(&b, 0);
		while (skb_queue_len(&b.queue) < 2)
			put(&b, 0);
		ck_assert_ptr_nonnull(get(&b, 1000000 + i * INTERVAL));
		ck_assert_uint_eq(b.vars.first_above_time, 0);
	}
	ck_assert_uint_eq(b.dropped, 0);

	bench_init(&b);
	b.params.mtu = 0;
	for (u32 i = 0; i < 3; i++) {
		while (skb_queue_len(&b.queue) < 2)
			put(&b, 0);
		get(&b, 1000000 + i * 2 * INTERVAL);
	}
	ck_assert_uint_ge(b.dropped, 1);
	/* the last of a flow goes out however late it is */
	while (skb_queue_len(&b.queue) > 1)
		get(&b, 2000000);
	put(&b, 0);
	__skb_dequeue(&b.queue);
	b.backlog = LEN;
	ck_assert_ptr_nonnull(get(&b, 3000000));
	ck_assert_uint_eq(b.backlog, 0);
	ck_assert_uint_eq(b.vars.first_above_time, 0);
}
END_TEST

static void enter_dropping(struct bench *b, codel_time_t *now)
{
	get_late(b, *now);
	*now += INTERVAL + 1;
	get_late(b, *now);
	ck_assert(b->vars.dropping);
}

/* n drops that came due at once: exactly n packets are missing, the next one is delivered. */
START_TEST(catches_up)
{
	codel_time_t now = 1000000;
	struct sk_buff *skb;
	struct bench b;

	bench_init(&b);
	enter_dropping(&b, &now);
	ck_assert_uint_eq(b.dropped, 1);

	now += 249049; /* the 2nd to the 4th drop are due by then, and so is the 5th */
	skb = get_late(&b, now);
	ck_assert_uint_eq(b.dropped, 5);
	ck_assert_uint_eq(b.vars.count, 5);
	ck_assert_ptr_nonnull(skb);
	ck_assert_ptr_ne(skb, b.last_dropped);
	ck_assert(b.vars.dropping);
	ck_assert_uint_eq(b.vars.drop_next, 1000000 + INTERVAL + 1 + 292165);
}
END_TEST

/* An empty pull ends the state but not the memory of it. */
START_TEST(empty_pull)
{
	codel_time_t now = 1000000;
	struct bench b;

	bench_init(&b);
	enter_dropping(&b, &now);
	get_late(&b, now + 250000);
	while (__skb_dequeue(&b.queue))
		;
	b.backlog = 0;
	now = b.vars.drop_next;
	ck_assert_ptr_null(get(&b, now));
	ck_assert(!b.vars.dropping);
	ck_assert_uint_eq(b.vars.first_above_time, 0);
	ck_assert_uint_eq(b.vars.count, 5);
	ck_assert_uint_eq(b.vars.lastcount, 1);
	ck_assert_uint_eq(b.vars.drop_next, now);
}
END_TEST

/* Re-entry within 16 intervals resumes with the last state's drops beyond its start, if more than one. */
START_TEST(re_entry)
{
	static const struct {
		u32 count, lastcount;
		codel_tdiff_t since; /* now - drop_next at re-entry */
		u32 want;
	} cases[] = {
		{10, 3, 0, 7},	     {10, 3, 16 * INTERVAL - 1, 7}, {10, 3, 16 * INTERVAL, 1},
		{10, 3, -5000, 7}, /* still to come: recent */
		{4, 3, 0, 1}, /* one is not more than one */
		{3, 4, 0, UINT_MAX}, /* the difference is unsigned */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		codel_time_t now = 5000000;
		struct codel_vars step;
		struct bench b;

		bench_init(&b);
		b.vars.count = cases[i].count;
		b.vars.lastcount = cases[i].lastcount;
		b.vars.rec_inv_sqrt = 0x5555;
		b.vars.first_above_time = now - 1;
		b.vars.drop_next = now - cases[i].since;
		get_late(&b, now);
		ck_assert(b.vars.dropping);
		ck_assert_uint_eq(b.vars.count, cases[i].want);
		ck_assert_uint_eq(b.vars.lastcount, cases[i].want);

		step = (struct codel_vars){.count = cases[i].want, .rec_inv_sqrt = 0x5555};
		codel_Newton_step(&step);
		if (cases[i].want == 1)
			step.rec_inv_sqrt = 0xffff;
		ck_assert_uint_eq(b.vars.rec_inv_sqrt, step.rec_inv_sqrt);
		ck_assert_uint_eq(b.vars.drop_next,
				  codel_control_law(now, INTERVAL, step.rec_inv_sqrt));
	}
}
END_TEST

/* The clock's 32 bits wrap while dropping: the schedule does not notice. */
START_TEST(clock_wraps)
{
	codel_time_t now = UINT_MAX - INTERVAL - 150000;
	struct bench b;

	bench_init(&b);
	enter_dropping(&b, &now);
	for (u32 i = 0; i < 2000; i++)
		get_late(&b, now + i * 200);
	ck_assert_uint_eq(b.dropped, 8); /* the 9th is due 402589 units after the first */
	ck_assert(b.vars.dropping);
}
END_TEST

static struct sk_buff *get_marked(struct bench *b, codel_time_t now, u8 tos)
{
	while (skb_queue_len(&b->queue) < 10)
		put(b, 0);
	b->queue.next->tos = tos;
	return get_late(b, now);
}

/* A mark stands for a drop, one a dequeue; a flow without ECN loses the packet. */
START_TEST(ecn)
{
	codel_time_t now = 1000000;
	struct sk_buff *skb;
	struct bench b;

	bench_init(&b);
	b.params.ecn = true;
	get_late(&b, now);
	now += INTERVAL + 1;
	skb = get_marked(&b, now, INET_ECN_ECT_0);
	ck_assert_uint_eq(skb->tos, INET_ECN_CE);
	ck_assert(b.vars.dropping);
	ck_assert_uint_eq(b.stats.ecn_mark, 1);

	/* four are due, one is marked; drop_next moves by one step */
	skb = get_marked(&b, now + 249049, INET_ECN_ECT_1);
	ck_assert_uint_eq(skb->tos, INET_ECN_CE);
	ck_assert_uint_eq(b.stats.ecn_mark, 2);
	ck_assert_uint_eq(b.vars.count, 2);
	ck_assert_uint_eq(b.vars.drop_next, now + 146483);
	ck_assert_uint_eq(b.dropped, 0);

	/* CE already counts as marked; not ECN-capable is dropped */
	get_marked(&b, now + 249050, INET_ECN_CE);
	ck_assert_uint_eq(b.stats.ecn_mark, 3);
	get_marked(&b, now + 249051, INET_ECN_NOT_ECT);
	ck_assert_uint_ge(b.dropped, 1);
	ck_assert_uint_eq(b.stats.ecn_mark, 3);
}
END_TEST

/* ce_threshold marks by delay alone, strictly above it, and only the DS fields selected. */
START_TEST(ce_threshold)
{
	struct bench b;

	bench_init(&b);
	b.params.ce_threshold = 2 * TARGET;
	ck_assert_uint_eq(get_marked(&b, 1000000, INET_ECN_ECT_0)->tos, INET_ECN_ECT_0);
	b.params.ce_threshold = 2 * TARGET - 1;
	ck_assert_uint_eq(get_marked(&b, 1000001, INET_ECN_ECT_0)->tos, INET_ECN_CE);
	ck_assert_uint_eq(b.stats.ce_mark, 1);
	ck_assert_uint_eq(get_marked(&b, 1000002, INET_ECN_NOT_ECT)->tos, INET_ECN_NOT_ECT);
	ck_assert_uint_eq(b.stats.ce_mark, 1);

	b.params.ce_threshold_mask = INET_ECN_MASK;
	b.params.ce_threshold_selector = INET_ECN_ECT_1;
	ck_assert_uint_eq(get_marked(&b, 1000003, INET_ECN_ECT_0)->tos, INET_ECN_ECT_0);
	ck_assert_uint_eq(get_marked(&b, 1000004, 0xa0 | INET_ECN_ECT_1)->tos, 0xa0 | INET_ECN_CE);
	ck_assert_uint_eq(b.stats.ce_mark, 2);
	ck_assert_uint_eq(b.stats.ecn_mark, 0);
}
END_TEST

CHECK_MAIN("codel", time_units, reciprocal_root, reciprocal_root_after_jump, drop_times, thresholds,
	   last_packet_stays, catches_up, empty_pull, re_entry, clock_wraps, ecn, ce_threshold)
