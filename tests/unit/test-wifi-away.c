// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a station that scans or saves power stops its queues, tells its access point and comes back; what the access
 * point has for it meanwhile waits and arrives, up to 64 frames a category, of which the oldest make room.
 *
 * Set-up: one station and one access point with each driver, in both directions, with absences by list, scans and
 * power save. Expected: nothing is lost but what is counted, a stop is followed by a wake, excursions take the ticks of
 * Linux's scan, a sleeping station is reached with the next beacon, and both ways to reckon the medium agree. Tolerance: two
 * ticks of 4 ms for a delayed work; an exchange or two for what a beacon or a nullfunc frame waits for.
 */
#include "check-main.h"

#include "mac80211/internal.h"
#include "scenario-lab.h"
#include "wifi-lab.h"

static void open_lab(struct wifi_lab *lab, const char *kernel, const char *driver, const char *sta,
		     const char *air)
{
	char yaml[2048];

	snprintf(yaml, sizeof(yaml),
		 "name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		 "  sta: {interfaces: {wlan0: {%s, mac80211: {model: mac80211, %s}}}}\n"
		 "  ap: {interfaces: {wlan0: {%s}}}\n"
		 "links:\n  air: {model: wifi, %s, members: [sta.wlan0, ap.wlan0]}\n",
		 kernel, driver, sta, driver, air);
	lab_open(lab, yaml);
	lab->ends[0].to = &lab->ends[1];
	lab->ends[1].to = &lab->ends[0];
}

/* Two stations, of which one goes, and their access point, all with ath9k. */
static void open_three(struct wifi_lab *lab, const char *kernel, const char *absent)
{
	char yaml[3072];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		"  s0: {interfaces: {wlan0: {driver: ath9k, mac80211: {model: mac80211, absent: [%s]}}}}\n"
		"  s1: {interfaces: {wlan0: {driver: ath9k, rate_control: {model: fixed, mcs: 1}}}}\n"
		"  ap: {interfaces: {wlan0: {driver: ath9k, rate_control: {model: fixed, mcs: 7}}}}\n"
		"links: {air: {model: wifi, standard: 11n,\n"
		"  members: [s0.wlan0, s1.wlan0, ap.wlan0], ap: ap.wlan0}}\n",
		kernel, absent);
	lab_open(lab, yaml);
}

static struct mac80211 *mac_of(struct wifi_lab *lab, u32 end)
{
	return (struct mac80211 *)lab->ends[end].mac;
}

struct net {
	const char *kernel, *driver, *air;
};

static const struct net nets[] = {
	{"2.6.32", "driver: iwl3945, rate_control: {model: fixed, rate: 11Mbit}", "standard: 11b"},
	{"6.1", "driver: ath5k, rate_control: {model: fixed, rate: 24Mbit}", "standard: 11g"},
	{"3.6", "driver: ath9k, rate_control: {model: fixed, mcs: 3}", "standard: 11n"},
	{"6.1", "driver: ath9k, rate_control: {model: fixed, mcs: 3}", "standard: 11n, loss: 0.1"},
	{"3.6", "driver: ath9k, rate_control: {model: fixed, rate: 24Mbit}", "standard: 11g"},
	{"6.1", "driver: ath9k, rate_control: {model: fixed, rate: 24Mbit}", "standard: 11g"},
	{"3.6", "driver: iwlwifi, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: iwlwifi, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: ath10k, rate_control: {model: fixed, mcs: 7}", "standard: 11ac"},
};
#define NETS (sizeof(nets) / sizeof(nets[0]))

/* Both ends send all the time, the station goes three times. */
START_TEST(nothing_is_lost_uncounted)
{
	for (u32 i = 0; i < NETS; i++) {
		const struct net *net = &nets[i];
		struct wifi_lab lab;
		u64 before;

		open_lab(
			&lab, net->kernel, net->driver,
			"absent: [{at: 300ms, span: 300ms}, {at: 1100ms, span: 150ms}], scan_start: 2s, scan_channels: 2",
			net->air);
		lab.ends[0].left = lab.ends[1].left = 1;
		lab_run(&lab, 200 * SIM_MS); /* sessions stand */
		for (u32 k = 1; k < 40; k++) {
			/* an access point takes any number for a station that sleeps */
			lab.ends[0].left = lab.ends[1].left = 300;
			lab_run(&lab, 200 * SIM_MS + k * 80 * SIM_MS);
			lab_audit(&lab);
		}
		/* while packets wait above the station, its scan visits one channel an excursion */
		ck_assert_uint_ge(mac_of(&lab, 0)->away.times, 3);
		ck_assert_uint_le(mac_of(&lab, 0)->away.times, 4);
		before = lab.ends[0].received;
		lab.ends[1].left = 10;
		lab_run(&lab, 3800 * SIM_MS);
		/* all goes on */
		ck_assert_msg(lab.ends[0].received > before, "%s: nothing more arrives",
			      net->driver);
		lab.ends[0].left = lab.ends[1].left = 0;
		lab_run(&lab, 20 * SIM_SEC);
		lab_audit(&lab);
		ck_assert_uint_eq(lab.sim->packets->live, 0);
		for (u32 e = 0; e < 2; e++) {
			ck_assert_uint_eq(lab.ends[e].idle_wakes, 0);
			ck_assert(!lab.ends[e].stopped[0]);
		}
		lab_close(&lab);
	}
}
END_TEST

