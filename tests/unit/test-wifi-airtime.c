// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: every duration on the air is the standard's, as an exact integer.
 *
 * Set-up: frames of real sizes at every rate of 802.11b/g/a/n/ac. Expected: worked values (sums by hand of the fields
 * of the PPDU formats); and, for every valid combination of MCS, streams, width and guard interval, an
 * independent formula that goes from published data rates and adds symbol after symbol. Tolerance: none, these are
 * integers.
 */
#include "check-main.h"

#include <string.h>

#include "wifi/airtime.h"

static struct wifi_phy b_long, b_short, g, a, n2, ac;

static void phys(void)
{
	wifi_phy_init(&b_long, WIFI_11B, WIFI_2GHZ, true, false, 0);
	wifi_phy_init(&b_short, WIFI_11B, WIFI_2GHZ, true, true, 0);
	wifi_phy_init(&g, WIFI_11G, WIFI_2GHZ, false, false, 0);
	wifi_phy_init(&a, WIFI_11A, WIFI_5GHZ, false, false, 0);
	wifi_phy_init(&n2, WIFI_11N, WIFI_2GHZ, false, false, 0);
	wifi_phy_init(&ac, WIFI_11AC, WIFI_5GHZ, false, false, 0);
}

static int us(const struct wifi_phy *phy, wifi_rate r, u32 bytes)
{
	sim_time t = wifi_airtime(phy, r, bytes);

	ck_assert_int_eq(t % SIM_US, 0);
	return (int)(t / SIM_US);
}

static wifi_rate rate(double mbit)
{
	wifi_rate r = wifi_legacy_rate((int64_t)(mbit * 1e6));

	ck_assert_uint_ne(r, WIFI_RATE_NONE);
	return r;
}

START_TEST(dsss_and_cck)
{
	static const struct {
		double mbit;
		int data_long, data_short, ack_long, ack_short;
	} rows[] = {
		{1, 12480, 12480, 304, 304},
		{2, 6336, 6240, 248, 152},
		{5.5, 2427, 2331, 213, 117},
		{11, 1310, 1214, 203, 107},
	};

	phys();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		wifi_rate r = rate(rows[i].mbit);

		ck_assert_int_eq(us(&b_long, r, 1536), rows[i].data_long);
		ck_assert_int_eq(us(&b_long, r | WIFI_SHORT_PREAMBLE, 1536), rows[i].data_short);
		ck_assert_int_eq(us(&b_long, r, WIFI_ACK), rows[i].ack_long);
		ck_assert_int_eq(us(&b_long, r | WIFI_SHORT_PREAMBLE, WIFI_ACK), rows[i].ack_short);
	}
	/* a TCP ACK with timestamps: 52 bytes of IP */
	ck_assert_uint_eq(wifi_mpdu_bytes(52, false, false), 88);
	ck_assert_int_eq(us(&b_long, rate(5.5), 88), 320);
}
END_TEST

START_TEST(ofdm)
{
	static const double rates[] = {6, 9, 12, 18, 24, 36, 48, 54};
	static const int data[] = {2072, 1388, 1048, 704, 536, 364, 280, 248};

	phys();
	for (int i = 0; i < 8; i++) {
		ck_assert_int_eq(us(&a, rate(rates[i]), 1536), data[i]);
		ck_assert_int_eq(us(&g, rate(rates[i]), 1536), data[i] + 6);
	}
	ck_assert_int_eq(us(&a, rate(6), WIFI_ACK), 44);
	ck_assert_int_eq(us(&a, rate(12), WIFI_ACK), 32);
	ck_assert_int_eq(us(&a, rate(24), WIFI_ACK), 28);
	ck_assert_int_eq(us(&a, rate(6), WIFI_BA), 68);
	ck_assert_int_eq(us(&a, rate(12), WIFI_BA), 44);
	ck_assert_int_eq(us(&a, rate(24), WIFI_BA), 32);
	ck_assert_int_eq(us(&a, rate(6), WIFI_BAR), 56);
	ck_assert_int_eq(us(&a, rate(12), WIFI_BAR), 40);
	ck_assert_int_eq(us(&a, rate(24), WIFI_BAR), 32);
	ck_assert_int_eq(us(&a, rate(6), WIFI_RTS), 52);
	ck_assert_int_eq(us(&a, rate(12), WIFI_RTS), 36);
	ck_assert_int_eq(us(&a, rate(24), WIFI_RTS), 28);
}
END_TEST

/* n subframes of @mpdu bytes, each but the last padded to 4. */
static u32 psdu(u32 n, u32 mpdu)
{
	return n * (WIFI_DELIMITER + mpdu) + (n - 1) * ((4 - mpdu % 4) % 4);
}

