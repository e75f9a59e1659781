// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "report/compare.h"

static void warn_incomplete(const struct command *cmd, const struct results *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_rows; i++)
		n += !row_ok(&r->rows[i]);
	if (n > 0)
		fprintf(stderr, "wlanq %s: %u of %u runs in %s are missing or did not end well\n",
			cmd->name, n, r->n_rows, r->store->dir);
}

static struct comparison *compare(const struct command *cmd, char **args,
				  const struct compare_options *opt, GError **error)
{
	struct results *new = results_open(args[1], error), *base = NULL;
	struct comparison *c = NULL;

	if (!new)
		return NULL;
	warn_incomplete(cmd, new);
	if (flent_is(args[0])) {
		struct flent *real = flent_read(args[0], error);

		if (real)
			c = compare_flent(real, new, opt, error);
		flent_free(real);
	} else {
		base = results_open(args[0], error);
		if (base) {
			warn_incomplete(cmd, base);
			c = compare_results(base, new, opt, error);
		}
	}
	results_free(base);
	results_free(new);
	return c;
}

static int status_of(enum verdict v)
{
	return v == VERDICT_WORSE	? STATUS_CHECK
	       : v == VERDICT_UNDECIDED ? STATUS_UNDECIDED
					: STATUS_WELL;
}

static bool parse_margin(const struct command *cmd, const char *text, double *margin)
{
	char *end;
	double v = g_ascii_strtod(text, &end);

	if (end == text || (*end && !(*end == '%' && !end[1])) || !(v >= 0 && v < 1000)) {
		cli_usage(cmd, "--margin is '%s'; it takes percents, such as 2%%", text);
		return false;
	}
	*margin = v / 100;
	return true;
}

int cmd_compare(const struct command *cmd, int argc, char **argv)
{
	struct compare_options opt = {.margin = -1};
	char *metric = NULL, *margin = NULL;
	gboolean json = FALSE;
	const GOptionEntry entries[] = {
		{"metric", 0, 0, G_OPTION_ARG_STRING, &metric,
		 "Judge these metrics, as a pattern with * and ?", "PATTERN"},
		{"margin", 0, 0, G_OPTION_ARG_STRING, &margin,
		 "What difference does not matter; 1% otherwise", "PERCENT"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 2, 2);
	struct comparison *c = NULL;
	int status = STATUS_USAGE;
	GError *error = NULL;

	opt.metrics = metric;
	if (args && (!margin || parse_margin(cmd, margin, &opt.margin))) {
		c = compare(cmd, args, &opt, &error);
		if (!c) {
			cli_usage(cmd, "%s", error->message);
			g_clear_error(&error);
		} else if (json) {
			cli_print_json(comparison_json(c));
		} else {
			GString *text = g_string_new(NULL);

			comparison_text(c, text);
			cli_print(text);
		}
		if (c)
			status = status_of(c->verdict);
		comparison_free(c);
	}
	g_free(metric);
	g_free(margin);
	g_strfreev(args);
	return status;
}
