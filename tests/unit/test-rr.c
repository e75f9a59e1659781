// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: requests and responses ("tcp_rr", "udp_rr") follow each other without a pause, and are timed.
 * Set-up: two hosts on a cable of 10 Mbit/s with 1 ms delay, given as scenarios.
 * Expected: one byte each way takes two frames' time and two delays; large ones take their bytes at line rate;
 * flows add up until the wire is full; what is lost ends by a timeout (UDP) or is sent again (TCP).
 * Tolerance: stated with each.
 */
#include "scenario-lab.h"

#define NET(loss)                                                                        \
	"name: t\nkernel: \"6.1\"\nduration: 22s\nwarmup: 2s\n"                          \
	"nodes:\n"                                                                       \
	"  a: {interfaces: {eth0: {driver: ethernet, qdisc: pfifo_fast}}}\n"             \
	"  b: {interfaces: {eth0: {driver: ethernet, qdisc: pfifo_fast}}}\n"             \
	"links:\n"                                                                       \
	"  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 1ms, " \
	"loss: " loss "}\n"                                                              \
	"traffic:\n"

START_TEST(test_one_byte)
{
	struct outcome o = outcome_of(NET("0") "  u: {model: udp_rr, from: b, to: a}\n");

	/* 67 and 43 bytes are 91 and 84 on the wire: 72.8 and 67.2 us, each way. */
	ck_between(metric_of(&o, "u.rtt_ms.min"), 2.1344, 2.1344);
	ck_between(metric_of(&o, "u.rtt_ms.max"), 2.1344, 2.1344);
	ck_between(metric_of(&o, "u.tps"), 468.45, 468.6);
	ck_assert_int_eq(metric_of(&o, "u.lost"), 0);
	ck_between((double)anatomy_of(&o, "u.rtt")->mean_total / SIM_MS,
		   metric_of(&o, "u.rtt_ms.mean") - 1e-6, metric_of(&o, "u.rtt_ms.mean") + 1e-6);
	outcome_clear(&o);
	o = outcome_of(NET("0") "  t: {model: tcp_rr, from: a, to: b}\n");
	ck_between(metric_of(&o, "t.rtt_ms.min"), 2.1456, 2.1457);
	ck_between(metric_of(&o, "t.tps"), 466, 466.1);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_large)
{
	struct outcome o = outcome_of(NET(
		"0") "  t: {model: tcp_rr, from: a, to: b, request: 14480B, response: 14480B}\n");

	/* Ten segments each way at 1.2304 ms, two delays of 1 ms, and an ACK of 72 us before each. */
	ck_between(metric_of(&o, "t.rtt_ms.min"), 26.752, 26.752);
	ck_between(metric_of(&o, "t.tps"), 36, 38);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_full)
{
	struct outcome o = outcome_of(
		NET("0") "  u: {model: udp_rr, from: a, to: b, request: 200B, response: 200B,"
			 " flows: 50}\n");

	/* 200 bytes are 266 on the wire. */
	ck_between(metric_of(&o, "u.tps"), 10e6 / (8 * 266) * 0.999, 10e6 / (8 * 266) * 1.001);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_loss)
{
	struct outcome o =
		outcome_of(NET("5%") "  t: {model: tcp_rr, from: a, to: b}\n"
				     "  u: {model: udp_rr, from: a, to: b, timeout: 100ms}\n");
	double lost = metric_of(&o, "u.lost"), done = metric_of(&o, "u.transactions");

	/* 1 - 0.95^2 */
	ck_between(lost / (lost + done), 0.075, 0.12);
	ck_between(metric_of(&o, "t.tps"), 20, 250);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_interval)
{
	struct outcome o =
		outcome_of(NET("0") "  u: {model: udp_rr, from: a, to: b, interval: 20ms}\n");

	ck_between(metric_of(&o, "u.transactions"), 999, 1001);
	outcome_clear(&o);
}
END_TEST

CHECK_MAIN("rr", test_one_byte, test_large, test_full, test_loss, test_interval)
