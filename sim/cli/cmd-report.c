// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "cli/cli.h"
#include "report/html.h"

#define REPORT_NAME "report.html"

static bool report(const char *dir, const char *file, GError **error)
{
	struct results *r = results_open(dir, error);
	GString *html = r ? html_report(r, error) : NULL;
	bool ok = html && g_file_set_contents(file, html->str, (gssize)html->len, error);

	if (html)
		g_string_free(html, TRUE);
	results_free(r);
	return ok;
}

int cmd_report(const struct command *cmd, int argc, char **argv)
{
	char *file = NULL;
	const GOptionEntry entries[] = {
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &file,
		 "The file, DIR/" REPORT_NAME " otherwise", "FILE"},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	GError *error = NULL;
	int status = STATUS_USAGE;

	if (args) {
		if (!file)
			file = g_build_filename(args[0], REPORT_NAME, NULL);
		if (report(args[0], file, &error)) {
			printf("%s\n", file);
			status = STATUS_WELL;
		} else {
			cli_usage(cmd, "%s", error->message);
			g_clear_error(&error);
		}
	}
	g_free(file);
	g_strfreev(args);
	return status;
}
