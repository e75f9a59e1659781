/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* For files of trees from 6.9 on, whose queue limits look for stalls. */
#ifndef WLANQ_SHIM_LINUX_BITOPS_H
#define WLANQ_SHIM_LINUX_BITOPS_H

#include <linux/bitmap.h>
#include <linux/jiffies.h>

#define BIT_MASK(bit) (1UL << ((bit) % BITS_PER_LONG))

static inline bool test_bit(unsigned long bit, const unsigned long *map)
{
	return map[bit / BITS_PER_LONG] & BIT_MASK(bit);
}

#endif
