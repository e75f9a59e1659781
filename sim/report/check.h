/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `wlanq check` of one scenario: makes the runs that its expectations and its baseline need, all of them anew,
 * and judges. Runs that only an expectation with a window needs measure that window.
 */
#ifndef WLANQ_REPORT_CHECK_H
#define WLANQ_REPORT_CHECK_H

#include "report/compare.h"
#include "report/verify.h"
#include "sweep/sweep.h"

struct check_options {
	const char *
		keep_dir; /* keep the runs in keep_dir/NAME and use what is there; NULL: a temporary folder */
	const char
		*baseline_dir; /* baseline_dir/NAME is compared with where it exists; NULL: none */
	struct sweep_options sweep; /* .dir, .combos, .from, .to, shards and limits are set here */
};

struct check {
	const struct scenario *scenario;
	struct expansion *x;
	GPtrArray *lines; /* struct verify_line */
	struct comparison *baseline; /* NULL: there is none */
	GString *failures; /* runs that did not end well, one a line */
	uint32_t passed, failed; /* expectations */
	uint32_t worse; /* 1 when worse than the baseline */
	uint32_t runs, failed_runs;
	double seconds, simulated;
	int stopped_by; /* signal; then nothing is judged */
};

/* NULL with @errors (the scenario's) or @error (the folder's) when it cannot be done. */
struct check *check_run(const struct scenario *s, const struct check_options *opt,
			struct errors *errors, GError **error);
void check_free(struct check *c);

GString *check_text(const struct check *c);
json_t *check_json(const struct check *c);

#endif
