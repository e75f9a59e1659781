/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_MATH64_H
#define WLANQ_SHIM_LINUX_MATH64_H

#include <linux/types.h>

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

/* Divides in place, gives the remainder. */
#define do_div(n, base)                          \
	({                                       \
		u32 __base = (base);             \
		u32 __rem = (u32)((n) % __base); \
		(n) /= __base;                   \
		__rem;                           \
	})

#endif
