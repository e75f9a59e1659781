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
 *
 * compare-qdisc trees CALLS CORE.so...
 * Claim: trees that are loaded at once know nothing of each other, and nothing is left of a run.
 * Set-up: each linux.* qdisc of each CORE, with timers; first one CORE after the other and the first one again, then all of
 * them in turn, a call each.
 * Expected: answers of a CORE are the same each time. Told: which COREs answer alike.
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
	p->a.dropped = q->stat.dropped;
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

/* ---- trees -------------------------------------------------------------------------------------- */

#define CORES_MAX 4

static const char *const tree_models[][2] = {
	{"codel", ", limit: 100"},
	{"fq_codel", ", limit: 300, memory_limit: 400kB"},
	{"pie", ", limit: 200, target: 5ms"},
	{"sfq", ", limit: 100, perturb: 2s"},
	{"cake", ", bandwidth: 20Mbit, memlimit: 200kB"},
	{"fq", ", limit: 300, flow_limit: 50"},
	{"red", ", limit: 200kB, avpkt: 1000B, ecn: true"},
	{"tbf", ", rate: 20Mbit, burst: 10kB, limit: 200kB"},
	{"htb", ", default: 2, classes: [{id: 1, rate: 20Mbit}, {id: 2, parent: 1, rate: 10Mbit}]"},
	{"netem", ", delay: 3ms, jitter: 2ms, loss: 10%, limit: 300"},
	{"prio", ", children: [linux.codel]"},
};

/* @n calls in turn before the cores @from to @to; the hashes of their answers in @hash. */
static bool drive(struct cores *cores, const char *const model[2], u32 from, u32 to, u64 n,
		  u64 *hash)
{
	struct side sides[CORES_MAX];
	char name[32], core[16];
	struct draw d;
	bool well = true;

	snprintf(name, sizeof(name), "linux.%s", model[0]);
	memset(sides, 0, sizeof(sides));
	for (u32 k = from; k < to; k++) {
		snprintf(core, sizeof(core), "core%u", k);
		side_open(&sides[k], cores, core, name, model[1]);
		hash[k] = 0;
	}
	draw_init(&d, 12, model[0], "");
	for (u64 i = 0; i < n && well; i++) {
		struct call c = draw_call(&d, i);
		s64 pass = c.pass < SIM_SEC ? c.pass : SIM_SEC;

		c.pass = 0;
		for (u32 k = from; k < to && well; k++) {
			struct sim *sim = sides[k].sim;
			struct play p = {.s = &sides[k], .c = &c};

			well = !sim_run(sim, sim->now + pass) && !sim_call(sim, play, &p);
			if (!well)
				printf("core%u, %s: %s\n", k, name, sim->error);
			hash[k] = draw_bits(hash[k] ^ p.a.given, p.a.qlen) ^ p.a.backlog;
			hash[k] = draw_bits(hash[k] ^ p.a.drops, p.a.overlimits) ^ p.a.dropped;
		}
	}
	for (u32 k = from; k < to; k++)
		side_close(&sides[k]);
	return well;
}

static bool trees(struct cores *cores, u32 n, u64 calls)
{
	bool same = true;

	for (u32 i = 0; i < sizeof(tree_models) / sizeof(tree_models[0]); i++) {
		u64 alone[CORES_MAX], again[CORES_MAX], at_once[CORES_MAX];
		bool well = true;

		for (u32 k = 0; k < n; k++)
			well = drive(cores, tree_models[i], k, k + 1, calls, alone) && well;
		well = drive(cores, tree_models[i], 0, 1, calls, again) && well;
		well = drive(cores, tree_models[i], 0, n, calls, at_once) && well;
		printf("%-8s", tree_models[i][0]);
		for (u32 k = 0; k < n && well; k++) {
			printf(" %016" PRIx64, alone[k]);
			if (alone[k] != at_once[k] || (!k && alone[k] != again[k])) {
				printf(" DIFFERS%s",
				       alone[k] != at_once[k] ? " at once" : " again");
				well = false;
			}
		}
		printf("\n");
		same = same && well;
	}
	return same;
}

int main(int argc, char **argv)
{
	bool all_trees = argc > 3 && !strcmp(argv[1], "trees");
	u64 calls = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	u32 n = sizeof(subjects) / sizeof(subjects[0]);
	struct cores *cores;
	char name[16];
	bool same = true;

	if (!calls || (all_trees && argc > 3 + CORES_MAX)) {
		fprintf(stderr, "compare-qdisc CORE.so CALLS | trees CALLS CORE.so...\n");
		return 2;
	}
	cores = cores_new(NULL);
	if (all_trees) {
		for (int i = 3; i < argc; i++) {
			snprintf(name, sizeof(name), "core%d", i - 3);
			cores_add(cores, name, argv[i], NULL);
		}
		same = trees(cores, (u32)argc - 3, calls);
	} else {
		cores_add(cores, "tree", argv[1], NULL);
		for (u32 i = 0; i < n; i++)
			same = compare(cores, subjects[i], calls / n) && same;
	}
	cores_free(cores);
	return same ? 0 : 1;
}
