// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/wire.h"

#include <glib.h>

#include "packet/bytes.h"

#define IP_HEADER    20
#define TCP_HEADER   20
#define UDP_HEADER   8
#define ICMP_HEADER  8
#define IP_DF	     0x4000
#define IP_TTL	     64
#define ECHO_REPLY   0
#define ECHO_REQUEST 8

enum { OPT_END, OPT_NOP, OPT_MSS, OPT_SCALE, OPT_SACK_OK, OPT_SACK, OPT_TIME = 8 };

struct wire {
	GHashTable *scales; /* of those that sent a SYN: u64 *flow -> scale */
};

struct wire *wire_new(void)
{
	struct wire *w = g_new(struct wire, 1);

	w->scales = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return w;
}

void wire_free(struct wire *w)
{
	g_hash_table_destroy(w->scales);
	g_free(w);
}

void wire_mac(u16 id, u8 mac[WIRE_MAC])
{
	put_be32(put_be16(mac, 0x0200), id);
}

void wire_address(u16 host, u8 ip[4])
{
	put_be32(ip, 0x0a000000u + host + 1);
}

u16 wire_ethertype(const struct packet *p)
{
	return p->proto == PROTO_TCP || p->proto == PROTO_UDP || p->proto == PROTO_ICMP
		       ? ETHERTYPE_IPV4
		       : ETHERTYPE_LOCAL;
}

/* Adds @n bytes, an even number, to a sum of 16-bit words (RFC 1071). */
static u32 sum_words(u32 sum, const u8 *at, u32 n)
{
	for (u32 i = 0; i < n; i += 2)
		sum += (u32)at[i] << 8 | at[i + 1];
	return sum;
}

static u16 sum_end(u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (u16)~sum;
}

/* The sum that TCP and UDP begin with: addresses, protocol, length. */
static u32 pseudo_header(const u8 *ip, u32 proto, u32 len)
{
	return sum_words(proto + len, ip + 12, 8);
}

/* ---- window scales --------------------------------------------------------------------------------- */

static u64 flow_of(u16 src, u16 sport, u16 dst, u16 dport)
{
	return (u64)src << 48 | (u64)sport << 32 | (u64)dst << 16 | dport;
}

static void set_scale(struct wire *w, u64 flow, u32 scale)
{
	g_hash_table_replace(w->scales, g_memdup2(&flow, sizeof(flow)), GUINT_TO_POINTER(scale));
}

static u32 scale_of(const struct wire *w, u64 flow)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(w->scales, &flow));
}

/* What a SYN says in sack[0].start: its scale and 1; 0: none is offered, so the other's is not used either. */
static void note_syn(struct wire *w, const struct packet *p)
{
	u64 there = flow_of(p->src, p->sport, p->dst, p->dport);
	u64 back = flow_of(p->dst, p->dport, p->src, p->sport);
	u32 offer = p->tcp.sack[0].start;

	set_scale(w, there, offer ? offer - 1 : 0);
	if (!offer && p->tcp.flags & TCP_FLAG_ACK)
		set_scale(w, back, 0);
}

/* ---- headers --------------------------------------------------------------------------------------- */

static u8 *put_ip(const struct packet *p, u8 *ip)
{
	u32 hops = p->flags / PACKET_HOP;
	u8 *at = put_u8(ip, 0x45);

	at = put_u8(at, p->skb.tos);
	at = put_be16(at, packet_ip_len(p));
	at = put_be16(at, 0); /* a datagram that is never cut needs no identification (RFC 6864) */
	at = put_be16(at, IP_DF);
	at = put_u8(at, hops < IP_TTL ? IP_TTL - hops : 1);
	at = put_u8(at, p->proto);
	at = put_be16(at, 0);
	wire_address(p->src, at);
	wire_address(p->dst, at + 4);
	put_be16(ip + 10, sum_end(sum_words(0, ip, IP_HEADER)));
	return ip + IP_HEADER;
}

static u8 *put_timestamps(const struct packet *p, u8 *at)
{
	at = put_u8(at, OPT_TIME);
	at = put_u8(at, 10);
	at = put_be32(at, p->tcp.tsval);
	return put_be32(at, p->tcp.tsecr);
}

