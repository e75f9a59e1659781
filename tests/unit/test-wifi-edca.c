// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a station contends as 802.11-2020 10.23.2 has it: windows double with each failure and start anew behind the
 * last; of its own categories the higher one wins; a TXOP holds what fits into it; parameters can be overridden. The
 * order of frames in an aggregate and capture are as asked for. A station that is away does not count down.
 *
 * Set-up: one saturated station and an access point; the frames that a card with aggregates sends on lossy air; two stations
 * at 5 and 30 m; a station that goes in the midst of its backoff, with or without a frame to send, on both media. Expected: arithmetic of each rule. Tolerance: none; for capture, where slots that differ within the sensing
 * time decide who is locked to, a tenth of the collisions.
 */
#include "check-main.h"

#include "wifi-bed.h"
#include "wifi-lab.h"

#define BE EDCA_AC(AC_BE)

static struct contender *contender(struct bed *bed, u32 queue)
{
	return air_contender(bed->air, queue); /* of station 0 */
}

static void saturate(struct bed *bed, enum wifi_standard standard)
{
	bed_init(bed, 1, 2, standard);
	bed->s[0].bytes = 1500;
	bed->s[0].saturated = true;
	bed->s[0].rate = wifi_legacy_rate(54000000);
}

/* Nothing arrives, seven tries a frame: 15, 31, .. 1023, 1023, and again. */
START_TEST(windows_double_up_to_the_limit)
{
	static const u32 windows[] = {31, 63, 127, 255, 511, 1023, 15};
	struct bed bed;
	u64 seen = 0;

	saturate(&bed, WIFI_11A);
	bed.params.loss = PROB_ONE;
	bed.s[0].tries = 7;
	bed_start(&bed);
	for (sim_time t = 0; seen < 50; t += 20 * SIM_US) {
		bed_run(&bed, t);
		if (bed.s[0].dev->failures == seen)
			continue;
		ck_assert_uint_eq(bed.s[0].dev->failures, seen + 1);
		ck_assert_uint_eq(contender(&bed, BE)->cw, windows[seen % 7]);
		seen++;
		ck_assert_uint_eq(bed.s[0].failed, seen / 7);
	}
	bed_end(&bed);
}
END_TEST

/* All categories of one station are saturated. */
static struct wifi_ppdu *pull_any(void *arg, u32 ac)
{
	struct bed_station *s = arg;

	s->ac = ac;
	return bed_ops.pull(arg, ac);
}

START_TEST(the_higher_category_wins)
{
	struct wifi_dev_ops ops = bed_ops;
	struct bed bed;
	struct wifi_dev *dev;
	u32 widest = 0;

	saturate(&bed, WIFI_11N);
	bed.s[0].rate = wifi_ht(7, WIFI_20, false);
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		bed.params.txop[ac] = 0;
	bed_start(&bed);
	dev = bed.s[0].dev;
	ops.pull = pull_any;
	dev->ops = &ops;
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		wifi_kick(dev, ac);
	for (u32 ms = 1; ms <= 1000; ms++) {
		bed_run(&bed, ms * SIM_MS);
		if (contender(&bed, EDCA_AC(AC_VI))->cw > widest)
			widest = contender(&bed, EDCA_AC(AC_VI))->cw;
	}
	ck_assert_uint_gt(dev->internal, 100);
	/* it meets nobody but itself: nothing is lost, and losers double their windows all the same */
	ck_assert_uint_eq(dev->collisions, 0);
	ck_assert_uint_eq(dev->failures, 0);
	ck_assert_uint_eq(bed.s[0].failed, 0);
	ck_assert_uint_eq(contender(&bed, EDCA_AC(AC_VO))->cw, 3);
	ck_assert_uint_eq(widest, 15);
	bed_end(&bed);
}
END_TEST

