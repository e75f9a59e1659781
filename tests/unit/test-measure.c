// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: histogram, gauge, samples, queue counts and anatomy tell what went into them.
 *
 * Set-up: values whose statistics are worked out by hand or by a plain reference in the test.
 *
 * Expected: sums, counts, extremes and sample percentiles exact; a histogram's percentiles within 1/64
 * of the exact ones, its buckets within 1/64 wide; the anatomy's shares exact where a bucket holds one
 * value, and its parts always sum up to the delay but for rounding to 1 ns a part.
 */
#include <stdlib.h>
#include <string.h>

#include "check-main.h"
#include "engine/draw.h"
#include "measure/anatomy.h"
#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"
#include "measure/shares.h"

/* ---- histogram ----------------------------------------------------------------------------- */

struct last {
	int64_t low, value;
	uint64_t weight;
	int n;
};

static void find_bucket(void *arg, int64_t low, uint64_t weight)
{
	struct last *last = arg;

	ck_assert_int_gt(low, last->low);
	last->low = low;
	last->weight += weight;
	last->n++;
}

START_TEST(buckets_are_narrow)
{
	for (int e = 0; e < 63; e++) {
		for (int64_t d = -2; d <= 2; d++) {
			int64_t v = ((int64_t)1 << e) + d * (((int64_t)1 << e) / 5 + 1);
			struct last last = {.low = -1};
			struct histogram h = {0};

			if (v < 0)
				continue;
			histogram_add(&h, v, 3);
			histogram_each(&h, find_bucket, &last);
			ck_assert_int_eq(last.n, 1);
			ck_assert_uint_eq(last.weight, 3);
			ck_assert_int_le(last.low, v);
			ck_assert_int_le(v - last.low, v / 64);
			if (v < 128)
				ck_assert_int_eq(last.low, v);
			histogram_clear(&h);
			histogram_add(&h, v, 1);
			ck_assert_uint_eq(histogram_buckets(&h), 0);
		}
	}
}
END_TEST

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(percentiles_are_within_a_64th)
{
	enum { N = 20001 };
	struct histogram h = {0}, half = {0}, both = {0};
	int64_t *v = calloc(N, sizeof(*v));
	struct summary s, m;
	__int128 sum = 0;

	for (int i = 0; i < N; i++) {
		/* Of all sizes from 1 ns to 10 s. */
		v[i] = (int64_t)(draw_bits(1, (uint64_t)i) >>
				 (31 + draw_below(2, (uint64_t)i, 33)));
		sum += v[i];
		histogram_add(&h, v[i], 1);
		histogram_add(i % 2 ? &half : &both, v[i], 1);
	}
	qsort(v, N, sizeof(*v), by_value);
	histogram_summary(&h, &s);
	ck_assert_uint_eq(s.count, N);
	ck_assert(s.sum == sum);
	ck_assert_int_eq(s.min, v[0]);
	ck_assert_int_eq(s.max, v[N - 1]);
	for (int i = 0; i < PERCENTILE_COUNT; i++) {
		int64_t exact = v[(N * percentile_of[i] + 99) / 100 - 1];

		ck_assert_int_le(llabs(s.percentile[i] - exact), exact / 64);
	}
	/* Merged from two halves it is the same, and so is one that is emptied and filled again. */
	histogram_merge(&both, &half);
	histogram_summary(&both, &m);
	ck_assert_mem_eq(&s, &m, sizeof(s));
	histogram_reset(&both);
	histogram_summary(&both, &m);
	ck_assert_uint_eq(m.count, 0);
	histogram_merge(&both, &h);
	histogram_summary(&both, &m);
	ck_assert_mem_eq(&s, &m, sizeof(s));
	ck_assert_uint_eq(histogram_buckets(&both), histogram_buckets(&h));
	histogram_clear(&h);
	histogram_clear(&half);
	histogram_clear(&both);
	free(v);
}
END_TEST

