/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lines are not shared between CPUs here: fields that belong together stay together. */
#ifndef WLANQ_SHIM_LINUX_CACHE_H
#define WLANQ_SHIM_LINUX_CACHE_H

#define ____cacheline_aligned_in_smp

#endif
