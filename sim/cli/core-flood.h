/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the self-test of a core: do the tree's own qdiscs lose nothing, drop, keep time and empty themselves? */
#ifndef WLANQ_CLI_CORE_FLOOD_H
#define WLANQ_CLI_CORE_FLOOD_H

#include "scenario/core.h"

/*
 * Floods each linux.* qdisc of @core with twice what it may send, lets a queue stand, drains it, floods again and
 * resets; after every call packets and bytes must add up. A table in @told. Returns how many broke a rule.
 */
unsigned core_flood(struct cores *cores, const struct core *core, GString *told);

#endif
