/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CoDel's settings and counters as the qdiscs codel and fq_codel have them in common. */
#ifndef WLANQ_QDISC_CODEL_OPTIONS_H
#define WLANQ_QDISC_CODEL_OPTIONS_H

#include <linux/kernel.h>
#include <net/codel.h>
#include <net/codel_impl.h>
#include <net/codel_qdisc.h>

#include "qdisc/qdisc.h"

/* What the backlog is held against: below it nothing is dropped. */
enum { CODEL_BACKLOG_MTU, CODEL_BACKLOG_MAXPACKET };

struct codel_options {
	int64_t target, interval; /* ns */
	int64_t ecn;
	int64_t ce_threshold; /* ns, PARAM_UNSET: off */
	int64_t backlog_test; /* CODEL_BACKLOG_* */
};

/* Linux's statistics are 32 bits wide and the core's; these run on, and are the window's as counters are. */
struct codel_counters {
	u64 codel_drops, ecn_mark, ce_mark;
};

/* As tc gives a time to the kernel: whole microseconds. */
static inline codel_time_t codel_from_ns(int64_t ns)
{
	return (codel_time_t)((u64)ns / NSEC_PER_USEC * NSEC_PER_USEC >> CODEL_SHIFT);
}

static inline void codel_options_apply(const struct codel_options *opt, const struct qdisc_dev *dev,
				       struct codel_params *p)
{
	codel_params_init(p);
	p->target = codel_from_ns(opt->target);
	p->interval = codel_from_ns(opt->interval);
	p->ecn = opt->ecn;
	if (opt->ce_threshold != PARAM_UNSET)
		p->ce_threshold = codel_from_ns(opt->ce_threshold);
	p->mtu = min_t(u32, dev->mtu + dev->hard_header_len, 1 << 20);
}

/*
 * Until 4.1 the backlog was held against the largest packet seen, the one at hand included. The core does not know
 * that test; to set the mtu before it looks comes to the same.
 */
static inline void codel_options_pulled(const struct codel_options *opt, struct codel_params *p,
					const struct codel_stats *stats, const struct sk_buff *skb)
{
	if (opt->backlog_test == CODEL_BACKLOG_MAXPACKET)
		p->mtu = max_t(u32, stats->maxpacket, qdisc_pkt_len(skb));
}

/*
 * After each dequeue: tells the ancestors of what was dropped, and takes the marks over. The core starts at 0 again.
 */
static inline void codel_settle(struct qdisc *q, struct codel_stats *stats,
				struct codel_counters *total)
{
	if (stats->drop_count) {
		qdisc_tree_reduce(q, stats->drop_count, (int)stats->drop_len);
		total->codel_drops += stats->drop_count;
		stats->drop_count = 0;
		stats->drop_len = 0;
	}
	total->ecn_mark += stats->ecn_mark;
	total->ce_mark += stats->ce_mark;
	stats->ecn_mark = 0;
	stats->ce_mark = 0;
}

/* The packet that a rehearsed dequeue looked at last; only that one can have been marked. */
struct codel_rehearsal {
	bool on;
	struct sk_buff *last;
	u8 tos;
};

static inline void codel_rehearsal_note(struct codel_rehearsal *r, struct sk_buff *skb)
{
	if (r->on) {
		r->last = skb;
		r->tos = skb->tos;
	}
}

static inline void codel_rehearsal_end(struct codel_rehearsal *r)
{
	if (r->last)
		r->last->tos = r->tos;
	*r = (struct codel_rehearsal){0};
}

extern const struct param_enum codel_backlog_tests[];
extern const struct param_era codel_backlog_by_era[];

/* Entries of a parameter table, for a struct @s with a member .codel; @ecn_def is "true" or "false". */
#define CODEL_PARAMS(s, ecn_def)                                                                   \
	{                                                                                          \
		.name = "target",                                                                  \
		.type = PARAM_TIME,                                                                \
		.flags = PARAM_LIVE,                                                               \
		.offset = offsetof(s, codel.target),                                               \
		.def = "5ms",                                                                      \
		.min = 0,                                                                          \
		.max = 2000 * SIM_SEC,                                                             \
		.doc = "acceptable delay of a standing queue",                                     \
		.linux_name = "TCA_CODEL_TARGET",                                                  \
	},                                                                                         \
		{                                                                                  \
			.name = "interval",                                                        \
			.type = PARAM_TIME,                                                        \
			.flags = PARAM_LIVE,                                                       \
			.offset = offsetof(s, codel.interval),                                     \
			.def = "100ms",                                                            \
			.min = 0,                                                                  \
			.max = 100 * SIM_SEC,                                                      \
			.doc = "about the longest round-trip time to be served well",              \
			.linux_name = "TCA_CODEL_INTERVAL",                                        \
		},                                                                                 \
		{                                                                                  \
			.name = "ecn",                                                             \
			.type = PARAM_BOOL,                                                        \
			.flags = PARAM_LIVE,                                                       \
			.offset = offsetof(s, codel.ecn),                                          \
			.def = ecn_def,                                                            \
			.doc = "mark ECN-capable packets in place of dropping them",               \
			.linux_name = "TCA_CODEL_ECN",                                             \
		},                                                                                 \
		{                                                                                  \
			.name = "ce_threshold",                                                    \
			.type = PARAM_TIME,                                                        \
			.flags = PARAM_LIVE,                                                       \
			.offset = offsetof(s, codel.ce_threshold),                                 \
			.min = 0,                                                                  \
			.max = 2000 * SIM_SEC,                                                     \
			.doc = "mark every ECN-capable packet that waited longer; off if not set", \
			.linux_name = "TCA_CODEL_CE_THRESHOLD",                                    \
		},                                                                                 \
	{                                                                                          \
		.name = "backlog_test", .type = PARAM_ENUM, .flags = PARAM_LIVE,                   \
		.offset = offsetof(s, codel.backlog_test), .def = "mtu",                           \
		.eras = codel_backlog_by_era, .values = codel_backlog_tests,                       \
		.doc = "what the backlog must exceed before anything is dropped",                  \
	}

/* Entries of a probe table, for a struct @s with a member .counters. */
#define CODEL_PROBES(s)                                                       \
	{                                                                     \
		.name = "codel_drops",                                        \
		.unit = "packets",                                            \
		.shape = PROBE_COUNTER,                                       \
		.offset = offsetof(s, counters.codel_drops),                  \
		.doc = "dropped by CoDel",                                    \
	},                                                                    \
		{                                                             \
			.name = "ecn_mark",                                   \
			.unit = "packets",                                    \
			.shape = PROBE_COUNTER,                               \
			.offset = offsetof(s, counters.ecn_mark),             \
			.doc = "tc: marked by CoDel in place of a drop",      \
		},                                                            \
	{                                                                     \
		.name = "ce_mark", .unit = "packets", .shape = PROBE_COUNTER, \
		.offset = offsetof(s, counters.ce_mark),                      \
		.doc = "tc: marked because of ce_threshold",                  \
	}

#endif
