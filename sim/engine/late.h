/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How late a computer is. A timer's function runs some time after the timer is due, and a process after it was woken:
 * most by about a median, with a tail, drawn from a log-logistic distribution, P(late < x) = 1 / (1 + (x / median)^-2.4).
 * Besides there may be one stall in each interval, at a random time in it and of exponential length, in which nothing
 * runs: a process waits while others have the processor for their slices.
 *
 * The exponent is that of a tbf's watchdog on Linux 6.18 in a virtual machine: 2.5 medians at 90 %, 7 at 99 %.
 */
#ifndef WLANQ_ENGINE_LATE_H
#define WLANQ_ENGINE_LATE_H

#include "engine/draw.h"
#include "engine/sim.h"

#define LATE_STEPS 256u

struct late_table {
	/* in 1/256 of the median: at 256 steps of probability, and at 256 steps of the last of these */
	uint32_t factor[2 * LATE_STEPS];
	uint32_t stall_factor[LATE_STEPS]; /* in 1/256 of the mean */
};

struct late {
	sim_time median; /* ns, 0: never late */
	sim_time stall_interval, stall_mean; /* ns, stall_mean 0: no stalls */
	uint64_t key; /* of the stalls */
	struct late_table *table; /* NULL: never late */
};

/* @median, @stall_interval, @stall_mean in ns; @path: of the computer, for its draws. late_clear() frees what it takes. */
void late_init(struct late *l, sim_time median, sim_time stall_interval, sim_time stall_mean,
	       uint64_t seed, const char *path);

void late_clear(struct late *l);

/* When what is due at @due does run; @d: the draws of its owner. */
sim_time late_time(const struct late *l, struct draw *d, sim_time due);

static inline bool late_ever(const struct late *l)
{
	return l->median || l->stall_mean;
}

#endif
