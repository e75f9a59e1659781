// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: summary.csv is the same bytes for one worker and four, after a kill and a new start, and for shards
 * made into one folder or into several that are put together; a run that crashes, hangs, eats memory or
 * breaks an invariant is a row with its status and the command that repeats it, and nothing else suffers;
 * runs of another results-version are refused; more seeds and another order of axes keep old runs.
 * Set-up: pings over Ethernet, 2 cases x 3 rates x 4 seeds, and a traffic "trouble" that misbehaves on request.
 * Expected: exact. Limits are 1 s and 64 MiB, far from what a good run of some ms takes.
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "registry.h"
#include "sweep/folder.h"
#include "sweep/results.h"
#include "sweep/sweep.h"
#include "traffic/traffic.h"

/* ---- a model that misbehaves ----------------------------------------------------------------- */

enum { WELL, CRASH, HANG, EAT, FAIL };

struct trouble_params {
	struct traffic_params common;
	int64_t mode;
};

struct trouble {
	struct traffic t;
};

static void misbehave(struct sim *sim, struct event *ev)
{
	struct trouble *trouble = container_of(ev, struct trouble, t.begin);
	const struct trouble_params *par = trouble->t.obj.params;

	switch (par->mode) {
	case CRASH:
		fprintf(stderr, "trouble is near\n");
		abort();
	case HANG:
		for (;;)
			pause();
	case EAT:
		for (;;) {
			memset(malloc(8 << 20), 1, 8 << 20);
			g_usleep(2000);
		}
	case FAIL:
		sim_fail(sim, &trouble->t.obj, "asked for");
	}
}

static void trouble_start(struct object *obj)
{
	traffic_start((struct traffic *)obj, misbehave, NULL);
}

static const struct param_enum modes[] = {{"well", WELL}, {"crash", CRASH}, {"hang", HANG},
					  {"eat", EAT},	  {"fail", FAIL},   {NULL}};

static const struct param trouble_params[] = {
	TRAFFIC_PARAMS,
	{.name = "mode",
	 .type = PARAM_ENUM,
	 .offset = offsetof(struct trouble_params, mode),
	 .def = "well",
	 .values = modes,
	 .doc = "what it does"},
	PARAM_END,
};

static const struct model_ops trouble_ops = {
	.init = traffic_init,
	.start = trouble_start,
	.window_open = traffic_window_open,
	.window_close = traffic_window_close,
};

static const struct model_class test_trouble = {
	.kind = &kind_traffic,
	.name = "trouble",
	.doc = "misbehaves",
	.source = "tests",
	.size = sizeof(struct trouble),
	.params_size = sizeof(struct trouble_params),
	.params = trouble_params,
	.ops = &trouble_ops,
};

/* ---- set-up ---------------------------------------------------------------------------------- */

static const char head[] =
	"name: t\n"
	"duration: 10s\n"
	"nodes:\n"
	"  a: {interfaces: {eth0: {driver: ethernet}}}\n"
	"  b: {interfaces: {eth0: {driver: ethernet}}}\n"
	"links:\n"
	"  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 50us}\n"
	"traffic:\n"
	"  ping: {model: ping, from: a, to: b, interval: 100ms}\n"
	"  bad: {model: trouble, from: a, to: b}\n";

static const char cases[] = "repeat: 4\n"
			    "cases:\n"
			    "  small: {ping.size: 56B}\n"
			    "  large: {ping.size: 1400B}\n"
			    "sweep:\n"
			    "  lan.rate: [1Mbit, 10Mbit, 100Mbit]\n";

static const char bad_modes[] = "repeat: 2\n"
				"sweep:\n"
				"  bad.mode: [well, crash, hang, eat, fail]\n";

/* AddressSanitizer's shadow and its quarantine count too. */
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_MIB 256
#else
#define MEMORY_MIB 64
#endif

struct bed {
	struct registry registry;
	const struct model_class **classes;
	struct scenario *s;
	struct expansion *x;
	char *dir;
};

