// SPDX-License-Identifier: GPL-3.0-or-later
/* Rates of minstrel_ht, and how long they take. */
#include "mac80211/minstrel-ht.h"

#include <string.h>

#include "engine/draw.h"

#define PACKET	  1200u
#define AGGREGATE 16u
#define BITS	  (PACKET * AGGREGATE * 8)

/* Data bits of a symbol, one stream, by width. MCS 9 of 20 MHz is no rate of one stream, and rounded. */
static const u16 symbol_bits[3][MH_RATES] = {
	{26, 52, 78, 104, 156, 208, 234, 260, 312, 346},
	{54, 108, 162, 216, 324, 432, 486, 540, 648, 720},
	{117, 234, 351, 468, 702, 936, 1053, 1170, 1404, 1560},
};

static const u16 cck[WIFI_CCK_RATES] = {10, 20, 55, 110};
static const u16 ofdm[WIFI_OFDM_RATES] = {60, 90, 120, 180, 240, 360, 480, 540};

static u32 mcs_ns(u32 streams, bool sgi, u32 bits)
{
	u32 symbols = (BITS + streams * bits - 1) / (streams * bits);

	return (sgi ? (symbols * 18000 + 4000) / 5 : symbols * 4000) / AGGREGATE;
}

/* A group's durations are kept in 16 bits; what its shift cuts off is lost. */
static void cut(u32 *duration)
{
	u32 lost = duration[0] >> 16 ? 16 - (u32)__builtin_clz(duration[0]) : 0;

	for (u32 i = 0; i < MH_RATES; i++)
		duration[i] = duration[i] >> lost << lost;
}

void mh_table_init(struct mh_table *t, u64 seed, const char *path)
{
	struct draw d;

	memset(t, 0, sizeof(*t));
	for (u32 g = 0; g < MH_GROUPS; g++) {
		u32 k = g < MH_CCK ? g : g - MH_VHT;

		t->streams[g] = MH_LEGACY(g) ? 1 : (u8)(k % 4 + 1);
		for (u32 i = 0; i < (g < MH_CCK ? 8 : MH_RATES) && !MH_LEGACY(g); i++)
			t->duration[g][i] = mcs_ns(t->streams[g], k / 4 % 2, symbol_bits[k / 8][i]);
	}
	for (u32 i = 0; i < 8; i++) {
		t->duration[MH_CCK][i] =
			1000 * (10 + (i < 4 ? 192 : 96) + 8 * (PACKET + 4) * 10 / cck[i % 4]);
		t->duration[MH_OFDM][i] =
			1000 * (36 + 4 * ((16 + 80 * (PACKET + 4) + 6) / (ofdm[i] * 4u)));
	}
	for (u32 g = 0; g < MH_GROUPS; g++)
		cut(t->duration[g]);

	draw_init(&d, seed, path, "rate");
	memset(t->sample, 0xff, sizeof(t->sample));
	for (u32 c = 0; c < MH_COLUMNS; c++) {
		for (u32 i = 0; i < MH_RATES; i++) {
			u8 byte = (u8)(draw_bits(d.key, d.index++) >> 32);
			u32 at = (i + byte) % MH_RATES;

			while (t->sample[c][at] != 0xff)
				at = (at + 1) % MH_RATES;
			t->sample[c][at] = (u8)i;
		}
	}
}

u32 mh_frame_duration(bool is_ofdm, u32 len, u32 rate)
{
	u32 bits = 8 * (len + 4);

	if (is_ofdm)
		return 36 + 4 * (((16 + bits + 6) * 10 + 4 * rate - 1) / (4 * rate));
	return 10 + 96 + (bits * 10 + rate - 1) / rate;
}

wifi_rate mh_wifi_rate(u32 id, bool short_preamble)
{
	u32 g = MH_GROUP(id), i = MH_INDEX(id), k = g < MH_CCK ? g : g - MH_VHT;

	if (g == MH_CCK)
		return (wifi_rate)(wifi_cck(i % 4) |
				   (short_preamble && i % 4 ? WIFI_SHORT_PREAMBLE : 0));
	if (g == MH_OFDM)
		return wifi_ofdm(i % 8);
	if (g < MH_CCK)
		return wifi_ht(i + k % 4 * 8, (enum wifi_width)(k / 8), k / 4 % 2);
	return wifi_vht(i, k % 4 + 1, (enum wifi_width)(k / 8), k / 4 % 2);
}

u32 mh_id(const struct mh_sta *s, wifi_rate r)
{
	u32 i = RATE_INDEX(r), k;

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		return MH_ID(MH_CCK,
			     RATE_SHORT(r) && s->supported[MH_CCK] >> (i + 4) & 1 ? i + 4 : i);
	case WIFI_OFDM:
		return MH_ID(MH_OFDM, i);
	default:
		k = (u32)RATE_WIDTH(r) * 8 + RATE_SGI(r) * 4 + RATE_NSS(r) - 1;
		return MH_ID(RATE_MODE(r) == WIFI_HT ? k : MH_VHT + k, i);
	}
}
