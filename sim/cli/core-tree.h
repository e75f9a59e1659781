/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Linux tree as `wlanq core` sees it: the files that the core stands for. */
#ifndef WLANQ_CLI_CORE_TREE_H
#define WLANQ_CLI_CORE_TREE_H

#include <glib.h>

enum core_error {
	CORE_ERROR_TREE, /* not a Linux tree, or without the files */
	CORE_ERROR_API, /* its API is another one */
	CORE_ERROR_NAME, /* not a core's name */
	CORE_ERROR_COMPILE,
	CORE_ERROR_MACHINE, /* something is missing here that whole files need */
	CORE_ERROR_TOOL, /* a program that is needed could not be run, or failed */
};

#define CORE_ERROR core_error_quark()
GQuark core_error_quark(void);

struct core_tree_file {
	const char *path; /* in a Linux tree */
	char *data; /* the tree's; ends with a NUL that is not counted */
	gsize size;
	const char *ours; /* ours, of ours_size bytes */
	gsize ours_size;
};

struct core_tree {
	char *path;
	char *version; /* "6.1.192" */
	guint n;
	struct core_tree_file *files; /* sorted by path */
	char *sha256; /* as core_builtin_sha256 is made, of the tree's files */
};

/* Reads the tree at @path. NULL with @err set when it is none, or lacks one of the files. */
struct core_tree *core_tree_read(const char *path, GError **err);
void core_tree_free(struct core_tree *t);

/*
 * Could our files take the place of the tree's? FALSE with @err set when a struct of the tree has fields that ours
 * does not have, for then other code of the tree would not build.
 */
gboolean core_tree_same_api(const struct core_tree *t, GError **err);

#endif
