// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-files.h"

#include <string.h>

#include "cli/core-tree.h"
#include "kernel/bundle.h"
#include "sweep/folder.h"

#define SHIM   "models/kernel/shim"
#define SCRIPT SHIM "/build.sh"

/* Exit status of the script. */
enum { SCRIPT_TREE = 2, SCRIPT_COMPILE = 3, SCRIPT_MISSING = 4 };

static gboolean lay_out(const char *dir, GError **err)
{
	gboolean ok = TRUE;

	for (const struct core_file *f = core_bundle; f->path && ok; f++)
		if (f->kind == CORE_FILE_TREE)
			ok = folder_write(dir, f->path, (const char *)f->data, f->size, err);
	return ok;
}

static enum core_files_result outcome(int status, char *out, char *log, GString *told, GError **err)
{
	GError *cause = NULL;
	int code = 0;

	if (!g_spawn_check_wait_status(status, &cause)) {
		code = cause->domain == G_SPAWN_EXIT_ERROR ? cause->code : SCRIPT_COMPILE;
		g_error_free(cause);
	}
	g_strchomp(log);
	switch (code) {
	case 0:
		g_string_append(told, out);
		return CORE_FILES_BUILT;
	case SCRIPT_TREE:
		g_string_append_printf(told, "no whole files: %s\n", log);
		return CORE_FILES_NONE;
	case SCRIPT_MISSING:
		g_set_error(err, CORE_ERROR, CORE_ERROR_MACHINE,
			    "%s; --inlined builds a core without whole files", log);
		return CORE_FILES_FAILED;
	default:
		g_set_error(err, CORE_ERROR, CORE_ERROR_COMPILE, "%s", log);
		return CORE_FILES_FAILED;
	}
}

enum core_files_result core_files_build(const char *tree, const char *out, const char *cache,
					unsigned hz, GString *told, GError **err)
{
	char *script = g_build_filename(cache, SCRIPT, NULL);
	char *shim = g_build_filename(cache, SHIM, NULL);
	char *number = g_strdup_printf("%u", hz);
	char *argv[] = {"bash",	       script,	    shim,   (char *)tree,
			(char *)cache, (char *)out, number, NULL};
	char *text = NULL, *log = NULL;
	enum core_files_result r = CORE_FILES_FAILED;
	int status;

	if (lay_out(cache, err) && g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
						&text, &log, &status, err))
		r = outcome(status, text, log, told, err);
	g_free(log);
	g_free(text);
	g_free(number);
	g_free(shim);
	g_free(script);
	return r;
}
