/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long frames take on the air, as exact integers of ns, and how large they are.
 *
 * Source: IEEE 802.11-2020 15.2.5 and 16.3.4 (DSSS, CCK), 17.4.3 (OFDM), 19.4.3 (HT mixed format), 21.4.3 (VHT): the
 * TXTIME formulas. LDPC and STBC are not used. A short guard interval is reserved on a grid of 4 us.
 */
#ifndef WLANQ_WIFI_AIRTIME_H
#define WLANQ_WIFI_AIRTIME_H

#include "wifi/phy.h"

/* Bytes, FCS included. */
#define WIFI_HEADER	24
#define WIFI_QOS	2
#define WIFI_SNAP	8
#define WIFI_FCS	4
#define WIFI_CCMP	16
#define WIFI_DELIMITER	4
#define WIFI_ACK	14
#define WIFI_CTS	14
#define WIFI_RTS	20
#define WIFI_BA		32 /* compressed */
#define WIFI_BAR	24
#define WIFI_AMSDU_HEAD 14 /* of a subframe; the SNAP header comes on top */

/* The longest PPDU: L-SIG counts 4095 bytes at 6 Mbit/s (19.3.9.3.5; aPPDUMaxTime of VHT). */
#define WIFI_PPDU_MAX (5484 * SIM_US)

/* Preamble and PHY header, without signal extension. */
sim_time wifi_preamble(wifi_rate r);

/* Symbols for @bytes of PSDU: OFDM, HT and VHT. */
u32 wifi_symbols(wifi_rate r, u32 bytes);

/* The PPDU of a PSDU of @bytes at a valid rate, signal extension included. */
sim_time wifi_airtime(const struct wifi_phy *phy, wifi_rate r, u32 bytes);

/* The largest PSDU whose PPDU lasts at most @limit; 0 when the preamble alone is too long. */
u32 wifi_psdu_limit(const struct wifi_phy *phy, wifi_rate r, sim_time limit);

/* A control response (@bytes) to a frame sent at @r. */
static inline sim_time wifi_response(const struct wifi_phy *phy, wifi_rate r, u32 bytes)
{
	return wifi_airtime(phy, wifi_response_rate(r, phy->basic), bytes);
}

/* The MPDU of an MSDU of @ip_len bytes of IP packet. */
static inline u32 wifi_mpdu_bytes(u32 ip_len, bool qos, bool ccmp)
{
	return WIFI_HEADER + (qos ? WIFI_QOS : 0) + (ccmp ? WIFI_CCMP : 0) + WIFI_SNAP + ip_len +
	       WIFI_FCS;
}

#endif