static void bed_init(struct bed *b, const char *rest)
{
	char *text = g_strconcat(head, rest, NULL);
	struct errors errors;
	size_t n = 0;

	while (models_builtin.classes[n])
		n++;
	b->classes = g_new0(const struct model_class *, n + 2);
	memcpy(b->classes, models_builtin.classes, n * sizeof(*b->classes));
	b->classes[n] = &test_trouble;
	b->registry.classes = b->classes;
	errors_init(&errors);
	b->s = scenario_load_text(text, strlen(text), "t.yaml", &b->registry, NULL, 0, &errors);
	ck_assert_msg(b->s != NULL, "%s", errors_text(&errors)->str);
	b->x = scenario_expand(b->s, &errors);
	ck_assert_msg(b->x != NULL, "%s", errors_text(&errors)->str);
	errors_clear(&errors);
	b->dir = g_dir_make_tmp("wlanq-sweep-XXXXXX", NULL);
	g_free(text);
}

static void bed_clear(struct bed *b)
{
	folder_remove(b->dir);
	g_free(b->dir);
	expansion_free(b->x);
	scenario_free(b->s);
	g_free(b->classes);
}

static const char *core_files(void *arg, const char *core)
{
	return core;
}

static struct sweep_options options(const char *dir)
{
	return (struct sweep_options){.dir = dir,
				      .workers = 3,
				      .shard = 1,
				      .n_shards = 1,
				      .quiet = true,
				      .timeout_ms = 1000,
				      .memory_bytes = (uint64_t)MEMORY_MIB << 20,
				      .version = "1",
				      .commit = "c",
				      .file = "t.yaml",
				      .core_files = core_files};
}

static struct sweep_outcome sweep(struct bed *b, const struct sweep_options *opt)
{
	struct sweep_outcome out;
	GError *error = NULL;

	ck_assert_msg(sweep_run(b->x, opt, &out, &error), "%s", error ? error->message : "");
	results_free(out.results);
	return out;
}

static char *summary(const char *dir)
{
	char *path = g_build_filename(dir, SUMMARY_NAME, NULL), *text = NULL;

	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	g_free(path);
	return text;
}

static char *sub(const struct bed *b, const char *name)
{
	return g_build_filename(b->dir, name, NULL);
}

/* ---- the tests ------------------------------------------------------------------------------- */

START_TEST(workers)
{
	struct bed b;
	char *one, *four, *d1, *d4, *again;
	struct sweep_options opt;
	struct sweep_outcome out;

	bed_init(&b, cases);
	d1 = sub(&b, "one");
	d4 = sub(&b, "four");
	opt = options(d1);
	opt.workers = 1;
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.planned, 24);
	ck_assert_uint_eq(out.made, 24);
	ck_assert_uint_eq(out.failed, 0);
	ck_assert_double_eq_tol(out.simulated, 240, 1e-9);
	one = summary(d1);
	ck_assert(g_str_has_prefix(one, "case,seed,status,lan.rate,"));
	ck_assert(strstr(one, "\nsmall,1,ok,1Mbit,") != NULL);
	ck_assert(strstr(one, "\nlarge,4,ok,100Mbit,") != NULL);
	opt = options(d4);
	opt.workers = 4;
	sweep(&b, &opt);
	four = summary(d4);
	ck_assert_str_eq(one, four);
	/* All is there: nothing is made. --fresh makes all. */
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.made, 0);
	ck_assert_uint_eq(out.kept, 24);
	opt.fresh = true;
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.made, 24);
	again = summary(d4);
	ck_assert_str_eq(one, again);
	g_free(one);
	g_free(four);
	g_free(again);
	g_free(d1);
	g_free(d4);
	bed_clear(&b);
}
END_TEST

START_TEST(shards)
{
	struct bed b;
	char *whole, *merged, *d, *m;
	struct sweep_options opt;
	uint32_t made = 0;

	bed_init(&b, cases);
	d = sub(&b, "whole");
	m = sub(&b, "merged");
	opt = options(d);
	sweep(&b, &opt);
	whole = summary(d);
	opt = options(m);
	opt.n_shards = 3;
	for (opt.shard = 3; opt.shard >= 1; opt.shard--)
		made += sweep(&b, &opt).made;
	ck_assert_uint_eq(made, 24);
	merged = summary(m);
	ck_assert_str_eq(whole, merged);
	g_free(whole);
	g_free(merged);
	g_free(d);
	g_free(m);
	bed_clear(&b);
}
END_TEST

