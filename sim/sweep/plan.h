/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a sweep: a key for every row, and the manifest that tells it to later readers. */
#ifndef WLANQ_SWEEP_PLAN_H
#define WLANQ_SWEEP_PLAN_H

#include "sweep/store.h"
#include "sweep/sweep.h"

struct plan {
	const struct expansion *x;
	const struct sweep_options *opt;
	char (*keys)[STORE_KEY_MAX]; /* one a point */
	const char **core_files; /* one a combo */
	GPtrArray *wanted; /* names of metrics that cost extra, sorted, NULL at the end */
	GPtrArray *series; /* probes to be followed over time, the same */
	json_t *wanted_json; /* both, the series as "series NAME" */
};

void plan_init(struct plan *p, const struct expansion *x, const struct sweep_options *opt);
void plan_clear(struct plan *p);

/* A new reference; the same for every shard. */
json_t *plan_manifest(const struct plan *p);

/* The points of this shard, each key once. The caller frees it. */
uint32_t *plan_jobs(const struct plan *p, uint32_t *n);

/* Is the point's run in the store, whole, well ended, and with all that is wanted now? */
bool plan_done(const struct plan *p, const struct store *s, uint32_t point);

/* The name of a combo's case, "" when it has none. */
const char *plan_case(const struct plan *p, uint32_t combo);

#endif