START_TEST(ht_and_vht)
{
	phys();
	ck_assert_int_eq(us(&a, wifi_ht(0, WIFI_20, false), 1538), 1936);
	ck_assert_int_eq(us(&a, wifi_ht(7, WIFI_20, false), 1538), 228);
	ck_assert_uint_eq(wifi_symbols(wifi_ht(7, WIFI_20, false), 1538), 48);
	ck_assert_int_eq(us(&a, wifi_ht(7, WIFI_20, true), 1538), 212);
	ck_assert_int_eq(us(&a, wifi_ht(15, WIFI_40, true), 1538), 84);
	ck_assert_int_eq(us(&ac, wifi_vht(9, 1, WIFI_80, true), 1538), 72);

	ck_assert_uint_eq(psdu(20, 1538), 30878);
	ck_assert_uint_eq(wifi_symbols(wifi_ht(7, WIFI_20, false), psdu(20, 1538)), 951);
	ck_assert_int_eq(us(&a, wifi_ht(7, WIFI_20, false), psdu(20, 1538)), 3840);
	ck_assert_int_eq(us(&n2, wifi_ht(7, WIFI_20, false), psdu(20, 1538)), 3846);
	ck_assert_uint_eq(wifi_symbols(wifi_ht(15, WIFI_40, true), psdu(32, 1538)), 366);
	ck_assert_int_eq(us(&a, wifi_ht(15, WIFI_40, true), psdu(32, 1538)), 1360);
	ck_assert_int_eq(us(&a, wifi_ht(15, WIFI_40, true), psdu(31, 1538)), 1320);
	ck_assert_int_eq(us(&a, wifi_ht(15, WIFI_40, true), psdu(42, 1538)), 1772);
	ck_assert_int_eq(us(&a, wifi_ht(0, WIFI_20, false), psdu(2, 1538)), 3840);
	ck_assert_int_eq(us(&a, wifi_ht(23, WIFI_40, true), psdu(42, 1538)), 1204);
	ck_assert_uint_eq(wifi_encoders(wifi_ht(23, WIFI_40, true)), 2);
	ck_assert_uint_eq(psdu(32, 1554), 49918);
	ck_assert_int_eq(us(&a, wifi_ht(15, WIFI_40, true), psdu(32, 1554)), 1372);
	ck_assert_uint_eq(psdu(64, 1538), 98814);
	ck_assert_int_eq(us(&ac, wifi_vht(9, 2, WIFI_80, true), psdu(64, 1538)), 960);
	ck_assert_int_eq(us(&ac, wifi_vht(7, 1, WIFI_80, false), psdu(32, 1538)), 1392);
}
END_TEST

START_TEST(spaces_and_timeouts)
{
	phys();
	ck_assert_uint_eq(b_long.sifs + 2 * b_long.slot, 50000);
	ck_assert_uint_eq(g.sifs + 2 * g.slot, 28000);
	ck_assert_uint_eq(a.sifs + 2 * a.slot, 34000);
	ck_assert_uint_eq(b_long.eifs + 50000, 364000);
	ck_assert_uint_eq(a.eifs + 34000, 94000);
	ck_assert_uint_eq(b_long.cwmin, 31);
	ck_assert_uint_eq(g.cwmin, 15);
	/* SIFS, slot, and the PHY's delay until it has seen the start of a frame */
	ck_assert_uint_eq(wifi_phy_timeout(&b_long, rate(2)), 222000);
	ck_assert_uint_eq(wifi_phy_timeout(&b_long, rate(2) | WIFI_SHORT_PREAMBLE), 126000);
	ck_assert_uint_eq(wifi_phy_timeout(&a, rate(24)), 50000);
	ck_assert_uint_eq(wifi_phy_timeout(&g, rate(24)), 44000);
}
END_TEST

static double response(double mbit, wifi_rate_set basic)
{
	return (double)wifi_bps(wifi_response_rate(rate(mbit), basic)) / 1e6;
}

START_TEST(response_rates)
{
	wifi_rate r;

	phys();
	ck_assert_double_eq(response(1, 0x3), 1);
	ck_assert_double_eq(response(2, 0x3), 2);
	ck_assert_double_eq(response(5.5, 0x3), 2);
	ck_assert_double_eq(response(11, 0x3), 2);
	ck_assert_double_eq(response(5.5, 0xf), 5.5);
	ck_assert_double_eq(response(5.5, 0x1), 1);
	ck_assert_double_eq(response(54, a.basic), 24);
	ck_assert_double_eq(response(24, a.basic), 24);
	ck_assert_double_eq(response(18, a.basic), 12);
	ck_assert_double_eq(response(12, a.basic), 12);
	ck_assert_double_eq(response(9, a.basic), 6);
	ck_assert_double_eq(response(6, a.basic), 6);
	/* only CCK is basic: OFDM frames are answered at a mandatory OFDM rate */
	ck_assert_double_eq(response(54, 0xf), 24);
	/* by MCS: 6 for 0, 12 for 1 and 2, 24 above */
	for (u32 mcs = 0; mcs < 32; mcs++) {
		r = wifi_response_rate(wifi_ht(mcs, WIFI_20, false), a.basic);
		ck_assert_int_eq(wifi_bps(r), mcs % 8 == 0   ? 6000000
					      : mcs % 8 <= 2 ? 12000000
							     : 24000000);
	}
	/* the preamble is answered in kind, but 1 Mbit/s has the long one only */
	r = wifi_response_rate(rate(11) | WIFI_SHORT_PREAMBLE, 0x3);
	ck_assert_uint_eq(r, rate(2) | WIFI_SHORT_PREAMBLE);
	r = wifi_response_rate(rate(11) | WIFI_SHORT_PREAMBLE, 0x1);
	ck_assert_uint_eq(r, rate(1));
}
END_TEST

