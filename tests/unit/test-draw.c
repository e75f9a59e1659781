// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: draws are uniform, neighbours in key or index have nothing to do with each other, and a
 * domain's draws depend on nothing but seed, name and count.
 *
 * Set-up: a million draws each over consecutive indices of one key, one index of consecutive keys, and
 * the keys of similar names; chi-squared over 256 classes, and single bits of pairs of sequences.
 *
 * Expected: chi-squared with 255 degrees of freedom has mean 255 and deviation 22.6; 5 deviations are
 * allowed, a chance of some 10^-6, and seeds are fixed. Bits agree in half of the cases, within 5
 * deviations of the binomial.
 */
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "engine/draw.h"

#define N	1000000
#define CLASSES 256

static void assert_uniform(const uint32_t *count)
{
	const int64_t mean = N / CLASSES;
	int64_t chi = 0;

	for (int i = 0; i < CLASSES; i++)
		chi += (count[i] - mean) * (count[i] - mean);
	ck_assert_int_lt(chi / mean, 255 + 5 * 23);
	ck_assert_int_gt(chi / mean, 255 - 5 * 23);
}

START_TEST(uniform_in_every_byte)
{
	uint64_t key = draw_key(1, "laptop.wlan0.backoff");

	for (int shift = 0; shift < 64; shift += 8) {
		uint32_t by_index[CLASSES] = {0}, by_key[CLASSES] = {0};

		for (uint64_t i = 0; i < N; i++) {
			by_index[draw_bits(key, i) >> shift & 0xff]++;
			by_key[draw_bits(i, 7) >> shift & 0xff]++;
		}
		assert_uniform(by_index);
		assert_uniform(by_key);
	}
}
END_TEST

START_TEST(below_is_uniform_and_below)
{
	uint32_t count[CLASSES] = {0};
	uint64_t seen = 0;

	for (uint64_t i = 0; i < N; i++)
		count[draw_below(3, i, CLASSES)]++;
	assert_uniform(count);
	for (uint64_t i = 0; i < 1000; i++) {
		uint32_t v = draw_below(3, i, 16);

		ck_assert_uint_lt(v, 16);
		seen |= 1u << v;
		ck_assert_uint_eq(draw_below(3, i, 1), 0);
	}
	ck_assert_uint_eq(seen, 0xffff);
}
END_TEST

START_TEST(chance_has_its_probability)
{
	static const uint64_t percent[] = {0, 1, 13, 50, 100};

	for (int p = 0; p < 5; p++) {
		uint64_t threshold = (percent[p] << 32) / 100;
		int64_t hits = 0, expected = N / 100 * (int64_t)percent[p];

		for (uint64_t i = 0; i < N; i++)
			hits += draw_chance(9, i, threshold);
		/* 5 deviations of the binomial at one half: 5 * sqrt(10^6) / 2. */
		ck_assert_int_le(llabs(hits - expected), percent[p] % 100 ? 2500 : 0);
	}
}
END_TEST

/* Of two sequences, how often do bits agree? */
static void assert_independent(uint64_t key_a, uint64_t key_b, uint64_t offset)
{
	int64_t agree[64] = {0};

	for (uint64_t i = 0; i < N / 10; i++) {
		uint64_t same = ~(draw_bits(key_a, i) ^ draw_bits(key_b, i + offset));

		for (int bit = 0; bit < 64; bit++)
			agree[bit] += same >> bit & 1;
	}
	/* Half of 10^5, deviation 158. */
	for (int bit = 0; bit < 64; bit++)
		ck_assert_int_le(llabs(agree[bit] - N / 20), 5 * 158);
}

START_TEST(keys_and_indices_are_independent)
{
	assert_independent(draw_key(1, "sta1.wlan0.backoff"), draw_key(1, "sta2.wlan0.backoff"), 0);
	assert_independent(draw_key(1, "sta1.wlan0.backoff"), draw_key(2, "sta1.wlan0.backoff"), 0);
	assert_independent(5, 5, 1);
	assert_independent(5, 6, 0);
	assert_independent(5, 5 ^ (1ULL << 63), 0);
}
END_TEST

/* Every result stands on these: they may not change, with no library and on no machine. */
START_TEST(pinned)
{
	uint64_t key = draw_key(1, "laptop.wlan0.backoff");

	ck_assert_uint_eq(key, 0xe02309cb181d70adULL);
	ck_assert_uint_eq(draw_bits(key, 1), 0x32850fbe11f7b3ecULL);
}
END_TEST

START_TEST(a_domain_is_its_name_and_count)
{
	struct draw a, b;

	draw_init(&a, 7, "laptop.wlan0", "backoff");
	ck_assert_uint_eq(a.key, draw_key(7, "laptop.wlan0.backoff"));
	ck_assert_uint_ne(a.key, draw_key(8, "laptop.wlan0.backoff"));
	/* names of any length are hashed alike */
	for (size_t len = 100; len < 300; len++) {
		char path[300], name[320];

		memset(path, 'x', len);
		path[len] = '\0';
		snprintf(name, sizeof(name), "%s.backoff", path);
		draw_init(&b, 7, path, "backoff");
		ck_assert_uint_eq(b.key, draw_key(7, name));
	}
	draw_init(&b, 7, "laptop.wlan0", "backoff");
	for (int i = 0; i < 10; i++)
		ck_assert_uint_eq(draw_below(a.key, (uint64_t)i, 1000), draw_next_below(&b, 1000));
	ck_assert_uint_eq(b.index, 10);
	draw_next_chance(&b, 0);
	ck_assert_uint_eq(b.index, 11);
}
END_TEST

CHECK_MAIN("draw", uniform_in_every_byte, below_is_uniform_and_below, chance_has_its_probability,
	   keys_and_indices_are_independent, pinned, a_domain_is_its_name_and_count)
