// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-test.h"

#include <string.h>

#include "engine/clock.h"
#include "engine/draw.h"
#include "engine/pool.h"
#include "mac80211/txq.h"
#include "measure/metrics.h"
#include "net/bql.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/bind.h"
#include "scenario/scenario.h"

/* Draws are the same for every core: the key depends on the model alone. */
#define TEST_SEED 1

/* One model under test. */
struct bench {
	struct sim *sim;
	const struct slot *slot;
	struct draw draw;
	uint64_t *answers; /* CORE_TEST_CALLS */
	uint32_t calls;
	uint32_t held, held_bytes; /* what must be in the queue */
	struct qdisc_dev dev;
	int64_t tx_queue_len;
};

/* Interfaces of both media, with a qdisc to be named, all else default. */
static const char scenario_text[] =
	"name: core-test\n"
	"duration: 1s\n"
	"core: %s\n"
	"nodes:\n"
	"  a: {interfaces: {eth0: {driver: ethernet, bql: dql, qdisc: {model: %s}}}}\n"
	"  b: {interfaces: {eth0: {driver: ethernet}}}\n"
	"  c: {interfaces: {wlan0: {driver: ath9k}}}\n"
	"  d: {interfaces: {wlan0: {driver: ath9k}}}\n"
	"links:\n"
	"  lan: {model: ethernet, members: [a.eth0, b.eth0]}\n"
	"  air: {model: wifi, standard: 11n, members: [c.wlan0, d.wlan0]}\n";

/* Small steps mostly, seconds now and then. */
static void pass_time(struct bench *b)
{
	static const sim_time most[] = {0, 1000000, 20000000, 3 * SIM_SEC};
	uint32_t kind = draw_next_below(&b->draw, 64);
	sim_time step = most[kind < 40 ? 1 : kind < 60 ? 2 : kind < 63 ? 0 : 3];

	step = step ? draw_next_below(&b->draw, (uint32_t)step) : 0;
	b->sim->now += step;
	kernel_clock.now_ns = b->sim->now;
}

static void answer(struct bench *b, uint64_t value)
{
	b->answers[b->calls++] = value;
}

/* ---- qdiscs --------------------------------------------------------------------------------- */

static void packet_gone(struct sk_buff *skb)
{
	struct bench *b = skb->sk;

	b->held--;
	b->held_bytes -= qdisc_len(packet_of(skb));
}

static struct packet *arrival(struct bench *b)
{
	struct packet *p = packet_new(b->sim);

	p->skb.len = draw_next_below(&b->draw, 3) ? 1514 : 60 + draw_next_below(&b->draw, 1455);
	p->skb.truesize = packet_truesize(p->skb.len);
	p->skb.hash = draw_next_below(&b->draw, 24) * 0x9e3779b1u;
	p->skb.tos = (u8)draw_next_below(&b->draw, 3);
	p->skb.sk = b;
	p->skb.destructor = packet_gone;
	qdisc_set_len(p);
	b->held++;
	b->held_bytes += qdisc_len(p);
	return p;
}

static void get(struct bench *b, struct qdisc *q)
{
	struct packet *p = qdisc_dequeue(q);

	answer(b, p ? p->id << 8 | p->skb.tos : 0);
	if (p) {
		qdisc_left(q, qdisc_len(p), p->since);
		packet_free(b->sim, p);
	}
}

static void drive_qdisc(struct sim *sim, void *arg)
{
	struct bench *b = arg;
	struct qdisc *q;

	b->tx_queue_len = 1000;
	b->dev = (struct qdisc_dev){.mtu = 1500,
				    .hard_header_len = ETH_HLEN,
				    .tx_queue_len = &b->tx_queue_len,
				    .hz = 250,
				    .era = era_number("6.1"),
				    .n_queues = 1};
	q = qdisc_new(sim, b->slot, NULL, &b->dev, NULL, NULL);
	while (b->calls < CORE_TEST_CALLS) {
		/* It fills, stands, drains and runs empty. */
		static const uint32_t load[] = {11, 8, 8, 6};

		pass_time(b);
		if (draw_next_below(&b->draw, 16) < load[b->calls / 500 % 4])
			answer(b, (uint64_t)qdisc_enqueue(q, arrival(b)));
		else
			get(b, q);
		SIM_CHECK(sim, &q->obj, q->qlen == b->held && q->backlog == b->held_bytes,
			  "call %u: holds %u packets of %u bytes and says %u of %u", b->calls,
			  b->held, b->held_bytes, q->qlen, q->backlog);
	}
	qdisc_reset(q);
	SIM_CHECK(sim, &q->obj, !b->held && !q->qlen && !q->backlog,
		  "%u packets are left after a reset", b->held);
	objects_audit(sim);
}

/* ---- station queues ------------------------------------------------------------------------- */

#define TINS 6

static void drive_txq(struct sim *sim, void *arg)
{
	struct bench *b = arg;
	struct object *obj = object_from_slot(sim, b->slot, NULL);
	const struct txq_ops *ops = obj->cls->kind_ops;
	struct txq_tin *tins[TINS];

	ops->attach(obj, 250, false);
	for (uint32_t i = 0; i < TINS; i++)
		tins[i] = ops->tin_new(obj, i % AC_COUNT);
	while (b->calls < CORE_TEST_CALLS) {
		static const uint32_t load[] = {11, 8, 8, 6};
		uint32_t i = draw_next_below(&b->draw, TINS), held = 0;
		struct packet *p;

		pass_time(b);
		if (draw_next_below(&b->draw, 16) < load[b->calls / 2000 % 4]) {
			ops->enqueue(obj, tins[i], arrival(b));
			answer(b, b->held);
		} else if (draw_next_below(&b->draw, 1000)) {
			/* the odd ones are slow stations */
			p = ops->dequeue(obj, tins[i], i % 2);
			answer(b, p ? p->id << 8 | p->skb.tos : 0);
			if (p)
				packet_free(sim, p);
		} else {
			ops->flush(obj, tins[i]);
			answer(b, b->held);
		}
		for (i = 0; i < TINS; i++)
			held += ops->packets(tins[i]);
		SIM_CHECK(sim, obj, held == b->held, "call %u: holds %u packets and says %u",
			  b->calls, b->held, held);
	}
	for (uint32_t i = 0; i < TINS; i++)
		ops->flush(obj, tins[i]);
	SIM_CHECK(sim, obj, !b->held, "%u packets are left after a flush", b->held);
	objects_audit(sim);
}

