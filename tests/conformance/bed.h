/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For rules over all registered models: what an interface of a given kernel has when a qdisc is chosen. */
#ifndef WLANQ_TESTS_CONFORMANCE_BED_H
#define WLANQ_TESTS_CONFORMANCE_BED_H

#include "check-main.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/config.h"
#include "scenario/core.h"
#include "scenario/scenario.h"

static const char *const bed_eras[] = {"6.1", "2.6.32", "3.2", "4.6"};
#define BED_ERAS (sizeof(bed_eras) / sizeof(bed_eras[0]))

/* A core's file: then the qdiscs under test are files of its tree, in place of those that are linked in. */
static inline const char *bed_core(void)
{
	return getenv("WLANQ_TEST_CORE");
}

/* Eras under test: a file of a tree has none. */
static inline u32 bed_eras_n(void)
{
	return bed_core() ? 1 : BED_ERAS;
}

/* A qdisc as the reader fills it in: all defaults, by era. */
struct bed {
	struct errors errors;
	struct scenario *scenario;
	struct config *config;
	struct slot slot; /* the qdisc */
	struct cores *cores;
	const struct netdev_params *netdev;
};

/* What the scenario says of a qdisc beside its name: where it must, or where its defaults do little. */
static inline const char *bed_options(const char *qdisc)
{
	static const char *const options[][2] = {
		{"tbf", ", rate: 5Mbit, limit: 30kB"},
		{"netem", ", delay: 3ms, jitter: 2ms, loss: 10%, limit: 30"},
		{"linux.tbf", ", rate: 5Mbit, burst: 1540B, limit: 30kB"},
		{"linux.netem", ", delay: 3ms, jitter: 2ms, loss: 10%, limit: 30"},
		{"linux.red", ", limit: 60kB, avpkt: 800B, ecn: true"},
		{"linux.cake", ", bandwidth: 50Mbit, memlimit: 40kB"},
		{"linux.fq", ", limit: 40, flow_limit: 20"},
		{"linux.fq_codel", ", limit: 40, target: 1ms, interval: 10ms, memory_limit: 30kB"},
		{"linux.codel", ", limit: 30, target: 1ms, interval: 10ms"},
		{"linux.pie", ", limit: 40, target: 2ms, tupdate: 4ms, ecn: true"},
		{"linux.sfq", ", limit: 40, perturb: 2s"},
		{"linux.htb",
		 ", default: 2, filters: [{dscp: 8, id: 3}], classes: [{id: 1, rate: 5Mbit}, "
		 "{id: 2, parent: 1, rate: 1Mbit, ceil: 5Mbit, child: linux.fq_codel}, "
		 "{id: 3, parent: 1, rate: 3Mbit}]"},
		{"linux.prio", ", children: [linux.codel]"},
	};

	for (u32 i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(qdisc, options[i][0]))
			return options[i][1];
	return "";
}

static inline void bed_open(struct bed *b, const char *qdisc, const char *era)
{
	char text[1024];
	struct registry reg = models_builtin;
	int len = snprintf(text, sizeof(text),
			   "name: bed\nkernel: \"%s\"\ncore: %s\nduration: 1s\n"
			   "nodes:\n"
			   "  a: {interfaces: {eth0: {driver: ethernet, qdisc: {model: %s%s}}}}\n"
			   "  b: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "links:\n"
			   "  lan: {model: ethernet, members: [a.eth0, b.eth0]}\n",
			   era, bed_core() ? "tested" : CORE_BUILTIN, qdisc, bed_options(qdisc));
	GString *told;

	b->cores = cores_new(NULL);
	reg.cores = b->cores;
	if (bed_core())
		cores_add(b->cores, "tested", bed_core(), NULL);
	errors_init(&b->errors);
	b->scenario = scenario_load_text(text, (size_t)len, "bed.yaml", &reg, NULL, 0, &b->errors);
	told = errors_text(&b->errors);
	ck_assert_msg(b->scenario != NULL, "%s", told->str);
	b->config = scenario_bind(b->scenario, -1, NULL, &b->errors);
	ck_assert_ptr_nonnull(b->config);
	g_string_free(told, TRUE);
	b->netdev = b->config->nodes[0].interfaces[0].netdev->params;
	b->slot = b->netdev->qdisc;
}

static inline void bed_close(struct bed *b)
{
	config_free(b->config);
	scenario_free(b->scenario);
	errors_clear(&b->errors);
	cores_free(b->cores);
}

/* Class @i of kind qdisc that can be enqueued to; NULL behind the last. */
static inline const struct model_class *bed_qdisc(u32 i)
{
	for (const struct model_class *const *c = models_builtin.classes; *c; c++)
		if ((*c)->kind == &kind_qdisc && !(*c)->tree_file == !bed_core() &&
		    ((const struct qdisc_ops *)(*c)->kind_ops)->enqueue && !i--)
			return *c;
	return NULL;
}

#endif
