// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * compare-qdisc CORE.so CALLS
 * Claim: our fq_codel and codel decide as Linux's own files do, call by call.
 * Set-up: each with sets of options, in two simulations of one seed: ours, and the file of the tree that CORE was built
 * from. Both get the same drawn calls: packets of all sizes, 60 flows, ECN codes, dequeues, and time that passes from
 * nothing to minutes. Every 100,000 calls the load is another one.
 * Expected: the same answer of every enqueue, the same packet with the same ECN bits from every dequeue; the same
 * length, backlog, drops and tc's counters after every call.
 * Tolerance: none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/clock.h"
#include "engine/draw.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/core.h"
#include "scenario/scenario.h"

static const char *const subjects[][2] = {
	{"fq_codel", ""},
	{"fq_codel", ", limit: 60, flows: 16, target: 2ms, interval: 20ms, quantum: 300B"},
	{"fq_codel", ", memory_limit: 200kB, drop_batch: 4, ecn: false, flows: 3"},
	{"fq_codel", ", ce_threshold: 3ms, limit: 1000, target: 1ms, interval: 5ms"},
	{"fq_codel",
	 ", limit: 200, ce_threshold: 1ms, ce_threshold_selector: 1, ce_threshold_mask: 3"},
	{"codel", ""},
	{"codel", ", limit: 50, target: 1ms, interval: 10ms, ecn: true"},
	{"codel", ", limit: 300, target: 2ms, interval: 20ms, ce_threshold: 4ms"},
};

struct side {
	struct sim *sim;
	struct scenario *scenario;
	struct config *config;
	struct errors errors;
	struct qdisc *q;
	struct qdisc_dev dev;
	u32 made;
};

static int64_t tx_queue_len = 1000;

static void woken(void *up, u32 queue)
{
}

static void make(struct sim *sim, void *arg)
{
	struct side *s = arg;
	const struct netdev_params *par = s->config->nodes[0].interfaces[0].netdev->params;

	s->dev = (struct qdisc_dev){.mtu = 1500,
				    .hard_header_len = ETH_HLEN,
				    .tx_queue_len = &tx_queue_len,
				    .hz = 250,
				    .era = era_number("6.1"),
				    .n_queues = 1,
				    .wake = woken};
	s->q = qdisc_new(sim, &par->qdisc, NULL, &s->dev, NULL, NULL);
}

static void side_open(struct side *s, struct cores *cores, const char *core, const char *model,
		      const char *options)
{
	struct registry reg = models_builtin;
	char text[1024];
	int len = snprintf(text, sizeof(text),
			   "name: compare\ncore: %s\nduration: 1s\nnodes:\n"
			   "  a: {interfaces: {eth0: {driver: ethernet, qdisc: {model: %s%s}}}}\n"
			   "  b: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0]}\n",
			   core, model, options);

	reg.cores = cores;
	errors_init(&s->errors);
	s->scenario =
		scenario_load_text(text, (size_t)len, "compare.yaml", &reg, NULL, 0, &s->errors);
	s->config = s->scenario ? scenario_bind(s->scenario, -1, NULL, &s->errors) : NULL;
	if (!s->config) {
		fprintf(stderr, "%s", errors_text(&s->errors)->str);
		exit(1);
	}
	s->sim = sim_new(1);
	if (sim_call(s->sim, make, s)) {
		fprintf(stderr, "%s\n", s->sim->error);
		exit(1);
	}
}

static void side_close(struct side *s)
{
	sim_free(s->sim);
	config_free(s->config);
	scenario_free(s->scenario);
	errors_clear(&s->errors);
}

/* One call, the same for both sides. */
struct call {
	u32 what; /* 0: enqueue, 1: dequeue */
	u32 len, flow;
	u8 tos;
	s64 pass;
};

struct answer {
	u64 given; /* result, or packet and its ECN bits */
	u32 qlen, backlog;
	u64 drops, overlimits, dropped;
};

static struct call draw_call(struct draw *d, u64 n)
{
	/* of 16 calls so many enqueue; seen over 100,000 calls it fills, stands, drains and runs empty */
	static const u32 load[] = {11, 9, 8, 8, 7, 5};
	static const s64 steps[] = {0, 1000, 200000, 3000000, 30000000, 400000000};
	u64 bits = draw_bits(d->key, d->index++);
	u32 pace = (u32)(n / 100000 % 3), kind = (u32)(bits >> 40) & 63;
	struct call c = {0};
	s64 step = steps[kind < 20   ? 0
			 : kind < 40 ? 1
			 : kind < 61 ? 1 + pace
			 : kind < 63 ? 2 + pace
				     : 4];