/* ---- byte queue limits ---------------------------------------------------------------------- */

static void drive_limit(struct sim *sim, void *arg)
{
	struct bench *b = arg;
	struct object *obj = object_from_slot(sim, b->slot, NULL);
	const struct bql_ops *ops = obj->cls->kind_ops;

	ops->attach(obj, 250);
	while (b->calls < CORE_TEST_CALLS) {
		pass_time(b);
		if (ops->avail(obj) >= 0 && draw_next_below(&b->draw, 4)) {
			uint32_t bytes = draw_next_below(&b->draw, 3) ? 1514 : 66;

			answer(b, ops->sent(obj, bytes));
			b->held_bytes += bytes;
		} else {
			uint32_t bytes = draw_next_below(&b->draw, 2)
						 ? b->held_bytes
						 : draw_next_below(&b->draw, b->held_bytes + 1);

			answer(b, ops->completed(obj, bytes));
			b->held_bytes -= bytes;
		}
		if (b->calls < CORE_TEST_CALLS)
			answer(b, (uint64_t)(int64_t)ops->avail(obj));
	}
	while (b->held_bytes) {
		SIM_CHECK(sim, obj, b->held_bytes <= INT32_MAX, "no bytes");
		ops->completed(obj, b->held_bytes);
		b->held_bytes = 0;
	}
	SIM_CHECK(sim, obj, ops->avail(obj) >= 0, "stopped, though nothing is in flight");
}

/* ---- both cores ----------------------------------------------------------------------------- */

struct subject {
	const struct model_class *cls;
	const char *path; /* of the slot that it is in */
	void (*drive)(struct sim *sim, void *arg);
};

/* The answers of @s under the core @name. False, with @res->error, when it broke a rule. */
static bool drive(struct cores *cores, const char *name, const struct subject *s, uint64_t *answers,
		  struct core_test_result *res)
{
	const struct registry reg = {.classes = models_builtin.classes, .cores = cores};
	bool is_qdisc = !strcmp(s->cls->kind->name, "qdisc");
	char *text = g_strdup_printf(scenario_text, name, is_qdisc ? s->cls->name : "pfifo");
	struct errors errors;
	struct scenario *sc;
	struct config *c = NULL;
	bool ok = false;

	errors_init(&errors);
	sc = scenario_load_text(text, strlen(text), "core-test.yaml", &reg, NULL, 0, &errors);
	if (sc)
		c = scenario_bind(sc, -1, NULL, &errors);
	if (c) {
		const struct bound_value *v = config_value(c, s->path, NULL);
		struct bench b = {.sim = sim_new(TEST_SEED), .slot = v->ptr, .answers = answers};

		draw_init(&b.draw, TEST_SEED, s->cls->name, "core-test");
		ok = !sim_call(b.sim, s->drive, &b);
		if (!ok)
			g_strlcpy(res->error, b.sim->error, sizeof(res->error));
		metrics_clear(b.sim);
		sim_free(b.sim);
		config_free(c);
	} else {
		GString *told = errors_text(&errors);

		g_strlcpy(res->error, told->str, sizeof(res->error));
		g_string_free(told, TRUE);
	}
	if (sc)
		scenario_free(sc);
	errors_clear(&errors);
	g_free(text);
	return ok;
}

static struct core_test_result compare(struct cores *cores, const struct core *core,
				       const struct subject *s)
{
	uint64_t *theirs = g_new(uint64_t, CORE_TEST_CALLS),
		 *ours = g_new(uint64_t, CORE_TEST_CALLS);
	struct core_test_result res = {
		.kind = s->cls->kind->name,
		.name = s->cls->name,
		.calls = CORE_TEST_CALLS,
		.differs_at = CORE_TEST_CALLS,
	};

	if (drive(cores, core->name, s, theirs, &res) &&
	    drive(cores, CORE_BUILTIN, s, ours, &res)) {
		uint32_t i = 0;

		while (i < CORE_TEST_CALLS && theirs[i] == ours[i])
			i++;
		res.differs_at = i;
	}
	g_free(ours);
	g_free(theirs);
	return res;
}

static bool subject_of(const struct model_class *cls, struct subject *s)
{
	s->cls = cls;
	if (!strcmp(cls->kind->name, "txq")) {
		s->path = "c.wlan0.mac80211.txq";
		s->drive = drive_txq;
		return true;
	}
	if (!strcmp(cls->kind->name, "qdisc")) {
		s->path = "a.eth0.qdisc";
		s->drive = drive_qdisc;
		return true;
	}
	s->path = "a.eth0.bql";
	s->drive = drive_limit;
	return !strcmp(cls->kind->name, "queue_limit");
}

GArray *core_test(struct cores *cores, const struct core *core)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct core_test_result));

	for (const struct model_class *const *p = core->classes; p && *p; p++) {
		struct core_test_result res;
		struct subject s;

		if (!subject_of(*p, &s))
			continue;
		res = compare(cores, core, &s);
		g_array_append_val(out, res);
	}
	return out;
}
