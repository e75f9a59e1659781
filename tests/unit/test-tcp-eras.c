// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what older kernels did in loss recovery and is gone ("tcp": forward_retransmit, frto_form, the reduction in CWR,
 * retransmission segment by segment, tso_defer) is done in their eras, and each is a parameter or an era's rule.
 * Set-up: one connection over 40 ms without a rate; given segments lost or late; every data segment that the sender
 * puts on the wire is noted with its time.
 * Expected: the sequences that net/ipv4/tcp_output.c and tcp_input.c of 3.0 give, worked out beside each test.
 * Tolerance: none in the order; times in round trips.
 */
#include "check-main.h"

#include "tcp-lab.h"

#define RTT  (40 * SIM_MS)
#define MSS  1448u
#define MAXN 4096u

struct sent {
	u32 seg; /* from 0 */
	sim_time at;
};

struct script {
	struct tcp_lab *lab;
	struct sent sent[MAXN];
	u32 n, isn;
	u32 seen[MAXN]; /* transmissions of each segment */
	u32 drop[8], n_drop; /* these are lost the first time */
	u32 stall_from; /* from the first transmission of this one on nothing arrives ... */
	sim_time stall, stalled_until; /* ... for so long; 0: never */
};

static bool verdict(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	struct script *s = l->arg;
	u32 seg;

	if (way)
		return false;
	if (p->tcp.flags & TCP_FLAG_SYN) {
		s->isn = p->tcp.seq;
		return false;
	}
	if (!p->payload)
		return false;
	seg = (p->tcp.seq - s->isn - 1) / MSS;
	ck_assert_uint_lt(s->n, MAXN);
	ck_assert_uint_lt(seg, MAXN);
	s->sent[s->n].seg = seg;
	s->sent[s->n++].at = l->lab.sim->now;
	s->seen[seg]++;
	for (u32 i = 0; i < s->n_drop; i++)
		if (s->drop[i] == seg && s->seen[seg] == 1)
			return true;
	if (s->stall && seg == s->stall_from)
		s->stalled_until = l->lab.sim->now + s->stall;
	if (s->stalled_until > l->lab.sim->now)
		*late += s->stalled_until - l->lab.sim->now;
	return false;
}

static struct tcp_lab *script_new(struct script *s, const char *era)
{
	struct tcp_lab *l = tcp_lab_new(era, &tcp_reno_class);

	memset(s, 0, sizeof(*s));
	s->lab = l;
	l->pipe[0].delay = l->pipe[1].delay = RTT / 2;
	l->pipe[0].room = 0;
	l->verdict = verdict;
	l->arg = s;
	return l;
}

/* The time of transmission @k (from 1) of segment @seg, -1: there was none. */
static sim_time time_of(const struct script *s, u32 seg, u32 k)
{
	for (u32 i = 0; i < s->n; i++)
		if (s->sent[i].seg == seg && !--k)
			return s->sent[i].at;
	return -1;
}

static void play(struct script *s, u32 segs, sim_time until)
{
	struct tcp_lab *l = s->lab;

	l->want = (u64)segs * MSS;

	tcp_lab_start(l);
	tcp_lab_run(l, until);
	ck_assert_uint_eq(l->received, l->want);
}

/*
 * Of 60 segments 34 and 57 are lost. When 34 is known to be lost the last five, 55 .. 59, go out beside its second
 * transmission. A round later 34 is acknowledged and the highest SACK is 59: 57 lies within three of it, so FACK does not
 * mark it. The forward rule sends it all the same; without it the timeout must, 200 ms and more later.
 */
START_TEST(test_forward_retransmit)
{
	for (u32 on = 0; on < 2; on++) {
		struct script s;
		struct tcp_lab *l = script_new(&s, "3.2");
		sim_time first, second;

		param_set(&tcp_class, l->tp[0], "forward_retransmit", on ? "true" : "false");
		s.drop[0] = 34;
		s.drop[1] = 57;
		s.n_drop = 2;
		play(&s, 60, 5 * SIM_SEC);
		first = time_of(&s, 34, 2);
		second = time_of(&s, 57, 2);
		ck_assert_int_gt(first, 0);
		ck_assert_int_gt(second, first);
		if (on)
			ck_assert_int_eq(second - first, RTT);
		else
			ck_assert_int_ge(second - first, 200 * SIM_MS);
		tcp_lab_free(l);
	}
}
END_TEST

static u32 resent(const struct script *s)
{
	u32 n = 0;

	for (u32 i = 0; i < MAXN; i++)
		n += s->seen[i] > 1 ? s->seen[i] - 1 : 0;
	return n;
}

