// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: tbf and netem let packets go at the nanosecond at which Linux's do.
 * Set-up: a qdisc whose device asks whenever it is woken; packets put in at set times.
 * Expected: tbf at 10 Mbit/s sends what the bucket holds at once, then a packet of 1000 bytes each 800 us, in
 * the integers of psched_ratecfg_precompute(); peakrate spreads the burst; a packet beyond the bucket is dropped,
 * a GSO packet goes as segments; the limit counts the packet that waits for tokens. netem delays each by its time,
 * loses without telling, and with a rate spaces packets by their length.
 * Tolerance: none but for draws, stated there.
 */
#include "net-lab.h"
#include "scenario-lab.h"

extern const struct model_class tbf_class, netem_class;

struct tbf_params {
	int64_t rate, peakrate, burst, mtu, limit, latency;
	struct slot child;
};

struct netem_params {
	int64_t delay, jitter, loss, rate, limit;
};

static int64_t tx_queue_len = 1000;

struct bench {
	struct sim *sim;
	struct qdisc_dev dev;
	struct qdisc *q;
	u32 n;
	sim_time at[4096];
	u64 id[4096];
	u32 len[4096];
};

static void ask(void *up, u32 queue)
{
	struct bench *b = up;
	struct packet *p;

	while ((p = qdisc_dequeue(b->q))) {
		qdisc_left(b->q, qdisc_len(p), p->since);
		b->at[b->n] = b->sim->now;
		b->len[b->n] = p->skb.len;
		b->id[b->n++] = p->id;
		packet_free(b->sim, p);
	}
}

static void bench_open(struct bench *b, const struct model_class *cls, const void *params)
{
	struct slot slot = {.cls = cls, .params = params, .path = "q"};

	b->n = 0;
	b->sim = sim_new(1);
	b->dev = (struct qdisc_dev){.mtu = 1500,
				    .hard_header_len = ETH_HLEN,
				    .tx_queue_len = &tx_queue_len,
				    .hz = 250,
				    .era = 60100,
				    .n_queues = 1,
				    .wake = ask,
				    .up = b};
	b->q = qdisc_new(b->sim, &slot, NULL, &b->dev, NULL, NULL);
}

static int put(struct bench *b, u32 len)
{
	struct packet *p = packet_new(b->sim);
	int rc;

	p->skb.len = len;
	qdisc_set_len(p);
	rc = qdisc_enqueue(b->q, p);
	ask(b, 0);
	return rc;
}

static void bench_close(struct bench *b)
{
	ck_assert_uint_eq(objects_audit(b->sim), b->sim->packets->live);
	metrics_clear(b->sim);
	sim_free(b->sim);
}

static struct tbf_params tbf_default(void)
{
	return (struct tbf_params){.rate = 10000000,
				   .peakrate = PARAM_UNSET,
				   .burst = 3000,
				   .mtu = 1540,
				   .limit = 100000,
				   .latency = PARAM_UNSET};
}

START_TEST(test_tbf_rate)
{
	struct tbf_params par = tbf_default();
	struct bench b;

	bench_open(&b, &tbf_class, &par);
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(put(&b, 1000), NET_XMIT_SUCCESS);
	sim_run(b.sim, SIM_SEC);
	ck_assert_uint_eq(b.n, 10);
	/* mult is cut off: 1000 bytes are 799999 ns, and the bucket of 3000 2399999. */
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(b.at[i], i < 3 ? 0 : 1);
	for (int i = 3; i < 10; i++)
		ck_assert_int_le(llabs(b.at[i] - (i - 2) * 800000LL), 8);
	bench_close(&b);
}
END_TEST

START_TEST(test_tbf_drops)
{
	struct tbf_params par = tbf_default();
	struct bench b;
	int taken = 0;

	par.burst = 1000;
	par.limit = 5000;
	bench_open(&b, &tbf_class, &par);
	ck_assert_int_eq(put(&b, 1001), NET_XMIT_DROP);
	while (put(&b, 1000) == NET_XMIT_SUCCESS)
		taken++;
	/* One is gone, one waits for tokens and counts in the five. */
	ck_assert_int_eq(taken, 6);
	ck_assert_uint_eq(b.q->qlen, 5);
	ck_assert_uint_eq(b.q->backlog, 5000);
	bench_close(&b);
}
END_TEST

START_TEST(test_tbf_segments)
{
	struct tbf_params par = tbf_default();
	struct bench b;
	struct packet *p;

	par.burst = 1540;
	bench_open(&b, &tbf_class, &par);
	p = packet_new(b.sim);
	p->proto = PROTO_TCP;
	p->header = 52;
	p->payload = 3 * 1448 + 100;
	p->gso_size = 1448;
	p->skb.gso = 4;
	p->skb.len = ETH_HLEN + 52 + p->payload;
	qdisc_set_len(p);
	ck_assert_int_eq(qdisc_enqueue(b.q, p), NET_XMIT_SUCCESS);
	ck_assert_uint_eq(b.q->qlen, 4);
	ck_assert_uint_eq(b.q->backlog, 3 * 1514 + 166);
	ask(&b, 0);
	sim_run(b.sim, SIM_SEC);
	ck_assert_uint_eq(b.n, 4);
	ck_assert_uint_eq(b.len[2], 1514);
	ck_assert_uint_eq(b.len[3], 166);
	bench_close(&b);
}
END_TEST

