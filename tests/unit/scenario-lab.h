/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a scenario given as text and looks at its metrics. */
#ifndef WLANQ_TESTS_SCENARIO_LAB_H
#define WLANQ_TESTS_SCENARIO_LAB_H

#include "check-main.h"
#include "measure/metrics.h"
#include "registry.h"
#include "scenario/run.h"
#include "scenario/scenario.h"

struct outcome {
	struct run_result res;
};

/* The run must load, build and end well. */
static inline struct outcome outcome_with(const char *text, const struct run_options *opt)
{
	struct scenario *s;
	struct config *c;
	struct errors errors;
	struct outcome o;
	GString *told;

	errors_init(&errors);
	s = scenario_load_text(text, strlen(text), "lab.yaml", &models_builtin, NULL, 0, &errors);
	c = s ? scenario_bind(s, -1, NULL, &errors) : NULL;
	if (c)
		run_config(c, opt, &o.res, &errors);
	told = errors_text(&errors);
	ck_assert_msg(!errors_any(&errors), "%s", told->str);
	ck_assert_msg(!o.res.failed, "%s", o.res.error);
	g_string_free(told, TRUE);
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
	return o;
}

static inline struct outcome outcome_of(const char *text)
{
	const struct run_options opt = {.anatomy = true, .distributions = true};

	return outcome_with(text, &opt);
}

static inline void outcome_clear(struct outcome *o)
{
	run_result_clear(&o->res);
}

/* A metric that must be there. */
static inline double metric_of(const struct outcome *o, const char *name)
{
	int64_t micro = metrics_find(o->res.metrics, name);

	ck_assert_msg(micro != METRIC_ABSENT, "there is no %s", name);
	return (double)micro / MICRO;
}

static inline bool metric_absent(const struct outcome *o, const char *name)
{
	return metrics_find(o->res.metrics, name) == METRIC_ABSENT;
}

static inline const struct run_anatomy *anatomy_of(const struct outcome *o, const char *name)
{
	for (uint32_t i = 0; i < o->res.n_anatomies; i++)
		if (!strcmp(o->res.anatomies[i].name, name))
			return &o->res.anatomies[i];
	ck_abort_msg("there is no anatomy %s", name);
	return NULL;
}

#define ck_between(value, low, high)                                                             \
	do {                                                                                     \
		double v_ = (value);                                                             \
		ck_assert_msg(v_ >= (low) && v_ <= (high), "%s is %g, not %g .. %g", #value, v_, \
			      (double)(low), (double)(high));                                    \
	} while (0)

#endif
