// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a station may leave and join in the midst of everything. What was queued for it is dropped and counted, no airtime
 * stays pending, others go on, and after the join all works as before.
 *
 * Set-up: two stations and an access point, all sending to each other at the rate of the air, with each driver; one station
 * leaves and joins, then the access point does. Expected: every audit holds, nothing arrives at or from who is gone, the
 * other station gets more while it has the air to itself, and in the end no packet is left. Tolerance: none but for the
 * share of the one that stays, which is at least a tenth more.
 */
#include "check-main.h"

#include "mac80211/internal.h"
#include "wifi-lab.h"

struct net {
	const char *kernel, *driver, *air;
};

static const struct net nets[] = {
	{"2.6.32", "driver: iwl3945, ring: 24, rate_control: {model: fixed, rate: 11Mbit}",
	 "standard: 11b"},
	{"6.1", "driver: ath5k, rate_control: {model: fixed, rate: 24Mbit}", "standard: 11g"},
	{"3.6", "driver: ath9k, rate_control: {model: fixed, mcs: 3}", "standard: 11n"},
	{"6.1", "driver: ath9k, rate_control: {model: fixed, mcs: 3}",
	 "standard: 11n, beacons: true, loss: 0.1"},
	{"3.6", "driver: iwlwifi, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: iwlwifi, rate_control: {model: fixed, mcs: 7}",
	 "standard: 11n, medium: stations"},
	{"6.1", "driver: ath10k, rate_control: {model: fixed, mcs: 7}", "standard: 11ac"},
};
#define NETS (sizeof(nets) / sizeof(nets[0]))

enum { GOES, STAYS, AP };

static void feed(struct wifi_lab *lab, u32 n, sim_time until)
{
	for (u32 e = 0; e < 3; e++) {
		lab->ends[e].left = n;
		if (e == AP) /* to both in turn */
			lab->ends[e].to = &lab->ends[(until / (20 * SIM_MS)) & 1];
	}
	lab_run(lab, until);
	lab_audit(lab);
}

static u64 received(const struct wifi_lab *lab)
{
	return lab->ends[GOES].received;
}

/* From @from to @until in steps of 20 ms; what @end has received in that time. */
static u64 span(struct wifi_lab *lab, u32 end, u32 from, u32 until)
{
	u64 before = lab->ends[end].received;

	for (u32 ms = from + 20; ms <= until; ms += 20)
		feed(lab, 60, ms * SIM_MS);
	return lab->ends[end].received - before;
}

START_TEST(leaves_and_joins)
{
	for (u32 i = 0; i < NETS; i++) {
		struct wifi_lab lab;
		struct mac80211 *ap, *sta;
		u64 shared, alone, at;
		char yaml[2048];

		snprintf(
			yaml, sizeof(yaml),
			"name: lab\nkernel: \"%s\"\nduration: 9s\nnodes:\n"
			"  goes: {interfaces: {wlan0: &i {%s}}}\n  stays: {interfaces: {wlan0: *i}}\n"
			"  ap: {interfaces: {wlan0: *i}}\n"
			"links:\n  air: {model: wifi, %s, members: [goes.wlan0, stays.wlan0, ap.wlan0]}\n"
			"changes:\n  - {at: 1003ms, leave: goes}\n  - {at: 2001ms, join: goes}\n"
			"  - {at: 3007ms, leave: ap}\n  - {at: 3501ms, join: ap}\n",
			nets[i].kernel, nets[i].driver, nets[i].air);
		lab_open(&lab, yaml);
		lab.ends[GOES].to = lab.ends[STAYS].to = &lab.ends[AP];
		lab.ends[AP].to = &lab.ends[GOES];
		ap = (struct mac80211 *)lab.ends[AP].mac;
		sta = (struct mac80211 *)lab.ends[GOES].mac;
		feed(&lab, 1, 200 * SIM_MS);
		shared = span(&lab, AP, 200, 1000);
		span(&lab, AP, 1000, 1040);
		/* gone: what was on its way, within the interrupts of a few ms, was all */
		at = received(&lab);
		ck_assert(sta->dev->gone && ap->stas[GOES]->soft.gone);
		/* and nothing waits at it, nor at the access point beside what its rings have in turn */
		ck_assert_uint_eq(sta->ops->held(sta->drv), 0);
		for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
			ck_assert_uint_eq(sta->pending[q].n, 0);
		alone = span(&lab, STAYS, 1040, 2000);
		ck_assert_uint_eq(received(&lab), at);
		ck_assert_uint_gt(alone, 0);
		for (u32 ac = 0; ac < AC_COUNT; ac++)
			ck_assert_int_eq(ap->stas[GOES]->airtime[ac].pending, 0);
		ck_assert_uint_gt(ap->left_dropped + ap->no_station, 0);
		/* back again: both ways */
		span(&lab, AP, 2000, 3000);
		ck_assert_msg(received(&lab) > at, "%s: nothing arrives after the join",
			      nets[i].driver);
		ck_assert_uint_gt(shared, 0);
		span(&lab, AP, 3000, 3040);
		at = received(&lab);
		span(&lab, AP, 3040, 3500);
		ck_assert_uint_eq(received(&lab), at);
		span(&lab, AP, 3500, 4500);
		ck_assert_msg(received(&lab) > at, "%s: nothing arrives after the AP's return",
			      nets[i].driver);
		for (u32 e = 0; e < 3; e++)
			lab.ends[e].left = 0;
		lab_run(&lab, 60 * SIM_SEC);
		lab_audit(&lab);
		ck_assert_uint_eq(lab.sim->packets->live, 0);
		for (u32 e = 0; e < 3; e++)
			ck_assert_uint_eq(lab.ends[e].idle_wakes, 0);
		lab_close(&lab);
	}
}
END_TEST

CHECK_MAIN("wifi-leave", leaves_and_joins)
