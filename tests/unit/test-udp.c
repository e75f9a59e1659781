// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: UDP (class "udp") brings datagrams to the socket of their port with what they carried.
 * Set-up: two hosts over a pipe of 1 Mbit/s.
 * Expected: seq, stamp and length arrive; a port nobody has opened is counted; beyond the MTU it is EMSGSIZE; a full
 * queue is told to the sender. Datagrams of several flows from one socket are what ip_output() makes of packets that were
 * made singly.
 * Tolerance: none.
 */
#include "check-main.h"

#include <errno.h>

#include "tcp-lab.h"

struct seen {
	struct sim *sim;
	u32 n, seq, payload, len;
	u64 stamp;
};

static void take(void *arg, struct packet *p)
{
	struct seen *s = arg;

	s->n++;
	s->seq = p->dgram.seq;
	s->stamp = p->dgram.stamp;
	s->payload = p->payload;
	s->len = p->skb.len;
	packet_free(s->sim, p);
}

static struct tcp_lab *two_hosts(void)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_reno_class);

	l->pipe[0].rate = l->pipe[1].rate = 1000000;
	l->pipe[0].room = 4;
	l->np[0].txqueuelen = 10;
	tcp_lab_start(l);
	for (u32 i = 0; i < 2; i++)
		object_new(l->lab.sim, &udp_class, i ? "b.udp" : "a.udp", NULL, &l->host[i]->obj);
	return l;
}

START_TEST(test_datagrams)
{
	struct tcp_lab *l = two_hosts();
	struct seen seen = {.sim = l->lab.sim};
	struct udp_sock *a, *b;
	u32 refused = 0;

	a = udp_open(l->host[0], 0, take, &seen);
	b = udp_open(l->host[1], 53, take, &seen);
	ck_assert_uint_ge(udp_port(a), 32768);
	ck_assert_uint_eq(udp_port(b), 53);
	ck_assert_int_eq(udp_send(a, l->host[1]->id, 53, 100, 0xb8, 0, 7, 99), 0);
	ck_assert_int_eq(udp_send(a, l->host[1]->id, 54, 100, 0, 0, 8, 99), 0);
	ck_assert_int_eq(udp_send(a, l->host[1]->id, 53, 1473, 0, 0, 9, 0), -EMSGSIZE);
	tcp_lab_run(l, SIM_SEC);
	ck_assert_uint_eq(seen.n, 1);
	ck_assert_uint_eq(seen.seq, 7);
	ck_assert_uint_eq(seen.stamp, 99);
	ck_assert_uint_eq(seen.payload, 100);
	ck_assert_uint_eq(seen.len, 14 + 28 + 100);
	for (u32 i = 0; i < 100; i++)
		refused += udp_send(a, l->host[1]->id, 53, 1472, 0, 0, i, 0) == NET_XMIT_DROP;
	/* One on the wire, four in the ring, ten in the band, one at the head of the queue. */
	ck_assert_uint_ge(refused, 84);
	ck_assert_uint_le(refused, 86);
	tcp_lab_run(l, 2 * SIM_SEC);
	ck_assert_uint_eq(seen.n, 101 - refused);
	udp_close(a);
	tcp_lab_free(l);
}
END_TEST

struct copies {
	struct sim *sim;
	u32 n;
	struct packet v[16];
};

static void keep(void *arg, struct packet *p)
{
	struct copies *c = arg;

	c->v[c->n++] = *p;
	packet_free(c->sim, p);
}

static void send_singly(struct host *from, u16 sport, u16 dst, u16 dport, u32 bytes, u8 tos,
			u32 priority)
{
	struct packet *p = packet_new(from->obj.sim);

	p->src = from->id;
	p->dst = dst;
	p->sport = sport;
	p->dport = dport;
	p->proto = PROTO_UDP;
	p->header = 28;
	p->payload = bytes;
	p->skb.len = ETH_HLEN + 28 + bytes;
	p->skb.truesize = 768 + bytes;
	p->skb.tos = tos;
	p->skb.priority = priority;
	ck_assert_int_eq(ip_output(from, p), 0);
}

