// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-flood.h"

#include <string.h>

#include "engine/clock.h"
#include "engine/draw.h"
#include "kernel/shim/loader.h"
#include "measure/metrics.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/bind.h"
#include "scenario/scenario.h"

#define SEED 1

/* What came out. */
struct result {
	uint32_t in, out; /* packets */
	uint32_t drops_in, drops_out; /* in enqueue and by timers, and in dequeue */
	uint32_t reset; /* packets that a reset dropped */
	uint32_t events; /* timers that fired */
	char error[512]; /* the rule that it broke; empty when none */
};

struct bench {
	struct sim *sim;
	const struct slot *slot;
	struct qdisc_dev dev;
	int64_t tx_queue_len;
	struct qdisc *q;
	struct draw draw;
	struct result *res;
	bool enqueue;
};

/* Of every 16 calls so many enqueue, and a call takes so long. */
static const struct phase {
	uint32_t calls, enqueues;
	sim_time each;
} phases[] = {
	{3000, 11, 100 * SIM_US},
	{3000, 8, SIM_MS},
	{4000, 0, 100 * SIM_US},
	{1000, 16, 100 * SIM_US},
};

static const char scenario_text[] =
	"name: core-flood\n"
	"duration: 1s\n"
	"core: %s\n"
	"nodes:\n"
	"  a: {interfaces: {eth0: {driver: ethernet, qdisc: {model: %s%s}}}}\n"
	"  b: {interfaces: {eth0: {driver: ethernet}}}\n"
	"links:\n"
	"  lan: {model: ethernet, members: [a.eth0, b.eth0]}\n";

/* Options without which Linux makes none. */
static const char *needed(const char *name)
{
	static const char *const list[][2] = {
		{"linux.tbf", ", rate: 50Mbit, burst: 10kB, limit: 300kB"},
		{"linux.red", ", limit: 300kB, avpkt: 1000B"},
		{"linux.htb",
		 ", default: 2, classes: [{id: 1, rate: 60Mbit}, {id: 2, parent: 1, rate: 50Mbit}]"},
		{"linux.netem", ", delay: 10ms, limit: 500"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(list); i++)
		if (!strcmp(list[i][0], name))
			return list[i][1];
	return "";
}

static void woken(void *up, u32 queue)
{
}

static void make(struct sim *sim, void *arg)
{
	struct bench *b = arg;

	b->q = qdisc_new(sim, b->slot, NULL, &b->dev, NULL, NULL);
}

static void put(struct bench *b)
{
	struct packet *p = packet_new(b->sim);
	uint32_t flow = draw_next_below(&b->draw, 24), before = b->q->qlen;

	p->proto = PROTO_UDP;
	p->src = flow;
	p->sport = (uint16_t)(1000 + flow);
	p->skb.len = draw_next_below(&b->draw, 3) ? 1514 : 60 + draw_next_below(&b->draw, 1455);
	p->skb.truesize = packet_truesize(p->skb.len);
	p->skb.hash = (flow + 1) * 0x9e3779b1u;
	p->skb.tos = (u8)draw_next_below(&b->draw, 3);
	qdisc_set_len(p);
	b->res->in++;
	qdisc_enqueue(b->q, p);
	b->res->drops_in += before + 1 - b->q->qlen;
}

static void get(struct bench *b)
{
	uint32_t before = b->q->qlen;
	struct packet *p = qdisc_dequeue(b->q);

	b->res->drops_out += before - b->q->qlen - !!p;
	if (!p)
		return;
	b->res->out++;
	qdisc_left(b->q, qdisc_len(p), p->since);
	packet_free(b->sim, p);
}

/* After each call the model itself compares what Linux says it holds with what it was given. */
static void one(struct sim *sim, void *arg)
{
	struct bench *b = arg;

	if (b->enqueue)
		put(b);
	else
		get(b);
}

static void finish(struct sim *sim, void *arg)
{
	struct bench *b = arg;

	b->res->reset = b->q->qlen;
	qdisc_reset(b->q);
	SIM_CHECK(sim, &b->q->obj, !b->q->qlen && !b->q->backlog,
		  "%u packets of %u bytes are left after a reset", b->q->qlen, b->q->backlog);
	objects_audit(sim);
}

/* False: it broke a rule. */
static bool drive(struct bench *b)
{
	struct sim *sim = b->sim;

	if (sim_call(sim, make, b))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(phases); i++) {
		for (uint32_t n = 0; n < phases[i].calls; n++) {
			uint32_t before = b->q->qlen;
			uint64_t events = sim->n_events;

			if (sim_run(sim, sim->now + phases[i].each))
				return false;
			b->res->events += (uint32_t)(sim->n_events - events);
			b->res->drops_in += before - b->q->qlen;
			kernel_clock.now_ns = sim->now;
			b->enqueue = draw_next_below(&b->draw, 16) < phases[i].enqueues;
			if (sim_call(sim, one, b))
				return false;
		}
	}
	return !sim_call(sim, finish, b);
}

