// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/phy.h"

#include <string.h>

#include "wifi/airtime.h"

#define US(n) ((u32)((n)*SIM_US))

#define CCK_BITS   0x00fu
#define BASIC_11B  0x003u /* 1, 2 */
#define BASIC_CCK  0x00fu /* 1, 2, 5.5, 11 */
#define BASIC_OFDM 0x150u /* 6, 12, 24 */

/* EIFS reckons with an ACK at the lowest mandatory rate: 1 Mbit/s in a BSS with CCK, 6 in one without. */
static void set_eifs(struct wifi_phy *phy)
{
	wifi_rate lowest = phy->basic & CCK_BITS ? wifi_cck(0) : wifi_ofdm(0);

	phy->eifs = phy->sifs + (u32)wifi_airtime(phy, lowest, WIFI_ACK);
}

void wifi_phy_init(struct wifi_phy *phy, enum wifi_standard standard, enum wifi_band band,
		   bool slot_long, bool short_preamble, wifi_rate_set basic)
{
	memset(phy, 0, sizeof(*phy));
	phy->standard = standard;
	phy->band = band;
	phy->short_preamble = short_preamble;
	if (standard == WIFI_11B) {
		phy->basic = basic ? basic : BASIC_11B;
		phy->slot = US(20);
		phy->sifs = US(10);
		phy->cca = US(15);
		phy->cwmin = 31;
	} else if (band == WIFI_2GHZ) {
		phy->basic = basic ? basic : BASIC_CCK | BASIC_OFDM;
		phy->slot = slot_long ? US(20) : US(9);
		phy->sifs = US(10);
		phy->cca = slot_long ? US(15) : US(4);
		phy->extension = US(6);
		phy->cwmin = 15;
	} else {
		phy->basic = basic ? basic : BASIC_OFDM;
		phy->slot = US(9);
		phy->sifs = US(16);
		phy->cca = US(4);
		phy->cwmin = 15;
	}
	set_eifs(phy);
}

void wifi_phy_override(struct wifi_phy *phy, const struct wifi_timing *t)
{
	if (t->slot)
		phy->slot = t->slot;
	if (t->sifs)
		phy->sifs = t->sifs;
	if (t->cca)
		phy->cca = t->cca;
	phy->plcp = t->plcp;
	phy->propagation = t->propagation;
	set_eifs(phy);
}

wifi_rate wifi_lowest_basic(const struct wifi_phy *phy)
{
	for (u32 i = 0; i < WIFI_CCK_RATES; i++)
		if (phy->basic & wifi_set_bit(wifi_cck(i)))
			return wifi_cck(i);
	for (u32 i = 0; i < WIFI_OFDM_RATES; i++)
		if (phy->basic & wifi_set_bit(wifi_ofdm(i)))
			return wifi_ofdm(i);
	return wifi_ofdm(0);
}

u32 wifi_phy_timeout(const struct wifi_phy *phy, wifi_rate resp)
{
	u32 start;

	switch (RATE_MODE(resp)) {
	case WIFI_CCK:
		start = phy->plcp ? phy->plcp : (u32)wifi_preamble(resp);
		break;
	case WIFI_OFDM:
		start = US(25);
		break;
	default:
		start = US(33);
	}
	return phy->sifs + phy->slot + start;
}
