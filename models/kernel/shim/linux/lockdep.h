/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_LOCKDEP_H
#define WLANQ_SHIM_LINUX_LOCKDEP_H

#define lockdep_assert_held(lock) ((void)(lock))

#endif
