/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `wlanq plot` draws: distributions as CDFs, and values over time. */
#ifndef WLANQ_REPORT_PLOT_H
#define WLANQ_REPORT_PLOT_H

#include "report/flent.h"
#include "report/picture.h"
#include "sweep/results.h"

struct plot_request {
	bool series; /* over time; else a CDF */
	const char *metric; /* base name of a distribution, or of a probe for a series */
	const char *by; /* what the curves differ by; NULL: case and axes */
	const char *title; /* NULL: the scenario's name */
	char **only; /* patterns with * and ? of the curves' labels; NULL: all */
	const struct flent *with; /* a real run to draw beside; NULL: none */
};

/*
 * Draws @q into @file. Samples that were lost keep a CDF below 1. Rows that are not ok are left out;
 * *@left_out tells how many. False with @error when there is nothing to draw.
 */
bool plot_draw(const struct results *r, const struct plot_request *q, const char *file,
	       uint32_t *left_out, GError **error);

/*
 * The plots that the scenario declared, else a CDF of the delay of each traffic. An array of struct
 * plot_request whose names are the results'; to be freed.
 */
GArray *plot_declared(const struct results *r);

/* "cdf-ping.rtt_ms-by-ring": a file name without its end. To be freed. */
char *plot_name(const struct plot_request *q);

#endif
