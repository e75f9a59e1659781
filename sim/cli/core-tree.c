// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-tree.h"

#include <string.h>

#include "kernel/bundle.h"

GQuark core_error_quark(void)
{
	return g_quark_from_static_string("wlanq-core-error");
}

/* "6.1.192" of a tree's Makefile; NULL when it is none. */
static char *tree_version(const char *path)
{
	char *file = g_build_filename(path, "Makefile", NULL), *text = NULL, *version = NULL;
	GMatchInfo *m = NULL;
	GRegex *re = g_regex_new("^VERSION = (\\d+)\nPATCHLEVEL = (\\d+)\nSUBLEVEL = (\\d+)$",
				 G_REGEX_MULTILINE, 0, NULL);

	if (g_file_get_contents(file, &text, NULL, NULL) && g_regex_match(re, text, 0, &m)) {
		char *a = g_match_info_fetch(m, 1), *b = g_match_info_fetch(m, 2),
		     *c = g_match_info_fetch(m, 3);

		version = g_strdup_printf("%s.%s.%s", a, b, c);
		g_free(a);
		g_free(b);
		g_free(c);
	}
	if (m)
		g_match_info_free(m);
	g_regex_unref(re);
	g_free(text);
	g_free(file);
	return version;
}

static char *tree_sha256(const struct core_tree *t)
{
	GString *list = g_string_new(NULL);
	char *sum;

	for (guint i = 0; i < t->n; i++) {
		sum = g_compute_checksum_for_data(
			G_CHECKSUM_SHA256, (const guchar *)t->files[i].data, t->files[i].size);
		g_string_append_printf(list, "%s  %s\n", sum, t->files[i].path);
		g_free(sum);
	}
	sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, list->str, (gssize)list->len);
	g_string_free(list, TRUE);
	return sum;
}

static gboolean read_file(const struct core_tree *t, struct core_tree_file *f, GError **err)
{
	char *file = g_build_filename(t->path, f->path, NULL);
	gboolean ok = g_file_get_contents(file, &f->data, &f->size, NULL);

	if (!ok)
		g_set_error(err, CORE_ERROR, CORE_ERROR_TREE,
			    "%s: Linux %s has no readable %s there", t->path, t->version, f->path);
	g_free(file);
	return ok;
}

struct core_tree *core_tree_read(const char *path, GError **err)
{
	struct core_tree *t = g_new0(struct core_tree, 1);
	GArray *files = g_array_new(FALSE, TRUE, sizeof(struct core_tree_file));

	t->path = g_strdup(path);
	t->version = tree_version(path);
	for (const struct core_file *c = core_bundle; c->path; c++) {
		struct core_tree_file f = {
			.path = c->path + strlen(CORE_KERNEL_FOLDER),
			.ours = (const char *)c->data,
			.ours_size = c->size,
		};

		if (c->kind == CORE_FILE_KERNEL)
			g_array_append_val(files, f);
	}
	t->n = files->len;
	t->files = (struct core_tree_file *)g_array_free(files, FALSE);

	if (!t->version) {
		g_set_error(err, CORE_ERROR, CORE_ERROR_TREE,
			    "%s: not a Linux tree (it has no Makefile that tells a version)", path);
		core_tree_free(t);
		return NULL;
	}
	for (guint i = 0; i < t->n; i++) {
		if (!read_file(t, &t->files[i], err)) {
			core_tree_free(t);
			return NULL;
		}
	}
	t->sha256 = tree_sha256(t);
	return t;
}

void core_tree_free(struct core_tree *t)
{
	if (!t)
		return;
	for (guint i = 0; i < t->n; i++)
		g_free(t->files[i].data);
	g_free(t->files);
	g_free(t->sha256);
	g_free(t->version);
	g_free(t->path);
	g_free(t);
}

/* ---- API ------------------------------------------------------------------------------------ */

static char *without_comments(const char *text, gsize size)
{
	GRegex *re = g_regex_new("/\\*.*?\\*/|//[^\n]*", G_REGEX_DOTALL, 0, NULL);
	char *plain = g_regex_replace_literal(re, text, (gssize)size, 0, " ", 0, NULL);

	g_regex_unref(re);
	return plain ? plain : g_strndup(text, size);
}

/* "struct.field" of every struct that a header defines. */
static GPtrArray *header_fields(const char *text, gsize size)
{
	GRegex *structs = g_regex_new("^struct\\s+(\\w+)\\s*\\{(.*?)^\\}",
				      G_REGEX_MULTILINE | G_REGEX_DOTALL, 0, NULL);
	/* the last name before the semicolon, attributes left aside */
	GRegex *fields = g_regex_new("(\\w+)(?:\\[[^]]*\\])?(?:\\s+____\\w+)?\\s*;", 0, 0, NULL);
	GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
	char *plain = without_comments(text, size);
	GMatchInfo *s, *f;

	for (g_regex_match(structs, plain, 0, &s); g_match_info_matches(s);
	     g_match_info_next(s, NULL)) {
		char *name = g_match_info_fetch(s, 1), *body = g_match_info_fetch(s, 2);

		for (g_regex_match(fields, body, 0, &f); g_match_info_matches(f);
		     g_match_info_next(f, NULL)) {
			char *field = g_match_info_fetch(f, 1);

			g_ptr_array_add(out, g_strdup_printf("%s.%s", name, field));
			g_free(field);
		}
		g_match_info_free(f);
		g_free(body);
		g_free(name);
	}
	g_match_info_free(s);
	g_free(plain);
	g_regex_unref(fields);
	g_regex_unref(structs);
	return out;
}

/* The first field of the tree's that ours lacks, to be freed; NULL when there is none. */
static char *missing_field(const struct core_tree_file *f)
{
	GPtrArray *theirs = header_fields(f->data, f->size);
	GPtrArray *ours = header_fields(f->ours, f->ours_size);
	char *missing = NULL;

	for (guint i = 0; i < theirs->len && !missing; i++)
		if (!g_ptr_array_find_with_equal_func(ours, theirs->pdata[i], g_str_equal, NULL))
			missing = g_strdup(theirs->pdata[i]);
	g_ptr_array_unref(ours);
	g_ptr_array_unref(theirs);
	return missing;
}

gboolean core_tree_same_api(const struct core_tree *t, GError **err)
{
	for (guint i = 0; i < t->n; i++) {
		char *missing = missing_field(&t->files[i]);

		if (!missing)
			continue;
		g_set_error(err, CORE_ERROR, CORE_ERROR_API,
			    "%s/%s: Linux %s has a field %s there, which the core does not have: "
			    "its API is that of Linux 6.1",
			    t->path, t->files[i].path, t->version, missing);
		g_free(missing);
		return FALSE;
	}
	return TRUE;
}
