/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The document of a run, runs/KEY.json:
 *
 *   {"format", "key", "version", "core", "core_files", "case", "seed", "status", "error"?, "params",
 *    "metrics": {"ping.rtt_ms.mean": 25.6, ...},
 *    "distributions": {"ping.rtt_ms": {"lost": 2, "samples": [...] | "buckets": [[low, count], ...]}},
 *    "anatomy": {"ping": {"count", "mean_ms": {"ring": 3, ...}, "slowest_ms": {...}}},
 *    "series": {"laptop.wlan0.ring.packets": [[seconds, value], ...]}, "wanted"?}
 *
 * A run that did not end well has "error" and no metrics.
 */
#ifndef WLANQ_SWEEP_RECORD_H
#define WLANQ_SWEEP_RECORD_H

#include <jansson.h>

#include "scenario/run.h"
#include "sweep/json-text.h"

/* What a run is called, whatever comes out of it. */
struct record_id {
	const char *key;
	const char *version; /* of the program */
	const char *core, *core_files;
	const char *kase; /* "" when the scenario has no cases */
	uint64_t seed;
	json_t *params; /* as config_params() gives them; borrowed */
};

/* The whole document, compact. @result may be NULL when @status is not "ok"; @error may be NULL when it is. */
void record_text(const struct record_id *id, const char *status, const char *error,
		 const struct run_result *result, const json_t *wanted, GString *out);

/* Its members from "status" on, in an object that is open; @distributions: with those. */
void record_members(struct json_text *t, const json_t *params, const char *status,
		    const char *error, const struct run_result *result, bool distributions);

/* {"anatomy": ...} of @result, a new reference. */
json_t *record_anatomy(const struct run_result *result);

#endif
