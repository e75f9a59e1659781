// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the transmit engine does what net/core/dev.c and net/sched/sch_generic.c do, by era.
 * Set-up: an interface over a lower layer with a set room, whose completions the test gives.
 * Expected: with txqueuelen 0 exactly one packet waits (the requeue slot) and it goes first; 2.6.32 takes
 * a packet out of the qdisc before it sees the stop, 6.1 does not; noqueue loses with -ENETDOWN; byte
 * queue limits let one packet over the limit; several tx queues have a limit each; a run ends after 64
 * packets from 3.0 on; a GSO packet for a device without TSO leaves as its segments.
 * Tolerance: none, all are counts.
 */
#include "check-main.h"

#include <errno.h>

#include "net-lab.h"

extern const struct model_class pfifo_fast_class, bql_class;

static const struct layer_down lower_one = {
	.n_queues = 1, .xmit = lab_xmit, .set_up = lab_set_up, .bql = true};

static u32 by_port(void *down, struct packet *p)
{
	return p->dport;
}

static const struct layer_down lower_four = {
	.n_queues = 4, .xmit = lab_xmit, .select_queue = by_port, .set_up = lab_set_up};

struct bench {
	struct lab lab;
	struct host_params host_params;
	struct netdev_params params;
	struct lab_lower lower;
	struct host *host;
	struct netdev *dev;
};

static void bench_open(struct bench *b, const char *era, const struct layer_down *down, int64_t len)
{
	b->lab = lab_new();
	b->host_params = (struct host_params){.kernel = era, .hz = 250};
	b->params.qdisc.cls = &pfifo_fast_class;
	b->params.txqueuelen = len;
	b->host = lab_host(&b->lab, "a", &b->host_params);
	b->dev = lab_dev(&b->lab, b->host, "a.eth0", &b->params);
	netdev_set_lower(b->dev, down, &b->lower);
}

static int send(struct bench *b, u32 len)
{
	return dev_queue_xmit(b->dev, lab_packet(b->lab.sim, 0, 1, len));
}

/* Every packet that exists is held by the lower layer or told of by the audit. */
static void bench_close(struct bench *b)
{
	u64 held = objects_audit(b->lab.sim);

	ck_assert_uint_eq(held + b->lower.taken.n, b->lab.sim->packets->live);
	lab_free(&b->lab);
}

START_TEST(test_txqueuelen_zero)
{
	struct bench b = {.lower.room = 2};

	bench_open(&b, "2.6.32", &lower_one, 0);
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_SUCCESS); /* 1 and 2 pass the empty qdisc by */
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_SUCCESS);
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_SUCCESS); /* 3 waits in the slot */
	ck_assert_uint_eq(b.dev->queues[0].qdisc->qlen, 1);
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_DROP);
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_DROP);
	lab_complete(b.lab.sim, &b.lower, 0, 2);
	sim_run(b.lab.sim, 0);
	ck_assert_uint_eq(b.lower.n_taken, 3);
	ck_assert_uint_eq(b.lower.order[2], 3);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->qlen, 0);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->drops, 2);
	bench_close(&b);
}
END_TEST

/* Where the fourth packet's arrival finds the queue stopped and a third one in the qdisc. */
static u32 kept_back(const char *era)
{
	struct bench b = {.lower.room = 1};
	u32 kept;

	bench_open(&b, era, &lower_one, 10);
	for (int i = 0; i < 3; i++)
		send(&b, 1514); /* 1 is sent, 2 is in the slot, 3 in the qdisc */
	lab_complete(b.lab.sim, &b.lower, 0, 1);
	sim_run(b.lab.sim, 0);
	ck_assert_uint_eq(b.lower.n_taken, 2);
	ck_assert_uint_eq(b.dev->queues[0].requeued.n, 0);
	send(&b, 1514);
	kept = b.dev->queues[0].requeued.n;
	ck_assert_uint_eq(b.dev->queues[0].qdisc->qlen, 2);
	bench_close(&b);
	return kept;
}

