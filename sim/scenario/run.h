/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One simulated run: from a configuration to its metrics. Runs share nothing; any number may be made one after the
 * other in a process.
 */
#ifndef WLANQ_SCENARIO_RUN_H
#define WLANQ_SCENARIO_RUN_H

#include "measure/metrics.h"
#include "measure/series.h"
#include "scenario/config.h"

struct run_options {
	/* The measuring window; to = 0: from the configuration's warm-up to its end. */
	sim_time from, to;
	/* Metrics whose making costs extra (bytes of queues), by name; others are always there. */
	const char *const *wanted;
	uint32_t n_wanted;
	/* Probes to be followed over time (measure/series.h), by name. */
	const char *const *series;
	uint32_t n_series;
	bool distributions; /* fill in .distributions */
	bool anatomy; /* fill in .anatomies */
	/* The folder of captures (scenario/captures.h), NULL: none; bytes kept of a frame as in measure/capture.h. */
	const char *pcap;
	uint32_t snaplen;
	/* The process ends after this run: its objects are left to the system, which takes them all at once. */
	bool leave;
	bool eager; /* nothing is put off (engine/lazy.h); results are the same, as a test claims */
	bool profile; /* fill in .profile; the run takes longer, its results are the same */
};

struct run_distribution {
	char *name; /* base name of the metric, "ping.rtt_ms" */
	bool exact; /* samples in order of time; else buckets */
	uint64_t lost; /* samples that never came */
	uint32_t n;
	int64_t *micro; /* values, or least values of buckets, in 10^-6 of the printed unit */
	uint64_t *weight; /* of buckets; NULL when exact */
};

/* A probe over time, at some RUN_STEPS points or at each sample's time. */
#define RUN_STEPS 1000

struct run_series {
	char *name;
	uint32_t n;
	struct series_point *points;
};

/* Where the delay of a flow comes from, ns. */
struct run_anatomy {
	char *name; /* "ping" */
	uint32_t n; /* parts */
	const char *const *parts; /* their names, constant */
	uint64_t count; /* packets */
	int64_t *mean, *slowest; /* by part: over all packets, and over the slowest 5 % */
	int64_t mean_total, slowest_total;
};

struct run_result {
	bool failed; /* an invariant broke; .error says which, nothing else is filled in */
	char error[512];
	uint64_t events;
	uint64_t late; /* of them, put off (engine/lazy.h) */
	struct metrics *metrics;
	uint32_t n_distributions, n_anatomies, n_series;
	struct run_distribution *distributions; /* by name */
	struct run_anatomy *anatomies;
	struct run_series
		*series; /* those of run_options.series that the run has, in their order */
	struct profile *profile; /* what the time went to; NULL: was not asked for */
};

/*
 * Runs @c with its own seed. Returns 0 when it ran (see res->failed), -1 when it could not be built; the reasons are
 * then in @errors. @c is used up: its parameters may have been changed by the run.
 */
int run_config(struct config *c, const struct run_options *opt, struct run_result *res,
	       struct errors *errors);

void run_result_clear(struct run_result *res);

#endif
