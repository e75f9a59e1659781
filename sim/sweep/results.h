/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result folder as it is read back: sweep.json, which tells what rows there are to be, and for each row
 * its run. Several rows may share one run, when two cases come to the same parameters.
 *
 * A folder that keeps no runs/, such as a committed baseline, has its rows from summary.csv.
 */
#ifndef WLANQ_SWEEP_RESULTS_H
#define WLANQ_SWEEP_RESULTS_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "sweep/store.h"

#define MANIFEST_NAME "sweep.json"
#define SUMMARY_NAME  "summary.csv"

struct result_metric {
	const char *name;
	int64_t micro; /* 10^-6 of the printed unit */
};

struct result_row {
	uint32_t index; /* place in the plan */
	const char *kase; /* "" when the scenario has no cases */
	const char **axes; /* results.n_axes values, as written */
	uint64_t seed;
	const char *key;
	const char *status; /* "ok", "failed", "crashed", "hung", "oom"; "missing" and "corrupt" */
	const char *error; /* why not ok, NULL when not known */
	uint32_t n_metrics;
	struct result_metric *metrics; /* sorted by name */
};

struct results {
	struct store *store;
	json_t *manifest;
	const char *name, *about, *file; /* of the scenario; "" when not told */
	uint32_t n_axes, n_rows;
	const char **axes; /* paths */
	struct result_row *rows; /* in the order of summary.csv */
	GStringChunk *strings; /* every name and text above */
};

/*
 * Opens @dir. A run that cannot be read is a row with status "corrupt", one that was not made yet
 * "missing". NULL with @error when the folder is none of ours.
 */
struct results *results_open(const char *dir, GError **error);
void results_free(struct results *r);

bool row_ok(const struct result_row *row);

/* The value of a metric; false when the row does not have it. */
bool row_metric(const struct result_row *row, const char *name, int64_t *micro);

/* Index of an axis by its path, -1 when there is none. */
int results_axis(const struct results *r, const char *path);

/* All metric names of all rows, sorted; the array is to be freed, the names are not. */
GPtrArray *results_metric_names(const struct results *r);

/* summary.csv: every row that is not missing. The caller frees it. */
GString *results_csv(const struct results *r);

/* The distribution of a base name ("ping.rtt_ms"), or what came of several runs put together. */
struct values {
	uint32_t n;
	double *value; /* rising, in the printed unit */
	double *weight; /* of each value */
	double total; /* of all weights, the lost ones not among them */
	double lost;
	bool exact; /* samples, not buckets */
};

/*
 * The document of a row's run, a new reference; NULL with @error when it cannot be read, or when the folder
 * keeps no runs.
 */
json_t *results_run(const struct results *r, const struct result_row *row, GError **error);

/*
 * Adds the distribution @name of @run to @v, which starts zeroed. False when the run has none. values_sort()
 * is to follow when all are added.
 */
bool values_add(struct values *v, const json_t *run, const char *name);
void values_sort(struct values *v);
void values_clear(struct values *v);

/* Nearest-rank quantile @q of the values that came, of 0 .. 1; NAN when there are none. */
double values_quantile(const struct values *v, double q);

#endif
