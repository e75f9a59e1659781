// SPDX-License-Identifier: GPL-3.0-or-later
/* A scenario's file and what it includes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenario/tree-read.h"

/* A file being read, and the one that includes it. */
struct source {
	struct limits *lim;
	const char *file, *real;
	const struct source *includer;
};

char *tree_slurp(const char *file, size_t max, size_t *len, struct place p, struct errors *errors)
{
	char *text;
	FILE *f = fopen(file, "rbe");

	if (!f) {
		errors_add(errors, p, "cannot read '%s': %s", file, g_strerror(errno));
		return NULL;
	}
	text = g_malloc(max + 1);
	*len = fread(text, 1, max + 1, f);
	if (ferror(f)) {
		errors_add(errors, p, "cannot read '%s': %s", file, g_strerror(errno));
		g_clear_pointer(&text, g_free);
	} else if (*len > max) {
		errors_add(errors, p, "'%s' is larger than %zu MiB", file, max >> 20);
		g_clear_pointer(&text, g_free);
	}
	fclose(f);
	return text;
}

static bool lies_under(const char *real, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(real, folder, len) && (real[len] == '/' || !strcmp(folder, "/"));
}

/* Anything but a pipe or device, which may never end, or have no writer; that a folder is none is told on reading. */
static bool is_plain(const char *real)
{
	struct stat st;

	return stat(real, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

/* By its text alone, so that an outer file is refused whether it is there or not. */
static bool written_under(const char *written, const char *name, const char *file)
{
	char *absolute = g_canonicalize_filename(file, NULL);
	bool under = !g_path_is_absolute(name) && lies_under(absolute, written);

	g_free(absolute);
	return under;
}

/* "NAME" as seen from the file or folder that names it. */
static char *seen_from(const char *folder, const char *name)
{
	return !strcmp(folder, ".") ? g_strdup(name) : g_build_filename(folder, name, NULL);
}

char *tree_inner_file(const char *from, const char *name, const char *folder, struct place p,
		      struct errors *errors)
{
	char *near, *file, *real, *outer, *written;
	int why;

	if (!folder) {
		errors_add(errors, p, "a file is not possible here");
		return NULL;
	}
	near = from ? g_path_get_dirname(from) : g_strdup(folder);
	file = seen_from(near, name);
	real = realpath(file, NULL);
	why = errno;
	outer = realpath(folder, NULL);
	written = g_canonicalize_filename(folder, NULL);
	if (!written_under(written, name, file) || (real && outer && !lies_under(real, outer))) {
		errors_add(errors, p, "'%s' lies outside of the scenario's folder", name);
		g_clear_pointer(&file, g_free);
	} else if (!real) {
		errors_add(errors, p, "cannot read '%s': %s", file, g_strerror(why));
		g_clear_pointer(&file, g_free);
	} else if (!is_plain(real)) {
		errors_add(errors, p, "cannot read '%s': it is a pipe or a device", file);
		g_clear_pointer(&file, g_free);
	}
	free(real);
	free(outer);
	g_free(written);
	g_free(near);
	return file;
}

static struct node *read_text(struct limits *lim, const char *text, size_t len, const char *file,
			      const char *real, enum origin origin, const struct source *includer);

static struct node *include_one(const struct source *src, const struct node *name)
{
	struct limits *lim = src->lim;
	char *folder = g_path_get_dirname(src->file);
	struct node *n = NULL;
	char *file, *real, *text;
	size_t len;
	int why;

	file = seen_from(folder, name->text);
	real = realpath(file, NULL);
	why = errno;
	if (!written_under(lim->written, name->text, file) ||
	    (real && !lies_under(real, lim->folder))) {
		errors_add(lim->errors, name->place,
			   "include '%s' lies outside of the scenario's folder", name->text);
	} else if (!real) {
		errors_add(lim->errors, name->place, "cannot include '%s': %s", name->text,
			   g_strerror(why));
	} else if (!is_plain(real)) {
		errors_add(lim->errors, name->place,
			   "cannot include '%s': it is a pipe or a device", name->text);
	} else if (++lim->n_includes > TREE_INCLUDES_MAX) {
		errors_add(lim->errors, name->place, "more than %u includes", TREE_INCLUDES_MAX);
		lim->stopped = true;
	} else {
		const struct source *up = src;

		while (up && g_strcmp0(up->real, real))
			up = up->includer;
		text = up ? NULL : tree_slurp(file, TREE_FILE_MAX, &len, name->place, lim->errors);
		if (up)
			errors_add(lim->errors, name->place, "'%s' includes itself", name->text);
		if (text)
			n = read_text(lim, text, len, file, real, ORIGIN_INCLUDE, src);
		g_free(text);
	}
	free(real);
	g_free(file);
	g_free(folder);
	return n;
}

/* Lays the file upon what it includes; a later include wins over an earlier one. */
static struct node *resolve_includes(const struct source *src, struct node *root)
{
	struct node *list = node_get(root, "include"), *base = NULL;

	if (!list)
		return root;
	if (!src->lim->folder) {
		errors_add(src->lim->errors, list->place, "include is not possible here");
		return root;
	}
	for (uint32_t i = 0; i < (list->type == NODE_SEQ ? list->n : 1); i++) {
		struct node *name = list->type == NODE_SEQ ? list->items[i] : list;
		struct node *n;

		if (name->type != NODE_SCALAR || scalar_classify(name) != SCALAR_STRING) {
			errors_add(src->lim->errors, name->place,
				   "include takes the name of a file or a list of names");
			continue;
		}
		n = include_one(src, name);
		if (n)
			base = base ? node_overlay(src->lim->arena, base, n) : n;
	}
	root = node_with(src->lim->arena, root, "include", NULL);
	return base ? node_overlay(src->lim->arena, base, root) : root;
}

static struct node *read_text(struct limits *lim, const char *text, size_t len, const char *file,
			      const char *real, enum origin origin, const struct source *includer)
{
	struct source src = {lim, arena_strdup(lim->arena, file), real, includer};
	struct node *root = tree_parse(lim, text, len, src.file, origin, false);

	if (lim->stopped)
		return NULL;
	if (!root || root->type != NODE_MAP) {
		struct place p = {.at = {src.file, 1, 1}};

		errors_add(lim->errors, root ? root->place : p,
			   "expected a map of name, duration, nodes, links, traffic");
		return NULL;
	}
	return resolve_includes(&src, root);
}

struct node *tree_read_text(struct arena *a, const char *text, size_t len, const char *file,
			    const char *folder, struct errors *errors)
{
	struct limits lim = {.arena = a, .errors = errors};
	struct place p = {.at = {file, 1, 1}};
	struct node *root;
	char *real;

	if (len > TREE_FILE_MAX) {
		errors_add(errors, p, "'%s' is larger than 1 MiB", file);
		return NULL;
	}
	lim.folder = folder ? realpath(folder, NULL) : NULL;
	lim.written = folder ? g_canonicalize_filename(folder, NULL) : NULL;
	real = realpath(file, NULL);
	root = read_text(&lim, text, len, file, real, ORIGIN_FILE, NULL);
	free(real);
	free(lim.folder);
	g_free(lim.written);
	return root;
}

struct node *tree_read_file(struct arena *a, const char *file, const char *folder,
			    struct errors *errors)
{
	struct place p = {.at = {file, 0, 0}};
	struct node *root;
	size_t len;
	char *text = tree_slurp(file, TREE_FILE_MAX, &len, p, errors);

	if (!text)
		return NULL;
	root = tree_read_text(a, text, len, file, folder, errors);
	g_free(text);
	return root;
}
