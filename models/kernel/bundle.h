/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The files that cores are built from, carried in the program (made by bundle.py): the kernel files, and the models
 * on them with every header that they include, and the shim around whole files of a tree.
 */
#ifndef WLANQ_KERNEL_BUNDLE_H
#define WLANQ_KERNEL_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

/* A kernel file's path in a Linux tree is what follows this. */
#define CORE_KERNEL_FOLDER "models/kernel/"

enum core_file_kind {
	CORE_FILE_KERNEL, /* one of those that we share with Linux */
	CORE_FILE_MODEL, /* compiled with a tree's into a core */
	CORE_FILE_TREE, /* the shim around whole files of a tree */
};

struct core_file {
	const char *path; /* in this project's tree */
	enum core_file_kind kind;
	const unsigned char *data;
	size_t size;
};

/* Sorted by path; ends with path NULL. */
extern const struct core_file core_bundle[];

/*
 * SHA-256 of the list "SHA-256, two blanks, path in the Linux tree, newline" of the kernel files sorted by path: what
 * sha256sum prints. It names the built-in core.
 */
extern const char core_builtin_sha256[];

/* First 32 bits of the SHA-256 over the same list of the models: what a loaded core must have been built from. */
extern const uint32_t core_layout_hash;

#endif