static void flood(struct cores *cores, const struct core *core, const struct model_class *cls,
		  unsigned hz, struct result *res)
{
	const struct registry reg = {.classes = models_builtin.classes, .cores = cores};
	char *text = g_strdup_printf(scenario_text, core->name, cls->name, needed(cls->name));
	struct errors errors;
	struct scenario *sc;
	struct config *c = NULL;

	errors_init(&errors);
	sc = scenario_load_text(text, strlen(text), "core-flood.yaml", &reg, NULL, 0, &errors);
	if (sc)
		c = scenario_bind(sc, -1, NULL, &errors);
	if (c) {
		const struct bound_value *v = config_value(c, "a.eth0.qdisc", NULL);
		struct bench b = {
			.sim = sim_new(SEED), .slot = v->ptr, .tx_queue_len = 1000, .res = res};

		b.dev = (struct qdisc_dev){.mtu = 1500,
					   .hard_header_len = ETH_HLEN,
					   .tx_queue_len = &b.tx_queue_len,
					   .hz = hz,
					   .era = era_number("6.1"),
					   .n_queues = 1,
					   .wake = woken};
		draw_init(&b.draw, SEED, cls->name, "core-flood");
		if (!drive(&b))
			g_strlcpy(res->error, b.sim->error, sizeof(res->error));
		metrics_clear(b.sim);
		sim_free(b.sim);
		config_free(c);
	} else {
		GString *told = errors_text(&errors);

		g_strlcpy(res->error, g_strchomp(told->str), sizeof(res->error));
		g_string_free(told, TRUE);
	}
	if (sc)
		scenario_free(sc);
	errors_clear(&errors);
	g_free(text);
}

static bool tell(const char *name, const struct result *r, GString *told)
{
	g_string_append_printf(told, "  %-10s %5u = %5u + %5u %5u %5u %6u\n",
			       name + strlen("linux."), r->in, r->out, r->drops_in, r->drops_out,
			       r->reset, r->events);
	if (*r->error)
		g_string_append_printf(told, "self-test of %s FAILED: %s\n", name, r->error);
	return !*r->error;
}

unsigned core_flood(struct cores *cores, const struct core *core, GString *told)
{
	unsigned n = 0, failed = 0;

	for (guint i = 0; core->libraries && i < core->libraries->len; i++) {
		const struct linux_library *lib = core->libraries->pdata[i];

		for (const struct model_class *const *p = models_builtin.classes; *p; p++) {
			struct result res = {0};

			if (!(*p)->tree_file || strcmp((*p)->kind->name, "qdisc") ||
			    !linux_library_has(lib, (*p)->tree_file))
				continue;
			if (!n++)
				g_string_append(
					told,
					"self-test of kind qdisc, packets: in = out + dropped "
					"entering, leaving, by reset; timers\n");
			flood(cores, core, *p, lib->core->hz, &res);
			failed += !tell((*p)->name, &res, told);
		}
	}
	return failed;
}
