// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/frame.h"

#include <string.h>
#include <zlib.h>

#include "packet/bytes.h"
#include "wifi/airtime.h"
#include "wifi/seq.h"

/* Frame control: type and subtype, and flags. */
#define FC_ACTION     0x00d0
#define FC_NULL	      0x0048
#define FC_PM	      0x1000
#define FC_BEACON     0x0080
#define FC_BAR	      0x0084
#define FC_BLOCK_ACK  0x0094
#define FC_RTS	      0x00b4
#define FC_CTS	      0x00c4
#define FC_ACK	      0x00d4
#define FC_DATA	      0x0008
#define FC_QOS_DATA   0x0088
#define FC_TO_AP      0x0100
#define FC_FROM_AP    0x0200
#define FC_RETRY      0x0800
#define FC_PROTECTED  0x4000
#define QOS_NO_ACK    0x0020
#define QOS_AMSDU     0x0080
#define BA_COMPRESSED 0x0004

#define CCMP_HEADER 8
#define CCMP_MIC    8
#define CCMP_EXT_IV 0x20

#define CATEGORY_BLOCK_ACK 3
#define STATUS_DECLINED	   37 /* REQUEST_DECLINED */

#define DURATION_MAX 32767

static u8 *put_start(u8 *to, u32 fc, u32 duration, const u8 *receiver)
{
	to = put_le16(to, fc);
	to = put_le16(to, duration < DURATION_MAX ? duration : DURATION_MAX);
	return put_bytes(to, receiver, WIRE_MAC);
}

static u32 frame_end(const u8 *to, const u8 *at)
{
	return (u32)(at - to) + WIFI_FCS;
}

u32 frame_rts(const struct frame_head *h, u8 *to)
{
	u8 *at = put_start(to, FC_RTS, h->duration, h->receiver);

	return frame_end(to, put_bytes(at, h->transmitter, WIRE_MAC));
}

u32 frame_cts(const struct frame_head *h, u8 *to)
{
	return frame_end(to, put_start(to, FC_CTS, h->duration, h->receiver));
}

u32 frame_ack(const struct frame_head *h, u8 *to)
{
	return frame_end(to, put_start(to, FC_ACK, h->duration, h->receiver));
}

u32 frame_block_ack(const struct frame_head *h, u32 tid, u16 start, u64 bitmap, u8 *to)
{
	u8 *at = put_start(to, FC_BLOCK_ACK, h->duration, h->receiver);

	at = put_bytes(at, h->transmitter, WIRE_MAC);
	at = put_le16(at, BA_COMPRESSED | tid << 12);
	at = put_le16(at, (u32)start << 4);
	return frame_end(to, put_le64(at, bitmap));
}

static u32 ba_parameters(const struct softmac_mgmt *m)
{
	const u32 immediate = 0x2;

	return (m->amsdu ? 1u : 0) | immediate | (u32)m->tid << 2 | (u32)m->size << 6;
}

static u8 *put_action(const struct softmac_mgmt *m, u8 *at)
{
	at = put_u8(at, CATEGORY_BLOCK_ACK);
	at = put_u8(at, m->kind);
	switch (m->kind) {
	case MGMT_ADDBA_REQUEST:
		at = put_u8(at, m->dialog);
		at = put_le16(at, ba_parameters(m));
		at = put_le16(at, m->timeout);
		return put_le16(at, (u32)m->start << 4);
	case MGMT_ADDBA_RESPONSE:
		at = put_u8(at, m->dialog);
		at = put_le16(at, m->declined ? STATUS_DECLINED : 0);
		at = put_le16(at, ba_parameters(m));
		return put_le16(at, m->timeout);
	default:
		at = put_le16(at, (m->initiator ? 1u << 11 : 0) | (u32)m->tid << 12);
		return put_le16(at, m->reason);
	}
}

