/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expectations of a scenario against its runs. */
#ifndef WLANQ_REPORT_VERIFY_H
#define WLANQ_REPORT_VERIFY_H

#include "scenario/expand.h"
#include "sweep/results.h"

/* One line of the verdict: an expectation for one combination of case and axes. */
struct verify_line {
	const struct expect *expect;
	char *metric; /* "ping.rtt_ms.mean", "spread of ...", "ratio of ..." */
	char *rows; /* "ring8-q0", "ring224-q1000 / ring8-q0" */
	char *value; /* what came out */
	char *band; /* what was expected */
	char *note; /* why it could not be evaluated; NULL: it was */
	bool pass;
	int64_t micro; /* the value; METRIC_ABSENT when there is none */
	int64_t low, high; /* the band in the value's unit; EXPECT_OPEN_* */
};

/* Where the runs of an expectation are: the folder of its window. */
typedef const struct results *(*verify_results_fn)(void *arg, const struct expect *e);

/*
 * Evaluates every expectation; rows of the results stand in the order of @x's points. An array of struct
 * verify_line, in the order of the file.
 */
GPtrArray *verify_all(const struct expansion *x, verify_results_fn results, void *arg);

/* Sets needed[combo] where the expectation looks at it. */
void verify_needs(const struct expansion *x, const struct expect *e, uint8_t *needed);

/* The table, and those that failed once more with their place in the file; the latter alone. */
void verify_text(const GPtrArray *lines, GString *out);
void verify_text_failed(const GPtrArray *lines, GString *out);
json_t *verify_json(const GPtrArray *lines);
uint32_t verify_passed(const GPtrArray *lines);

#endif
