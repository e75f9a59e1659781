// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: CUBIC's integers are Linux's: the cube root bit by bit, the window kept on a loss, fast convergence, and a
 * window that follows the curve between losses.
 * Set-up: the root over 0 .. 4095 and geometrically up to 2^60, hashed (FNV-1a over the results); the ops called on a
 * socket; a run over a long path with one loss.
 * Expected: the hash that net/ipv4/tcp_cubic.c of 6.1 gives; ssthresh 70 of 100, 7 of 10, 2 of 2; the second maximum
 * 80 * 1741 / 2048 = 68; after a loss the window within 6 % of W(t) = 0.4 (t - K)^3 + Wmax.
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

CHECK_MAIN("tcp-cubic", test_root, test_reduction, test_curve)