/* From the third address on, to the sequence control field. */
static u8 *put_rest(const struct frame_head *h, const u8 *address3, u8 *at)
{
	at = put_bytes(at, h->transmitter, WIRE_MAC);
	at = put_bytes(at, address3, WIRE_MAC);
	return put_le16(at, (h->seq & SEQ_MASK) << 4);
}

u32 frame_mgmt(const struct frame_head *h, const struct softmac_mgmt *m, u8 *to)
{
	u8 *at;

	if (m->kind == MGMT_BAR) {
		at = put_start(to, FC_BAR, h->duration, h->receiver);
		at = put_bytes(at, h->transmitter, WIRE_MAC);
		at = put_le16(at, BA_COMPRESSED | (u32)m->tid << 12);
		return frame_end(to, put_le16(at, (u32)m->start << 4));
	}
	if (m->kind == MGMT_NULL) {
		at = put_start(to,
			       FC_NULL | FC_TO_AP | (m->pm ? FC_PM : 0) | (h->retry ? FC_RETRY : 0),
			       h->duration, h->receiver);
		return frame_end(to, put_rest(h, h->bssid, at));
	}
	at = put_start(to, FC_ACTION | (h->retry ? FC_RETRY : 0), h->duration, h->receiver);
	return frame_end(to, put_action(m, put_rest(h, h->bssid, at)));
}

/* ---- beacons ---------------------------------------------------------------------------------------- */

#define ELEMENT_SSID   0
#define ELEMENT_RATES  1
#define ELEMENT_TIM    5
#define ELEMENT_VENDOR 221
#define ELEMENT_MAX    255
#define VENDOR_LEAST   5 /* its head and an organisation's identifier */
#define SSID_MAX       32
#define CAPABILITY_ESS 0x0001
#define RATE_BASIC     0x80

static u8 *put_element(u8 *at, u32 id, u32 len)
{
	return put_u8(put_u8(at, id), len);
}

/* The rest of @left bytes must be nothing, or room for another vendor's element. */
static u8 *put_vendor(u8 *at, u32 left)
{
	while (left) {
		u32 len = left - 2 < ELEMENT_MAX ? left - 2 : ELEMENT_MAX;

		if (left - 2 - len && left - 2 - len < VENDOR_LEAST)
			len -= VENDOR_LEAST;
		at = put_element(at, ELEMENT_VENDOR, len) + len;
		left -= 2 + len;
	}
	return at;
}

u32 frame_beacon(const struct frame_head *h, const struct frame_beacon *b, u8 *to)
{
	/* header, timestamp, interval, capability; heads of the elements, one rate, TIM; FCS */
	u32 bits = b->bitmap_bytes < b->bytes - BEACON_LEAST ? b->bitmap_bytes
							     : b->bytes - BEACON_LEAST + 1;
	u32 fixed = WIFI_HEADER + 12 + 2 + 3 + 5 + bits + WIFI_FCS;
	u32 room = b->bytes - fixed, ssid = (u32)strlen(b->ssid), left;
	u8 *at;

	if (ssid > SSID_MAX)
		ssid = SSID_MAX;
	if (ssid > room)
		ssid = room;
	left = room - ssid;
	if (left && left < VENDOR_LEAST) {
		/* the name takes it, or makes room */
		ssid = ssid + left <= SSID_MAX ? ssid + left : ssid + left - VENDOR_LEAST;
		left = room - ssid;
	}
	at = put_start(to, FC_BEACON, 0, h->receiver);
	at = put_rest(h, h->bssid, at);
	at = put_le64(at, b->timestamp);
	at = put_le16(at, b->interval);
	at = put_le16(at, CAPABILITY_ESS);
	at = put_element(at, ELEMENT_SSID, ssid);
	for (u32 i = 0; i < ssid; i++)
		at = put_u8(at, i < strlen(b->ssid) ? (u8)b->ssid[i] : ' ');
	at = put_u8(put_element(at, ELEMENT_RATES, 1), RATE_BASIC | b->rate);
	at = put_element(at, ELEMENT_TIM, 3 + bits);
	at = put_u8(at, 0); /* this beacon is a DTIM */
	at = put_u8(at, 1); /* and each one is */
	at = put_u8(at, 0); /* nothing for groups; the bitmap is told from its start */
	at = put_bytes(at, b->bitmap, bits);
	return frame_end(to, put_vendor(at, left));
}

