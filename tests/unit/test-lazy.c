// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: arrivals that are put off (engine/lazy.h) leave results, and the number of events, as they are without that.
 * Set-up: random scenarios of a node that sends more than its interface can: drivers and eras, queueing disciplines with
 * limits that are met, one to three sources of datagrams of whose times many coincide, at even and random gaps and in bursts, in
 * two access categories, some that begin late or stop; beside them a rival, a ping, a TCP flow, what a third node has it forward,
 * power save, lost frames, lifetimes, and changes: of the queue's length, of a source's rate and size, of the link's rate, of what
 * a packet costs the processor, and stations that leave and join.
 * Expected: all metrics, the values of distributions and a queue followed over time are equal. Tolerance: none.
 */
#include "scenario-lab.h"

#include "engine/draw.h"
#include "engine/lazy.h"
#include "packet/packet.h"

#define TRIALS 50

struct dice {
	u64 key, i;
};

static u32 below(struct dice *d, u32 n)
{
	return (u32)(draw_bits(d->key, d->i++) % n);
}

static const char *one_of(struct dice *d, const char *const *list)
{
	u32 n = 0;

	while (list[n])
		n++;
	return list[below(d, n)];
}

static void add_sources(struct dice *d, GString *y)
{
	static const char *const rates[] = {"2Mbit",  "8Mbit",	 "9999kbit",
					    "40Mbit", "100Mbit", NULL};
	static const char *const sizes[] = {"100B", "125B", "500B", "1000B", "1472B", NULL};
	static const char *const more[] = {"",
					   ", flows: 3",
					   ", poisson: true",
					   ", dscp: 46",
					   ", priority: 6",
					   ", stop: 1200ms",
					   ", start: 10ms",
					   NULL};
	u32 n = 1 + below(d, 3);

	for (u32 i = 0; i < n; i++)
		g_string_append_printf(
			y, "  load%u: {model: udp_cbr, from: a, to: b, rate: %s, size: %s%s}\n", i,
			one_of(d, rates), one_of(d, sizes), one_of(d, more));
	if (below(d, 2))
		g_string_append_printf(y, "  rival: {model: udp_cbr, from: d, to: b, rate: %s}\n",
				       one_of(d, rates));
	if (!below(d, 3))
		g_string_append(
			y, "  burst: {model: onoff, from: a, to: b, rate: 60Mbit, on: 30ms, off: "
			   "20ms}\n");
	if (!below(d, 3))
		g_string_append(y, "  call: {model: voice, from: a, to: b, dscp: 46}\n");
	if (below(d, 2))
		g_string_append(y, "  echo: {model: ping, from: a, to: b, interval: 10ms}\n");
	if (!below(d, 3))
		g_string_append(y, "  back: {model: ping, from: b, to: a, interval: 7ms}\n");
	if (!below(d, 3))
		g_string_append(y, "  bulk: {model: tcp_bulk, from: a, to: b}\n");
	if (!below(d, 3))
		g_string_append(y,
				"  far: {model: udp_cbr, from: c, to: b, rate: 5Mbit, size: 125B}\n"
				"  farther: {model: tcp_bulk, from: c, to: b, start: 200ms}\n");
}

static void add_changes(struct dice *d, GString *y, bool wifi)
{
	g_string_append(y, "changes:\n"
			   "  - {at: 700ms, set: {a.x0.txqueuelen: 20}}\n"
			   "  - {at: 1100ms, set: {load0.rate: 16Mbit}}\n"
			   "  - {at: 1300ms, set: {load0.size: 250B, a.x0.txqueuelen: 60}}\n");
	if (below(d, 2))
		g_string_append(y, "  - {at: 1200ms, set: {a.cpu_packet: 20us}}\n"
				   "  - {at: 1400ms, set: {a.cpu_packet: 0s}}\n");
	if (!wifi)
		g_string_append(y, "  - {at: 1250ms, set: {cable.rate: 20Mbit}}\n");
	else if (below(d, 2))
		g_string_append(y, "  - {at: 950ms, leave: d}\n  - {at: 1150ms, join: d}\n");
	else
		g_string_append(y, "  - {at: 950ms, leave: a}\n  - {at: 1150ms, join: a}\n");
}

/* The first line in which they differ. */
static char *difference(const char *a, const char *b)
{
	const char *line = a, *other = b;

	for (; *a && *a == *b; a++, b++)
		if (*a == '\n') {
			line = a + 1;
			other = b + 1;
		}
	return g_strdup_printf("%.*s, %.*s", (int)strcspn(line, "\n"), line,
			       (int)strcspn(other, "\n"), other);
}

