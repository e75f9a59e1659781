// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "registry.h"
#include "report/check.h"
#include "scenario/tree.h"

struct check_call {
	char **sets, **cores;
	struct registry reg;
	char *dir, *jobs, *baseline;
	gboolean json, quiet, sensitivity;
	bool all; /* of the folder: what asks for a core that was not built is left out */
};

static void call_clear(struct check_call *call)
{
	g_strfreev(call->sets);
	g_strfreev(call->cores);
	cores_free(call->reg.cores);
	g_free(call->dir);
	g_free(call->jobs);
	g_free(call->baseline);
}

/* What all files come to. */
struct check_total {
	json_t *scenarios;
	uint32_t passed, failed, worse, failed_runs;
	bool wrong; /* a scenario that cannot be read */
	int stopped_by;
};

static int status_of(const struct check_total *t)
{
	if (t->wrong)
		return STATUS_USAGE;
	if (t->failed_runs > 0)
		return STATUS_RUN;
	return t->failed > 0 || t->worse > 0 ? STATUS_CHECK : STATUS_WELL;
}

/* "PATH=VALUE" with the calibrated value times @factor; a count stays a whole number. */
static char *calibrated_set(const struct scenario_calibration *c, double factor)
{
	char *unit, number[G_ASCII_DTOSTR_BUF_SIZE];
	double v = g_ascii_strtod(c->set.value->text, &unit) * factor;
	bool whole = !*unit && !strchr(c->set.value->text, '.');

	g_ascii_formatd(number, sizeof(number), "%.9g", whole ? round(v) : v);
	return g_strdup_printf("%s=%s%s", c->set.path, number, unit);
}

/*
 * Do the conclusions hang on the value that was fitted? They are judged again with it varied down and up by its
 * sensitivity. That is told and fails nothing.
 */
static void check_sensitivity(const struct command *cmd, const struct check_call *call,
			      const struct scenario *s, const struct check_options *given,
			      json_t *told)
{
	struct check_options opt = *given;
	double part = (double)s->calibration->sensitivity / 1e6;

	opt.keep_dir = opt.baseline_dir = NULL;
	for (int sign = -1; sign <= 1; sign += 2) {
		char *set = calibrated_set(s->calibration, 1 + sign * part);
		GPtrArray *sets = g_ptr_array_new();
		struct scenario *varied;
		struct check *c = NULL;
		struct errors errors;

		for (char **old = call->sets; old && *old; old++)
			g_ptr_array_add(sets, *old);
		g_ptr_array_add(sets, set);
		g_ptr_array_add(sets, NULL);
		errors_init(&errors);
		opt.sweep.sets = (const char *const *)sets->pdata;
		varied = cli_load(s->file, (char **)sets->pdata, &call->reg);
		if (varied)
			c = check_run(varied, &opt, &errors, NULL);
		if (c && call->json) {
			json_t *doc = check_json(c);

			json_object_set_new(doc, "set", json_string(set));
			json_array_append_new(told, doc);
		} else if (c) {
			GString *text = g_string_new(NULL);

			g_string_append_printf(text, "  with %s (%+.0f %%): %u of %u hold\n", set,
					       sign * part * 100, c->passed, c->passed + c->failed);
			verify_text_failed(c->lines, text);
			cli_print(text);
		}
		check_free(c);
		if (varied)
			scenario_free(varied);
		errors_clear(&errors);
		g_ptr_array_unref(sets);
		g_free(set);
	}
}

static bool wants_sensitivity(const struct check_call *call, const struct scenario *s)
{
	return call->sensitivity && s->calibration && s->calibration->sensitivity > 0 &&
	       s->calibration->set.value->type == NODE_SCALAR;
}

static void check_scenario(const struct command *cmd, const struct check_call *call,
			   const struct scenario *s, const char *file, struct check_options *opt,
			   struct check_total *total)
{
	struct check *c;
	struct errors errors;
	GError *error = NULL;
	json_t *told;

	errors_init(&errors);
	opt->sweep.file = file;
	c = check_run(s, opt, &errors, &error);
	if (!c) {
		GString *text = errors_text(&errors);

		fputs(text->str, stderr);
		g_string_free(text, TRUE);
		if (error)
			cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
		total->wrong = true;
	} else {
		total->passed += c->passed;
		total->failed += c->failed;
		total->failed_runs += c->failed_runs;
		total->worse += c->worse;
		total->stopped_by = c->stopped_by;
		if (!call->json && !c->stopped_by)
			cli_print(check_text(c));
		told = json_array();
		if (!c->stopped_by && wants_sensitivity(call, s))
			check_sensitivity(cmd, call, s, opt, told);
		if (call->json) {
			json_t *doc = check_json(c);

			if (json_array_size(told) > 0)
				json_object_set(doc, "sensitivity", told);
			json_array_append_new(total->scenarios, doc);
		}
		json_decref(told);
	}
	fflush(stdout);
	check_free(c);
	errors_clear(&errors);
}

