// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/check.h"

#include <string.h>

#include "report/sweep-text.h"
#include "sweep/folder.h"

#define FAILURES_MAX 10

/* The runs that measure one window; the whole run is the window 0 .. 0. */
struct window {
	sim_time from, to;
	char *dir;
	uint8_t *combos; /* those that are needed */
	struct results *results;
};

struct job {
	struct check *c;
	const struct check_options *opt;
	char *root; /* folder of all windows */
	GArray *windows; /* struct window */
	struct results *baseline;
};

static void window_clear(void *p)
{
	struct window *w = p;

	g_free(w->dir);
	g_free(w->combos);
	results_free(w->results);
}

static struct window *window_of(struct job *j, sim_time from, sim_time to)
{
	struct window w = {.from = from, .to = to};

	for (guint i = 0; i < j->windows->len; i++) {
		struct window *known = &g_array_index(j->windows, struct window, i);

		if (known->from == from && known->to == to)
			return known;
	}
	w.dir = to ? g_strdup_printf("%s/window-%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, j->root,
				     from, to)
		   : g_strdup(j->root);
	w.combos = g_new0(uint8_t, j->c->x->n_combos + 1);
	g_array_append_val(j->windows, w);
	return &g_array_index(j->windows, struct window, j->windows->len - 1);
}

static struct window *window_of_expect(struct job *j, const struct expect *e)
{
	return e->has_window ? window_of(j, e->window_from, e->window_to) : window_of(j, 0, 0);
}

static void plan(struct job *j)
{
	const struct scenario *s = j->c->scenario;

	for (uint32_t i = 0; i < s->n_expects; i++)
		verify_needs(j->c->x, &s->expects[i], window_of_expect(j, &s->expects[i])->combos);
	if (j->baseline)
		memset(window_of(j, 0, 0)->combos, 1, j->c->x->n_combos);
}

static bool make_runs(struct job *j, GError **error)
{
	for (guint i = 0; i < j->windows->len && !j->c->stopped_by; i++) {
		struct window *w = &g_array_index(j->windows, struct window, i);
		struct sweep_options opt = j->opt->sweep;
		struct sweep_outcome out;

		opt.dir = w->dir;
		opt.shard = opt.n_shards = 1;
		opt.combos = w->combos;
		opt.from = w->from;
		opt.to = w->to;
		opt.timeout_ms = SWEEP_TIMEOUT_MS;
		opt.memory_bytes = SWEEP_MEMORY_BYTES;
		if (!sweep_run(j->c->x, &opt, &out, error))
			return false;
		j->c->runs += out.planned;
		j->c->failed_runs += out.failed;
		j->c->seconds += out.seconds;
		j->c->simulated += out.simulated;
		j->c->stopped_by = out.stopped_by;
		w->results = out.results;
		sweep_text_failures(w->results, FAILURES_MAX, j->c->failures);
	}
	return true;
}

static const struct results *results_of(void *arg, const struct expect *e)
{
	return window_of_expect(arg, e)->results;
}

static bool judge(struct job *j, GError **error)
{
	struct compare_options opt = {.margin = -1};
	struct check *c = j->c;

	c->lines = verify_all(c->x, results_of, j);
	c->passed = verify_passed(c->lines);
	c->failed = c->lines->len - c->passed;
	if (!j->baseline)
		return true;
	c->baseline = compare_results(j->baseline, window_of(j, 0, 0)->results, &opt, error);
	c->worse = c->baseline && c->baseline->verdict == VERDICT_WORSE;
	return c->baseline != NULL;
}

static bool open_baseline(struct job *j, GError **error)
{
	const char *folder = j->opt->baseline_dir;
	char *path = folder ? g_build_filename(folder, j->c->scenario->name, NULL) : NULL;
	bool there = path && g_file_test(path, G_FILE_TEST_IS_DIR);

	if (there)
		j->baseline = results_open(path, error);
	g_free(path);
	return !there || j->baseline;
}

static bool check_steps(struct job *j, GError **error)
{
	if (!open_baseline(j, error))
		return false;
	plan(j);
	return make_runs(j, error) && (j->c->stopped_by || judge(j, error));
}

struct check *check_run(const struct scenario *s, const struct check_options *opt,
			struct errors *errors, GError **error)
{
	struct expansion *x = scenario_expand(s, errors);
	struct job j = {.opt = opt};

	if (!x || !expansion_try(x, errors)) {
		expansion_free(x);
		return NULL;
	}
	j.root = opt->keep_dir ? g_build_filename(opt->keep_dir, s->name, NULL)
			       : g_dir_make_tmp("wlanq-check-XXXXXX", error);
	if (!j.root) {
		expansion_free(x);
		return NULL;
	}
	j.c = g_new0(struct check, 1);
	j.c->scenario = s;
	j.c->x = x;
	j.c->failures = g_string_new(NULL);
	j.windows = g_array_new(FALSE, FALSE, sizeof(struct window));
	g_array_set_clear_func(j.windows, window_clear);
	if (!check_steps(&j, error))
		g_clear_pointer(&j.c, check_free);
	g_array_unref(j.windows);
	results_free(j.baseline);
	if (!opt->keep_dir)
		folder_remove(j.root);
	g_free(j.root);
	return j.c;
}

void check_free(struct check *c)
{
	if (!c)
		return;
	if (c->lines)
		g_ptr_array_unref(c->lines);
	comparison_free(c->baseline);
	g_string_free(c->failures, TRUE);
	expansion_free(c->x);
	g_free(c);
}

/* ---- telling it ----------------------------------------------------------------------------- */

static void baseline_text(const struct comparison *b, GString *out)
{
	uint32_t count[4] = {0};

	for (guint i = 0; i < b->lines->len; i++) {
		const struct compare_line *l = b->lines->pdata[i];

		count[l->verdict]++;
		if (l->verdict != VERDICT_SAME)
			g_string_append_printf(
				out, "  %s than the baseline: %s%s%s: %.5g, was %.5g\n",
				l->verdict == VERDICT_UNDECIDED ? "other"
								: verdict_name(l->verdict),
				l->group, *l->group ? ", " : "", l->metric, l->change, l->base);
	}
	if (b->n_broken)
		g_string_append_printf(out, "  %u runs of the baseline FAIL now\n", b->n_broken);
	g_string_append_printf(out, "  baseline: %u the same, %u better, %u worse, %u undecided\n",
			       count[VERDICT_SAME], count[VERDICT_BETTER], count[VERDICT_WORSE],
			       count[VERDICT_UNDECIDED]);
}

GString *check_text(const struct check *c)
{
	GString *out = g_string_new(c->scenario->file);

	if (c->lines->len == 0 && !c->baseline) {
		g_string_append(out, ": nothing to check\n");
		return out;
	}
	g_string_append_printf(out, ": %u of %u expectations hold (%u runs, %.1f s)\n", c->passed,
			       c->passed + c->failed, c->runs, c->seconds);
	if (c->lines->len > 0)
		verify_text(c->lines, out);
	if (c->baseline)
		baseline_text(c->baseline, out);
	g_string_append(out, c->failures->str);
	return out;
}

json_t *check_json(const struct check *c)
{
	json_t *doc = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:o}", "scenario",
				c->scenario->name, "file", c->scenario->file, "runs", (int)c->runs,
				"failed_runs", (int)c->failed_runs, "passed", (int)c->passed,
				"failed", (int)c->failed, "expectations",
				c->lines ? verify_json(c->lines) : json_array());

	if (c->baseline)
		json_object_set_new(doc, "baseline", comparison_json(c->baseline));
	return doc;
}
