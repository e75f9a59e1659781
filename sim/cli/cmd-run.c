// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"
#include "measure/capture.h"
#include "registry.h"
#include "report/run-profile.h"
#include "report/run-text.h"
#include "scenario/metric-names.h"
#include "scenario/run.h"
#include "sweep/decimal.h"
#include "sweep/record.h"

struct run_call {
	char **sets, **traces, **cores;
	char *seed, *pcap, *snaplen;
	uint64_t kept; /* bytes of a frame in captures */
	gboolean json, anatomy, profile;
};

static void call_clear(struct run_call *call)
{
	g_strfreev(call->sets);
	g_strfreev(call->traces);
	g_strfreev(call->cores);
	g_free(call->seed);
	g_free(call->pcap);
	g_free(call->snaplen);
}

static void print_text(const struct scenario *s, const struct config *c,
		       const struct run_call *call, const struct run_result *res, double seconds)
{
	GString *out = g_string_new(s->name);
	struct metric_list m = {0};
	struct result_metric *v = g_new(struct result_metric, res->metrics->n + 1);
	char count[MICRO_TEXT];

	for (uint32_t i = 0; i < res->metrics->n; i++) {
		if (res->metrics->v[i].micro == METRIC_ABSENT)
			continue;
		v[m.n].name = res->metrics->v[i].name;
		v[m.n++].micro = res->metrics->v[i].micro;
	}
	m.v = v;
	g_string_append_printf(out, ", seed %" G_GUINT64_FORMAT ", core %s\n", c->seed, c->core);
	run_text(&m, out);
	if (call->anatomy) {
		json_t *anatomy = record_anatomy(res);

		run_text_anatomy(anatomy, out);
		json_decref(anatomy);
	}
	decimal_short(count, decimal_from_double((double)res->events / 1e6), 3);
	g_string_append_printf(
		out,
		"\nsimulated %.4g s in %.3g s: %.3g s a second, %s M events, %.3g M a second\n",
		(double)c->duration / 1e9, seconds, (double)c->duration / 1e9 / seconds, count,
		(double)res->events / 1e6 / seconds);
	if (res->profile) {
		json_t *profile = run_profile_json(res->profile);

		run_profile_text(profile, out);
		json_decref(profile);
	}
	cli_print(out);
	g_free(v);
}

/* The traces alone, so that they can be piped: time, probe, value. */
static void print_traces(const struct run_result *res)
{
	GString *out = g_string_new("time_s,probe,value\n");
	char at[MICRO_TEXT], value[MICRO_TEXT];

	for (uint32_t i = 0; i < res->n_series; i++) {
		const struct run_series *s = &res->series[i];

		for (uint32_t j = 0; j < s->n; j++)
			g_string_append_printf(
				out, "%s,%s,%s\n",
				micro_format(at, micro_ratio(s->points[j].at, 1000000000)), s->name,
				micro_format(value, s->points[j].micro));
	}
	cli_print(out);
}

