/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader wants to know of a metric besides its value: its unit, whether less of it is better, and
 * whether it belongs in a short table. All of it follows from the names that docs/cli.md fixes.
 */
#ifndef WLANQ_REPORT_METRIC_INFO_H
#define WLANQ_REPORT_METRIC_INFO_H

#include <stdbool.h>
#include <stddef.h>

enum direction { LOWER_IS_BETTER = -1, NEITHER = 0, HIGHER_IS_BETTER = 1 };

struct metric_info {
	const char *base; /* "rtt_ms"; a constant */
	const char *unit; /* "ms", "Mbit/s", "packets", "" */
	enum direction better;
	bool of_traffic; /* belongs to a traffic, which is what users feel */
};

/* What is known of a metric by its full name, "ping.rtt_ms.mean" or "ping.rtt_ms". */
struct metric_info metric_info(const char *name);

/*
 * Rank of a metric in a short table, 0 the first; -1: not there. Of each traffic come its goodput, the mean
 * and p95 of its delays, what it lost.
 */
int metric_rank(const char *name);

/* "ping.rtt_ms" of "ping.rtt_ms.mean", the name itself when it ends in no statistic. To be freed. */
char *metric_base(const char *name);

/* The statistic at the end, "mean"; NULL when there is none. */
const char *metric_stat(const char *name);

/* "ping.rtt_ms (ms)" for an axis or a column. To be freed. */
char *metric_label(const char *name);

#endif
