/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether declarations are sound: what a scenario's author should never have to find out. */
#ifndef WLANQ_SCENARIO_REGISTRY_CHECK_H
#define WLANQ_SCENARIO_REGISTRY_CHECK_H

#include "engine/model.h"
#include "scenario/error.h"

/*
 * Adds an error for each fault: a default that does not parse or is out of range under some kernel, eras that
 * are unknown or out of order, a key that is taken (by the format, by the interface that a driver shares its map
 * with, by a protocol that a node's map has), an offset outside of the struct, a type without what it needs, a
 * missing line of documentation, two classes or probes of one name. The place is "KIND/NAME".
 */
void registry_check(const struct registry *reg, struct errors *errors);

#endif
