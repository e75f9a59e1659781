/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declarations of a small network for tests of the scenario reader: every kind that the format names, with
 * parameters as the real models have them but nothing that runs. The toy of toy-model.h is among them as
 * traffic, so that each parameter type can be written in a scenario.
 */
#ifndef WLANQ_TESTS_TOY_NET_H
#define WLANQ_TESTS_TOY_NET_H

#include "toy-model.h"

struct toy_wlan_params {
	int64_t ring; /* frames, 1 .. 4096 */
	int64_t low_mark; /* below ring by check; PARAM_UNSET */
	int64_t ring_time; /* PARAM_UNSET */
	int64_t qlen[AC_COUNT];
};

struct toy_netdev_params {
	struct slot qdisc, rate_control;
	int64_t txqueuelen, mtu;
};

struct toy_link_params {
	struct param_list members; /* of struct object * */
	int64_t standard, loss, rate, delay;
};

struct toy_flow_params {
	struct object *from, *to;
	int64_t bytes, dscp, interval, start, count;
};

struct toy_tcp_params {
	int64_t initial_cwnd, sack, sndbuf;
};

struct toy_host_params {
	const char *kernel;
	int64_t hz, forward;
};

struct toy_fq_codel_params {
	struct queue_size limit;
	int64_t target, flows;
};

struct toy_fixed_params {
	int64_t rate, mcs;
};

/* All of them; made at the first call, the same afterwards. */
const struct registry *toy_net_registry(void);

#endif
