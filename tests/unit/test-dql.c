// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: DQL's limit, and every field behind it, goes step by step where Linux 6.1's goes.
 * Set-up: the sequences below ran through Linux 6.1's lib/dynamic_queue_limits.c; the numbers are what it gave
 * (sizes in bytes, slack_hold_time 100 jiffies, jiffies as each case sets them).
 * Expected: equal numbers. Tolerance: none, the algorithm is integer arithmetic.
 */
#include "check-main.h"

#include <string.h>

#include <linux/kernel.h>
#include <linux/dynamic_queue_limits.h>

#include "engine/clock.h"

#define HOLD  100
#define FRAME 1514

static void set_jiffies(u32 j)
{
	kernel_clock.hz = 1000;
	kernel_clock.now_ns = (int64_t)j * 1000000;
}

static void setup(struct dql *d)
{
	memset(d, 0, sizeof(*d));
	set_jiffies(1000);
	dql_init(d, HOLD);
}

static void expect(const struct dql *d, u32 q, u32 c, u32 limit, u32 adj, u32 over, int avail)
{
	ck_assert_uint_eq(d->num_queued, q);
	ck_assert_uint_eq(d->num_completed, c);
	ck_assert_uint_eq(d->limit, limit);
	ck_assert_uint_eq(d->adj_limit, adj);
	ck_assert_uint_eq(d->prev_ovlimit, over);
	ck_assert_int_eq(dql_avail(d), avail);
}

static void queue(struct dql *d, u32 frames)
{
	while (frames--)
		dql_queued(d, FRAME);
}

/* Queues as BQL's users do: the frame that crosses the limit still goes. */
static u32 fill(struct dql *d)
{
	u32 n = 0;

	for (; dql_avail(d) >= 0; n++)
		dql_queued(d, FRAME);
	return n;
}

static void first_steps(struct dql *d)
{
	setup(d);
	queue(d, 1);
	dql_completed(d, FRAME);
	queue(d, 2);
	dql_completed(d, 2 * FRAME);
	queue(d, 3);
	dql_completed(d, FRAME);
	dql_completed(d, 2 * FRAME);
}

START_TEST(steps)
{
	struct dql d;

	setup(&d);
	expect(&d, 0, 0, 0, 0, 0, 0);
	queue(&d, 1);
	expect(&d, 1514, 0, 0, 0, 0, -1514);
	dql_completed(&d, FRAME);
	expect(&d, 1514, 1514, 1514, 3028, 0, 1514);
	queue(&d, 2);
	expect(&d, 4542, 1514, 1514, 3028, 0, -1514);
	dql_completed(&d, 2 * FRAME);
	expect(&d, 4542, 4542, 4542, 9084, 0, 4542);
	queue(&d, 3);
	expect(&d, 9084, 4542, 4542, 9084, 0, 0);
	dql_completed(&d, FRAME);
	expect(&d, 9084, 6056, 4542, 10598, 0, 1514);
	dql_completed(&d, 2 * FRAME);
	expect(&d, 9084, 9084, 4542, 13626, 0, 4542);
}
END_TEST

