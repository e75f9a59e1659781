/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Congestion controls that are files of a Linux tree, run as they stand (kernel/shim/seam.h): classes "linux.cubic" and
 * so on, whose functions are the file's. `core` names the tree.
 */
#ifndef WLANQ_TRANSPORT_TCP_LINUX_H
#define WLANQ_TRANSPORT_TCP_LINUX_H

#include "engine/model.h"

struct tcp_sock;

/* Puts the file behind @sk, whose ca_ops it sets. A core of another HZ than the node's ends the run. */
void tcp_linux_attach(struct tcp_sock *sk, const struct model_class *cls);
/* The socket is closed: it is released there. Nothing where no file stands behind it. */
void tcp_linux_detach(struct tcp_sock *sk);

extern const struct model_class linux_reno_class, linux_cubic_class, linux_bbr_class,
	linux_bic_class, linux_westwood_class, linux_htcp_class, linux_highspeed_class,
	linux_hybla_class, linux_vegas_class, linux_nv_class, linux_scalable_class, linux_lp_class,
	linux_veno_class, linux_yeah_class, linux_illinois_class, linux_dctcp_class,
	linux_cdg_class;

#endif
