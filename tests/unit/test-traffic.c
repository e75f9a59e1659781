// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: bulk and datagram traffic (tcp_bulk_class, udp_cbr_class) send what they are told to and count what
 * arrived, over the time that counts.
 * Set-up: two hosts on a cable of 10 Mbit/s with 1 ms delay, given as scenarios.
 * Expected: datagrams at a set rate arrive at it, spaced to the nanosecond or exponentially; losses of the wire
 * are found as gaps; a bulk flow gets line rate times 1448/1538; with bytes it is measured over its own time
 * and the whole is there; flows share by Jain's index; marks reach the bands of pfifo_fast.
 * Tolerance: stated with each; counts of what was sent are exact.
 */
#include "engine/draw.h"
#include "scenario-lab.h"
#include "traffic/exponential.h"

#define NET(loss)                                                                        \
	"name: t\nkernel: \"6.1\"\nduration: 20s\nwarmup: 2s\n"                          \
	"nodes:\n"                                                                       \
	"  a: {interfaces: {eth0: {driver: ethernet, qdisc: pfifo_fast}}}\n"             \
	"  b: {interfaces: {eth0: {driver: ethernet}}}\n"                                \
	"links:\n"                                                                       \
	"  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 1ms, " \
	"loss: " loss "}\n"                                                              \
	"traffic:\n"

START_TEST(test_cbr)
{
	struct outcome o = outcome_of(
		NET("0") "  cbr: {model: udp_cbr, from: a, to: b, rate: 4Mbit, size: 1000B}\n");

	/* 500 a second, 18 s; 1042 bytes are 1066 on the wire. */
	ck_between(metric_of(&o, "cbr.goodput_mbit"), 3.999, 4.001);
	ck_between(metric_of(&o, "cbr.sent_mbit"), 4, 4.0005);
	ck_assert_int_eq(metric_of(&o, "cbr.lost"), 0);
	ck_assert_int_le(metric_of(&o, "cbr.unfinished"), 1);
	ck_between(metric_of(&o, "cbr.delay_ms.mean"), 1.8528, 1.8528);
	ck_between(metric_of(&o, "cbr.delay_ms.max"), 1.8528, 1.8528);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_cbr_loss)
{
	struct outcome o =
		outcome_of(NET("10%") "  cbr: {model: udp_cbr, from: a, to: b, rate: 4Mbit,"
				      " size: 1000B, poisson: true, flows: 4}\n");
	double sent = metric_of(&o, "cbr.sent_mbit") * 18e6 / 8000;
	double got = metric_of(&o, "cbr.received"), lost = metric_of(&o, "cbr.lost");

	/* 9000 by a Poisson process: standard deviation 95; 10 % of them: 28. */
	ck_between(sent, 9000 - 400, 9000 + 400);
	ck_between(lost / (lost + got), 0.087, 0.113);
	/* One of each flow may have been sent before the window. */
	ck_between(lost + got + metric_of(&o, "cbr.unfinished"), sent - 4, sent + 4);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_bulk_time)
{
	struct outcome o =
		outcome_of(NET("0") "  bulk: {model: tcp_bulk, from: a, to: b, flows: 4}\n");

	/* 10 x 1448 / 1538, and ACKs go the other way. */
	ck_between(metric_of(&o, "bulk.goodput_mbit"), 9.38, 9.416);
	ck_between(metric_of(&o, "bulk.sent_mbit"), 9.3, 9.5);
	ck_between(metric_of(&o, "bulk.jain"), 0.8, 1);
	ck_between(metric_of(&o, "bulk.flow_goodput_mbit.mean"), 9.38 / 4, 9.416 / 4);
	ck_assert(metric_absent(&o, "bulk.receiver_s"));
	ck_assert_int_eq(metric_of(&o, "bulk.unfinished"), 0);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_bulk_bytes)
{
	struct outcome o = outcome_of(
		NET("0") "  bulk: {model: tcp_bulk, from: a, to: b, bytes: 5MB, start: 3s}\n"
			 "  late: {model: tcp_bulk, from: a, to: b, bytes: 500MB, start: 10s}\n");
	double s = metric_of(&o, "bulk.receiver_s");

	/* 4.25 s at line rate and the slow start; the rate is over its own time. */
	ck_between(s, 4.25, 4.5);
	ck_between(metric_of(&o, "bulk.goodput_mbit") * s, 39.999, 40.001);
	ck_assert(metric_of(&o, "bulk.sender_s") < s);
	ck_assert_int_eq(metric_of(&o, "bulk.unfinished"), 0);
	/* What it still had to deliver when the last byte was written. */
	ck_between(metric_of(&o, "bulk.left") * 8 / 9.4148e6,
		   s - metric_of(&o, "bulk.sender_s") - 0.05,
		   s - metric_of(&o, "bulk.sender_s") + 0.05);
	ck_assert_int_eq(metric_of(&o, "late.unfinished"), 1);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_stop)
{
	struct outcome o = outcome_of(
		NET("0") "  bulk: {model: tcp_bulk, from: a, to: b, start: 5s, stop: 10s}\n"
			 "  cbr: {model: udp_cbr, from: b, to: a, rate: 1Mbit, stop: 7s}\n");

	ck_between(metric_of(&o, "bulk.goodput_mbit"), 9.2, 9.416);
	ck_between(metric_of(&o, "cbr.goodput_mbit"), 0.995, 1.005);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_marks)
{
	/* Two floods of the same size: what has the better band gets the line, the other the rest. */
	struct outcome o = outcome_of(
		NET("0") "  low: {model: udp_cbr, from: a, to: b, rate: 9Mbit, tos: 0x08}\n"
			 "  high: {model: udp_cbr, from: a, to: b, rate: 6Mbit, priority: 6}\n");

	ck_between(metric_of(&o, "high.goodput_mbit"), 5.99, 6.01);
	ck_between(metric_of(&o, "low.goodput_mbit"), 3.4, 3.6);
	ck_assert_int_eq(metric_of(&o, "high.lost"), 0);
	ck_assert(metric_of(&o, "low.local_drops") > 0);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_exponential)
{
	struct draw d = {.key = 1};
	sim_time sum = 0, beyond = 0;

	/* -ln 1/2 and -ln 1/4 in 2^-32 */
	ck_assert_uint_eq(exponential_q32(UINT64_MAX), 0);
	ck_assert_uint_eq(exponential_q32((1ull << 63) - 1), 2977044472ull);
	ck_assert_uint_eq(exponential_q32((1ull << 62) - 1), 2 * 2977044472ull);
	/* Smallest: 64 ln 2 */
	ck_assert_uint_eq(exponential_q32(0), 64 * 2977044472ull);
	for (int i = 0; i < 100000; i++) {
		sim_time x = exponential_next(&d, SIM_MS);

		sum += x;
		beyond += x > 2 * SIM_MS;
	}
	/* Standard errors: 0.3 % of the mean; e^-2 = 13.53 % +- 0.11. */
	ck_between((double)sum / 100000 / SIM_MS, 0.99, 1.01);
	ck_between((double)beyond / 100000, 0.131, 0.139);
}
END_TEST

CHECK_MAIN("traffic", test_cbr, test_cbr_loss, test_bulk_time, test_bulk_bytes, test_stop,
	   test_marks, test_exponential)
