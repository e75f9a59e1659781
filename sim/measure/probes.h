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
};

typedef void (*probe_fn)(void *arg, const struct probe_place *place);

/* Calls @fn for each, in the order of objects, stations, table and category. */
void probes_each(struct sim *sim, probe_fn fn, void *arg);

#endif
