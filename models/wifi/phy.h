/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timing of one BSS: what follows from its standard, band, slot, preamble and basic rates. All times in ns.
 *
 * Source: IEEE 802.11-2020 tables 15-5, 16-4 (DSSS, CCK), 17-21 (OFDM), 18-5 (ERP), 19-25 (HT), 21-28 (VHT);
 * 10.3.7 (inter-frame spaces), 10.23.2.4 (EDCA).
 */
#ifndef WLANQ_WIFI_PHY_H
#define WLANQ_WIFI_PHY_H

#include "engine/sim.h"
#include "wifi/rate.h"

enum wifi_standard { WIFI_11B, WIFI_11G, WIFI_11A, WIFI_11N, WIFI_11AC };
enum wifi_band { WIFI_2GHZ, WIFI_5GHZ };

struct wifi_phy {
	enum wifi_standard standard;
	enum wifi_band band;
	bool short_preamble; /* of CCK frames */
	wifi_rate_set basic;
	u32 slot, sifs;
	u32 cca; /* aCCATime: a frame is sensed by others this long after its start */
	u32 extension; /* signal extension of OFDM, HT and VHT frames */
	u32 eifs; /* EIFS - DIFS: SIFS and an ACK at the lowest mandatory rate of the BSS's modulations */
	u32 cwmin; /* aCWmin */
	u32 plcp; /* preamble and header of DSSS frames, 0: by rate and preamble */
	u32 propagation; /* from any station to any other */
};

/* What a scenario may set in place of the standard's, 0: nothing. */
struct wifi_timing {
	u32 slot, sifs, plcp, propagation, cca;
};

/*
 * @slot_long is of interest at 2.4 GHz only. @basic 0 stands for the standard's mandatory rates (11b: 1 and 2 Mbit/s,
 * its first set, which every station has).
 */
void wifi_phy_init(struct wifi_phy *phy, enum wifi_standard standard, enum wifi_band band,
		   bool slot_long, bool short_preamble, wifi_rate_set basic);

/* Changes what @t gives, and what follows from it. */
void wifi_phy_override(struct wifi_phy *phy, const struct wifi_timing *t);

/* What management frames are sent at. */
wifi_rate wifi_lowest_basic(const struct wifi_phy *phy);

/*
 * How long a sender waits for the start of a response at @resp behind the end of its frame, until it knows that there
 * will be none: SIFS, a slot and the PHY's delay until it tells of a frame (10.3.2.11).
 */
u32 wifi_phy_timeout(const struct wifi_phy *phy, wifi_rate resp);

#endif
