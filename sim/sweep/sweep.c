// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenario/run.h"
#include "sweep/crew.h"
#include "sweep/decimal.h"
#include "sweep/plan.h"
#include "sweep/progress.h"
#include "sweep/record.h"

/* What a worker's reply carries. */
enum { REPLY_STATUS, REPLY_SIMULATED_NS };
enum { RUN_OK, RUN_FAILED, RUN_NOT_WRITTEN };

struct sweep {
	struct plan plan;
	const struct sweep_options *opt;
	struct sweep_outcome *out;
	struct store *store;
	struct progress progress;
};

GQuark sweep_error_quark(void)
{
	return g_quark_from_static_string("wlanq-sweep-error");
}

/* ---- one run -------------------------------------------------------------------------------- */

/* A word for the shell, left as it is where it needs no quotes. */
static void append_word(GString *s, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_-./=:,+@%";

	if (*word && strspn(word, plain) == strlen(word)) {
		g_string_append(s, word);
	} else {
		char *quoted = g_shell_quote(word);

		g_string_append(s, quoted);
		g_free(quoted);
	}
}

static void append_set(GString *s, const char *path, const char *value)
{
	char *set = g_strdup_printf("%s=%s", path, value);

	g_string_append(s, " --set ");
	append_word(s, set);
	g_free(set);
}

char *sweep_command(const struct expansion *x, uint32_t point, const char *file,
		    const char *const *sets, const char *const *cores)
{
	const struct scenario *sc = x->scenario;
	const struct combo *c = &x->combos[x->points[point].combo];
	GString *s = g_string_new("wlanq run ");

	append_word(s, file ? file : sc->file);
	if (c->kase >= 0)
		append_set(s, "case", sc->cases[c->kase].name);
	for (uint32_t i = 0; i < sc->n_axes; i++)
		append_set(s, sc->axes[i].path, sc->axes[i].text[c->values[i]]);
	for (; sets && *sets; sets++) {
		g_string_append(s, " --set ");
		append_word(s, *sets);
	}
	for (; cores && *cores; cores++) {
		g_string_append(s, " --core ");
		append_word(s, *cores);
	}
	g_string_append_printf(s, " --seed %" G_GUINT64_FORMAT, x->points[point].seed);
	return g_string_free(s, FALSE);
}

static json_t *meta_new(const struct sweep *sw, uint32_t point, double seconds)
{
	char *command =
		sweep_command(sw->plan.x, point, sw->opt->file, sw->opt->sets, sw->opt->cores);
	GDateTime *now = g_date_time_new_now_utc();
	char *time = g_date_time_format_iso8601(now);
	json_t *meta = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:f}", "format", STORE_FORMAT,
				 "host", g_get_host_name(), "time", time, "command", command,
				 "program", sw->opt->version, "commit", sw->opt->commit,
				 "results-version", RESULTS_VERSION, "seconds",
				 (double)(int64_t)(seconds * 1e6) / 1e6);

	g_free(command);
	g_free(time);
	g_date_time_unref(now);
	return meta;
}

static bool write_run(const struct sweep *sw, uint32_t point, const char *status, const char *why,
		      const struct run_result *result, json_t *meta, GError **error)
{
	const struct plan *p = &sw->plan;
	uint32_t combo = p->x->points[point].combo;
	json_t *params = json_loads(p->x->combos[combo].params, 0, NULL);
	struct record_id id = {
		.key = p->keys[point],
		.version = sw->opt->version,
		.core = p->x->combos[combo].core,
		.core_files = p->core_files[combo],
		.kase = plan_case(p, combo),
		.seed = p->x->points[point].seed,
		.params = params,
	};
	GString *text = g_string_new(NULL);
	bool ok;

	record_text(&id, status, why, result, p->wanted_json, text);
	ok = store_write(sw->store, id.key, text, meta, error);
	g_string_free(text, TRUE);
	json_decref(params);
	return ok;
}

