/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* All that is to be read before ktime_get_ns() becomes the run's own clock. */
#ifndef WLANQ_LAB_SOAK_CLOCK_H
#define WLANQ_LAB_SOAK_CLOCK_H

#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/inet_ecn.h>

static u64 soak_now;

#define ktime_get_ns() soak_now

#endif
