/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a result folder put into groups, one a curve or a line of a table: by case and axes, or by one of
 * them alone.
 */
#ifndef WLANQ_REPORT_GROUP_H
#define WLANQ_REPORT_GROUP_H

#include "sweep/results.h"

struct group {
	char *label; /* "ring8-q0", "ring = 8", "case a, ring = 8"; "" when all rows are one group */
	GPtrArray *rows; /* struct result_row, of any status, in their order */
};

struct groups {
	GPtrArray *list; /* struct group, in the order of the rows */
	char *pooled; /* what differs inside the groups besides the seed, "case, ring"; NULL: nothing */
};

/*
 * @by: an axis's path or its last part, "case", "seed"; NULL: each combination of case and axes. NULL with
 * @error, which has the nearest name, when the folder has no such key.
 */
struct groups *groups_new(const struct results *r, const char *by, GError **error);
void groups_free(struct groups *g);

/* The shortest end of an axis's path that no other axis shares, "ring". A part of the path. */
const char *axis_short(const struct results *r, uint32_t axis);

/* Values of a metric of the rows that have it, in their order. Returns how many; @out has rows->len. */
uint32_t group_values(const struct group *g, const char *metric, double *out);

/* The mean of them, rounded to 10^-6; METRIC_ABSENT when there are none. */
int64_t group_mean(const struct group *g, const char *metric);

/* Rows with status "ok". */
uint32_t group_ok(const struct group *g);

#endif
