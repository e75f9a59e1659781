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

/* Writes @folder/@name by way of another name. */
static bool write_renamed(const char *folder, const char *name, const char *text, size_t len,
			  GError **error)
{
	char *prefix = temp_prefix();
	char *temp = g_strdup_printf("%s/%s%d-%s", folder, prefix, (int)getpid(), name);
	char *path = g_build_filename(folder, name, NULL);
	FILE *f = fopen(temp, "we");
	bool ok;

	ok = f && fwrite(text, 1, len, f) == len;
	if (f && fclose(f) != 0)
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

static json_t *read_json(const char *path, GError **error)
{
	json_error_t where;
	json_t *doc;
	FILE *f = fopen(path, "re");

	if (!f) {
		if (errno != ENOENT)
			fail_errno(error, "cannot read", path);
		return NULL;
	}
	doc = json_loadf(f, JSON_REJECT_DUPLICATES, &where);
	fclose(f);
	if (!doc)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%d: %s", path, where.line,
			    where.text);
	return doc;
}

json_t *store_read(const struct store *s, const char *key, GError **error)
{
	char *path = g_strdup_printf("%s/%s.json", s->runs, key);
	json_t *doc = read_json(path, error);
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

int store_results_version(const struct store *s, const char *key)
{
	char *path = g_strdup_printf("%s/%s.meta.json", s->runs, key);
	json_t *meta = read_json(path, NULL);
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