/* Traces that the run does not have are told with the nearest name; false when there are any. */
static bool check_traces(const struct config *c, char **traces)
{
	struct metric_names m;
	bool ok = true;

	if (!traces)
		return true;
	metric_names_init(&m, c);
	for (char **t = traces; *t; t++) {
		const char *near;

		if (metric_name_known(m.series, *t))
			continue;
		near = nearest_name(*t, (const char *const *)m.series->pdata, m.series->len);
		fprintf(stderr, "wlanq run: --trace %s: there is no such probe%s%s%s\n", *t,
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		ok = false;
	}
	metric_names_clear(&m);
	return ok;
}

static void print_json(const struct scenario *s, const struct config *c, const json_t *params,
		       const struct run_result *res)
{
	struct json_text t = {.out = g_string_new(NULL)};

	json_text_open(&t, '{');
	json_text_key(&t, "format");
	json_text_integer(&t, 1);
	json_text_key(&t, "scenario");
	json_text_string(&t, s->name);
	json_text_key(&t, "seed");
	json_text_integer(&t, (int64_t)c->seed);
	json_text_key(&t, "core");
	json_text_string(&t, c->core);
	record_members(&t, params, res->failed ? "failed" : "ok", res->failed ? res->error : NULL,
		       res->failed ? NULL : res, false);
	if (res->profile) {
		json_t *profile = run_profile_json(res->profile);

		json_text_key(&t, "profile");
		json_text_value(&t, profile);
		json_decref(profile);
	}
	json_text_close(&t, '}');
	g_string_append_c(t.out, '\n');
	cli_print(t.out);
}

#define HEAP_PER_NODE ((size_t)128 << 10) /* what a station's models take, about */
#define HEAP_LEAST    ((size_t)4 << 20) /* below that huge pages save nothing */
#define HEAP_MOST     ((size_t)256 << 20)
#define HEAP_PAD      (128 << 10) /* glibc's default */

/*
 * The heap of a run of many nodes lies in huge pages where the kernel gives any: of 200 stations' memory small ones take
 * 4000 page faults. It is advice, and a page that is not written to takes no memory.
 */
static void lay_out_heap(const struct config *c)
{
#ifdef M_TOP_PAD
	size_t bytes = c->n_nodes * HEAP_PER_NODE;
	uintptr_t from, to;
	void *p;

	if (bytes < HEAP_LEAST)
		return;
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_TOP_PAD, (int)MIN(bytes, HEAP_MOST));
	p = malloc(HEAP_PAD - 1024); /* more than is left, so that the heap grows */
	mallopt(M_TOP_PAD, HEAP_PAD);
	from = ((uintptr_t)p + 4095) & ~(uintptr_t)4095;
	to = (uintptr_t)sbrk(0);
	if (p && from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
	free(p);
#endif
}

/* What looks for leaks wants all to be given back. */
#if defined(__SANITIZE_ADDRESS__)
#define LEAVE false
#else
#define LEAVE true
#endif

/* One run of a checked scenario. */
static int run(const struct scenario *s, struct config *c, const struct run_call *call)
{
	struct run_options opt = {
		.anatomy = call->anatomy,
		.profile = call->profile,
		.series = (const char *const *)call->traces,
		.n_series = call->traces ? g_strv_length(call->traces) : 0,
		.leave = LEAVE,
		.pcap = call->pcap,
		.snaplen = (uint32_t)call->kept,
	};
	json_t *params = call->json ? config_params(c) : NULL;
	int64_t started = g_get_monotonic_time();
	struct run_result res = {0};
	struct errors errors;
	int status = STATUS_WELL;

	errors_init(&errors);
	lay_out_heap(c);
	if (run_config(c, &opt, &res, &errors) < 0) {
		GString *text = errors_text(&errors);

		fputs(text->str, stderr);
		g_string_free(text, TRUE);
		errors_clear(&errors);
		json_decref(params);
		return STATUS_USAGE;
	}
	if (res.failed) {
		fprintf(stderr, "wlanq run: the run failed: %s\n", res.error);
		status = STATUS_RUN;
	}
	if (call->json)
		print_json(s, c, params, &res);
	else if (!res.failed && call->traces)
		print_traces(&res);
	else if (!res.failed)
		print_text(s, c, call, &res, (double)(g_get_monotonic_time() - started + 1) / 1e6);
	json_decref(params);
	run_result_clear(&res);
	errors_clear(&errors);
	return status;
}

/* The configuration that the call means; NULL when there are errors, which have then been told. */
static struct config *bind(const struct scenario *s)
{
	struct errors errors;
	struct config *c;

	errors_init(&errors);
	c = scenario_bind(s, -1, NULL, &errors);
	if (!c) {
		GString *text = errors_text(&errors);

		fputs(text->str, stderr);
		g_string_free(text, TRUE);
	}
	errors_clear(&errors);
	return c;
}

/* --pcap-snaplen as measure/capture.h has it; false when it is none, which has then been told. */
static bool check_snaplen(const struct command *cmd, struct run_call *call)
{
	call->kept = CAPTURE_HEADERS;
	if (!call->snaplen)
		return true;
	if (!call->pcap) {
		cli_usage(cmd, "--pcap-snaplen is of use with --pcap DIR only");
		return false;
	}
	if (!cli_number(cmd, "--pcap-snaplen", call->snaplen, 0, &call->kept))
		return false;
	if (!call->kept || call->kept > CAPTURE_MAX)
		call->kept = CAPTURE_MAX;
	return true;
}

int cmd_run(const struct command *cmd, int argc, char **argv)
{
	struct run_call call = {0};
	const GOptionEntry entries[] = {
		{"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &call.sets,
		 "Set a parameter, or case=NAME; may be repeated", "KEY=VALUE"},
		CLI_CORE_OPTION(&call.cores),
		{"seed", 0, 0, G_OPTION_ARG_STRING, &call.seed, "The run's seed", "N"},
		{"json", 0, 0, G_OPTION_ARG_NONE, &call.json, "Print JSON", NULL},
		{"anatomy", 0, 0, G_OPTION_ARG_NONE, &call.anatomy,
		 "Show each layer's share of the delays", NULL},
		{"profile", 0, 0, G_OPTION_ARG_NONE, &call.profile,
		 "Show what the run's CPU time went to, by model and by kind of event", NULL},
		{"trace", 0, 0, G_OPTION_ARG_STRING_ARRAY, &call.traces,
		 "Print a probe over time as CSV; may be repeated", "PROBE"},
		{"pcap", 0, 0, G_OPTION_ARG_FILENAME, &call.pcap,
		 "Capture what goes over each link into DIR/LINK.pcap", "DIR"},
		{"pcap-snaplen", 0, 0, G_OPTION_ARG_STRING, &call.snaplen,
		 "Bytes to keep of a frame, 0 for all; without it just headers", "BYTES"},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	char *file = args ? cli_find_scenario(cmd, args[0]) : NULL;
	struct registry reg = models_builtin;
	uint64_t seed = 0;
	int status = STATUS_USAGE;

	reg.cores = file && check_snaplen(cmd, &call) ? cli_cores(cmd, call.cores) : NULL;
	if (reg.cores && (!call.seed || cli_number(cmd, "--seed", call.seed, 0, &seed))) {
		struct scenario *s = cli_load(file, call.sets, &reg);
		struct config *c = s ? bind(s) : NULL;

		if (c) {
			if (call.seed)
				c->seed = seed;
			if (check_traces(c, call.traces))
				status = run(s, c, &call);
			config_free(c);
		}
		if (s)
			scenario_free(s);
	}
	cores_free(reg.cores);
	call_clear(&call);
	g_free(file);
	g_strfreev(args);
	return status;
}
