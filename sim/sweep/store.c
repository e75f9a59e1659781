// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/decimal.h"
#include "sweep/names.h"

#define TEMP_PREFIX ".tmp-"

static bool fail_errno(GError **error, const char *what, const char *path)
{
	int e = errno;

	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(e), "%s %s: %s", what, path,
		    g_strerror(e));
	return false;
}

/* ".tmp-HOST.PID-": of a temporary file, so that the next program on this host knows whether its maker lives. */
static char *temp_prefix(void)
{
	return g_strdup_printf(TEMP_PREFIX "%s.", g_get_host_name());
}

/* Does the process still run? One that is dead and not yet waited for does not. */
static bool process_runs(pid_t pid)
{
	char path[64], state = '?';
	char *stat = NULL, *name_end;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return false;
	g_snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (g_file_get_contents(path, &stat, NULL, NULL)) {
		/* "PID (NAME) STATE ...", where NAME may hold anything. */
		name_end = strrchr(stat, ')');
		if (name_end && name_end[1] == ' ')
			state = name_end[2];
		g_free(stat);
	}
	return state != 'Z' && state != 'X';
}

static void clean_folder(const char *path, const char *prefix)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *file;
		pid_t pid;

		if (!g_str_has_prefix(name, prefix))
			continue;
		pid = (pid_t)strtol(name + strlen(prefix), NULL, 10);
		if (pid <= 0 || process_runs(pid))
			continue;
		file = g_build_filename(path, name, NULL);
		g_unlink(file);
		g_free(file);
	}
	if (dir)
		g_dir_close(dir);
}

void store_clean(const struct store *s)
{
	char *prefix = temp_prefix();

	clean_folder(s->dir, prefix);
	clean_folder(s->runs, prefix);
	g_free(prefix);
}

struct store *store_open(const char *dir, bool create, GError **error)
{
	struct store *s = g_new0(struct store, 1);

	s->dir = g_strdup(dir);
	s->runs = g_build_filename(dir, "runs", NULL);
	if (create) {
		if (g_mkdir_with_parents(s->runs, 0777) < 0) {
			fail_errno(error, "cannot make", s->runs);
			g_clear_pointer(&s, store_close);
			return NULL;
		}
		store_clean(s);
		return s;
	}
	if (!g_file_test(dir, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "no result folder %s", dir);
		g_clear_pointer(&s, store_close);
	}
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	g_free(s->dir);
	g_free(s->runs);
	g_free(s);
}

void store_key(char key[STORE_KEY_MAX], const char *params, const char *core_files, uint64_t seed)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char format[16];

	g_snprintf(format, sizeof(format), "\n%d", STORE_FORMAT);
	g_checksum_update(sum, (const guchar *)params, -1);
	g_checksum_update(sum, (const guchar *)"\n", 1);
	g_checksum_update(sum, (const guchar *)core_files, -1);
	g_checksum_update(sum, (const guchar *)format, -1);
	g_snprintf(key, STORE_KEY_MAX, "%.20s-s%" G_GUINT64_FORMAT, g_checksum_get_string(sum),
		   seed);
	g_checksum_free(sum);
}

static bool write_whole(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		len -= (size_t)n;
	}
	return true;
}

/* Writes @folder/@name by way of another name. */
static bool write_renamed(const char *folder, const char *name, const char *text, size_t len,
			  GError **error)
{
	char *prefix = temp_prefix();
	char *temp = g_strdup_printf("%s/%s%d-%s", folder, prefix, (int)getpid(), name);
	char *path = g_build_filename(folder, name, NULL);
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && write_whole(fd, text, len);

	if (fd >= 0 && close(fd) < 0)
		ok = false;
	if (ok && rename(temp, path) < 0)
		ok = false;
	if (!ok) {
		fail_errno(error, "cannot write", path);
		g_unlink(temp);
	}
	g_free(prefix);
	g_free(temp);
	g_free(path);
	return ok;
}

static bool write_json(const char *folder, const char *name, const json_t *doc, GError **error)
{
	char *text = json_dumps(doc, RESULT_JSON | JSON_COMPACT);
	bool ok;

	if (!text) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "cannot write %s: not JSON",
			    name);
		return false;
	}
	ok = write_renamed(folder, name, text, strlen(text), error);
	free(text);
	return ok;
}

bool store_write(const struct store *s, const char *key, const GString *run, const json_t *meta,
		 GError **error)
{
	char run_name[STORE_KEY_MAX + 16], meta_name[STORE_KEY_MAX + 16];

	g_snprintf(run_name, sizeof(run_name), "%s.json", key);
	g_snprintf(meta_name, sizeof(meta_name), "%s.meta.json", key);
	return write_json(s->runs, meta_name, meta, error) &&
	       write_renamed(s->runs, run_name, run->str, run->len, error);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Members of a run that are most of its text, and that rows of a table do without. */
static const char *const bulky[] = {"distributions", "anatomy", "series"};

/* Behind the string that begins at @at; NULL: the text ends before. */
static char *skip_string(char *at, const char *end)
{
	while (++at < end && *at != '"')
		at += *at == '\\';
	return at < end ? at + 1 : NULL;
}

/* Behind the value that begins at @at: its comma, or the bracket of what it stands in. */
static char *skip_value(char *at, const char *end)
{
	uint32_t depth = 0;

	while (at && at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
			continue;
		}
		if (!depth && (*at == ',' || *at == '}' || *at == ']'))
			return at;
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	}
	return NULL;
}