/* Exchanges of T, a SIFS apart: as many as end within the limit. */
START_TEST(a_txop_holds_what_fits)
{
	static const u32 limits[] = {0, 300, 620, 1504, 3008, 8160}; /* us */

	for (u32 i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct bed bed;
		sim_time exchange, limit = limits[i] * SIM_US;
		struct wifi_step step = {.rate = wifi_legacy_rate(54000000), .tries = 1};
		u64 fit = 1;

		saturate(&bed, WIFI_11A);
		bed.params.wmm = true;
		bed.params.txop[AC_BE] = limit;
		bed_start(&bed);
		exchange = wifi_exchange(bed.s[0].dev, &step, 1500, false);
		while (limit && (sim_time)fit * (exchange + 16 * SIM_US) + exchange <= limit)
			fit++;
		bed_run(&bed, SIM_SEC);
		ck_assert_uint_le(bed.s[0].dev->attempts, fit * bed.air->exchanges);
		ck_assert_uint_gt(bed.s[0].dev->attempts, fit * (bed.air->exchanges - 1));
		bed_end(&bed);
	}
}
END_TEST

/* Without backoff a frame takes its exchange and AIFS. */
START_TEST(overrides)
{
	for (u32 aifsn = 1; aifsn <= 15; aifsn++) {
		struct wifi_step step = {.rate = wifi_legacy_rate(54000000), .tries = 1};
		struct bed bed;
		sim_time period;

		saturate(&bed, WIFI_11A);
		bed.params.wmm = true;
		bed.params.ap_aifsn[AC_BE] = 9;
		bed.params.aifsn[AC_BE] = aifsn;
		bed.params.cwmin[AC_BE] = bed.params.cwmax[AC_BE] = 0;
		bed.params.txop[AC_BE] = 0;
		bed_start(&bed);
		period = wifi_exchange(bed.s[0].dev, &step, 1500, false) +
			 (16 + 9 * (sim_time)aifsn) * SIM_US;
		bed_run(&bed, SIM_SEC);
		ck_assert_uint_ge(bed.s[0].sent, (u64)(SIM_SEC / period) - 1);
		ck_assert_uint_le(bed.s[0].sent, (u64)(SIM_SEC / period) + 1);
		bed_end(&bed);
	}
}
END_TEST

/* Of the station, and of the access point where it has its own; unset there is no end. */
START_TEST(lifetimes)
{
	static const sim_time want[2][AC_COUNT] = {
		{[AC_VO] = 5 * SIM_MS, [AC_BE] = 20 * SIM_MS},
		{[AC_VO] = 5 * SIM_MS, [AC_BE] = 10 * SIM_MS, [AC_BK] = 512 * SIM_MS},
	};
	struct wifi_lab lab;

	lab_open(&lab, "name: lab\nduration: 1s\nnodes:\n"
		       "  a: {interfaces: {wlan0: {driver: ath9k}}}\n"
		       "  b: {interfaces: {wlan0: {driver: ath9k}}}\n"
		       "links:\n  air: {model: wifi, lifetime: {vo: 5ms, be: 20ms}, "
		       "ap_lifetime: {be: 10ms, bk: 512ms}, members: [a.wlan0, b.wlan0]}\n");
	for (u32 i = 0; i < 2; i++)
		for (u32 ac = 0; ac < AC_COUNT; ac++)
			ck_assert_int_eq(lab.air->devs[i]->lifetime[ac], want[i][ac]);
	lab_close(&lab);
}
END_TEST

/* ---- the order of an aggregate ---------------------------------------------------------------------- */

struct spy {
	const struct wifi_dev_ops *ops;
	void *arg;
	struct sim *sim;
	sim_time at; /* of the aggregate */
	u16 last;
	bool retried; /* a repeat was in it */
	u64 n, backward, fresh_behind_repeat;
};

