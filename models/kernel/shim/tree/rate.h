/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_TREE_RATE_H
#define WLANQ_TREE_RATE_H

#include "shim.h"

/* Over the algorithm that registered itself. */
extern const struct seam_rc seam_rc_entries;

#endif
