/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Limits, comparisons and arithmetic that kernel code takes for granted. */
#ifndef WLANQ_SHIM_LINUX_KERNEL_H
#define WLANQ_SHIM_LINUX_KERNEL_H

#include_next <linux/kernel.h>

#include <errno.h>
#include <limits.h>

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/types.h>

#ifndef container_of
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#endif

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

#define typecheck(type, x)                  \
	({                                  \
		type __want;                \
		__typeof__(x) __have;       \
		(void)(&__want == &__have); \
		1;                          \
	})

#define min_t(type, a, b)                              \
	({                                             \
		type __min_a = (a);                    \
		type __min_b = (b);                    \
		__min_a < __min_b ? __min_a : __min_b; \
	})
#define max_t(type, a, b)                              \
	({                                             \
		type __max_a = (a);                    \
		type __max_b = (b);                    \
		__max_a > __max_b ? __max_a : __max_b; \
	})
#ifndef min
#define min(a, b) min_t(__typeof__(a), a, b)
#endif
#ifndef max
#define max(a, b) max_t(__typeof__(a), a, b)
#endif
#ifndef clamp
#define clamp(val, lo, hi) min_t(__typeof__(val), max_t(__typeof__(val), val, lo), hi)
#endif

#define clamp_t(type, val, lo, hi) min_t(type, max_t(type, val, lo), hi)

/* @val as a number below @ep_ro, where all of 32 bits is @ep_ro. */
static inline u32 reciprocal_scale(u32 val, u32 ep_ro)
{
	return (u32)(((u64)val * ep_ro) >> 32);
}

#endif
