// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "cli/cli.h"
#include "registry.h"
#include "report/reference.h"
#include "scenario/show.h"

static int show_one(const char *name)
{
	struct errors errors;
	GString *text;

	errors_init(&errors);
	text = show_model(&models_builtin, name, &errors);
	if (text) {
		cli_print(text);
	} else {
		GString *why = errors_text(&errors);

		fputs(why->str, stderr);
		g_string_free(why, TRUE);
	}
	errors_clear(&errors);
	return text ? STATUS_WELL : STATUS_USAGE;
}

int cmd_models(const struct command *cmd, int argc, char **argv)
{
	char *pages = NULL;
	const GOptionEntry entries[] = {
		{"pages", 0, 0, G_OPTION_ARG_FILENAME, &pages,
		 "Write the reference pages of docs/reference/ into DIR", "DIR"},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 0, 1);
	GError *error = NULL;
	int status = STATUS_WELL;

	if (!args) {
		status = STATUS_USAGE;
	} else if (pages) {
		if (!reference_write(&models_builtin, pages, &error)) {
			status = cli_usage(cmd, "%s", error->message);
			g_clear_error(&error);
		}
	} else if (args[0]) {
		status = show_one(args[0]);
	} else {
		cli_print(show_models(&models_builtin));
	}
	g_free(pages);
	g_strfreev(args);
	return status;
}