/* The options of a SYN stand in 20 bytes, whatever it offers. */
static void put_syn_options(const struct packet *p, u8 *at)
{
	const u8 *end = at + p->header - IP_HEADER - TCP_HEADER;
	u32 scale = p->tcp.sack[0].start;

	at = put_u8(at, OPT_MSS);
	at = put_u8(at, 4);
	at = put_be16(at, p->tcp.mss);
	at = put_u8(at, p->tcp.n_sack ? OPT_SACK_OK : OPT_NOP);
	at = put_u8(at, p->tcp.n_sack ? 2 : OPT_NOP);
	if (p->tcp.tsval)
		at = put_timestamps(p, at);
	if (scale) {
		at = put_u8(at, OPT_NOP);
		at = put_u8(at, OPT_SCALE);
		at = put_u8(at, 3);
		at = put_u8(at, scale - 1);
	}
	while (at < end)
		at = put_u8(at, OPT_NOP);
}

static void put_options(const struct packet *p, u8 *at)
{
	const u8 *end = at + p->header - IP_HEADER - TCP_HEADER;
	u32 sack = p->tcp.n_sack ? 4u + 8u * p->tcp.n_sack : 0;

	if (end - at > sack) {
		at = put_be16(at, OPT_NOP << 8 | OPT_NOP);
		at = put_timestamps(p, at);
	}
	if (!sack)
		return;
	at = put_be16(at, OPT_NOP << 8 | OPT_NOP);
	at = put_u8(at, OPT_SACK);
	at = put_u8(at, sack - 2);
	for (u32 i = 0; i < p->tcp.n_sack; i++) {
		at = put_be32(at, p->tcp.sack[i].start);
		at = put_be32(at, p->tcp.sack[i].end);
	}
}

static void put_tcp(struct wire *w, const struct packet *p, const u8 *ip, u8 *tcp)
{
	u32 len = p->header - IP_HEADER, wnd = p->tcp.wnd;
	bool syn = p->tcp.flags & TCP_FLAG_SYN;
	u8 *at = put_be16(tcp, p->sport);

	if (syn)
		note_syn(w, p);
	else
		wnd >>= scale_of(w, flow_of(p->src, p->sport, p->dst, p->dport));
	at = put_be16(at, p->dport);
	at = put_be32(at, p->tcp.seq);
	at = put_be32(at, p->tcp.flags & TCP_FLAG_ACK ? p->tcp.ack : 0);
	at = put_u8(at, len / 4 << 4);
	at = put_u8(at, p->tcp.flags);
	at = put_be16(at, wnd < 0xffff ? wnd : 0xffff);
	at = put_be32(at, 0); /* checksum, urgent pointer */
	if (syn)
		put_syn_options(p, at);
	else
		put_options(p, at);
	put_be16(tcp + 16,
		 sum_end(sum_words(pseudo_header(ip, PROTO_TCP, len + p->payload), tcp, len)));
}

static void put_udp(const struct packet *p, const u8 *ip, u8 *udp)
{
	u32 len = UDP_HEADER + p->payload;
	u16 sum;

	put_be16(udp, p->sport);
	put_be16(udp + 2, p->dport);
	put_be16(udp + 4, len);
	put_be16(udp + 6, 0);
	sum = sum_end(sum_words(pseudo_header(ip, PROTO_UDP, len), udp, UDP_HEADER));
	put_be16(udp + 6, sum ? sum : 0xffff);
}

static void put_icmp(const struct packet *p, u8 *icmp)
{
	put_be16(icmp, (p->flags & PACKET_ECHO_REPLY ? ECHO_REPLY : ECHO_REQUEST) << 8);
	put_be16(icmp + 2, 0);
	put_be16(icmp + 4, p->sport);
	put_be16(icmp + 6, p->dgram.seq & 0xffff);
	put_be16(icmp + 2, sum_end(sum_words(0, icmp, ICMP_HEADER)));
}

u32 wire_headers(struct wire *w, const struct packet *p, u8 *to)
{
	u8 *at;

	if (wire_ethertype(p) != ETHERTYPE_IPV4)
		return 0;
	at = put_ip(p, to);
	switch (p->proto) {
	case PROTO_TCP:
		put_tcp(w, p, to, at);
		break;
	case PROTO_UDP:
		put_udp(p, to, at);
		break;
	default:
		put_icmp(p, at);
	}
	return p->header;
}
