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

/* Rows are gone through from the least: take_row() tells the first of @rows, a bit each, and takes it out. */
static unsigned int take_row(uint64_t *rows)
{
	unsigned int row = (unsigned int)__builtin_ctzll(*rows);

	*rows &= *rows - 1;
	return row;
}

/* The new row; NULL when @h was cleared. */
static uint64_t *grow(struct histogram *h, unsigned int row)
{
	if (h->closed)
		return NULL;
	h->rows[row] = calloc(HISTOGRAM_SUB, sizeof(uint64_t));
	if (!h->rows[row])
		abort();
	h->has_rows |= 1ULL << row;
	return h->rows[row];
}

/* Of values from HISTOGRAM_SUB on; 0: none. */
static uint64_t largest(const struct histogram *h)
{
	return h->min + h->span;
}

static void widen(struct histogram *h, uint64_t min, uint64_t max)
{
	if (largest(h) > max)
		max = largest(h);
	if (h->min && h->min < min)
		min = h->min;
	h->min = min;
	h->span = max - min;
}

__attribute__((cold, noinline)) void histogram_add_first(struct histogram *h, uint64_t value,
							 uint64_t weight)
{
	unsigned int octave = 63 ^ (unsigned int)__builtin_clzll(value | 1);
	unsigned int row = value < HISTOGRAM_SUB ? 0 : octave - (HISTOGRAM_SUB_BITS - 1);

	if (!h->rows[row] && !grow(h, row))
		return;
	if (row)
		widen(h, value, value);
	histogram_add(h, (int64_t)value, weight);
}

void histogram_add_all(struct histogram *h, const int64_t *values, uint32_t n)
{
	unsigned __int128 sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t v = (uint64_t)values[i], *buckets;
		unsigned int octave = 63 ^ (unsigned int)__builtin_clzll(v | HISTOGRAM_SUB);

		buckets = h->rows[octave - (HISTOGRAM_SUB_BITS - 1)];
		if (__builtin_expect(v < HISTOGRAM_SUB || !buckets || v - h->min > h->span, 0)) {
			histogram_add(h, values[i], 1);
			continue;
		}
		buckets[v >> (octave - HISTOGRAM_SUB_BITS) & (HISTOGRAM_SUB - 1)]++;
		sum += v;
	}
	h->sum += (__int128)sum;
}

void histogram_clear(struct histogram *h)
{
	for (uint64_t rows = h->has_rows; rows;)
		free(h->rows[take_row(&rows)]);
	memset(h, 0, sizeof(*h));
	h->closed = true;
}

void histogram_reset(struct histogram *h)
{
	for (uint64_t rows = h->has_rows; rows;)
		memset(h->rows[take_row(&rows)], 0, HISTOGRAM_SUB * sizeof(uint64_t));
	h->sum = 0;
	h->min = 0;
	h->span = 0;
}

void histogram_merge(struct histogram *h, const struct histogram *from)
{
	for (uint64_t rows = from->has_rows; rows;) {
		unsigned int row = take_row(&rows);

		if (!h->rows[row] && !grow(h, row))
			return;
		for (unsigned int sub = 0; sub < HISTOGRAM_SUB; sub++)
			h->rows[row][sub] += from->rows[row][sub];
	}
	h->sum += from->sum;
	if (from->min)
		widen(h, from->min, largest(from));
}

static uint64_t row_count(const struct histogram *h, unsigned int row)
{
	uint64_t n = 0;

	for (unsigned int sub = 0; sub < HISTOGRAM_SUB; sub++)
		n += h->rows[row][sub];
	return n;
}

/* Of values below HISTOGRAM_SUB, whose weight is @single. */
static void add_single(struct histogram_totals *t, const uint64_t *weights, uint64_t single)
{
	uint64_t seen = 0;
	int64_t first = -1, last = 0;

	for (int64_t v = 0; seen < single; v++) {
		if (!weights[v])
			continue;
		seen += weights[v];
		t->sum += (__int128)v * weights[v];
		if (first < 0)
			first = v;
		last = v;
	}
	if (t->min >= 0)
		t->min = first;
	if (!t->max)
		t->max = last;
}

/* @counts: of each row that is there. */
static void total(const struct histogram *h, struct histogram_totals *t,
		  uint64_t counts[HISTOGRAM_ROWS])
{
	uint64_t count = 0;

	for (uint64_t rows = h->has_rows; rows;) {
		unsigned int row = take_row(&rows);

		counts[row] = row_count(h, row);
		count += counts[row];
	}
	*t = (struct histogram_totals){
		.count = count,
		.sum = h->sum,
		.min = (int64_t)h->min,
		.max = (int64_t)largest(h),
	};
	if (t->max < 0)
		t->min = t->max;
	if (h->rows[0] && counts[0])
		add_single(t, h->rows[0], counts[0]);
}

void histogram_total(const struct histogram *h, struct histogram_totals *t)
{
	uint64_t counts[HISTOGRAM_ROWS];

	total(h, t, counts);
}

static int64_t bucket_middle(const struct summary *s, unsigned int row, unsigned int sub)
{
	int64_t middle = bucket_low(row, sub) + (((int64_t)1 << row_shift(row)) >> 1);

	if (middle < s->min)
		return s->min;
	return middle > s->max ? s->max : middle;
}

void histogram_summary(const struct histogram *h, struct summary *s)
{
	unsigned int next = 0;
	uint64_t counts[HISTOGRAM_ROWS];
	struct histogram_totals t;
	uint64_t seen = 0, rank;

	memset(s, 0, sizeof(*s));
	total(h, &t, counts);
	if (!t.count)
		return;
	s->count = t.count;
	s->sum = t.sum;
	s->min = t.min;
	s->max = t.max;
	rank = nearest_rank(t.count, percentile_of[0]);
	for (uint64_t rows = h->has_rows; rows && next < PERCENTILE_COUNT;) {
		unsigned int row = take_row(&rows);

		if (seen + counts[row] < rank) {
			seen += counts[row];
			continue;
		}
		for (unsigned int sub = 0; sub < HISTOGRAM_SUB && next < PERCENTILE_COUNT; sub++) {
			seen += h->rows[row][sub];
			while (next < PERCENTILE_COUNT && seen >= rank) {
				s->percentile[next++] = bucket_middle(s, row, sub);
				if (next < PERCENTILE_COUNT)
					rank = nearest_rank(t.count, percentile_of[next]);
			}
		}
	}
}

void histogram_each(const struct histogram *h, void (*fn)(void *arg, int64_t low, uint64_t weight),
		    void *arg)
{
	for (uint64_t rows = h->has_rows; rows;) {
		unsigned int row = take_row(&rows);

		for (unsigned int sub = 0; sub < HISTOGRAM_SUB; sub++)
			if (h->rows[row][sub])
				fn(arg, bucket_low(row, sub), h->rows[row][sub]);
	}
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
