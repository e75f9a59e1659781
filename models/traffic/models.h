/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the traffic models that others are made of. */
#ifndef WLANQ_TRAFFIC_MODELS_H
#define WLANQ_TRAFFIC_MODELS_H

#include "traffic/rr.h"

extern const struct model_class iperf3_class, ping_class, tcp_bulk_class, tcp_rr_class,
	udp_cbr_class, udp_rr_class;

struct ping_params {
	struct traffic_params common;
	int64_t interval, timeout; /* ns */
	int64_t count; /* PARAM_UNSET: until stop */
	int64_t size; /* bytes */
	int64_t resend; /* bool */
	int64_t sndbuf; /* requests in the host, PARAM_UNSET: any number */
};

struct tcp_bulk_params {
	struct traffic_params common;
	int64_t bytes; /* of each flow, PARAM_UNSET: until stop */
	int64_t flows;
	int64_t stagger; /* ns from the start of one flow to the next */
	struct slot congestion; /* empty: the host's */
};

/* goodput_mbit of a tcp_bulk. */
int64_t tcp_bulk_goodput(const struct object *obj, int64_t window);

struct udp_cbr_params {
	struct traffic_params common;
	int64_t rate; /* bit/s of payload, of all flows */
	int64_t size; /* bytes of payload */
	int64_t flows;
	int64_t poisson; /* bool */
};

struct tcp_rr_params {
	struct rr_params rr;
	int64_t stagger; /* ns from the start of one flow to the next */
};

struct udp_rr_params {
	struct rr_params rr;
	int64_t interval, timeout; /* ns */
};

#endif
