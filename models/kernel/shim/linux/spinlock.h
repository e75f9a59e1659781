/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A run is one thread: locks are there in name only. */
#ifndef WLANQ_SHIM_LINUX_SPINLOCK_H
#define WLANQ_SHIM_LINUX_SPINLOCK_H

#include <linux/lockdep.h>

typedef struct {
	char unused;
} spinlock_t;

#define spin_lock_init(lock) ((void)(lock))

#endif