/* 50, or 100 frames for a station that is away; they arrive once it is back, or the last 64 of them. */
START_TEST(the_access_point_keeps_64)
{
	for (u32 i = 0; i < NETS; i++) {
		for (u32 n = 50; n <= 100; n += 50) {
			const struct net *net = &nets[i];
			struct wifi_lab lab;
			char air[128];

			/* by the other medium receivers get copies, whose identifiers tell no order */
			snprintf(air, sizeof(air), "%s, medium: shared", net->air);
			open_lab(&lab, net->kernel, net->driver, "absent: [{at: 500ms, span: 1s}]",
				 air);
			lab.ends[1].left = 1;
			lab_run(&lab, 600 * SIM_MS);
			ck_assert_uint_eq(lab.ends[0].received, 1);
			lab.ends[1].left = n;
			lab_run(&lab, 1400 * SIM_MS);
			ck_assert_uint_eq(lab.ends[0].received, 1);
			ck_assert_uint_eq(mac_of(&lab, 1)->ps_dropped, n > 64 ? n - 64 : 0);
			lab_run(&lab, 3 * SIM_SEC);
			lab_audit(&lab);
			ck_assert_msg(lab.ends[0].received == 1 + (n < 64 ? n : 64),
				      "%s: %llu of %u", net->driver,
				      (unsigned long long)lab.ends[0].received, n);
			ck_assert_msg(!lab.ends[0].disordered, "%s, %s: %u", net->kernel,
				      net->driver, n);
			lab_close(&lab);
		}
	}
}
END_TEST

/* Ticks of 4 ms: a channel takes 2 * (250 / 33) = 14 of them, two fit into 250 / 8, one is heard for 250 / 9 = 27. */
START_TEST(excursions_of_a_scan)
{
	struct wifi_lab lab;
	struct mac80211 *mac;

	open_lab(&lab, "6.1", nets[3].driver, "scan_start: 1s, scan_channels: 5, scan_passive: 1",
		 "standard: 11n");
	mac = mac_of(&lab, 0);
	lab_run(&lab, 3 * SIM_SEC);
	/* the passive one alone, two, two, one */
	ck_assert_uint_eq(mac->away.times, 4);
	ck_assert_uint_ge(mac->away.ns, (27 + 5 * 14) * 4 * SIM_MS);
	ck_assert_uint_le(mac->away.ns, (27 + 5 * 14 + 4 * 2) * 4 * SIM_MS);
	lab_close(&lab);
}
END_TEST

/* With beacons on the air and without, a frame each second. */
START_TEST(power_save)
{
	for (u32 i = 0; i < 2 * NETS; i++) {
		const struct net *net = &nets[i / 2];
		struct wifi_lab lab;
		struct mac80211 *mac;
		char air[128];

		snprintf(air, sizeof(air), "%s%s", net->air, i & 1 ? ", beacons: true" : "");
		open_lab(&lab, net->kernel, net->driver, "power_save: true", air);
		mac = mac_of(&lab, 0);
		lab_run(&lab, 2 * SIM_SEC);
		ck_assert_int_eq(mac->away.state, AWAY_DOZES);
		for (u32 k = 1; k <= 5; k++) {
			sim_time at = (1 + k) * SIM_SEC + 77 * SIM_MS;

			lab_run(&lab, at);
			ck_assert_int_eq(mac->away.state, AWAY_DOZES);
			lab.ends[1].left = 1;
			lab_run(&lab, at + 110 * SIM_MS);
			ck_assert_uint_eq(lab.ends[0].received, k);
			ck_assert_int_le(lab.ends[0].received_at - at, 106 * SIM_MS);
			ck_assert(mac->dev->presence == WIFI_PRESENT);
		}
		/* its own frame goes at once */
		lab_run(&lab, 8 * SIM_SEC);
		ck_assert_int_eq(mac->away.state, AWAY_DOZES);
		lab.ends[0].left = 1;
		lab_run(&lab, 8 * SIM_SEC + 10 * SIM_MS);
		ck_assert_uint_eq(lab.ends[1].received, 1);
		/* six times awake for 100 ms and what it took to get there */
		lab_run(&lab, 10 * SIM_SEC);
		ck_assert_int_ge(away_share(&mac->obj, 10 * SIM_SEC), 900000);
		ck_assert_int_le(away_share(&mac->obj, 10 * SIM_SEC), 940000);
		lab_audit(&lab);
		lab_close(&lab);
	}
}
END_TEST