/* Small values, which have a bucket each, and large ones come to one count, sum, least and most. */
START_TEST(totals_of_small_and_large)
{
	static const int64_t upto[] = {1, 40, 64, 65, 128, 129, 1000000};

	for (size_t i = 0; i < sizeof(upto) / sizeof(*upto); i++) {
		for (int64_t least = 0; least < upto[i]; least += 1 + least / 3) {
			struct histogram_totals t, want = {.min = INT64_MAX};
			struct histogram h = {0};

			histogram_total(&h, &t);
			ck_assert(!t.count && !t.sum && !t.min && !t.max);
			for (uint64_t k = 0; k < 50; k++) {
				uint32_t range = (uint32_t)(upto[i] - least);
				int64_t v = least + draw_below(7, k, range);

				histogram_add(&h, v, k + 1);
				want.count += k + 1;
				want.sum += v * (__int128)(k + 1);
				want.min = v < want.min ? v : want.min;
				want.max = v > want.max ? v : want.max;
			}
			histogram_total(&h, &t);
			ck_assert_uint_eq(t.count, want.count);
			ck_assert(t.sum == want.sum);
			ck_assert_int_eq(t.min, want.min);
			ck_assert_int_eq(t.max, want.max);
			histogram_clear(&h);
		}
	}
}
END_TEST

/* What is below 0 is seen in the least, which is how a run with it fails. */
START_TEST(negative_values_are_seen)
{
	struct histogram_totals t;
	struct histogram h = {0};

	histogram_add(&h, 5, 1);
	histogram_add(&h, 500, 1);
	histogram_add(&h, -3, 1);
	histogram_total(&h, &t);
	ck_assert_int_eq(t.min, -3);
	histogram_clear(&h);
}
END_TEST

/* ---- gauge --------------------------------------------------------------------------------- */

START_TEST(gauge_weighs_with_time)
{
	struct gauge g = {0};
	struct summary s;

	gauge_set(&g, 50, 1000); /* before the window */
	gauge_set(&g, 90, 4);
	gauge_window_open(&g, 100);
	gauge_set(&g, 110, 7); /* 4 for 10 ns */
	gauge_set(&g, 110, 99); /* 7 for none */
	gauge_set(&g, 110, 2);
	gauge_set(&g, 150, 2);
	gauge_set(&g, 180, 1); /* 2 for 70 ns */
	gauge_set(&g, 190, 0); /* 1 for 10 ns */
	gauge_window_close(&g, 200); /* 0 for 10 ns */
	gauge_set(&g, 300, 5000); /* behind the window */
	histogram_summary(&g.over_time, &s);
	ck_assert_uint_eq(s.count, 100);
	ck_assert(s.sum == 4 * 10 + 2 * 70 + 1 * 10);
	ck_assert_int_eq(s.min, 0);
	ck_assert_int_eq(s.percentile[PERCENTILE_50], 2);
	ck_assert_int_eq(s.percentile[PERCENTILE_90], 2);
	ck_assert_int_eq(s.percentile[PERCENTILE_95], 4);
	ck_assert_int_eq(s.max, 4);
	ck_assert_int_eq(g.value, 5000);
	gauge_clear(&g);
}
END_TEST

/* ---- samples ------------------------------------------------------------------------------- */