	c.what = (bits & 15) >= load[n / 10000 % 6];
	c.pass = step ? (s64)draw_next_below(d, (u32)step) : 0;
	if (kind == 63 && (bits >> 46) % 100 == 0)
		c.pass *= 1000;
	c.len = bits >> 8 & 1 ? 1514 : 60 + (u32)(bits >> 16) % 1455;
	/* A few heavy flows among many. */
	c.flow = bits >> 9 & 1 ? (u32)(bits >> 50) & 3 : (u32)(bits >> 50) % 60;
	c.tos = (u8)(bits >> 57);
	return c;
}

struct play {
	struct side *s;
	const struct call *c;
	struct answer a;
};

static void play(struct sim *sim, void *arg)
{
	struct play *p = arg;
	struct qdisc *q = p->s->q;
	struct packet *pkt;

	sim->now += p->c->pass;
	kernel_clock.now_ns = sim->now;
	if (p->c->what) {
		pkt = qdisc_dequeue(q);
		p->a.given = pkt ? pkt->dgram.seq << 8 | pkt->skb.tos : 0;
		if (pkt) {
			qdisc_left(q, qdisc_len(pkt), pkt->since);
			packet_free(sim, pkt);
		}
	} else {
		pkt = packet_new(sim);
		pkt->proto = PROTO_UDP;
		pkt->dgram.seq = ++p->s->made;
		pkt->skb.len = p->c->len;
		pkt->skb.truesize = packet_truesize(pkt->skb.len);
		pkt->skb.hash = (u32)draw_bits(3, p->c->flow) | 1;
		pkt->skb.tos = p->c->tos;
		qdisc_set_len(pkt);
		p->a.given = (u64)qdisc_enqueue(q, pkt);
	}
	p->a.qlen = q->qlen;
	p->a.backlog = q->backlog;
	p->a.drops = q->drops;
	p->a.overlimits = q->overlimits;
	p->a.dropped = q->stat.dropped.packets;
}

static bool compare(struct cores *cores, const char *const subject[2], u64 calls)
{
	struct draw d;
	struct side ours, theirs;
	char name[32];
	bool same = true;
	u64 i;

	snprintf(name, sizeof(name), "linux.%s", subject[0]);
	memset(&ours, 0, sizeof(ours));
	memset(&theirs, 0, sizeof(theirs));
	side_open(&ours, cores, "builtin", subject[0], subject[1]);
	side_open(&theirs, cores, "tree", name, subject[1]);
	draw_init(&d, 11, subject[0], subject[1]);
	for (i = 0; i < calls && same; i++) {
		const struct call c = draw_call(&d, i);
		struct play a = {.s = &ours, .c = &c}, b = {.s = &theirs, .c = &c};

		if (sim_call(ours.sim, play, &a) || sim_call(theirs.sim, play, &b)) {
			printf("%s\n", *ours.sim->error ? ours.sim->error : theirs.sim->error);
			same = false;
		} else if (memcmp(&a.a, &b.a, sizeof(a.a))) {
			printf("%s%s: call %" PRIu64 " (%s) at %.9f s: given %" PRIx64
			       " and %" PRIx64 ", qlen %u and %u, backlog %u and %u, drops %" PRIu64
			       " and %" PRIu64 "\n",
			       subject[0], subject[1], i, c.what ? "dequeue" : "enqueue",
			       (double)ours.sim->now / 1e9, a.a.given, b.a.given, a.a.qlen,
			       b.a.qlen, a.a.backlog, b.a.backlog, a.a.drops, b.a.drops);
			same = false;
		}
	}
	if (same)
		printf("%s%s: %" PRIu64 " calls identical, %" PRIu64 " drops\n", subject[0],
		       subject[1], i, ours.q->drops);
	side_close(&ours);
	side_close(&theirs);
	return same;
}

int main(int argc, char **argv)
{
	struct cores *cores = cores_new(NULL);
	u64 calls = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	u32 n = sizeof(subjects) / sizeof(subjects[0]);
	bool same = true;

	if (!calls) {
		fprintf(stderr, "compare-qdisc CORE.so CALLS\n");
		return 2;
	}
	cores_add(cores, "tree", argv[1], NULL);
	for (u32 i = 0; i < n; i++)
		same = compare(cores, subjects[i], calls / n) && same;
	cores_free(cores);
	return same ? 0 : 1;
}
