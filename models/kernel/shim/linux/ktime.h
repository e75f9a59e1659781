/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The kernel's clocks are the run's clock. */
#ifndef WLANQ_SHIM_LINUX_KTIME_H
#define WLANQ_SHIM_LINUX_KTIME_H

#include <linux/math64.h>
#include <linux/types.h>

#include "engine/clock.h"

#define NSEC_PER_USEC 1000L
#define NSEC_PER_MSEC 1000000L
#define NSEC_PER_SEC  1000000000L

static inline u64 ktime_get_ns(void)
{
	return (u64)kernel_clock.now_ns;
}

#endif
