// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/rate.h"

#include <stdio.h>

/* Data subcarriers by width; VHT's and HT's are alike. */
static const u16 subcarriers[] = {52, 108, 234, 468};

/* Coded bits a subcarrier, and the coding rate as num / den, by MCS of one stream. */
static const struct modulation {
	u8 bits, num, den;
} modulations[WIFI_VHT_MCS] = {
	{1, 1, 2}, {2, 1, 2}, {2, 3, 4}, {4, 1, 2}, {4, 3, 4},
	{6, 2, 3}, {6, 3, 4}, {6, 5, 6}, {8, 3, 4}, {8, 5, 6},
};

static const u16 ofdm_ndbps[WIFI_OFDM_RATES] = {24, 36, 48, 72, 96, 144, 192, 216};
static const u32 cck_bps[WIFI_CCK_RATES] = {1000000, 2000000, 5500000, 11000000};

/* The OFDM index with an MCS's modulation and coding; 256-QAM has none and counts as the highest. */
static const u8 reference[WIFI_VHT_MCS] = {0, 2, 3, 4, 5, 6, 7, 7, 7, 7};

#define CCK_BITS       0x00fu
#define OFDM_BITS      0xff0u
#define CCK_MANDATORY  0x00fu
#define OFDM_MANDATORY 0x150u /* 6, 12, 24 */
#define BCC_LIMIT_HT   300u /* Mbit/s, long guard interval */
#define BCC_LIMIT_VHT  600u /* Mbit/s, short guard interval */
#define WIFI_NSS_HT    4u

u32 wifi_ndbps(wifi_rate r)
{
	const struct modulation *m;

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		return 0;
	case WIFI_OFDM:
		return ofdm_ndbps[RATE_INDEX(r)];
	default:
		m = &modulations[RATE_INDEX(r)];
		return subcarriers[RATE_WIDTH(r)] * m->bits * RATE_NSS(r) * m->num / m->den;
	}
}

/*
 * 802.11-2020 tables 21-30 to 21-61 list the encoders. They are the fewest that keep each below the limit and share
 * coded bits evenly among them, in whole puncturing periods.
 */
u32 wifi_encoders(wifi_rate r)
{
	u32 ndbps = wifi_ndbps(r), ncbps, n;
	const struct modulation *m;

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		return 0;
	case WIFI_OFDM:
		return 1;
	case WIFI_HT:
		return ndbps > 4 * BCC_LIMIT_HT ? 2 : 1;
	default:
		m = &modulations[RATE_INDEX(r)];
		ncbps = subcarriers[RATE_WIDTH(r)] * m->bits * RATE_NSS(r);
		/* bits in 3.6 us at the limit, rounded up */
		n = (ndbps * 10 + BCC_LIMIT_VHT * 36 - 1) / (BCC_LIMIT_VHT * 36);
		while (ncbps % (n * m->den))
			n++;
		return n;
	}
}

const char *wifi_rate_invalid(wifi_rate r)
{
	u32 i = RATE_INDEX(r), nss = RATE_NSS(r);
	enum wifi_width width = RATE_WIDTH(r);

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		return i < WIFI_CCK_RATES ? NULL : "no such CCK rate";
	case WIFI_OFDM:
		return i < WIFI_OFDM_RATES ? NULL : "no such OFDM rate";
	case WIFI_HT:
		if (i >= WIFI_HT_MCS || nss > WIFI_NSS_HT)
			return "HT has MCS 0 to 31";
		return width <= WIFI_40 ? NULL : "HT has widths of 20 and 40 MHz";
	default:
		if (i >= WIFI_VHT_MCS)
			return "VHT has MCS 0 to 9";
		if (width == WIFI_20 && i == 9 && nss != 3 && nss != 6)
			return "VHT MCS 9 at 20 MHz exists with 3 and 6 streams only";
		if (width == WIFI_80 && i == 6 && (nss == 3 || nss == 7))
			return "VHT MCS 6 at 80 MHz does not exist with 3 and 7 streams";
		if (width == WIFI_80 && i == 9 && nss == 6)
			return "VHT MCS 9 at 80 MHz does not exist with 6 streams";
		if (width == WIFI_160 && i == 9 && nss == 3)
			return "VHT MCS 9 at 160 MHz does not exist with 3 streams";
		return NULL;
	}
}

int64_t wifi_bps(wifi_rate r)
{
	if (RATE_MODE(r) == WIFI_CCK)
		return cck_bps[RATE_INDEX(r)];
	/* a symbol lasts 4 us, or 3.6 with the short guard interval */
	if (RATE_SGI(r))
		return (int64_t)wifi_ndbps(r) * 10000000 / 36;
	return (int64_t)wifi_ndbps(r) * 250000;
}

wifi_rate wifi_legacy_rate(int64_t bps)
{
	for (u32 i = 0; i < WIFI_CCK_RATES; i++)
		if (cck_bps[i] == bps)
			return wifi_cck(i);
	for (u32 i = 0; i < WIFI_OFDM_RATES; i++)
		if ((int64_t)ofdm_ndbps[i] * 250000 == bps)
			return wifi_ofdm(i);
	return WIFI_RATE_NONE;
}

wifi_rate wifi_reference_rate(wifi_rate r)
{
	return RATE_LEGACY(r) ? r : wifi_ofdm(reference[RATE_INDEX(r)]);
}

/* The highest rate of @set that is not faster than @r, which is of @set's class. */
static wifi_rate highest(wifi_rate r, wifi_rate_set set)
{
	for (int i = (int)RATE_INDEX(r); i >= 0; i--) {
		wifi_rate low = (wifi_rate)((r & ~0xfu) | (u32)i);

		if (set & wifi_set_bit(low))
			return low;
	}
	return WIFI_RATE_NONE;
}

wifi_rate wifi_response_rate(wifi_rate r, wifi_rate_set basic)
{
	wifi_rate ref = wifi_reference_rate(r);
	bool cck = RATE_MODE(ref) == WIFI_CCK;
	wifi_rate found = highest(ref, basic & (cck ? CCK_BITS : OFDM_BITS));

	if (found == WIFI_RATE_NONE)
		found = highest(ref, cck ? CCK_MANDATORY : OFDM_MANDATORY);
	/* 1 Mbit/s has no short preamble */
	if (cck && RATE_INDEX(found) == 0)
		found &= (wifi_rate)~WIFI_SHORT_PREAMBLE;
	return found;
}

char *wifi_rate_name(wifi_rate r, char *buf, size_t len)
{
	const char *gi = RATE_SGI(r) ? "S" : "L";

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
	case WIFI_OFDM:
		snprintf(buf, len, wifi_bps(r) % 1000000 ? "%lld.5" : "%lld",
			 (long long)(wifi_bps(r) / 1000000));
		break;
	case WIFI_HT:
		snprintf(buf, len, "MCS%u/%u%s", (RATE_NSS(r) - 1) * 8 + RATE_INDEX(r), RATE_MHZ(r),
			 gi);
		break;
	default:
		snprintf(buf, len, "VHT%u-MCS%u/%u%s", RATE_NSS(r), RATE_INDEX(r), RATE_MHZ(r), gi);
	}
	return buf;
}
