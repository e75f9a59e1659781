/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a bound configuration to a network of models: hosts, interfaces with what stands below them, links,
 * routes, traffic and the timed changes.
 */
#ifndef WLANQ_SCENARIO_BUILD_H
#define WLANQ_SCENARIO_BUILD_H

#include "net/host.h"
#include "scenario/config.h"

struct build_change {
	struct event ev;
	struct build *build;
	const struct change *change;
};

struct build {
	struct sim *sim;
	struct config *config;
	struct network *net;
	struct build_change *changes; /* config->n_changes */
};

/*
 * Makes every object of @c in @sim, which is new. The objects read and write the config's parameter structs, so the
 * config must outlive the sim. Returns NULL when a model cannot stand where the scenario puts it; the reason is then
 * in @errors. Call it inside sim_call().
 */
struct build *build_network(struct sim *sim, struct config *c, struct errors *errors);

/* Frees the build and the network, not the sim or the config. */
void build_free(struct build *b);

#endif
