/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PHY rates of 802.11b/g/a/n/ac as one compact id: modulation, index, streams, width and guard interval.
 *
 * Source: IEEE 802.11-2020 clauses 15.2 and 16.2 (DSSS, CCK), 17.3 (OFDM), 19.3 and 19.5 (HT), 21.3 and 21.5 (VHT).
 */
#ifndef WLANQ_WIFI_RATE_H
#define WLANQ_WIFI_RATE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

typedef u16 wifi_rate;

enum wifi_mode { WIFI_CCK, WIFI_OFDM, WIFI_HT, WIFI_VHT };
enum wifi_width { WIFI_20, WIFI_40, WIFI_80, WIFI_160 };

#define WIFI_RATE_NONE 0xffff

#define RATE_INDEX(r)  ((r)&0xfu) /* CCK 0..3, OFDM 0..7, HT MCS modulo 8, VHT MCS 0..9 */
#define RATE_NSS(r)    (((r) >> 4 & 0x7u) + 1)
#define RATE_WIDTH(r)  ((enum wifi_width)((r) >> 7 & 0x3u))
#define RATE_SGI(r)    ((r) >> 9 & 0x1u)
#define RATE_MODE(r)   ((enum wifi_mode)((r) >> 10 & 0x3u))
#define RATE_SHORT(r)  ((r) >> 12 & 0x1u) /* CCK: short preamble */
#define RATE_MHZ(r)    (20u << RATE_WIDTH(r))
#define RATE_LEGACY(r) (RATE_MODE(r) <= WIFI_OFDM)

#define WIFI_SHORT_PREAMBLE (1u << 12)

/* How many of a mode's indices there are. */
#define WIFI_CCK_RATES	4
#define WIFI_OFDM_RATES 8
#define WIFI_HT_MCS	8 /* a stream */
#define WIFI_VHT_MCS	10

static inline wifi_rate wifi_cck(u32 index)
{
	return (wifi_rate)(WIFI_CCK << 10 | index);
}

static inline wifi_rate wifi_ofdm(u32 index)
{
	return (wifi_rate)(WIFI_OFDM << 10 | index);
}

/* @mcs 0..31 */
static inline wifi_rate wifi_ht(u32 mcs, enum wifi_width width, bool sgi)
{
	return (wifi_rate)(WIFI_HT << 10 | sgi << 9 | width << 7 | (mcs / 8) << 4 | mcs % 8);
}

/* @mcs 0..9, @nss 1..8 */
static inline wifi_rate wifi_vht(u32 mcs, u32 nss, enum wifi_width width, bool sgi)
{
	return (wifi_rate)(WIFI_VHT << 10 | sgi << 9 | width << 7 | (nss - 1) << 4 | mcs);
}

/* Why there is no such rate, as text for the user; NULL when it is a valid one. */
const char *wifi_rate_invalid(wifi_rate r);

/* Data bits of an OFDM symbol (OFDM, HT, VHT); 0 for CCK. */
u32 wifi_ndbps(wifi_rate r);

/* BCC encoders, each of which adds six tail bits; 0 for CCK. */
u32 wifi_encoders(wifi_rate r);

/* Data rate in bit/s, rounded down. */
int64_t wifi_bps(wifi_rate r);

/* The legacy rate of @bps (1, 2, 5.5, 11 by CCK; 6 .. 54 Mbit/s by OFDM), or WIFI_RATE_NONE. */
wifi_rate wifi_legacy_rate(int64_t bps);

/*
 * The legacy OFDM rate of the same modulation and coding (HT and VHT), or the rate itself; what the rate of a response
 * is chosen by (10.6.11).
 */
wifi_rate wifi_reference_rate(wifi_rate r);

/* A set of legacy rates: bits 0..3 CCK, 4..11 OFDM. */
typedef u16 wifi_rate_set;

static inline u32 wifi_set_bit(wifi_rate legacy)
{
	return 1u << (RATE_INDEX(legacy) + (RATE_MODE(legacy) == WIFI_OFDM ? WIFI_CCK_RATES : 0));
}

/*
 * The rate of a control response to a frame sent at @r: the highest of the basic rates of the same class that is not
 * above it; without one, the highest mandatory rate that is not above it (10.6.6.5.2). The preamble is @r's.
 */
wifi_rate wifi_response_rate(wifi_rate r, wifi_rate_set basic);

/* "11", "5.5", "54", "MCS15/40S" (HT), "VHT2-MCS9/80S"; @buf of at least 24 bytes. Returns @buf. */
char *wifi_rate_name(wifi_rate r, char *buf, size_t len);

#endif
