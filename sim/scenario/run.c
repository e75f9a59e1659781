// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/run.h"

#include <string.h>

#include "engine/pool.h"
#include "engine/profile.h"
#include "scenario/build.h"
#include "scenario/captures.h"

/* What the phases of a run hand to each other through sim_call(). */
struct run {
	struct sim *sim;
	struct config *config;
	const struct run_options *opt;
	struct run_result *res;
	struct errors *errors;
	struct build *build;
	struct captures *captures;
	bool ready; /* it can run */
	sim_time from, to;
	GArray *distributions, *anatomies;
	struct series **series; /* opt->n_series; NULL where the run has none of that name */
};

static void do_build(struct sim *sim, void *arg)
{
	struct run *r = arg;

	r->build = build_network(r->sim, r->config, r->errors);
	if (!r->build)
		return;
	if (r->opt->pcap) {
		r->captures = captures_open(r->build, r->opt->pcap, r->opt->snaplen, r->errors);
		if (!r->captures)
			return;
	}
	r->ready = true;
	for (uint32_t i = 0; i < r->opt->n_wanted; i++)
		metrics_want(r->sim, r->opt->wanted[i]);
	objects_start(r->sim);
}

static void do_open(struct sim *sim, void *arg)
{
	struct run *r = arg;

	metrics_window_open(sim);
	for (uint32_t i = 0; i < r->opt->n_series; i++)
		r->series[i] = series_new(sim, r->opt->series[i]);
}

/* From the opening of the window to its close, in steps where something is to be followed. */
static int run_window(struct run *r)
{
	sim_time span = r->to - r->from;

	for (uint32_t step = 1; r->opt->n_series && step < RUN_STEPS; step++) {
		if (sim_run(r->sim, r->from + (sim_time)((__int128)span * step / RUN_STEPS)))
			return -1;
		for (uint32_t i = 0; i < r->opt->n_series; i++)
			if (r->series[i])
				series_step(r->series[i]);
	}
	if (sim_run(r->sim, r->to))
		return -1;
	for (uint32_t i = 0; i < r->opt->n_series; i++)
		if (r->series[i])
			series_step(r->series[i]);
	return 0;
}

static void add_distribution(void *arg, const struct distribution *d)
{
	struct run *r = arg;
	struct run_distribution rd = {
		.name = g_strdup(d->name),
		.exact = d->exact,
		.lost = d->lost,
		.n = d->n,
		.micro = g_memdup2(d->micro, d->n * sizeof(*d->micro)),
		.weight = d->weight ? g_memdup2(d->weight, d->n * sizeof(*d->weight)) : NULL,
	};

	g_array_append_val(r->distributions, rd);
}

static void add_anatomy(void *arg, const char *name, const struct anatomy *a)
{
	struct run *r = arg;
	struct run_anatomy ra = {
		.name = g_strdup(name),
		.n = a->n,
		.parts = a->names,
		.count = a->count,
		.mean = g_new0(int64_t, a->n),
		.slowest = g_new0(int64_t, a->n),
	};

	ra.mean_total = anatomy_slowest(a, 1000, ra.mean);
	ra.slowest_total = anatomy_slowest(a, 50, ra.slowest);
	g_array_append_val(r->anatomies, ra);
}

static void collect_series(struct run *r)
{
	struct run_result *res = r->res;

	res->series = g_new0(struct run_series, r->opt->n_series + 1);
	for (uint32_t i = 0; i < r->opt->n_series; i++) {
		struct run_series *rs = &res->series[res->n_series];
		const struct series_point *points;

		if (!r->series[i])
			continue;
		points = series_points(r->series[i], &rs->n);
		rs->name = g_strdup(r->opt->series[i]);
		rs->points = g_memdup2(points, rs->n * sizeof(*points));
		res->n_series++;
	}
}

static void do_collect(struct sim *sim, void *arg)
{
	struct run *r = arg;
	struct run_result *res = r->res;
	uint64_t held;

	metrics_window_close(r->sim);
	held = objects_audit(r->sim);
	if (r->sim->packets && held != r->sim->packets->live)
		sim_fail(r->sim, NULL, "%llu packets exist, %llu are accounted for",
			 (unsigned long long)r->sim->packets->live, (unsigned long long)held);
	res->metrics = metrics_collect(r->sim, r->to - r->from);
	if (r->opt->distributions)
		metrics_distributions(r->sim, add_distribution, r);
	if (r->opt->anatomy)
		metrics_anatomies(r->sim, add_anatomy, r);
	collect_series(r);
}

static int run_phases(struct run *r)
{
	struct sim *sim = r->sim;

	if (sim_call(sim, do_build, r))
		return -1;
	if (!r->ready)
		return 0;
	if (sim_run(sim, r->from) || sim_call(sim, do_open, r))
		return -1;
	if (run_window(r) || sim_call(sim, do_collect, r))
		return -1;
	return 0;
}

int run_config(struct config *c, const struct run_options *opt, struct run_result *res,
	       struct errors *errors)
{
	struct run r = {
		.sim = sim_new(c->seed),
		.config = c,
		.opt = opt,
		.res = res,
		.errors = errors,
		.from = opt->to ? opt->from : c->warmup,
		.to = opt->to ? opt->to : c->duration,
		.distributions = g_array_new(FALSE, FALSE, sizeof(struct run_distribution)),
		.anatomies = g_array_new(FALSE, FALSE, sizeof(struct run_anatomy)),
		.series = g_new0(struct series *, opt->n_series + 1),
	};
	memset(res, 0, sizeof(*res));
	r.sim->eager = opt->eager;
	if (opt->profile)
		r.sim->profile = res->profile = profile_new();
	if (run_phases(&r)) {
		res->failed = true;
		g_strlcpy(res->error, r.sim->error, sizeof(res->error));
	}
	if (captures_close(r.captures, res->failed ? NULL : res->error, sizeof(res->error)))
		res->failed = true;
	res->events = r.sim->n_events;
	res->late = r.sim->n_late;
	res->n_distributions = r.distributions->len;
	res->distributions = (void *)g_array_free(r.distributions, FALSE);
	res->n_anatomies = r.anatomies->len;
	res->anatomies = (void *)g_array_free(r.anatomies, FALSE);
	for (uint32_t i = 0; i < opt->n_series; i++)
		series_free(r.series[i]);
	g_free(r.series);
	if (!opt->leave) {
		metrics_clear(r.sim);
		objects_free(r.sim);
		build_free(r.build);
		sim_free(r.sim);
	}
	if (res->profile)
		profile_finish(res->profile);
	return r.ready || res->failed ? 0 : -1;
}

void run_result_clear(struct run_result *res)
{
	metrics_free(res->metrics);
	for (uint32_t i = 0; i < res->n_distributions; i++) {
		g_free(res->distributions[i].name);
		g_free(res->distributions[i].micro);
		g_free(res->distributions[i].weight);
	}
	for (uint32_t i = 0; i < res->n_anatomies; i++) {
		g_free(res->anatomies[i].name);
		g_free(res->anatomies[i].mean);
		g_free(res->anatomies[i].slowest);
	}
	for (uint32_t i = 0; i < res->n_series; i++) {
		g_free(res->series[i].name);
		g_free(res->series[i].points);
	}
	profile_free(res->profile);
	g_free(res->distributions);
	g_free(res->anatomies);
	g_free(res->series);
	memset(res, 0, sizeof(*res));
}