START_TEST(test_stop_seen_before_dequeue)
{
	ck_assert_uint_eq(kept_back("2.6.32"), 1);
	ck_assert_uint_eq(kept_back("3.6"), 1);
	ck_assert_uint_eq(kept_back("4.6"), 0);
	ck_assert_uint_eq(kept_back("6.1"), 0);
}
END_TEST

START_TEST(test_noqueue)
{
	struct bench b = {.lower.room = 1};

	b.params.qdisc.cls = &noqueue_class;
	b.lab = lab_new();
	b.host_params = (struct host_params){.kernel = "6.1", .hz = 250};
	b.host = lab_host(&b.lab, "a", &b.host_params);
	b.dev = lab_dev(&b.lab, b.host, "a.eth0", &b.params);
	netdev_set_lower(b.dev, &lower_one, &b.lower);
	ck_assert_int_eq(send(&b, 1514), NET_XMIT_SUCCESS);
	ck_assert_int_eq(send(&b, 1514), -ENETDOWN);
	ck_assert_uint_eq(b.dev->noqueue_drops, 1);
	bench_close(&b);
}
END_TEST

START_TEST(test_bql)
{
	static const struct {
		int64_t min, max, hold;
	} limits = {.min = 3000, .max = 3000, .hold = SIM_SEC};
	struct bench b = {.lower.room = 100};

	b.params.bql = (struct slot){.cls = &bql_class, .params = &limits};
	bench_open(&b, "6.1", &lower_one, 10);
	/* Limit 0 before the first completion: one packet goes, the rest waits. */
	send(&b, 1500);
	send(&b, 1500);
	ck_assert_uint_eq(b.lower.n_taken, 1);
	lab_complete(b.lab.sim, &b.lower, 0, 1);
	for (int i = 0; i < 8; i++)
		send(&b, 1500);
	sim_run(b.lab.sim, 0);
	/* 3000 bytes: two fill the limit exactly, room 0 takes one more. */
	ck_assert_uint_eq(b.lower.taken.n, 3);
	bench_close(&b);
}
END_TEST

START_TEST(test_multi_queue)
{
	struct bench b = {.lower.room = 0};

	bench_open(&b, "2.6.32", &lower_four, 5);
	for (u16 i = 0; i < 40; i++) {
		struct packet *p = lab_packet(b.lab.sim, 0, 1, 100);

		p->dport = i % 4;
		dev_queue_xmit(b.dev, p);
	}
	/* Each has its own limit; the one in the slot counts. */
	for (u32 q = 0; q < 4; q++)
		ck_assert_uint_eq(b.dev->queues[q].qdisc->qlen, 5);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->parent->qlen, 20);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->parent->drops, 20);
	ck_assert_str_eq(b.dev->queues[2].qdisc->obj.path, "a.eth0.qdisc.be");
	b.lower.room = 100;
	b.lower.up->wake(b.lower.up_arg, 2);
	sim_run(b.lab.sim, 0);
	ck_assert_uint_eq(b.lower.n_taken, 5);
	bench_close(&b);
}
END_TEST

/* What the interface has by default, over a layer with queues of its own and over one without. */
START_TEST(test_default)
{
	static const struct qdisc_default_params def = {.qdisc = {.cls = &pfifo_fast_class}};
	static const struct mq_params mq = {.child = {.cls = &pfifo_fast_class}};
	static const struct layer_down no_queue = {
		.n_queues = 1, .xmit = lab_xmit, .set_up = lab_set_up, .no_queue = true};
	const struct layer_down *const downs[] = {&lower_one, &no_queue, &lower_four};

	for (u32 i = 0; i < 3; i++) {
		struct bench b = {.lower.room = 1};
		const struct netdev_queue *q;

		b.lab = lab_new();
		b.host_params = (struct host_params){.kernel = "6.1", .hz = 250};
		b.params.qdisc = (struct slot){.cls = &qdisc_default_class, .params = &def};
		b.params.bql.cls = &no_limit_class;
		if (i == 2)
			b.params.qdisc = (struct slot){.cls = &mq_class, .params = &mq};
		b.host = lab_host(&b.lab, "a", &b.host_params);
		b.dev = lab_dev(&b.lab, b.host, "a.eth0", &b.params);
		netdev_set_lower(b.dev, downs[i], &b.lower);
		q = &b.dev->queues[b.dev->n_queues - 1];
		ck_assert_ptr_null(q->bql);
		ck_assert(!q->qdisc == (i == 1));
		if (q->qdisc) {
			ck_assert_ptr_eq(q->qdisc->obj.cls, &pfifo_fast_class);
			ck_assert_str_eq(q->qdisc->obj.path,
					 i ? "a.eth0.qdisc.bk" : "a.eth0.qdisc");
		}
		send(&b, 100);
		bench_close(&b);
	}
}
END_TEST

