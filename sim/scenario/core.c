// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/core.h"

#include <dlfcn.h>
#include <string.h>

#include "kernel/bundle.h"
#include "kernel/core.h"
#include "kernel/shim/loader.h"
#include "scenario/bind.h"

struct cores {
	char *folder;
	GHashTable *files; /* name -> file, of --core */
	GHashTable *loaded; /* name -> struct core */
};

static const struct core builtin = {
	.name = (char *)CORE_BUILTIN,
	.files_sha256 = core_builtin_sha256,
	.sha256 = core_builtin_sha256,
	.compiler = "",
	.linux_version = "",
};

GQuark core_load_error_quark(void)
{
	return g_quark_from_static_string("wlanq-core-load-error");
}

struct cores *cores_new(const char *folder)
{
	struct cores *c = g_new0(struct cores, 1);

	c->folder = g_strdup(folder);
	c->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	c->loaded = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)core_free);
	return c;
}

void cores_free(struct cores *c)
{
	if (!c)
		return;
	g_hash_table_unref(c->loaded);
	g_hash_table_unref(c->files);
	g_free(c->folder);
	g_free(c);
}

bool cores_add(struct cores *c, const char *name, const char *file, GError **err)
{
	if (!name_valid(name) || !strcmp(name, CORE_BUILTIN)) {
		g_set_error(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_NAME,
			    "'%s' cannot be a core's name: small letters, digits, _ and - after a "
			    "letter, and not " CORE_BUILTIN,
			    name);
		return false;
	}
	g_hash_table_replace(c->files, g_strdup(name), g_strdup(file));
	return true;
}

/* ---- files of a tree ------------------------------------------------------------------------- */

char *core_libraries_folder(const char *file)
{
	size_t len = strlen(file);

	if (g_str_has_suffix(file, ".so"))
		len -= strlen(".so");
	return g_strdup_printf("%.*s.d", (int)len, file);
}

static void library_free(gpointer p)
{
	struct linux_library *lib = p;

	linux_library_close(lib);
	g_free((gpointer)lib->image);
	g_free(lib);
}

static bool library_load(GPtrArray *list, const char *name, const char *path, GError **err)
{
	struct linux_library *lib = g_new0(struct linux_library, 1);
	char why[160], *image;
	gsize size;

	if (!g_file_get_contents(path, &image, &size, err)) {
		g_free(lib);
		return false;
	}
	if (linux_library_open(lib, image, size, why, sizeof(why))) {
		g_ptr_array_add(list, lib);
		return true;
	}
	g_set_error(
		err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_VERSION,
		"core %s: %s cannot be used: %s; build the core again with this wlanq (wlanq core build)",
		name, path, why);
	g_free(image);
	g_free(lib);
	return false;
}

static gint compare_strings(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of @folder that are libraries, sorted. */
static GPtrArray *library_paths(const char *folder)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GDir *d = g_dir_open(folder, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d)))
		if (g_str_has_suffix(name, ".so"))
			g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
	if (d)
		g_dir_close(d);
	g_ptr_array_sort(paths, compare_strings);
	return paths;
}

static bool libraries_load(struct core *core, const char *file, GError **err)
{
	char *folder = core_libraries_folder(file);
	GPtrArray *paths = library_paths(folder);
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	bool ok = true;

	core->sha256 = core->files_sha256;
	if (paths->len)
		core->libraries = g_ptr_array_new_with_free_func(library_free);
	g_checksum_update(sum, (const guchar *)core->files_sha256, -1);
	for (guint i = 0; i < paths->len && ok; i++) {
		const struct linux_library *lib;
		char *hz;

		ok = library_load(core->libraries, core->name, paths->pdata[i], err);
		if (!ok)
			break;
		lib = core->libraries->pdata[i];
		hz = g_strdup_printf("%u %s\n", lib->core->hz, lib->core->compiler);
		g_checksum_update(sum, (const guchar *)lib->core->files, -1);
		g_checksum_update(sum, (const guchar *)hz, -1);
		g_free(hz);
	}
	if (ok && paths->len) {
		core->whole_sha256 = g_strdup(g_checksum_get_string(sum));
		core->sha256 = core->whole_sha256;
		core->files = g_ptr_array_new_with_free_func(g_free);
	}
	g_checksum_free(sum);
	g_ptr_array_unref(paths);
	g_free(folder);
	return ok;
}

/* ---- loading -------------------------------------------------------------------------------- */

void core_free(struct core *core)
{
	if (core->libraries)
		g_ptr_array_unref(core->libraries);
	if (core->files)
		g_ptr_array_unref(core->files);
	g_free(core->whole_sha256);
	g_free(core->name);
	g_free(core);
}

struct core *core_load(const char *name, const char *file, GError **err)
{
	char *path = g_canonicalize_filename(file, NULL);
	void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct wlanq_core *w = so ? dlsym(so, "wlanq_core") : NULL;
	struct core *core = NULL;

