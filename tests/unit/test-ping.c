// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: ping measures what the wire does to it, knows what was lost, and its anatomy sums to the round trip.
 * Set-up: two hosts on a cable of 10 Mbit/s with 1 ms delay, by default 56 bytes each second.
 * Expected: 98 bytes are 122 on the wire, 97.6 us a way, so 2.1952 ms; losses by the draws of the wire, told
 * apart from what is still under way at the end; with a send buffer of three no more than three queue here; what the own qdisc drops is lost, or sent again after an
 * interval when asked for; the window counts requests by when they were sent.
 * Tolerance: none.
 */
#include "check-main.h"

#include "measure/anatomy.h"
#include "measure/metrics.h"
#include "net-lab.h"
#include "traffic/traffic.h"

extern const struct model_class icmp_class, ping_class, pfifo_fast_class;

struct ping_params {
	struct traffic_params common;
	int64_t interval, timeout, count, size, resend, sndbuf;
};

struct bench {
	struct lab lab;
	struct host_params host_params;
	struct netdev_params netdev_params;
	struct lab_nic_params nic;
	struct lab_link_params link;
	struct ping_params ping;
	struct host *hosts[2];
	struct netdev *devs[2];
	struct metrics *metrics;
};

static struct bench bench_default(void)
{
	return (struct bench){
		.host_params = {.kernel = "2.6.32", .hz = 250},
		.netdev_params = {.qdisc.cls = &pfifo_fast_class, .txqueuelen = 1000},
		.nic = {.ring = 64, .rx_ring = 64},
		.link = {.rate = 10000000, .delay = SIM_MS},
		.ping = {.common = {.stop = PARAM_UNSET,
				    .tos = PARAM_UNSET,
				    .priority = PARAM_UNSET},
			 .interval = SIM_SEC,
			 .timeout = 10 * SIM_SEC,
			 .count = PARAM_UNSET,
			 .size = 56,
			 .sndbuf = PARAM_UNSET},
	};
}

static void bench_open(struct bench *b)
{
	static const char *const names[] = {"a", "b"}, *const devs[] = {"a.eth0", "b.eth0"};
	static const char *const icmp[] = {"a.icmp", "b.icmp"};

	b->lab = lab_new();
	for (u32 i = 0; i < 2; i++) {
		b->hosts[i] = lab_host(&b->lab, names[i], &b->host_params);
		b->devs[i] = lab_dev(&b->lab, b->hosts[i], devs[i], &b->netdev_params);
		object_new(b->lab.sim, &icmp_class, icmp[i], NULL, &b->hosts[i]->obj);
	}
	lab_link(&b->lab, "lan", &b->link, &b->nic, b->devs, 2);
	network_route(b->lab.net);
	b->ping.common.from = &b->hosts[0]->obj;
	b->ping.common.to = &b->hosts[1]->obj;
	object_new(b->lab.sim, &ping_class, "ping", &b->ping, NULL);
	objects_start(b->lab.sim);
}

static void bench_run(struct bench *b, sim_time warmup, sim_time duration)
{
	struct sim *sim = b->lab.sim;

	sim_run(sim, warmup);
	metrics_window_open(sim);
	sim_run(sim, duration);
	metrics_window_close(sim);
	ck_assert_uint_eq(objects_audit(sim), sim->packets->live);
	b->metrics = metrics_collect(sim, duration - warmup);
}

static int64_t metric(struct bench *b, const char *name)
{
	return metrics_find(b->metrics, name);
}

static void bench_close(struct bench *b)
{
	metrics_free(b->metrics);
	metrics_clear(b->lab.sim);
	lab_free(&b->lab);
}

static void check_anatomy(void *arg, const char *name, const struct anatomy *a)
{
	int64_t mean[LAYER_COUNT], *seen = arg;

	if (strcmp(name, "ping.rtt"))
		return;
	*seen = anatomy_slowest(a, 1000, mean);
	/* Both ways on the wire; nothing waits anywhere. */
	ck_assert_int_eq(mean[LAYER_WIRE], 2195200);
}

