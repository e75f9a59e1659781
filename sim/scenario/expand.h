/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep's runs: cases x axes x seeds, in the order of summary.csv's rows: by case, then by the axes (the
 * last one fastest), then by seed.
 */
#ifndef WLANQ_SCENARIO_EXPAND_H
#define WLANQ_SCENARIO_EXPAND_H

#include "scenario/scenario.h"

/* A combination of a case and a value for each axis. */
struct combo {
	int32_t kase; /* index in scenario.cases, -1: the scenario has none */
	uint32_t *values; /* n_axes indices into axes[].values */
	char *core; /* the core's name */
	char *params; /* canonical JSON of the parameters that are not default: compact, sorted */
	bool *matches; /* by selector id, see combo_matches() */
};

struct point {
	uint32_t combo;
	uint64_t seed;
};

struct expansion {
	const struct scenario *scenario;
	uint32_t n_combos;
	struct combo *combos;
	uint32_t n_points; /* n_combos x repeat */
	struct point *points;
};

/* Expansions beyond this many runs are an error. */
#define EXPAND_MAX 1000000

/*
 * All runs of the scenario. Every combination is bound once, so an impossible one is found here, with the
 * combination named. NULL when @errors got any.
 */
struct expansion *scenario_expand(const struct scenario *s, struct errors *errors);

/*
 * Makes the network of each case and of each value of each axis, the other axes at their first, and lets it go: what
 * only a whole network shows is found before anything is written. False with @errors at the first that cannot stand.
 */
bool expansion_try(const struct expansion *x, struct errors *errors);

void expansion_free(struct expansion *x);

/* The configuration of a run. NULL, with @errors, only if a model's check does not always say the same. */
struct config *point_bind(const struct expansion *x, uint32_t point, struct errors *errors);

/* Whether a row is one that @sel names. */
bool combo_matches(const struct expansion *x, uint32_t combo, const struct selector *sel);

/*
 * The canonical parameters of one run: an object, path -> value in canonical text (integers, booleans and
 * names as such), of everything that differs from its default, the names and models of nodes, links and
 * traffic, and the changes. Not in it: seed, repeat, core. A new reference.
 */
json_t *config_params(const struct config *c);

/* The value at a path as config_params() writes it, default or not; NULL when there is no such value. */
json_t *config_param(const struct config *c, const char *path);

#endif
