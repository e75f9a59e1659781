/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of results, integers in units of 10^-6, in tables, CSV and JSON: without a locale, and without
 * rounding that differs between machines. measure/micro.h has the plain form.
 */
#ifndef WLANQ_SWEEP_DECIMAL_H
#define WLANQ_SWEEP_DECIMAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/micro.h"

/* micro_format() with at most @places decimals, 0 .. 6, rounded half away from zero. Returns @buf. */
const char *decimal_round(char buf[MICRO_TEXT], int64_t micro, int places);

/* The same with @digits significant digits, all of the whole part kept: "3646", "25.64", "0.1235" at 4. */
const char *decimal_short(char buf[MICRO_TEXT], int64_t micro, int digits);

/* The whole of @text as a decimal; further digits than six are cut. False when it is none or too large. */
bool decimal_parse(const char *text, int64_t *micro);

/* The nearest; METRIC_ABSENT when @v is not finite or too large. */
int64_t decimal_from_double(double v);

/* A JSON integer when whole, else a real that prints as the same decimal with RESULT_JSON. */
json_t *decimal_json(int64_t micro);
bool decimal_from_json(const json_t *value, int64_t *micro);

/* How JSON is written: in order of insertion, reals as the decimals that they were. */
#define RESULT_JSON (JSON_REAL_PRECISION(15) | JSON_ENSURE_ASCII)

#endif
