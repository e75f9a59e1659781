/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * jiffies of the run's clock. As in the kernel the count starts five minutes before its low 32 bits
 * wrap, so that code which cannot stand the wrap shows it.
 */
#ifndef WLANQ_SHIM_LINUX_JIFFIES_H
#define WLANQ_SHIM_LINUX_JIFFIES_H

#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>

static inline unsigned long kernel_jiffies(void)
{
	u32 start = -300u * kernel_clock.hz;

	return start + (unsigned long)kernel_clock.now_ns * kernel_clock.hz / NSEC_PER_SEC;
}

#define jiffies kernel_jiffies()

static inline bool time_after(unsigned long a, unsigned long b)
{
	return (long)(b - a) < 0;
}

#define time_before(a, b)    time_after(b, a)
#define time_after_eq(a, b)  (!time_before(a, b))
#define time_before_eq(a, b) (!time_after(a, b))

#endif
