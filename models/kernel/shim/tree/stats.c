// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What `tc -s qdisc` prints, from what dump_stats() hands over, under tc's names and in its units. */
#include <linux/slab.h>
#include <net/gen_stats.h>
#include <net/netlink.h>

#include "qdisc.h"

#define APP_MAX	  512
#define NEST_ROOM 16384

/* What the last dump handed over. */
static struct {
	u8 data[APP_MAX];
	int len;
	u64 bytes, packets;
	u32 drops, overlimits;
} dumped;

int gnet_stats_copy_app(struct gnet_dump *d, void *data, int len)
{
	dumped.len = min_t(int, len, APP_MAX);
	memcpy(dumped.data, data, dumped.len);
	return 0;
}

int gnet_stats_copy_basic(struct gnet_dump *d, struct gnet_stats_basic_sync __percpu *cpu,
			  struct gnet_stats_basic_sync *b, bool running)
{
	dumped.bytes = u64_stats_read(&b->bytes);
	dumped.packets = u64_stats_read(&b->packets);
	return 0;
}

int gnet_stats_copy_rate_est(struct gnet_dump *d, struct net_rate_estimator __rcu **estimator)
{
	return 0;
}

int gnet_stats_copy_queue(struct gnet_dump *d, struct gnet_stats_queue __percpu *cpu,
			  struct gnet_stats_queue *q, u32 qlen)
{
	dumped.drops = q->drops;
	dumped.overlimits = q->overlimits;
	return 0;
}

struct list {
	struct seam_stat *out;
	u32 n, max;
};

/* "PREFIX NAME", either may be "". */
static void add(struct list *l, const char *prefix, const char *name, s64 micro, bool counter)
{
	struct seam_stat *s = &l->out[l->n];

	if (l->n == l->max)
		return;
	strscpy(s->name, prefix, sizeof(s->name));
	strncat(s->name, name, sizeof(s->name) - strlen(s->name) - 1);
	s->micro = micro;
	s->counter = counter;
	l->n++;
}

/* ---- structs ---------------------------------------------------------------------------------------- */

/* Of a field's value: times @mul, divided by @div, gives 10^-6 of the printed unit. */
static const struct field {
	const char *kind, *name;
	u16 offset, size;
	bool counter;
	s64 mul, div;
} fields[] = {
#define FIELD(kind, name, type, member, counter, mul, div)                                         \
	{                                                                                          \
		kind, name, offsetof(type, member), sizeof(((type *)0)->member), counter, mul, div \
	}
#define COUNT(kind, name, type, member) FIELD(kind, name, type, member, true, 1000000, 1)
#define NOW(kind, name, type, member)	FIELD(kind, name, type, member, false, 1000000, 1)
/* us, printed as ms */
#define MS(kind, name, type, member) FIELD(kind, name, type, member, false, 1000, 1)
	NOW("codel", "maxpacket", struct tc_codel_xstats, maxpacket),
	NOW("codel", "count", struct tc_codel_xstats, count),
	NOW("codel", "lastcount", struct tc_codel_xstats, lastcount),
	MS("codel", "ldelay_ms", struct tc_codel_xstats, ldelay),
	COUNT("codel", "drop_overlimit", struct tc_codel_xstats, drop_overlimit),
	COUNT("codel", "ecn_mark", struct tc_codel_xstats, ecn_mark),
	COUNT("codel", "ce_mark", struct tc_codel_xstats, ce_mark),
#define FQ_CODEL struct tc_fq_codel_xstats
	NOW("fq_codel", "maxpacket", FQ_CODEL, qdisc_stats.maxpacket),
	COUNT("fq_codel", "drop_overlimit", FQ_CODEL, qdisc_stats.drop_overlimit),
	COUNT("fq_codel", "new_flow_count", FQ_CODEL, qdisc_stats.new_flow_count),
	COUNT("fq_codel", "ecn_mark", FQ_CODEL, qdisc_stats.ecn_mark),
	COUNT("fq_codel", "ce_mark", FQ_CODEL, qdisc_stats.ce_mark),
	NOW("fq_codel", "memory_used", FQ_CODEL, qdisc_stats.memory_usage),
	COUNT("fq_codel", "drop_overmemory", FQ_CODEL, qdisc_stats.drop_overmemory),
	NOW("fq_codel", "new_flows_len", FQ_CODEL, qdisc_stats.new_flows_len),
	NOW("fq_codel", "old_flows_len", FQ_CODEL, qdisc_stats.old_flows_len),
	/* a probability of 2^-56 ... tc divides by 2^64 - 1 */
	FIELD("pie", "prob", struct tc_pie_xstats, prob, false, 1, 18446744073709ll),
	MS("pie", "delay_ms", struct tc_pie_xstats, delay),
	NOW("pie", "avg_dq_rate", struct tc_pie_xstats, avg_dq_rate),
	COUNT("pie", "pkts_in", struct tc_pie_xstats, packets_in),
	COUNT("pie", "prob_dropped", struct tc_pie_xstats, dropped),
	COUNT("pie", "overlimit", struct tc_pie_xstats, overlimit),
	NOW("pie", "maxq", struct tc_pie_xstats, maxq),
	COUNT("pie", "ecn_mark", struct tc_pie_xstats, ecn_mark),
	COUNT("red", "early", struct tc_red_xstats, early),
	COUNT("red", "pdrop", struct tc_red_xstats, pdrop),
	COUNT("red", "marked", struct tc_red_xstats, marked),
#define FQ struct tc_fq_qd_stats
	NOW("fq", "flows", FQ, flows),
	NOW("fq", "inactive_flows", FQ, inactive_flows),
	NOW("fq", "throttled_flows", FQ, throttled_flows),
	COUNT("fq", "gc", FQ, gc_flows),
	COUNT("fq", "throttled", FQ, throttled),
	COUNT("fq", "flows_plimit", FQ, flows_plimit),
	COUNT("fq", "pkts_too_long", FQ, pkts_too_long),
	FIELD("fq", "latency_us", FQ, unthrottle_latency_ns, false, 1000, 1),
	COUNT("fq", "ce_mark", FQ, ce_mark),
	COUNT("fq", "horizon_drops", FQ, horizon_drops),
	COUNT("fq", "horizon_caps", FQ, horizon_caps),
	COUNT("htb class", "lended", struct tc_htb_xstats, lends),
	COUNT("htb class", "borrowed", struct tc_htb_xstats, borrows),
};

