// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: TCP of every era (classes "tcp", "cubic", "reno", "bbr") delivers all bytes in order and closes, over clean and lossy
 * paths, and queues as its time did.
 * Set-up: two hosts over a pipe of set rate and delay, pfifo_fast 1000 above it, one bulk sender.
 * Expected: goodput near the pipe's on a clean path; 40.96 MB at 2.8 Mbit/s fill a ring of 224 and the 1000 behind it
 * under 2.6.32, a few packets under 6.1 (TSQ); a full local queue is congestion without loss: the window comes down,
 * nothing is retransmitted.
 * Tolerance: stated with each; bytes are exact.
 */
#include "check-main.h"

#include "engine/draw.h"
#include "tcp-lab.h"

static const char *const eras[] = {"2.6.32", "3.2", "3.6", "4.6", "6.1", "6.18"};
#define N_ERAS 6

static bool lose(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	return draw_chance(way + 77, l->pipe[way].n, (u64)(intptr_t)l->arg);
}

static void finish(struct tcp_lab *l, sim_time limit)
{
	l->close_after = true;
	tcp_lab_start(l);
	tcp_lab_run(l, limit);
	ck_assert_uint_eq(l->received, l->want);
	ck_assert_int_eq(l->closed, 2);
}

START_TEST(test_clean)
{
	for (u32 e = 0; e < N_ERAS; e++) {
		struct tcp_lab *l = tcp_lab_new(eras[e], &tcp_cubic_class);
		struct tcp_info i;

		l->pipe[0].rate = l->pipe[1].rate = 100000000;
		l->pipe[0].delay = l->pipe[1].delay = 5 * SIM_MS;
		l->want = 10000000;
		finish(l, 10 * SIM_SEC);
		tcp_get_info(l->client, &i);
		ck_assert_uint_eq(i.retransmits, 0);
		ck_assert_uint_eq(i.timeouts, 0);
		/*
		 * 0.84 s at full rate; slow start, and after HyStart's exit the curve, cost the rest. HyStart of
		 * 2.6.32 takes times in ticks of 4 ms: a train of ACKs over one tick is half of this RTT to it, so it
		 * leaves slow start at 26 segments of the 83 that the path holds (mended in 2.6.39).
		 */
		ck_assert_int_le(l->done_at, (e ? 910 : 2400) * SIM_MS);
		tcp_lab_free(l);
	}
}
END_TEST

START_TEST(test_lossy)
{
	static const struct model_class *const cc[] = {&tcp_cubic_class, &tcp_reno_class,
						       &tcp_bbr_class};
	static const u32 one_in[] = {1000, 100, 20};

	for (u32 k = 0; k < 3 * N_ERAS * 3; k++) {
		/* BBR is of 4.9: before, the two others. */
		u32 era = k / 3 % N_ERAS;
		struct tcp_lab *l = tcp_lab_new(eras[era], cc[era < 3 ? k % 2 : k % 3]);
		struct tcp_info i;

		l->pipe[0].rate = l->pipe[1].rate = 20000000;
		l->pipe[0].delay = l->pipe[1].delay = 10 * SIM_MS;
		l->arg = (void *)(intptr_t)((1ull << 32) / one_in[k / 3 / N_ERAS]);
		l->verdict = lose;
		l->want = 2000000;
		finish(l, 100 * SIM_SEC);
		tcp_get_info(l->client, &i);
		/* Nearly all that is sent twice was lost; probes and spurious ones are few. */
		ck_assert_uint_ge(i.retransmits * 10 + 20, l->pipe[0].dropped * 9);
		ck_assert_uint_le(i.retransmits * 10, l->pipe[0].dropped * 12 + 50);
		tcp_lab_free(l);
	}
}
END_TEST

/* The most packets that ring and qdisc held. */
static u32 fill(const char *era, struct tcp_info *info)
{
	struct tcp_lab *l = tcp_lab_new(era, &tcp_cubic_class);
	u32 most = 0;

	l->np[0].tso = false;
	l->pipe[0].rate = l->pipe[1].rate = 2800000;
	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->pipe[0].room = 224;
	l->want = 40960000;
	tcp_lab_start(l);
	for (int t = 1; t <= 100; t++) {
		u32 held;

		tcp_lab_run(l, t * SIM_SEC);
		held = l->pipe[0].queue.n + l->dev[0]->queues[0].qdisc->qlen;
		most = held > most ? held : most;
	}
	tcp_get_info(l->client, info);
	/* 1448 of 1514 bytes are payload: 2.678 Mbit/s. */
	ck_assert_uint_ge(l->received, 100 * 2650000ull / 8);
	tcp_lab_free(l);
	return most;
}

START_TEST(test_fills_the_queue)
{
	struct tcp_info i;
	u32 most = fill("2.6.32", &i);

	ck_assert_uint_ge(most, 1150);
	ck_assert_uint_le(most, 1224);
	most = fill("6.1", &i);
	ck_assert_uint_le(most, 16);
	ck_assert_uint_eq(i.retransmits, 0);
}
END_TEST

START_TEST(test_local_drop)
{
	struct tcp_lab *l = tcp_lab_new("2.6.32", &tcp_cubic_class);
	struct tcp_info i;

	l->np[0].txqueuelen = 50;
	l->np[0].tso = false;
	l->pipe[0].rate = l->pipe[1].rate = 2800000;
	l->pipe[0].delay = l->pipe[1].delay = SIM_MS;
	l->pipe[0].room = 8;
	l->want = 10000000;
	tcp_lab_start(l);
	tcp_lab_run(l, 28 * SIM_SEC);
	tcp_get_info(l->client, &i);
	ck_assert_uint_ge(i.local_drops, 3);
	ck_assert_uint_eq(i.retransmits, 0);
	ck_assert_uint_ge(l->received, 28 * 2600000ull / 8);
	tcp_lab_free(l);
}
END_TEST

/*
 * BBR over a remote bottleneck of 10 Mbit/s, 20 ms and 60 packets, behind a fast interface: near the full rate, and the
 * queue is drained every ten seconds to see the least RTT.
 */
START_TEST(test_bbr)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_bbr_class);
	struct tcp_info i;

	l->pipe[0].rate = 100000000;
	l->pipe[1].rate = 100000000;
	l->pipe[0].delay = l->pipe[1].delay = 10 * SIM_MS;
	l->bottleneck = 10000000;
	l->bottleneck_room = 60;
	l->want = 1ull << 40;
	tcp_lab_start(l);
	tcp_lab_run(l, 30 * SIM_SEC);
	tcp_get_info(l->client, &i);
	ck_assert_uint_ge(l->received, 30 * 8900000ull / 8);
	/* 20 ms, and 1.2 ms for the frame at the bottleneck. */
	ck_assert_int_le(i.min_rtt, 22 * SIM_MS);
	ck_assert_int_le(i.srtt, 60 * SIM_MS);
	ck_assert_uint_eq(i.timeouts, 0);
	tcp_lab_free(l);
}
END_TEST

CHECK_MAIN("tcp-bulk", test_bbr, test_clean, test_lossy, test_fills_the_queue, test_local_drop)