/* Three folders, one a shard; their files copied into one; a sweep over it makes nothing. */
START_TEST(shards_apart)
{
	struct bed b;
	char *whole, *merged, *d, *m;
	struct sweep_options opt;
	struct sweep_outcome out;

	bed_init(&b, cases);
	d = sub(&b, "whole");
	m = sub(&b, "merged");
	opt = options(d);
	sweep(&b, &opt);
	whole = summary(d);
	for (uint32_t i = 1; i <= 3; i++) {
		char *name = g_strdup_printf("shard%u", i), *shard = sub(&b, name), *command;

		opt = options(shard);
		opt.n_shards = 3;
		opt.shard = i;
		out = sweep(&b, &opt);
		ck_assert_uint_eq(out.made, 8);
		command = g_strdup_printf("mkdir -p '%s' && cp -r '%s/.' '%s'", m, shard, m);
		ck_assert_int_eq(system(command), 0);
		g_free(command);
		g_free(shard);
		g_free(name);
	}
	opt = options(m);
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.made, 0);
	merged = summary(m);
	ck_assert_str_eq(whole, merged);
	g_free(whole);
	g_free(merged);
	g_free(d);
	g_free(m);
	bed_clear(&b);
}
END_TEST

/* The whole program is killed at random moments until it gets to its end. */
START_TEST(killed)
{
	struct bed b;
	char *whole, *resumed, *d, *k;
	struct sweep_options opt;
	int kills = 0;

	bed_init(&b, cases);
	d = sub(&b, "whole");
	k = sub(&b, "killed");
	opt = options(d);
	sweep(&b, &opt);
	whole = summary(d);
	opt = options(k);
	for (int i = 0; i < 40; i++) {
		struct sweep_outcome out;
		int status;
		pid_t pid;

		fflush(NULL);
		pid = fork();
		if (pid == 0)
			_exit(!sweep_run(b.x, &opt, &out, NULL));
		g_usleep((gulong)(2000 + 1500 * i));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		kills += WIFSIGNALED(status);
		/* What is there is whole. */
		for (uint32_t n = 0; n < 1; n++) {
			struct results *r = results_open(k, NULL);

			for (uint32_t j = 0; r && j < r->n_rows; j++)
				ck_assert(row_ok(&r->rows[j]) ||
					  !strcmp(r->rows[j].status, "missing"));
			results_free(r);
		}
	}
	ck_assert_int_gt(kills, 3);
	sweep(&b, &opt);
	resumed = summary(k);
	ck_assert_str_eq(whole, resumed);
	g_free(whole);
	g_free(resumed);
	g_free(d);
	g_free(k);
	bed_clear(&b);
}
END_TEST

static const struct result_row *row_of(const struct results *r, const char *mode, uint64_t seed)
{
	for (uint32_t i = 0; i < r->n_rows; i++) {
		if (!strcmp(r->rows[i].axes[0], mode) && r->rows[i].seed == seed)
			return &r->rows[i];
	}
	ck_abort_msg("no row %s", mode);
	return NULL;
}