static void add_fields(struct list *l, const char *kind, const char *prefix)
{
	for (u32 i = 0; i < ARRAY_SIZE(fields); i++) {
		const struct field *f = &fields[i];
		u64 value = 0;

		if (strcmp(f->kind, kind) || f->offset + f->size > dumped.len)
			continue;
		memcpy(&value, dumped.data + f->offset, f->size);
		add(l, prefix, f->name, (s64)(value * (u64)f->mul / (u64)f->div), f->counter);
	}
}

/* ---- cake, whose statistics are attributes ------------------------------------------------------------ */

static const struct nested {
	const char *name;
	u16 attr;
	bool counter;
	s64 mul;
} of_cake[] =
	{
		{"capacity_estimate_mbit", TCA_CAKE_STATS_CAPACITY_ESTIMATE64, false, 8},
		{"memory_used", TCA_CAKE_STATS_MEMORY_USED, false, 1000000},
		{"memory_limit", TCA_CAKE_STATS_MEMORY_LIMIT, false, 1000000},
		{"min_network_size", TCA_CAKE_STATS_MIN_NETLEN, false, 1000000},
		{"max_network_size", TCA_CAKE_STATS_MAX_NETLEN, false, 1000000},
		{"min_adjusted_size", TCA_CAKE_STATS_MIN_ADJLEN, false, 1000000},
		{"max_adjusted_size", TCA_CAKE_STATS_MAX_ADJLEN, false, 1000000},
		{"average_network_hdr_offset", TCA_CAKE_STATS_AVG_NETOFF, false, 1000000},
},
  of_tin[] = {
	  {"thresh_mbit", TCA_CAKE_TIN_STATS_THRESHOLD_RATE64, false, 8},
	  {"target_ms", TCA_CAKE_TIN_STATS_TARGET_US, false, 1000},
	  {"interval_ms", TCA_CAKE_TIN_STATS_INTERVAL_US, false, 1000},
	  {"pk_delay_ms", TCA_CAKE_TIN_STATS_PEAK_DELAY_US, false, 1000},
	  {"av_delay_ms", TCA_CAKE_TIN_STATS_AVG_DELAY_US, false, 1000},
	  {"sp_delay_ms", TCA_CAKE_TIN_STATS_BASE_DELAY_US, false, 1000},
	  {"backlog", TCA_CAKE_TIN_STATS_BACKLOG_BYTES, false, 1000000},
	  {"pkts", TCA_CAKE_TIN_STATS_SENT_PACKETS, true, 1000000},
	  {"bytes", TCA_CAKE_TIN_STATS_SENT_BYTES64, true, 1000000},
	  {"way_inds", TCA_CAKE_TIN_STATS_WAY_INDIRECT_HITS, true, 1000000},
	  {"way_miss", TCA_CAKE_TIN_STATS_WAY_MISSES, true, 1000000},
	  {"way_cols", TCA_CAKE_TIN_STATS_WAY_COLLISIONS, true, 1000000},
	  {"drops", TCA_CAKE_TIN_STATS_DROPPED_PACKETS, true, 1000000},
	  {"marks", TCA_CAKE_TIN_STATS_ECN_MARKED_PACKETS, true, 1000000},
	  {"ack_drop", TCA_CAKE_TIN_STATS_ACKS_DROPPED_PACKETS, true, 1000000},
	  {"sp_flows", TCA_CAKE_TIN_STATS_SPARSE_FLOWS, false, 1000000},
	  {"bk_flows", TCA_CAKE_TIN_STATS_BULK_FLOWS, false, 1000000},
	  {"un_flows", TCA_CAKE_TIN_STATS_UNRESPONSIVE_FLOWS, false, 1000000},
	  {"max_len", TCA_CAKE_TIN_STATS_MAX_SKBLEN, false, 1000000},
	  {"quantum", TCA_CAKE_TIN_STATS_FLOW_QUANTUM, false, 1000000},
};

