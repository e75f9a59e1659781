/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wlanq core build`: the core-using models, compiled against a Linux tree. */
#ifndef WLANQ_CLI_CORE_BUILD_H
#define WLANQ_CLI_CORE_BUILD_H

#include <glib.h>

#include "scenario/core.h"

/* The folder of built cores: "cores" beside the program. To be freed. */
char *core_folder(void);

struct core_build {
	const char *tree; /* only read */
	const char *name;
	const char *file; /* NULL: NAME.so in core_folder() */
	bool inlined; /* no whole files */
	unsigned hz; /* of whole files */
	GString *
		told; /* what whole files were built, or why not, and what became of them in the self-test; lines are appended */
	unsigned failed; /* set: whole files that failed the self-test */
};

/*
 * Compiles the core-using models with DQL, CoDel and fq of a Linux tree, and those of its files that can be run as they
 * stand (core-files.h); loads what came out to see that it works. The file appears when all is complete. Returns the
 * core, which the caller frees, or NULL with @err set (CORE_ERROR_*): no such tree, a changed API or a file that does not compile (then with
 * the compiler's first errors, at file and line), no compiler, nothing that whole files need.
 */
struct core *core_build(struct core_build *b, GError **err);

#endif
