/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wire's frame tap: each frame as a member sends it, without FCS, also one that is lost on its way. */
#ifndef WLANQ_NET_ETHERNET_TAP_H
#define WLANQ_NET_ETHERNET_TAP_H

#include "measure/capture.h"
#include "packet/packet.h"

struct ethernet_tap;

/* Into @out, which stays the caller's. */
struct ethernet_tap *ethernet_tap_new(struct capture *out);
/* NULL is well. */
void ethernet_tap_free(struct ethernet_tap *tap);

/* @p, which is no GSO packet, goes out at @at, or will; @now is the run's time. */
void ethernet_tap_frame(struct ethernet_tap *tap, const struct packet *p, sim_time at,
			sim_time now);

#endif
