/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metrics that a configuration will give, from the probe tables of its models: what plots and
 * expectations may name.
 */
#ifndef WLANQ_SCENARIO_METRIC_NAMES_H
#define WLANQ_SCENARIO_METRIC_NAMES_H

#include "scenario/scenario.h"

/*
 * Names; a '*' stands for what only the run tells: a station, a cause of drops.
 */
struct metric_names {
	GPtrArray *full; /* "ping.rtt_ms.mean", "bulk.retransmits", "ap.wlan0.drops.ring.*" */
	GPtrArray *bases; /* what has a distribution: "ping.rtt_ms", "ap.wlan0.ring.packets" */
	GPtrArray *series; /* what can be followed over time (measure/series.h) */
	const char *group; /* whose names were added last */
	GPtrArray *open; /* "ap.wlan0.qdisc.*": a model that counts under names of its own */
};

void metric_names_init(struct metric_names *m, const struct config *c);
void metric_names_clear(struct metric_names *m);

/* Whether @name is one of @names, where '*' matches one or more characters. */
bool metric_name_known(const GPtrArray *names, const char *name);

/* The names in plots and expectations, to be looked for in every kind of row. The caller frees it. */
GArray *metrics_wanted(const struct scenario *s);
/* Marks those that @c measures. */
void metrics_look(GArray *wanted, const struct config *c);
/* Tells those that no row measures, with the nearest name of @c. */
void metrics_report(GArray *wanted, const struct config *c, struct errors *errors);

#endif
