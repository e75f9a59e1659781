/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock that kernel code reads. Linux's own files call ktime_get_ns() and read jiffies without
 * an argument; this thread-local, the only one in the program, is what they see. The engine sets now_ns
 * when it dispatches an event; whoever calls into kernel code sets hz to its node's.
 */
#ifndef WLANQ_ENGINE_CLOCK_H
#define WLANQ_ENGINE_CLOCK_H

#include <stdint.h>

struct kernel_clock {
	int64_t now_ns;
	uint32_t hz;
};

extern _Thread_local struct kernel_clock kernel_clock;

#endif
