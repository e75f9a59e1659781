// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/link.h"

const struct model_kind kind_link = {.name = "link", .doc = "What interfaces are joined by."};
const struct model_kind kind_interface = {.name = "interface", .doc = "A network interface."};
