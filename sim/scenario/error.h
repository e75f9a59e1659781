/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is wrong with a scenario: a list, so that every error of a file is told at once, each as
 * "file:line:col: what was read; what is allowed; the nearest name".
 */
#ifndef WLANQ_SCENARIO_ERROR_H
#define WLANQ_SCENARIO_ERROR_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A place in a file, counted from 1. Line 0: not a line of a file; .file then says what it is
 * ("--set air.loss=2"). The string lives as long as the scenario.
 */
struct mark {
	const char *file;
	uint32_t line, col;
};

/* Where a thing was written, and where it was used when that was an alias or a merge. */
struct place {
	struct mark at;
	struct mark via; /* .file NULL: written where it is used */
};

/* More errors than this are counted, not kept. */
#define ERRORS_MAX 200

struct errors {
	GPtrArray *list; /* struct error_entry */
	uint32_t n_told; /* all that were added, repeats included */
	uint32_t n_more; /* beyond ERRORS_MAX */
	bool no_core; /* one of them: the core is not among those built */
};

struct error_entry {
	struct place place;
	char *file, *via_file; /* owned copies of the marks' names */
	char *message;
};

void errors_init(struct errors *e);
void errors_clear(struct errors *e);

/*
 * An error at @p. The same message at the same place is kept once, whatever stands before its first ": ",
 * so that ten counted nodes do not tell the one fault of their common text ten times.
 */
void errors_add(struct errors *e, struct place p, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline bool errors_any(const struct errors *e)
{
	return e->list->len > 0;
}

/* No more will be kept: the search for names can be saved. Counts one as told. */
bool errors_full(struct errors *e);

/* All errors in order of file and line, one a line; the caller frees the string. */
GString *errors_text(const struct errors *e);

/* [{"file", "line", "col", "message", "via": {"file", "line", "col"}}]; a new reference. */
json_t *errors_json(const struct errors *e);

/*
 * The name of @names (@n of them, NULL entries are skipped) nearest to @read by edit distance, NULL when
 * none is near: at most a third of the letters may differ.
 */
const char *nearest_name(const char *read, const char *const *names, uint32_t n);

/*
 * "; allowed: a, b, c; did you mean 'b'?" over @names, for the end of a message. More than 24 names are cut
 * to the nearest. The caller frees the string.
 */
char *allowed_names(const char *read, const char *const *names, uint32_t n);

#endif
