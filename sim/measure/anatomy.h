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

/* A packet arrived that spent @parts[i] >= 0 ns in part i, and @more ns in part @last besides; the sum is its delay. */
void anatomy_add_last(struct anatomy *a, const int64_t *parts, uint32_t last, int64_t more);

static inline void anatomy_add(struct anatomy *a, const int64_t *parts)
{
	anatomy_add_last(a, parts, 0, 0);
}

/* Adds all packets of @from, which has the same parts. */
void anatomy_merge(struct anatomy *a, const struct anatomy *from);

/*
 * Mean ns of each part over the slowest @permille of all packets (1000: all), into @mean[0 .. n-1].
 * Returns their sum, the mean delay of those packets; -1 when no packet arrived.
 */
int64_t anatomy_slowest(const struct anatomy *a, uint32_t permille, int64_t *mean);

#endif
