/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_TREE_QDISC_H
#define WLANQ_TREE_QDISC_H

#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "shim.h"

/* An error for the user: what Linux said, or its errno in words. */
int seam_error(char *to, u32 len, const char *what, int err, const struct netlink_ext_ack *ack);

/*
 * The options as the nested attributes that `tc` would send, in a buffer of the caller; NULL with the error told when
 * @kind has no such option in this tree. Free it with kfree().
 */
struct nlattr *seam_options(const char *kind, bool is_class, const struct net_device *dev,
			    const struct seam_option *o, u32 n, char *err, u32 err_len);

/* Statistics of @q by its dump_stats(). */
u32 seam_qdisc_stats(struct Qdisc *q, struct seam_stat *out, u32 max);

#endif
