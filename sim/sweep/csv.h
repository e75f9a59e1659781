/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comma-separated values as RFC 4180 has them, with "\n" at the end of a line. */
#ifndef WLANQ_SWEEP_CSV_H
#define WLANQ_SWEEP_CSV_H

#include <glib.h>

/* Appends @field, quoted when it must be, and @end: ',' or '\n'. */
void csv_append(GString *out, const char *field, char end);

/*
 * Reads the lines of @text: an array of GPtrArray of char *, to be freed with g_ptr_array_unref(). "\r\n"
 * ends a line as "\n" does. NULL with @error (line number in it) on a quote that is never closed or that
 * stands inside a bare field.
 */
GPtrArray *csv_parse(const char *text, GError **error);

#endif
