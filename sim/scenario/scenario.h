/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario file: read once, checked whole, then bound as often as there are runs. The scenario itself is
 * not changed by binding; any number of configs may be made from it.
 */
#ifndef WLANQ_SCENARIO_SCENARIO_H
#define WLANQ_SCENARIO_SCENARIO_H

#include "scenario/config.h"

/* The kernels that defaults are known for, old to new, NULL at the end. */
extern const char *const scenario_eras[];

/* The era of a scenario that names none. */
#define SCENARIO_KERNEL "6.1"

/* PATH=VALUE of a case, an axis or --set; VALUE is a tree of its own. */
struct override {
	const char *path;
	const struct node *value;
	struct place place;
};

struct scenario_case {
	const char *name;
	uint32_t n_overrides;
	struct override *overrides;
	struct place place;
};

struct scenario_axis {
	const char *path; /* "laptop.wlan0.ring", "sta.count", "core", "kernel" */
	uint32_t n_values;
	struct override *values;
	const char **text; /* the values as they were written, for columns and legends */
	struct place place;
};

/* `{cdf: ping.rtt_ms, by: laptop.wlan0.ring}` */
enum plot_kind { PLOT_CDF, PLOT_SERIES };

struct scenario_plot {
	enum plot_kind kind;
	const char *metric; /* base name of the metric, or of the probe */
	const char *by; /* an axis, "case" or NULL */
	const char *title; /* NULL: made from the metric */
	struct place place;
};

struct scenario_calibration {
	struct override set;
	const char *on; /* the row it was fitted to, as written */
	const char *on_case; /* the case named there, NULL: none */
	const char *because;
	int64_t sensitivity; /* 10^-6 of the value, to be varied up and down */
};

/* Which rows: a case, and parameters compared as parsed values. All must match. */
struct selector_key {
	const char *path;
	uint32_t n_values; /* any of them */
	const struct node *const *values;
	struct place place;
};

struct selector {
	uint32_t id; /* of the scenario's selectors, 0 .. n_selectors - 1 */
	const char *case_name; /* NULL: any */
	uint32_t n_keys;
	struct selector_key *keys;
};

enum expect_form { EXPECT_BETWEEN, EXPECT_WITHIN, EXPECT_FACTOR, EXPECT_SPREAD };
enum expect_over { OVER_MEAN, OVER_EACH, OVER_MEDIAN };
enum expect_as { AS_VALUE, AS_RATIO, AS_DIFFERENCE };

#define EXPECT_OPEN_LOW	 INT64_MIN
#define EXPECT_OPEN_HIGH INT64_MAX

/* Numbers are in 10^-6 of the metric's printed unit, or of a ratio. */
struct expect {
	enum expect_form form;
	const char *metric;
	struct selector at;
	enum expect_over over;
	bool has_versus;
	const char *versus_metric; /* the same as .metric unless another is named */
	struct selector versus;
	enum expect_as as;
	int64_t low, high; /* BETWEEN; EXPECT_OPEN_* where a side is .inf */
	int64_t tolerance; /* WITHIN, SPREAD: share (8% is 80000) */
	int64_t factor; /* FACTOR */
	bool has_reference; /* WITHIN, FACTOR: "8% of 2.80"; without it the other side is versus */
	int64_t reference;
	bool has_window;
	sim_time window_from, window_to; /* measured in this part of the run alone */
	const char *source;
	const char *text; /* the whole expectation as it was written, on one line */
	struct place place;
};

struct scenario {
	const char *file; /* as it was given */
	const char *folder; /* where includes may lie */
	const char *name, *about;
	uint64_t seed; /* the first */
	uint32_t repeat;
	uint32_t n_cases, n_axes, n_plots, n_expects, n_selectors;
	struct scenario_case *cases;
	struct scenario_axis *axes;
	struct scenario_plot *plots;
	struct scenario_calibration *calibration; /* NULL: none */
	struct expect *expects;
	const struct selector **selectors; /* of all expectations, by their id */
	struct scenario_priv *priv;
};

/*
 * Reads and checks a scenario against the models of @reg, with @sets ("PATH=VALUE", "case=NAME") from the
 * command line on top. Checked are the file itself, every case and every value of every axis. Returns NULL
 * when @errors got any. @reg must outlive the scenario.
 */
struct scenario *scenario_load(const char *file, const struct registry *reg,
			       const char *const *sets, uint32_t n_sets, struct errors *errors);

/* The same from memory; @file names it in errors, its folder holds includes. */
struct scenario *scenario_load_text(const char *text, size_t len, const char *file,
				    const struct registry *reg, const char *const *sets,
				    uint32_t n_sets, struct errors *errors);

void scenario_free(struct scenario *s);

/*
 * The configuration of one run: @kase is an index in cases or -1 (none, or the one that --set case= gave);
 * @values holds an index into each axis's values (one beyond them: that axis is not set), or is NULL. The run's seed is the scenario's
 * first. NULL when @errors got any.
 */
struct config *scenario_bind(const struct scenario *s, int32_t kase, const uint32_t *values,
			     struct errors *errors);

#endif
