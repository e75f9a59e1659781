// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/airtime.h"

#define SERVICE_BITS 16
#define TAIL_BITS    6
#define SYMBOL	     4000 /* ns */

/* Long training fields by streams, of HT and VHT. */
static const u8 training[8] = {1, 2, 4, 4, 6, 6, 8, 8};

/* Half megabits a second of the CCK rates: 5.5 Mbit/s stays whole. */
static const u8 cck_half[WIFI_CCK_RATES] = {2, 4, 11, 22};

sim_time wifi_preamble(wifi_rate r)
{
	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		/* 144 and 48 bits at 1 Mbit/s; or 72 at 1 and 48 at 2 */
		return (RATE_SHORT(r) && RATE_INDEX(r) ? 96 : 192) * SIM_US;
	case WIFI_OFDM:
		return 20 * SIM_US;
	case WIFI_HT:
		/* L-STF, L-LTF, L-SIG, HT-SIG, HT-STF, HT-LTFs */
		return (8 + 8 + 4 + 8 + 4 + 4 * training[RATE_NSS(r) - 1]) * SIM_US;
	default:
		/* L-STF, L-LTF, L-SIG, VHT-SIG-A, VHT-STF, VHT-LTFs, VHT-SIG-B */
		return (8 + 8 + 4 + 8 + 4 + 4 * training[RATE_NSS(r) - 1] + 4) * SIM_US;
	}
}

u32 wifi_symbols(wifi_rate r, u32 bytes)
{
	u32 ndbps = wifi_ndbps(r);

	return (8 * bytes + SERVICE_BITS + TAIL_BITS * wifi_encoders(r) + ndbps - 1) / ndbps;
}

sim_time wifi_airtime(const struct wifi_phy *phy, wifi_rate r, u32 bytes)
{
	u32 half, symbols;

	if (RATE_MODE(r) == WIFI_CCK) {
		half = cck_half[RATE_INDEX(r)];
		return (phy->plcp ? phy->plcp : wifi_preamble(r)) +
		       (16 * bytes + half - 1) / half * SIM_US;
	}
	symbols = wifi_symbols(r, bytes);
	if (RATE_SGI(r)) /* 3.6 us a symbol, rounded up to 4 us */
		symbols = (symbols * 9 + 9) / 10;
	return wifi_preamble(r) + (sim_time)symbols * SYMBOL + phy->extension;
}

u32 wifi_psdu_limit(const struct wifi_phy *phy, wifi_rate r, sim_time limit)
{
	sim_time data = limit - wifi_preamble(r);
	u32 symbols, bits, other;

	if (RATE_MODE(r) == WIFI_CCK)
		return data < 0 ? 0 : (u32)(data / SIM_US) * cck_half[RATE_INDEX(r)] / 16;
	data -= phy->extension;
	if (data < SYMBOL)
		return 0;
	symbols = (u32)(data / SYMBOL);
	if (RATE_SGI(r))
		symbols = symbols * 10 / 9;
	bits = symbols * wifi_ndbps(r);
	other = SERVICE_BITS + TAIL_BITS * wifi_encoders(r);
	return bits <= other ? 0 : (bits - other) / 8;
}