START_TEST(test_tbf_peak)
{
	struct tbf_params par = tbf_default();
	struct bench b;

	par.peakrate = 100000000;
	bench_open(&b, &tbf_class, &par);
	for (int i = 0; i < 4; i++)
		put(&b, 1000);
	sim_run(b.sim, SIM_SEC);
	/* The bucket of 3000 at 100 Mbit/s with 1540 at once, the fourth by the rate. */
	ck_assert_int_eq(b.at[0], 0);
	ck_assert_int_le(llabs(b.at[1] - 36800), 2);
	ck_assert_int_le(llabs(b.at[2] - 116800), 2);
	ck_assert_int_le(llabs(b.at[3] - 800000), 4);
	bench_close(&b);
}
END_TEST

START_TEST(test_netem_delay)
{
	struct netem_params par = {.delay = 20 * SIM_MS, .rate = PARAM_UNSET, .limit = 1000};
	struct bench b;

	bench_open(&b, &netem_class, &par);
	for (int i = 0; i < 5; i++) {
		put(&b, 1000);
		sim_run(b.sim, b.sim->now + SIM_MS);
	}
	sim_run(b.sim, SIM_SEC);
	ck_assert_uint_eq(b.n, 5);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(b.at[i], (20 + i) * SIM_MS);
	bench_close(&b);
}
END_TEST

START_TEST(test_netem_jitter)
{
	struct netem_params par = {
		.delay = 20 * SIM_MS, .jitter = 5 * SIM_MS, .rate = PARAM_UNSET, .limit = 4000};
	sim_time sum = 0, low = SIM_SEC, high = 0;
	u32 overtaken = 0;
	struct bench b;

	bench_open(&b, &netem_class, &par);
	for (int i = 0; i < 4000; i++)
		put(&b, 1000);
	sim_run(b.sim, SIM_SEC);
	ck_assert_uint_eq(b.n, 4000);
	for (int i = 0; i < 4000; i++) {
		sum += b.at[i];
		low = b.at[i] < low ? b.at[i] : low;
		high = b.at[i] > high ? b.at[i] : high;
		overtaken += i && b.id[i] < b.id[i - 1];
	}
	/* Uniform over 10 ms: standard error of the mean 46 us. */
	ck_between((double)sum / 4000 / SIM_MS, 19.8, 20.2);
	ck_between((double)low / SIM_MS, 15, 15.02);
	ck_between((double)high / SIM_MS, 24.98, 25);
	ck_between(overtaken, 1800, 2200);
	bench_close(&b);
}
END_TEST

START_TEST(test_netem_loss_and_limit)
{
	struct netem_params par = {
		.delay = SIM_MS, .loss = PROB_ONE / 4, .rate = PARAM_UNSET, .limit = 100};
	u32 lost = 0, refused = 0;
	struct bench b;

	bench_open(&b, &netem_class, &par);
	for (int i = 0; i < 4000; i++) {
		int rc = put(&b, 1000);

		lost += rc == NET_XMIT_BYPASS;
		refused += rc == NET_XMIT_DROP;
	}
	/* 1000, standard deviation 27 */
	ck_between(lost, 900, 1100);
	ck_assert_uint_eq(refused, 4000 - lost - 100);
	ck_assert_uint_eq(b.q->drops, 3900);
	bench_close(&b);
}
END_TEST

START_TEST(test_netem_rate)
{
	struct netem_params par = {.delay = 10 * SIM_MS, .rate = 8000000, .limit = 1000};
	struct bench b;

	bench_open(&b, &netem_class, &par);
	for (int i = 0; i < 5; i++)
		put(&b, 1000);
	sim_run(b.sim, SIM_SEC);
	/* 1 ms each; the delay of the second lies behind the first's. */
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(b.at[i], (11 + i) * SIM_MS);
	bench_close(&b);
}
END_TEST

START_TEST(test_tbf_scenario)
{
	/* A TCP flow over tbf with fq_codel inside: the rate is of frames of 1514 bytes. */
	struct outcome o = outcome_of(
		"name: t\nkernel: \"6.1\"\nduration: 20s\nwarmup: 5s\n"
		"nodes:\n"
		"  a: {interfaces: {eth0: {driver: ethernet, qdisc: {model: tbf, rate: 10Mbit, "
		"child: fq_codel}}}}\n"
		"  b: {interfaces: {eth0: {driver: ethernet}}}\n"
		"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], delay: 5ms}\n"
		"traffic:\n  bulk: {model: tcp_bulk, from: a, to: b, flows: 2}\n"
		"  ping: {model: ping, from: a, to: b, interval: 50ms}\n");

	ck_between(metric_of(&o, "bulk.goodput_mbit"), 9.3, 9.57);
	/* CoDel keeps the queue near 5 ms, a flow of its own passes it by. */
	ck_between(metric_of(&o, "ping.rtt_ms.mean"), 10, 14);
	outcome_clear(&o);
}
END_TEST

CHECK_MAIN("shapers", test_tbf_rate, test_tbf_drops, test_tbf_segments, test_tbf_peak,
	   test_netem_delay, test_netem_jitter, test_netem_loss_and_limit, test_netem_rate,
	   test_tbf_scenario)
