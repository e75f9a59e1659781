// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the reorder buffer lets go of frames when and in the order that mac80211 does.
 *
 * Set-up: one buffer, frames with hand-made sequence numbers and times. Expected: an order without holes is never held; a
 * hole that is filled lets all go at once; one that is not costs 100 ms from the first frame behind it, plus the ticks
 * that jiffies and the timer wheel add; window, BAR, wrap and duplicates as in Linux. Also, for a thousand
 * random histories: what comes out is in order and nothing is lost silently. Tolerance: none.
 */
#include "check-main.h"

#include <string.h>

#include "engine/draw.h"
#include "mac80211/reorder.h"

#define MOST 4096

struct bench {
	struct sim *sim;
	struct reorder_stat stat;
	struct reorder r;
	u16 out[MOST];
	sim_time at[MOST];
	u32 n;
};

static void deliver(void *arg, struct packet *p)
{
	struct bench *b = arg;

	b->at[b->n] = b->sim->now;
	b->out[b->n++] = p->mac.seq;
	packet_free(b->sim, p);
}

static void bench_open(struct bench *b, u16 start, u16 size, u32 hz, bool old_wheel)
{
	memset(b, 0, sizeof(*b));
	b->sim = sim_new(1);
	queue_stat_init(&b->stat.queue, reorder_causes);
	b->r = (struct reorder){
		.stat = &b->stat, .deliver = deliver, .arg = b, .hz = hz, .old_wheel = old_wheel};
	reorder_init(&b->r, b->sim, start, size);
}

static void bench_close(struct bench *b)
{
	reorder_clear(&b->r);
	ck_assert_uint_eq(queue_stat_taken(&b->stat.queue),
			  b->stat.queue.out + b->stat.queue.dropped);
	queue_stat_clear(&b->stat.queue);
	histogram_clear(&b->stat.stall);
	sim_free(b->sim);
}

/* True: the buffer took it; what it does not take is delivered here. */
static bool give_flags(struct bench *b, u16 seq, u8 flags)
{
	struct packet *p = packet_new(b->sim);

	p->mac.seq = seq;
	p->mac.flags = flags;
	p->skb.len = 100;
	if (reorder_rx(&b->r, p))
		return true;
	deliver(b, p);
	return false;
}

static bool give(struct bench *b, u16 seq)
{
	return give_flags(b, seq, 0);
}

static void upto(struct bench *b, sim_time t)
{
	ck_assert_int_eq(sim_run(b->sim, t), 0);
}

static void expect(const struct bench *b, u32 from, u16 first, u32 n)
{
	for (u32 i = 0; i < n; i++)
		ck_assert_uint_eq(b->out[from + i], (first + i) & 0xfff);
}

START_TEST(in_order)
{
	struct bench b;

	bench_open(&b, 4090, 64, 250, false);
	for (u32 i = 0; i < 100; i++)
		ck_assert(!give(&b, (4090 + i) & 0xfff));
	ck_assert_uint_eq(b.n, 100);
	expect(&b, 0, 4090, 100);
	ck_assert(!event_pending(&b.r.timer));
	bench_close(&b);
}
END_TEST

START_TEST(filled_hole)
{
	struct histogram_totals stalls;
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	give(&b, 0);
	for (u16 s = 2; s < 12; s++)
		ck_assert(give(&b, s));
	ck_assert_uint_eq(b.n, 1);
	upto(&b, 30 * SIM_MS);
	give(&b, 1);
	ck_assert_uint_eq(b.n, 12);
	expect(&b, 0, 0, 12);
	ck_assert_int_eq(b.at[11], 30 * SIM_MS);
	ck_assert(!event_pending(&b.r.timer));
	ck_assert_uint_eq(b.stat.timeouts, 0);
	histogram_total(&b.stat.stall, &stalls);
	ck_assert_uint_eq(stalls.count, 1);
	ck_assert_int_eq(stalls.max, 30 * SIM_MS);
	bench_close(&b);
}
END_TEST

