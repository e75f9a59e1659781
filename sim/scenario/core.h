/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loaded cores: the core-using models compiled against another Linux tree. A scenario names one, the command line says
 * where the file is, or it lies among the built ones.
 */
#ifndef WLANQ_SCENARIO_CORE_H
#define WLANQ_SCENARIO_CORE_H

#include <glib.h>

#include "scenario/config.h"

/* The core that is linked in. */
#define CORE_BUILTIN "builtin"

enum core_load_error {
	CORE_LOAD_ERROR_NAME, /* not a name */
	CORE_LOAD_ERROR_MISSING, /* no core of that name */
	CORE_LOAD_ERROR_FILE, /* not a core */
	CORE_LOAD_ERROR_VERSION, /* built by another version of this program */
};

#define CORE_LOAD_ERROR core_load_error_quark()
GQuark core_load_error_quark(void);

/*
 * One core: models compiled against a tree, and files of that tree run as they are, which lie beside the core's FILE.so in
 * the folder FILE.d. The library of the models stays loaded until the process ends, for objects and declarations point
 * into it, and its strings with it.
 */
struct core {
	char *name;
	const char *files_sha256; /* names it in results */
	const char *compiler, *linux_version; /* "" of the built-in one */
	const struct model_class *const *classes; /* ends with NULL; NULL of the built-in one */
	/* Whole files of the tree, one library a family; and the hash that names the core in results, theirs included. */
	GPtrArray *libraries; /* of struct linux_library; NULL: none */
	const char *sha256;
	char *whole_sha256; /* what .sha256 is where there are libraries */
	GPtrArray *files; /* of struct model_class: those of the registry with a library */
};

/* The cores of a process, loaded when they are first asked for. */
struct cores;

/* @folder: where built cores lie, NAME.so each; NULL: only the built-in one and those added. */
struct cores *cores_new(const char *folder);
void cores_free(struct cores *c);

/* --core NAME=FILE. False with @err set when NAME is not a name. */
bool cores_add(struct cores *c, const char *name, const char *file, GError **err);

/* The core of that name, owned by @c; NULL with @err set, CORE_LOAD_ERROR_*. @c may be NULL: only the built-in one. */
const struct core *cores_get(struct cores *c, const char *name, GError **err);

/* Loads a core's file; NULL with @err set. The caller frees it. */
struct core *core_load(const char *name, const char *file, GError **err);
void core_free(struct core *core);

/* The folder FILE.d of FILE.so; to be freed. */
char *core_libraries_folder(const char *file);

/*
 * Puts the classes of @core in the place of those of the same kind and name throughout @c. Those that are files of a
 * Linux tree and not in this one are told in @errors.
 */
void core_use(const struct core *core, struct config *c, struct errors *errors);

#endif
