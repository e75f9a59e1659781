// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: from a model's probe table come its windows, its metrics and its distributions, exactly.
 *
 * Set-up: the toy model in a run of one second with parcels of 1250 B at 10 Mbit/s, so that a parcel
 * is carried in 1 ms; it lies 1 ms and 2 ms in turn; one comes every 10 ms; none falls. The window is
 * the time from 105 ms to 1005 ms: 90 parcels, of ranks 11 to 100, half of them 2 ms and half 3 ms.
 *
 * Expected: numbers that follow from this by hand, without tolerance: metrics are integer sums.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check-main.h"
#include "engine/draw.h"
#include "measure/metric-sort.h"
#include "measure/metrics.h"
#include "toy-model.h"

static const int64_t delays[] = {SIM_MS, 2 * SIM_MS};

static struct toy_params plain(void)
{
	return (struct toy_params){
		.on = 1,
		.count = 4,
		.period = 10 * SIM_MS,
		.rate = 10000000,
		.parcel = 1250,
		.deadline = PARAM_UNSET,
		.delays = {.n = 2, .items = delays},
	};
}

struct outcome {
	struct metrics *m;
	uint64_t held;
};

static void finish(struct sim *sim, void *arg)
{
	struct outcome *out = arg;

	metrics_window_close(sim);
	out->held = objects_audit(sim);
	out->m = metrics_collect(sim, 900 * SIM_MS);
}

static struct toy *build(struct sim *sim, struct toy_params *p)
{
	struct toy *toy = (struct toy *)object_new(sim, &test_toy, "shop.toy", p, NULL);

	objects_start(sim);
	return toy;
}

static void window(struct sim *sim)
{
	ck_assert_int_eq(sim_run(sim, 105 * SIM_MS), 0);
	metrics_window_open(sim);
	ck_assert_int_eq(sim_run(sim, 1005 * SIM_MS), 0);
}

#define METRIC(name, micro) ck_assert_int_eq(metrics_find(out.m, "shop." name), (micro))

