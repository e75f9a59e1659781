/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples that are kept one by one, as the round trips of a ping: exact percentiles, and a plot that
 * shows the lost ones.
 */
#ifndef WLANQ_MEASURE_SAMPLES_H
#define WLANQ_MEASURE_SAMPLES_H

#include "engine/sim.h"
#include "measure/summary.h"

struct sample {
	sim_time at; /* when it was taken */
	int64_t value;
};

struct samples {
	struct sample *v; /* in the order in which they were taken */
	uint32_t n, max;
	uint64_t lost; /* that never came; they are in no percentile */
};

/* A zeroed struct is an empty one. */
void samples_clear(struct samples *s); /* empties and frees */
void samples_reset(struct samples *s); /* empties and keeps the memory, lost is 0 */
void samples_add(struct samples *s, sim_time now, int64_t value);

/* Adds those of @from; samples_sort() then brings all into the order of time, equal times as they were added. */
void samples_merge(struct samples *s, const struct samples *from);
void samples_sort(struct samples *s);

/* Jain's index of fairness, (sum x)^2 / (n sum x^2), in 10^-6; METRIC_ABSENT without samples, or if all are 0. */
int64_t samples_jain(const struct samples *s);

/*
 * mdev is ping's: the root of the mean of the squares less the square of the mean, here in whole base
 * units, rounded down (iputils, ping_common.c: finish()).
 */
void samples_summary(const struct samples *s, struct summary *out);

#endif
