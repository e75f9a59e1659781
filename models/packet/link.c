// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/link.h"

const struct model_kind kind_link = {.name = "link", .doc = "what interfaces are joined by"};
const struct model_kind kind_interface = {.name = "interface", .doc = "a network interface"};
