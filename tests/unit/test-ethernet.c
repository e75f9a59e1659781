// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: frames cross a cable and a switch in exactly the time that IEEE 802.3 gives them, routes lead over
 * bridging hosts, and the plain card moderates its interrupts.
 * Set-up: hosts with "ethernet" drivers on "ethernet" links at 100 Mbit/s, packets sent by hand.
 * Expected: 1514 bytes take 1538 on the wire, 123.04 us; a switch stores and forwards, so twice that; the
 * output queue of a switch drops at its limit; with an interrupt every 100 us completions come together; a
 * saturated member is busy for all of the window and no more, however long its packets reach beyond its ends.
 * Tolerance: none.
 */
#include "check-main.h"

#include "net-lab.h"
#include "scenario-lab.h"

extern const struct model_class pfifo_fast_class;

#define HOSTS 4

struct wired {
	struct lab lab;
	struct host_params host_params;
	struct netdev_params params;
	struct lab_nic_params nic;
	struct lab_link_params link_params;
	struct host *hosts[HOSTS];
	struct netdev *devs[HOSTS];
	u32 n_arrived;
	sim_time arrived[128];
};

static void arrived(void *arg, struct packet *p)
{
	struct host *h = arg;
	struct wired *w = h->net->sim->trace_arg;

	w->arrived[w->n_arrived++] = h->obj.sim->now;
	packet_free(h->obj.sim, p);
}

/* @n hosts on one link. */
static void wired_open(struct wired *w, u32 n)
{
	static const char *const names[] = {"a", "b", "c", "d"};

	w->lab = lab_new();
	w->lab.sim->trace_arg = w;
	w->host_params =
		(struct host_params){.kernel = "6.1", .hz = 250, .forward = FORWARD_BRIDGE};
	w->params.qdisc.cls = &pfifo_fast_class;
	w->params.txqueuelen = 1000;
	w->params.tso = 1;
	for (u32 i = 0; i < n; i++) {
		w->hosts[i] = lab_host(&w->lab, names[i], &w->host_params);
		w->devs[i] = lab_dev(&w->lab, w->hosts[i], names[i], &w->params);
		host_register(w->hosts[i], PROTO_UDP, &w->hosts[i]->obj, arrived);
	}
	lab_link(&w->lab, "lan", &w->link_params, &w->nic, w->devs, n);
	network_route(w->lab.net);
}

static void wired_close(struct wired *w)
{
	ck_assert_uint_eq(objects_audit(w->lab.sim), w->lab.sim->packets->live);
	lab_free(&w->lab);
}

static void send(struct wired *w, u32 from, u32 to, u32 len)
{
	ip_output(w->hosts[from],
		  lab_packet(w->lab.sim, w->hosts[from]->id, w->hosts[to]->id, len));
}

START_TEST(test_cable)
{
	struct wired w = {.nic = {.ring = 8, .rx_ring = 8},
			  .link_params = {.rate = 100000000, .delay = 50 * SIM_US}};

	wired_open(&w, 2);
	send(&w, 0, 1, 1514);
	send(&w, 0, 1, 42); /* padded to 60: 84 on the wire */
	sim_run(w.lab.sim, SIM_SEC);
	ck_assert_uint_eq(w.n_arrived, 2);
	ck_assert_int_eq(w.arrived[0], 123040 + 50000);
	ck_assert_int_eq(w.arrived[1], 123040 + 6720 + 50000);
	wired_close(&w);
}
END_TEST

START_TEST(test_switch)
{
	struct wired w = {.nic = {.ring = 64, .rx_ring = 64},
			  .link_params = {.rate = 100000000, .delay = 50 * SIM_US, .queue = 4}};

	wired_open(&w, 4);
	send(&w, 0, 3, 1514);
	sim_run(w.lab.sim, SIM_MS);
	ck_assert_int_eq(w.arrived[0], 2 * 123040 + 50000);
	/* Three senders at line rate into one output: in the end a third gets through. */
	for (u32 i = 0; i < 3; i++)
		for (u32 k = 0; k < 9; k++)
			send(&w, i, 3, 1514);
	sim_run(w.lab.sim, SIM_SEC);
	/* 9 rounds of 3: each round one leaves; the queue holds 4 behind the one on the wire. */
	ck_assert_uint_eq(w.n_arrived, 1 + 9 + 4);
	wired_close(&w);
}
END_TEST

/* The same 6 kB for byte queue limits: 4 full frames, or 93 ACKs, which take 1.36 times as long. */
START_TEST(test_bytes_are_not_time)
{
	static const u32 n[] = {4, 93}, len[] = {1514, 66}, wire[] = {1538, 90};
	sim_time took[2];

	for (u32 i = 0; i < 2; i++) {
		struct wired w = {.nic = {.ring = 100, .rx_ring = 100},
				  .link_params = {.rate = 100000000}};

		wired_open(&w, 2);
		for (u32 k = 0; k < n[i]; k++)
			send(&w, 0, 1, len[i]);
		sim_run(w.lab.sim, SIM_SEC);
		took[i] = w.arrived[n[i] - 1];
		ck_assert_int_eq(took[i], n[i] * wire[i] * 80);
		wired_close(&w);
	}
	ck_assert_int_eq(took[1] * 100 / took[0], 136);
}
END_TEST

START_TEST(test_loss)
{
	struct wired w = {.nic = {.ring = 1000, .rx_ring = 64},
			  .link_params = {.rate = 1000000000, .loss = PROB_ONE / 4}};
	u32 n = 0;

	wired_open(&w, 2);
	for (u32 i = 0; i < 1000; i++) {
		send(&w, 0, 1, 1514);
		sim_run(w.lab.sim, w.lab.sim->now + SIM_MS);
		n += w.n_arrived;
		w.n_arrived = 0;
	}
	/* 750, standard deviation 14 */
	ck_assert_uint_ge(n, 700);
	ck_assert_uint_le(n, 800);
	wired_close(&w);
}
END_TEST

