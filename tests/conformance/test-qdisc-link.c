// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a qdisc over a real device never stalls: what it holds leaves as fast as the link takes it, at any
 * rate. Set-up: each registered qdisc on an interface with the plain driver, ring 4, over a cable of 1 kbit/s,
 * 100 Mbit/s and 100 Gbit/s, fed with bursts of up to 40 packets at drawn times.
 * Expected: while the qdisc holds a packet something is pending; while it holds one, its tx queue is open and
 * the link is idle, something is pending at the device's own behest, so that the end of all events finds it
 * empty; what was sent, dropped and delivered adds up.
 * Tolerance: none.
 */
#include "bed.h"
#include "engine/draw.h"
#include "net-lab.h"

#define BURSTS 60
/* All packets take less at 1 kbit/s. */
#define LONGEST (60000 * SIM_SEC)

struct wire {
	struct lab lab;
	struct sim *sim;
	struct host *hosts[2];
	struct netdev *devs[2];
	u64 made, arrived;
	struct event burst;
	u64 key, n_bursts;
};

static void arrived(void *arg, struct packet *p)
{
	struct host *h = arg;
	struct wire *w = h->obj.sim->trace_arg;

	w->arrived++;
	packet_free(h->obj.sim, p);
}

static void burst(struct sim *sim, struct event *ev)
{
	struct wire *w = container_of(ev, struct wire, burst);
	u32 n = 1 + draw_below(w->key, 3 * w->n_bursts, 40);
	sim_time gap = SIM_US << draw_below(w->key, 3 * w->n_bursts + 1, 24);

	for (u32 i = 0; i < n; i++) {
		struct packet *p = packet_new(sim);

		p->dst = 1;
		p->proto = PROTO_UDP;
		p->sport = (u16)draw_below(w->key, w->made, 5);
		p->header = 28;
		p->skb.len = 60 + draw_below(w->key, w->made, 1455);
		p->skb.truesize = packet_truesize(p->skb.len);
		p->skb.priority = draw_below(w->key, w->made, 8);
		w->made++;
		ip_output(w->hosts[0], p);
	}
	if (++w->n_bursts < BURSTS)
		event_schedule_in(sim, ev, gap);
}

static u64 dropped(const struct netdev *dev)
{
	return dev->queues[0].qdisc->stat.dropped;
}

static void never_stall(const struct model_class *cls, const char *era, int64_t rate)
{
	static const char *const names[] = {"a", "b"}, *const devs[] = {"a.eth0", "b.eth0"};
	struct wire w = {.lab = lab_new(), .key = draw_key(3, cls->name)};
	struct host_params hp = {.kernel = era, .hz = 250};
	struct lab_nic_params nic = {.ring = 4, .rx_ring = 64};
	struct lab_link_params lp = {.rate = rate};
	struct netdev_params np;
	const struct qdisc *q;
	struct bed b;

	bed_open(&b, cls->name, era);
	np = *b.netdev;
	np.txqueuelen = 20;
	w.sim = w.lab.sim;
	w.sim->trace_arg = &w;
	for (u32 i = 0; i < 2; i++) {
		w.hosts[i] = lab_host(&w.lab, names[i], &hp);
		w.devs[i] = lab_dev(&w.lab, w.hosts[i], devs[i], &np);
		host_register(w.hosts[i], PROTO_UDP, &w.hosts[i]->obj, arrived);
	}
	lab_link(&w.lab, "lan", &lp, &nic, w.devs, 2);
	network_route(w.lab.net);
	q = w.devs[0]->queues[0].qdisc;
	event_init(&w.burst, burst, RANK_TIMER);
	event_schedule(w.sim, &w.burst, 0);
	/* A qdisc with a clock of its own has always something pending. */
	while (w.sim->heap.n && (w.n_bursts < BURSTS || w.sim->packets->live)) {
		sim_run(w.sim, w.sim->heap.entries[0].time);
		ck_assert_msg(w.sim->now < LONGEST, "%s of %s stalls with %u packets", cls->name,
			      era, q->qlen);
		ck_assert_msg(!q->qlen || w.sim->heap.n, "%s of %s stalls with %u packets",
			      cls->name, era, q->qlen);
	}
	ck_assert_uint_eq(w.n_bursts, BURSTS);
	ck_assert_uint_eq(q->qlen, 0);
	ck_assert_uint_eq(q->backlog, 0);
	ck_assert_uint_eq(w.made, w.arrived + dropped(w.devs[0]));
	ck_assert_uint_eq(w.sim->packets->live, 0);
	ck_assert_uint_eq(objects_audit(w.sim), 0);
	ck_assert_uint_gt(w.arrived, 0);
	lab_free(&w.lab);
	bed_close(&b);
}

START_TEST(test_never_stalls)
{
	static const int64_t rates[] = {1000, 100000000, 100000000000};
	const struct model_class *cls;

	for (u32 n = 0; (cls = bed_qdisc(n)); n++)
		for (u32 e = 0; e < bed_eras_n(); e++)
			for (u32 r = 0; r < 3; r++)
				never_stall(cls, bed_eras[e], rates[r]);
}
END_TEST

CHECK_MAIN("qdisc-link", test_never_stalls)