/*
 * The path holds back all that enters it for 600 ms; no timestamps tell. RFC 4138: the head goes again and no more; the first ACK
 * lets two new segments out, the second proves the timeout spurious, and the window halves from what is in flight.
 * RFC 5682 gives the window back as it was. Without F-RTO the flight goes again.
 */
START_TEST(test_frto)
{
	static const char *const forms[] = {"rfc4138", "rfc5682", NULL};
	u32 cwnd[3], again[3];

	for (u32 k = 0; k < 3; k++) {
		struct script s;
		struct tcp_lab *l = script_new(&s, "3.2");
		struct tcp_info info;

		for (u32 i = 0; i < 2; i++)
			l->tp[i]->timestamps = 0;
		if (forms[k])
			param_set(&tcp_class, l->tp[0], "frto_form", forms[k]);
		else
			l->tp[0]->frto = 0;
		s.stall_from = 100;
		s.stall = 600 * SIM_MS;
		l->want = 3000 * (u64)MSS;
		tcp_lab_start(l);
		/* The late flight is there after some 0.8 s. */
		while (!s.seen[100] || l->client->snd_una - s.isn < 160 * MSS)
			tcp_lab_run(l, l->lab.sim->now + SIM_MS);
		tcp_get_info(l->client, &info);
		ck_assert_uint_eq(info.timeouts, 1);
		cwnd[k] = l->client->snd_cwnd;
		again[k] = resent(&s);
		if (forms[k])
			ck_assert_uint_eq(info.spurious, 1);
		tcp_lab_free(l);
	}
	ck_assert_uint_le(again[0], 2);
	ck_assert_uint_le(again[1], 2);
	ck_assert_uint_ge(again[2], 10);
	ck_assert_uint_gt(cwnd[1], cwnd[0]);
}
END_TEST

/* A true loss of a whole flight: F-RTO sees duplicates on its second ACK and everything goes again, under both forms. */
START_TEST(test_frto_true_loss)
{
	static const char *const eras[] = {"2.6.32", "3.2", "3.6", "4.6"};

	for (u32 e = 0; e < 4; e++) {
		for (u32 sack = 0; sack < 2; sack++) {
			struct script s;
			struct tcp_lab *l = script_new(&s, eras[e]);

			l->tp[0]->sack = sack;
			for (u32 i = 0; i < 8; i++)
				s.drop[i] = 22 + i;
			s.n_drop = 8;
			play(&s, 30, 20 * SIM_SEC);
			tcp_lab_free(l);
		}
	}
}
END_TEST

/* Segments that leave in one instant, in the mean over 4 s in congestion avoidance through a bottleneck of 10 Mbit/s. */
static double burst(const char *era, const char *defer)
{
	struct script s;
	struct tcp_lab *l = script_new(&s, era);
	u32 n = 0, instants = 0;

	if (defer)
		param_set(&tcp_class, l->tp[0], "tso_defer", defer);
	l->pipe[0].rate = l->pipe[1].rate = 1000000000;
	l->bottleneck = 10000000;
	l->bottleneck_room = 100;
	l->want = 3500 * (u64)MSS;
	tcp_lab_start(l);
	tcp_lab_run(l, 4 * SIM_SEC);
	for (u32 i = 1; i < s.n; i++) {
		if (s.sent[i].at < 2 * SIM_SEC)
			continue;
		n++;
		instants += s.sent[i].at - s.sent[i - 1].at > SIM_MS;
	}
	tcp_lab_free(l);
	return (double)n / instants;
}

START_TEST(test_tso_defer)
{
	static const char *const old[] = {"2.6.32", "3.2", "3.6"};

	/*
	 * Before autosizing (3.12) a packet is what the deferral makes of it. For any ACK: a third of the window, which
	 * is some 70 segments here. Until half an RTT before an ACK: what gathers in that time; 1 ms: one ACK's two.
	 */
	for (u32 e = 0; e < 3; e++) {
		ck_assert_double_ge(burst(old[e], NULL), 18);
		ck_assert_double_le(burst(old[e], NULL), 26);
		ck_assert_double_ge(burst(old[e], "half_rtt"), 2.8);
		ck_assert_double_le(burst(old[e], "half_rtt"), 4);
		ck_assert_double_le(burst(old[e], "ack"), 2.1);
	}
	/* With it a packet of this rate is of two segments, and the rule matters little. */
	ck_assert_double_le(burst("4.6", NULL), 2.1);
	ck_assert_double_le(burst("6.18", NULL), 2.1);
}
END_TEST

CHECK_MAIN("tcp-eras", test_forward_retransmit, test_frto, test_frto_true_loss, test_tso_defer)
