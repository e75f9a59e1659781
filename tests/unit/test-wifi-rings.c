// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: rings stop and wake at the driver's own marks.
 *
 * Set-up: one sender that gives frames until it is stopped, then none but for each wake; a receiver; 5.5 Mbit/s.
 * Expected, of the iwl3945 with its window of 256 (two slots never used, marks of 32 and 64): it stops with
 * 223 frames and wakes with 189; told to take 8 it stops with 7 and wakes after any frame; a ring of 8 slots stops
 * with 5 and wakes with 1. Of the ath5k: it takes the frame that finds 50 and wakes with 24. By time: as many frames
 * as take at least that long. Tolerance: none, all are counts.
 */
#include "check-main.h"

#include "engine/pool.h"
#include "wifi-lab.h"

extern const struct model_class iwl3945_class, ath5k_class, ath10k_class;

struct seen {
	u64 stop; /* frames in the ring when it stopped */
	u64 wake; /* and when it woke */
	u64 again; /* frames taken between that wake and the next stop */
};

static struct seen marks(const struct model_class *cls, const char *keys)
{
	struct wifi_lab lab;
	struct wifi_end *e = &lab.ends[0];
	struct seen s;
	char yaml[512];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: %s%s, rate_control: {model: fixed, rate: 5.5Mbit}}}}\n"
		"  b: {interfaces: {wlan0: {driver: ath5k}}}\n"
		"links:\n  air: {model: wifi, standard: 11b, members: [a.wlan0, b.wlan0]}\n",
		cls->name, keys);
	lab_open(&lab, yaml);
	e->to = &lab.ends[1];
	e->left = 1000;
	lab_feed(e);
	ck_assert_uint_eq(e->stops, 1);
	s.stop = e->given;
	/* what is woken takes just as many as make it stop again */
	for (sim_time t = SIM_MS; !e->wakes; t += SIM_MS)
		lab_run(&lab, t);
	s.wake = s.stop - lab.ends[1].received;
	s.again = e->given - s.stop;
	lab_close(&lab);
	return s;
}

static void expect(struct seen s, u64 stop, u64 wake)
{
	ck_assert_uint_eq(s.stop, stop);
	ck_assert_uint_eq(s.wake, wake);
	ck_assert_uint_eq(s.again, stop - wake);
}

START_TEST(iwl3945_ring)
{
	expect(marks(&iwl3945_class, ""), 223, 189);
	expect(marks(&iwl3945_class, ", ring: 224"), 223, 189);
	expect(marks(&iwl3945_class, ", ring: 8"), 7, 6);
	expect(marks(&iwl3945_class, ", ring: 9"), 8, 7);
	expect(marks(&iwl3945_class, ", ring: 64"), 63, 62);
	/* high_mark = n_window - 8, as the patch has it */
	expect(marks(&iwl3945_class, ", high_mark: 248"), 7, 6);
	/* a window of 8: marks of 4 and 2 */
	expect(marks(&iwl3945_class, ", ring_slots: 8"), 5, 1);
}
END_TEST

START_TEST(by_time)
{
	/* 1500 bytes at 5.5 Mbit/s: 50 + 310 + 2427 + 10 + 248 us = 3.045 ms */
	expect(marks(&iwl3945_class, ", ring_time: 40ms"), 14, 13);
	expect(marks(&iwl3945_class, ", ring_time: 3.045ms"), 1, 0);
	expect(marks(&iwl3945_class, ", ring_time: 3.046ms"), 2, 1);
}
END_TEST

START_TEST(ath5k_list)
{
	expect(marks(&ath5k_class, ""), 51, 24);
	expect(marks(&ath5k_class, ", txq_max: 30"), 31, 24);
}
END_TEST

/* All categories have one pool: full, it stops them all, and one completion opens them. */
START_TEST(ath10k_pool)
{
	struct wifi_lab lab;
	struct wifi_end *e = &lab.ends[0];
	char yaml[512];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"3.6\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: %s, pending: 30, mac80211: {model: mac80211, ampdu: false}}}}\n"
		"  b: {interfaces: {wlan0: {driver: %s}}}\n"
		"links:\n  air: {model: wifi, standard: 11n, members: [a.wlan0, b.wlan0]}\n",
		ath10k_class.name, ath10k_class.name);
	lab_open(&lab, yaml);
	e->to = &lab.ends[1];
	e->left = 20;
	lab_feed(e);
	e->tos = 0xc0; /* voice */
	e->left = 1000;
	lab_feed(e);
	ck_assert_uint_eq(e->given, 30);
	ck_assert_uint_eq(e->stops, 1);
	for (sim_time t = SIM_US; !e->wakes; t += 10 * SIM_US)
		lab_run(&lab, t);
	/* of what completes at once, one A-MSDU or less, as much is taken */
	ck_assert_uint_eq(e->given - 30, lab.ends[1].received);
	lab_close(&lab);
}
END_TEST

/* Frames of priority 6 have the short queue, and do not wait behind the long one. */
START_TEST(two_queues)
{
	struct wifi_lab lab;
	struct wifi_end *e = &lab.ends[0];

	lab_open(
		&lab,
		"name: lab\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: iwl3945, hw_queues: 2, ring_interactive: 8}}}\n"
		"  b: {interfaces: {wlan0: {driver: ath5k}}}\n"
		"links:\n  air: {model: wifi, standard: 11b, members: [a.wlan0, b.wlan0]}\n");
	ck_assert_uint_eq(e->down->n_queues, 2);
	e->to = &lab.ends[1];
	e->left = 1000;
	lab_feed(e);
	ck_assert_uint_eq(e->given, 223);
	e->priority = 6;
	lab_feed(e);
	ck_assert_uint_eq(e->given, 223 + 7);
	ck_assert_uint_eq(e->stops, 2);
	e->left = 0;
	/* both queues contend alike: after 20 frames the short one is empty */
	lab_run(&lab, 20 * 2 * SIM_MS);
	ck_assert_uint_gt(e->wakes, 0);
	ck_assert(!e->stopped[0]);
	ck_assert(e->stopped[1]);
	lab_close(&lab);
}
END_TEST

CHECK_MAIN("wifi-rings", iwl3945_ring, by_time, ath5k_list, ath10k_pool, two_queues)
