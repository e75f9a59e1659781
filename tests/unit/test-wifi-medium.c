// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the medium that is reckoned station by station gives what the shared one gives where all hear all, and
 * keeps apart those who do not; the choice follows what changes during the run.
 *
 * Set-up: saturated stations and drivers with aggregates, on lossy air, with and without RTS or a CTS
 * to oneself, in DCF and EDCA with several categories; the same with lifetimes of which many run out at a station's turn, and with
 * stations that go and come back; and two senders that do not hear each other. Expected: every count of every station is
 * the same either way, to the last one; hidden senders meet at the receiver, exposed ones do not. Tolerance: none for the
 * first; for hidden ones theory: an unslotted sender that cannot sense loses most frames.
 */
#include "check-main.h"

#include "scenario-lab.h"
#include "wifi-lab.h"

#define STATIONS 6

struct counts {
	u64 attempts, failures, collisions, internal, mpdus, airtime, received, received_at,
		sent_at;
};

static void run(const char *driver, const char *air, const char *medium, struct counts *out)
{
	struct wifi_lab lab;
	char yaml[2048];

	snprintf(yaml, sizeof(yaml),
		 "name: lab\nkernel: \"3.6\"\nduration: 1s\nnodes:\n"
		 "  a: {interfaces: {wlan0: &i {%s}}}\n  b: {interfaces: {wlan0: *i}}\n"
		 "  c: {interfaces: {wlan0: *i}}\n  d: {interfaces: {wlan0: *i}}\n"
		 "  e: {interfaces: {wlan0: *i}}\n  ap: {interfaces: {wlan0: *i}}\n"
		 "links:\n  air: {model: wifi, %s, medium: %s,\n"
		 "    members: [a.wlan0, b.wlan0, c.wlan0, d.wlan0, e.wlan0, ap.wlan0]}\n",
		 driver, air, medium);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < STATIONS; i++) {
		struct wifi_end *e = &lab.ends[i];

		e->to = &lab.ends[i == STATIONS - 1 ? 0 : STATIONS - 1];
		e->left = 1;
		e->tos = (u8)(i * 40); /* several access categories, where there are any */
		e->len = 200 + 250 * i;
		e->accounts = i & 1;
	}
	lab_run(&lab, 200 * SIM_MS);
	for (u32 i = 0; i < STATIONS; i++)
		lab.ends[i].left = 1500;
	for (u32 i = 1; i < 20; i++) {
		lab_run(&lab, 200 * SIM_MS + i * 37 * SIM_MS);
		lab_audit(&lab);
	}
	/* now and then, too: what comes in while the medium is idle */
	for (u32 i = 1; i < 400; i++) {
		lab.ends[i % STATIONS].left += i % 7 ? 1 : 40;
		lab_run(&lab, SIM_SEC + i * 1234567);
	}
	lab_run(&lab, 20 * SIM_SEC);
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
					 .sent_at = lab.ends[i].closed};
	}
	lab_close(&lab);
}

START_TEST(both_give_the_same)
{
	static const char *const drivers[] = {
		"driver: iwl3945, rate_control: {model: fixed, rate: 11Mbit}",
		"driver: ath5k",
		"driver: ath9k, rate_control: {model: fixed, mcs: 3}",
		"driver: iwlwifi, rate_control: {model: fixed, mcs: 7, rts: true}",
		"driver: ath5k, rate_control: {model: fixed, rate: 12Mbit}",
	};
	static const char *const airs[][2] = {
		{"standard: 11b, loss: 0.1", "standard: 11b, wmm: true"},
		{"standard: 11g, loss: 0.3", "standard: 11a, wmm: true, rts_threshold: 500B"},
		{"standard: 11n, loss: 0.1", "standard: 11n, txop: {be: 3ms, vi: 2ms}"},
		{"standard: 11n, loss: 0.2", "standard: 11n"},
		{"standard: 11g, protection: cts_to_self, loss: 0.1",
		 "standard: 11g, protection: rts_cts"},
	};

	for (u32 i = 0; i < 10; i++) {
		struct counts shared[STATIONS], stations[STATIONS];

		run(drivers[i / 2], airs[i / 2][i % 2], "shared", shared);
		run(drivers[i / 2], airs[i / 2][i % 2], "stations", stations);
		ck_assert_uint_gt(shared[0].attempts, 20);
		ck_assert_msg(!memcmp(shared, stations, sizeof(shared)), "%s, %s: the two differ",
			      drivers[i / 2], airs[i / 2][i % 2]);
	}
}
END_TEST