static bool is_bulky(const char *name, size_t len)
{
	for (size_t i = 0; i < G_N_ELEMENTS(bulky); i++)
		if (strlen(bulky[i]) == len && !memcmp(bulky[i], name, len))
			return true;
	return false;
}

/*
 * Takes the bulky members out of a run's compact text: a parser would take ten times as long for them as for the rest.
 * Returns the length that is left, @len with the text as it was when it is not as record_text() writes it.
 */
static size_t cut_bulky(char *text, size_t len)
{
	struct {
		char *from, *to; /* with the comma before */
	} cut[G_N_ELEMENTS(bulky)];
	char *end = text + len, *at = text, *name, *value, *to;
	uint32_t n = 0;

	if (!len || *at != '{')
		return len;
	do {
		name = at + 1;
		if (name >= end || *name != '"')
			return len;
		value = skip_string(name, end);
		if (!value || value >= end || *value != ':')
			return len;
		to = skip_value(value + 1, end);
		if (!to || *to == ']')
			return len;
		if (*at == ',' && n < G_N_ELEMENTS(bulky) &&
		    is_bulky(name + 1, (size_t)(value - name) - 2)) {
			cut[n].from = at;
			cut[n++].to = to;
		}
		at = to;
	} while (*at == ',');
	/* what lies between the cuts moves up, and what is behind the last */
	to = n ? cut[0].from : end;
	for (uint32_t i = 0; i < n; i++) {
		size_t rest = (size_t)((i + 1 < n ? cut[i + 1].from : end) - cut[i].to);

		memmove(to, cut[i].to, rest);
		to += rest;
	}
	return (size_t)(to - text);
}

static json_t *read_json(const char *path, bool brief, GError **error)
{
	json_error_t where;
	GError *why = NULL;
	gsize len;
	json_t *doc;
	char *text;

	if (!g_file_get_contents(path, &text, &len, &why)) {
		if (g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
			g_error_free(why);
		else
			g_propagate_error(error, why);
		return NULL;
	}
	if (brief)
		len = cut_bulky(text, len);
	doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
	g_free(text);
	if (!doc)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%d: %s", path, where.line,
			    where.text);
	return doc;
}

static json_t *read_run(const struct store *s, const char *key, bool brief, GError **error)
{
	char *path = g_strdup_printf("%s/%s.json", s->runs, key);
	json_t *doc = read_json(path, brief, error);
	const char *why = NULL;

	if (doc) {
		if (!json_is_object(doc) || json_integer_value(json_object_get(doc, "format")) < 1)
			why = "not a run";
		else if (json_integer_value(json_object_get(doc, "format")) > STORE_FORMAT)
			why = "of a later format than this program knows";
		else if (g_strcmp0(json_string_value(json_object_get(doc, "key")), key))
			why = "the run of another key";
		else if (!json_is_string(json_object_get(doc, "status")))
			why = "without a status";
	}
	if (why) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is %s", path, why);
		json_decref(doc);
		doc = NULL;
	}
	g_free(path);
	return doc;
}

json_t *store_read(const struct store *s, const char *key, GError **error)
{
	return read_run(s, key, false, error);
}

json_t *store_read_brief(const struct store *s, const char *key, GError **error)
{
	return read_run(s, key, true, error);
}

int store_results_version(const struct store *s, const char *key)
{
	char *path = g_strdup_printf("%s/%s.meta.json", s->runs, key);
	json_t *meta = read_json(path, false, NULL);
	int version = (int)json_integer_value(json_object_get(meta, "results-version"));

	json_decref(meta);
	g_free(path);
	return version;
}

void store_remove(const struct store *s, const char *key)
{
	static const char *const ends[] = {".json", ".meta.json"};

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *path = g_strdup_printf("%s/%s%s", s->runs, key, ends[i]);

		g_unlink(path);
		g_free(path);
	}
}

char **store_keys(const struct store *s)
{
	GPtrArray *keys = g_ptr_array_new();
	GDir *dir = g_dir_open(s->runs, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (name[0] != '.' && g_str_has_suffix(name, ".json") &&
		    !g_str_has_suffix(name, ".meta.json"))
			g_ptr_array_add(keys, g_strndup(name, strlen(name) - strlen(".json")));
	}
	if (dir)
		g_dir_close(dir);
	names_sort(keys);
	g_ptr_array_add(keys, NULL);
	return (char **)g_ptr_array_free(keys, FALSE);
}

bool store_write_text(const struct store *s, const char *name, const char *text, gssize len,
		      GError **error)
{
	return write_renamed(s->dir, name, text, len < 0 ? strlen(text) : (size_t)len, error);
}

int store_lock(const struct store *s)
{
	char *path = g_build_filename(s->dir, ".lock", NULL);
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	g_free(path);
	/* Where the file system has no locks the last writer wins, as it would without them. */
	while (fd >= 0 && fcntl(fd, F_SETLKW, &whole) < 0 && errno == EINTR)
		;
	return fd;
}

void store_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}
