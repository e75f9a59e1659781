// SPDX-License-Identifier: GPL-3.0-or-later
/* Declarations of Linux's own sfq, cake and fq: the options of tc. */
#include "qdisc/linux.h"

#define U32   UINT32_MAX
#define FIXED PARAM_STRUCTURAL

static const struct linux_qdisc_class plain = {.ops = LINUX_QDISC_OPS};

/* ---- sfq ------------------------------------------------------------------------------------- */

struct sfq_opts {
	int64_t limit, perturb, quantum, divisor, flows, depth, headdrop;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct sfq_opts, member, type, flags, min, max, doc)
static const struct param sfq_params[] = {
	P(limit, PARAM_INT, FIXED, 1, 65536, "packets"),
	P(perturb, PARAM_TIME, FIXED, 0, 1000000 * SIM_SEC,
	  "whole seconds between changes of the hash"),
	P(quantum, PARAM_BYTES, FIXED, 1, 1 << 20, "bytes a flow may send in a round"),
	P(divisor, PARAM_INT, FIXED, 1, 65536, "size of the hash table, a power of two"),
	P(flows, PARAM_INT, FIXED, 1, 65408, "flows at most"),
	P(depth, PARAM_INT, FIXED, 1, 127, "packets of a flow"),
	P(headdrop, PARAM_BOOL, FIXED, 0, 0, "drop a flow's oldest packet"),
	PARAM_END,
};
#undef P

const struct model_class linux_sfq_class = {
	LINUX_QDISC_CLASS(struct sfq_opts, sfq_params),
	.name = "linux.sfq",
	.doc = "SFQ: Linux's own sch_sfq.c",
	.source = "net/sched/sch_sfq.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED "\nRED within flows.",
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_sfq.c",
};

/* ---- cake ------------------------------------------------------------------------------------ */

struct cake_opts {
	int64_t bandwidth, diffserv, flows, rtt, target, memlimit, autorate_ingress, ingress, nat,
		wash;
	int64_t ack_filter, split_gso, overhead, mpu, link_layer, fwmark;
};

static const struct param_enum diffserv[] = {
	{"diffserv3", 0, "three tins"},
	{"diffserv4", 1, "four tins"},
	{"diffserv8", 2, "eight tins"},
	{"besteffort", 3, "one tin"},
	{"precedence", 4, "eight tins by the old precedence bits"},
	{NULL, 0, NULL},
};

static const struct param_enum flows[] = {
	{"flowblind", 0, "one queue"},
	{"srchost", 1, "by source"},
	{"dsthost", 2, "by destination"},
	{"hosts", 3, "by both"},
	{"flows", 4, "by flow"},
	{"dual-srchost", 5, "by flow, fair to sources"},
	{"dual-dsthost", 6, "by flow, fair to destinations"},
	{"triple-isolate", 7, "by flow, fair to both"},
	{NULL, 0, NULL},
};

static const struct param_enum link_layer[] = {
	{"noatm", 0, "frames as they are"},
	{"atm", 1, "cells of 48 bytes in 53"},
	{"ptm", 2, "64/65 coding"},
	{NULL, 0, NULL},
};

static const struct param_enum ack_filter[] = {
	{"none", 0, "leave them"},
	{"filter", 1, "drop what a later one says too"},
	{"aggressive", 2, "and more of them"},
	{NULL, 0, NULL},
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct cake_opts, member, type, flags, min, max, doc)
#define E(member, enums, text)                                                              \
	{                                                                                   \
		.name = #member, .type = PARAM_ENUM, .flags = PARAM_LIVE,                   \
		.offset = offsetof(struct cake_opts, member), .values = enums, .doc = text, \
	}