/* In a worker. */
static void work(void *arg, uint32_t point, struct crew_reply *reply)
{
	struct sweep *sw = arg;
	struct run_options ro = {
		.wanted = (const char *const *)sw->plan.wanted->pdata,
		.n_wanted = sw->plan.wanted->len - 1,
		.series = (const char *const *)sw->plan.series->pdata,
		.n_series = sw->plan.series->len - 1,
		.distributions = true,
		.anatomy = true,
		.from = sw->opt->from,
		.to = sw->opt->to,
	};
	int64_t started = g_get_monotonic_time();
	struct run_result res = {0};
	struct errors errors;
	struct config *c;
	GError *error = NULL;
	char *why = NULL;
	json_t *meta;

	errors_init(&errors);
	c = point_bind(sw->plan.x, point, &errors);
	if (c)
		reply->value[REPLY_SIMULATED_NS] = (uint64_t)c->duration;
	if (!c || run_config(c, &ro, &res, &errors) < 0)
		why = g_string_free(errors_text(&errors), FALSE);
	else if (res.failed)
		why = g_strdup(res.error);
	meta = meta_new(sw, point, (double)(g_get_monotonic_time() - started) / 1e6);
	reply->value[REPLY_STATUS] = why ? RUN_FAILED : RUN_OK;
	if (!write_run(sw, point, why ? "failed" : "ok", why, why ? NULL : &res, meta, &error)) {
		fprintf(stderr, "%s\n", error->message);
		g_clear_error(&error);
		reply->value[REPLY_STATUS] = RUN_NOT_WRITTEN;
	} else if (why) {
		fprintf(stderr, "%s\n", why);
	}
	json_decref(meta);
	g_free(why);
	run_result_clear(&res);
	if (c)
		config_free(c);
	errors_clear(&errors);
}

/* ---- the parent ----------------------------------------------------------------------------- */

static char *describe_end(const struct sweep *sw, const struct crew_report *r)
{
	switch (r->end) {
	case CREW_HUNG:
		return g_strdup_printf("did not end within %.3g s",
				       (double)sw->opt->timeout_ms / 1e3);
	case CREW_OOM:
		return g_strdup_printf("took more than %" G_GUINT64_FORMAT " MiB of memory",
				       sw->opt->memory_bytes >> 20);
	default:
		if (r->signal)
			return g_strdup_printf("signal %d (%s)", r->signal, strsignal(r->signal));
		return g_strdup_printf("the worker exited with status %d", r->exit_status);
	}
}

/* A worker ended with the run unfinished: it becomes a row all the same. */
static void record_lost(struct sweep *sw, const struct crew_report *r, const char *status,
			const char *why)
{
	json_t *meta = meta_new(sw, r->job, r->seconds);
	char *output = g_utf8_make_valid(r->output, -1);
	GError *error = NULL;

	json_object_set_new(meta, "stderr", json_string(output));
	if (!write_run(sw, r->job, status, why, NULL, meta, &error)) {
		progress_message(&sw->progress, error->message);
		g_clear_error(&error);
	}
	g_free(output);
	json_decref(meta);
}

static void tell_failure(struct sweep *sw, const struct crew_report *r, const char *status,
			 const char *why)
{
	char *command =
		sweep_command(sw->plan.x, r->job, sw->opt->file, sw->opt->sets, sw->opt->cores);
	char *first = g_strndup(why, strcspn(why, "\n"));
	char *text = g_strdup_printf("wlanq: a run %s: %s\n  again: %s", status, first, command);

	progress_message(&sw->progress, text);
	g_free(text);
	g_free(first);
	g_free(command);
}

static void done(void *arg, const struct crew_report *r)
{
	static const char *const names[] = {
		[CREW_CRASHED] = "crashed", [CREW_HUNG] = "hung", [CREW_OOM] = "oom"};
	struct sweep *sw = arg;

	sw->progress.done++;
	sw->out->made++;
	if (r->end == CREW_DONE && r->reply.value[REPLY_STATUS] == RUN_OK) {
		sw->progress.simulated += (double)r->reply.value[REPLY_SIMULATED_NS] / 1e9;
		return;
	}
	sw->progress.failed++;
	sw->out->failed++;
	if (r->end == CREW_DONE) {
		tell_failure(sw, r, "failed", r->output);
	} else {
		char *why = describe_end(sw, r);

		record_lost(sw, r, names[r->end], why);
		tell_failure(sw, r, names[r->end], why);
		g_free(why);
	}
}

static void tick(void *arg)
{
	progress_draw(&((struct sweep *)arg)->progress);
}

/* Runs of the plan that were made by another version of the models: they must not be mixed with new ones. */
static bool check_mixing(const struct sweep *sw, const uint32_t *jobs, uint32_t n, GError **error)
{
	for (uint32_t i = 0; i < n; i++) {
		int v = store_results_version(sw->store, sw->plan.keys[jobs[i]]);

		if (v == 0 || v == RESULTS_VERSION)
			continue;
		g_set_error(error, SWEEP_ERROR, SWEEP_ERROR_MIXED,
			    "%s holds runs of results-version %d, this program makes version %d; "
			    "--fresh makes them again, -o DIR takes another folder",
			    sw->store->dir, v, RESULTS_VERSION);
		return false;
	}
	return true;
}