START_TEST(trouble)
{
	static const struct {
		const char *mode, *status, *error;
	} rows[] = {
		{"well", "ok", NULL},
		{"crash", "crashed", "signal 6"},
		{"hang", "hung", "did not end within 1 s"},
		{"eat", "oom", "took more than " G_STRINGIFY(MEMORY_MIB) " MiB"},
		{"fail", "failed", "bad: asked for (at 0.000000000 s)"},
	};
	struct bed b;
	struct sweep_options opt;
	struct sweep_outcome out;
	struct results *r;
	char *path, *text;
	int quiet, loud;

	bed_init(&b, bad_modes);
	opt = options(b.dir);
	quiet = open("/dev/null", O_WRONLY);
	loud = dup(STDERR_FILENO);
	dup2(quiet, STDERR_FILENO);
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.made, 10);
	ck_assert_uint_eq(out.failed, 8);
	r = results_open(b.dir, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct result_row *row = row_of(r, rows[i].mode, 2);
		int64_t micro;

		ck_assert_str_eq(row->status, rows[i].status);
		if (rows[i].error)
			ck_assert_msg(g_str_has_prefix(row->error, rows[i].error), "%s",
				      row->error);
		ck_assert_int_eq(row_metric(row, "ping.rtt_ms.mean", &micro), i == 0);
	}
	/* Who made it, what it said, how to make it again. */
	path = g_strdup_printf("%s/runs/%s.meta.json", b.dir, row_of(r, "crash", 2)->key);
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	ck_assert_msg(strstr(text,
			     "\"command\":\"wlanq run t.yaml --set bad.mode=crash --seed 2\"") !=
			      NULL,
		      "%s", text);
	ck_assert(strstr(text, "trouble is near"));
	ck_assert(strstr(text, "\"results-version\":"));
	g_free(text);
	g_free(path);
	results_free(r);
	/* What failed is tried again, what is well is kept. */
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.kept, 2);
	ck_assert_uint_eq(out.made, 8);
	dup2(loud, STDERR_FILENO);
	close(loud);
	close(quiet);
	bed_clear(&b);
}
END_TEST

START_TEST(mixing)
{
	struct bed b;
	struct sweep_options opt;
	struct sweep_outcome out;
	struct results *r;
	GError *error = NULL;
	char *path;

	bed_init(&b, "repeat: 4\n");
	opt = options(b.dir);
	sweep(&b, &opt);
	r = results_open(b.dir, NULL);
	path = g_strdup_printf("%s/runs/%s.meta.json", b.dir, r->rows[1].key);
	ck_assert(g_file_set_contents(path, "{\"results-version\": 99}", -1, NULL));
	ck_assert(!sweep_run(b.x, &opt, &out, &error));
	ck_assert(g_error_matches(error, SWEEP_ERROR, SWEEP_ERROR_MIXED));
	ck_assert_msg(strstr(error->message, "results-version 99") != NULL, "%s", error->message);
	g_clear_error(&error);
	opt.fresh = true;
	ck_assert_uint_eq(sweep(&b, &opt).made, 4);
	opt.fresh = false;
	ck_assert_uint_eq(sweep(&b, &opt).made, 0);
	results_free(r);
	g_free(path);
	bed_clear(&b);
}
END_TEST

/* A defaulted value that is written out, and more seeds, are the same runs. */
START_TEST(keeping)
{
	struct bed b, c;
	struct sweep_options opt;
	struct sweep_outcome out;

	bed_init(&b, "repeat: 4\nsweep: {lan.rate: [1Mbit, 10Mbit]}\n");
	bed_init(&c, "repeat: 4\nseed: 3\n"
		     "sweep: {ping.size: [56B], lan.rate: [10Mbit, 1Mbit]}\n");
	opt = options(b.dir);
	sweep(&b, &opt);
	/* Seeds 3 and 4 are there, 5 and 6 are not. */
	out = sweep(&c, &opt);
	ck_assert_uint_eq(out.kept, 4);
	ck_assert_uint_eq(out.made, 4);
	ck_assert_uint_eq(out.others, 4);
	bed_clear(&b);
	bed_clear(&c);
}
END_TEST

/* Two cases that come to the same parameters are two rows of one run. */
START_TEST(shared)
{
	struct bed b;
	struct sweep_options opt;
	struct sweep_outcome out;
	struct results *r;

	bed_init(&b, "repeat: 4\ncases: {x: {ping.size: 56B}, y: {lan.loss: 0}}\n");
	opt = options(b.dir);
	out = sweep(&b, &opt);
	ck_assert_uint_eq(out.made, 4);
	r = results_open(b.dir, NULL);
	ck_assert_uint_eq(r->n_rows, 8);
	ck_assert_str_eq(r->rows[0].kase, "x");
	ck_assert_str_eq(r->rows[4].kase, "y");
	ck_assert_str_eq(r->rows[0].key, r->rows[4].key);
	results_free(r);
	bed_clear(&b);
}
END_TEST

CHECK_MAIN("sweep", workers, shards, shards_apart, killed, mixing, keeping, shared, trouble)