static u64 events_of_a_wake(const char *era)
{
	struct bench b = {.lower.room = 0};
	u64 events;

	bench_open(&b, era, &lower_one, 1000);
	for (int i = 0; i < 130; i++)
		send(&b, 100);
	b.lower.room = 1000;
	b.lower.up->wake(b.lower.up_arg, 0);
	sim_run(b.lab.sim, 0);
	ck_assert_uint_eq(b.lower.n_taken, 130);
	events = b.lab.sim->n_events;
	bench_close(&b);
	return events;
}

START_TEST(test_quota)
{
	ck_assert_uint_eq(events_of_a_wake("2.6.32"), 1);
	ck_assert_uint_eq(events_of_a_wake("6.1"), 3);
}
END_TEST

/* Five segments of a local stream from @seq on. */
static void send_gso(struct bench *b, u32 seq)
{
	struct packet *p = lab_packet(b->lab.sim, 0, 1, ETH_HLEN + 52 + 5 * 1448);

	p->proto = PROTO_TCP;
	p->header = 52;
	p->payload = 5 * 1448;
	p->gso_size = 1448;
	p->skb.gso = 5;
	p->tcp.seq = seq;
	dev_queue_xmit(b->dev, p);
}

/* Segments that leave at once when byte queue limits allow one packet. */
static u32 segments_at_once(const char *era)
{
	static const struct {
		int64_t min, max, hold;
	} limits = {.min = 0, .max = PARAM_UNSET, .hold = SIM_SEC};
	struct bench b = {.lower.room = 100};
	u32 n;

	b.params.bql = (struct slot){.cls = &bql_class, .params = &limits};
	bench_open(&b, era, &lower_one, 10);
	send_gso(&b, 0);
	n = b.lower.n_taken;
	bench_close(&b);
	return n;
}

START_TEST(test_list_and_bql)
{
	ck_assert_uint_eq(segments_at_once("3.6"), 1);
	ck_assert_uint_eq(segments_at_once("4.6"), 1);
	ck_assert_uint_eq(segments_at_once("6.1"), 5);
}
END_TEST

START_TEST(test_gso)
{
	struct bench b = {.lower.room = 3};
	struct packet *p;

	bench_open(&b, "6.1", &lower_one, 1000);
	send_gso(&b, 1000);
	ck_assert_uint_eq(b.lower.n_taken, 3);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->qlen, 2);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->backlog, 2 * 1514);
	ck_assert_uint_eq(b.dev->queues[0].qdisc->sent_bytes, 5 * 1514);
	lab_complete(b.lab.sim, &b.lower, 0, 3);
	sim_run(b.lab.sim, 0);
	ck_assert_uint_eq(b.lower.n_taken, 5);
	p = packet_fifo_pop(&b.lower.taken);
	ck_assert_uint_eq(p->tcp.seq, 1000 + 3 * 1448);
	packet_free(b.lab.sim, p);
	bench_close(&b);
}
END_TEST

CHECK_MAIN("netdev", test_txqueuelen_zero, test_stop_seen_before_dequeue, test_noqueue, test_bql,
	   test_multi_queue, test_default, test_quota, test_list_and_bql, test_gso)
