// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/driver.h"

const struct model_kind kind_driver = {.name = "driver", .doc = "driver of an interface"};
