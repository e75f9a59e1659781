/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics by name. Names begin alike for dozens of bytes, so they are compared in words and each common beginning once;
 * and stations measure the same things, so the order found for the one is tried for the next.
 */
#ifndef WLANQ_MEASURE_METRIC_SORT_H
#define WLANQ_MEASURE_METRIC_SORT_H

#include "measure/metrics.h"

/* Sorts by name, byte by byte; those of one name stay in their order. Returns whether there are none of one name. */
bool metric_sort(struct metric *v, uint32_t n);

#endif
