/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the probe tables of all objects to metrics and distributions.
 *
 * Names: OBJECT-PATH.PROBE[.AC][.STAT], with .sta.STATION behind the path for a station's. A queue NAME
 * (path and probe) gives NAME[.AC].packets.*, .bytes.* when asked for, .sojourn_ms.*; and what it
 * drops is counted as PREFIX.drops.QUEUE.CAUSE and PREFIX.drops, where NAME is PREFIX.QUEUE. Shares give
 * NAME.KEY for each key that was used.
 */
#ifndef WLANQ_MEASURE_METRICS_H
#define WLANQ_MEASURE_METRICS_H

#include <stdbool.h>

#include "engine/model.h"
#include "measure/anatomy.h"
#include "measure/micro.h"

/*
 * The measuring window opens and closes at sim->now: the probes' own first, then the objects' ops.
 * Between the close and the last look at the results nothing may run.
 */
void metrics_window_open(struct sim *sim);
void metrics_window_close(struct sim *sim);

/* Asks for what costs extra: @metric may name the bytes of a queue ("ap.wlan0.qdisc.bytes.mean"). */
void metrics_want(struct sim *sim, const char *metric);

struct metric {
	const char *name;
	int64_t micro; /* 10^-6 of the printed unit, METRIC_ABSENT when not defined */
};

struct metrics {
	struct metric *v; /* sorted by name, byte by byte */
	uint32_t n;
	struct metric_names *names; /* the memory of the names */
};

/*
 * Every metric of a window of @window ns, run.events and run.packets among them. Fails the run when
 * two have one name or when a measure that cannot be negative is. Call it inside sim_call().
 */
struct metrics *metrics_collect(struct sim *sim, sim_time window);
void metrics_free(struct metrics *m);

/* METRIC_ABSENT when there is none of that name. */
int64_t metrics_find(const struct metrics *m, const char *name);

struct distribution {
	const char *name; /* base name, "ping.rtt_ms" */
	bool exact; /* samples in order of time; else buckets by least value */
	uint64_t lost; /* samples that never came */
	uint32_t n;
	const int64_t *micro; /* values or least values, 10^-6 of the printed unit */
	const uint64_t *weight; /* of each bucket: a count, or ns of a gauge; NULL when exact */
};

/* Calls @fn for each distribution that is not empty, in order of name; all is valid in the call only. */
void metrics_distributions(struct sim *sim, void (*fn)(void *arg, const struct distribution *d),
			   void *arg);

/* Calls @fn for each anatomy, in the order of objects. */
void metrics_anatomies(struct sim *sim,
		       void (*fn)(void *arg, const char *name, const struct anatomy *a), void *arg);

/* Frees what the probes hold; before sim_free(), whose objects they lie in. */
void metrics_clear(struct sim *sim);

#endif
