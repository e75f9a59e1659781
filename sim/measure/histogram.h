/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log-linear histogram of integers >= 0 with weights. An octave has 64 buckets, values below 128 are
 * exact: whatever value of a bucket stands for it, the relative error is below 1/64. Rows of buckets
 * are allocated when an octave is first met.
 */
#ifndef WLANQ_MEASURE_HISTOGRAM_H
#define WLANQ_MEASURE_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/summary.h"

#define HISTOGRAM_SUB_BITS 6
#define HISTOGRAM_SUB	   (1u << HISTOGRAM_SUB_BITS)
/* One for values below 64, then one an octave; the last catches what should be impossible, < 0. */
#define HISTOGRAM_ROWS (64 - HISTOGRAM_SUB_BITS + 1)

struct histogram {
	/*
	 * Of values from HISTOGRAM_SUB on, exact. Those below have a bucket each, which tells all this when it is asked
	 * for; so do all buckets of the count.
	 */
	__int128 sum; /* of value times weight */
	uint64_t min; /* 0: there is none */
	uint64_t span; /* max - min: one comparison tells a new extreme */
	uint64_t has_rows; /* a bit for each that is there */
	bool closed; /* was cleared: takes nothing more */
	uint64_t *rows[HISTOGRAM_ROWS];
};

_Static_assert(HISTOGRAM_ROWS <= 64, "a row has a bit in has_rows");

/* What all values come to. */
struct histogram_totals {
	uint64_t count; /* all weight */
	int64_t min, max; /* 0 while count is 0; min < 0 when a value was */
	__int128 sum; /* of value times weight */
};

/* A zeroed histogram is an empty one. */
/*
 * Empties and frees. What is added later is forgotten: models give their packets back after the probes
 * have been cleared.
 */
void histogram_clear(struct histogram *h);
void histogram_reset(struct histogram *h); /* empties and keeps the memory */

/* Adds all that @from counts. */
void histogram_merge(struct histogram *h, const struct histogram *from);

void histogram_total(const struct histogram *h, struct histogram_totals *t);

/* min, max and sum are exact; a percentile is the middle of its bucket, kept within min and max. */
void histogram_summary(const struct histogram *h, struct summary *s);

/* Calls @fn for every bucket with weight, from the least: its least value and its weight. */
void histogram_each(const struct histogram *h, void (*fn)(void *arg, int64_t low, uint64_t weight),
		    void *arg);

/* Buckets with weight. */
uint32_t histogram_buckets(const struct histogram *h);

/*
 * histogram_add() of the first value of a row and of a new least one. Apart, and the last thing that it does, so that
 * what is added every time saves no registers.
 */
void histogram_add_first(struct histogram *h, uint64_t value, uint64_t weight);

/* @value >= 0 */
static inline void histogram_add(struct histogram *h, int64_t value, uint64_t weight)
{
	uint64_t v = (uint64_t)value, above, *buckets;
	unsigned int octave;

	if (v < HISTOGRAM_SUB) {
		buckets = h->rows[0];
		if (__builtin_expect(buckets != NULL, 1))
			buckets[v] += weight;
		else
			histogram_add_first(h, v, weight);
		return;
	}
	octave = 63 ^ (unsigned int)__builtin_clzll(v);
	buckets = h->rows[octave - (HISTOGRAM_SUB_BITS - 1)];
	above = v - h->min;
	if (__builtin_expect(!buckets, 0)) {
		histogram_add_first(h, v, weight);
		return;
	}
	if (__builtin_expect(above > h->span, 0)) {
		if (v < h->min || !h->min) {
			histogram_add_first(h, v, weight);
			return;
		}
		h->span = above;
	}
	buckets[v >> (octave - HISTOGRAM_SUB_BITS) & (HISTOGRAM_SUB - 1)] += weight;
	h->sum += (__int128)((unsigned __int128)v * weight);
}

/* Adds @n values of weight 1. */
void histogram_add_all(struct histogram *h, const int64_t *values, uint32_t n);

#endif
