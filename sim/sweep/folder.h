/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of files that are made and taken away again. */
#ifndef WLANQ_SWEEP_FOLDER_H
#define WLANQ_SWEEP_FOLDER_H

#include <glib.h>

/* Writes @size bytes to @path below @dir, with the folders on the way. FALSE with @err set, of GLib's files. */
gboolean folder_write(const char *dir, const char *path, const char *data, gsize size,
		      GError **err);

/* Removes @dir with all that is in it, as far as that can be done. */
void folder_remove(const char *dir);

#endif
