/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counter-based draws: a value depends on a key and an index alone, never on what was drawn before
 * it elsewhere. The key is a 64-bit hash of the run's seed and a stable name such as
 * "laptop.wlan0.backoff"; the index is the domain's own counter (transmission attempt, MPDU, fading
 * step). A change in one model so leaves the luck of all others alone.
 */
#ifndef WLANQ_ENGINE_DRAW_H
#define WLANQ_ENGINE_DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* A key from the run's seed and a name (XXH3-64). */
uint64_t draw_key(uint64_t seed, const char *name);

/* 64 uniform bits: two rounds of a full-avalanche mix over key and index. */
static inline uint64_t draw_bits(uint64_t key, uint64_t index)
{
	uint64_t x = key ^ (index * 0x9e3779b97f4a7c15ULL);

	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x += key;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	return x;
}

/* Uniform in [0, n), n > 0: the high half of a 64 x 32 bit product, bias below 2^-32. */
static inline uint32_t draw_below(uint64_t key, uint64_t index, uint32_t n)
{
	return (uint32_t)(((draw_bits(key, index) >> 32) * (uint64_t)n) >> 32);
}

/* True with probability @threshold / 2^32; @threshold is 0 .. 2^32 inclusive. */
static inline bool draw_chance(uint64_t key, uint64_t index, uint64_t threshold)
{
	return (draw_bits(key, index) >> 32) < threshold;
}

/* A domain with its own counter. */
struct draw {
	uint64_t key;
	uint64_t index;
};

void draw_init(struct draw *d, uint64_t seed, const char *path, const char *domain);

static inline uint32_t draw_next_below(struct draw *d, uint32_t n)
{
	return draw_below(d->key, d->index++, n);
}

static inline bool draw_next_chance(struct draw *d, uint64_t threshold)
{
	return draw_chance(d->key, d->index++, threshold);
}

#endif
