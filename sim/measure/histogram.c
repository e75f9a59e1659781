// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/histogram.h"

#include <stdlib.h>
#include <string.h>

const uint8_t percentile_of[PERCENTILE_COUNT] = {50, 90, 95, 99};

/* Rows 0 and 1 hold single values, each further one twice as many a bucket. */
static unsigned int row_shift(unsigned int row)
{
	return row ? row - 1 : 0;
}

static int64_t bucket_low(unsigned int row, unsigned int sub)
{
	uint64_t first = row ? HISTOGRAM_SUB : 0;

	return (int64_t)((first + sub) << row_shift(row));
}

uint64_t *histogram_grow(struct histogram *h, unsigned int row)
{
	if (h->closed)
		return NULL;
	h->rows[row] = calloc(HISTOGRAM_SUB, sizeof(uint64_t));
	if (!h->rows[row])
		abort();
	if (!h->count) {
		h->min = INT64_MAX;
		h->max = INT64_MIN;
	}
	return h->rows[row];
}

void histogram_clear(struct histogram *h)
{
	for (unsigned int row = 0; row < HISTOGRAM_ROWS; row++)
		free(h->rows[row]);
	memset(h, 0, sizeof(*h));
	h->closed = true;
}

void histogram_reset(struct histogram *h)
{
	for (unsigned int row = 0; row < HISTOGRAM_ROWS; row++)
		if (h->rows[row])
			memset(h->rows[row], 0, HISTOGRAM_SUB * sizeof(uint64_t));
	h->count = 0;
	h->sum = 0;
	h->min = INT64_MAX;
	h->max = INT64_MIN;
}

void histogram_merge(struct histogram *h, const struct histogram *from)
{
	if (!from->count)
		return;
	for (unsigned int row = 0; row < HISTOGRAM_ROWS; row++) {
		if (!from->rows[row])
			continue;
		if (!h->rows[row] && !histogram_grow(h, row))
			return;
		for (unsigned int sub = 0; sub < HISTOGRAM_SUB; sub++)
			h->rows[row][sub] += from->rows[row][sub];
	}
	h->count += from->count;
	h->sum += from->sum;
	if (from->min < h->min)
		h->min = from->min;
	if (from->max > h->max)
		h->max = from->max;
}

static int64_t bucket_middle(const struct histogram *h, unsigned int row, unsigned int sub)
{
	int64_t middle = bucket_low(row, sub) + (((int64_t)1 << row_shift(row)) >> 1);

	if (middle < h->min)
		return h->min;
	return middle > h->max ? h->max : middle;
}

void histogram_summary(const struct histogram *h, struct summary *s)
{
	unsigned int next = 0;
	uint64_t seen = 0, rank;

	memset(s, 0, sizeof(*s));
	if (!h->count)
		return;
	s->count = h->count;
	s->sum = h->sum;
	s->min = h->min;
	s->max = h->max;
	rank = nearest_rank(h->count, percentile_of[0]);
	for (unsigned int row = 0; row < HISTOGRAM_ROWS && next < PERCENTILE_COUNT; row++) {
		if (!h->rows[row])
			continue;
		for (unsigned int sub = 0; sub < HISTOGRAM_SUB; sub++) {
			seen += h->rows[row][sub];
			while (next < PERCENTILE_COUNT && seen >= rank) {
				s->percentile[next++] = bucket_middle(h, row, sub);
				if (next < PERCENTILE_COUNT)
					rank = nearest_rank(h->count, percentile_of[next]);
			}
		}
	}
}

void histogram_each(const struct histogram *h, void (*fn)(void *arg, int64_t low, uint64_t weight),
		    void *arg)
{
	for (unsigned int row = 0; row < HISTOGRAM_ROWS; row++)
		for (unsigned int sub = 0; h->rows[row] && sub < HISTOGRAM_SUB; sub++)
			if (h->rows[row][sub])
				fn(arg, bucket_low(row, sub), h->rows[row][sub]);
}

static void count_bucket(void *arg, int64_t low, uint64_t weight)
{
	++*(uint32_t *)arg;
}

uint32_t histogram_buckets(const struct histogram *h)
{
	uint32_t n = 0;

	histogram_each(h, count_bucket, &n);
	return n;
}
