// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Our headers have the kernel's guards: read first, they are what every later #include means. */
#include "../include/linux/dynamic_queue_limits.h"
#include "soak-clock.h"
#include "../include/net/codel.h"
#include "../include/net/codel_impl.h"
#include "../include/net/fq.h"
#include "../include/net/fq_impl.h"

#define NAME(x) ours_##x
#include "soak-part.h"
