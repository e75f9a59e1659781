/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter table and a probe table in words, for the terminal and the schema. */
#ifndef WLANQ_SCENARIO_SHOW_PARAM_H
#define WLANQ_SCENARIO_SHOW_PARAM_H

#include <glib.h>

#include "engine/model.h"

struct param_text {
	char *key; /* "corner.left", "steps[].at", "weights.NAME" */
	char *type; /* "time (ns us ms s min)", "one of red, green, blue" */
	char *def; /* "3; 10 from 3.2", "required", "" */
	char *range; /* "1 .. 64", "" */
	char *notes; /* "live, in Linux qlen" */
	const char *doc;
};

/* One entry for every parameter, those of structs, lists and maps included. Freed with the array. */
GArray *param_texts(const struct param *table);

/* The names of a probe's metrics: "rtt_ms.{min,mean,...}"; the caller frees it. */
char *probe_metrics(const struct probe *p);

/* "samples, per station" */
char *probe_kind(const struct probe *p);

/* The default in words: "3; 10 from 3.2"; the caller frees it. */
char *param_default_text(const struct param *p);

#endif
