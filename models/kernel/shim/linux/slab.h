/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_SHIM_LINUX_SLAB_H
#define WLANQ_SHIM_LINUX_SLAB_H

#include <stdlib.h>

#define GFP_KERNEL		 0
#define kvcalloc(n, size, flags) ((void)(flags), calloc(n, size))
#define kvfree(p)		 free(p)

#endif