static void spy_rx(void *arg, struct packet *p)
{
	struct spy *s = arg;
	bool same = s->n && s->at == s->sim->now;

	if (p->proto != PROTO_WIFI_MGMT) {
		if (!same)
			s->retried = false;
		if (same && ((p->mac.seq - s->last) & 0xfff) > 2048)
			s->backward++;
		if (same && s->retried && !p->mac.retries)
			s->fresh_behind_repeat++;
		s->retried |= p->mac.retries;
		s->last = p->mac.seq;
		s->at = s->sim->now;
		s->n++;
	}
	s->ops->rx(s->arg, p);
}

static void aggregates(const char *order, struct spy *spy)
{
	static struct wifi_dev_ops ops;
	struct wifi_lab lab;
	struct wifi_dev *dev;
	char yaml[1024];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"3.2\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {driver: iwlwifi, agg_order: %s, agg_alone: 0,\n"
		"    rate_control: {model: fixed, mcs: 7}}}}\n"
		"  b: {interfaces: {wlan0: *i}}\n"
		"links: {air: {model: wifi, standard: 11n, loss: 0.2, members: [a.wlan0, b.wlan0]}}\n",
		order);
	lab_open(&lab, yaml);
	lab.ends[0].to = &lab.ends[1];
	lab.ends[0].left = 1;
	lab_run(&lab, 200 * SIM_MS);
	dev = lab.air->devs[1];
	*spy = (struct spy){.ops = dev->ops, .arg = dev->arg, .sim = lab.sim};
	ops = *dev->ops;
	ops.rx = spy_rx;
	ops.rx_all = NULL;
	ops.rx_end = NULL; /* this driver has none */
	dev->ops = &ops;
	dev->arg = spy;
	lab.ends[0].left = 100000;
	lab_run(&lab, SIM_SEC);
	ck_assert_uint_gt(spy->n, 3000);
	lab_close(&lab);
}

START_TEST(order_of_an_aggregate)
{
	struct spy sequence, retries_last, shuffled;

	aggregates("sequence", &sequence);
	aggregates("retries_last", &retries_last);
	aggregates("shuffled", &shuffled);
	ck_assert_uint_eq(sequence.backward, 0);
	ck_assert_uint_gt(sequence.fresh_behind_repeat, 100);
	ck_assert_uint_eq(retries_last.fresh_behind_repeat, 0);
	ck_assert_uint_gt(retries_last.backward, 100);
	/* of neighbours in no order half go back */
	ck_assert_uint_gt(shuffled.backward, shuffled.n * 2 / 5);
	ck_assert_uint_lt(shuffled.backward, shuffled.n * 3 / 5);
}
END_TEST

/* Failures and collisions of the near station and of the far one. */
static void captures(const char *capture, u64 failures[2], u64 collisions[2])
{
	struct wifi_lab lab;
	char yaml[1024];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  near: {interfaces: {wlan0: &i {driver: saturated, rate_control: {model: fixed, rate: 12Mbit}}}}\n"
		"  far: {interfaces: {wlan0: *i}}\n  ap: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11a, ap: ap.wlan0, capture: %s,\n"
		"    channel: {model: log_distance, positions: {near: {x: 5m}, far: {x: 30m}}},\n"
		"    members: [near.wlan0, far.wlan0, ap.wlan0]}\n",
		capture);
	lab_open(&lab, yaml);
	lab_run(&lab, 20 * SIM_SEC);
	for (u32 i = 0; i < 2; i++) {
		failures[i] = lab.air->devs[i]->failures;
		collisions[i] = lab.air->devs[i]->collisions;
	}
	lab_close(&lab);
}

START_TEST(capture_is_a_switch)
{
	u64 failures[2], collisions[2];

	captures("false", failures, collisions);
	ck_assert_uint_gt(collisions[0], 500);
	ck_assert_uint_eq(failures[0], collisions[0]);
	ck_assert_uint_eq(failures[1], collisions[1]);
	/* 23 dB stronger: the near one survives, the far one does not */
	captures("true", failures, collisions);
	ck_assert_uint_gt(failures[1], 500);
	ck_assert_uint_lt(failures[0], failures[1] / 10);
}
END_TEST