START_TEST(samples_by_hand)
{
	static const int64_t rtt[] = {9, 2, 4, 4, 5, 4, 7, 5}; /* mean 5, variance 4 */
	struct samples s = {0};
	struct summary out;

	samples_summary(&s, &out);
	ck_assert_uint_eq(out.count, 0);
	for (int i = 0; i < 8; i++)
		samples_add(&s, i, rtt[i] * 1000);
	s.lost = 2;
	samples_summary(&s, &out);
	ck_assert_uint_eq(out.count, 8);
	ck_assert(out.sum == 40000);
	ck_assert_int_eq(out.min, 2000);
	ck_assert_int_eq(out.percentile[PERCENTILE_50], 4000); /* rank 4 of 8 */
	ck_assert_int_eq(out.percentile[PERCENTILE_90], 9000); /* rank 8 */
	ck_assert_int_eq(out.max, 9000);
	ck_assert_int_eq(out.mdev, 2000);
	ck_assert_int_eq(s.v[0].value, 9000); /* they stay in order of time */
	samples_reset(&s);
	ck_assert_uint_eq(s.lost, 0);
	for (int i = 1; i <= 1000; i++)
		samples_add(&s, i, i);
	samples_summary(&s, &out);
	ck_assert_int_eq(out.percentile[PERCENTILE_50], 500);
	ck_assert_int_eq(out.percentile[PERCENTILE_90], 900);
	ck_assert_int_eq(out.percentile[PERCENTILE_95], 950);
	ck_assert_int_eq(out.percentile[PERCENTILE_99], 990);
	ck_assert_int_eq(out.mdev, 288); /* sqrt((1000^2 - 1) / 12) = 288.67 */
	samples_clear(&s);

	/* Hours in ns: the squares need 128 bits. */
	samples_add(&s, 0, 3600 * SIM_SEC);
	samples_add(&s, 0, 7200 * SIM_SEC);
	samples_summary(&s, &out);
	ck_assert_int_eq(out.mdev, 1800 * SIM_SEC);
	samples_clear(&s);
}
END_TEST

/* ---- queue --------------------------------------------------------------------------------- */

static void audit_sums(void *arg, const char *name, uint64_t in, uint64_t out, uint64_t dropped,
		       uint64_t held)
{
	ck_assert_str_eq(name, "ring");
	ck_assert_uint_eq(in, 5);
	ck_assert_uint_eq(out, 1);
	ck_assert_uint_eq(dropped, 3);
	ck_assert_uint_eq(held, 1);
	++*(int *)arg;
}

START_TEST(queue_counts_from_zero_and_measures_the_window)
{
	static const char *const causes[] = {"full", "codel", NULL};
	struct queue_stat q = {0};
	int audits = 0;
	struct model_audit a = {.arg = &audits, .queue = audit_sums};
	struct summary s;

	queue_stat_init(&q, causes);
	queue_stat_in(&q, 0, 100);
	queue_stat_in(&q, 0, 200);
	queue_stat_refuse(&q, 0);
	queue_stat_want_bytes(&q, 10);
	queue_stat_window_open(&q, 20);
	queue_stat_out(&q, 30, 100, 30); /* 2 packets, 300 bytes for 10 ns */
	queue_stat_in(&q, 50, 50); /* 1 packet, 200 bytes for 20 ns */
	queue_stat_drop(&q, 60, 200, 1); /* 2 packets, 250 bytes for 10 ns */
	queue_stat_refuse(&q, 0);
	queue_stat_window_close(&q, 120); /* 1 packet, 50 bytes for 60 ns */
	histogram_summary(&q.packets.over_time, &s);
	ck_assert_uint_eq(s.count, 100);
	ck_assert(s.sum == 2 * 10 + 20 + 2 * 10 + 60);
	histogram_summary(&q.bytes->over_time, &s);
	ck_assert(s.sum == 3000 + 4000 + 2500 + 3000);
	histogram_summary(&q.sojourn, &s);
	ck_assert_uint_eq(s.count, 1);
	ck_assert_int_eq(s.max, 30);
	ck_assert_uint_eq(q.drops[0] - q.drops_before[0], 1);
	ck_assert_uint_eq(q.drops[1] - q.drops_before[1], 1);
	queue_stat_audit(&q, &a, "ring", (uint64_t)queue_stat_packets(&q));
	ck_assert_int_eq(audits, 1);
	ck_assert_int_eq(queue_stat_bytes(&q), 50);
	queue_stat_clear(&q);
}
END_TEST

