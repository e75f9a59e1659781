/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is NEW better or worse than BASE? Runs are paired by case, axes and seed: with counter-based draws a pair
 * has the same luck, so the differences are the change's own. Of a real run, which has no pair, the
 * means are compared with their own errors.
 *
 * A verdict is by the 95 % interval of the difference and a margin that matters to nobody:
 *   same       the whole interval lies within the margin
 *   better     the mean lies beyond the margin on the good side, and the interval leaves 0 out
 *   worse      the same on the bad side, and significant at 5 % after Holm's correction for the number of
 *              metrics looked at
 *   undecided  none of these: more seeds would tell
 */
#ifndef WLANQ_REPORT_COMPARE_H
#define WLANQ_REPORT_COMPARE_H

#include <glib.h>
#include <jansson.h>

#include "report/flent.h"
#include "report/stats.h"
#include "sweep/results.h"

enum verdict { VERDICT_SAME, VERDICT_BETTER, VERDICT_WORSE, VERDICT_UNDECIDED };

const char *verdict_name(enum verdict v);

struct compare_options {
	double margin; /* share of BASE's mean that does not matter; < 0: the default */
	const char *
		metrics; /* glob of the metrics to judge; NULL: goodput, delays and losses of traffics */
};

#define COMPARE_MARGIN 0.01
/* Real air and a model of it: the bands within which simulators are taken to reproduce a measurement. */
#define COMPARE_MARGIN_REAL_RATE  0.10
#define COMPARE_MARGIN_REAL_DELAY 0.25

struct compare_line {
	char *group; /* case and axes */
	char *metric;
	double base, change; /* means */
	struct interval diff; /* NEW - BASE */
	enum verdict verdict;
};

struct comparison {
	GPtrArray *lines; /* struct compare_line */
	uint32_t n_pairs, n_unpaired; /* rows */
	uint32_t n_broken; /* pairs that ran in BASE and not in NEW */
	enum verdict verdict; /* of all: worse, else undecided, else better, else same */
};

/* NULL with @error when the folders have no row in common. */
struct comparison *compare_results(const struct results *base, const struct results *new,
				   const struct compare_options *opt, GError **error);

/* A real run as BASE: its pings against the folder's rtt_ms, its TCP rate against goodput. */
struct comparison *compare_flent(const struct flent *base, const struct results *new,
				 const struct compare_options *opt, GError **error);

void comparison_free(struct comparison *c);

/* The table and the line below it. */
void comparison_text(const struct comparison *c, GString *out);
json_t *comparison_json(const struct comparison *c);

/* Sets .verdict of every line and of all, from the intervals. @margin as in the options; for the test. */
void comparison_judge(struct comparison *c, const struct compare_options *opt, bool real);

#endif
