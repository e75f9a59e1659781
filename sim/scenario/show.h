/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands validate, models and schema print, as strings for the caller to free. */
#ifndef WLANQ_SCENARIO_SHOW_H
#define WLANQ_SCENARIO_SHOW_H

#include "scenario/scenario.h"

/* ---- validate ------------------------------------------------------------------------------ */

/*
 * The effective configuration: each value with its origin and place, and the size of each queue in packets,
 * bytes and milliseconds at its link's rate. @built is the network made from @c, or NULL: no queues then.
 */
GString *show_config(const struct scenario *s, const struct config *c, struct sim *built);

/*
 * {"format": 1, "scenario", "errors": [], "values": [{"path", "value", "origin", "file", "line"}], "queues":
 * [{"queue", "packets", "bytes", "ms"}]}; a new reference.
 */
json_t *show_config_json(const struct scenario *s, const struct config *c, struct sim *built);

/* The same for a scenario that is wrong: {"format": 1, "errors": [...]}. */
json_t *show_errors_json(const struct errors *e);

/* ---- models -------------------------------------------------------------------------------- */

/* Every model, by kind, one line each. */
GString *show_models(const struct registry *reg);

/*
 * The models called @name ("ethernet" is a link and a driver; "link/ethernet" is one of them): parameters with
 * type, default, range, the name in Linux; probes; source; what is not modelled. NULL, with the nearest name in
 * @errors, when there is none.
 */
GString *show_model(const struct registry *reg, const char *name, struct errors *errors);

/* ---- schema -------------------------------------------------------------------------------- */

/* JSON Schema, draft 2020-12, of the whole scenario format; a new reference. */
json_t *scenario_schema(const struct registry *reg);

#endif