/* A packet that passes at once counts as one that comes and goes at one instant. */
START_TEST(passing_is_coming_and_going)
{
	struct queue_stat a = {0}, b = {0};
	struct summary x, y;

	queue_stat_want_bytes(&a, 0);
	queue_stat_want_bytes(&b, 0);
	for (sim_time now = 10; now < 200; now += 10) {
		if (now % 30 == 0) {
			queue_stat_in(&a, now, 100);
			queue_stat_in(&b, now, 100);
		}
		queue_stat_in(&a, now, 60);
		queue_stat_out(&a, now, 60, 0);
		queue_stat_pass(&b);
	}
	queue_stat_window_close(&a, 200);
	queue_stat_window_close(&b, 200);
	ck_assert_uint_eq(queue_stat_taken(&a), queue_stat_taken(&b));
	ck_assert_uint_eq(a.out, b.out);
	for (int i = 0; i < 3; i++) {
		const struct histogram *of_a[] = {&a.packets.over_time, &a.bytes->over_time,
						  &a.sojourn};
		const struct histogram *of_b[] = {&b.packets.over_time, &b.bytes->over_time,
						  &b.sojourn};

		histogram_summary(of_a[i], &x);
		histogram_summary(of_b[i], &y);
		ck_assert_uint_gt(x.count, 0);
		ck_assert_mem_eq(&x, &y, sizeof(x));
	}
	queue_stat_clear(&a);
	queue_stat_clear(&b);
}
END_TEST

/* ---- anatomy ------------------------------------------------------------------------------- */

START_TEST(anatomy_of_the_slowest)
{
	static const char *const names[] = {"ring", "air", "wire"};
	static const int64_t fast[] = {100, 1000, 0}, slow[] = {900000, 1000, 7};
	struct anatomy a = {0};
	int64_t mean[3];

	anatomy_init(&a, names, 3);
	ck_assert_int_eq(anatomy_slowest(&a, 1000, mean), -1);
	for (int i = 0; i < 100; i++)
		anatomy_add(&a, i % 20 ? fast : slow);
	ck_assert_int_eq(anatomy_slowest(&a, 1000, mean), 95 + 45000 + 1000);
	ck_assert_int_eq(mean[0], 45095);
	ck_assert_int_eq(mean[1], 1000);
	ck_assert_int_eq(mean[2], 0); /* 0.35 */
	ck_assert_int_eq(anatomy_slowest(&a, 50, mean), 901007);
	ck_assert_int_eq(mean[0], 900000);
	ck_assert_int_eq(mean[1], 1000);
	ck_assert_int_eq(mean[2], 7);
	/* A tenth: the five slow ones and as many of the others. */
	anatomy_slowest(&a, 100, mean);
	ck_assert_int_eq(mean[0], 450050);
	anatomy_reset(&a);
	ck_assert_int_eq(anatomy_slowest(&a, 1000, mean), -1);
	anatomy_clear(&a);
}
END_TEST

START_TEST(anatomy_sums_up)
{
	static const char *const names[] = {"a", "b"};
	struct anatomy a = {0};
	int64_t mean[2], total = 0;
	struct draw d = {.key = 5};

	anatomy_init(&a, names, 2);
	for (int i = 0; i < 10000; i++) {
		int64_t parts[2] = {draw_next_below(&d, 1u << (i % 31)),
				    draw_next_below(&d, 1000000)};

		total += parts[0] + parts[1];
		anatomy_add(&a, parts);
	}
	ck_assert_int_le(llabs(anatomy_slowest(&a, 1000, mean) - total / 10000), 2);
	ck_assert_int_gt(anatomy_slowest(&a, 50, mean), total / 10000);
	anatomy_clear(&a);
}
END_TEST

/* What is added of the part that a packet is still in counts as if it had been one of the parts. */
START_TEST(anatomy_with_a_last_part)
{
	static const char *const names[] = {"a", "b", "c"};
	struct anatomy whole = {0}, apart = {0};
	struct draw d = {.key = 6};
	int64_t x[3], y[3];

	anatomy_init(&whole, names, 3);
	anatomy_init(&apart, names, 3);
	for (int i = 0; i < 10000; i++) {
		int64_t parts[3] = {draw_next_below(&d, 1u << (i % 31)), i % 3 ? 0 : i, 0};
		uint32_t last = draw_next_below(&d, 3);
		int64_t more = draw_next_below(&d, 1u << (i % 20));

		anatomy_add_last(&apart, 3, parts, last, more,
				 (uint64_t)(parts[0] + parts[1] + parts[2] + more));
		parts[last] += more;
		anatomy_add(&whole, parts);
	}
	for (uint32_t permille = 1; permille <= 1000; permille += 37) {
		ck_assert_int_eq(anatomy_slowest(&whole, permille, x),
				 anatomy_slowest(&apart, permille, y));
		ck_assert_mem_eq(x, y, sizeof(x));
	}
	anatomy_clear(&whole);
	anatomy_clear(&apart);
}
END_TEST

