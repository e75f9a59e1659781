// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core-build.h"
#include "scenario/error.h"
#include "sweep/json-text.h"

#include "version.h"

const char *cli_version(void)
{
	return WLANQ_VERSION;
}

const char *cli_commit(void)
{
	return WLANQ_COMMIT;
}

int cli_usage(const struct command *cmd, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = g_strdup_vprintf(fmt, args);
	va_end(args);
	fprintf(stderr, "wlanq %s: %s\n", cmd->name, text);
	g_free(text);
	return STATUS_USAGE;
}

/* "--jbos" of GLib's "Unknown option --jbos", with the option that may have been meant. */
static void tell_option(const struct command *cmd, const GOptionEntry *entries, const char *message)
{
	const char *dashes = strstr(message, "--");
	GPtrArray *names = g_ptr_array_new();
	const char *near = NULL;
	char *read;

	for (; entries->long_name; entries++)
		g_ptr_array_add(names, (gpointer)entries->long_name);
	read = g_strndup(dashes ? dashes + 2 : "", dashes ? strcspn(dashes + 2, "= ") : 0);
	if (*read)
		near = nearest_name(read, (const char *const *)names->pdata, names->len);
	if (near)
		cli_usage(cmd, "%s; did you mean --%s?", message, near);
	else
		cli_usage(cmd, "%s; wlanq %s --help lists them", message, cmd->name);
	g_free(read);
	g_ptr_array_unref(names);
}

/* The option of "-j4", which GLib wants as "-j 4"; NULL when the word is no such thing. */
static const GOptionEntry *attached(const GOptionEntry *entries, const char *word)
{
	if (word[0] != '-' || !word[1] || word[1] == '-' || !word[2])
		return NULL;
	for (; entries->long_name; entries++) {
		if (entries->short_name == word[1] && entries->arg != G_OPTION_ARG_NONE)
			return entries;
	}
	return NULL;
}

/* A copy of the call under the name @program, with attached values taken off their options. */
static char **split_words(const GOptionEntry *entries, int argc, char **argv, const char *program)
{
	GPtrArray *words = g_ptr_array_new();
	bool options = true;

	g_ptr_array_add(words, g_strdup(program));
	for (int i = 1; i < argc; i++) {
		options &= strcmp(argv[i], "--") != 0;
		if (options && attached(entries, argv[i])) {
			g_ptr_array_add(words, g_strndup(argv[i], 2));
			g_ptr_array_add(words, g_strdup(argv[i] + 2 + (argv[i][2] == '=')));
		} else {
			g_ptr_array_add(words, g_strdup(argv[i]));
		}
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

char **cli_parse(const struct command *cmd, const GOptionEntry *entries, int argc, char **argv,
		 int min, int max)
{
	GOptionContext *c = g_option_context_new(cmd->usage);
	char *program = g_strdup_printf("wlanq %s", cmd->name);
	char **args = split_words(entries, argc, argv, program), **left = NULL;
	GError *error = NULL;
	int n;

	g_option_context_set_summary(c, cmd->about);
	if (cmd->examples)
		g_option_context_set_description(c, cmd->examples);
	g_option_context_add_main_entries(c, entries, NULL);
	g_set_prgname(program);
	if (!g_option_context_parse_strv(c, &args, &error)) {
		if (g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
			tell_option(cmd, entries, error->message);
		else
			cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
	} else {
		/* "--" ends the options and is no operand. */
		left = args[1] && !strcmp(args[1], "--") ? g_strdupv(args + 2)
							 : g_strdupv(args + 1);
		n = (int)g_strv_length(left);
		if (n < min || (max >= 0 && n > max)) {
			if (n < min)
				cli_usage(cmd, "something is missing: wlanq %s %s", cmd->name,
					  cmd->usage);
			else
				cli_usage(cmd, "'%s' is too much: wlanq %s %s", left[max],
					  cmd->name, cmd->usage);
			g_clear_pointer(&left, g_strfreev);
		}
	}
	g_strfreev(args);
	g_option_context_free(c);
	g_free(program);
	return left;
}

bool cli_number(const struct command *cmd, const char *option, const char *text, uint64_t min,
		uint64_t *value)
{
	if (g_ascii_string_to_unsigned(text, 10, min, INT64_MAX, value, NULL))
		return true;
	cli_usage(cmd, "%s is '%s'; it takes a whole number of at least %" G_GUINT64_FORMAT, option,
		  text, min);
	return false;
}

struct scenario *cli_load(const char *file, char **sets, const struct registry *reg)
{
	return cli_load_if_core(file, sets, reg, NULL);
}

struct scenario *cli_load_if_core(const char *file, char **sets, const struct registry *reg,
				  bool *no_core)
{
	struct errors errors;
	struct scenario *s;

	errors_init(&errors);
	s = scenario_load(file, reg, (const char *const *)sets, sets ? g_strv_length(sets) : 0,
			  &errors);
	if (!s && no_core && errors.no_core) {
		*no_core = true;
	} else if (!s) {
		GString *text = errors_text(&errors);

		fputs(text->str, stderr);
		g_string_free(text, TRUE);
	}
	errors_clear(&errors);
	return s;
}

void cli_print_json(json_t *doc)
{
	struct json_text t = {.out = g_string_new(NULL)};

	json_text_value(&t, doc);
	g_string_append_c(t.out, '\n');
	cli_print(t.out);
	json_decref(doc);
}

void cli_print(GString *text)
{
	fputs(text->str, stdout);
	g_string_free(text, TRUE);
}

struct cores *cli_cores(const struct command *cmd, char **given)
{
	char *folder = core_folder();
	struct cores *cores = cores_new(folder);
	bool ok = true;

	for (; given && *given && ok; given++) {
		char **parts = g_strsplit(*given, "=", 2);
		GError *err = NULL;

		if (!parts[0] || !parts[1]) {
			cli_usage(cmd, "--core is '%s'; it takes NAME=FILE", *given);
			ok = false;
		} else if (!cores_add(cores, parts[0], parts[1], &err)) {
			cli_usage(cmd, "--core: %s", err->message);
			g_error_free(err);
			ok = false;
		}
		g_strfreev(parts);
	}
	if (!ok)
		g_clear_pointer(&cores, cores_free);
	g_free(folder);
	return cores;
}

const char *cli_core_files(void *cores, const char *name)
{
	const struct core *core = cores_get(cores, name, NULL);

	/* A scenario that names a core which is not there does not get this far. */
	return core ? core->sha256 : "";
}
