/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wlanq core build`: files of a Linux tree as they stand, one library a family. */
#ifndef WLANQ_CLI_CORE_FILES_H
#define WLANQ_CLI_CORE_FILES_H

#include <glib.h>

/* What came of it. */
enum core_files_result {
	CORE_FILES_BUILT,
	CORE_FILES_NONE, /* the tree is no whole one; the rest of a core can be built */
	CORE_FILES_FAILED, /* @err is set */
};

/*
 * Builds the families of @tree into the folder @out, with HZ @hz. The tree is only read; what is kept for the next time
 * lies in @cache. @told: what was built, or why nothing was. CORE_FILES_FAILED: something does not compile, with
 * the compiler's words; the tree is too old; something is missing on this machine.
 */
enum core_files_result core_files_build(const char *tree, const char *out, const char *cache,
					unsigned hz, GString *told, GError **err);

#endif
