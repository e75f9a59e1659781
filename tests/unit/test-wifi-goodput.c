// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a lone saturated sender gets the goodput that the frames' durations allow, at every rate of 802.11n and ac; and
 * an aggregate of 20 or more costs at most half an event an MPDU.
 *
 * Set-up: one sender, best effort (AIFSN 3), a contention window of 0, 5 GHz, no losses; a grid of MCS, streams, width,
 * guard interval, frame size and number of subframes. Expected: the closed formula, cycle = AIFS 43 us + PPDU + SIFS 16 us +
 * response, with durations worked out here from data rates. Tolerance: 0.5 %, of which 0.25 % is the last of 400 cycles,
 * which the end cuts off.
 */
#include "check-main.h"

#include <math.h>

#include "wifi-bed.h"

/* us */
static double ppdu(double mbit, u32 nss, bool vht, bool sgi, u32 bytes, double tail)
{
	static const double ltf[] = {0, 1, 2, 4, 4};
	double symbol = sgi ? 3.6 : 4, bits = 16 + 8.0 * bytes + tail;
	double symbols = ceil(bits / (mbit * symbol) - 1e-9);

	return 32 + 4 * ltf[nss] + (vht ? 4 : 0) + 4 * ceil(symbols * symbol / 4 - 1e-9);
}

static double response(u32 mcs, bool block)
{
	double mbit = mcs % 10 == 0 ? 6 : mcs <= 2 ? 12 : 24;

	return 20 + 4 * ceil((22 + 8.0 * (block ? 32 : 14)) / (mbit * 4));
}

/* Relative error of the goodput of one combination; 0 when there is no such. */
static double error_of(u32 mcs, u32 nss, enum wifi_width width, bool vht, bool sgi, u32 bytes,
		       u32 n)
{
	wifi_rate r = vht ? wifi_vht(mcs, nss, width, sgi)
			  : wifi_ht((nss - 1) * 8 + mcs, width, sgi);
	u32 psdu = n > 1 ? n * 4 + n * bytes + (n - 1) * ((4 - bytes % 4) % 4) : bytes;
	double cycle, expected, got;
	sim_time duration;
	struct bed bed;

	if (wifi_rate_invalid(r))
		return 0;
	cycle = ppdu((double)wifi_bps(r) / 1e6, nss, vht, sgi, psdu, 6.0 * wifi_encoders(r));
	if (cycle > 5484)
		return 0;
	cycle += 43 + 16 + response(mcs, n > 1);
	expected = n * bytes * 8 / cycle;

	bed_init(&bed, mcs + 10 * nss + 100 * n, 2, vht ? WIFI_11AC : WIFI_11N);
	bed.params.cwmin[AC_BE] = bed.params.cwmax[AC_BE] = 0;
	bed.s[0].rate = r;
	bed.s[0].bytes = bytes;
	bed.s[0].mpdus = n;
	bed.s[0].saturated = true;
	bed_start(&bed);
	duration = (sim_time)(400 * cycle * 1000);
	bed_run(&bed, duration);
	got = (double)bed.s[1].received_bytes * 8 / ((double)duration / 1000);
	if (n >= 20)
		ck_assert_uint_le(bed.sim->n_events * 2, bed.s[1].received);
	bed_end(&bed);
	return got / expected - 1;
}

START_TEST(grid)
{
	static const u32 sizes[] = {90, 1538}, counts[] = {1, 8, 32, 64};
	u32 tried = 0;

	for (u32 mcs = 0; mcs < 10; mcs += 3)
		for (u32 nss = 1; nss <= 4; nss++)
			for (u32 k = 0; k < 3 * 2 * 2 * 2 * 4; k++) {
				enum wifi_width width = (enum wifi_width)(k % 3);
				bool sgi = k / 3 % 2, vht = k / 6 % 2;
				u32 bytes = sizes[k / 12 % 2], n = counts[k / 24];
				double error;

				if (!vht && (mcs > 7 || width > WIFI_40))
					continue;
				error = error_of(mcs, nss, width, vht, sgi, bytes, n);
				tried++;
				ck_assert_msg(
					fabs(error) < 0.005,
					"%s MCS %u, %u streams, width %u, gi %d, %u x %u bytes: off by %.4f",
					vht ? "VHT" : "HT", mcs, nss, width, sgi, n, bytes, error);
			}
	ck_assert_uint_ge(tried, 300);
}
END_TEST

CHECK_MAIN("wifi-goodput", grid)