#define SLOT	(9 * SIM_US)
#define AIFS	(16 * SIM_US + 3 * SLOT)
#define AWAY	(50 * SIM_MS)
#define FOREVER (3 * SIM_SEC)

enum when { HAS_ALL_ALONG, GETS_IT_THEN, GETS_IT_AFTER };

struct absence_test {
	struct bed bed;
	sim_time gone, away; /* from the end of the first frame; how long */
	enum when when;
	struct event leave, back;
};

static void second(struct absence_test *t)
{
	t->bed.s[0].queued = 1;
	wifi_kick(t->bed.s[0].dev, AC_BE);
}

static void leave(struct sim *sim, struct event *ev)
{
	struct absence_test *t = container_of(ev, struct absence_test, leave);

	wifi_set_presence(t->bed.s[0].dev, WIFI_AWAY);
	if (t->when == GETS_IT_THEN)
		second(t);
	event_schedule_in(sim, &t->back, t->away);
}

static void back(struct sim *sim, struct event *ev)
{
	struct absence_test *t = container_of(ev, struct absence_test, back);

	wifi_set_presence(t->bed.s[0].dev, WIFI_PRESENT);
	if (t->when == GETS_IT_AFTER)
		second(t);
}

/* When the second frame arrives, from the end of the first; @away 0: the station is there all the time. */
static sim_time second_frame(int64_t medium, sim_time gone, sim_time away, enum when when)
{
	struct absence_test t = {.gone = gone, .away = away, .when = when};
	struct bed_station *s = &t.bed.s[0];
	sim_time first, took;

	bed_init(&t.bed, 1, 2, WIFI_11N);
	t.bed.params.medium = medium;
	t.bed.params.cwmin[AC_BE] = t.bed.params.cwmax[AC_BE] = 1023;
	s->bytes = 1500;
	s->rate = wifi_ofdm(7);
	s->tries = 7;
	s->queued = 1;
	bed_start(&t.bed);
	while (!s->sent)
		bed_run(&t.bed, t.bed.sim->now + 10 * SIM_US);
	first = s->sent_at;
	event_init(&t.leave, leave, RANK_TIMER);
	event_init(&t.back, back, RANK_TIMER);
	if (away)
		event_schedule(t.bed.sim, &t.leave, first + gone);
	if (when == HAS_ALL_ALONG)
		second(&t);
	bed_run(&t.bed, FOREVER);
	ck_assert_uint_eq(s->sent, 2);
	took = t.bed.s[1].received_at - first;
	bed_end(&t.bed);
	return took;
}

START_TEST(who_is_away_does_not_count)
{
	static const int64_t media[] = {MEDIUM_SHARED, MEDIUM_STATIONS};
	/* ten slots and a half have passed: with EDCA eleven are off, that at the end of AIFS included */
	sim_time gone = AIFS + 10 * SLOT + SLOT / 2;

	for (u32 i = 0; i < 2; i++) {
		sim_time there = second_frame(media[i], 0, 0, HAS_ALL_ALONG);

		ck_assert_int_gt(there, AIFS + 20 * SLOT + 250 * SIM_US);
		for (enum when w = HAS_ALL_ALONG; w <= GETS_IT_AFTER; w++) {
			/* left over after AIFS, once it is back */
			ck_assert_int_eq(second_frame(media[i], gone, AWAY, w),
					 gone + AWAY + there - 11 * SLOT);
			/* also when nobody else was on the air for longer than 32 bits of ns */
			ck_assert_int_eq(second_frame(media[i], gone, 2 * SIM_SEC, w),
					 gone + 2 * SIM_SEC + there - 11 * SLOT);
		}
	}
}
END_TEST

CHECK_MAIN("wifi-edca", windows_double_up_to_the_limit, the_higher_category_wins,
	   a_txop_holds_what_fits, overrides, lifetimes, order_of_an_aggregate, capture_is_a_switch,
	   who_is_away_does_not_count)