static char *some_scenario(u64 trial)
{
	static const char *const eras[] = {"2.6.32", "3.2", "3.6", "4.6", "6.1", NULL};
	static const char *const qdiscs[] = {"default",
					     "pfifo_fast",
					     "{model: pfifo, limit: 30}",
					     "{model: bfifo, limit: 20kB}",
					     "{model: pfifo_head_drop, limit: 30}",
					     "{model: pfifo_head_drop, limit: 1}",
					     "{model: codel, limit: 40}",
					     "{model: fq_codel, limit: 50}",
					     "{model: fq_codel, memory_limit: 60kB}",
					     "{model: prio}",
					     "{model: tbf, rate: 6Mbit, burst: 3kB, limit: 40kB}",
					     "{model: netem, delay: 2ms, limit: 100}",
					     "noqueue",
					     NULL};
	static const char *const cards[] = {"driver: ethernet", "driver: e1000", "driver: ag71xx",
					    NULL};
	static const char *const radios[] = {
		"driver: ath5k",
		"driver: iwl3945",
		"driver: ath9k, rate_control: {model: fixed, mcs: 3}",
		"driver: iwlwifi, rate_control: {model: fixed, mcs: 3}",
		"driver: ath10k, pending: 40, rate_control: {model: fixed, mcs: 7}",
		"driver: ath10k, pending: 300, rate_control: {model: fixed, mcs: 7}",
		"driver: ath10k, pending: 1000, amsdu_frames: 1, rate_control: {model: fixed, mcs: 2}",
		"driver: ath10k, pending: 1000, mac80211: {model: mac80211, ba_timeout: 30}, "
		"rate_control: {model: fixed, mcs: 7}",
		"driver: ath10k, pending: 5, rate_control: {model: fixed, mcs: 1}",
		"driver: ath9k, rate_control: {model: minstrel_ht}",
		NULL};
	static const char *const airs[] = {"",
					   ", loss: 0.1",
					   ", lifetime: {be: 30ms}",
					   ", medium: stations",
					   ", wmm: false",
					   ", rts_threshold: 500B",
					   NULL};
	struct dice d = {.key = 4711 + trial};
	GString *y = g_string_new("name: t\n");
	bool wifi = below(&d, 3);
	const char *driver = one_of(&d, wifi ? radios : cards);
	const char *ap = below(&d, 2) ? "a.x0" : "b.x0";
	bool saves = wifi && *ap == 'b' && !strstr(driver, "mac80211") && !below(&d, 4);

	g_string_append_printf(y, "kernel: \"%s\"\nduration: 1500ms\nwarmup: 900ms\nseed: %u\n",
			       one_of(&d, eras), below(&d, 1000));
	g_string_append_printf(
		y,
		"nodes:\n  a: {interfaces: {x0: {%s%s, qdisc: %s, qdisc_root: %s, txqueuelen: %s}, y0: "
		"{driver: ethernet}}}\n  b: {interfaces: {x0: {%s}}}\n  c: {interfaces: {y0: {driver: "
		"ethernet}}}\n  d: {interfaces: {x0: {%s}}}\nlinks:\n  side: {model: ethernet, rate: 100Mbit, members: [a.y0, c.y0]}\n",
		driver, saves ? ", mac80211: {model: mac80211, power_save: true}" : "",
		one_of(&d, qdiscs), below(&d, 2) ? "true" : "false", below(&d, 2) ? "40" : "1000",
		driver, driver);
	if (wifi)
		g_string_append_printf(
			y,
			"  air: {model: wifi, standard: %s, members: [a.x0, b.x0, d.x0], ap: %s%s}\n",
			strstr(driver, "{model") ? "11n" : "11g", ap, one_of(&d, airs));
	else
		g_string_append(
			y,
			"  cable: {model: ethernet, rate: 10Mbit, members: [a.x0, b.x0, d.x0]}\n");
	g_string_append(y, "traffic:\n");
	add_sources(&d, y);
	if (below(&d, 2))
		add_changes(&d, y, wifi);
	return g_string_free(y, FALSE);
}

static void add_distributions(GString *all, const struct run_result *r)
{
	for (u32 i = 0; i < r->n_distributions; i++) {
		const struct run_distribution *rd = &r->distributions[i];

		g_string_append_printf(all, "%s\n", rd->name);
		for (u32 k = 0; k < rd->n; k++)
			g_string_append_printf(all, " %lld %llu\n", (long long)rd->micro[k],
					       rd->weight ? (unsigned long long)rd->weight[k] : 1);
	}
}

/* All that is told of a run, and its packets. */
static char *told(const char *yaml, bool eager, double *late)
{
	const char *series[] = {"a.x0.qdisc", "a.x0.qdisc.packets"};
	const struct run_options opt = {
		.distributions = true, .eager = eager, .series = series, .n_series = 2};
	GString *all = g_string_new(NULL);
	struct outcome o = outcome_with(yaml, &opt);

	for (u32 i = 0; i < o.res.metrics->n; i++)
		g_string_append_printf(all, "%s %lld\n", o.res.metrics->v[i].name,
				       (long long)o.res.metrics->v[i].micro);
	add_distributions(all, &o.res);
	for (u32 i = 0; i < o.res.n_series; i++)
		for (u32 k = 0; k < o.res.series[i].n; k++)
			g_string_append_printf(all, "%lld %lld\n",
					       (long long)o.res.series[i].points[k].at,
					       (long long)o.res.series[i].points[k].micro);
	*late += (double)o.res.late / (double)o.res.events;
	outcome_clear(&o);
	return g_string_free(all, FALSE);
}

