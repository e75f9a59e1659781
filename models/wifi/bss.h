/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells (basic service sets): an access point with its stations, or stations among themselves. An air is one itself;
 * further ones share its channel, each a link of its own, so that routes lead through access points.
 */
#ifndef WLANQ_WIFI_BSS_H
#define WLANQ_WIFI_BSS_H

#include "packet/link.h"
#include "wifi/air.h"

extern const struct model_class wifi_cell_class;

extern const struct param_enum bss_modes[];

/* Of the tables of links that are cells: who is the access point. @params has .mode and .ap. */
#define BSS_PARAMS(params)                                                                \
	{.name = "mode",                                                                  \
	 .type = PARAM_ENUM,                                                              \
	 .flags = PARAM_STRUCTURAL,                                                       \
	 .offset = offsetof(params, mode),                                                \
	 .def = "infrastructure",                                                         \
	 .values = bss_modes,                                                             \
	 .doc = "with an access point or without"},                                       \
	{                                                                                 \
		.name = "ap", .type = PARAM_REF, .kind = &kind_interface,                 \
		.flags = PARAM_STRUCTURAL, .offset = offsetof(params, ap),                \
		.doc = "the access point's interface; without it the first member whose " \
		       "node has further interfaces, else the last"                       \
	}

/* The same: what each counts. @type has a struct bss .bss. */
#define BSS_PROBES(type)                                                                          \
	{.name = "beacons",                                                                       \
	 .unit = "",                                                                              \
	 .shape = PROBE_COUNTER,                                                                  \
	 .offset = offsetof(type, bss.beacons),                                                   \
	 .doc = "beacons sent"},                                                                  \
	{                                                                                         \
		.name = "beacon_delay_ms", .unit = "ms", .shape = PROBE_HISTOGRAM, .per = SIM_MS, \
		.offset = offsetof(type, bss.delay),                                              \
		.doc = "from the time that a beacon is due at to its start"                       \
	}

/* A member joins; as link_ops.join. */
void *bss_join(struct bss *bss, const struct link_member *m, char *err, size_t err_len);

/* A cell on @air, of which members can join. @wanted: the interface that is to be the access point; NULL: chosen. */
void bss_init(struct bss *bss, struct air *air, const struct object *link, bool adhoc,
	      const struct object *wanted);

/* All members are known: the access point is chosen. */
void bss_choose_ap(struct bss *bss);

/* Contention is set up: beacons begin, if the air has them. */
void bss_start(struct bss *bss);

#endif
