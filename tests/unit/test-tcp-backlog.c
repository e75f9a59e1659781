// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: while a writer sends, its socket is locked for send_time a segment; ACKs that come meanwhile are merged in the
 * backlog if only their number differs, and are taken when it lets go. With send_time 0 none of that happens.
 * Set-up: a path of 5 us each way without a rate, and the first write: ten segments, which the receiver acknowledges one by
 * one because it has just begun.
 * Expected: with 12 us a segment nothing is acknowledged for 120 us and one ACK stands for the ten; behind a hole each ACK has
 * other SACK blocks and stays alone; a socket that is freed gives back what waits.
 * Tolerance: none; times are looked at 2 us before and behind the end of the lock.
 */
#include "check-main.h"

#include "tcp-lab.h"

#define DELAY	(5 * SIM_US)
#define SEGMENT 1448u

static struct tcp_lab *locked_lab(sim_time send_time)
{
	struct tcp_lab *l = tcp_lab_new("6.18", &tcp_cubic_class);

	l->hp[0].send_time = send_time;
	l->host[0]->send_time = send_time;
	l->pipe[0].delay = l->pipe[1].delay = DELAY;
	l->want = 1000000;
	tcp_lab_start(l);
	return l;
}

static u32 acked(const struct tcp_lab *l)
{
	return l->client->snd_una - (l->client->write_seq - (u32)l->written);
}

/* The handshake takes 2 * DELAY; what was written then is acknowledged at 4 * DELAY. */
#define WRITTEN (2 * DELAY)

START_TEST(test_merge)
{
	struct tcp_lab *l = locked_lab(12 * SIM_US);
	u32 before;

	tcp_lab_run(l, WRITTEN + SIM_US);
	before = acked(l);
	ck_assert(l->client->locked);
	tcp_lab_run(l, WRITTEN + 118 * SIM_US);
	ck_assert_uint_eq(acked(l), before);
	ck_assert_uint_eq(l->pipe[0].n, 2 + 10);
	ck_assert_uint_eq(l->pipe[1].n, 1 + 10);
	ck_assert_uint_eq(l->client->backlog.n, 1);
	tcp_lab_run(l, WRITTEN + 122 * SIM_US);
	ck_assert_uint_eq(acked(l) - before, 10 * SEGMENT);
	ck_assert_uint_eq(l->client->snd_cwnd, 20);
	/* What the ACK sent is sent by the writer too, who stays. */
	ck_assert(l->client->locked);
	tcp_lab_run(l, SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	ck_assert(!l->client->locked);
	tcp_lab_free(l);
}
END_TEST

START_TEST(test_none)
{
	struct tcp_lab *l = locked_lab(0);

	tcp_lab_run(l, WRITTEN + 2 * DELAY + SIM_US);
	ck_assert(!l->client->locked);
	ck_assert_uint_ge(acked(l), 10 * SEGMENT);
	tcp_lab_free(l);
}
END_TEST

static bool lose_second(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	return way == 0 && l->pipe[0].n == 4;
}

START_TEST(test_sacks)
{
	struct tcp_lab *l = locked_lab(12 * SIM_US);

	l->verdict = lose_second;
	tcp_lab_run(l, WRITTEN + 118 * SIM_US);
	ck_assert_uint_eq(l->pipe[0].dropped, 1);
	/* One for the first segment, three duplicates before the receiver compresses the others. */
	ck_assert_uint_ge(l->client->backlog.n, 4);
	ck_assert_uint_eq(l->client->sacked_out, 0);
	tcp_lab_run(l, WRITTEN + 122 * SIM_US);
	ck_assert_uint_ge(l->client->sacked_out, 3);
	tcp_lab_run(l, 2 * SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	tcp_lab_free(l);
}
END_TEST

START_TEST(test_free)
{
	struct tcp_lab *l = locked_lab(12 * SIM_US);
	const struct tcp *t = l->client->tcp;

	tcp_lab_run(l, WRITTEN + 100 * SIM_US);
	ck_assert_uint_eq(t->backlog_held, 1);
	tcp_free(l->client);
	ck_assert_uint_eq(t->backlog_held, 0);
	tcp_lab_run(l, SIM_SEC);
	tcp_lab_free(l);
}
END_TEST

/*
 * setsockopt(TCP_CONGESTION) in the midst of a connection: BBR's pacing and window stay with CUBIC, the same algorithm again
 * is not begun anew.
 */
START_TEST(test_choice)
{
	void *params = params_new(&tcp_cubic_class, "6.18");
	struct slot cubic = {.cls = &tcp_cubic_class, .params = params};
	struct slot bbr = {.cls = &tcp_bbr_class, .params = NULL};
	struct tcp_lab *l = tcp_lab_new("6.18", &tcp_bbr_class);
	u64 state[20];
	u32 cwnd;

	l->pipe[0].rate = l->pipe[1].rate = 100000000;
	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->want = 5000000;
	tcp_lab_start(l);
	tcp_lab_run(l, 50 * SIM_MS);
	cwnd = l->client->snd_cwnd;
	ck_assert(l->client->pacing);
	memcpy(state, l->client->ca_priv, sizeof(state));
	tcp_set_congestion(l->client, &bbr);
	ck_assert_mem_eq(state, l->client->ca_priv, sizeof(state));
	tcp_set_congestion(l->client, &cubic);
	ck_assert_ptr_eq(l->client->ca_cls, &tcp_cubic_class);
	ck_assert(l->client->pacing);
	ck_assert_uint_eq(l->client->snd_cwnd, cwnd);
	ck_assert_mem_ne(state, l->client->ca_priv, sizeof(state));
	tcp_lab_run(l, 2 * SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	tcp_lab_free(l);
	free(params);
}
END_TEST

CHECK_MAIN("tcp-backlog", test_merge, test_none, test_sacks, test_free, test_choice)
