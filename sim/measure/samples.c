// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/samples.h"

#include <stdlib.h>
#include <string.h>

#include "measure/micro.h"

void samples_clear(struct samples *s)
{
	free(s->v);
	memset(s, 0, sizeof(*s));
}

void samples_reset(struct samples *s)
{
	s->n = 0;
	s->lost = 0;
}

void samples_add(struct samples *s, sim_time now, int64_t value)
{
	if (s->n == s->max) {
		s->max = s->max ? s->max * 2 : 256;
		s->v = realloc(s->v, s->max * sizeof(*s->v));
		if (!s->v)
			abort();
	}
	s->v[s->n++] = (struct sample){.at = now, .value = value};
}

void samples_merge(struct samples *s, const struct samples *from)
{
	for (uint32_t i = 0; i < from->n; i++)
		samples_add(s, from->v[i].at, from->v[i].value);
	s->lost += from->lost;
}

/* Merges sorted halves, as qsort() promises no order among equals. */
static void sort(struct sample *v, uint32_t n, struct sample *spare)
{
	uint32_t half = n / 2, left = 0, right = half;

	if (n < 2)
		return;
	sort(v, half, spare);
	sort(v + half, n - half, spare);
	for (uint32_t i = 0; i < n; i++) {
		bool first = left < half && (right == n || v[left].at <= v[right].at);

		spare[i] = first ? v[left++] : v[right++];
	}
	memcpy(v, spare, n * sizeof(*v));
}

void samples_sort(struct samples *s)
{
	struct sample *spare = malloc((s->n + 1) * sizeof(*spare));

	if (!spare)
		abort();
	sort(s->v, s->n, spare);
	free(spare);
}

/* Values are scaled down so that the squares of sums stay small enough for micro_ratio(). */
#define JAIN_BITS 38

int64_t samples_jain(const struct samples *s)
{
	__int128 sum = 0, squares = 0;
	unsigned int shift = 0;
	int64_t most = 0;

	for (uint32_t i = 0; i < s->n; i++)
		most = s->v[i].value > most ? s->v[i].value : most;
	while (most >> shift >> JAIN_BITS)
		shift++;
	for (uint32_t i = 0; i < s->n; i++) {
		int64_t x = s->v[i].value >> shift;

		sum += x;
		squares += (__int128)x * x;
	}
	return micro_ratio(sum * sum, squares * s->n);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The largest r with r * r <= x, bit by bit. */
static int64_t root(unsigned __int128 x)
{
	uint64_t r = 0;

	for (int bit = 62; bit >= 0; bit--) {
		uint64_t try = r | (uint64_t)1 << bit;

		if ((unsigned __int128)try * try <= x)
			r = try;
	}
	return (int64_t)r;
}

void samples_summary(const struct samples *s, struct summary *out)
{
	unsigned __int128 squares = 0;
	int64_t *sorted;

	memset(out, 0, sizeof(*out));
	if (!s->n)
		return;
	sorted = malloc(s->n * sizeof(*sorted));
	if (!sorted)
		abort();
	for (uint32_t i = 0; i < s->n; i++) {
		__int128 v = s->v[i].value;

		sorted[i] = s->v[i].value;
		out->sum += v;
		squares += (unsigned __int128)(v * v);
	}
	qsort(sorted, s->n, sizeof(*sorted), by_value);
	out->count = s->n;
	out->min = sorted[0];
	out->max = sorted[s->n - 1];
	for (int i = 0; i < PERCENTILE_COUNT; i++)
		out->percentile[i] = sorted[nearest_rank(s->n, percentile_of[i]) - 1];
	out->mdev = root((squares * s->n - (unsigned __int128)(out->sum * out->sum)) /
			 ((unsigned __int128)s->n * s->n));
	free(sorted);
}
