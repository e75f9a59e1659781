/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef WLANQ_TREE_CONG_H
#define WLANQ_TREE_CONG_H

#include "shim.h"

struct sock;

/* What the library has as __tcp_send_ack(). */
void seam_send_ack(struct sock *sk, u32 rcv_nxt);

/* Over the algorithms that tcp_ca_find() knows: here those of the library, in the lab's module those of a kernel. */
extern const struct seam_cong seam_cong_entries;

#endif
