// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "registry.h"
#include "report/export.h"
#include "report/flent.h"
#include "sweep/sweep.h"

static int export_as_csv(const struct command *cmd, const struct results *r, const char *file)
{
	GError *error = NULL;
	GString *csv = export_csv(r, &error);
	bool ok = csv && (!file || g_file_set_contents(file, csv->str, (gssize)csv->len, &error));

	if (csv && !file)
		cli_print(csv);
	else if (csv)
		g_string_free(csv, TRUE);
	if (!ok) {
		cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
		return STATUS_USAGE;
	}
	return STATUS_WELL;
}

/* What --set ("sets") or --core ("cores") gave to the sweep. */
static char **given_to_sweep(const struct results *r, const char *key)
{
	const json_t *given = json_object_get(r->manifest, key), *word;
	GPtrArray *list = g_ptr_array_new();
	size_t i;

	json_array_foreach(given, i, word)
	{
		if (json_is_string(word))
			g_ptr_array_add(list, g_strdup(json_string_value(word)));
	}
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/*
 * The runs again, with what flent shows over time: the same seeds give the same runs. What the folder then
 * holds; NULL when it cannot be done.
 */
static struct results *follow(const struct results *r, const struct scenario *s, char **sets,
			      char **cores, struct cores *loaded, GError **error)
{
	char **series = export_flent_series(s);
	struct sweep_options opt = {
		.dir = r->store->dir,
		.shard = 1,
		.n_shards = 1,
		.timeout_ms = SWEEP_TIMEOUT_MS,
		.memory_bytes = SWEEP_MEMORY_BYTES,
		.version = cli_version(),
		.commit = cli_commit(),
		.file = r->file,
		.sets = (const char *const *)sets,
		.cores = (const char *const *)cores,
		.series = (const char *const *)series,
		.core_files = cli_core_files,
		.core_arg = loaded,
	};
	struct sweep_outcome out = {0};
	struct errors errors;
	struct expansion *x;

	errors_init(&errors);
	x = scenario_expand(s, &errors);
	if (!x || !sweep_matches(x, &opt, r))
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
			    "%s has changed since %s was made; sweep it again", r->file,
			    r->store->dir);
	else if (sweep_run(x, &opt, &out, error) && out.stopped_by)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INTR, "stopped");
	if (out.stopped_by)
		g_clear_pointer(&out.results, results_free);
	expansion_free(x);
	errors_clear(&errors);
	g_strfreev(series);
	return out.results;
}

static bool write_all(const struct results *r, const char *folder, GError **error)
{
	g_mkdir_with_parents(folder, 0777);
	for (uint32_t i = 0; i < r->n_rows; i++) {
		char *name, *path;
		json_t *doc;
		bool ok;

		if (!row_ok(&r->rows[i]))
			continue;
		doc = export_flent(r, &r->rows[i], error);
		if (!doc)
			return false;
		name = export_flent_name(r, &r->rows[i]);
		path = g_build_filename(folder, name, NULL);
		ok = flent_write(path, doc, error);
		if (ok)
			printf("%s\n", path);
		json_decref(doc);
		g_free(name);
		g_free(path);
		if (!ok)
			return false;
	}
	return true;
}

static int export_as_flent(const struct command *cmd, const struct results *r, const char *folder)
{
	char *file = cli_find_scenario(cmd, r->file);
	char **sets = given_to_sweep(r, "sets"), **cores = given_to_sweep(r, "cores");
	struct registry reg = {.classes = models_builtin.classes, .cores = cli_cores(cmd, cores)};
	struct scenario *s = file && reg.cores ? cli_load(file, sets, &reg) : NULL;
	char *into = folder ? g_strdup(folder) : g_build_filename(r->store->dir, "flent", NULL);
	struct results *followed = NULL;
	int status = STATUS_USAGE;
	GError *error = NULL;

	if (s)
		followed = follow(r, s, sets, cores, reg.cores, &error);
	if (followed && write_all(followed, into, &error))
		status = STATUS_WELL;
	if (error)
		cli_usage(cmd, "%s", error->message);
	g_clear_error(&error);
	results_free(followed);
	if (s)
		scenario_free(s);
	if (reg.cores)
		cores_free(reg.cores);
	g_strfreev(sets);
	g_strfreev(cores);
	g_free(into);
	g_free(file);
	return status;
}

int cmd_export(const struct command *cmd, int argc, char **argv)
{
	gboolean flent = FALSE, csv = FALSE;
	char *output = NULL;
	const GOptionEntry entries[] = {
		{"flent", 0, 0, G_OPTION_ARG_NONE, &flent, "A file of flent's for each run", NULL},
		{"csv", 0, 0, G_OPTION_ARG_NONE, &csv, "All samples and buckets, on stdout", NULL},
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
		 "The folder for --flent, the file for --csv", "PATH"},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	GError *error = NULL;
	struct results *r = NULL;
	int status = STATUS_USAGE;

	if (args && flent == csv)
		cli_usage(cmd, "say one of --flent and --csv");
	else if (args)
		r = results_open(args[0], &error);
	if (r)
		status = csv ? export_as_csv(cmd, r, output) : export_as_flent(cmd, r, output);
	if (error)
		cli_usage(cmd, "%s", error->message);
	g_clear_error(&error);
	results_free(r);
	g_free(output);
	g_strfreev(args);
	return status;
}
