// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/core-self.h"

#include <string.h>

#include "cli/core-flood.h"
#include "kernel/shim/loader.h"
#include "registry.h"
#include "scenario/run.h"
#include "scenario/scenario.h"

/* A network for a kind of models: %s stands for the model, the first %u for HZ. */
struct subject {
	const char *kind, *text;
	const char *metric; /* goodput */
	int64_t least; /* 10^-6 Mbit/s: what any such algorithm gets through */
};

/* Overflow of a queue, single losses, and a second in which a third is lost, so that timers run out. */
static const char senders[] =
	"name: self\ncore: core\nkernel: \"6.1\"\nduration: 12s\nwarmup: 1s\nnodes:\n"
	"  a: {hz: %1$u, interfaces: {eth0: {}}, tcp: {congestion: %2$s, ecn: 1}}\n"
	"  r: {hz: %1$u, forward: route, interfaces: {eth0: {}, eth1: {qdisc: {model: pfifo, limit: 40}, ring: 4}}}\n"
	"  b: {hz: %1$u, interfaces: {eth0: {}}, tcp: {congestion: %2$s, ecn: 1}}\n"
	"links:\n"
	"  fast: {model: ethernet, members: [a.eth0, r.eth0], rate: 1Gbit, delay: 1ms}\n"
	"  slow: {model: ethernet, members: [r.eth1, b.eth0], rate: 20Mbit, delay: 10ms, loss: 0.05%%}\n"
	"traffic:\n  bulk: {model: tcp_bulk, from: a, to: b, flows: 2}\n"
	"changes:\n  - {at: 6s, set: {slow.loss: 0.33}}\n  - {at: 7s, set: {slow.loss: 0}}\n";

static const char stations[] =
	"name: self\ncore: core\nkernel: \"6.1\"\nduration: 10s\nwarmup: 1s\nnodes:\n"
	"  sta: {count: 2, hz: %1$u, interfaces: {wlan0: {driver: ath9k, rate_control: {model: %2$s}}}}\n"
	"  ap: {hz: %1$u, interfaces: {wlan0: {driver: ath9k, rate_control: {model: %2$s}}}}\n"
	"links:\n  air: {model: wifi, standard: 11n, loss: 0.1, members: [sta*.wlan0, ap.wlan0]}\n"
	"traffic:\n  bulk: {model: udp_cbr, from: ap, to: sta*, rate: 40Mbit}\n"
	"changes:\n  - {at: 5s, set: {air.loss: 0.6}}\n  - {at: 6s, set: {air.loss: 0.1}}\n";

static const struct subject subjects[] = {
	{"congestion", senders, "bulk.goodput_mbit", 1000000},
	{"rate_control", stations, "bulk.goodput_mbit", 10000000},
};

/* One run; false with @error told. */
static bool run(struct cores *cores, const struct subject *sub, const char *model, unsigned hz,
		struct run_result *res, GString *error)
{
	struct registry reg = models_builtin;
	const struct run_options opt = {0};
	struct scenario *s;
	struct config *c;
	struct errors errors;
	char *text;

	/* The format is one of those above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	text = g_strdup_printf(sub->text, hz, model);
#pragma GCC diagnostic pop
	reg.cores = cores;
	memset(res, 0, sizeof(*res));
	errors_init(&errors);
	s = scenario_load_text(text, strlen(text), "self-test", &reg, NULL, 0, &errors);
	c = s ? scenario_bind(s, -1, NULL, &errors) : NULL;
	if (c)
		run_config(c, &opt, res, &errors);
	if (errors_any(&errors)) {
		GString *why = errors_text(&errors);

		g_string_append(error, why->str);
		g_string_free(why, TRUE);
	} else if (res->failed) {
		g_string_append(error, res->error);
	} else if (metrics_find(res->metrics, sub->metric) < sub->least) {
		g_string_append_printf(error, "next to nothing got through (%s)", sub->metric);
	}
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
	g_free(text);
	return !error->len;
}

/* Does our own model of that name, where there is one, come to the same? */
static void compare(struct cores *cores, const struct subject *sub, const char *name, unsigned hz,
		    const struct run_result *res, GString *same, GString *other)
{
	GString *error = g_string_new(NULL);
	struct run_result own;
	GString *to;

	if (run(cores, sub, name, hz, &own, error)) {
		to = metrics_find(own.metrics, sub->metric) ==
				     metrics_find(res->metrics, sub->metric)
			     ? same
			     : other;
		g_string_append_printf(to, "%s%s", to->len ? ", " : "", name);
	}
	run_result_clear(&own);
	g_string_free(error, TRUE);
}

static const struct linux_library *library_of(const struct core *core,
					      const struct model_class *cls)
{
	for (guint i = 0; core->libraries && cls->tree_file && i < core->libraries->len; i++)
		if (linux_library_has(core->libraries->pdata[i], cls->tree_file))
			return core->libraries->pdata[i];
	return NULL;
}

static bool built_in(const struct subject *sub, const char *name)
{
	for (const struct model_class *const *c = models_builtin.classes; *c; c++)
		if (!strcmp((*c)->kind->name, sub->kind) && !strcmp((*c)->name, name))
			return true;
	return false;
}

static unsigned test_kind(struct cores *cores, const struct core *core, const struct subject *sub,
			  GString *told)
{
	GString *same = g_string_new(NULL), *other = g_string_new(NULL);
	unsigned n = 0, failed = 0;

	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct linux_library *lib = library_of(core, *c);
		const char *name = (*c)->name + strlen("linux.");
		GString *error = g_string_new(NULL);
		struct run_result res;

		if (lib && !strcmp((*c)->kind->name, sub->kind)) {
			n++;
			if (!run(cores, sub, (*c)->name, lib->core->hz, &res, error)) {
				g_string_append_printf(told, "self-test of %s FAILED: %s\n",
						       (*c)->name, error->str);
				failed++;
			} else if (built_in(sub, name)) {
				compare(cores, sub, name, lib->core->hz, &res, same, other);
			}
			run_result_clear(&res);
		}
		g_string_free(error, TRUE);
	}
	if (n) {
		g_string_append_printf(told, "self-test of kind %s: %u of %u ran well", sub->kind,
				       n - failed, n);
		if (same->len)
			g_string_append_printf(told, "; as ours: %s", same->str);
		if (other->len)
			g_string_append_printf(told, "; not quite as ours: %s", other->str);
		g_string_append_c(told, '\n');
	}
	g_string_free(same, TRUE);
	g_string_free(other, TRUE);
	return failed;
}

unsigned core_self_test(const char *file, GString *told)
{
	struct cores *cores = cores_new(NULL);
	const struct core *core;
	unsigned failed = 0;

	cores_add(cores, "core", file, NULL);
	core = cores_get(cores, "core", NULL);
	if (core)
		failed = core_flood(cores, core, told);
	for (size_t i = 0; core && i < G_N_ELEMENTS(subjects); i++)
		failed += test_kind(cores, core, &subjects[i], told);
	cores_free(cores);
	return failed;
}