static bool write_manifest(struct sweep *sw, GError **error)
{
	json_t *manifest = plan_manifest(&sw->plan);
	char *text = json_dumps(manifest, RESULT_JSON | JSON_COMPACT);
	int lock = store_lock(sw->store);
	bool ok = store_write_text(sw->store, MANIFEST_NAME, text, -1, error);

	store_unlock(lock);
	free(text);
	json_decref(manifest);
	return ok;
}

/* From what is in the folder now, other shards' runs too. The lock makes the last writer see all. */
static bool write_summary(struct sweep *sw, GError **error)
{
	int lock = store_lock(sw->store);
	struct results *r = results_open(sw->store->dir, error);
	GString *csv;
	bool ok = false;

	if (r) {
		csv = results_csv(r);
		ok = store_write_text(sw->store, SUMMARY_NAME, csv->str, (gssize)csv->len, error);
		g_string_free(csv, TRUE);
	}
	store_unlock(lock);
	if (ok)
		sw->out->results = r;
	else
		results_free(r);
	return ok;
}

static uint32_t count_others(const struct sweep *sw)
{
	GHashTable *mine = g_hash_table_new(g_str_hash, g_str_equal);
	char **keys = store_keys(sw->store);
	uint32_t n = 0;

	for (uint32_t i = 0; i < sw->plan.x->n_points; i++)
		g_hash_table_add(mine, sw->plan.keys[i]);
	for (char **k = keys; *k; k++)
		n += !g_hash_table_contains(mine, *k);
	g_strfreev(keys);
	g_hash_table_unref(mine);
	return n;
}

/* Leaves in @jobs those that are to be made. */
static uint32_t pick_missing(struct sweep *sw, uint32_t *jobs, uint32_t n)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (sw->opt->fresh)
			store_remove(sw->store, sw->plan.keys[jobs[i]]);
		else if (plan_done(&sw->plan, sw->store, jobs[i]))
			continue;
		jobs[missing++] = jobs[i];
	}
	return missing;
}

static bool make_runs(struct sweep *sw, GError **error)
{
	static const struct crew_ops ops = {.work = work, .done = done, .tick = tick};
	struct crew_limits limits = {
		.workers = sw->opt->workers ? sw->opt->workers : crew_cpus(),
		.job_ms = sw->opt->timeout_ms,
		.memory_bytes = sw->opt->memory_bytes,
	};
	uint32_t n, missing;
	uint32_t *jobs = plan_jobs(&sw->plan, &n);
	bool ok = false;

	if (!sw->opt->fresh && !check_mixing(sw, jobs, n, error))
		goto out;
	if (!write_manifest(sw, error))
		goto out;
	missing = pick_missing(sw, jobs, n);
	sw->out->planned = n;
	sw->out->kept = n - missing;
	progress_start(&sw->progress, sw->plan.x->scenario->name, missing, sw->opt->quiet);
	ok = crew_run(&limits, &ops, sw, jobs, missing, &sw->out->stopped_by, error);
	sw->out->seconds = (double)(g_get_monotonic_time() - sw->progress.started) / 1e6;
	sw->out->simulated = sw->progress.simulated;
	if (missing > 0)
		progress_end(&sw->progress);
out:
	g_free(jobs);
	return ok;
}

bool sweep_run(const struct expansion *x, const struct sweep_options *opt,
	       struct sweep_outcome *out, GError **error)
{
	struct sweep sw = {.opt = opt, .out = out};
	GError *why = NULL;
	bool ok;

	memset(out, 0, sizeof(*out));
	sw.store = store_open(opt->dir, true, &why);
	if (!sw.store) {
		g_set_error_literal(error, SWEEP_ERROR, SWEEP_ERROR_STORE, why->message);
		g_error_free(why);
		return false;
	}
	plan_init(&sw.plan, x, opt);
	ok = make_runs(&sw, &why) && write_summary(&sw, &why);
	if (ok)
		out->others = count_others(&sw);
	else if (why->domain == SWEEP_ERROR)
		g_propagate_error(error, why);
	else
		g_set_error_literal(error, SWEEP_ERROR, SWEEP_ERROR_STORE, why->message);
	store_clean(sw.store);
	plan_clear(&sw.plan);
	store_close(sw.store);
	return ok;
}

bool sweep_matches(const struct expansion *x, const struct sweep_options *opt,
		   const struct results *r)
{
	bool same = x->n_points == r->n_rows;
	struct plan plan;

	plan_init(&plan, x, opt);
	for (uint32_t i = 0; same && i < r->n_rows; i++)
		same = strcmp(plan.keys[i], r->rows[i].key) == 0;
	plan_clear(&plan);
	return same;
}
