/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run store: a result folder's runs/KEY.json, what came out of a run and nothing that differs between two
 * makings of it, and runs/KEY.meta.json, who made it when and how. Both are written to another name first
 * and renamed, the meta before the run: a run whose .json is there is whole.
 */
#ifndef WLANQ_SWEEP_STORE_H
#define WLANQ_SWEEP_STORE_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Of the files; an older one must stay readable. */
#define STORE_FORMAT 1

/*
 * Raised whenever the same scenario and seed give other results than before. Runs of different versions
 * are never shown together.
 */
#define RESULTS_VERSION 17

#define STORE_KEY_MAX 64

struct store {
	char *dir;
	char *runs; /* dir/runs */
};

/*
 * Opens the result folder @dir. With @create it and runs/ are made, and store_clean() is called. NULL with @error when that fails or, without @create, when there is none.
 */
struct store *store_open(const char *dir, bool create, GError **error);
void store_close(struct store *s);

/* Removes what programs of this host that are no more left half written. */
void store_clean(const struct store *s);

/*
 * A run's identity: 20 hex digits of the SHA-256 of @params (canonical JSON of what is not default), the
 * hash of the core's files and the format, then "-s" and the seed. Into @key.
 */
void store_key(char key[STORE_KEY_MAX], const char *params, const char *core_files, uint64_t seed);

/* Writes both files; @run is the text of the first. All stays the caller's. */
bool store_write(const struct store *s, const char *key, const GString *run, const json_t *meta,
		 GError **error);

/*
 * A run's document, a new reference. NULL without @error when there is none; with @error when the file is
 * cut off, is not of this key or of a format that is not known.
 */
json_t *store_read(const struct store *s, const char *key, GError **error);

/* The same without distributions, anatomy and series, which are most of it; what is wrong inside of them is not seen. */
json_t *store_read_brief(const struct store *s, const char *key, GError **error);

/* The results-version of a run's meta file, 0 when there is no such file or no number in it. */
int store_results_version(const struct store *s, const char *key);

void store_remove(const struct store *s, const char *key);

/* Keys in runs/, sorted, NULL at the end; to be freed with g_strfreev(). */
char **store_keys(const struct store *s);

/* Writes @text as @name in the folder, to another name first. */
bool store_write_text(const struct store *s, const char *name, const char *text, gssize len,
		      GError **error);

/* Who else writes summaries of this folder waits, other hosts too. Returns what store_unlock() wants. */
int store_lock(const struct store *s);
void store_unlock(int lock);

#endif
