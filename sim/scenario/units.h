/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalars with units: text to int64 in the base units of engine/model.h and back, in integer arithmetic. What
 * does not fit, and what is finer than the base unit, is an error, never rounded; only a probability is
 * rounded, to the nearest 2^-32.
 */
#ifndef WLANQ_SCENARIO_UNITS_H
#define WLANQ_SCENARIO_UNITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/model.h"

/* Longest canonical text of a scalar with a unit, its NUL included. */
#define UNITS_TEXT_MAX 48

/*
 * Reads @text as a number of @type (PARAM_INT .. PARAM_DECIMAL). True: *@value is set. False: @err (may be
 * NULL) says what was read and what is allowed.
 */
bool units_parse(enum param_type type, const char *text, int64_t *value, GString *err);

/* A queue's size: a bare count of packets and, with @any, bytes or time. */
bool units_parse_queue(const char *text, bool any, struct queue_size *size, GString *err);

/* The canonical text of a value, which units_parse() reads back exactly. PARAM_UNSET gives "unset". */
void units_format(enum param_type type, int64_t value, char text[UNITS_TEXT_MAX]);
void units_format_queue(const struct queue_size *size, char text[UNITS_TEXT_MAX]);

/* "ns us ms s min"; "" for a type without unit. */
const char *units_allowed(enum param_type type);

/* "a time", "a number", for messages. */
const char *units_noun(enum param_type type);

/* The range of a type whose declaration gives none. */
void units_range(enum param_type type, int64_t *min, int64_t *max);

#endif