static void check_file(const struct command *cmd, const struct check_call *call, const char *name,
		       struct check_options *opt, struct check_total *total)
{
	char *file = cli_find_scenario(cmd, name);
	struct scenario *s = NULL;
	bool no_core = false;

	if (file)
		s = cli_load_if_core(file, call->sets, &call->reg, call->all ? &no_core : NULL);
	if (s)
		check_scenario(cmd, call, s, file, opt, total);
	else if (no_core)
		fprintf(stderr, "%s is skipped: its core has not been built\n", file);
	else
		total->wrong = true;
	if (s)
		scenario_free(s);
	g_free(file);
}

static int check_all(const struct command *cmd, const struct check_call *call, char **files,
		     struct check_options *opt)
{
	struct check_total total = {.scenarios = json_array()};

	for (char **f = files; *f && !total.stopped_by; f++)
		check_file(cmd, call, *f, opt, &total);
	if (total.stopped_by) {
		struct sigaction standard = {.sa_handler = SIG_DFL};

		fprintf(stderr, "wlanq check: stopped\n");
		fflush(NULL);
		sigaction(total.stopped_by, &standard, NULL);
		raise(total.stopped_by);
	}
	if (call->json) {
		cli_print_json(json_pack("{s:i, s:i, s:i, s:O}", "format", 1, "passed",
					 (int)total.passed, "failed", (int)total.failed,
					 "scenarios", total.scenarios));
	} else if (g_strv_length(files) > 1) {
		printf("%u passed, %u failed", total.passed, total.failed);
		if (total.worse)
			printf(", %u worse than their baseline", total.worse);
		if (total.failed_runs)
			printf(", %u runs FAILED", total.failed_runs);
		printf("\n");
	}
	json_decref(total.scenarios);
	return status_of(&total);
}

int cmd_check(const struct command *cmd, int argc, char **argv)
{
	struct check_call call = {.reg = models_builtin};
	const GOptionEntry entries[] = {
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &call.dir,
		 "Keep the runs in DIR/NAME, and use those that are there", "DIR"},
		{"jobs", 'j', 0, G_OPTION_ARG_STRING, &call.jobs,
		 "Workers, one a processor otherwise", "N"},
		{"baseline", 0, 0, G_OPTION_ARG_FILENAME, &call.baseline,
		 "Compare with DIR/NAME where there is one; results/baseline otherwise", "DIR"},
		{"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &call.sets,
		 "Set a parameter; may be repeated", "KEY=VALUE"},
		CLI_CORE_OPTION(&call.cores),
		{"sensitivity", 0, 0, G_OPTION_ARG_NONE, &call.sensitivity,
		 "Judge again with the calibrated value varied; it fails nothing", NULL},
		{"json", 0, 0, G_OPTION_ARG_NONE, &call.json, "Print JSON", NULL},
		{"quiet", 'q', 0, G_OPTION_ARG_NONE, &call.quiet, "No progress", NULL},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 0, -1);
	char **all = args && !*args ? cli_all_scenarios() : NULL;
	char **files = all ? all : args;
	struct check_options opt = {
		.keep_dir = call.dir,
		.baseline_dir = call.baseline ? call.baseline : "results/baseline",
		.sweep = {.version = cli_version(),
			  .commit = cli_commit(),
			  .core_files = cli_core_files,
			  .sets = (const char *const *)call.sets,
			  .cores = (const char *const *)call.cores,
			  .quiet = call.quiet},
	};
	int status = STATUS_USAGE;
	uint64_t jobs = 0;

	call.all = all;
	if (args)
		call.reg.cores = cli_cores(cmd, call.cores);
	opt.sweep.core_arg = call.reg.cores;
	if (call.reg.cores && (!call.jobs || cli_number(cmd, "-j", call.jobs, 1, &jobs))) {
		opt.sweep.workers = (uint32_t)MIN(jobs, 4096);
		if (*files)
			status = check_all(cmd, &call, files, &opt);
		else
			cli_usage(cmd, "there is no folder scenarios/ here, and none is installed");
	}
	g_strfreev(all);
	g_strfreev(args);
	call_clear(&call);
	return status;
}
