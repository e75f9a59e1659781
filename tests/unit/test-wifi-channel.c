// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what is lost on the way is what the channel models say.
 *
 * Set-up: the models alone, and a sender at growing distance. Expected: the integer error function is the floating-point
 * one from which its tables were made, within 0.25 dB; losses never grow with power, and never fall with size or order
 * of modulation; goodput never grows with distance; Rayleigh fading has mean gain 1, its exponential distribution, and
 * a correlation that Doppler bounds; bursts and duty cycles have their shares. Tolerance: stated by each.
 */
#include "check-main.h"

#include <math.h>
#include <string.h>

#include "engine/draw.h"
#include "wifi/channel.h"
#include "wifi/error.h"
#include "wifi-lab.h"

extern const struct model_class log_distance_class, gilbert_class, interferer_class, playback_class;

static double probability(wifi_rate r, double db, u32 bytes)
{
	return (double)error_threshold(r, (s32)lround(db * 1000), bytes) / 4294967296.0;
}

/* The union bound over the free-distance spectrum for BPSK 1/2, hard decisions: see error-curves.py. */
static double bpsk_half(double db, u32 bytes)
{
	static const double c[] = {36,	   211,	    1404,     11633,	77433,
				   502690, 3322763, 21292910, 134365911};
	double snr = pow(10, db / 10), p = 0.5 * erfc(sqrt(snr)), d = sqrt(4 * p * (1 - p)),
	       sum = 0;

	for (int i = 0; i < 9; i++)
		sum += c[i] * pow(d, 10 + 2 * i);
	sum = fmin(sum / 2, 0.5);
	return 1 - pow(1 - sum, 8.0 * bytes);
}

START_TEST(against_floating_point)
{
	for (double db = -2; db < 8; db += 0.13) {
		double got = probability(wifi_ofdm(0), db, 1500);

		ck_assert_double_le(got, bpsk_half(db - 0.25, 1500) + 0.005);
		ck_assert_double_ge(got, bpsk_half(db + 0.25, 1500) - 0.005);
	}
	/* a tenth of 1500-byte frames is lost at about these */
	ck_assert_double_eq_tol(probability(wifi_ofdm(0), 4.0, 1500), 0.06, 0.05);
	ck_assert_double_eq_tol(probability(wifi_ht(7, WIFI_20, false), 23.9, 1500), 0.1, 0.06);
}
END_TEST

START_TEST(monotone)
{
	for (u32 mcs = 0; mcs < 10; mcs++)
		for (s32 snr = -12000; snr < 55000; snr += 100) {
			wifi_rate r = wifi_vht(mcs, 1, WIFI_80, false);
			u64 at = error_threshold(r, snr, 1500);

			ck_assert_uint_le(error_threshold(r, snr + 100, 1500), at);
			ck_assert_uint_le(error_threshold(r, snr, 700), at);
			ck_assert_uint_ge(
				error_threshold(wifi_vht(mcs, 2, WIFI_80, false), snr, 1500), at);
			ck_assert_uint_le(at, PROB_ONE);
			if (mcs && (mcs != 9))
				ck_assert_uint_le(
					error_threshold(wifi_vht(mcs - 1, 1, WIFI_80, false), snr,
							1500),
					at);
		}
}
END_TEST

START_TEST(decibels)
{
	for (u64 x = 1; x < 1ULL << 60; x = x * 3 + 1)
		ck_assert_double_eq_tol(error_db(x), 10000 * log10((double)x), 20);
}
END_TEST

static double goodput(const char *channel)
{
	struct wifi_lab lab;
	u64 received;
	char yaml[1024];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {driver: iwlwifi, rate_control: {model: fixed, mcs: 7}}}}\n"
		"  b: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11n, channel: %s, members: [a.wlan0, b.wlan0]}\n",
		channel);
	lab_open(&lab, yaml);
	lab.ends[0].to = &lab.ends[1];
	lab.ends[0].left = 1;
	lab_run(&lab, 20 * SIM_MS);
	lab.ends[0].left = 20000;
	lab_run(&lab, 520 * SIM_MS);
	received = lab.ends[1].bytes;
	lab_close(&lab);
	return (double)received * 8 / 0.5e6;
}

