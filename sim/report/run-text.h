/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run tells at the terminal: what the users of the network felt, every queue on the way with the
 * counters of `tc -s`, devices and links, and what the reader should be warned of. Built from metric names
 * alone, so a new model shows up without a line here.
 */
#ifndef WLANQ_REPORT_RUN_TEXT_H
#define WLANQ_REPORT_RUN_TEXT_H

#include "sweep/results.h"

/* Metrics sorted by name, METRIC_ABSENT ones left out. */
struct metric_list {
	const struct result_metric *v;
	uint32_t n;
};

int64_t metric_list_find(const struct metric_list *m, const char *name);

/* Appends all of it. */
void run_text(const struct metric_list *m, GString *out);

/* One traffic a line: goodput, delays, losses. */
void run_text_traffic(const struct metric_list *m, GString *out);

/* One queue a line: packets held, sojourn, drops; and what tc counted. */
void run_text_queues(const struct metric_list *m, GString *out);

/*
 * Warnings, one a line, "" when there are none: a traffic that got nothing, a station or flow that got less
 * than a tenth of what its like got in the middle, a qdisc that packets pass on their way to mac80211's queues.
 */
void run_text_warnings(const struct metric_list *m, GString *out);

/*
 * The latency anatomy in a run's document: the share of each layer in the mean delay and in that of the
 * slowest 5 %. Nothing when the run has none.
 */
void run_text_anatomy(const json_t *run, GString *out);

#endif
