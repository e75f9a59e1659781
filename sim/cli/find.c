// SPDX-License-Identifier: GPL-3.0-or-later
/* Scenarios by name: in ./scenarios, beside the program's source, and where they were installed. */
#include "cli/cli.h"

#include <string.h>

#include "scenario/error.h"
#include "sweep/names.h"

#include "version.h"

/* Folders that hold scenarios, the first one wins. The program in build/ finds those of its source. */
static char **roots(void)
{
	GPtrArray *list = g_ptr_array_new();
	char *exe = g_file_read_link("/proc/self/exe", NULL);

	g_ptr_array_add(list, g_strdup("scenarios"));
	if (exe) {
		char *folder = g_path_get_dirname(exe), *above = g_path_get_dirname(folder);

		g_ptr_array_add(list, g_build_filename(above, "scenarios", NULL));
		g_ptr_array_add(list, g_build_filename(above, "share", "wlanq", "scenarios", NULL));
		g_free(folder);
		g_free(above);
		g_free(exe);
	}
	g_ptr_array_add(list, g_strdup(WLANQ_SCENARIOS));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* Every .yaml below @folder, without the folders that are for `include:` only. */
static void collect(GPtrArray *list, const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		char *path = g_build_filename(folder, name, NULL);

		if (g_str_has_suffix(name, ".yaml"))
			g_ptr_array_add(list, g_strdup(path));
		else if (strcmp(name, "include") && g_file_test(path, G_FILE_TEST_IS_DIR))
			collect(list, path);
		g_free(path);
	}
	if (dir)
		g_dir_close(dir);
}

char **cli_all_scenarios(void)
{
	GPtrArray *list = g_ptr_array_new();
	char **folders = roots();

	for (char **f = folders; *f && list->len == 0; f++)
		collect(list, *f);
	g_strfreev(folders);
	names_sort(list);
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* "iwl3945-ring" of "scenarios/threads/iwl3945-ring.yaml". */
static char *short_name(const char *path)
{
	char *name = g_path_get_basename(path);

	name[strlen(name) - strlen(".yaml")] = '\0';
	return name;
}

char *cli_find_scenario(const struct command *cmd, const char *name)
{
	GPtrArray *names;
	const char *near;
	char **all;
	char *found = NULL;

	if (strchr(name, '/') || g_file_test(name, G_FILE_TEST_EXISTS))
		return g_strdup(name);
	names = g_ptr_array_new_with_free_func(g_free);
	all = cli_all_scenarios();
	for (char **a = all; *a && !found; a++) {
		char *s = short_name(*a);
		size_t len = strlen(s);

		if (strcmp(s, name) == 0 ||
		    (strncmp(name, s, len) == 0 && strcmp(name + len, ".yaml") == 0))
			found = g_strdup(*a);
		g_ptr_array_add(names, s);
	}
	if (!found) {
		near = nearest_name(name, (const char *const *)names->pdata, names->len);
		cli_usage(cmd, "there is no file '%s' and no scenario of that name%s%s%s", name,
			  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	}
	g_strfreev(all);
	g_ptr_array_unref(names);
	return found;
}
