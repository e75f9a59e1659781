/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics are integers in 10^-6 of the printed unit: sums of integers, divided once. So they are the
 * same on every machine and compiler.
 */
#ifndef WLANQ_MEASURE_MICRO_H
#define WLANQ_MEASURE_MICRO_H

#include <stddef.h>
#include <stdint.h>

#define MICRO 1000000

/* Long enough for what micro_format() writes, the end included. */
#define MICRO_TEXT 24

/*
 * 10^6 @num / @den, rounded half away from zero; METRIC_ABSENT when @den is 0. |@num| below 2^106.
 * A quotient that does not fit becomes the largest that does.
 */
int64_t micro_ratio(__int128 num, __int128 den);

/* Decimals without trailing zeros: 25600000 is "25.6"; METRIC_ABSENT is "". Returns @buf. */
char *micro_format(char buf[MICRO_TEXT], int64_t micro);

#endif
