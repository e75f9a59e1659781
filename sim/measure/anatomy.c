// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/anatomy.h"

#include <stdlib.h>
#include <string.h>

void anatomy_init(struct anatomy *a, const char *const *names, uint32_t n)
{
	a->names = names;
	a->n = n;
}

static size_t row_bytes(const struct anatomy *a)
{
	return ANATOMY_SUB * (a->n + 1) * sizeof(uint64_t);
}

void anatomy_clear(struct anatomy *a)
{
	for (unsigned int row = 0; row < ANATOMY_ROWS; row++) {
		free(a->rows[row]);
		a->rows[row] = NULL;
	}
	a->count = 0;
}

void anatomy_reset(struct anatomy *a)
{
	for (unsigned int row = 0; row < ANATOMY_ROWS; row++)
		if (a->rows[row])
			memset(a->rows[row], 0, row_bytes(a));
	a->count = 0;
}

uint64_t *anatomy_row(struct anatomy *a, unsigned int row)
{
	if (!a->rows[row]) {
		a->rows[row] = calloc(1, row_bytes(a));
		if (!a->rows[row])
			abort();
	}
	return a->rows[row];
}

void anatomy_merge(struct anatomy *a, const struct anatomy *from)
{
	for (unsigned int row = 0; row < ANATOMY_ROWS; row++) {
		uint64_t *to = from->rows[row] ? anatomy_row(a, row) : NULL;

		for (size_t i = 0; to && i < row_bytes(a) / sizeof(*to); i++)
			to[i] += from->rows[row][i];
	}
	a->count += from->count;
}

int64_t anatomy_slowest(const struct anatomy *a, uint32_t permille, int64_t *mean)
{
	uint64_t wanted = (a->count * permille + 999) / 1000, left = wanted;
	unsigned __int128 *sums;
	int64_t total = 0;

	memset(mean, 0, a->n * sizeof(*mean));
	if (!wanted)
		return -1;
	sums = calloc(a->n, sizeof(*sums));
	if (!sums)
		abort();
	for (unsigned int row = ANATOMY_ROWS; row-- > 0;) {
		for (unsigned int sub = ANATOMY_SUB; a->rows[row] && left && sub-- > 0;) {
			const uint64_t *bucket = a->rows[row] + sub * (a->n + 1);
			uint64_t take = bucket[0] < left ? bucket[0] : left;

			for (uint32_t i = 0; take && i < a->n; i++)
				sums[i] += (unsigned __int128)bucket[1 + i] * take / bucket[0];
			left -= take;
		}
	}
	for (uint32_t i = 0; i < a->n; i++) {
		mean[i] = (int64_t)((sums[i] + wanted / 2) / wanted);
		total += mean[i];
	}
	free(sums);
	return total;
}
