// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: several cells share a channel as one cell's stations do: who hears whom is a matter of path loss alone. Where all
 * hear all, the shared medium and the one reckoned by station give the same, beacons included. A beacon goes out a PIFS
 * after the medium falls idle and takes the airtime of its rate.
 *
 * Set-up: two cells with frames of all categories, beacons every 9 ms so that they meet other frames; saturated senders in
 * two cells that are near, far, or exposed (senders hear each other, receivers hear their own alone); an access point
 * by itself. Expected: equal counts; near cells share the channel, far ones do not know of each other, exposed senders
 * hold each other up without need; beacons by the clock. Tolerance: none for counts and times; a tenth where luck
 * of backoffs is in it (4000 frames: 2 %, and what collisions cost or, of exposed ones, do not cost).
 */
#include "check-main.h"

#include "wifi-bed.h"
#include "wifi-lab.h"

#define STATIONS 6

struct counts {
	u64 attempts, failures, collisions, internal, mpdus, airtime, received, received_at, closed;
};

static const char *const members = "members: [a.wlan0, b.wlan0, west.wlan0]";

static void run(const char *driver, const char *air, const char *medium, struct counts *out)
{
	struct wifi_lab lab;
	char yaml[2048];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"3.6\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {%s}}}\n  b: {interfaces: {wlan0: *i}}\n"
		"  west: {interfaces: {wlan0: *i}}\n  c: {interfaces: {wlan0: *i}}\n"
		"  d: {interfaces: {wlan0: *i}}\n  east: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, %s, medium: %s, beacons: true, beacon_interval: 9ms, %s}\n"
		"  other: {model: wifi_cell, air: air, ap: east.wlan0,\n"
		"    members: [c.wlan0, d.wlan0, east.wlan0]}\n",
		driver, air, medium, members);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < STATIONS; i++) {
		struct wifi_end *e = &lab.ends[i];

		e->to = &lab.ends[i % 3 == 2 ? i - 1 : i - i % 3 + 2];
		e->left = 1;
		e->tos = (u8)(i * 40);
		e->len = 200 + 250 * i;
		e->accounts = i & 1;
	}
	lab_run(&lab, 200 * SIM_MS);
	for (u32 i = 0; i < STATIONS; i++)
		lab.ends[i].left = 1000;
	lab_run(&lab, 2 * SIM_SEC);
	lab_audit(&lab);
	for (u32 i = 1; i < 200; i++) {
		lab.ends[i % STATIONS].left += i % 7 ? 1 : 40;
		lab_run(&lab, 2 * SIM_SEC + i * 1234567);
	}
	lab_run(&lab, 8 * SIM_SEC);
	lab_audit(&lab);
	for (u32 i = 0; i < STATIONS; i++) {
		const struct wifi_dev *dev = lab.air->devs[i];

		out[i] = (struct counts){.attempts = dev->attempts,
					 .failures = dev->failures,
					 .collisions = dev->collisions,
					 .internal = dev->internal,
					 .mpdus = dev->mpdus,
					 .airtime = dev->airtime,
					 .received = lab.ends[i].received,
					 .received_at = (u64)lab.ends[i].received_at,
					 .closed = lab.ends[i].closed};
	}
	lab_close(&lab);
}

START_TEST(both_give_the_same)
{
	static const char *const nets[][2] = {
		{"driver: ath5k", "standard: 11g, loss: 0.2"},
		{"driver: ath5k", "standard: 11a, wmm: true"},
		{"driver: ath9k, rate_control: {model: fixed, mcs: 3}", "standard: 11n, loss: 0.1"},
	};

	for (u32 i = 0; i < 3; i++) {
		struct counts shared[STATIONS], stations[STATIONS];

		run(nets[i][0], nets[i][1], "shared", shared);
		run(nets[i][0], nets[i][1], "stations", stations);
		for (u32 k = 0; k < STATIONS; k++) {
			/* each sends to its access point, which sends to the second one */
			ck_assert_uint_ge(shared[k].received, k % 3 ? 900 : 0);
			ck_assert_msg(!memcmp(&shared[k], &stations[k], sizeof(shared[k])),
				      "%s, station %u: the two differ", nets[i][1], k);
		}
		/* beacons did meet other frames */
		ck_assert_uint_gt(shared[2].collisions + shared[5].collisions, 10);
	}
}
END_TEST