START_TEST(flows_of_a_socket)
{
	static const struct {
		u16 dport;
		u32 bytes;
		u8 tos;
		u32 priority;
	} sent[] = {{53, 100, 0, 0},	{53, 700, 0, 0}, {54, 100, 0, 0}, {53, 100, 0xb8, 0},
		    {53, 100, 0xb8, 3}, {53, 1, 0, 0},	 {54, 1, 0x10, 0}};
	struct tcp_lab *l = two_hosts();
	struct copies got = {.sim = l->lab.sim};
	struct udp_sock *a = udp_open(l->host[0], 0, NULL, NULL);
	u16 dst = l->host[1]->id;

	udp_open(l->host[1], 53, keep, &got);
	udp_open(l->host[1], 54, keep, &got);
	for (u32 i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		const struct packet *one = &got.v[2 * i], *other = one + 1;
		u64 before = l->host[0]->tx_packets;

		udp_send(a, dst, sent[i].dport, sent[i].bytes, sent[i].tos, sent[i].priority, 0, 0);
		ck_assert_uint_eq(l->host[0]->tx_packets, before + 1);
		send_singly(l->host[0], udp_port(a), dst, sent[i].dport, sent[i].bytes, sent[i].tos,
			    sent[i].priority);
		tcp_lab_run(l, l->lab.sim->now + SIM_SEC);
		ck_assert_uint_eq(got.n, 2 * i + 2);
		ck_assert_mem_eq(&one->src, &other->src,
				 offsetof(struct packet, id) - offsetof(struct packet, src));
		ck_assert_uint_eq(one->skb.hash, other->skb.hash);
		ck_assert_uint_eq(one->skb.priority, other->skb.priority);
		ck_assert_uint_eq(one->skb.tos, other->skb.tos);
		ck_assert_uint_eq(one->skb.len, other->skb.len);
		ck_assert_uint_eq(one->skb.truesize, other->skb.truesize);
		ck_assert_mem_eq(one->spent, other->spent, sizeof(s64) * LAYER_QDISC);
	}
	tcp_lab_free(l);
}
END_TEST

/* What came from elsewhere, @src, to be passed on. */
static void forward(struct host *h, u16 src, u16 sport, u16 dst, u8 tos, u32 priority)
{
	struct packet *p = packet_new(h->obj.sim);

	p->src = src;
	p->dst = dst;
	p->sport = sport;
	p->dport = 53;
	p->proto = PROTO_UDP;
	p->header = 28;
	p->payload = 10;
	p->skb.len = ETH_HLEN + 28 + 10;
	p->skb.hash = sport; /* the sender's own */
	p->skb.tos = tos;
	p->skb.priority = priority;
	host_rx(h, NULL, p);
}

/* The first packet of a flow finds its way; the second goes it. Forty flows are more than a host remembers. */
START_TEST(forwarded_flows)
{
	struct tcp_lab *l = two_hosts();
	struct copies got = {.sim = l->lab.sim};
	u32 hashes[40];

	l->hp[0].forward = FORWARD_BRIDGE;
	udp_open(l->host[1], 53, keep, &got);
	for (u32 round = 0; round < 2; round++) {
		for (u32 flow = 0; flow < 40; flow++) {
			got.n = 0;
			for (u32 i = 0; i < 3; i++)
				forward(l->host[0], (u16)(70 + flow % 3), (u16)(flow + 1),
					l->host[1]->id, flow % 2 ? 0xb8 : 0, flow % 5);
			tcp_lab_run(l, l->lab.sim->now + SIM_SEC);
			ck_assert_uint_eq(got.n, 3);
			if (!round)
				hashes[flow] = got.v[0].skb.hash;
			for (u32 i = 0; i < 3; i++) {
				ck_assert_mem_eq(&got.v[i].src, &got.v[0].src,
						 offsetof(struct packet, id) -
							 offsetof(struct packet, src));
				ck_assert_uint_eq(got.v[i].skb.hash, hashes[flow]);
				ck_assert_uint_eq(got.v[i].skb.priority, flow % 5);
			}
			for (u32 other = 0; other < flow; other++)
				ck_assert_uint_ne(hashes[other], hashes[flow]);
		}
	}
	ck_assert_uint_eq(l->host[0]->forwarded, 240);
	tcp_lab_free(l);
}
END_TEST

CHECK_MAIN("udp", test_datagrams, flows_of_a_socket, forwarded_flows)
