/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wlanq core build`: the core-using models, compiled against a Linux tree. */
#ifndef WLANQ_CLI_CORE_BUILD_H
#define WLANQ_CLI_CORE_BUILD_H

#include <glib.h>

#include "scenario/core.h"

/* The folder of built cores: "cores" beside the program. To be freed. */
char *core_folder(void);

/*
 * Compiles the core-using models with DQL, CoDel and fq of the Linux tree @tree, which is only read, and loads what came
 * out to see that it works. The file is @file, or @name.so in core_folder(); it appears when it is complete. Returns
 * the core, which the caller frees, or NULL with @err set (CORE_ERROR_*): no such tree, a changed API (then with the compiler's first errors, at
 * file and line), no compiler.
 */
struct core *core_build(const char *tree, const char *name, const char *file, GError **err);

#endif
