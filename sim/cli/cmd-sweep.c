// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "registry.h"
#include "report/sweep-text.h"
#include "sweep/progress.h"
#include "sweep/sweep.h"

struct sweep_call {
	char **sets, **traces, **cores;
	char *dir, *shard, *jobs, *timeout, *memory;
	gboolean fresh, quiet;
};

static void call_clear(struct sweep_call *call)
{
	g_strfreev(call->sets);
	g_strfreev(call->traces);
	g_strfreev(call->cores);
	g_free(call->dir);
	g_free(call->shard);
	g_free(call->jobs);
	g_free(call->timeout);
	g_free(call->memory);
}

static bool parse_shard(const struct command *cmd, const char *text, struct sweep_options *opt)
{
	char **parts = g_strsplit(text, "/", 2);
	guint64 i = 0, n = 0;
	bool ok = parts[0] && parts[1] &&
		  g_ascii_string_to_unsigned(parts[1], 10, 1, UINT32_MAX, &n, NULL) &&
		  g_ascii_string_to_unsigned(parts[0], 10, 1, n, &i, NULL);

	if (!ok)
		cli_usage(cmd, "--shard is '%s'; it takes I/N with I from 1 to N, such as 1/3",
			  text);
	opt->shard = (uint32_t)i;
	opt->n_shards = (uint32_t)n;
	g_strfreev(parts);
	return ok;
}

static bool options_of(const struct command *cmd, const struct sweep_call *call,
		       struct sweep_options *opt)
{
	uint64_t n;

	*opt = (struct sweep_options){
		.shard = 1,
		.n_shards = 1,
		.fresh = call->fresh,
		.quiet = call->quiet,
		.timeout_ms = SWEEP_TIMEOUT_MS,
		.memory_bytes = SWEEP_MEMORY_BYTES,
		.version = cli_version(),
		.commit = cli_commit(),
		.core_files = cli_core_files,
	};
	if (call->shard && !parse_shard(cmd, call->shard, opt))
		return false;
	if (call->jobs) {
		if (!cli_number(cmd, "-j", call->jobs, 1, &n))
			return false;
		opt->workers = (uint32_t)MIN(n, 4096);
	}
	if (call->timeout) {
		if (!cli_number(cmd, "--timeout", call->timeout, 0, &n))
			return false;
		opt->timeout_ms = (int64_t)MIN(n, 1000000000) * 1000;
	}
	if (call->memory) {
		if (!cli_number(cmd, "--memory", call->memory, 0, &n))
			return false;
		opt->memory_bytes = MIN(n, 1ULL << 40) << 20;
	}
	return true;
}

static void print_results(const struct sweep_options *opt, const struct sweep_outcome *out)
{
	GString *text = g_string_new(NULL);

	sweep_text(out->results, text);
	g_string_append_printf(text, "\n%s/" SUMMARY_NAME ": %u runs, %u made now", opt->dir,
			       out->planned, out->made);
	if (out->others)
		g_string_append_printf(text, "; %u of earlier plans are kept in runs/",
				       out->others);
	g_string_append_c(text, '\n');
	cli_print(text);
}

/* Ended by SIGINT as a program is that does not catch it, so that shells and scripts see it. */
static void die_of(int signal)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};

	fflush(NULL);
	sigaction(signal, &standard, NULL);
	raise(signal);
}

static int sweep(const struct command *cmd, const struct scenario *s, struct sweep_options *opt)
{
	struct sweep_outcome out = {0};
	struct errors errors;
	struct expansion *x;
	GError *error = NULL;
	int status = STATUS_USAGE;

	errors_init(&errors);
	x = scenario_expand(s, &errors);
	if (!x || !expansion_try(x, &errors)) {
		GString *text = errors_text(&errors);

		fputs(text->str, stderr);
		g_string_free(text, TRUE);
	} else if (!sweep_run(x, opt, &out, &error)) {
		cli_usage(cmd, "%s", error->message);
		g_clear_error(&error);
	} else if (out.stopped_by) {
		fprintf(stderr,
			"wlanq sweep: stopped, %u of %u runs are there; start again for the rest\n",
			out.kept + out.made, out.planned);
		die_of(out.stopped_by);
	} else {
		print_results(opt, &out);
		status = out.failed ? STATUS_RUN : STATUS_WELL;
	}
	results_free(out.results);
	expansion_free(x);
	errors_clear(&errors);
	return status;
}

int cmd_sweep(const struct command *cmd, int argc, char **argv)
{
	struct sweep_call call = {0};
	const GOptionEntry entries[] = {
		{"output", 'o', 0, G_OPTION_ARG_FILENAME, &call.dir,
		 "The result folder, results/NAME otherwise", "DIR"},
		{"jobs", 'j', 0, G_OPTION_ARG_STRING, &call.jobs,
		 "Workers, one a processor otherwise", "N"},
		{"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &call.sets,
		 "Set a parameter, or case=NAME; may be repeated", "KEY=VALUE"},
		{"trace", 0, 0, G_OPTION_ARG_STRING_ARRAY, &call.traces,
		 "Record a probe over time, for plot --series; may be repeated", "PROBE"},
		CLI_CORE_OPTION(&call.cores),
		{"shard", 0, 0, G_OPTION_ARG_STRING, &call.shard,
		 "Make the I-th of N parts of the runs, I from 1", "I/N"},
		{"fresh", 0, 0, G_OPTION_ARG_NONE, &call.fresh, "Make again what is there", NULL},
		{"timeout", 0, 0, G_OPTION_ARG_STRING, &call.timeout,
		 "Time that a run may take, 600 otherwise, 0 for ever", "SECONDS"},
		{"memory", 0, 0, G_OPTION_ARG_STRING, &call.memory,
		 "Memory that a worker may take, 2048 otherwise, 0 for all", "MIB"},
		{"quiet", 'q', 0, G_OPTION_ARG_NONE, &call.quiet, "No progress", NULL},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	char *file = args ? cli_find_scenario(cmd, args[0]) : NULL;
	struct registry reg = models_builtin;
	struct sweep_options opt;
	int status = STATUS_USAGE;

	reg.cores = file ? cli_cores(cmd, call.cores) : NULL;
	if (reg.cores && options_of(cmd, &call, &opt)) {
		struct scenario *s = cli_load(file, call.sets, &reg);

		if (s) {
			char *dir = call.dir ? g_strdup(call.dir)
					     : g_build_filename("results", s->name, NULL);

			opt.dir = dir;
			opt.file = args[0];
			opt.sets = (const char *const *)call.sets;
			opt.series = (const char *const *)call.traces;
			opt.cores = (const char *const *)call.cores;
			opt.core_arg = reg.cores;
			status = sweep(cmd, s, &opt);
			g_free(dir);
			scenario_free(s);
		}
	}
	cores_free(reg.cores);
	call_clear(&call);
	g_free(file);
	g_strfreev(args);
	return status;
}