struct counts {
	u64 attempts, failures, mpdus, airtime, received, received_at, away;
};

static void media(const struct net *net, const char *medium, struct counts *out)
{
	struct wifi_lab lab;
	char air[160];

	snprintf(air, sizeof(air), "%s, beacons: true, medium: %s", net->air, medium);
	open_lab(
		&lab, net->kernel, net->driver,
		"power_save: true, ps_timeout: 20ms, scan_start: 1s, scan_interval: 2s, scan_channels: 4",
		air);
	for (u32 i = 1; i < 300; i++) {
		lab.ends[i & 1].left += i % 13 ? 3 : 60;
		lab_run(&lab, i * 23456789);
	}
	lab.ends[0].left = lab.ends[1].left = 0;
	lab_run(&lab, 300 * 23456789LL);
	lab_audit(&lab);
	for (u32 i = 0; i < 2; i++) {
		const struct wifi_dev *dev = lab.air->devs[i];

		out[i] = (struct counts){dev->attempts,
					 dev->failures,
					 dev->mpdus,
					 dev->airtime,
					 lab.ends[i].received,
					 (u64)lab.ends[i].received_at,
					 mac_of(&lab, i)->away.ns};
	}
	lab_close(&lab);
}

START_TEST(both_media_agree)
{
	for (u32 i = 0; i < NETS; i++) {
		struct counts shared[2], stations[2];

		media(&nets[i], "shared", shared);
		media(&nets[i], "stations", stations);
		ck_assert_uint_gt(shared[0].away, SIM_SEC / 2);
		ck_assert_msg(!memcmp(shared, stations, sizeof(shared)), "%s: they differ",
			      nets[i].driver);
	}
}
END_TEST

/*
 * Of 100 frames for a station two aggregates are with the hardware when it goes to sleep, while another station has the air, and
 * frames for that one come. They go as soon as the hardware has given the two back, though no frame that is sent stirs the
 * driver: five are there within 25 ms, in which both ends have the air a few times, for 4 ms at the most. 20 times, as not
 * each finds the two there.
 */
START_TEST(the_hardware_gives_way_to_others)
{
	static const char *const kernels[] = {"3.6", "6.1"};

	for (u32 i = 0; i < 2; i++) {
		struct wifi_lab lab;
		char yaml[2048];
		int n = 0;

		for (u32 k = 1; k <= 20; k++)
			n += snprintf(yaml + n, sizeof(yaml) - (size_t)n,
				      "%s{at: %ums, span: 300ms}", k > 1 ? ", " : "", 500 * k + 3);
		open_three(&lab, kernels[i], yaml);
		for (u32 sta = 0; sta < 2; sta++) { /* sessions stand */
			lab.ends[2].to = &lab.ends[sta];
			lab.ends[2].left = 1;
			lab_run(&lab, (sta + 1) * 50 * SIM_MS);
		}
		lab.ends[1].to = &lab.ends[2];
		for (u32 k = 1; k <= 20; k++) {
			sim_time now = (500 * k + 3) * SIM_MS;

			lab.ends[2].to = &lab.ends[0];
			lab_run(&lab, 500 * k * SIM_MS);
			lab.ends[2].left = 100;
			lab.ends[1].left = 60;
			while (!mac_of(&lab, 2)->stas[0]->soft.asleep) {
				now += 10 * SIM_US;
				ck_assert_int_lt(now, (500 * k + 50) * SIM_MS);
				lab_run(&lab, now);
			}
			lab.ends[2].to = &lab.ends[1];
			lab.ends[2].left = 5;
			lab_run(&lab, now + 200 * SIM_MS);
			ck_assert_msg(lab.ends[1].received == 1 + 5 * k, "%s: %llu of %u",
				      kernels[i], (unsigned long long)lab.ends[1].received,
				      1 + 5 * k);
		}
		lab.ends[1].left = 0;
		lab_run(&lab, 15 * SIM_SEC);
		lab_audit(&lab);
		lab_close(&lab);
	}
}
END_TEST

/*
 * A station that saves power takes one frame a session, as does another: the driver's list has both, and either may be first or
 * last when it is asleep. The schedule of ath9k before Linux 4.10 ends all the same. 20 seeds; it did not end with 17.
 */