START_TEST(test_round_trip)
{
	struct bench b = bench_default();
	int64_t mean = 0;

	bench_open(&b);
	bench_run(&b, 0, 10 * SIM_SEC - 1);
	ck_assert_int_eq(metric(&b, "ping.rtt_ms.min"), 2195200);
	ck_assert_int_eq(metric(&b, "ping.rtt_ms.max"), 2195200);
	ck_assert_int_eq(metric(&b, "ping.received"), 10000000);
	ck_assert_int_eq(metric(&b, "ping.lost"), 0);
	ck_assert_int_eq(metric(&b, "ping.unfinished"), 0);
	metrics_anatomies(b.lab.sim, check_anatomy, &mean);
	ck_assert_int_eq(mean, 2195200);
	bench_close(&b);
}
END_TEST

START_TEST(test_count_and_window)
{
	struct bench b = bench_default();

	b.ping.count = 8;
	b.ping.common.start = SIM_SEC / 2;
	bench_open(&b);
	/* Sent at 0.5 .. 7.5 s; the window opens when 2 are out. */
	bench_run(&b, 2 * SIM_SEC, 20 * SIM_SEC);
	ck_assert_int_eq(metric(&b, "ping.received"), 6000000);
	bench_close(&b);

	b = bench_default();
	b.ping.common.stop = 3 * SIM_SEC;
	bench_open(&b);
	bench_run(&b, 0, 20 * SIM_SEC);
	ck_assert_int_eq(metric(&b, "ping.received"), 3000000);
	bench_close(&b);
}
END_TEST

START_TEST(test_lost_and_unfinished)
{
	struct bench b = bench_default();

	b.link.loss = PROB_ONE;
	bench_open(&b);
	/* Sent at 0 .. 30 s, none answered; those of 21 .. 30 s may still come. */
	bench_run(&b, 0, 30 * SIM_SEC + SIM_MS);
	ck_assert_int_eq(metric(&b, "ping.received"), 0);
	ck_assert_int_eq(metric(&b, "ping.lost"), 21000000);
	ck_assert_int_eq(metric(&b, "ping.unfinished"), 10000000);
	ck_assert_int_eq(metric(&b, "ping.lost_share"), 1000000);
	bench_close(&b);
}
END_TEST

/* A queue that is stopped with its one packet waiting, until a second is over. */
static void block(struct bench *b)
{
	b->netdev_params.txqueuelen = 0;
	b->nic.ring = 1;
	b->link.rate = 1000;
	b->ping.common.start = SIM_MS;
	bench_open(b);
	dev_queue_xmit(b->devs[0], lab_packet(b->lab.sim, 0, 1, 60));
	dev_queue_xmit(b->devs[0], lab_packet(b->lab.sim, 0, 1, 60));
}

START_TEST(test_no_buffers)
{
	struct bench b = bench_default();

	/* 84 bytes at 1 kbit/s: 0.672 s each; a ping of 976 ms a way. */
	b.ping.count = 1;
	block(&b);
	bench_run(&b, 0, 20 * SIM_SEC);
	ck_assert_int_eq(metric(&b, "ping.no_buffers"), 1000000);
	ck_assert_int_eq(metric(&b, "ping.lost"), 1000000);
	bench_close(&b);

	/* Refused at 1 ms, taken a second later behind what goes until 1.344 s. */
	b = bench_default();
	b.ping.count = 1;
	b.ping.resend = 1;
	block(&b);
	bench_run(&b, 0, 20 * SIM_SEC);
	ck_assert_int_eq(metric(&b, "ping.no_buffers"), 1000000);
	ck_assert_int_eq(metric(&b, "ping.lost"), 0);
	ck_assert_int_eq(metric(&b, "ping.rtt_ms.mean"), (343 + 2 * (976 + 1)) * 1000000LL);
	bench_close(&b);

	/* Ten a second over a wire that takes one: room for three is room for three. */
	b = bench_default();
	b.ping.interval = SIM_SEC / 10;
	b.ping.sndbuf = 3;
	b.link.rate = 1000;
	bench_open(&b);
	bench_run(&b, 0, 20 * SIM_SEC);
	ck_assert_int_ge(metric(&b, "ping.received"), 17 * 1000000);
	ck_assert_int_le(metric(&b, "ping.rtt_ms.max"), 4 * 978 * 1000000LL);
	ck_assert_int_ge(metric(&b, "ping.rtt_ms.max"), 3 * 976 * 1000000LL);
	bench_close(&b);
}
END_TEST

CHECK_MAIN("ping", test_round_trip, test_count_and_window, test_lost_and_unfinished,
	   test_no_buffers)
