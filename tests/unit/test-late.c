// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: lateness has the distribution that it says, stalls take the share of the time that they should, a host's wakeup
 * delays its readers, and iperf3_class counts as iperf3 does, whichever of its connections is first.
 * Set-up: a million draws; 200 seconds asked for each 0.1 ms; two hosts on a cable of 10 Mbit/s with 1 ms delay, or on the air.
 * Expected: half of the draws below the median, 90 % below 9^(5/12) = 2.50 medians, 99 % below 99^(5/12) = 6.79; stalls of
 * 1 ms mean in each 20 ms take 5 % of the time (less what overlaps). iperf3 gets line rate times 1448/1538, and its
 * flows end when the word of the end has passed the queue: a second's worth, with the queue that a sender's buffer makes.
 * A reader that wakes up late acknowledges once for all that is there: fewer ACKs.
 * Tolerance: quantiles 1 %, five deviations of the binomial; shares 0.3 % of the time (10,000 stalls: 1 % of 5 %); goodput 0.5 %: slow start.
 */
#include "engine/late.h"
#include "scenario-lab.h"

#define N 1000000

START_TEST(quantiles)
{
	struct draw d = {.key = draw_key(1, "t")};
	int below[3] = {0}, late_in_order = 0;
	struct late l;

	late_init(&l, 20 * SIM_US, 0, 0, 1, "host");
	for (int i = 0; i < N; i++) {
		sim_time late = late_time(&l, &d, SIM_SEC) - SIM_SEC;

		below[0] += late < 20 * SIM_US;
		below[1] += late < 49960;
		below[2] += late < 135740;
		late_in_order += late >= 0 && late <= 136 * 20 * SIM_US;
	}
	ck_assert_int_eq(late_in_order, N);
	ck_between(below[0], 0.495 * N, 0.505 * N);
	ck_between(below[1], 0.895 * N, 0.905 * N);
	/* The steps of the table are of 1/256. */
	ck_between(below[2], 0.988 * N, 0.9925 * N);
	late_clear(&l);
}
END_TEST

START_TEST(stalls)
{
	struct draw d = {.key = draw_key(1, "t")};
	int stalled = 0, early = 0, steps = 0;
	struct late l;

	late_init(&l, 0, 20 * SIM_MS, SIM_MS, 1, "host");
	for (sim_time t = SIM_SEC; t < 201 * SIM_SEC; t += SIM_MS / 10) {
		sim_time at = late_time(&l, &d, t);

		early += at < t;
		stalled += at > t;
		steps++;
	}
	ck_assert_int_eq(early, 0);
	ck_between(stalled, 0.047 * steps, 0.053 * steps);
	ck_assert_int_eq(d.index, 0);
	late_clear(&l);
}
END_TEST

#define NET(b)                                                                                    \
	"name: t\nkernel: \"6.18\"\nduration: 20s\nnodes:\n"                                      \
	"  a: {interfaces: {eth0: {driver: ethernet, qdisc: pfifo_fast}}}\n"                      \
	"  b: {" b "interfaces: {eth0: {driver: ethernet}}}\n"                                    \
	"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 1ms}\n" \
	"traffic:\n"

START_TEST(iperf3)
{
	struct outcome o =
		outcome_of(NET("") "  test: {model: iperf3, from: a, to: b, flows: 3, "
				   "stop: 10s, congestion: reno}\n"
				   "  ping: {model: ping, from: a, to: b, start: 15s}\n");

	ck_between(metric_of(&o, "test.goodput_mbit"), 9.415 * 0.995, 9.415);
	ck_between(metric_of(&o, "test.flow_goodput_mbit.mean"), 9.415 / 3 * 0.995, 9.415 / 3);
	/* Long after the end the flows are silent: two frames of 122 bytes and 1 ms a way. */
	ck_between(metric_of(&o, "ping.rtt_ms.max"), 2.19, 2.21);
	outcome_clear(&o);
}
END_TEST

/* The flows' packets, in a category of their own, overtake the control connection's in the sender's queue: the test begins all the same. */
START_TEST(flows_overtake_control)
{
	static const char text[] =
		"name: t\nkernel: \"3.6\"\nduration: 3s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: ath10k}}}\n"
		"  b: {interfaces: {wlan0: {driver: ath10k}}}\n"
		"links: {air: {model: wifi, members: [a.wlan0, b.wlan0]}}\n"
		"traffic:\n  test: {model: iperf3, from: a, to: b, dscp: 46, start: 500ms}\n"
		"  full: {model: udp_cbr, from: a, to: b, rate: 100Mbit, size: 1472B, stop: 800ms}\n";
	struct outcome o = outcome_of(text);

	ck_assert_double_gt(metric_of(&o, "test.goodput_mbit"), 1);
	outcome_clear(&o);
}
END_TEST

START_TEST(late_readers)
{
	struct outcome prompt =
		outcome_of(NET("") "  test: {model: iperf3, from: a, to: b, stop: 10s}\n");
	struct outcome late = outcome_of(NET("wakeup: 20ms, ") "  test: {model: iperf3, from: a, "
							       "to: b, stop: 10s}\n");

	ck_between(metric_of(&late, "test.goodput_mbit"), 9.415 * 0.98, 9.415);
	ck_between(metric_of(&late, "b.tx_packets"), 100, metric_of(&prompt, "b.tx_packets") / 2);
	outcome_clear(&prompt);
	outcome_clear(&late);
}
END_TEST

CHECK_MAIN("late", quantiles, stalls, iperf3, flows_overtake_control, late_readers)
