/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value over time, such as the occupancy of a queue: an integer >= 0. Each value is weighed with the
 * nanoseconds that it stood; what stood for none counts nowhere, in min and max neither.
 */
#ifndef WLANQ_MEASURE_GAUGE_H
#define WLANQ_MEASURE_GAUGE_H

#include "engine/sim.h"
#include "measure/histogram.h"

struct gauge {
	int64_t value;
	sim_time since; /* @value stands since; SIM_TIME_MAX once the window is closed */
	struct histogram over_time; /* of values, weighed with ns */
};

/* A zeroed gauge has stood at 0 since time 0. */
void gauge_clear(struct gauge *g);

/* Forgets the past and keeps the value; closes with the value's time up to @now. */
void gauge_window_open(struct gauge *g, sim_time now);
void gauge_window_close(struct gauge *g, sim_time now);

/* The same as gauge_set() for who knows that @value is another one. The histogram comes last: nothing is kept over it. */
static inline void gauge_change(struct gauge *g, sim_time now, int64_t value)
{
	int64_t before = g->value;
	sim_time since = g->since;

	g->value = value;
	if (now <= since)
		return;
	g->since = now;
	histogram_add(&g->over_time, before, (uint64_t)(now - since));
}

/* Counts the time that the value has stood for up to @now. */
static inline void gauge_settle(struct gauge *g, sim_time now)
{
	gauge_change(g, now, g->value);
}

/* A value set anew is no change: its time is counted when it ends. */
static inline void gauge_set(struct gauge *g, sim_time now, int64_t value)
{
	if (value != g->value)
		gauge_change(g, now, value);
}

#endif
