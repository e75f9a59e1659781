// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: n saturated stations share the medium as the theory of DCF says.
 *
 * Set-up: 802.11a at 6 Mbit/s, 1500 bytes of payload in frames of 1534, retries without end, no losses, one receiver;
 * 20 s (of some 9000 accesses). Expected: Bianchi's and Tinnirello's saturation throughput, between the values for a
 * collision that is followed by EIFS and by DIFS. Tolerance: 1.5 %; over 20 s the sampling error is about 0.5 %.
 */
#include "check-main.h"

#include "wifi-bed.h"

static double saturation(u32 n, u64 seed, double *collided)
{
	sim_time duration = 20 * SIM_SEC;
	u64 attempts = 0, failures = 0;
	struct bed bed;
	double mbit;

	bed_init(&bed, seed, n + 1, WIFI_11A);
	for (u32 i = 0; i < n; i++) {
		bed.s[i].rate = wifi_legacy_rate(6000000);
		bed.s[i].bytes = 1534;
		bed.s[i].saturated = true;
	}
	bed_start(&bed);
	bed_run(&bed, duration);
	mbit = (double)bed.s[n].received * 1500 * 8 / ((double)duration / 1e9) / 1e6;
	for (u32 i = 0; i < n; i++) {
		attempts += bed.s[i].dev->attempts;
		failures += bed.s[i].dev->failures;
	}
	*collided = (double)failures / (double)attempts;
	bed_end(&bed);
	return mbit;
}

START_TEST(throughput)
{
	static const struct {
		u32 n;
		double low, high;
	} rows[] = {{5, 4.690, 4.709}, {10, 4.320, 4.345}, {20, 3.959, 3.990}, {50, 3.471, 3.507}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double p, mbit = saturation(rows[i].n, 1, &p);

		printf("n %u: %.3f Mbit/s [%.3f, %.3f], collision probability %.3f\n", rows[i].n,
		       mbit, rows[i].low, rows[i].high, p);
		ck_assert_double_ge(mbit, rows[i].low * 0.985);
		ck_assert_double_le(mbit, rows[i].high * 1.015);
	}
}
END_TEST

CHECK_MAIN("wifi-bianchi", throughput)
