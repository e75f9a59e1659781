// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: UDP (class "udp") brings datagrams to the socket of their port with what they carried.
 * Set-up: two hosts over a pipe of 1 Mbit/s.
 * Expected: seq, stamp and length arrive; a port nobody has opened is counted; beyond the MTU it is EMSGSIZE; a full
 * queue is told to the sender.
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

START_TEST(test_datagrams)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_reno_class);
	struct seen seen = {.sim = l->lab.sim};
	struct udp_sock *a, *b;
	u32 refused = 0;

	l->pipe[0].rate = l->pipe[1].rate = 1000000;
	l->pipe[0].room = 4;
	l->np[0].txqueuelen = 10;
	tcp_lab_start(l);
	for (u32 i = 0; i < 2; i++)
		object_new(l->lab.sim, &udp_class, i ? "b.udp" : "a.udp", NULL, &l->host[i]->obj);
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

CHECK_MAIN("udp", test_datagrams)
