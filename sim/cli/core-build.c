// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-build.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/core-files.h"
#include "cli/core-self.h"
#include "cli/core-tree.h"
#include "sweep/folder.h"
#include "kernel/bundle.h"

/* The compiler's words that are passed on. */
#define ERROR_LINES 3

/* In the folder where it is compiled: the files of the tree, and those of this project. */
#define TREE_FOLDER "linux"
#define OUTPUT	    "core.so"

static const char *const flags[] = {
	"-std=gnu11",
	"-O2",
	"-fPIC",
	"-shared",
	"-Wl,-Bsymbolic",
	"-ftls-model=initial-exec",
	/* as the kernel and this program are compiled */
	"-fno-strict-aliasing",
	"-fwrapv",
	"-ffp-contract=off",
	/* Headers full of static functions leave some unused; what is not declared is an error. */
	"-w",
	"-Werror=implicit-function-declaration",
	"-Werror=incompatible-pointer-types",
	"-Werror=int-conversion",
	"-fdiagnostics-color=never",
	"-D_GNU_SOURCE",
	"-D__KERNEL__",
	/* the tree's own headers before those of the shim, and ours of the same name not at all */
	"-I" TREE_FOLDER "/include",
	"-Imodels/kernel/shim",
	"-Isim",
	"-Imodels",
	"models/kernel/core.c",
	TREE_FOLDER "/lib/dynamic_queue_limits.c",
	"-o",
	OUTPUT,
};

char *core_folder(void)
{
	char *program = g_file_read_link("/proc/self/exe", NULL);
	char *where = program ? g_path_get_dirname(program) : g_strdup(".");
	char *folder = g_build_filename(where, "cores", NULL);

	g_free(where);
	g_free(program);
	return folder;
}

static gboolean lay_out(const struct core_tree *t, const char *work, GError **err)
{
	char *below = g_build_filename(work, TREE_FOLDER, NULL);
	gboolean ok = TRUE;

	for (const struct core_file *f = core_bundle; f->path && ok; f++)
		if (f->kind == CORE_FILE_MODEL)
			ok = folder_write(work, f->path, (const char *)f->data, f->size, err);
	for (guint i = 0; i < t->n && ok; i++)
		ok = folder_write(below, t->files[i].path, t->files[i].data, t->files[i].size, err);
	g_free(below);
	return ok;
}

/* The lines that tell an error, at most ERROR_LINES. */
static char *first_errors(const char *log)
{
	char **lines = g_strsplit(log, "\n", -1);
	GString *out = g_string_new(NULL);
	guint n = 0, more = 0;

	for (guint i = 0; lines[i]; i++) {
		if (!strstr(lines[i], "error: ") && !strstr(lines[i], "undefined"))
			continue;
		if (n < ERROR_LINES)
			g_string_append_printf(out, "\n  %s", lines[i]);
		else
			more++;
		n++;
	}
	if (!n)
		g_string_append_printf(out, "\n  %s", log);
	if (more)
		g_string_append_printf(out, "\n  and %u more", more);
	g_strfreev(lines);
	return g_string_free(out, FALSE);
}