START_TEST(metrics_by_hand)
{
	struct sim *sim = sim_new(1);
	struct toy_params p = plain();
	struct outcome out;
	struct toy *toy = build(sim, &p);

	window(sim);
	ck_assert_int_eq(sim_call(sim, finish, &out), 0);
	ck_assert_int_eq(out.held, 0);
	METRIC("toy.arrivals", 90000000);
	METRIC("toy.arrival_rate", 100000000);
	METRIC("toy.lap_ms.min", 2000000);
	METRIC("toy.lap_ms.mean", 2500000);
	METRIC("toy.lap_ms.p50", 2000000);
	METRIC("toy.lap_ms.p90", 3000000);
	METRIC("toy.lap_ms.max", 3000000);
	METRIC("toy.lap_ms.mdev", 500000);
	/* A gap is 10 ms and 1 ms more or less; 45 of each. */
	METRIC("toy.gap_ms.min", 9000000);
	METRIC("toy.gap_ms.mean", 10000000);
	METRIC("toy.gap_ms.max", 11000000);
	METRIC("toy.gap_ms.mdev", METRIC_ABSENT);
	METRIC("toy.side.max", 0);
	/* 225 ms of 900 with one parcel on the shelf. */
	METRIC("toy.queue.packets.mean", 250000);
	METRIC("toy.queue.packets.p50", 0);
	METRIC("toy.queue.packets.p90", 1000000);
	METRIC("toy.queue.packets.max", 1000000);
	METRIC("toy.queue.sojourn_ms.mean", 2500000);
	METRIC("toy.queue.bytes.mean", METRIC_ABSENT);
	METRIC("toy.drops.queue.full", 0);
	METRIC("toy.drops.queue.fell", 0);
	METRIC("toy.drops", 0);
	METRIC("toy.window_s", 900000);
	ck_assert_int_eq(metrics_find(out.m, "run.events"), 200000000);
	ck_assert_int_eq(metrics_find(out.m, "run.packets"), 100000000);
	for (uint32_t i = 1; i < out.m->n; i++)
		ck_assert_str_lt(out.m->v[i - 1].name, out.m->v[i].name);
	ck_assert_uint_eq(toy->n_opened, 1);
	ck_assert_uint_eq(toy->n_closed, 1);
	metrics_free(out.m);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

/* Two a period go out, ten come in: the rest is refused, and the audit still sums up. */
START_TEST(drops_by_cause)
{
	struct sim *sim = sim_new(1);
	struct toy_params p = plain();
	struct outcome out;
	struct toy *toy;

	p.period = SIM_MS / 4;
	p.loss = PROB_ONE / 4;
	toy = build(sim, &p);
	window(sim);
	metrics_want(sim, "shop.toy.queue.bytes.mean");
	ck_assert_ptr_nonnull(toy->queue.bytes);
	metrics_want(sim, "shop.toy.lane.vo.bytesize");
	ck_assert_ptr_null(toy->lane[AC_VO].bytes);
	ck_assert_int_eq(sim_call(sim, finish, &out), 0);
	ck_assert_int_eq(out.held, 2 * toy->held);
	METRIC("toy.drops", metrics_find(out.m, "shop.toy.drops.queue.full") +
				    metrics_find(out.m, "shop.toy.drops.queue.fell"));
	ck_assert_int_gt(metrics_find(out.m, "shop.toy.drops.queue.full"), 1000 * MICRO);
	ck_assert_int_gt(metrics_find(out.m, "shop.toy.drops.queue.fell"), 50 * MICRO);
	metrics_free(out.m);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

START_TEST(stations_and_categories)
{
	struct sim *sim = sim_new(1);
	struct toy_params p = plain(), q = plain();
	uint64_t refused = 0;
	struct outcome out;
	struct object *toy, *peer;
	char name[64];

	toy = object_new(sim, &test_toy, "shop.toy", &p, NULL);
	q.peer = toy;
	peer = object_new(sim, &test_toy, "peer", &q, NULL);
	test_toy.ops->station_add(toy, peer);
	objects_start(sim);
	window(sim);
	ck_assert_int_eq(sim_call(sim, finish, &out), 0);
	METRIC("toy.sta.peer.greetings", 90000000);
	METRIC("toy.sta.peer.drops", 90000000);
	METRIC("toy.sta.peer.drops.lane.full", 90000000);
	for (int ac = 0; ac < AC_COUNT; ac++) {
		static const char *const acs[] = {"vo", "vi", "be", "bk"};

		snprintf(name, sizeof(name), "shop.toy.sta.peer.lane.%s.packets.max", acs[ac]);
		ck_assert_int_eq(metrics_find(out.m, name), 0);
		refused += ((struct toy *)toy)->stations[0].lane[ac].dropped;
	}
	ck_assert_uint_eq(refused, 100);
	metrics_free(out.m);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

struct seen {
	uint32_t n;
	uint64_t values, weight;
	char last[64];
};

static void see(void *arg, const struct distribution *d)
{
	struct seen *seen = arg;

	ck_assert_str_lt(seen->last, d->name);
	snprintf(seen->last, sizeof(seen->last), "%s", d->name);
	seen->n++;
	if (strcmp(d->name, "shop.toy.lap_ms") == 0) {
		ck_assert(d->exact);
		ck_assert_uint_eq(d->n, 90);
		ck_assert_int_eq(d->micro[0], 2000000);
		ck_assert_int_eq(d->micro[1], 3000000);
	}
	if (strcmp(d->name, "shop.toy.queue.packets") == 0) {
		ck_assert(!d->exact);
		ck_assert_uint_eq(d->n, 2);
		ck_assert_int_eq(d->micro[1], 1000000);
		ck_assert_uint_eq(d->weight[1], 225 * SIM_MS);
	}
}

static void see_anatomy(void *arg, const char *name, const struct anatomy *a)
{
	int64_t mean[2];

	ck_assert_str_eq(name, "shop.toy.parts");
	ck_assert_int_eq(anatomy_slowest(a, 1000, mean), 2500000);
	ck_assert_int_eq(mean[0], 1500000);
	ck_assert_int_eq(mean[1], 1000000);
	ck_assert_int_eq(anatomy_slowest(a, 50, mean), 3000000);
	ck_assert_int_eq(mean[0], 2000000);
	++*(int *)arg;
}

START_TEST(distributions_and_anatomy)
{
	struct sim *sim = sim_new(1);
	struct toy_params p = plain();
	struct seen seen = {.n = 0};
	struct outcome out;
	int anatomies = 0;

	build(sim, &p);
	window(sim);
	ck_assert_int_eq(sim_call(sim, finish, &out), 0);
	metrics_distributions(sim, see, &seen);
	/* gap, lap, side, the queue's two, and a lane's two each. */
	ck_assert_uint_eq(seen.n, 5 + 2 * AC_COUNT);
	metrics_anatomies(sim, see_anatomy, &anatomies);
	ck_assert_int_eq(anatomies, 1);
	metrics_free(out.m);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

START_TEST(one_name_twice_fails)
{
	struct sim *sim = sim_new(1);
	struct toy_params p = plain();
	struct outcome out;

	build(sim, &p);
	build(sim, &p);
	window(sim);
	ck_assert_int_eq(sim_call(sim, finish, &out), -1);
	ck_assert_ptr_nonnull(strstr(sim->error, "two metrics have the name shop.toy"));
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

START_TEST(ratio_and_format)
{
	char buf[MICRO_TEXT];

	ck_assert_int_eq(micro_ratio(1, 3), 333333);
	ck_assert_int_eq(micro_ratio(2, 3), 666667);
	ck_assert_int_eq(micro_ratio(1, 2000000), 1); /* half goes away from zero */
	ck_assert_int_eq(micro_ratio(-1, 2000000), -1);
	ck_assert_int_eq(micro_ratio(1, 2000001), 0);
	ck_assert_int_eq(micro_ratio(5, 0), METRIC_ABSENT);
	ck_assert_int_eq(micro_ratio((__int128)1 << 100, 1), INT64_MAX);
	ck_assert_str_eq(micro_format(buf, 25600000), "25.6");
	ck_assert_str_eq(micro_format(buf, -1), "-0.000001");
	ck_assert_str_eq(micro_format(buf, 0), "0");
	ck_assert_str_eq(micro_format(buf, 100000000), "100");
	ck_assert_str_eq(micro_format(buf, METRIC_ABSENT), "");
	ck_assert_str_eq(micro_format(buf, INT64_MIN + 1), "-9223372036854.775807");
}
END_TEST

/* The order is strcmp()'s: names with long common beginnings, of equal ones the first first, bytes above 127 last. */
START_TEST(order_of_names)
{
	static const char *const parts[] = {"sta",   "sta1",	 "sta10.wlan0", ".",
					    "drops", "\xc3\xa9", "p",		"-"};
	enum { N = 5000, LEN = 64 };
	char(*text)[LEN] = malloc(N * sizeof(*text));
	struct metric *v = malloc(N * sizeof(*v));
	struct draw d;

	draw_init(&d, 1, "order", "test");
	for (uint32_t n = 0; n <= N; n = n < 20 ? n + 1 : n * 6 + 8) {
		uint32_t twins = 0;
		bool differ;

		for (uint32_t i = 0; i < n; i++) {
			text[i][0] = '\0';
			for (uint32_t k = draw_next_below(&d, 6); k; k--)
				strcat(text[i], parts[draw_next_below(&d, G_N_ELEMENTS(parts))]);
			v[i] = (struct metric){.name = text[i], .micro = i};
		}
		differ = metric_sort(v, n);
		for (uint32_t i = 1; i < n; i++) {
			int order = strcmp(v[i - 1].name, v[i].name);

			twins += !order;
			ck_assert_msg(order < 0 || (!order && v[i - 1].micro < v[i].micro),
				      "of %u: '%s' before '%s'", n, v[i - 1].name, v[i].name);
		}
		ck_assert(differ == !twins);
	}
	free(text);
	free(v);
}
END_TEST

/* Stations that measure the same in the same order, one that has another thing, and one that has them in another order. */
START_TEST(order_of_stations)
{
	const char *const names[] = {"sta2.b",	"sta2.a.y", "sta2.a", "sta10.b", "sta10.a.y",
				     "sta10.a", "sta2-x.b", "sta2.c", "sta10.c", "sta1.b",
				     "sta1.d",	"sta1.a",   "sta1.c", "sta3.a",	 "sta3.b",
				     "sta3.c",	"sta3.a.y"};
	const char *const want[] = {"sta1.a",	 "sta1.b",  "sta1.c",  "sta1.d",   "sta10.a",
				    "sta10.a.y", "sta10.b", "sta10.c", "sta2-x.b", "sta2.a",
				    "sta2.a.y",	 "sta2.b",  "sta2.c",  "sta3.a",   "sta3.a.y",
				    "sta3.b",	 "sta3.c"};
	struct metric v[G_N_ELEMENTS(names)] = {0};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		v[i].name = names[i];
	ck_assert(metric_sort(v, G_N_ELEMENTS(names)));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		ck_assert_str_eq(v[i].name, want[i]);
}
END_TEST

CHECK_MAIN("metrics", metrics_by_hand, drops_by_cause, stations_and_categories,
	   distributions_and_anatomy, one_name_twice_fails, ratio_and_format, order_of_names,
	   order_of_stations)