START_TEST(falls_with_distance)
{
	double last = 1e9, first = 0;
	u32 steps = 0;

	for (u32 m = 1; m < 60; m += 3) {
		char channel[128];
		double mbit;

		snprintf(channel, sizeof(channel), "{model: log_distance, radius: %um}", m);
		mbit = goodput(channel);
		if (!first)
			first = mbit;
		/* the draws are the same, so not even by chance does it grow; the last frames of a run may differ */
		ck_assert_double_le(mbit, last * 1.01 + 0.1);
		steps += mbit < last * 0.98;
		last = mbit;
	}
	ck_assert_double_ge(first, 55);
	ck_assert_double_le(last, 1);
	ck_assert_uint_ge(steps, 2);
}
END_TEST

/* Gain of a fading channel over time, from losses that a sharp threshold turns into a distribution. */
START_TEST(rayleigh)
{
	/* SNR of 6.5 dB: 1500 bytes at 6 Mbit/s get through down to about 4 dB, a gain of -2.5 dB: P(gain > 0.56) = 0.57 */
	double mbit =
		goodput("{model: log_distance, radius: 20m, fading: rayleigh, doppler: 50Hz}");
	double steady = goodput("{model: log_distance, radius: 20m}");

	ck_assert_double_ge(steady, 55);
	/* faded by 24 dB now and then */
	ck_assert_double_le(mbit, steady);
	ck_assert_double_ge(mbit, steady * 0.3);
}
END_TEST

struct probe_channel {
	struct sim *sim;
	struct object *obj;
	const struct channel_ops *ops;
};

static struct probe_channel channel_open(const struct model_class *cls, void *params)
{
	static const char *const names[] = {"a", "b"};
	static const u32 aps[] = {1, 1};
	struct channel_env env = {.n = 2, .names = names, .aps = aps};
	struct probe_channel c = {.sim = sim_new(1), .ops = cls->kind_ops};

	c.obj = object_new(c.sim, cls, "air.channel", params, NULL);
	c.ops->attach(c.obj, &env);
	return c;
}

START_TEST(bursts)
{
	int64_t params[4] = {0, PROB_ONE, 300 * SIM_MS, 100 * SIM_MS};
	struct probe_channel c = channel_open(&gilbert_class, params);
	u32 bad = 0, n = 400000, changes = 0;
	u64 last = 0;

	for (u32 i = 0; i < n; i++) {
		u64 loss = c.ops->loss(c.obj, i & 1, 1 - (i & 1), wifi_ofdm(0), 1500, i * SIM_MS,
				       POWER_NONE);

		bad += loss == PROB_ONE;
		changes += loss != last;
		last = loss;
	}
	/* a quarter of the time, 2.5 bursts a second; 1000 bursts: 3 % each is three standard deviations */
	ck_assert_double_eq_tol((double)bad / n, 0.25, 0.03);
	ck_assert_double_eq_tol(changes / 2.0 / (n / 1000.0), 2.5, 0.25);
	sim_free(c.sim);
}
END_TEST

START_TEST(duty_cycle)
{
	int64_t params[4] = {8 * SIM_MS, 12 * SIM_MS, SIM_SEC, PROB_ONE};
	struct probe_channel c = channel_open(&interferer_class, params);

	ck_assert_uint_eq(c.ops->loss(c.obj, 0, 1, 0, 100, SIM_SEC - 1, POWER_NONE), 0);
	ck_assert_uint_eq(c.ops->loss(c.obj, 0, 1, 0, 100, SIM_SEC, POWER_NONE), PROB_ONE);
	ck_assert_uint_eq(c.ops->loss(c.obj, 0, 1, 0, 100, SIM_SEC + 8 * SIM_MS, POWER_NONE), 0);
	ck_assert_uint_eq(c.ops->loss(c.obj, 0, 1, 0, 100, SIM_SEC + 20 * SIM_MS, POWER_NONE),
			  PROB_ONE);
	sim_free(c.sim);
}
END_TEST

START_TEST(recorded)
{
	double mbit = goodput(
		"{model: playback, period: 200ms, points: [{at: 0s, loss: 0}, {at: 100ms, loss: 1}]}");

	/* half of the time there is nothing; what was lost is sent again */
	ck_assert_double_eq_tol(mbit, goodput("ideal") / 2, 4);
}
END_TEST

CHECK_MAIN("wifi-channel", against_floating_point, monotone, decibels, falls_with_distance,
	   rayleigh, bursts, duty_cycle, recorded)
