/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A packet as the bytes that stand for it on a wire, for captures: IPv4 with ICMP, UDP or TCP. Payloads are zeros, and
 * checksums are right for them. Nothing of this is on the path of a packet: what headers say is in struct packet.
 *
 * Source: RFC 791, 792, 768, 9293, 7323 (window scale, timestamps), 2018 (SACK); the order of options is that of Linux
 * (net/ipv4/tcp_output.c: tcp_options_write(), 6.1).
 */
#ifndef WLANQ_PACKET_WIRE_H
#define WLANQ_PACKET_WIRE_H

#include "packet/packet.h"

#define WIRE_MAC	 6
#define WIRE_HEADERS_MAX 80 /* IP 20, TCP 60 */

#define ETHERTYPE_IPV4	0x0800
#define ETHERTYPE_LOCAL 0x88b5 /* IEEE 802: for local experiments; what has no headers */

/* The connections that a capture has seen begin: a window is told in units that only the SYN names. */
struct wire;

struct wire *wire_new(void);
void wire_free(struct wire *w);

/* 02:00:00:00:xx:xx of an interface, 10.0.x.x of a host (from 10.0.0.1 on). */
void wire_mac(u16 id, u8 mac[WIRE_MAC]);
void wire_address(u16 host, u8 ip[4]);

/*
 * Writes the headers of @p, which is no GSO packet, to @to (WIRE_HEADERS_MAX bytes). Returns how many bytes they have,
 * p->header; 0 for what is no IP packet.
 */
u32 wire_headers(struct wire *w, const struct packet *p, u8 *to);

/* What an Ethernet or SNAP header says of it: ETHERTYPE_*. */
u16 wire_ethertype(const struct packet *p);

#endif
