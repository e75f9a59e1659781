/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text: columns as wide as their content, numbers to the right. Printed plain or as HTML. */
#ifndef WLANQ_REPORT_TABLE_H
#define WLANQ_REPORT_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct table;

struct table *table_new(void);
void table_free(struct table *t);

/* Before the first cell. @right: its cells end at one line. */
void table_column(struct table *t, const char *name, bool right);

/* The next cell of the row under way; a row ends by itself when every column has one. */
void table_cell(struct table *t, const char *text);
void table_cellf(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* @micro with @digits significant digits; METRIC_ABSENT is "-". */
void table_number(struct table *t, int64_t micro, int digits);

/* Appends the table, each line after @indent, columns two blanks apart. */
void table_text(const struct table *t, const char *indent, GString *out);
void table_html(const struct table *t, GString *out);

/* Appends @text with the characters that HTML reserves escaped. */
void html_escape(GString *out, const char *text);

#endif
