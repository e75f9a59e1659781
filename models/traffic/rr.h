/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What requests and responses have in common, over TCP or as datagrams: sizes, flows, and the count of transactions. */
#ifndef WLANQ_TRAFFIC_RR_H
#define WLANQ_TRAFFIC_RR_H

#include "traffic/traffic.h"

/* First member of the parameters. */
struct rr_params {
	struct traffic_params common;
	int64_t request, response; /* bytes of payload */
	int64_t flows;
};

/* First member of the instance. */
struct rr {
	struct traffic t;
	u64 transactions; /* of the window */
};

/* A message has arrived whole at @h, which does its work for it. */
static inline void rr_work(const struct rr *rr, struct host *h)
{
	cpu_charge(&h->cpu, rr->t.obj.sim->now, h->cpu.per_transaction);
}

/* Transactions a second while the traffic ran in the window; METRIC_ABSENT when it did not. */
int64_t rr_tps(const struct object *obj, int64_t window);

/* Sizes up to @most bytes; @each: what a flow is. */
#define RR_PARAMS(most, each)                                                                    \
	TRAFFIC_PARAMS,                                                                          \
		{.name = "request",                                                              \
		 .type = PARAM_BYTES,                                                            \
		 .flags = PARAM_STRUCTURAL,                                                      \
		 .offset = offsetof(struct rr_params, request),                                  \
		 .def = "1B",                                                                    \
		 .min = 1,                                                                       \
		 .max = (most),                                                                  \
		 .doc = "bytes of a request",                                                    \
		 .linux_name = "netperf -r"},                                                    \
		{.name = "response",                                                             \
		 .type = PARAM_BYTES,                                                            \
		 .flags = PARAM_STRUCTURAL,                                                      \
		 .offset = offsetof(struct rr_params, response),                                 \
		 .def = "1B",                                                                    \
		 .min = 1,                                                                       \
		 .max = (most),                                                                  \
		 .doc = "bytes of a response",                                                   \
		 .linux_name = "netperf -r"},                                                    \
	{                                                                                        \
		.name = "flows", .type = PARAM_INT, .flags = PARAM_STRUCTURAL,                   \
		.offset = offsetof(struct rr_params, flows), .def = "1", .min = 1, .max = 10000, \
		.doc = each ", each with one transaction at a time",                             \
	}

#define RR_PROBES                                                           \
	{.name = "tps",                                                     \
	 .unit = "1/s",                                                     \
	 .shape = PROBE_VALUE,                                              \
	 .value = rr_tps,                                                   \
	 .over = PROBE_OVER_SUM,                                            \
	 .doc = "transactions a second, of all flows"},                     \
	{                                                                   \
		.name = "transactions", .unit = "", .shape = PROBE_COUNTER, \
		.offset = offsetof(struct rr, transactions),                \
		.doc = "responses that were received whole and in time",    \
	}

#endif