/* ---- data ------------------------------------------------------------------------------------------ */

/* LLC and SNAP, IP and transport headers, and the payload, which stays zero. *@headers: where that begins. */
static u8 *put_packet(const struct frame_data *d, const struct packet *p, u8 *at, u8 **payload)
{
	at = put_be32(at, 0xaaaa0300); /* SNAP's SAPs, unnumbered information, no organisation */
	at = put_be16(at, 0);
	at = put_be16(at, wire_ethertype(p));
	*payload = at + wire_headers(d->wire, p, at);
	return *payload + p->payload;
}

static u8 *put_amsdu(const struct frame_data *d, u8 *at, u8 **payload)
{
	const u8 *begin = at;

	for (const struct sk_buff *skb = &d->packets->skb; skb; skb = skb->next) {
		const struct packet *p = (const struct packet *)skb;
		u8 *rest;

		at += -(at - begin) & 3;
		wire_mac(p->l2_dst, at);
		wire_mac(p->l2_src, at + WIRE_MAC);
		put_be16(at + 2 * WIRE_MAC, WIFI_SNAP + packet_ip_len(p));
		at = put_packet(d, p, at + WIFI_AMSDU_HEAD, &rest);
		if (skb == &d->packets->skb)
			*payload = rest;
	}
	return at;
}

static u8 *put_ccmp(u64 number, u8 *at)
{
	at = put_le16(at, number & 0xffff);
	at = put_u8(at, 0);
	at = put_u8(at, CCMP_EXT_IV);
	return put_le32(at, (u32)(number >> 16));
}

u32 frame_data(const struct frame_head *h, const struct frame_data *d, u8 *to, u32 *headers)
{
	static const u16 directions[] = {
		[FRAME_DIRECT] = 0, [FRAME_TO_AP] = FC_TO_AP, [FRAME_FROM_AP] = FC_FROM_AP};
	const struct packet *p = d->packets;
	bool amsdu = p->skb.next;
	u8 address3[WIRE_MAC], *at, *payload = to;
	u32 len;

	if (d->direction == FRAME_DIRECT || amsdu)
		memcpy(address3, h->bssid, WIRE_MAC);
	else
		wire_mac(d->direction == FRAME_TO_AP ? p->l2_dst : p->l2_src, address3);
	at = put_start(to,
		       (d->qos ? FC_QOS_DATA : FC_DATA) | directions[d->direction] |
			       (h->retry ? FC_RETRY : 0) | (d->ccmp ? FC_PROTECTED : 0),
		       h->duration, h->receiver);
	at = put_rest(h, address3, at);
	if (d->qos)
		at = put_le16(at, d->tid | (d->no_ack ? QOS_NO_ACK : 0) | (amsdu ? QOS_AMSDU : 0));
	if (d->ccmp)
		at = put_ccmp(d->number, at);
	at = amsdu ? put_amsdu(d, at, &payload) : put_packet(d, p, at, &payload);
	if (d->ccmp)
		at += CCMP_MIC;
	len = frame_end(to, at);
	if (wire_ethertype(p) != ETHERTYPE_IPV4 && len < d->bytes)
		len = d->bytes;
	*headers = p->payload || len > frame_end(to, at) ? (u32)(payload - to) : len;
	return len;
}

void frame_fcs(u8 *frame, u32 len, bool good)
{
	u32 crc = (u32)crc32(0, frame, len - WIFI_FCS);

	put_le32(frame + len - WIFI_FCS, good ? crc : ~crc);
}