START_TEST(a_schedule_ends)
{
	static const char text[] =
		"name: t\nkernel: \"3.2\"\nduration: 200ms\nwarmup: 0s\nseed: %u\nnodes:\n"
		"  ap: {interfaces: {wlan0: {driver: ath9k, rate_control: {model: minstrel_ht}}, eth0: {}}}\n"
		"  server: {interfaces: {eth0: {}}}\n"
		"  s0: {interfaces: {wlan0: {driver: ath9k, mac80211: {model: mac80211, ba_window: 1}}}}\n"
		"  s1: {interfaces: {wlan0: {driver: ath9k, mac80211: {model: mac80211, ba_window: 1,\n"
		"    power_save: true, ps_timeout: 1ms}}}}\n"
		"links:\n"
		"  air: {members: [ap.wlan0, s0.wlan0, s1.wlan0], ap: ap.wlan0, model: wifi, standard: 11n}\n"
		"  lan: {model: ethernet, members: [server.eth0, ap.eth0], rate: 100Mbit}\n"
		"traffic:\n"
		"  down0: {model: udp_cbr, from: server, to: s0, spread: 20ms, rate: 30Mbit, size: 40B}\n"
		"  down1: {model: udp_cbr, from: server, to: s1, spread: 20ms, rate: 30Mbit, size: 40B}\n"
		"  up1: {model: udp_cbr, from: s1, to: server, spread: 20ms, rate: 1Mbit, size: 500B}\n";

	for (u32 seed = 1; seed <= 20; seed++) {
		char *yaml = g_strdup_printf(text, seed);
		struct outcome o = outcome_of(yaml);

		ck_assert_double_gt(metric_of(&o, "s0.rx_packets"), 0);
		outcome_clear(&o);
		g_free(yaml);
	}
}
END_TEST

/*
 * Frames that wait for a session which nobody answers go out after Linux's second, though the station has dozed off; what had
 * to make room among them is counted, so that all that was sent is accounted for.
 */
START_TEST(a_session_that_fails_wakes)
{
	for (u32 i = 0; i < NETS; i++) {
		const struct net *net = &nets[i];
		struct outcome o;
		char yaml[2048];
		double arrived;

		snprintf(
			yaml, sizeof(yaml),
			"name: t\nkernel: \"%s\"\nduration: 4s\nwarmup: 0s\nnodes:\n"
			"  sta: {interfaces: {wlan0: {%s, mac80211: {model: mac80211, power_save: true}}}}\n"
			"  ap: {interfaces: {wlan0: {%s, mac80211: {model: mac80211, addba: ignore}}}}\n"
			"links: {air: {model: wifi, %s, members: [sta.wlan0, ap.wlan0]}}\n"
			"traffic: {up: {model: udp_cbr, from: sta, to: ap, start: 1ms, stop: 200ms, rate: 5Mbit}}\n",
			net->kernel, net->driver, net->driver, net->air);
		o = outcome_of(yaml);
		arrived = metric_of(&o, "ap.rx_packets");
		ck_assert_double_gt(arrived, 20);
		ck_assert_msg(metric_of(&o, "sta.tx_packets") ==
				      arrived + metric_of(&o, "sta.wlan0.drops") +
					      metric_of(&o, "sta.wlan0.session.dropped"),
			      "%s, %s: %g of %g", net->kernel, net->driver, arrived,
			      metric_of(&o, "sta.tx_packets"));
		outcome_clear(&o);
	}
}
END_TEST

/* A station's frames of 13 ms hold beacons back, each 10 ms; one that falls due while another is on the air is sent as well. */
START_TEST(beacons_go_on)
{
	static const char *const media[] = {"shared", "stations"};

	for (u32 i = 0; i < 2; i++) {
		struct outcome o;
		char yaml[1024];

		snprintf(
			yaml, sizeof(yaml),
			"name: t\nkernel: \"3.2\"\nduration: 5s\nwarmup: 0s\nnodes:\n"
			"  sta: {interfaces: {wlan0: &radio {driver: ath5k,\n"
			"    rate_control: {model: fixed, rate: 1Mbit}}}}\n"
			"  ap: {interfaces: {wlan0: *radio}}\n"
			"links: {air: {model: wifi, standard: 11b, beacons: true, beacon_interval: 10ms,\n"
			"  medium: %s, members: [sta.wlan0, ap.wlan0]}}\n"
			"traffic: {up: {model: udp_cbr, from: sta, to: ap, stop: 200ms, rate: 5Mbit}}\n",
			media[i]);
		o = outcome_of(yaml);
		/* all but those of the first second or so, in which the station's 85 frames go */
		ck_assert_double_gt(metric_of(&o, "air.beacons"), 350);
		outcome_clear(&o);
	}
}
END_TEST

CHECK_MAIN("wifi-away", nothing_is_lost_uncounted, the_access_point_keeps_64, excursions_of_a_scan,
	   power_save, both_media_agree, the_hardware_gives_way_to_others, a_schedule_ends,
	   a_session_that_fails_wakes, beacons_go_on)