/* When the frames behind a hole come out, if the first of them came at @first and others until 90 ms later. */
static sim_time stall(u32 hz, bool old_wheel, sim_time first)
{
	struct bench b;
	sim_time at;

	bench_open(&b, 0, 64, hz, old_wheel);
	give(&b, 0);
	for (u16 s = 0; s < 10; s++) {
		upto(&b, first + s * 10 * SIM_MS);
		give(&b, s + 2);
	}
	upto(&b, first + SIM_SEC);
	/* the later ones were younger, but follow without a hole */
	ck_assert_uint_eq(b.n, 11);
	at = b.at[1];
	ck_assert_int_eq(b.at[10], at);
	ck_assert_uint_eq(b.stat.timeouts, 1);
	ck_assert(!give(&b, 12));
	bench_close(&b);
	return at;
}

START_TEST(unfilled_hole)
{
	/* stored in jiffy 1 (4 ms), due at 1 + 1 + 25, and the wheel adds one */
	ck_assert_int_eq(stall(250, false, 5 * SIM_MS), 28 * 4 * SIM_MS);
	ck_assert_int_eq(stall(250, true, 5 * SIM_MS), 27 * 4 * SIM_MS);
	ck_assert_int_eq(stall(100, false, 5 * SIM_MS), 12 * 10 * SIM_MS);
	/* at 1000 Hz 101 ticks lie in the second level of the wheel: multiples of 8 */
	ck_assert_int_eq(stall(1000, false, 5 * SIM_MS), 112 * SIM_MS);
	ck_assert_int_eq(stall(1000, true, 5 * SIM_MS), 106 * SIM_MS);
}
END_TEST

/* After one expired frame those behind a second hole wait for their own 100 ms. */
START_TEST(two_holes)
{
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	give(&b, 1);
	upto(&b, 40 * SIM_MS);
	give(&b, 3);
	give(&b, 4);
	upto(&b, SIM_SEC);
	ck_assert_uint_eq(b.n, 3);
	ck_assert_int_eq(b.at[0], 27 * 4 * SIM_MS);
	ck_assert_int_eq(b.at[1], 37 * 4 * SIM_MS);
	ck_assert_int_eq(b.at[2], b.at[1]);
	ck_assert_uint_eq(b.stat.timeouts, 2);
	bench_close(&b);
}
END_TEST

START_TEST(window)
{
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	for (u16 s = 1; s < 64; s++)
		give(&b, s);
	ck_assert_uint_eq(b.n, 0);
	/* head + 64 moves the window by one: the hole is given up, everything is in order then */
	give(&b, 64);
	ck_assert_uint_eq(b.n, 64);
	expect(&b, 0, 1, 64);
	ck_assert_uint_eq(b.stat.early, 1);

	/* head is 65; 2048 ahead still counts as ahead, 2049 as behind */
	ck_assert(give(&b, 65 + 2049));
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_OLD], 1);
	ck_assert_uint_eq(b.n, 64);
	ck_assert(give(&b, 65 + 2048));
	ck_assert_uint_eq(b.n, 64);
	ck_assert_uint_eq(b.r.head, 65 + 2048 - 63);
	bench_close(&b);
}
END_TEST

START_TEST(duplicates)
{
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	give(&b, 0);
	give(&b, 2);
	give(&b, 2);
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_DUPLICATE], 1);
	give(&b, 0);
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_OLD], 1);
	give(&b, 1);
	ck_assert_uint_eq(b.n, 3);
	expect(&b, 0, 0, 3);
	bench_close(&b);

	/* before the first frame of the window, older ones pass by */
	bench_open(&b, 10, 64, 250, false);
	ck_assert(!give(&b, 8));
	ck_assert(!give(&b, 10));
	ck_assert(give(&b, 9));
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_OLD], 1);
	bench_close(&b);

	/* 48 does not divide 4096: over the wrap two numbers of one window share a slot, and the later is lost */
	bench_open(&b, 4090, 48, 250, false);
	give(&b, 4095); /* slot 15 */
	give(&b, 15); /* slot 15 too */
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_DUPLICATE], 1);
	bench_close(&b);
}
END_TEST