/* Six rounds of fill and drain double the limit; a steady trickle then cuts it once, by the least slack. */
START_TEST(grow_and_cut)
{
	static const u32 packets[] = {4, 8, 16, 32, 64, 128};
	static const u32 limits[] = {10598, 22710, 46934, 95382, 192278, 386070};
	struct dql d;
	u32 j = 1000;

	first_steps(&d);
	for (size_t i = 0; i < ARRAY_SIZE(packets); i++) {
		ck_assert_uint_eq(fill(&d), packets[i]);
		ck_assert_uint_eq(d.num_queued - d.num_completed, packets[i] * FRAME);
		set_jiffies(++j);
		dql_completed(&d, packets[i] * FRAME);
		ck_assert_uint_eq(d.limit, limits[i]);
	}

	while (j < 1136) {
		fill(&d);
		set_jiffies(++j);
		dql_completed(&d, 3028);
		switch (j) {
		case 1007:
			expect(&d, 778196, 393640, 386070, 779710, 1514, 1514);
			ck_assert_uint_eq(d.lowest_slack, UINT_MAX);
			break;
		case 1008:
			expect(&d, 781224, 396668, 386070, 782738, 1514, 1514);
			ck_assert_uint_eq(d.lowest_slack, 381528);
			break;
		case 1106:
			expect(&d, 1077968, 693412, 386070, 1079482, 1514, 1514);
			break;
		case 1107:
			expect(&d, 1080996, 696440, 4542, 700982, 0, -380014);
			break;
		case 1108:
			expect(&d, 1080996, 699468, 4542, 704010, 380014, -376986);
			ck_assert_uint_eq(d.lowest_slack, 0);
			break;
		}
	}

	ck_assert_uint_eq(d.adj_limit, 788794);
	dql_reset(&d);
	expect(&d, 0, 0, 0, 788794, 0, 788794);
	ck_assert_uint_eq(d.lowest_slack, UINT_MAX);
}
END_TEST

/*
 * In packets, with a floor of 8. A guard that refuses at avail() <= 0 admits nothing after init, and later never
 * lets the limit grow, for the limit is never exceeded; one that admits the crossing packet doubles it.
 */
START_TEST(packet_units)
{
	static const u32 grown[] = {17, 35, 71, 143, 287};
	struct dql d;

	setup(&d);
	d.min_limit = 8;
	d.max_limit = 1424;
	ck_assert_int_eq(dql_avail(&d), 0);
	ck_assert_uint_eq(d.limit, 0);

	dql_queued(&d, 1);
	dql_completed(&d, 1);
	ck_assert_uint_eq(d.limit, 8);
	ck_assert_uint_eq(d.adj_limit, 9);

	for (u32 round = 0; round < 50; round++) {
		u32 n = 0;

		for (; dql_avail(&d) > 0; n++)
			dql_queued(&d, 1);
		ck_assert_uint_eq(n, 8);
		if (round % 2)
			dql_completed(&d, n);
		else
			while (n--)
				dql_completed(&d, 1);
		ck_assert_uint_eq(d.limit, 8);
	}

	for (size_t i = 0; i < ARRAY_SIZE(grown); i++) {
		u32 n = 0;

		for (; dql_avail(&d) >= 0; n++)
			dql_queued(&d, 1);
		dql_completed(&d, n);
		ck_assert_uint_eq(d.limit, grown[i]);
	}
}
END_TEST

/* Nothing depends on where the free-running counters stand: the same steps across their wrap. */
START_TEST(counters_wrap)
{
	const u32 start = UINT_MAX - 5000;
	struct dql d, w;
	u32 j = 2000;

	setup(&d);
	setup(&w);
	w.num_queued = start;
	w.num_completed = start;
	w.prev_num_queued = start;
	w.adj_limit = start;

	for (u32 i = 0; i < 3000; i++) {
		u32 n = fill(&d), in_flight;

		ck_assert_uint_eq(fill(&w), n);
		in_flight = d.num_queued - d.num_completed;
		set_jiffies(j += i % 3);
		dql_completed(&d, in_flight - in_flight / (1 + i % 4));
		dql_completed(&w, in_flight - in_flight / (1 + i % 4));
		ck_assert_uint_eq(w.limit, d.limit);
		ck_assert_uint_eq(w.num_queued - start, d.num_queued);
		ck_assert_uint_eq(w.num_completed - start, d.num_completed);
		ck_assert_uint_eq(w.prev_ovlimit, d.prev_ovlimit);
		ck_assert_uint_eq(w.lowest_slack, d.lowest_slack);
	}
}
END_TEST

CHECK_MAIN("dql", steps, grow_and_cut, packet_units, counters_wrap)