/* Frames that arrive in cell west and in cell east, @apart m between senders, receivers beyond them by 10 m. */
static void pairs(const char *sensitivity, u32 apart, bool two, u64 received[2])
{
	struct wifi_lab lab;
	char yaml[2048], east[64];

	snprintf(east, sizeof(east), ", e: {x: %um}, east: {x: %um}", apart, apart + 10);
	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  w: {interfaces: {wlan0: &i {driver: saturated, frame: 1500B,\n"
		"    rate_control: {model: fixed, rate: 12Mbit}}}}\n"
		"  west: {interfaces: {wlan0: *i}}\n  e: {interfaces: {wlan0: *i}}\n"
		"  east: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11a, ap: west.wlan0, members: [w.wlan0, west.wlan0],\n"
		"    channel: {model: log_distance, sensitivity: %s,\n"
		"      positions: {w: {x: 0m}, west: {x: -10m}%s}}}\n"
		"  %s, ap: east.wlan0, members: [e.wlan0, east.wlan0]}\n",
		sensitivity, two ? east : "",
		two ? "other: {model: wifi_cell, air: air" : "other: {model: wifi, standard: 11a");
	lab_open(&lab, yaml);
	lab_run(&lab, 5 * SIM_SEC);
	/* without a second cell .air is that of the pair in the east */
	received[0] = lab.air->devs[0]->attempts - lab.air->devs[0]->failures;
	received[1] = two ? lab.air->devs[2]->attempts - lab.air->devs[2]->failures : 0;
	lab_close(&lab);
}

START_TEST(near_far_exposed)
{
	u64 alone[2], near[2], far[2], exposed[2];

	/* 16 - 46.67 - 30 lg d dBm: 10 m -60.7, 20 m -69.7, 30 m -75.0, 200 m -99.7 */
	pairs("-91dBm", 1000, false, alone);
	pairs("-91dBm", 1000, true, far);
	pairs("-91dBm", 10, true, near);
	pairs("-72dBm", 20, true, exposed);
	ck_assert_uint_gt(alone[0], 3000);
	/* out of hearing: the very same run */
	ck_assert_uint_eq(far[1], alone[0]);
	ck_assert_uint_ge(far[0], alone[0] * 98 / 100);
	ck_assert_uint_ge(near[0] + near[1], alone[0] * 85 / 100);
	ck_assert_uint_le(near[0] + near[1], alone[0] * 105 / 100);
	ck_assert_uint_le(near[0], near[1] * 11 / 10);
	ck_assert_uint_ge(near[0], near[1] * 9 / 10);
	/* each could send all the time, and waits; frames that begin together both arrive */
	ck_assert_uint_ge(exposed[0] + exposed[1], near[0] + near[1]);
	ck_assert_uint_le(exposed[0] + exposed[1], alone[0] * 125 / 100);
}
END_TEST

/* The access point of @standard, by itself or (@loaded) with a saturated station. */
static void beacons(enum wifi_standard standard, bool loaded, u64 *n, sim_time *airtime,
		    sim_time *least, sim_time *most)
{
	struct histogram_totals delays;
	struct bed bed;
	struct bss *bss;

	bed_init(&bed, 1, 2, standard);
	bed.params.beacons = true;
	bed.params.beacon_interval = 102400 * SIM_US;
	bed.params.beacon_bytes = 200;
	bed.s[0].bytes = loaded ? 1500 : 0;
	bed.s[0].saturated = loaded;
	bed.s[0].rate = wifi_legacy_rate(6000000);
	bed_start(&bed);
	bed_run(&bed, 10 * SIM_SEC);
	bss = &bed.air->bss;
	*n = bss->beacons;
	*airtime = (sim_time)bed.s[1].dev->airtime;
	histogram_total(&bss->delay, &delays);
	*least = delays.min;
	*most = delays.max;
	bed_end(&bed);
}

START_TEST(beacons_by_the_clock)
{
	sim_time airtime, least, most;
	u64 n;

	/* 10 s are 97.66 intervals; 11a: 200 bytes at 6 Mbit/s are 20 + 4 * ceil(1622 / 24) = 292 us */
	beacons(WIFI_11A, false, &n, &airtime, &least, &most);
	ck_assert_uint_ge(n, 97);
	ck_assert_uint_le(n, 98);
	ck_assert_int_eq(airtime, (sim_time)n * 292 * SIM_US);
	ck_assert_int_eq(most, 0);
	/* 11b: 192 us and 200 bytes at 1 Mbit/s */
	beacons(WIFI_11B, false, &n, &airtime, &least, &most);
	ck_assert_int_eq(airtime, (sim_time)n * 1792 * SIM_US);
	/* behind an exchange: 1500 bytes at 6 Mbit/s 2024 us, SIFS, ACK 44 us, PIFS 25 us */
	beacons(WIFI_11A, true, &n, &airtime, &least, &most);
	ck_assert_uint_ge(n, 97);
	ck_assert_int_gt(most, SIM_MS);
	ck_assert_int_le(most, (2024 + 16 + 44 + 25) * SIM_US);
}
END_TEST

CHECK_MAIN("wifi-cells", both_give_the_same, near_far_exposed, beacons_by_the_clock)
