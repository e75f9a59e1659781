// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: following probes over time tells what happened in each step and changes nothing else: metrics and
 * distributions are those of a run without it.
 * Set-up: a ping and a bulk TCP over Ethernet; the run with and without series.
 * Expected: the same metrics to the last digit; counters add up to the metric, gauges stay within its
 * extremes, rates average to the goodput within 0.1 %, which rounding of 1000 steps cannot reach.
 */
#include <math.h>
#include <string.h>

#include "check-main.h"
#include "registry.h"
#include "scenario/run.h"
#include "scenario/scenario.h"

static const char text[] =
	"name: t\n"
	"duration: 5s\n"
	"warmup: 1s\n"
	"nodes:\n"
	"  a: {interfaces: {eth0: {driver: ethernet}}}\n"
	"  b: {interfaces: {eth0: {driver: ethernet}}}\n"
	"links:\n"
	"  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 50us}\n"
	"traffic:\n"
	"  ping: {model: ping, from: a, to: b, interval: 100ms}\n"
	"  bulk: {model: tcp_bulk, from: a, to: b}\n";

static const char *const names[] = {
	"ping.rtt_ms",	     "a.eth0.ring.packets",    "bulk.received_bytes",
	"bulk.goodput_mbit", "a.eth0.ring.sojourn_ms", "no.such"};

struct bed {
	struct scenario *s;
	struct errors errors;
	struct run_result plain, followed;
};

static void run_once(struct bed *b, bool follow, struct run_result *res)
{
	struct run_options opt = {.distributions = true,
				  .series = follow ? names : NULL,
				  .n_series = follow ? G_N_ELEMENTS(names) : 0};
	struct config *c = scenario_bind(b->s, -1, NULL, &b->errors);

	ck_assert_ptr_nonnull(c);
	ck_assert_int_eq(run_config(c, &opt, res, &b->errors), 0);
	ck_assert_msg(!res->failed, "%s", res->error);
	config_free(c);
}

static void bed_init(struct bed *b)
{
	errors_init(&b->errors);
	b->s = scenario_load_text(text, strlen(text), "t.yaml", &models_builtin, NULL, 0,
				  &b->errors);
	ck_assert_msg(b->s != NULL, "%s", errors_text(&b->errors)->str);
	run_once(b, false, &b->plain);
	run_once(b, true, &b->followed);
}

static void bed_clear(struct bed *b)
{
	run_result_clear(&b->plain);
	run_result_clear(&b->followed);
	scenario_free(b->s);
	errors_clear(&b->errors);
}

START_TEST(nothing_changes)
{
	struct bed b;

	bed_init(&b);
	ck_assert_uint_eq(b.plain.metrics->n, b.followed.metrics->n);
	for (uint32_t i = 0; i < b.plain.metrics->n; i++) {
		ck_assert_str_eq(b.plain.metrics->v[i].name, b.followed.metrics->v[i].name);
		ck_assert_int_eq(b.plain.metrics->v[i].micro, b.followed.metrics->v[i].micro);
	}
	ck_assert_uint_eq(b.plain.events, b.followed.events);
	ck_assert_uint_eq(b.plain.n_series, 0);
	bed_clear(&b);
}
END_TEST

static const struct run_series *series_of(const struct bed *b, const char *name)
{
	for (uint32_t i = 0; i < b->followed.n_series; i++) {
		if (!strcmp(b->followed.series[i].name, name))
			return &b->followed.series[i];
	}
	ck_abort_msg("no series %s", name);
	return NULL;
}

static int64_t metric(const struct bed *b, const char *name)
{
	int64_t micro = metrics_find(b->followed.metrics, name);

	ck_assert_msg(micro != METRIC_ABSENT, "%s", name);
	return micro;
}

START_TEST(adds_up)
{
	struct bed b;
	const struct run_series *s;
	int64_t sum = 0, last = SIM_SEC;
	double mean = 0;

	bed_init(&b);
	ck_assert_uint_eq(b.followed.n_series, 5);
	s = series_of(&b, "bulk.received_bytes");
	ck_assert_uint_eq(s->n, RUN_STEPS);
	for (uint32_t i = 0; i < s->n; i++) {
		ck_assert_int_gt(s->points[i].at, last);
		last = s->points[i].at;
		sum += s->points[i].micro;
	}
	ck_assert_int_eq(last, 5 * SIM_SEC);
	ck_assert_int_eq(sum, metric(&b, "bulk.received_bytes"));
	s = series_of(&b, "bulk.goodput_mbit");
	for (uint32_t i = 0; i < s->n; i++)
		mean += (double)s->points[i].micro / s->n;
	ck_assert_double_eq_tol(mean / (double)metric(&b, "bulk.goodput_mbit"), 1, 1e-3);
	s = series_of(&b, "a.eth0.ring.packets");
	for (uint32_t i = 0; i < s->n; i++) {
		ck_assert_int_ge(s->points[i].micro, metric(&b, "a.eth0.ring.packets.min"));
		ck_assert_int_le(s->points[i].micro, metric(&b, "a.eth0.ring.packets.max"));
	}
	s = series_of(&b, "a.eth0.ring.sojourn_ms");
	ck_assert_uint_gt(s->n, 50);
	for (uint32_t i = 0; i < s->n; i++)
		ck_assert_int_le(s->points[i].micro, metric(&b, "a.eth0.ring.sojourn_ms.max"));
	bed_clear(&b);
}
END_TEST

/* Samples stand at their own times. */
START_TEST(samples)
{
	const struct run_series *s;
	struct bed b;

	bed_init(&b);
	s = series_of(&b, "ping.rtt_ms");
	for (uint32_t i = 0; i < b.followed.n_distributions; i++) {
		const struct run_distribution *d = &b.followed.distributions[i];

		if (strcmp(d->name, "ping.rtt_ms"))
			continue;
		ck_assert_uint_eq(d->n, s->n);
		for (uint32_t j = 0; j < d->n; j++)
			ck_assert_int_eq(d->micro[j], s->points[j].micro);
	}
	ck_assert_uint_gt(s->n, 30);
	bed_clear(&b);
}
END_TEST

CHECK_MAIN("series", nothing_changes, adds_up, samples)
