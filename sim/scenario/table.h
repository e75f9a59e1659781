/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PARAM_TABLE: the rows of a CSV file as the items of a list. */
#ifndef WLANQ_SCENARIO_TABLE_H
#define WLANQ_SCENARIO_TABLE_H

#include "scenario/bind.h"

#define TABLE_FILE_MAX (64u << 20) /* bytes */
#define TABLE_ROWS_MAX 1000000u

/*
 * Reads the file that @n names, relative to the file in which that was written (--set and axes: the scenario's folder),
 * and fills in @table; once for all bindings of a scenario. All faults of the file are told, each with its own line and
 * column; @table then stays empty.
 */
void bind_table(struct bind *b, const struct param *p, struct param_table *table,
		const struct node *n, struct at at);

#endif
