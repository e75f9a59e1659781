/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The radiotap header that a monitor interface puts before a frame.
 *
 * Source: radiotap.org: the header, and the fields TSFT, Flags, Rate, Channel, Antenna signal, TX flags, data retries, MCS,
 * A-MPDU status, VHT and timestamp. TSFT is the first bit behind the PPDU's preamble, in us, and the same for each MPDU of
 * an A-MPDU: Wireshark finds aggregates by that, and reckons the spaces between frames from it. timestamp is the start
 * of the PPDU in ns.
 */
#ifndef WLANQ_WIFI_RADIOTAP_H
#define WLANQ_WIFI_RADIOTAP_H

#include "wifi/phy.h"

#define RADIOTAP_MAX 80

#define RADIOTAP_TX_FAIL   0x0001 /* the last attempt that the retry chain has, and it failed */
#define RADIOTAP_TX_CTS	   0x0002
#define RADIOTAP_TX_RTS	   0x0004
#define RADIOTAP_TX_NO_ACK 0x0008

struct radiotap {
	sim_time at; /* start of the PPDU */
	wifi_rate rate;
	enum wifi_band band;
	bool bad_fcs, encrypted;
	bool has_signal;
	s8 signal; /* dBm */
	bool has_tx; /* .tx_flags, .retries: it is a frame that is tried again */
	u16 tx_flags; /* RADIOTAP_TX_* */
	u8 retries; /* attempts before this one */
	bool ampdu; /* it is part of an A-MPDU: */
	bool last, single; /* the last one; of VHT, the only one */
	u32 reference; /* the same for all parts */
	u32 psdu; /* bytes of all parts */
};

/* The centre of the primary channel, MHz: channel 1 of 2.4 GHz or 36 of 5 GHz. */
u32 radiotap_frequency(enum wifi_band band);

/* Writes the header to @to (RADIOTAP_MAX bytes); returns its bytes. */
u32 radiotap_write(const struct radiotap *r, u8 *to);

#endif
