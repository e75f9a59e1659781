/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is told of a distribution. Percentile p is the nearest rank: the least value that at least p
 * per cent of all values (of all weight) do not exceed. All in base units.
 */
#ifndef WLANQ_MEASURE_SUMMARY_H
#define WLANQ_MEASURE_SUMMARY_H

#include <stdint.h>

enum { PERCENTILE_50, PERCENTILE_90, PERCENTILE_95, PERCENTILE_99, PERCENTILE_COUNT };

extern const uint8_t percentile_of[PERCENTILE_COUNT];

struct summary {
	uint64_t count; /* values, or their weight; 0: nothing below is defined */
	__int128 sum;
	int64_t min, max;
	int64_t percentile[PERCENTILE_COUNT];
	int64_t mdev; /* of struct samples only */
};

/* The rank from 1 of percentile @p among @count > 0: ceil(@count @p / 100). */
static inline uint64_t nearest_rank(uint64_t count, uint8_t p)
{
	return (uint64_t)(((unsigned __int128)count * p + 99) / 100);
}

#endif
