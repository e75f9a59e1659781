/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel time in ticks, for what is timed in jiffies. */
#ifndef WLANQ_MAC80211_JIFFIES_H
#define WLANQ_MAC80211_JIFFIES_H

#include "engine/sim.h"

#include <linux/types.h>

static inline int64_t jiffies_at(u32 hz, sim_time now)
{
	return now / (SIM_SEC / hz);
}

static inline sim_time jiffies_time(u32 hz, int64_t jiffies)
{
	return jiffies * (SIM_SEC / hz);
}

/*
 * The tick at which a timer for @expires comes, when it is set at tick @now. The wheel of Linux 4.8 and later never fires
 * early: it rounds up to the next slot, of 1, 8, 64 .. ticks from 63, 504, 4032 .. ticks on (kernel/time/timer.c of
 * 6.1). @old: the wheel before it, which is exact.
 */
static inline int64_t jiffies_timer(int64_t now, int64_t expires, bool old)
{
	int64_t delta = expires - now;
	u32 shift = 0;

	if (old)
		return expires > now ? expires : now + 1;
	if (delta < 0) { /* due already: the next tick */
		expires = now;
		delta = 0;
	}
	while (delta >= (int64_t)63 << shift && shift < 21)
		shift += 3;
	return ((expires >> shift) + 1) << shift;
}

#endif
