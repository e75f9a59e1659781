/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What kernel code calls a bug ends the run. So does a warning: it means that an account is off. */
#ifndef WLANQ_SHIM_ASM_BUG_H
#define WLANQ_SHIM_ASM_BUG_H

#include <linux/compiler.h>

/* Says where on stderr and aborts; in models/kernel/bug.c. */
void kernel_bug(const char *file, int line, const char *what) __attribute__((noreturn, cold));

#define BUG_ON(cond)                                           \
	do {                                                   \
		if (unlikely(cond))                            \
			kernel_bug(__FILE__, __LINE__, #cond); \
	} while (0)

#define WARN_ON_ONCE(cond)    \
	({                    \
		BUG_ON(cond); \
		0;            \
	})
#define WARN_ON(cond) WARN_ON_ONCE(cond)

#endif
