/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress of a sweep on a terminal: a bar, runs a second, time left. */
#ifndef WLANQ_SWEEP_PROGRESS_H
#define WLANQ_SWEEP_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown; /* stderr is a terminal, and nobody asked for quiet */
	const char *title;
	uint32_t total, done, failed;
	double simulated; /* seconds */
	int64_t started; /* us of the monotonic clock */
};

/* @title is kept. */
void progress_start(struct progress *p, const char *title, uint32_t total, bool quiet);
void progress_draw(const struct progress *p);

/* A line of its own, with the bar out of the way. */
void progress_message(const struct progress *p, const char *text);

/* Takes the bar away and, where it was shown, leaves one line that sums up. */
void progress_end(const struct progress *p);

/* "3 s", "2 min 10 s", "1 h 05 min" into @buf of 32. */
const char *progress_span(char buf[32], double seconds);

#endif
