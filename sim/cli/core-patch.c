// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-patch.h"

#include <glib/gstdio.h>
#include <string.h>

#include "cli/core-tree.h"
#include "sweep/folder.h"
#include "kernel/bundle.h"

/* One patch: the files whose path contains .match. */
struct part {
	const char *name; /* of the file */
	const char *match;
	const char *subject;
	const char *about;
};

static const struct part parts[] = {
	{"dql", "dynamic_queue_limits", "lib: dql: take wlanq's dynamic queue limits",
	 "The limit and its derivation, used by byte queue limits."},
	{"codel", "net/codel", "net: codel: take wlanq's CoDel",
	 "The algorithm and its types, used by codel, fq_codel and mac80211."},
	{"fq", "net/fq", "net: fq: take wlanq's fair queueing",
	 "Flows shared among tins, used by mac80211."},
};

/* What a patch says of who made it. */
#define DEFAULT_AUTHOR "wlanq <wlanq@localhost>"

/* Runs git in @dir; its output goes to *out. Exit status 1 is not an error when @diff. */
static gboolean run_git(const char *dir, const char *const *args, gboolean diff, char **out,
			GError **err)
{
	char **env = g_get_environ(), *errors = NULL;
	GPtrArray *argv = g_ptr_array_new();
	GError *cause = NULL;
	gboolean ok;
	int status = 0;

	g_ptr_array_add(argv, (gpointer) "git");
	for (; *args; args++)
		g_ptr_array_add(argv, (gpointer)*args);
	g_ptr_array_add(argv, NULL);
	env = g_environ_setenv(env, "LC_ALL", "C", TRUE);
	if (diff) {
		/* Nobody's settings decide how a patch looks. */
		env = g_environ_setenv(env, "GIT_CONFIG_GLOBAL", "/dev/null", TRUE);
		env = g_environ_setenv(env, "GIT_CONFIG_NOSYSTEM", "1", TRUE);
	}
	ok = g_spawn_sync(dir, (char **)argv->pdata, env, G_SPAWN_SEARCH_PATH, NULL, NULL, out,
			  &errors, &status, &cause);
	if (!ok) {
		g_set_error(err, CORE_ERROR, CORE_ERROR_TOOL, "git is needed: %s", cause->message);
		g_error_free(cause);
	} else if (!g_spawn_check_wait_status(status, NULL) && !(diff && status == 1 << 8)) {
		g_set_error(err, CORE_ERROR, CORE_ERROR_TOOL, "git: %s", g_strstrip(errors));
		g_clear_pointer(out, g_free);
		ok = FALSE;
	}
	g_free(errors);
	g_ptr_array_free(argv, TRUE);
	g_strfreev(env);
	return ok;
}

/* The name under which the user commits to that tree. */
static char *author(const char *tree)
{
	static const char *const name_args[] = {"config", "user.name", NULL};
	static const char *const mail_args[] = {"config", "user.email", NULL};
	char *name = NULL, *mail = NULL, *both = NULL;

	if (run_git(tree, name_args, FALSE, &name, NULL) &&
	    run_git(tree, mail_args, FALSE, &mail, NULL))
		both = g_strdup_printf("%s <%s>", g_strstrip(name), g_strstrip(mail));
	g_free(name);
	g_free(mail);
	return both ? both : g_strdup(DEFAULT_AUTHOR);
}

/* The difference of one part as git shows it, empty when there is none. NULL on an error. */
static char *part_diff(const struct core_tree *t, const struct part *part, GError **err)
{
	static const char *const args[] = {
		"diff",		"--no-index",	"--no-prefix", "--no-color", "--no-ext-diff",
		"--no-renames", "--full-index", "a",	       "b",	     NULL};
	char *work = g_dir_make_tmp("wlanq-patch-XXXXXX", err), *old, *new, *out = NULL;
	gboolean ok = work != NULL;

	if (!ok)
		return NULL;
	old = g_build_filename(work, "a", NULL);
	new = g_build_filename(work, "b", NULL);
	for (guint i = 0; i < t->n && ok; i++) {
		const struct core_tree_file *f = &t->files[i];

		if (strstr(f->path, part->match))
			ok = folder_write(old, f->path, f->data, f->size, err) &&
			     folder_write(new, f->path, f->ours, f->ours_size, err);
	}
	if (ok)
		run_git(work, args, TRUE, &out, err);
	folder_remove(work);
	g_free(new);
	g_free(old);
	g_free(work);
	return out;
}

static char *part_mail(const struct part *part, const char *diff, const char *from, guint number,
		       guint total)
{
	return g_strdup_printf(
		"From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n"
		"From: %s\n"
		"Subject: [PATCH %u/%u] %s\n"
		"\n"
		"%s\n"
		"\n"
		"The files are those that wlanq simulates with, byte for byte; together they\n"
		"are the core\n"
		"%s.\n"
		"---\n"
		"%s-- \n"
		"wlanq\n\n",
		from, number, total, part->subject, part->about, core_builtin_sha256, diff);
}

/* Takes away what an older series left. */
static void remove_series(const char *outdir)
{
	GDir *d = g_dir_open(outdir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		char *path = g_build_filename(outdir, name, NULL);

		if (g_regex_match_simple("^\\d{4}-(dql|codel|fq)\\.patch$", name, 0, 0))
			g_unlink(path);
		g_free(path);
	}
	if (d)
		g_dir_close(d);
}

static int write_series(const struct core_tree *t, const char *outdir, char **diffs, GError **err)
{
	char *from = author(t->path);
	guint total = 0, number = 0;
	gboolean ok = TRUE;

	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		total += *diffs[i] != '\0';
	remove_series(outdir);
	for (guint i = 0; i < G_N_ELEMENTS(parts) && ok; i++) {
		char *name, *mail;

		if (!*diffs[i])
			continue;
		name = g_strdup_printf("%04u-%s.patch", ++number, parts[i].name);
		mail = part_mail(&parts[i], diffs[i], from, number, total);
		ok = folder_write(outdir, name, mail, strlen(mail), err);
		g_free(mail);
		g_free(name);
	}
	g_free(from);
	return ok ? (int)total : -1;
}

int core_patch(const char *tree, const char *outdir, GError **err)
{
	struct core_tree *t = core_tree_read(tree, err);
	char *diffs[G_N_ELEMENTS(parts)] = {NULL};
	gboolean ok = t && core_tree_same_api(t, err);
	int n = -1;

	for (guint i = 0; i < G_N_ELEMENTS(parts) && ok; i++) {
		diffs[i] = part_diff(t, &parts[i], err);
		ok = diffs[i] != NULL;
	}
	if (ok)
		n = write_series(t, outdir, diffs, err);
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
		g_free(diffs[i]);
	core_tree_free(t);
	return n;
}
