/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result folder's distributions and series for other programs. */
#ifndef WLANQ_REPORT_EXPORT_H
#define WLANQ_REPORT_EXPORT_H

#include "scenario/expand.h"
#include "sweep/results.h"

/*
 * Every value of every distribution, one a line: case, seed, axes, distribution, value, weight. A sample has
 * weight 1, a bucket (its least value) the weight that fell into it; what was lost is a line without value.
 * NULL with @error when a run cannot be read or there is no value at all. The caller frees it.
 */
GString *export_csv(const struct results *r, GError **error);

/* The probes that export_flent() wants the runs to have followed, NULL at the end; g_strfreev() it. */
char **export_flent_series(const struct scenario *s);

/*
 * One row as flent keeps a run: rates of the traffics that have one, round trips of pings, at their times. A
 * new reference; NULL with @error when the run has nothing of the kind.
 */
json_t *export_flent(const struct results *r, const struct result_row *row, GError **error);

/* "NAME-case-axis=value-s1.flent.gz". To be freed. */
char *export_flent_name(const struct results *r, const struct result_row *row);

#endif