static const struct param cake_params[] = {
	P(bandwidth, PARAM_RATE, PARAM_LIVE, 0, 400000000000,
	  "rate of the shaper; without it none"),
	E(diffserv, diffserv, "tins by the DS field"),
	E(flows, flows, "what is isolated from what"),
	P(rtt, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "interval of its AQM"),
	P(target, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "delay that may stand; rtt / 20"),
	P(memlimit, PARAM_BYTES, PARAM_LIVE, 0, 1LL << 31, "memory of all packets"),
	P(autorate_ingress, PARAM_BOOL, PARAM_LIVE, 0, 0, "bandwidth from what arrives"),
	P(ingress, PARAM_BOOL, PARAM_LIVE, 0, 0, "count what is dropped into the rate"),
	P(nat, PARAM_BOOL, PARAM_LIVE, 0, 0, "look behind NAT; needs connection tracking"),
	P(wash, PARAM_BOOL, PARAM_LIVE, 0, 0, "clear the DS field"),
	E(ack_filter, ack_filter, "TCP's pure ACKs"),
	P(split_gso, PARAM_BOOL, PARAM_LIVE, 0, 0, "queue segments singly"),
	P(overhead, PARAM_INT, PARAM_LIVE, -64, 256, "bytes added to each packet"),
	P(mpu, PARAM_INT, PARAM_LIVE, 0, 256, "bytes of a packet at least"),
	E(link_layer, link_layer, "what is below"),
	P(fwmark, PARAM_INT, PARAM_LIVE, 0, U32, "mask of the firewall mark that chooses a tin"),
	PARAM_END,
};
#undef P
#undef E

const struct model_class linux_cake_class = {
	LINUX_QDISC_CLASS(struct cake_opts, cake_params),
	.name = "linux.cake",
	.doc = "CAKE: Linux's own sch_cake.c",
	.source = "net/sched/sch_cake.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED "\nNAT look-up: there is no connection tracking.",
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_cake.c",
};

/* ---- fq -------------------------------------------------------------------------------------- */

struct fq_opts {
	int64_t limit, flow_limit, quantum, initial_quantum, maxrate, low_rate_threshold, buckets;
	int64_t pacing, refill_delay, orphan_mask, ce_threshold, timer_slack, horizon, horizon_drop;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct fq_opts, member, type, flags, min, max, doc)
static const struct param fq_params[] = {
	P(limit, PARAM_INT, PARAM_LIVE, 0, U32, "packets"),
	P(flow_limit, PARAM_INT, PARAM_LIVE, 0, U32, "packets of a flow"),
	P(quantum, PARAM_BYTES, PARAM_LIVE, 1, 1 << 20, "bytes a flow may send in a round"),
	P(initial_quantum, PARAM_BYTES, PARAM_LIVE, 0, INT32_MAX, "bytes of its first round"),
	P(maxrate, PARAM_RATE, PARAM_LIVE, 8, 34359738360, "rate of a flow at most"),
	P(low_rate_threshold, PARAM_RATE, PARAM_LIVE, 0, 34359738360, "below it packets go singly"),
	P(buckets, PARAM_INT, FIXED, 1, 1 << 18, "size of the hash table, a power of two"),
	P(pacing, PARAM_BOOL, PARAM_LIVE, 0, 0, "pace flows"),
	P(refill_delay, PARAM_TIME, PARAM_LIVE, 0, 4000 * SIM_SEC,
	  "after it an idle flow has its credit back"),
	P(orphan_mask, PARAM_INT, PARAM_LIVE, 0, U32, "flows of packets without a socket"),
	P(ce_threshold, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "mark above this delay"),
	P(timer_slack, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "accuracy of its timer"),
	P(horizon, PARAM_TIME, PARAM_LIVE, 0, 4000 * SIM_SEC, "how far off a departure may be"),
	P(horizon_drop, PARAM_BOOL, PARAM_LIVE, 0, 0, "drop what is beyond"),
	PARAM_END,
};
#undef P

const struct model_class linux_fq_class = {
	LINUX_QDISC_CLASS(struct fq_opts, fq_params),
	.name = "linux.fq",
	.doc = "fq: Linux's own sch_fq.c",
	.source = "net/sched/sch_fq.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED
	"\nSockets: flows are told apart by their hash, and paced by TCP itself.",
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_fq.c",
};
