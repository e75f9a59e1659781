/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_BUG_H
#define WLANQ_SHIM_LINUX_BUG_H

#include <asm/bug.h>

#endif