/* All metrics of a run but the number of its events, which the media do not share. */
static char *metrics_of(const char *nodes, const char *air, const char *medium)
{
	GString *all = g_string_new(NULL);
	struct outcome o;
	char *yaml;

	yaml = g_strdup_printf(
		"name: t\nkernel: \"6.1\"\nduration: 1s\nwarmup: 0s\nnodes:\n%s"
		"links: {air: {model: wifi, %s, medium: %s, ap: ap.wlan0,\n"
		"  members: [ap.wlan0, s0.wlan0, s1.wlan0, s2.wlan0]}}\ntraffic:\n"
		"  u0: {model: udp_cbr, from: s0, to: ap, rate: 9Mbit}\n"
		"  u1: {model: udp_cbr, from: s1, to: ap, rate: 9Mbit, dscp: 46}\n"
		"  u2: {model: udp_cbr, from: s2, to: ap, rate: 9Mbit}\n"
		"  d0: {model: udp_cbr, from: ap, to: s0, rate: 3Mbit, start: 50ms}\n"
		"  d1: {model: udp_cbr, from: ap, to: s1, rate: 3Mbit, size: 100B, start: 50ms, dscp: 46}\n",
		nodes, air, medium);
	o = outcome_of(yaml);
	ck_assert_double_gt(metric_of(&o, "air.exchanges"), 100);
	for (u32 i = 0; i < o.res.metrics->n; i++) {
		const struct metric *m = &o.res.metrics->v[i];

		if (strcmp(m->name, "run.events") != 0)
			g_string_append_printf(all, "%s %lld\n", m->name, (long long)m->micro);
	}
	outcome_clear(&o);
	g_free(yaml);
	return g_string_free(all, FALSE);
}

/* Frames that get too old at a station's turn, and stations that are away when it is theirs, or when they are sent to. */
START_TEST(both_give_the_same_of_what_fails)
{
	static const char *const here =
		"  ap: {interfaces: {wlan0: &i {driver: ath5k, rate_control: {model: fixed, rate: 54Mbit}}}}\n"
		"  s0: {interfaces: {wlan0: *i}}\n  s1: {interfaces: {wlan0: *i}}\n"
		"  s2: {interfaces: {wlan0: *i}}\n";
	static const char *const away =
		"  ap: {interfaces: {wlan0: {driver: ath5k, rate_control: {model: fixed, rate: 12Mbit}}}}\n"
		"  s0: {interfaces: {wlan0: {driver: ath5k, rate_control: {model: fixed, rate: 24Mbit},\n"
		"    mac80211: {model: mac80211, power_save: true, ps_timeout: 1ms}}}}\n"
		"  s1: {interfaces: {wlan0: {driver: ath5k, rate_control: {model: fixed, rate: 54Mbit},\n"
		"    mac80211: {model: mac80211, absent: [{at: 100ms, span: 30ms}, {at: 200ms, span: 1us}]}}}}\n"
		"  s2: {interfaces: {wlan0: {driver: ath5k, rate_control: {model: fixed, rate: 6Mbit},\n"
		"    mac80211: {model: mac80211, scan_start: 40ms, scan_channels: 3}}}}\n";
	static const char *const airs[] = {
		"standard: 11a",
		"standard: 11a, lifetime: 1ms",
		"standard: 11a, wmm: true, lifetime: 1ms, loss: 0.2",
		"standard: 11a, wmm: true, lifetime: {vo: 1us, be: 20ms}, loss: 0.5, beacons: true",
		"standard: 11a, loss: 0.5, rts_threshold: 100B, beacons: true",
		"standard: 11a, wmm: true, loss: 0.5, rts_threshold: 100B, lifetime: 20ms",
		"standard: 11a, wmm: true, lifetime: {vo: 1us}, loss: 0.4, rts_threshold: 100B",
		"standard: 11a, wmm: true, loss: 0.7, rts_threshold: 100B",
		"standard: 11a, wmm: true, loss: 0.7",
		"standard: 11a, loss: 0.3, after_collision: difs",
		"standard: 11g, loss: 0.7, protection: cts_to_self, lifetime: 5ms",
		"standard: 11g, loss: 0.3, protection: rts_cts, beacons: true, beacon_interval: 10ms",
	};

	for (u32 i = 0; i < 2 * G_N_ELEMENTS(airs); i++) {
		const char *nodes = i & 1 ? away : here;
		char *shared = metrics_of(nodes, airs[i / 2], "shared");
		char *stations = metrics_of(nodes, airs[i / 2], "stations");

		ck_assert_msg(!strcmp(shared, stations), "%s, %s: the two differ", airs[i / 2],
			      i & 1 ? "with absences" : "all there");
		g_free(shared);
		g_free(stations);
	}
}
END_TEST

