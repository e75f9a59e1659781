// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/core-build.h"
#include "cli/core-patch.h"
#include "cli/core-test.h"
#include "cli/core-tree.h"

/* What a wrong call of a core's command is told, and how it ends. */
static int tell(const struct command *cmd, GError *err)
{
	int status = g_error_matches(err, CORE_ERROR, CORE_ERROR_TOOL) ? STATUS_RUN : STATUS_USAGE;

	fprintf(stderr, "wlanq %s: %s\n", cmd->name, err->message);
	g_error_free(err);
	return status;
}

static int core_build_command(const struct command *cmd, int argc, char **argv)
{
	char *tree = NULL, *name = NULL, *file = NULL, **args;
	gboolean inlined = FALSE;
	int hz = 250;
	const GOptionEntry entries[] = {
		{"tree", 't', 0, G_OPTION_ARG_FILENAME, &tree, "The Linux tree", "LINUX"},
		{"name", 'n', 0, G_OPTION_ARG_STRING, &name, "The core's name", "NAME"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &file,
		 "Its file, NAME.so among the built cores otherwise", "FILE"},
		{"hz", 0, 0, G_OPTION_ARG_INT, &hz, "HZ of whole files (250)", "N"},
		{"inlined", 0, 0, G_OPTION_ARG_NONE, &inlined,
		 "Only DQL, CoDel and fq, no whole files", NULL},
		G_OPTION_ENTRY_NULL,
	};
	int status = STATUS_USAGE;
	GError *err = NULL;

	args = cli_parse(cmd, entries, argc, argv, 0, 0);
	if (args && (!tree || !name)) {
		cli_usage(cmd, "%s is missing", tree ? "-n NAME" : "--tree LINUX");
	} else if (args && hz != 100 && hz != 250 && hz != 300 && hz != 1000) {
		cli_usage(cmd, "--hz is %d; Linux has 100, 250, 300 and 1000", hz);
	} else if (args) {
		GString *told = g_string_new(NULL);
		struct core_build b = {tree, name, file, inlined, (unsigned)hz, told, 0};
		struct core *core = core_build(&b, &err);

		if (core) {
			printf("core %s: Linux %s, files %.12s, compiled by %s\n", core->name,
			       core->linux_version, core->files_sha256, core->compiler);
			printf("%s", told->str);
			printf("It holds code under GPL-2.0 only: for use here, not for handing on.\n");
			core_free(core);
			status = b.failed ? STATUS_CHECK : STATUS_WELL;
		} else {
			status = tell(cmd, err);
		}
		g_string_free(told, TRUE);
	}
	g_strfreev(args);
	g_free(tree);
	g_free(name);
	g_free(file);
	return status;
}

static int core_patch_command(const struct command *cmd, int argc, char **argv)
{
	char *tree = NULL, *dir = NULL, **args;
	const GOptionEntry entries[] = {
		{"tree", 't', 0, G_OPTION_ARG_FILENAME, &tree, "The Linux tree", "LINUX"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &dir, "Where the series goes", "DIR"},
		G_OPTION_ENTRY_NULL,
	};
	int status = STATUS_USAGE, n;
	GError *err = NULL;

	args = cli_parse(cmd, entries, argc, argv, 0, 0);
	if (args && (!tree || !dir)) {
		cli_usage(cmd, "%s is missing", tree ? "-o DIR" : "--tree LINUX");
	} else if (args) {
		n = core_patch(tree, dir, &err);
		if (n > 0)
			printf("%d patches; git -C %s am %s/*.patch\n", n, tree, dir);
		else if (!n)
			printf("%s holds these files already: nothing to do\n", tree);
		status = n < 0 ? tell(cmd, err) : STATUS_WELL;
	}
	g_strfreev(args);
	g_free(tree);
	g_free(dir);
	return status;
}

/* Prints what came out; false when a rule was broken. */
static bool print_test(struct cores *cores, const struct core *core)
{
	GArray *all = core_test(cores, core);
	bool well = true;

	printf("core %s: Linux %s, files %.12s\n", core->name, core->linux_version,
	       core->files_sha256);
	for (guint i = 0; i < all->len; i++) {
		const struct core_test_result *r = &g_array_index(all, struct core_test_result, i);

		if (*r->error) {
			printf("  %-10s FAILED: %s\n", r->name, r->error);
			well = false;
		} else if (r->differs_at < r->calls) {
			printf("  %-10s keeps the rules; differs from the built-in core from call %u on\n",
			       r->name, r->differs_at + 1);
		} else {
			printf("  %-10s identical to the built-in core in %u calls\n", r->name,
			       r->calls);
		}
	}
	g_array_unref(all);
	return well;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of all built cores; ends with NULL. */
static char **built_cores(const char *folder)
{
	GDir *d = g_dir_open(folder, 0, NULL);
	GPtrArray *names = g_ptr_array_new();
	const char *name;

	while (d && (name = g_dir_read_name(d)))
		if (g_str_has_suffix(name, ".so"))
			g_ptr_array_add(names, g_strndup(name, strlen(name) - 3));
	if (d)
		g_dir_close(d);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static int core_test_command(const struct command *cmd, int argc, char **argv)
{
	char **given = NULL, **args, **names, *folder = core_folder();
	const GOptionEntry entries[] = {
		CLI_CORE_OPTION(&given),
		G_OPTION_ENTRY_NULL,
	};
	struct cores *cores = NULL;
	int status = STATUS_USAGE;
	GError *err = NULL;

	args = cli_parse(cmd, entries, argc, argv, 0, -1);
	if (args)
		cores = cli_cores(cmd, given);
	if (cores) {
		names = *args ? g_strdupv(args) : built_cores(folder);
		status = STATUS_WELL;
		if (!*names)
			printf("no core has been built; wlanq core build makes one\n");
		for (guint i = 0; names[i] && status != STATUS_USAGE; i++) {
			const struct core *core = cores_get(cores, names[i], &err);

			if (!core)
				status = cli_usage(cmd, "%s", err->message);
			else if (!print_test(cores, core))
				status = STATUS_CHECK;
			g_clear_error(&err);
		}
		g_strfreev(names);
	}
	cores_free(cores);
	g_strfreev(args);
	g_strfreev(given);
	g_free(folder);
	return status;
}

static const struct command commands[] = {
	{"core build", "--tree LINUX -n NAME",
	 "Compiles a core from the DQL, CoDel and fq of a Linux tree, and runs its qdiscs as linux.NAME.",
	 "Example:\n  wlanq core build --tree ~/linux -n mine && wlanq run my.yaml --set core=mine",
	 core_build_command},
	{"core patch", "--tree LINUX -o DIR",
	 "Writes a series for git am that puts the files simulated here into a Linux tree.",
	 "Example:\n  wlanq core patch --tree ~/linux -o /tmp/series", core_patch_command},
	{"core test", "[NAME]...",
	 "Drives cores (all that were built) and the built-in one with the same calls.",
	 "Example:\n  wlanq core test mine", core_test_command},
};

int cmd_core(const struct command *cmd, int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(commands); i++)
		if (!strcmp(argv[1], commands[i].name + strlen("core ")))
			return commands[i].run(&commands[i], argc - 1, argv + 1);
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
			printf("wlanq %s %s\n    %s\n", commands[i].name, commands[i].usage,
			       commands[i].about);
		return STATUS_WELL;
	}
	return cli_usage(cmd, "build, patch or test? wlanq core --help tells more");
}
