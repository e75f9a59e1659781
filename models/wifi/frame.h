/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of 802.11 as bytes, for captures: control, data and action frames, from the frame control field to the FCS.
 * Each function writes to zeroed memory and returns the frame's bytes, FCS included; frame_fcs() fills that in.
 *
 * Source: IEEE 802.11-2020 9.2.4 (fields), 9.3.1 (control frames), 9.3.2 (data, A-MSDU), 9.3.3 and 9.6.4 (block-ack action
 * frames), 12.5.3.2 (CCMP).
 */
#ifndef WLANQ_WIFI_FRAME_H
#define WLANQ_WIFI_FRAME_H

#include "packet/wire.h"
#include "wifi/mgmt.h"

/* The longest MPDU of VHT. */
#define FRAME_MAX 11454

/* What all kinds have: how long the exchange goes on behind the frame (us), and the addresses. */
struct frame_head {
	u32 duration;
	u8 receiver[WIRE_MAC], transmitter[WIRE_MAC], bssid[WIRE_MAC];
	u16 seq;
	bool retry;
};

u32 frame_rts(const struct frame_head *h, u8 *to);
u32 frame_cts(const struct frame_head *h, u8 *to);
u32 frame_ack(const struct frame_head *h, u8 *to);

/* Compressed: bit i of @bitmap acknowledges sequence number @start + i. */
u32 frame_block_ack(const struct frame_head *h, u32 tid, u16 start, u64 bitmap, u8 *to);

/* A beacon of @bytes, which must leave room for what it needs (BEACON_LEAST); what is over is a vendor's element. */
#define BEACON_LEAST 60
struct frame_beacon {
	u64 timestamp; /* us */
	u32 interval; /* TU */
	u32 bytes;
	const char *ssid;
	const u8 *bitmap; /* by association identifier: whom something is buffered for */
	u32 bitmap_bytes; /* 1 to 251; what the beacon has no room for is left out */
	u8 rate; /* 500 kbit/s, the basic one */
};
u32 frame_beacon(const struct frame_head *h, const struct frame_beacon *b, u8 *to);

/* A block ack request, or an action frame. */
u32 frame_mgmt(const struct frame_head *h, const struct softmac_mgmt *m, u8 *to);

enum frame_direction { FRAME_DIRECT, FRAME_TO_AP, FRAME_FROM_AP };

struct frame_data {
	enum frame_direction direction;
	bool qos, no_ack, ccmp;
	u8 tid;
	u64 number; /* CCMP's packet number */
	const struct packet *packets; /* linked by skb.next; more than one: an A-MSDU */
	u32 bytes; /* of the frame where the packet is none of IP */
	struct wire *wire;
};

/* *@headers: what lies before the (first) payload; all of a frame without payload. */
u32 frame_data(const struct frame_head *h, const struct frame_data *d, u8 *to, u32 *headers);

/* The frame check sequence of a frame of @len bytes; of one that did not arrive whole a wrong one. */
void frame_fcs(u8 *frame, u32 len, bool good);

#endif
