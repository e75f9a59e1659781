/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the CPU time of a run went, for people and for programs (engine/profile.h). */
#ifndef WLANQ_REPORT_RUN_PROFILE_H
#define WLANQ_REPORT_RUN_PROFILE_H

#include <glib.h>
#include <jansson.h>

#include "engine/profile.h"

/* The profile as JSON: cpu_s, left_out_s, parts and events; the shares of each sum to 1 exactly. */
json_t *run_profile_json(const struct profile *p);

/* Appends the tables of what run_profile_json() gave. */
void run_profile_text(const json_t *profile, GString *out);

#endif