START_TEST(results_are_the_same)
{
	double late = 0, none = 0;

	for (u64 trial = 0; trial < TRIALS; trial++) {
		char *yaml = some_scenario(trial);
		char *lazy = told(yaml, false, &late), *eager = told(yaml, true, &none);

		if (strcmp(lazy, eager) != 0)
			ck_abort_msg("%s\n%s", difference(lazy, eager), yaml);
		g_free(lazy);
		g_free(eager);
		g_free(yaml);
	}
	ck_assert_msg(late / TRIALS > 0.1, "%.1f %% of the events were put off",
		      100 * late / TRIALS);
	ck_assert(none == 0);
}
END_TEST

/* ---- the engine by itself ------------------------------------------------------------------- */

#define SOURCES 5

struct source {
	struct event ev;
	struct bed *bed;
	sim_time gap;
	u32 left;
};

/* Sources that write their numbers down, and a reader who must find all that are due. */
struct bed {
	struct sim *sim;
	struct lazy lazy;
	struct source sources[SOURCES];
	struct event reader;
	GString *seen;
	bool put_off;
};

static void write_down(struct sim *sim, struct event *ev)
{
	struct source *s = container_of(ev, struct source, ev);
	struct bed *b = s->bed;

	lazy_catch_up(&b->lazy);
	for (;;) {
		g_string_append_printf(b->seen, "%d at %lld\n", (int)(s - b->sources),
				       (long long)sim->now);
		if (!--s->left)
			return;
		if (!lazy_goes_on(&b->lazy, sim->now + s->gap))
			break;
	}
	if (b->lazy.running || (b->put_off && s->left % 7 != 3))
		lazy_defer(&b->lazy, ev, sim->now + s->gap);
	else
		event_arrive(sim, ev, sim->now + s->gap);
}

static void read_all(struct sim *sim, struct event *ev)
{
	struct bed *b = container_of(ev, struct bed, reader);

	if (sim->now % 5)
		lazy_catch_up(&b->lazy);
	else
		lazy_end(&b->lazy);
	g_string_append(b->seen, "read\n");
	event_schedule_in(sim, ev, 11);
}

static char *order(bool put_off)
{
	struct bed b = {.sim = sim_new(1), .seen = g_string_new(NULL), .put_off = put_off};
	u64 events;

	lazy_init(&b.lazy, b.sim);
	for (int i = 0; i < SOURCES; i++) {
		b.sources[i] = (struct source){.bed = &b, .gap = 1 + i, .left = 300};
		event_init_source(b.sim, &b.sources[i].ev, write_down);
	}
	for (int i = SOURCES - 1; i >= 0; i--)
		event_arrive(b.sim, &b.sources[i].ev, 10);
	event_init(&b.reader, read_all, RANK_MEDIUM);
	event_schedule(b.sim, &b.reader, 10);
	for (sim_time t = 100; t <= 2000; t += 100) {
		ck_assert_int_eq(sim_run(b.sim, t), 0);
		ck_assert(b.lazy.due == SIM_TIME_MAX);
		g_string_append(b.seen, "stands\n");
	}
	events = b.sim->n_events;
	g_string_append_printf(b.seen, "%llu events\n", (unsigned long long)events);
	lazy_clear(&b.lazy);
	sim_free(b.sim);
	return g_string_free(b.seen, FALSE);
}

START_TEST(order_is_that_of_their_times)
{
	char *lazy = order(true), *eager = order(false);

	ck_assert_str_eq(lazy, eager);
	g_free(lazy);
	g_free(eager);
}
END_TEST

static void misbehave(struct sim *sim, struct event *ev)
{
	struct bed *b = container_of(ev, struct source, ev)->bed;

	if (b->lazy.running)
		event_schedule(sim, &b->reader, sim->now + 1000);
	else
		lazy_defer(&b->lazy, ev, sim->now + 1);
}

START_TEST(one_that_does_more_than_wait_is_found)
{
	struct bed b = {.sim = sim_new(1)};

	lazy_init(&b.lazy, b.sim);
	b.sources[0].bed = &b;
	event_init_source(b.sim, &b.sources[0].ev, misbehave);
	event_init(&b.reader, read_all, RANK_TIMER);
	event_arrive(b.sim, &b.sources[0].ev, 10);
	ck_assert_int_eq(sim_run(b.sim, 100), -1);
	ck_assert_ptr_nonnull(strstr(b.sim->error, "more than wait"));
	event_cancel(b.sim, &b.reader);
	lazy_clear(&b.lazy);
	sim_free(b.sim);
}
END_TEST

CHECK_MAIN("lazy", results_are_the_same, order_is_that_of_their_times,
	   one_that_does_more_than_wait_is_found)
