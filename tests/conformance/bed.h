/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For rules over all registered models: what an interface of a given kernel has when a qdisc is chosen. */
#ifndef WLANQ_TESTS_CONFORMANCE_BED_H
#define WLANQ_TESTS_CONFORMANCE_BED_H

#include "check-main.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/config.h"
#include "scenario/scenario.h"

static const char *const bed_eras[] = {"2.6.32", "3.2", "4.6", "6.1"};
#define BED_ERAS (sizeof(bed_eras) / sizeof(bed_eras[0]))

/* A qdisc as the reader fills it in: all defaults, by era. */
struct bed {
	struct errors errors;
	struct scenario *scenario;
	struct config *config;
	struct slot slot; /* the qdisc */
	const struct netdev_params *netdev;
};

/* What the scenario says of a qdisc beside its name: where it must, or where its defaults do little. */
static inline const char *bed_options(const char *qdisc)
{
	static const char *const options[][2] = {
		{"tbf", ", rate: 5Mbit, limit: 30kB"},
		{"netem", ", delay: 3ms, jitter: 2ms, loss: 10%, limit: 30"},
	};

	for (u32 i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(qdisc, options[i][0]))
			return options[i][1];
	return "";
}

static inline void bed_open(struct bed *b, const char *qdisc, const char *era)
{
	char text[512];
	int len = snprintf(text, sizeof(text),
			   "name: bed\nkernel: \"%s\"\nduration: 1s\n"
			   "nodes:\n"
			   "  a: {interfaces: {eth0: {driver: ethernet, qdisc: {model: %s%s}}}}\n"
			   "  b: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "links:\n"
			   "  lan: {model: ethernet, members: [a.eth0, b.eth0]}\n",
			   era, qdisc, bed_options(qdisc));
	GString *told;

	errors_init(&b->errors);
	b->scenario = scenario_load_text(text, (size_t)len, "bed.yaml", &models_builtin, NULL, 0,
					 &b->errors);
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
}

/* Class @i of kind qdisc that can be enqueued to; NULL behind the last. */
static inline const struct model_class *bed_qdisc(u32 i)
{
	for (const struct model_class *const *c = models_builtin.classes; *c; c++)
		if ((*c)->kind == &kind_qdisc &&
		    ((const struct qdisc_ops *)(*c)->kind_ops)->enqueue && !i--)
			return *c;
	return NULL;
}

#endif
