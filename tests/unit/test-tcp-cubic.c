// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: CUBIC's integers are Linux's: the cube root bit by bit, the window kept on a loss, fast convergence, and a
 * window that follows the curve between losses; HyStart leaves slow start on an empty bloated path, before any loss.
 * Set-up: the root over 0 .. 4095 and geometrically up to 2^60, hashed (FNV-1a over the results); the ops called on a
 * socket; a run over a long path with one loss; 10 Mbit/s and 40 ms with room for 2000 packets, nothing else on it.
 * Expected: the hash that net/ipv4/tcp_cubic.c of 6.1 gives; ssthresh 70 of 100, 7 of 10, 2 of 2; the second maximum
 * 80 * 1741 / 2048 = 68; after a loss the window within 6 % of W(t) = 0.4 (t - K)^3 + Wmax. HyStart's exit comes with
 * the queue at no more than one RTT (its threshold is 5 ms here, a round doubles what is out, so at most 45 ms) and the
 * curve then has made no more than 150 ms of it 2 s after the start; without HyStart slow start goes on, to more than
 * 300 ms by then.
 * Tolerance: none for the integers; the curve moves in steps of a jiffy and the window by whole segments per RTT.
 */
#include "check-main.h"

#include <math.h>

#include "tcp-lab.h"

START_TEST(test_root)
{
	u64 h = 1469598103934665603ull, a;

	for (a = 0; a < 4096; a++)
		h = (h ^ tcp_cubic_root(a)) * 1099511628211ull;
	while (a < 1ull << 60) {
		for (u32 k = 0; k < 1000; k++) {
			a += a / 4099 + 1;
			h = (h ^ tcp_cubic_root(a)) * 1099511628211ull;
		}
	}
	ck_assert_uint_eq(h, 0xf782e948309c3e2dull);
	/* Wmax 100, window 70: K in 1/1024 s. */
	ck_assert_uint_eq(tcp_cubic_root(2681735677ull * 30), 4316u);
}
END_TEST

START_TEST(test_reduction)
{
	static const struct {
		u32 cwnd, ssthresh;
	} rows[] = {{100, 70}, {10, 7}, {2, 2}};
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_cubic_class);
	struct tcp_sock *sk;

	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->want = 100000;
	tcp_lab_start(l);
	tcp_lab_run(l, SIM_SEC);
	sk = l->client;
	for (u32 i = 0; i < 3; i++) {
		sk->ca_ops->init(sk);
		sk->snd_cwnd = rows[i].cwnd;
		ck_assert_uint_eq(sk->ca_ops->ssthresh(sk), rows[i].ssthresh);
	}
	tcp_lab_free(l);
}
END_TEST

static bool lose_one(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	bool now = way == 0 && p->payload && l->lab.sim->now > 5 * SIM_SEC && !l->arg;

	if (now)
		l->arg = l;
	return now;
}

START_TEST(test_curve)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_cubic_class);
	sim_time loss = 0;
	u32 before = 0;

	l->pipe[0].delay = l->pipe[1].delay = 100 * SIM_MS;
	l->tp[0]->wmem_default = l->tp[0]->wmem_max = 64 << 20;
	l->tp[1]->rmem_default = l->tp[1]->rmem_max = 64 << 20;
	param_set(&tcp_cubic_class, l->cc[0], "hystart", "false");
	param_set(&tcp_cubic_class, l->cc[0], "initial_ssthresh", "400");
	l->verdict = lose_one;
	l->want = 1ull << 40;
	tcp_lab_start(l);
	for (u32 t = 1; t <= 200; t++) {
		tcp_lab_run(l, t * 100 * SIM_MS);
		if (!l->arg) {
			before = l->client->snd_cwnd;
		} else if (!loss && l->client->ca_state == TCP_CA_Open) {
			loss = l->lab.sim->now;
		} else if (loss) {
			double s = (double)(l->lab.sim->now - loss) / 1e9, wmax = before;
			double k = cbrt(wmax * 0.3 / 0.4),
			       w = 0.4 * (s - k) * (s - k) * (s - k) + wmax;

			if (s > 1 && s < 2 * k) {
				ck_assert_double_ge(l->client->snd_cwnd, 0.94 * w);
				ck_assert_double_le(l->client->snd_cwnd, 1.06 * w);
			}
		}
	}
	ck_assert_int_gt(loss, 0);
	tcp_lab_free(l);
}
END_TEST

/* The queue 2 s after the start, ms, and what it was when ssthresh was set (-1: it never was). */
static double queue_after(const char *era, bool hystart, double *at_exit)
{
	struct tcp_lab *l = tcp_lab_new(era, &tcp_cubic_class);
	struct tcp_info info;
	double queue = 0;

	l->pipe[0].rate = l->pipe[1].rate = 1000000000;
	l->pipe[0].delay = l->pipe[1].delay = 20 * SIM_MS;
	l->bottleneck = 10000000;
	l->bottleneck_room = 2000;
	if (!hystart)
		param_set(&tcp_cubic_class, l->cc[0], "hystart", "false");
	l->want = 1ull << 40;
	*at_exit = -1;
	tcp_lab_start(l);
	for (u32 t = 1; t <= 2000; t++) {
		tcp_lab_run(l, t * SIM_MS);
		queue = (double)(l->bottleneck_free - l->lab.sim->now) / SIM_MS;
		if (*at_exit < 0 && l->client->snd_ssthresh < TCP_INFINITE_SSTHRESH)
			*at_exit = queue > 0 ? queue : 0;
	}
	tcp_get_info(l->client, &info);
	ck_assert_uint_eq(info.retransmits, 0);
	ck_assert_uint_eq(l->bottleneck_drops, 0);
	tcp_lab_free(l);
	return queue;
}

START_TEST(test_hystart_exit)
{
	static const char *const eras[] = {"3.6", "4.6", "6.1", "6.18"};
	double at_exit, queue;

	for (u32 e = 0; e < 4; e++) {
		queue = queue_after(eras[e], true, &at_exit);
		ck_assert_double_ge(at_exit, 0);
		ck_assert_double_le(at_exit, 45);
		ck_assert_double_le(queue, 150);
		queue = queue_after(eras[e], false, &at_exit);
		ck_assert_double_le(at_exit, -1);
		ck_assert_double_ge(queue, 300);
	}
}
END_TEST

CHECK_MAIN("tcp-cubic", test_root, test_reduction, test_curve, test_hystart_exit)
