// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A loadable core: the models that use the kernel files, compiled as one unit against the tree whose headers come
 * first in the include path. `wlanq core build` sets WLANQ_CORE_FILES, _LAYOUT and _LINUX.
 */
#include "mac80211/txq.c"
#include "net/bql.c"
#include "qdisc/codel.c"
#include "qdisc/fq-codel.c"

#include "kernel/core.h"

extern const struct wlanq_core wlanq_core;

static const struct model_class *const core_classes[] = {
	&bql_class, &txq_fq_class, &codel_class, &fq_codel_class, NULL,
};

const struct wlanq_core wlanq_core = {
	.abi = WLANQ_CORE_ABI,
	.layout_hash = WLANQ_CORE_LAYOUT,
	.files_sha256 = WLANQ_CORE_FILES,
	.compiler = __VERSION__,
	.linux_version = WLANQ_CORE_LINUX,
	.classes = core_classes,
};