/* Two saturated senders to one receiver; @east: where the second is, in m; @sensitivity in dBm. */
static double collided(const char *sensitivity, const char *rts)
{
	struct wifi_lab lab;
	u64 attempts = 0, collisions = 0;
	char yaml[1024];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  west: {interfaces: {wlan0: &i {driver: saturated, rate_control: {model: fixed, rate: 12Mbit%s}}}}\n"
		"  east: {interfaces: {wlan0: *i}}\n  ap: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11a, ap: ap.wlan0,\n"
		"    channel: {model: log_distance, sensitivity: %s, positions: {west: {x: -15m}, east: {x: 15m}}},\n"
		"    members: [west.wlan0, east.wlan0, ap.wlan0]}\n",
		rts, sensitivity);
	lab_open(&lab, yaml);
	lab_run(&lab, 20 * SIM_SEC);
	for (u32 i = 0; i < 2; i++) {
		attempts += lab.air->devs[i]->attempts;
		collisions += lab.air->devs[i]->collisions;
	}
	lab_close(&lab);
	return (double)collisions / (double)attempts;
}

START_TEST(hidden_and_exposed)
{
	/* -66 dBm at the receiver, -75 dBm between the senders */
	double hear = collided("-80dBm", ""), hidden = collided("-70dBm", "");
	double rts = collided("-70dBm", ", rts: true");

	/* two stations that hear each other: p of 0.11 with windows from 16 slots on */
	ck_assert_double_ge(hear, 0.08);
	ck_assert_double_le(hear, 0.14);
	/* frames of 1 ms without sensing; windows grow to 9 ms, so that not all meet */
	ck_assert_double_ge(hidden, 0.2);
	/* with RTS only frames of 36 us can meet */
	ck_assert_double_le(rts, hidden / 2);
}
END_TEST

/* All hear all, until at 500 ms east walks off; counts of three stations after 2 s. */
static void walk(const char *driver, const char *air, const char *medium, u64 out[3][5])
{
	struct wifi_lab lab;
	char yaml[1536];

	snprintf(yaml, sizeof(yaml),
		 "name: lab\nkernel: \"3.6\"\nduration: 3s\nnodes:\n"
		 "  west: {interfaces: {wlan0: &i {%s}}}\n"
		 "  east: {interfaces: {wlan0: *i}}\n  ap: {interfaces: {wlan0: *i}}\n"
		 "links:\n  air: {model: wifi, %s, ap: ap.wlan0, medium: %s,\n"
		 "    channel: {model: log_distance, sensitivity: -72dBm,\n"
		 "      positions: {west: {x: -10m}, east: {x: 10m}}},\n"
		 "    members: [west.wlan0, east.wlan0, ap.wlan0]}\n"
		 "changes: [{at: 500ms, set: {air.channel.positions.east.x: 20m}}]\n",
		 driver, air, medium);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < 3; i++) {
		lab.ends[i].to = &lab.ends[i == 2 ? 0 : 2];
		lab.ends[i].tos = (u8)(i * 80);
	}
	for (u32 ms = 10; ms <= 2000; ms += 10) {
		for (u32 i = 0; i < 3; i++)
			lab.ends[i].left = 20;
		lab_run(&lab, ms * SIM_MS);
	}
	ck_assert((lab.air->stations != NULL));
	for (u32 i = 0; i < 3; i++) {
		const struct wifi_dev *dev = lab.air->devs[i];

		out[i][0] = dev->attempts;
		out[i][1] = dev->failures;
		out[i][2] = dev->collisions;
		out[i][3] = lab.ends[i].received;
		out[i][4] = (u64)lab.ends[i].received_at;
	}
	lab_close(&lab);
}

START_TEST(auto_follows_who_hears_whom)
{
	static const char *const nets[][2] = {
		{"driver: saturated, rate_control: {model: fixed, rate: 12Mbit}", "standard: 11a"},
		{"driver: ath5k, rate_control: {model: fixed, rate: 12Mbit}",
		 "standard: 11a, wmm: true, beacons: true, loss: 0.1"},
		{"driver: ath9k, rate_control: {model: fixed, mcs: 1}",
		 "standard: 11n, beacons: true"},
		{"driver: iwlwifi, rate_control: {model: fixed, mcs: 1}",
		 "standard: 11n, loss: 0.2"},
	};

	for (u32 i = 0; i < sizeof(nets) / sizeof(nets[0]); i++) {
		u64 always[3][5], when_needed[3][5];

		walk(nets[i][0], nets[i][1], "stations", always);
		walk(nets[i][0], nets[i][1], "auto", when_needed);
		ck_assert_uint_gt(always[0][2], 20);
		ck_assert_msg(!memcmp(always, when_needed, sizeof(always)), "%s: the two differ",
			      nets[i][0]);
	}
}
END_TEST

CHECK_MAIN("wifi-medium", both_give_the_same, both_give_the_same_of_what_fails, hidden_and_exposed,
	   auto_follows_who_hears_whom)