/* What the compiler is to be called with, CC's words first. */
static char **compiler_call(const struct core_tree *t, GError **err)
{
	const char *cc = g_getenv("CC");
	GPtrArray *argv;
	char **words;

	if (!g_shell_parse_argv(cc && *cc ? cc : "cc", NULL, &words, err))
		return NULL;
	argv = g_ptr_array_new();
	for (guint i = 0; words[i]; i++)
		g_ptr_array_add(argv, words[i]);
	g_free(words);
	g_ptr_array_add(argv, g_strdup_printf("-DWLANQ_CORE_FILES=\"%s\"", t->sha256));
	g_ptr_array_add(argv, g_strdup_printf("-DWLANQ_CORE_LAYOUT=0x%x", core_layout_hash));
	g_ptr_array_add(argv, g_strdup_printf("-DWLANQ_CORE_LINUX=\"%s\"", t->version));
	for (guint i = 0; i < G_N_ELEMENTS(flags); i++)
		g_ptr_array_add(argv, g_strdup(flags[i]));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

static gboolean compile(const struct core_tree *t, const char *work, GError **err)
{
	char **argv = compiler_call(t, err), *log = NULL, *errors;
	char **env = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	GError *cause = NULL;
	gboolean ok = FALSE;
	int status = 0;

	if (!argv) {
		g_strfreev(env);
		return FALSE;
	}
	if (!g_spawn_sync(work, argv, env, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &log, &status,
			  &cause)) {
		g_set_error(err, CORE_ERROR, CORE_ERROR_TOOL,
			    "a C compiler is needed (CC, or cc): %s", cause->message);
		g_error_free(cause);
	} else if (!g_spawn_check_wait_status(status, NULL)) {
		errors = first_errors(log);
		g_set_error(err, CORE_ERROR, CORE_ERROR_COMPILE,
			    "%s: Linux %s does not compile as a core, its API is another one:%s",
			    t->path, t->version, errors);
		g_free(errors);
	} else {
		ok = TRUE;
	}
	g_free(log);
	g_strfreev(env);
	g_strfreev(argv);
	return ok;
}

/* The bytes of @from, under a name that appears when they are all there. */
static gboolean put_in_place(const char *from, const char *to, GError **err)
{
	char *folder = g_path_get_dirname(to), *data = NULL;
	gboolean ok;
	gsize size;

	if (g_mkdir_with_parents(folder, 0777)) {
		g_set_error(err, G_FILE_ERROR, (int)g_file_error_from_errno(errno), "%s: %s",
			    folder, g_strerror(errno));
		ok = FALSE;
	} else {
		ok = g_file_get_contents(from, &data, &size, err) &&
		     g_file_set_contents_full(to, data, (gssize)size,
					      G_FILE_SET_CONTENTS_CONSISTENT, 0777, err);
	}
	g_free(data);
	g_free(folder);
	return ok;
}

/* The folder @from in the place of @to; without @from none is left there. */
static gboolean move_folder(const char *from, const char *to, GError **err)
{
	folder_remove(to);
	if (!g_file_test(from, G_FILE_TEST_IS_DIR) || !g_rename(from, to))
		return TRUE;
	g_set_error(err, G_FILE_ERROR, (int)g_file_error_from_errno(errno), "%s: %s", to,
		    g_strerror(errno));
	return FALSE;
}

/* The whole files, beside where the core is to be until that is made. */
static gboolean build_files(const struct core_build *b, const char *part, GError **err)
{
	char *folder = core_folder(), *cache = g_build_filename(folder, "cache", NULL);
	enum core_files_result r = CORE_FILES_NONE;

	if (!b->inlined)
		r = core_files_build(b->tree, part, cache, b->hz, b->told, err);
	g_free(cache);
	g_free(folder);
	return r != CORE_FILES_FAILED;
}

/* Can the core that was made be used? */
static gboolean usable(const struct core_build *b, const struct core_tree *t, const char *made,
		       GError **err)
{
	GError *cause = NULL;
	struct core *core = core_load(b->name, made, &cause);

	if (core) {
		core_free(core);
		return TRUE;
	}
	g_set_error(err, CORE_ERROR, CORE_ERROR_COMPILE, "%s: Linux %s: %s", t->path, t->version,
		    cause->message);
	g_error_free(cause);
	return FALSE;
}

static struct core *build(const struct core_build *b, const struct core_tree *t, const char *to,
			  GError **err)
{
	char *work = g_dir_make_tmp("wlanq-core-XXXXXX", err), *made, *libraries, *part;
	struct core *core = NULL;

	if (!work)
		return NULL;
	made = g_build_filename(work, OUTPUT, NULL);
	libraries = core_libraries_folder(to);
	part = g_strconcat(libraries, ".part", NULL);
	if (lay_out(t, work, err) && compile(t, work, err) && usable(b, t, made, err) &&
	    build_files(b, part, err) && put_in_place(made, to, err) &&
	    move_folder(part, libraries, err))
		core = core_load(b->name, to, err);
	folder_remove(part);
	folder_remove(work);
	g_free(part);
	g_free(libraries);
	g_free(made);
	g_free(work);
	return core;
}

struct core *core_build(struct core_build *b, GError **err)
{
	struct cores *names = cores_new(NULL);
	struct core *core = NULL;
	struct core_tree *t = NULL;
	char *folder, *base, *to;

	if (cores_add(names, b->name, "", err))
		t = core_tree_read(b->tree, err);
	cores_free(names);
	if (!t)
		return NULL;
	folder = core_folder();
	base = g_strconcat(b->name, ".so", NULL);
	to = b->file ? g_strdup(b->file) : g_build_filename(folder, base, NULL);
	core = build(b, t, to, err);
	if (core)
		b->failed = core_self_test(to, b->told);
	g_free(to);
	g_free(base);
	g_free(folder);
	core_tree_free(t);
	return core;
}
