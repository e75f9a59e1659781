// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "report/plot.h"

struct plot_call {
	char *cdf, *series, *by, *with, *file, *only;
};

static void call_clear(struct plot_call *call)
{
	g_free(call->cdf);
	g_free(call->series);
	g_free(call->by);
	g_free(call->with);
	g_free(call->file);
	g_free(call->only);
}

/* Where the picture number @i goes: the file that was asked for, "x-2.png" for a second one, or DIR/plots/. */
static char *picture_path(const struct plot_call *call, const char *dir,
			  const struct plot_request *q, guint i)
{
	const char *end;
	char *name, *path;

	if (!call->file) {
		name = plot_name(q);
		path = g_strdup_printf("%s/plots/%s.png", dir, name);
		g_free(name);
		return path;
	}
	end = strrchr(call->file, '.');
	if (i == 0 || !end)
		return g_strdup(call->file);
	return g_strdup_printf("%.*s-%u%s", (int)(end - call->file), call->file, i + 1, end);
}

static int draw_all(const struct command *cmd, const struct plot_call *call, const char *dir,
		    const struct results *r, const GArray *list)
{
	uint32_t left_out = 0;

	if (list->len == 0)
		return cli_usage(cmd,
				 "nothing in %s has a distribution to draw; --cdf METRIC names one",
				 dir);
	for (guint i = 0; i < list->len; i++) {
		const struct plot_request *q = &g_array_index(list, struct plot_request, i);
		char *path = picture_path(call, dir, q, i);
		GError *error = NULL;
		bool ok = plot_draw(r, q, path, &left_out, &error);

		if (ok)
			printf("%s\n", path);
		g_free(path);
		if (!ok) {
			cli_usage(cmd, "%s", error->message);
			g_clear_error(&error);
			return STATUS_USAGE;
		}
	}
	if (left_out > 0)
		fprintf(stderr,
			"wlanq plot: %u of %u runs are left out: they are missing or did not end well\n",
			left_out, r->n_rows);
	return STATUS_WELL;
}

static int plot(const struct command *cmd, const struct plot_call *call, const char *dir)
{
	GError *error = NULL;
	struct results *r = results_open(dir, &error);
	struct flent *with = r && call->with ? flent_read(call->with, &error) : NULL;
	char **only = call->only ? g_strsplit(call->only, ",", -1) : NULL;
	int status = STATUS_USAGE;
	GArray *list = NULL;

	if (error) {
		cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
	} else {
		if (call->cdf || call->series) {
			struct plot_request q = {.series = !call->cdf,
						 .metric = call->cdf ? call->cdf : call->series};

			list = g_array_new(FALSE, FALSE, sizeof(q));
			g_array_append_val(list, q);
		} else {
			list = plot_declared(r);
		}
		for (guint i = 0; i < list->len; i++) {
			struct plot_request *q = &g_array_index(list, struct plot_request, i);

			q->with = with;
			q->only = only;
			if (call->by)
				q->by = call->by;
		}
		status = draw_all(cmd, call, dir, r, list);
		g_array_unref(list);
	}
	g_strfreev(only);
	flent_free(with);
	results_free(r);
	return status;
}

int cmd_plot(const struct command *cmd, int argc, char **argv)
{
	struct plot_call call = {0};
	const GOptionEntry entries[] = {
		{"cdf", 0, 0, G_OPTION_ARG_STRING, &call.cdf,
		 "The distribution of METRIC, such as ping.rtt_ms", "METRIC"},
		{"series", 0, 0, G_OPTION_ARG_STRING, &call.series,
		 "PROBE over time, where the runs recorded it", "PROBE"},
		{"by", 0, 0, G_OPTION_ARG_STRING, &call.by,
		 "A curve for each value of an axis, `case` or `seed`", "KEY"},
		{"only", 0, 0, G_OPTION_ARG_STRING, &call.only,
		 "Draw these curves alone: labels with * and ?, commas between", "PATTERNS"},
		{"with", 0, 0, G_OPTION_ARG_FILENAME, &call.with,
		 "Draw a real run of flent's beside", "FILE.flent.gz"},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &call.file,
		 "The picture: .png, .svg or .pdf; DIR/plots/ otherwise", "FILE"},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	GError *error = NULL;
	int status = STATUS_USAGE;

	if (!args) {
		/* It has been told. */
	} else if (call.cdf && call.series) {
		cli_usage(cmd, "--cdf and --series are two pictures; choose one");
	} else if (call.file && !picture_known(call.file, &error)) {
		cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
	} else {
		status = plot(cmd, &call, args[0]);
	}
	call_clear(&call);
	g_strfreev(args);
	return status;
}
