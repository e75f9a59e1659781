// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/error.h"

#define SCALE	(1 << ERROR_SCALE_BITS)
#define ONE	(1ULL << 32)
#define DB_LOG2 3010300 /* 10 log10(2) in 10^-6 dB */
#define OFDM_AT 4 /* first curve behind CCK's */

/* 10 log10 of 1 to 8 streams, 0.001 dB: the power is shared among them. */
static const u16 stream_share[8] = {0, 3010, 4771, 6021, 6990, 7782, 8451, 9031};

static u32 curve_of(wifi_rate r)
{
	static const u8 mcs[WIFI_VHT_MCS] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10};

	switch (RATE_MODE(r)) {
	case WIFI_CCK:
		return RATE_INDEX(r);
	case WIFI_OFDM:
		return OFDM_AT + RATE_INDEX(r);
	default:
		return OFDM_AT + mcs[RATE_INDEX(r)];
	}
}

/* log2(x) in 1/256 */
static s32 log2_scaled(u64 x)
{
	u32 top = 63 - (u32)__builtin_clzll(x);
	u64 rest = top >= ERROR_SCALE_BITS ? x >> (top - ERROR_SCALE_BITS)
					   : x << (ERROR_SCALE_BITS - top);

	return (s32)(top * SCALE) + error_log2[rest & (SCALE - 1)];
}

s32 error_db(u64 x)
{
	return (s32)((int64_t)log2_scaled(x) * DB_LOG2 / SCALE / 1000);
}

/* 2^-32 of 2^-x, of an @x in 2^-30. */
static u64 exp2_negative(u64 x)
{
	u32 fraction = (u32)(x & ((1u << 30) - 1)), index = fraction >> 22,
	    low = fraction & 0x3fffff;
	u64 value = (1ULL << 61) / error_exp2[index]; /* 2^-31 */

	/* the rest of the fraction by the slope there: ln 2 is 45426 / 65536 */
	value -= value * low / (1ULL << 30) * 45426 / 65536;
	return (value << 1) >> (x >> 30);
}

u64 error_threshold(wifi_rate r, s32 snr, u32 bytes)
{
	const s16 *curve = error_curves[curve_of(r)];
	s32 at = snr - ERROR_FIRST, i, rest, e, whole;
	u64 exponent;

	if (!RATE_LEGACY(r))
		at -= stream_share[RATE_NSS(r) - 1];
	if (at < 0)
		return ONE;
	i = at / ERROR_STEP;
	if (i >= ERROR_POINTS - 1)
		return 0;
	rest = at % ERROR_STEP;
	e = curve[i] + (curve[i + 1] - curve[i]) * rest / ERROR_STEP;

	/* The exponent bits * e, in 2^-16. */
	e += log2_scaled(8ULL * bytes);
	whole = e >> ERROR_SCALE_BITS;
	if (whole >= 5) /* 2^-32 at most */
		return ONE;
	if (whole < -32)
		return 0;
	exponent = error_exp2[e & (SCALE - 1)]; /* 2^-30 */
	return ONE - exp2_negative(whole >= 0 ? exponent << whole : exponent >> -whole);
}
