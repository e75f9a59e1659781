// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: goodput falls with path loss over the whole range, and doubles with the streams where the signal is strong, but for
 * what does not depend on rate.
 *
 * Set-up: an access point sends all that it can to one station at 1 m, 11n with ath9k and 11ac with ath10k, at fixed rates and with
 * minstrel_ht; attenuation from 0 to 90 dB in steps of 3 (SNR 63 dB to below 0). Expected: no step up. Tolerance: half a
 * per cent of the highest at fixed rates, whose losses are drawn anew in each run; 4 per cent with minstrel_ht, which
 * samples, and whose choice near a threshold is luck. Streams: PPDUs last 4 ms and overheads 0.2 to 0.25, so that twice the
 * streams give 1.95 to 2 times the goodput, and up to 2.03 where whole packets fill the longer PPDU better (of 20, a
 * packet is 5 %, half of it on average is wasted).
 */
#include "check-main.h"

#include "wifi-lab.h"

#define STEP 3
#define TOP  90

/* Mbit/s of IP packets, from @from to @until ms. */
static double goodput(const char *standard, const char *driver, const char *rc, u32 attenuation,
		      u32 from, u32 until)
{
	struct wifi_lab lab;
	char yaml[1024];
	u64 before;

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"6.1\"\nduration: 9s\nnodes:\n"
		"  ap: {interfaces: {wlan0: &i {driver: %s, rate_control: %s,\n"
		"    mac80211: {model: mac80211, txq: {model: fq, codel: false}}}}}\n"
		"  sta: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: %s, ap: ap.wlan0, members: [ap.wlan0, sta.wlan0],\n"
		"    channel: {model: log_distance, attenuation: %udB, sensitivity: -120dBm}}\n",
		driver, rc, standard, attenuation);
	lab_open(&lab, yaml);
	lab.ends[0].to = &lab.ends[1];
	for (u32 ms = 10; ms <= from; ms += 10) {
		lab.ends[0].left = 500;
		lab_run(&lab, ms * SIM_MS);
	}
	before = lab.ends[1].bytes;
	for (u32 ms = from + 10; ms <= until; ms += 10) {
		lab.ends[0].left = 500;
		lab_run(&lab, ms * SIM_MS);
	}
	before = lab.ends[1].bytes - before;
	lab_close(&lab);
	return (double)before * 8 / (until - from) / 1000;
}

static void falls(const char *standard, const char *driver, const char *rc, u32 from, u32 until,
		  double tolerance)
{
	double last = 1e9, top = 0;

	for (u32 db = 0; db <= TOP; db += STEP) {
		double now = goodput(standard, driver, rc, db, from, until);

		if (!db)
			top = now;
		ck_assert_msg(now <= last + tolerance * top, "%s %s: %g Mbit/s at %u dB, %g before",
			      driver, rc, now, db, last);
		last = now < last ? now : last;
	}
	ck_assert_double_gt(top, 1);
	/* below 0 dB nothing arrives */
	ck_assert_double_le(last, top / 100);
}

START_TEST(ht_falls_with_path_loss)
{
	static const char *const rates[] = {"mcs: 0", "mcs: 3", "mcs: 7", "mcs: 15"};

	for (u32 i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		char rc[64];

		snprintf(rc, sizeof(rc), "{model: fixed, %s}", rates[i]);
		falls("11n", "ath9k", rc, 100, 500, 0.005);
	}
}
END_TEST

START_TEST(vht_falls_with_path_loss)
{
	static const char *const rates[] = {"mcs: 0, nss: 2", "mcs: 4, nss: 1", "mcs: 8, nss: 2",
					    "mcs: 8, nss: 4, sgi: true"};

	for (u32 i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		char rc[64];

		snprintf(rc, sizeof(rc), "{model: fixed, %s}", rates[i]);
		falls("11ac", "ath10k", rc, 100, 300, 0.005);
	}
}
END_TEST

START_TEST(minstrel_falls_with_path_loss)
{
	falls("11n", "ath9k", "minstrel_ht", 2000, 4000, 0.04);
}
END_TEST

START_TEST(streams_double)
{
	/* below MCS 4 a PPDU holds so few packets that whole ones make a difference */
	for (u32 mcs = 4; mcs < 9; mcs++) {
		double last = 0;

		for (u32 nss = 1; nss <= 4; nss *= 2) {
			char rc[64];
			double now;

			snprintf(rc, sizeof(rc), "{model: fixed, mcs: %u, nss: %u}", mcs, nss);
			now = goodput("11ac", "ath10k", rc, 0, 100, 400);
			if (last > 0) {
				ck_assert_msg(now / last >= 1.95 && now / last <= 2.03,
					      "MCS %u: %u streams %g, half of them %g", mcs, nss,
					      now, last);
			}
			last = now;
		}
	}
}
END_TEST

CHECK_MAIN("wifi-monotone", ht_falls_with_path_loss, vht_falls_with_path_loss,
	   minstrel_falls_with_path_loss, streams_double)
