/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_EXPORT_H
#define WLANQ_SHIM_LINUX_EXPORT_H

#define EXPORT_SYMBOL(sym)     _Static_assert(1, #sym)
#define EXPORT_SYMBOL_GPL(sym) EXPORT_SYMBOL(sym)

#endif
