/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_COMPILER_H
#define WLANQ_SHIM_LINUX_COMPILER_H

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* A run is one thread: nothing to keep in order, but what is read once stays read once. */
#define barrier()	 __asm__ __volatile__("" ::: "memory")
#define smp_wmb()	 barrier()
#define smp_rmb()	 barrier()
#define READ_ONCE(x)	 (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))

#endif
