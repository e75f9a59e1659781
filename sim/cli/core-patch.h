/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wlanq core patch`: the series that puts the core into a Linux tree. */
#ifndef WLANQ_CLI_CORE_PATCH_H
#define WLANQ_CLI_CORE_PATCH_H

#include <glib.h>

/*
 * Writes patches for `git am` into the folder @outdir, which is made if need be; of an older series there nothing is
 * left. After they are applied to @tree its files are ours, byte for byte. The tree itself is only read. Returns the
 * number of patches, 0 when the tree holds our files already; -1 with @err set (domain CORE_ERROR, or GLib's of files)
 * on an error. Nothing is written before the tree has been read and compared.
 */
int core_patch(const char *tree, const char *outdir, GError **err);

#endif
