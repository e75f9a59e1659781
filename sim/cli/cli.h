/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the subcommands share: options, scenarios by name, how a wrong call is told. A subcommand is a file
 * cmd-NAME.c with one function, and a line in main.c.
 */
#ifndef WLANQ_CLI_CLI_H
#define WLANQ_CLI_CLI_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#include "scenario/core.h"
#include "scenario/expand.h"

enum exit_status {
	STATUS_WELL = 0,
	STATUS_CHECK = 1, /* a check failed, or it became worse */
	STATUS_USAGE = 2, /* wrong call or scenario; nothing ran, nothing was written */
	STATUS_RUN = 3, /* a run failed */
	STATUS_UNDECIDED = 4,
};

struct command {
	const char *name; /* "core build" has two words */
	const char *usage; /* what follows the name */
	const char *about; /* one line */
	const char *examples; /* lines, shown by --help */
	int (*run)(const struct command *cmd, int argc, char **argv);
};

int cmd_run(const struct command *cmd, int argc, char **argv);
int cmd_sweep(const struct command *cmd, int argc, char **argv);
int cmd_plot(const struct command *cmd, int argc, char **argv);
int cmd_report(const struct command *cmd, int argc, char **argv);
int cmd_export(const struct command *cmd, int argc, char **argv);
int cmd_compare(const struct command *cmd, int argc, char **argv);
int cmd_check(const struct command *cmd, int argc, char **argv);
int cmd_validate(const struct command *cmd, int argc, char **argv);
int cmd_models(const struct command *cmd, int argc, char **argv);
int cmd_core(const struct command *cmd, int argc, char **argv);
int cmd_schema(const struct command *cmd, int argc, char **argv);

/*
 * Takes the options out of @argv, whose first is the command itself; what is left are between @min and @max
 * operands (@max < 0: any number), which it returns as a list that ends with NULL, to be freed with
 * g_strfreev(). NULL when the call is wrong, which has then been told. --help ends the program.
 */
char **cli_parse(const struct command *cmd, const GOptionEntry *entries, int argc, char **argv,
		 int min, int max);

/* "wlanq run: MESSAGE" to stderr; returns STATUS_USAGE. */
int cli_usage(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The file of a scenario that was given as a path or as the name of an installed one ("iwl3945-ring"). NULL
 * when there is none, which has then been told with the nearest name. To be freed.
 */
char *cli_find_scenario(const struct command *cmd, const char *name);

/* All scenarios that are installed, sorted; ends with NULL, to be freed with g_strfreev(). */
char **cli_all_scenarios(void);

/* A whole number >= @min; false when @text is none, which has then been told. */
bool cli_number(const struct command *cmd, const char *option, const char *text, uint64_t min,
		uint64_t *value);

/* Reads a scenario; NULL when it has errors, which have then been told. @sets may be NULL, else ends with NULL. */
struct scenario *cli_load(const char *file, char **sets, const struct registry *reg);
/* The same; but when it asks for a core that has not been built, nothing is told and *@no_core is set. */
struct scenario *cli_load_if_core(const char *file, char **sets, const struct registry *reg,
				  bool *no_core);

/* Prints @doc on stdout and frees it. */
void cli_print_json(json_t *doc);

/* Prints @text on stdout and frees it. */
void cli_print(GString *text);

/* The program's version and the commit that it was built from, "" when not known. */
const char *cli_version(void);
const char *cli_commit(void);

/*
 * The cores that can be asked for: the built ones, and @given ("NAME=FILE" of --core, may be NULL). NULL when one is
 * wrong, which has then been told. To be freed with cores_free().
 */
struct cores *cli_cores(const struct command *cmd, char **given);

/* --core as an option of a subcommand, into the char **@where; what cli_cores() takes. */
#define CLI_CORE_OPTION(where)                                                                     \
	{                                                                                          \
		"core", 0, 0, G_OPTION_ARG_STRING_ARRAY, where,                                    \
			"The file of a core that the scenario names; may be repeated", "NAME=FILE" \
	}

/* The hash of a core's files, for sweep_options.core_files; @cores is a struct cores. */
const char *cli_core_files(void *cores, const char *core);

#endif