/* Data bits of a 4 us symbol of one stream at 20 MHz: the published 6.5 to 78 Mbit/s. */
static const double mbit20[] = {6.5, 13, 19.5, 26, 39, 52, 58.5, 65, 78, 260.0 / 3};

/* TXTIME by adding symbols until every bit has a place. */
static double slow(wifi_rate r, double mbit, u32 mcs, u32 nss, bool sgi, bool vht, u32 bytes)
{
	static const int ltf[] = {0, 1, 2, 4, 4, 6, 6, 8, 8};
	double bits = 16 + 8.0 * bytes + 6.0 * wifi_encoders(r), carried = 0, t = 0;

	while (carried < bits - 1e-6) {
		carried += mbit * 4;
		t += sgi ? 3.6 : 4;
	}
	for (double grid = 0;; grid += 4)
		if (grid > t - 1e-6)
			return grid + 32 + 4 * ltf[nss] + (vht ? 4 : 0);
}

START_TEST(every_combination)
{
	static const double widths[] = {1, 108.0 / 52, 234.0 / 52, 468.0 / 52};
	static const u32 sizes[] = {1, 14, 90, 1538, 3895, 11454, 65535};
	u32 valid = 0;

	phys();
	for (u32 w = 0; w < 4; w++)
		for (u32 nss = 1; nss <= 8; nss++)
			for (u32 mcs = 0; mcs < 10; mcs++)
				for (u32 bits = 0; bits < 4; bits++) {
					bool sgi = bits & 1, vht = bits & 2;
					wifi_rate r =
						vht ? wifi_vht(mcs, nss, w, sgi)
						    : wifi_ht((nss - 1) * 8 + mcs % 8, w, sgi);
					double mbit = mbit20[mcs] * widths[w] * nss;
					u32 limit;

					if (!vht && mcs > 7)
						continue;
					if (wifi_rate_invalid(r))
						continue;
					valid++;
					ck_assert_double_eq_tol(wifi_ndbps(r), mbit * 4, 1e-6);
					ck_assert_double_eq_tol((double)wifi_bps(r) / 1e6,
								sgi ? mbit / 0.9 : mbit, 1e-5);
					for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]);
					     s++)
						ck_assert_double_eq_tol(us(&ac, r, sizes[s]),
									slow(r, mbit, mcs, nss, sgi,
									     vht, sizes[s]),
									1e-6);
					/* the limit is the last size that fits */
					limit = wifi_psdu_limit(&ac, r, 4 * SIM_MS);
					ck_assert_int_le(wifi_airtime(&ac, r, limit), 4 * SIM_MS);
					ck_assert_int_gt(wifi_airtime(&ac, r, limit + 1),
							 4 * SIM_MS);
				}
	/* HT: 32 MCS, two widths, two guard intervals; VHT: 4 x 8 x 10 x 2 but for the ten that do not exist */
	ck_assert_uint_eq(valid, 32 * 2 * 2 + (4 * 8 * 10 - 10) * 2);
}
END_TEST

START_TEST(what_does_not_exist)
{
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_vht(9, 1, WIFI_20, false)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_vht(9, 2, WIFI_20, true)));
	ck_assert_ptr_null(wifi_rate_invalid(wifi_vht(9, 3, WIFI_20, true)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_vht(6, 3, WIFI_80, true)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_vht(9, 6, WIFI_80, true)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_vht(9, 3, WIFI_160, true)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_ht(7, WIFI_80, false)));
	ck_assert_ptr_nonnull(wifi_rate_invalid(wifi_ht(32, WIFI_20, false)));
	ck_assert_uint_eq(wifi_legacy_rate(7000000), WIFI_RATE_NONE);
}
END_TEST

START_TEST(names)
{
	char buf[24];

	ck_assert_str_eq(wifi_rate_name(rate(5.5), buf, sizeof(buf)), "5.5");
	ck_assert_str_eq(wifi_rate_name(rate(54), buf, sizeof(buf)), "54");
	ck_assert_str_eq(wifi_rate_name(wifi_ht(15, WIFI_40, true), buf, sizeof(buf)), "MCS15/40S");
	ck_assert_str_eq(wifi_rate_name(wifi_vht(9, 2, WIFI_80, false), buf, sizeof(buf)),
			 "VHT2-MCS9/80L");
}
END_TEST

CHECK_MAIN("wifi-airtime", dsss_and_cck, ofdm, ht_and_vht, spaces_and_timeouts, response_rates,
	   every_combination, what_does_not_exist, names)
