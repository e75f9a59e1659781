// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/folder.h"

#include <errno.h>
#include <glib/gstdio.h>

gboolean folder_write(const char *dir, const char *path, const char *data, gsize size, GError **err)
{
	char *file = g_build_filename(dir, path, NULL), *folder = g_path_get_dirname(file);
	gboolean ok = TRUE;

	if (g_mkdir_with_parents(folder, 0777)) {
		g_set_error(err, G_FILE_ERROR, (int)g_file_error_from_errno(errno), "%s: %s",
			    folder, g_strerror(errno));
		ok = FALSE;
	}
	ok = ok && g_file_set_contents(file, data, (gssize)size, err);
	g_free(folder);
	g_free(file);
	return ok;
}

void folder_remove(const char *dir)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		char *path = g_build_filename(dir, name, NULL);

		/* A link is removed, never followed. */
		if (!g_file_test(path, G_FILE_TEST_IS_SYMLINK) &&
		    g_file_test(path, G_FILE_TEST_IS_DIR))
			folder_remove(path);
		else
			g_unlink(path);
		g_free(path);
	}
	if (d)
		g_dir_close(d);
	g_rmdir(dir);
}
