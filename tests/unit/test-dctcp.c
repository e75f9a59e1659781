// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: DCTCP ("dctcp") follows the share of marks in Linux's integers, and its receiver echoes each change of the mark.
 * What it makes of a queue shows scenarios/validation/dctcp.yaml.
 * Set-up: the ops called on a socket; a path that marks given segments.
 * Expected: alpha 1024 at the start, a round without marks takes a sixteenth of it (all of what is below 16), rounds of
 * marks alone brings it back to 1009 or more (15 of 16 parts and 64); ssthresh is cwnd - cwnd * alpha / 2048. Marks on
 * segments 20 .. 22 come back as ECE on ACKs of 21 .. 23 and on no others. A peer without ECN: no mark, Reno's half.
 * Tolerance: none.
 */
#include "check-main.h"

#include "tcp-lab.h"

#define CE 3u

static u32 alpha_of(struct tcp_sock *sk)
{
	u32 cwnd = sk->snd_cwnd, ssthresh;

	sk->snd_cwnd = 2048;
	ssthresh = sk->ca_ops->ssthresh(sk);
	sk->snd_cwnd = cwnd;
	return 2048 - ssthresh;
}

/* A round of @n segments of which @ce were marked. */
static void round_of(struct tcp_sock *sk, u32 n, u32 ce)
{
	u32 una = sk->snd_una;

	sk->delivered += n;
	sk->delivered_ce += ce;
	sk->snd_una = sk->snd_nxt;
	sk->ca_ops->in_ack_event(sk, 0);
	sk->snd_una = una;
}

START_TEST(test_alpha)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_dctcp_class);
	struct tcp_sock *sk;
	u32 want = 1024;

	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->want = 100000;
	tcp_lab_start(l);
	tcp_lab_run(l, SIM_SEC);
	sk = l->client;
	ck_assert_uint_eq(sk->ecn_flags & TCP_ECN_OK, TCP_ECN_OK);
	sk->ca_ops->init(sk);
	ck_assert_uint_eq(alpha_of(sk), 1024);
	for (u32 i = 0; i < 100; i++) {
		round_of(sk, 100, 0);
		want -= want >> 4 ? want >> 4 : want;
		ck_assert_uint_eq(alpha_of(sk), want);
	}
	ck_assert_uint_eq(want, 0);
	/* 64 * ce / delivered is added: 10 of 100 give 6. */
	round_of(sk, 100, 10);
	ck_assert_uint_eq(alpha_of(sk), 6);
	for (u32 i = 0; i < 200; i++)
		round_of(sk, 100, 100);
	ck_assert_uint_ge(alpha_of(sk), 1009);
	ck_assert_uint_le(alpha_of(sk), 1024);
	tcp_lab_free(l);
}
END_TEST

struct echoes {
	u32 isn;
	u32 acks[64];
	u32 n;
};

static bool mark_some(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	struct echoes *e = l->arg;
	u32 seg;

	if (way == 0 && (p->tcp.flags & TCP_FLAG_SYN))
		e->isn = p->tcp.seq;
	seg = (p->tcp.seq - e->isn - 1) / 1448;
	if (way == 0 && p->payload) {
		ck_assert_uint_eq(p->skb.tos & CE, 2);
		if (seg >= 20 && seg < 23)
			p->skb.tos |= CE;
	}
	if (way == 1 && (p->tcp.flags & TCP_FLAG_ECE) && !(p->tcp.flags & TCP_FLAG_SYN) &&
	    e->n < 64)
		e->acks[e->n++] = (p->tcp.ack - e->isn - 1) / 1448;
	return false;
}

START_TEST(test_echo)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_dctcp_class);
	struct echoes e = {0};
	struct tcp_info info;

	l->pipe[0].rate = l->pipe[1].rate = 10000000;
	l->pipe[0].delay = l->pipe[1].delay = 10 * SIM_MS;
	for (u32 i = 0; i < 2; i++)
		l->tp[i]->quickacks = 0;
	l->arg = &e;
	l->verdict = mark_some;
	l->want = 100 * 1448;
	tcp_lab_start(l);
	tcp_lab_run(l, 2 * SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	/* The first at once since the mark changed, then every second; the last with the old echo before it changes back. */
	ck_assert_uint_ge(e.n, 2);
	ck_assert_uint_le(e.n, 3);
	ck_assert_uint_ge(e.acks[0], 21);
	ck_assert_uint_eq(e.acks[e.n - 1], 23);
	tcp_get_info(l->client, &info);
	ck_assert_uint_eq(info.retransmits, 0);
	tcp_lab_free(l);
}
END_TEST

static bool clear_ecn(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	if (p->tcp.flags & TCP_FLAG_SYN)
		p->tcp.flags &= (u8) ~(TCP_FLAG_ECE | TCP_FLAG_CWR);
	return false;
}

START_TEST(test_without_ecn)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_dctcp_class);

	/* The accepting side has it too, so that it would take part: a middlebox that clears the flags is what is left. */
	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->verdict = clear_ecn;
	l->want = 100000;
	tcp_lab_start(l);
	tcp_lab_run(l, SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	ck_assert_uint_eq(l->client->ecn_flags, 0);
	l->client->snd_cwnd = 100;
	ck_assert_uint_eq(l->client->ca_ops->ssthresh(l->client), 50);
	tcp_lab_free(l);
}
END_TEST

CHECK_MAIN("dctcp", test_alpha, test_echo, test_without_ecn)
