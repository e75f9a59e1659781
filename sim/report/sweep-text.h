/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep tells at the terminal: one line for each combination of case and axes. */
#ifndef WLANQ_REPORT_SWEEP_TEXT_H
#define WLANQ_REPORT_SWEEP_TEXT_H

#include "report/table.h"
#include "sweep/results.h"

/*
 * Means over the seeds, with half of their 95 % interval where there are several. At most @width metrics,
 * those of least rank (metric_rank()); *@more tells how many that leaves out. The caller frees the table.
 */
struct table *sweep_table(const struct results *r, uint32_t width, uint32_t *more);

/* The table, failures with their causes, warnings of starvation. */
void sweep_text(const struct results *r, GString *out);

/* Rows that are not ok, one a line, at most @max of them. */
void sweep_text_failures(const struct results *r, uint32_t max, GString *out);

#endif
