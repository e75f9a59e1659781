/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk over all probes of a run, shared by the files of measure/. */
#ifndef WLANQ_MEASURE_PROBES_H
#define WLANQ_MEASURE_PROBES_H

#include "engine/model.h"

/* One place where a probe measures: of an instance, a station, a category or both. */
struct probe_place {
	struct object *obj;
	const struct probe *probe;
	void *data; /* struct gauge and so on, by the probe's shape */
	const char *name; /* of the metrics; valid in the call only */
	const char *queue; /* the name without the category */
	/* Of a group: its objects, the first of which is .obj, and .data is of all; else n_members is 0. */
	struct object *const *members;
	uint32_t n_members;
};

typedef void (*probe_fn)(void *arg, const struct probe_place *place);

/* Calls @fn for each, in the order of objects, stations, table and category. */
void probes_each(struct sim *sim, probe_fn fn, void *arg);

/* The same without names: .name and .queue are NULL, and nothing is allocated. */
void probes_each_unnamed(struct sim *sim, probe_fn fn, void *arg);

/*
 * The same for what groups of objects have measured together, in the order of groups' first objects: .data is a
 * counter, histogram, samples or anatomy of all, for the call only. Gauges and queues have no sense of that kind.
 */
void groups_each(struct sim *sim, probe_fn fn, void *arg);

/* The value of a PROBE_VALUE or PROBE_JAIN over a window of @window ns, in 10^-6; METRIC_ABSENT: none. */
int64_t probe_value(const struct probe_place *place, sim_time window);

/* Calls @fn with the data of probe @name ("up.received_bytes") of each member of a group. Returns their number. */
uint32_t group_parts(struct sim *sim, const char *name, probe_fn fn, void *arg);

#endif
