// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#define NAME(x) kernel_##x
#include "soak-part.h"
