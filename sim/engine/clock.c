// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clock.h"

_Thread_local struct kernel_clock kernel_clock = {.hz = 250};
