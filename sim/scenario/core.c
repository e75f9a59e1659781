// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/core.h"

#include <dlfcn.h>
#include <string.h>

#include "kernel/bundle.h"
#include "kernel/core.h"
#include "scenario/bind.h"

struct cores {
	char *folder;
	GHashTable *files; /* name -> file, of --core */
	GHashTable *loaded; /* name -> struct core */
};

static const struct core builtin = {
	.name = (char *)CORE_BUILTIN,
	.files_sha256 = core_builtin_sha256,
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

/* ---- loading -------------------------------------------------------------------------------- */

void core_free(struct core *core)
{
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

static const struct model_class *replacement(const struct core *core, const struct model_class *cls)
{
	for (const struct model_class *const *p = core->classes; *p; p++)
		if (!strcmp((*p)->name, cls->name) && !strcmp((*p)->kind->name, cls->kind->name))
			return *p;
	return cls;
}

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
	const struct core *core = arg;

	b->cls = replacement(core, b->cls);
	use_in_values(core, b->values, b->n_values);
	return 0;
}

void core_use(const struct core *core, struct config *c)
{
	if (core->classes)
		config_foreach(c, use_in_bound, (void *)core);
}
