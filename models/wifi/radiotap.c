// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/radiotap.h"

#include "packet/bytes.h"
#include "wifi/airtime.h"

/* Bits of it_present. */
enum {
	HAS_TSFT = 1 << 0,
	HAS_FLAGS = 1 << 1,
	HAS_RATE = 1 << 2,
	HAS_CHANNEL = 1 << 3,
	HAS_SIGNAL = 1 << 5,
	HAS_TX_FLAGS = 1 << 15,
	HAS_RETRIES = 1 << 17,
	HAS_MCS = 1 << 19,
	HAS_AMPDU = 1 << 20,
	HAS_VHT = 1 << 21,
	HAS_TIME = 1 << 22
};

#define FLAG_SHORT_PREAMBLE 0x02
#define FLAG_WEP	    0x04
#define FLAG_FCS	    0x10
#define FLAG_BAD_FCS	    0x40
#define FLAG_SHORT_GI	    0x80

#define CHANNEL_CCK  0x0020
#define CHANNEL_OFDM 0x0040
#define CHANNEL_2GHZ 0x0080
#define CHANNEL_5GHZ 0x0100

/* Width, index, guard interval, format, FEC, STBC and extension streams: all but their upper bit. */
#define MCS_KNOWN    0x7f
#define MCS_SHORT_GI 0x04

#define AMPDU_LAST_KNOWN 0x0004
#define AMPDU_LAST	 0x0008
#define AMPDU_EOF	 0x0040
#define AMPDU_EOF_KNOWN	 0x0080

/* STBC, guard interval, what its symbols come to, bandwidth. */
#define VHT_KNOWN    0x004d
#define VHT_SHORT_GI 0x04
#define VHT_SYMBOLS  0x08 /* a short guard interval, and 9 symbols modulo 10 */

#define TIME_NS_AT_PPDU 0x12 /* unit ns; taken where the PPDU starts */

/* Fields are aligned to their size, from the start of the header. */
static u8 *align(u8 *base, u8 *at, u32 to)
{
	return at + (-(at - base) & (to - 1));
}

u32 radiotap_frequency(enum wifi_band band)
{
	return band == WIFI_2GHZ ? 2412 : 5180;
}

static u32 flags_of(const struct radiotap *r)
{
	return FLAG_FCS | (RATE_SHORT(r->rate) ? FLAG_SHORT_PREAMBLE : 0) |
	       (r->encrypted ? FLAG_WEP : 0) | (r->bad_fcs ? FLAG_BAD_FCS : 0) |
	       (RATE_SGI(r->rate) ? FLAG_SHORT_GI : 0);
}

static u8 *put_ampdu(const struct radiotap *r, u8 *at)
{
	u32 flags = AMPDU_LAST_KNOWN | (r->last ? AMPDU_LAST : 0);

	if (RATE_MODE(r->rate) == WIFI_VHT)
		flags |= AMPDU_EOF_KNOWN | (r->single ? AMPDU_EOF : 0);
	at = put_le32(at, r->reference);
	at = put_le16(at, flags);
	return put_le16(at, 0);
}

static u8 *put_vht(const struct radiotap *r, u8 *at)
{
	static const u8 widths[] = {[WIFI_20] = 0, [WIFI_40] = 1, [WIFI_80] = 4, [WIFI_160] = 11};
	u32 flags = RATE_SGI(r->rate) ? VHT_SHORT_GI : 0;

	if (flags && wifi_symbols(r->rate, r->psdu) % 10 == 9)
		flags |= VHT_SYMBOLS;
	at = put_le16(at, VHT_KNOWN);
	at = put_u8(at, flags);
	at = put_u8(at, widths[RATE_WIDTH(r->rate)]);
	at = put_le32(at, RATE_INDEX(r->rate) << 4 | RATE_NSS(r->rate)); /* of the only user */
	return put_le32(at, 0); /* BCC; no group, no partial AID */
}

u32 radiotap_write(const struct radiotap *r, u8 *to)
{
	u32 present = HAS_TSFT | HAS_FLAGS | HAS_CHANNEL | HAS_TIME;
	enum wifi_mode mode = RATE_MODE(r->rate);
	u8 *at;

	memset(to, 0, RADIOTAP_MAX);
	at = put_le64(to + 8, (u64)((r->at + wifi_preamble(r->rate)) / SIM_US));
	at = put_u8(at, flags_of(r));
	if (RATE_LEGACY(r->rate)) {
		present |= HAS_RATE;
		*at = (u8)(wifi_bps(r->rate) / 500000);
	} else {
		*at = 0;
	}
	at = put_le16(at + 1, radiotap_frequency(r->band));
	at = put_le16(at, (mode == WIFI_CCK ? CHANNEL_CCK : CHANNEL_OFDM) |
				  (r->band == WIFI_2GHZ ? CHANNEL_2GHZ : CHANNEL_5GHZ));
	if (r->has_signal) {
		present |= HAS_SIGNAL;
		at = put_u8(at, (u8)r->signal);
	}
	if (r->has_tx) {
		present |= HAS_TX_FLAGS | HAS_RETRIES;
		at = put_le16(align(to, at, 2), r->tx_flags);
		at = put_u8(at, r->retries);
	}
	if (mode == WIFI_HT) {
		present |= HAS_MCS;
		at = put_u8(at, MCS_KNOWN);
		at = put_u8(at, RATE_WIDTH(r->rate) | (RATE_SGI(r->rate) ? MCS_SHORT_GI : 0));
		at = put_u8(at, RATE_INDEX(r->rate) + 8 * (RATE_NSS(r->rate) - 1));
	}
	if (r->ampdu) {
		present |= HAS_AMPDU;
		at = put_ampdu(r, align(to, at, 4));
	}
	if (mode == WIFI_VHT) {
		present |= HAS_VHT;
		at = put_vht(r, align(to, at, 2));
	}
	at = put_le64(align(to, at, 8), (u64)r->at);
	at = put_le16(at, 0); /* accuracy: not told */
	at = put_u8(at, TIME_NS_AT_PPDU);
	at = put_u8(at, 0);
	put_le16(to, 0); /* version 0 */
	put_le16(to + 2, (u32)(at - to));
	put_le32(to + 4, present);
	return (u32)(at - to);
}