/* ---- groups and shares --------------------------------------------------------------------- */

START_TEST(samples_of_several)
{
	struct samples a = {0}, b = {0}, all = {0};

	samples_add(&a, 10, 1);
	samples_add(&a, 30, 2);
	samples_add(&b, 5, 3);
	samples_add(&b, 10, 4);
	b.lost = 2;
	samples_merge(&all, &a);
	samples_merge(&all, &b);
	samples_sort(&all);
	ck_assert_uint_eq(all.n, 4);
	ck_assert_uint_eq(all.lost, 2);
	/* in order of time; of equal times the one that was added first */
	ck_assert_int_eq(all.v[0].value, 3);
	ck_assert_int_eq(all.v[1].value, 1);
	ck_assert_int_eq(all.v[2].value, 4);
	ck_assert_int_eq(all.v[3].value, 2);
	/* (1 + 2 + 3 + 4)^2 / (4 * 30) */
	ck_assert_int_eq(samples_jain(&all), 833333);
	all.v[0].value = all.v[1].value = all.v[2].value = all.v[3].value = INT64_MAX / 2;
	ck_assert_int_eq(samples_jain(&all), 1000000);
	samples_reset(&all);
	ck_assert_int_eq(samples_jain(&all), INT64_MIN);
	samples_clear(&a);
	samples_clear(&b);
	samples_clear(&all);
}
END_TEST

START_TEST(anatomies_of_several)
{
	static const char *const names[] = {"x", "y"};
	struct anatomy a = {0}, b = {0};
	int64_t mean[2];

	anatomy_init(&a, names, 2);
	anatomy_init(&b, names, 2);
	anatomy_add(&a, (int64_t[]){10, 20});
	anatomy_add(&b, (int64_t[]){30, 40});
	anatomy_add(&b, (int64_t[]){1000000, 0});
	anatomy_merge(&a, &b);
	ck_assert_uint_eq(a.count, 3);
	ck_assert_int_eq(anatomy_slowest(&a, 1000, mean), (1000040 + 60 + 1) / 3);
	ck_assert_int_eq(mean[1], 20);
	anatomy_clear(&a);
	anatomy_clear(&b);
}
END_TEST

START_TEST(shares_by_key)
{
	struct shares s = {0};

	for (uint32_t i = 0; i < 100; i++)
		shares_add(&s, i % 20, i % 20);
	ck_assert_uint_eq(s.n, 20);
	ck_assert_uint_eq(s.sum, 5 * 190);
	for (uint32_t i = 0; i < s.n; i++)
		ck_assert_uint_eq(s.v[i].weight, 5 * s.v[i].key);
	shares_reset(&s);
	shares_add(&s, 7, 3);
	ck_assert_uint_eq(s.n, 1);
	ck_assert_uint_eq(s.v[0].key, 7);
	ck_assert_uint_eq(s.sum, 3);
	shares_clear(&s);
}
END_TEST

CHECK_MAIN("measure", buckets_are_narrow, percentiles_are_within_a_64th, totals_of_small_and_large,
	   negative_values_are_seen, gauge_weighs_with_time, samples_by_hand,
	   queue_counts_from_zero_and_measures_the_window, passing_is_coming_and_going,
	   anatomy_of_the_slowest, anatomy_sums_up, anatomy_with_a_last_part, samples_of_several,
	   anatomies_of_several, shares_by_key)