START_TEST(test_moderation)
{
	struct wired w = {.nic = {.ring = 16, .rx_ring = 16, .itr = 100 * SIM_US},
			  .link_params = {.rate = 1000000000}};

	wired_open(&w, 2);
	for (u32 i = 0; i < 12; i++)
		send(&w, 0, 1, 1514);
	sim_run(w.lab.sim, SIM_SEC);
	ck_assert_uint_eq(w.n_arrived, 12);
	/* The first at once, at 12.304 us; what comes in the next 100 us together. */
	ck_assert_int_eq(w.arrived[0], 12304);
	for (u32 i = 1; i < 9; i++)
		ck_assert_int_eq(w.arrived[i], 112304);
	ck_assert_int_eq(w.arrived[11], 212304);
	wired_close(&w);
}
END_TEST

START_TEST(test_full_ring)
{
	struct wired w = {.nic = {.ring = 4, .rx_ring = 64}, .link_params = {.rate = 1000000000}};

	wired_open(&w, 2);
	for (u32 i = 0; i < 20; i++)
		send(&w, 0, 1, 1514);
	ck_assert_uint_eq(w.devs[0]->queues[0].state, QUEUE_DRV_XOFF);
	ck_assert_uint_eq(w.devs[0]->queues[0].qdisc->qlen, 16);
	sim_run(w.lab.sim, SIM_SEC);
	/* Back to back all the while: the ring never ran dry. */
	ck_assert_uint_eq(w.n_arrived, 20);
	ck_assert_int_eq(w.arrived[19], 20 * 12304);
	ck_assert_uint_eq(w.devs[0]->queues[0].state, 0);
	wired_close(&w);
}
END_TEST

START_TEST(test_route_over_bridge)
{
	struct wired w = {.nic = {.ring = 8, .rx_ring = 8}, .link_params = {.rate = 100000000}};
	struct netdev *ends[2];

	wired_open(&w, 2);
	/* b has a second interface; c stands behind it. */
	w.hosts[2] = lab_host(&w.lab, "c", &w.host_params);
	ends[0] = lab_dev(&w.lab, w.hosts[1], "b2", &w.params);
	ends[1] = lab_dev(&w.lab, w.hosts[2], "c", &w.params);
	host_register(w.hosts[2], PROTO_UDP, &w.hosts[2]->obj, arrived);
	lab_link(&w.lab, "lan2", &w.link_params, &w.nic, ends, 2);
	network_route(w.lab.net);
	send(&w, 0, 2, 1514);
	sim_run(w.lab.sim, SIM_SEC);
	ck_assert_uint_eq(w.n_arrived, 1);
	ck_assert_int_eq(w.arrived[0], 2 * 123040);
	ck_assert_uint_eq(w.hosts[1]->forwarded, 1);
	/* Not over a host that does not forward. */
	w.host_params.forward = FORWARD_NONE;
	network_route(w.lab.net);
	send(&w, 0, 2, 1514);
	sim_run(w.lab.sim, 2 * SIM_SEC);
	ck_assert_uint_eq(w.n_arrived, 1);
	ck_assert_uint_eq(w.hosts[0]->unreachable, 1);
	wired_close(&w);
}
END_TEST

START_TEST(test_tables)
{
	ck_assert_uint_eq(era_number("2.6.32"), 20632);
	ck_assert_uint_eq(era_number("3.2"), 30200);
	ck_assert_uint_eq(era_number("6.18"), 61800);
	ck_assert_uint_eq(era_number("6"), 60000);
	ck_assert_uint_eq(era_number("six"), 0);
	ck_assert_uint_eq(era_number("6."), 0);
	ck_assert_uint_eq(tos_priority(0x00), 0);
	ck_assert_uint_eq(tos_priority(0x08), 2);
	ck_assert_uint_eq(tos_priority(0x10), 6);
	ck_assert_uint_eq(tos_priority(0x18), 4);
	ck_assert_uint_eq(tos_priority(0xb8), 4);
}
END_TEST

START_TEST(test_busy_share)
{
	static const char *const windows[] = {"duration: 2s\nwarmup: 1s\n",
					      "duration: 1537ms\nwarmup: 1519ms\n",
					      "duration: 1200ms\nwarmup: 1199ms\n"};

	for (u32 i = 0; i < 3; i++) {
		/* Packets of 45 segments take half a second: they span all of the window, or begin or end in it. */
		char *text = g_strdup_printf(
			"name: t\nkernel: \"6.1\"\n%s"
			"nodes:\n  a: {tcp: {initial_cwnd: 100, initial_rcv_wnd: 100}, interfaces: {eth0: {}}}\n"
			"  b: {tcp: {initial_rcv_wnd: 100}, interfaces: {eth0: {}}}\n"
			"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 1Mbit}\n"
			"traffic:\n  t: {model: tcp_bulk, from: a, to: b}\n"
			"  u: {model: udp_cbr, from: b, to: a, rate: 2Mbit}\n",
			windows[i]);
		struct outcome o = outcome_of(text);

		ck_assert(metric_of(&o, "lan.busy_share") == 1);
		outcome_clear(&o);
		g_free(text);
	}
}
END_TEST

CHECK_MAIN("ethernet", test_cable, test_switch, test_bytes_are_not_time, test_loss, test_moderation,
	   test_full_ring, test_route_over_bridge, test_tables, test_busy_share)
