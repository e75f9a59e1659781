/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency anatomy: of what parts is a delay made, in the mean and in the slowest packets? Each bucket
 * of a delay histogram keeps the sums of the parts, so that no packet need be stored. Buckets are
 * log-linear, 8 an octave; where the slowest part begins inside a bucket, that bucket counts with the
 * fraction that it takes to fill it up.
 */
#ifndef WLANQ_MEASURE_ANATOMY_H
#define WLANQ_MEASURE_ANATOMY_H

#include <stdint.h>

#define ANATOMY_SUB_BITS 3
#define ANATOMY_SUB	 (1u << ANATOMY_SUB_BITS)
#define ANATOMY_ROWS	 (64 - ANATOMY_SUB_BITS + 1)

struct anatomy {
	const char *const *names; /* of the parts */
	uint32_t n; /* parts */
	uint64_t count;
	uint64_t *rows[ANATOMY_ROWS]; /* a bucket is a count and @n sums in ns */
};

/* @a is zeroed; @names is kept. */
void anatomy_init(struct anatomy *a, const char *const *names, uint32_t n);
void anatomy_clear(struct anatomy *a); /* frees; names and n stay */
void anatomy_reset(struct anatomy *a); /* empties and keeps the memory */

/* The row of buckets, made when it is first used. */
uint64_t *anatomy_row(struct anatomy *a, unsigned int row);

/* Two sums at a time, of no more than a word's alignment. */
typedef uint64_t anatomy_pair __attribute__((vector_size(16), aligned(8), may_alias));

/*
 * A packet arrived that spent @parts[i] >= 0 ns in part i, and @more ns in part @last besides; @delay is the sum, which the
 * caller knows. @n: as a->n, for who has it as a constant.
 */
static inline __attribute__((always_inline)) void anatomy_add_last(struct anatomy *a, uint32_t n,
								   const int64_t *parts,
								   uint32_t last, int64_t more,
								   uint64_t delay)
{
	uint64_t *bucket;
	unsigned int row, sub;
	uint32_t i;

	row = 64 - ANATOMY_SUB_BITS - (unsigned int)__builtin_clzll(delay | (ANATOMY_SUB - 1));
	sub = delay >> (row - (row != 0)) & (ANATOMY_SUB - 1);
	bucket = a->rows[row];
	if (__builtin_expect(!bucket, 0))
		bucket = anatomy_row(a, row);
	bucket += sub * (n + 1);
	a->count++;
	*bucket++ += 1;
	bucket[last] += (uint64_t)more;
	/* Most parts are 0. To find out which are costs more than to add them. */
#pragma GCC unroll 8
	for (i = 0; i + 1 < n; i += 2)
		*(anatomy_pair *)&bucket[i] += *(const anatomy_pair *)&parts[i];
	if (i < n)
		bucket[i] += (uint64_t)parts[i];
}

static inline void anatomy_add(struct anatomy *a, const int64_t *parts)
{
	uint64_t delay = 0;

	for (uint32_t i = 0; i < a->n; i++)
		delay += (uint64_t)parts[i];
	anatomy_add_last(a, a->n, parts, 0, 0, delay);
}

/* Adds all packets of @from, which has the same parts. */
void anatomy_merge(struct anatomy *a, const struct anatomy *from);

/*
 * Mean ns of each part over the slowest @permille of all packets (1000: all), into @mean[0 .. n-1].
 * Returns their sum, the mean delay of those packets; -1 when no packet arrived.
 */
int64_t anatomy_slowest(const struct anatomy *a, uint32_t permille, int64_t *mean);

#endif
