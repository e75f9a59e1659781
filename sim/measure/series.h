/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A probe over time. Nothing is scheduled for it: the run is made in steps, and after each the probe is
 * looked at. What a value means follows from the probe's shape:
 *
 *   gauge, queue (NAME.packets, NAME.bytes)   what it holds at the end of the step
 *   counter                                    what it counted in the step
 *   histogram, queue (NAME.sojourn_ms)         mean of what came in the step; no value when nothing did
 *   samples                                    each of them at its own time
 *   X.goodput_mbit                             rate in the step, where X counts received_bytes
 */
#ifndef WLANQ_MEASURE_SERIES_H
#define WLANQ_MEASURE_SERIES_H

#include "engine/sim.h"

struct series_point {
	sim_time at;
	int64_t micro; /* 10^-6 of the printed unit */
};

struct series;

/*
 * The series of @name from now on; NULL when no probe of the run has that name, or one that has no values
 * over time. The window is open, so nothing is forgotten while it runs.
 */
struct series *series_new(struct sim *sim, const char *name);
void series_free(struct series *s);

/* A step has ended at sim->now. */
void series_step(struct series *s);

/* The points, in order of time; valid until the next call. */
const struct series_point *series_points(struct series *s, uint32_t *n);

#endif