	if (!so) {
		/* The linker's own words, without the path that it begins with. */
		const char *why = dlerror();

		if (g_str_has_prefix(why, path))
			why += strlen(path) + strspn(why + strlen(path), ": ");
		g_set_error(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_FILE,
			    "core %s: %s cannot be loaded: %s", name, file, why);
	} else if (!w) {
		g_set_error(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_FILE,
			    "core %s: %s is a library, but no core", name, file);
	} else if (w->abi != WLANQ_CORE_ABI || w->layout_hash != core_layout_hash) {
		g_set_error(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_VERSION,
			    "core %s: %s was built by another version of wlanq; build it again "
			    "with this one (wlanq core build)",
			    name, file);
	} else {
		core = g_new(struct core, 1);
		*core = (struct core){
			.name = g_strdup(name),
			.files_sha256 = w->files_sha256,
			.compiler = w->compiler,
			.linux_version = w->linux_version,
			.classes = w->classes,
		};
		if (!libraries_load(core, path, err))
			g_clear_pointer(&core, core_free);
	}
	g_free(path);
	if (!core && so)
		dlclose(so);
	return core;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the cores that could be asked for, for an error. */
static char *known_names(const struct cores *c, const char *read)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *d = c && c->folder ? g_dir_open(c->folder, 0, NULL) : NULL;
	GHashTableIter it;
	const char *name;
	gpointer key;
	char *text;

	g_ptr_array_add(names, g_strdup(CORE_BUILTIN));
	while (d && (name = g_dir_read_name(d)))
		if (g_str_has_suffix(name, ".so"))
			g_ptr_array_add(names, g_strndup(name, strlen(name) - 3));
	if (d)
		g_dir_close(d);
	if (c) {
		g_hash_table_iter_init(&it, c->files);
		while (g_hash_table_iter_next(&it, &key, NULL))
			g_ptr_array_add(names, g_strdup(key));
	}
	g_ptr_array_sort(names, compare_names);
	text = allowed_names(read, (const char *const *)names->pdata, names->len);
	g_ptr_array_unref(names);
	return text;
}

static struct core *load_by_name(struct cores *c, const char *name, GError **err)
{
	const char *given = c ? g_hash_table_lookup(c->files, name) : NULL;
	char *file = NULL, *text;
	struct core *core = NULL;

	if (given) {
		file = g_strdup(given);
	} else if (c && c->folder && name_valid(name)) {
		text = g_strconcat(name, ".so", NULL);
		file = g_build_filename(c->folder, text, NULL);
		g_free(text);
		if (!g_file_test(file, G_FILE_TEST_EXISTS))
			g_clear_pointer(&file, g_free);
	}
	if (file) {
		core = core_load(name, file, err);
	} else {
		text = known_names(c, name);
		g_set_error(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_MISSING,
			    "there is no core '%s'%s; wlanq core build makes one", name, text);
		g_free(text);
	}
	g_free(file);
	return core;
}

const struct core *cores_get(struct cores *c, const char *name, GError **err)
{
	struct core *core;

	if (!strcmp(name, CORE_BUILTIN))
		return &builtin;
	core = c ? g_hash_table_lookup(c->loaded, name) : NULL;
	if (core)
		return core;
	/* Without a set no file is known, and none is loaded. */
	core = load_by_name(c, name, err);
	if (core)
		g_hash_table_insert(c->loaded, core->name, core);
	return core;
}

/* ---- use ------------------------------------------------------------------------------------ */

/* The library that has the tree's file of @cls; NULL: none. */
static const struct linux_library *library_of(const struct core *core,
					      const struct model_class *cls)
{
	for (guint i = 0; core->libraries && i < core->libraries->len; i++)
		if (linux_library_has(core->libraries->pdata[i], cls->tree_file))
			return core->libraries->pdata[i];
	return NULL;
}

/* The copy of @cls that runs the tree's file; NULL when the tree has none. Kept, for objects point to it. */
static const struct model_class *from_tree(const struct core *core, const struct model_class *cls)
{
	const struct linux_library *lib = library_of(core, cls);
	struct model_class *copy;

	if (!lib)
		return NULL;
	for (guint i = 0; i < core->files->len; i++) {
		copy = core->files->pdata[i];
		if (!strcmp(copy->name, cls->name) && copy->kind == cls->kind)
			return copy;
	}
	copy = g_new(struct model_class, 1);
	*copy = *cls;
	copy->library = lib;
	g_ptr_array_add(core->files, copy);
	return copy;
}

static const struct model_class *replacement(const struct core *core, const struct model_class *cls)
{
	const struct model_class *from = NULL;

	if (cls->tree_file && !cls->library)
		from = from_tree(core, cls);
	for (const struct model_class *const *p = core->classes; p && *p && !from; p++)
		if (!strcmp((*p)->name, cls->name) && !strcmp((*p)->kind->name, cls->kind->name))
			from = *p;
	return from ? from : cls;
}

struct use {
	const struct core *core;
	struct errors *errors;
};

static void use_in_values(const struct core *core, const struct bound_value *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].slot) {
			struct slot *slot = v[i].ptr;

			slot->cls = replacement(core, slot->cls);
		}
		use_in_values(core, v[i].sub, v[i].n_sub);
	}
}

static int use_in_bound(struct bound *b, void *arg)
{
	const struct use *u = arg;

	b->cls = replacement(u->core, b->cls);
	if (b->cls->tree_file && !b->cls->library)
		errors_add(
			u->errors, b->place,
			"%s: %s is %s of a Linux tree, and core %s has none; wlanq core build makes a "
			"core that has, and `core: NAME` selects it",
			b->path, b->cls->name, b->cls->tree_file, u->core->name);
	if (u->core->classes || u->core->libraries)
		use_in_values(u->core, b->values, b->n_values);
	return 0;
}

void core_use(const struct core *core, struct config *c, struct errors *errors)
{
	struct use u = {core, errors};

	config_foreach(c, use_in_bound, &u);
}
