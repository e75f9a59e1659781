/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a loadable core exports, under the name wlanq_core. */
#ifndef WLANQ_KERNEL_CORE_H
#define WLANQ_KERNEL_CORE_H

#include <stdint.h>

struct model_class;

/* Raised when this struct changes. */
#define WLANQ_CORE_ABI 1

struct wlanq_core {
	uint32_t abi;
	/* First 32 bits of the SHA-256 over all of this project's files that were compiled in. */
	uint32_t layout_hash;
	const char *files_sha256; /* of the tree's files, made as core_builtin_sha256 is */
	const char *compiler; /* its version */
	const char *linux_version; /* of the tree, "6.1.192" */
	/* The core-using models; ends with NULL. */
	const struct model_class *const *classes;
};

#endif