static void add_nested(struct list *l, const char *prefix, const struct nlattr *nest,
		       const struct nested *names, u32 n)
{
	const struct nlattr *a;
	int left;

	for (u32 i = 0; i < n; i++) {
		nla_for_each_nested(a, nest, left)
		{
			u64 value = 0;

			if (nla_type(a) != names[i].attr)
				continue;
			memcpy(&value, nla_data(a), min_t(int, nla_len(a), 8));
			add(l, prefix, names[i].name, (s64)value * names[i].mul, names[i].counter);
		}
	}
}

static void add_cake(struct list *l, const struct nlattr *top)
{
	const struct nlattr *a, *tin;
	char prefix[8] = "tin0.";
	int left, tins_left;

	add_nested(l, "", top, of_cake, ARRAY_SIZE(of_cake));
	nla_for_each_nested(a, top, left)
	{
		if (nla_type(a) != TCA_CAKE_STATS_TIN_STATS)
			continue;
		nla_for_each_nested(tin, a, tins_left)
		{
			prefix[3] = (char)('0' + nla_type(tin) - 1);
			add_nested(l, prefix, tin, of_tin, ARRAY_SIZE(of_tin));
		}
	}
}

/* ---- classes of htb -------------------------------------------------------------------------------------- */

struct class_walk {
	struct qdisc_walker w;
	struct list *l;
};

static int add_class(struct Qdisc *q, unsigned long cl, struct qdisc_walker *w)
{
	struct list *l = container_of(w, struct class_walk, w)->l;
	const struct Qdisc_class_common *common = (const struct Qdisc_class_common *)cl;
	u32 minor = TC_H_MIN(common->classid), n = 6;
	struct gnet_dump d = {};
	char prefix[16] = "class.";

	for (u32 div = 10000; div; div /= 10)
		if (minor >= div || div == 1)
			prefix[n++] = (char)('0' + minor / div % 10);
	prefix[n] = '.';
	memset(&dumped, 0, sizeof(dumped));
	q->ops->cl_ops->dump_stats(q, cl, &d);
	add(l, prefix, "sent_bytes", (s64)dumped.bytes * 1000000, true);
	add(l, prefix, "sent_packets", (s64)dumped.packets * 1000000, true);
	add(l, prefix, "dropped", (s64)dumped.drops * 1000000, true);
	add(l, prefix, "overlimits", (s64)dumped.overlimits * 1000000, true);
	add_fields(l, "htb class", prefix);
	return 0;
}

u32 seam_qdisc_stats(struct Qdisc *q, struct seam_stat *out, u32 max)
{
	struct list l = {.out = out, .max = max};
	struct class_walk walk = {.w = {.fn = add_class}, .l = &l};
	struct sk_buff skb = {};
	struct gnet_dump d = {.skb = &skb};

	if (!strcmp(q->ops->id, "htb"))
		q->ops->cl_ops->walk(q, &walk.w);
	if (!q->ops->dump_stats)
		return l.n;
	skb.head = kzalloc(NEST_ROOM, GFP_KERNEL);
	if (!skb.head)
		return l.n;
	skb.data = skb.head;
	skb.end = NEST_ROOM;
	memset(&dumped, 0, sizeof(dumped));
	q->ops->dump_stats(q, &d);
	if (skb.len)
		add_cake(&l, (const struct nlattr *)skb.head);
	else
		add_fields(&l, q->ops->id, "");
	kfree(skb.head);
	return l.n;
}
