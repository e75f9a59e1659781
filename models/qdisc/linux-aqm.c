// SPDX-License-Identifier: GPL-3.0-or-later
/* Declarations of Linux's own codel, fq_codel and pie: the options of tc. */
#include "qdisc/linux.h"

#define U32   UINT32_MAX
#define FIXED PARAM_STRUCTURAL

static const struct linux_qdisc_class plain = {.ops = LINUX_QDISC_OPS};

/* ---- codel ---------------------------------------------------------------------------------- */

struct codel_opts {
	int64_t limit, target, interval, ecn, ce_threshold;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct codel_opts, member, type, flags, min, max, doc)
static const struct param codel_params[] = {
	P(limit, PARAM_INT, PARAM_LIVE, 0, U32, "packets"),
	P(target, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "delay that may stand"),
	P(interval, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC,
	  "for so long before a packet is dropped"),
	P(ecn, PARAM_BOOL, PARAM_LIVE, 0, 0, "mark where that is possible"),
	P(ce_threshold, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "mark above this delay at once"),
	PARAM_END,
};
#undef P

const struct model_class linux_codel_class = {
	LINUX_QDISC_CLASS(struct codel_opts, codel_params),
	.name = "linux.codel",
	.doc = "CoDel: Linux's own sch_codel.c",
	.source = "net/sched/sch_codel.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_codel.c",
};

/* ---- fq_codel ------------------------------------------------------------------------------- */

struct fq_codel_opts {
	int64_t limit, flows, target, interval, quantum, ecn, ce_threshold;
	int64_t ce_threshold_selector, ce_threshold_mask, memory_limit, drop_batch;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct fq_codel_opts, member, type, flags, min, max, doc)
static const struct param fq_codel_params[] = {
	P(limit, PARAM_INT, PARAM_LIVE, 0, U32, "packets"),
	P(flows, PARAM_INT, FIXED, 1, 65536, "queues that flows are hashed to"),
	P(target, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "delay that may stand"),
	P(interval, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC,
	  "for so long before a packet is dropped"),
	P(quantum, PARAM_BYTES, PARAM_LIVE, 0, 1 << 20, "bytes a flow may send in a round"),
	P(ecn, PARAM_BOOL, PARAM_LIVE, 0, 0, "mark where that is possible"),
	P(ce_threshold, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "mark above this delay at once"),
	P(ce_threshold_selector, PARAM_INT, PARAM_LIVE, 0, 255,
	  "of packets with this in the DS field"),
	P(ce_threshold_mask, PARAM_INT, PARAM_LIVE, 0, 255, "under this mask"),
	P(memory_limit, PARAM_BYTES, PARAM_LIVE, 0, 1LL << 31, "memory of all packets"),
	P(drop_batch, PARAM_INT, PARAM_LIVE, 1, U32, "packets dropped at once at most"),
	PARAM_END,
};
#undef P

const struct model_class linux_fq_codel_class = {
	LINUX_QDISC_CLASS(struct fq_codel_opts, fq_codel_params),
	.name = "linux.fq_codel",
	.doc = "fq_codel: Linux's own sch_fq_codel.c",
	.source = "net/sched/sch_fq_codel.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_fq_codel.c",
};

/* ---- pie ------------------------------------------------------------------------------------- */

struct pie_opts {
	int64_t limit, target, tupdate, alpha, beta, ecn, bytemode, dq_rate_estimator;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct pie_opts, member, type, flags, min, max, doc)
static const struct param pie_params[] = {
	P(limit, PARAM_INT, PARAM_LIVE, 0, U32, "packets"),
	P(target, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "delay that is aimed at"),
	P(tupdate, PARAM_TIME, PARAM_LIVE, 0, 4 * SIM_SEC, "period of the drop probability"),
	P(alpha, PARAM_INT, PARAM_LIVE, 0, 32, "weight of the delay's error, 1/16"),
	P(beta, PARAM_INT, PARAM_LIVE, 0, 32, "weight of its change, 1/16"),
	P(ecn, PARAM_BOOL, PARAM_LIVE, 0, 0, "mark where that is possible"),
	P(bytemode, PARAM_BOOL, PARAM_LIVE, 0, 0, "drop in proportion to length"),
	P(dq_rate_estimator, PARAM_BOOL, PARAM_LIVE, 0, 0,
	  "delay from the rate, not from time stamps"),
	PARAM_END,
};
#undef P

const struct model_class linux_pie_class = {
	LINUX_QDISC_CLASS(struct pie_opts, pie_params),
	.name = "linux.pie",
	.doc = "PIE: Linux's own sch_pie.c",
	.source = "net/sched/sch_pie.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_pie.c",
};
