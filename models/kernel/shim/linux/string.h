/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_STRING_H
#define WLANQ_SHIM_LINUX_STRING_H

#include <string.h>

#endif