START_TEST(bar)
{
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	give(&b, 0);
	give(&b, 2);
	give(&b, 5);
	give(&b, 6);
	reorder_bar(&b.r, 1); /* not before the head */
	ck_assert_uint_eq(b.n, 1);
	/* up to the start, and no further: 5 waits for the next frame or the timer */
	reorder_bar(&b.r, 5);
	ck_assert_uint_eq(b.n, 2);
	ck_assert_uint_eq(b.out[1], 2);
	reorder_bar(&b.r, 3); /* older: ignored */
	ck_assert_uint_eq(b.r.head, 5);
	give(&b, 7);
	ck_assert_uint_eq(b.n, 5);
	expect(&b, 2, 5, 3);
	bench_close(&b);
}
END_TEST

START_TEST(amsdu)
{
	struct bench b;

	bench_open(&b, 0, 64, 250, false);
	/* the head's subframes pass one by one; the number moves with the last */
	ck_assert(!give_flags(&b, 0, RX_AMSDU_MORE));
	ck_assert_uint_eq(b.r.head, 0);
	ck_assert(!give(&b, 0));
	ck_assert_uint_eq(b.r.head, 1);
	/* held ones come out together, and count as one MPDU */
	give_flags(&b, 2, RX_AMSDU_MORE);
	ck_assert_uint_eq(b.r.stored, 0);
	give(&b, 2);
	ck_assert_uint_eq(b.r.stored, 1);
	give(&b, 1);
	ck_assert_uint_eq(b.n, 5);
	expect(&b, 2, 1, 2);
	ck_assert_uint_eq(b.out[4], 2);
	/* without its last subframe it is purged when passed */
	give_flags(&b, 4, RX_AMSDU_MORE);
	give(&b, 5);
	upto(&b, SIM_SEC);
	ck_assert_uint_eq(b.n, 6);
	ck_assert_uint_eq(b.out[5], 5);
	ck_assert_uint_eq(b.stat.queue.drops[REORDER_TORN_DOWN], 1);
	bench_close(&b);
}
END_TEST

/* Senders keep within the window; a third of the frames arrives out of order, some not at all, some twice. */
START_TEST(random_histories)
{
	for (u64 run = 0; run < 1000; run++) {
		struct bench b;
		struct draw d;
		u16 last, size = 8;
		u32 missing[MOST];

		draw_init(&d, run, "reorder", "test");
		bench_open(&b, (u16)draw_next_below(&d, 4096), size, 250, run & 1);
		last = (u16)((b.r.head - 1) & 0xfff);
		memset(missing, 0, sizeof(missing));
		for (u32 i = 0; i < 300; i++) {
			u16 seq = (u16)((b.r.head + draw_next_below(&d, size)) & 0xfff);

			if (draw_next_below(&d, 40) == 0)
				reorder_bar(&b.r, seq);
			else
				give(&b, seq);
			upto(&b, b.sim->now + draw_next_below(&d, 30) * SIM_MS);
		}
		for (u32 i = 0; i < b.n; i++) {
			ck_assert(seq_less(last, b.out[i]));
			last = b.out[i];
		}
		ck_assert(!b.r.stored || event_pending(&b.r.timer));
		bench_close(&b);
	}
}
END_TEST

START_TEST(sequence_numbers)
{
	for (u32 a = 0; a < 4096; a += 7)
		for (u32 b = 0; b < 4096; b++) {
			u32 ahead = (b - a) & 0xfff;

			ck_assert(seq_less(a, b) == (ahead > 0 && ahead < 2048));
		}
	ck_assert_uint_eq(seq_add(4095, 1), 0);
	ck_assert_uint_eq(seq_sub(0, 1), 4095);
}
END_TEST

CHECK_MAIN("reorder", in_order, filled_hole, unfilled_hole, two_holes, window, duplicates, bar,
	   amsdu, random_histories, sequence_numbers)
