// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Options under tc's names as the attributes that tc would send. */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "qdisc.h"

#define ROOM 4096

/* Attributes that Linux has got since 5.10, by their number. */
#define FQ_HORIZON	  15
#define FQ_HORIZON_DROP	  16
#define CODEL_CE_SELECTOR 10
#define CODEL_CE_MASK	  11

int seam_error(char *to, u32 len, const char *what, int err, const struct netlink_ext_ack *ack)
{
	static const struct {
		int err;
		const char *text;
	} words[] = {
		{-EINVAL, "Linux refuses these options"},
		{-ENOENT, "there is none in this tree"},
		{-ENOMEM, "no memory"},
		{-ENOBUFS, "no memory"},
		{-ERANGE, "Linux finds a value out of range"},
		{-EOPNOTSUPP, "Linux cannot do this"},
	};
	const char *text = ack && ack->_msg ? ack->_msg : NULL;

	for (u32 i = 0; !text && i < ARRAY_SIZE(words); i++)
		if (words[i].err == err)
			text = words[i].text;
	strscpy(to, what, len);
	strncat(to, ": ", len - strlen(to) - 1);
	strncat(to, text ? text : "Linux refuses it", len - strlen(to) - 1);
	return err;
}

/* ---- the buffer ---------------------------------------------------------------------------------- */

struct builder {
	struct nlattr *top;
	char *err;
	u32 err_len;
	int failed;
};

static void raw(struct builder *b, const void *data, u32 len)
{
	u8 *to = (u8 *)b->top + NLA_ALIGN(b->top->nla_len);

	if (b->top->nla_len + NLA_ALIGN(len) > ROOM)
		panic("too many options");
	memcpy(to, data, len);
	b->top->nla_len = (u16)(to - (u8 *)b->top + len);
}

static void put(struct builder *b, u16 type, const void *data, u32 len)
{
	struct nlattr head = {.nla_len = (u16)(NLA_HDRLEN + len), .nla_type = type};

	raw(b, &head, sizeof(head));
	raw(b, data, len);
}

static void put_u32(struct builder *b, u16 type, u32 value)
{
	put(b, type, &value, sizeof(value));
}

static void put_u64(struct builder *b, u16 type, u64 value)
{
	put(b, type, &value, sizeof(value));
}

static void fail(struct builder *b, const char *name, int err)
{
	if (!b->failed)
		b->failed = seam_error(b->err, b->err_len, name, err, NULL);
}

/* ---- qdiscs whose options are attributes of one number --------------------------------------------- */

enum { LOG2 = 0x8000 };

static const struct rule {
	const char *kind, *name;
	u16 attr;
	u16 size; /* bytes, or with LOG2 */
	u32 unit; /* of Linux, in base units */
	u16 max_attr; /* of this tree's kind */
} rules[] = {
#define CODEL(name, attr, unit)                                         \
	{                                                               \
		"codel", name, TCA_CODEL_##attr, 4, unit, TCA_CODEL_MAX \
	}
	CODEL("target", TARGET, 1000),
	CODEL("limit", LIMIT, 1),
	CODEL("interval", INTERVAL, 1000),
	CODEL("ecn", ECN, 1),
	CODEL("ce_threshold", CE_THRESHOLD, 1000),
#define FQ_CODEL(name, attr, size, unit)                             \
	{                                                            \
		"fq_codel", name, attr, size, unit, TCA_FQ_CODEL_MAX \
	}
	FQ_CODEL("target", TCA_FQ_CODEL_TARGET, 4, 1000),
	FQ_CODEL("limit", TCA_FQ_CODEL_LIMIT, 4, 1),
	FQ_CODEL("interval", TCA_FQ_CODEL_INTERVAL, 4, 1000),
	FQ_CODEL("ecn", TCA_FQ_CODEL_ECN, 4, 1),
	FQ_CODEL("flows", TCA_FQ_CODEL_FLOWS, 4, 1),
	FQ_CODEL("quantum", TCA_FQ_CODEL_QUANTUM, 4, 1),
	FQ_CODEL("ce_threshold", TCA_FQ_CODEL_CE_THRESHOLD, 4, 1000),
	FQ_CODEL("drop_batch", TCA_FQ_CODEL_DROP_BATCH_SIZE, 4, 1),
	FQ_CODEL("memory_limit", TCA_FQ_CODEL_MEMORY_LIMIT, 4, 1),
	FQ_CODEL("ce_threshold_selector", CODEL_CE_SELECTOR, 1, 1),
	FQ_CODEL("ce_threshold_mask", CODEL_CE_MASK, 1, 1),
#define PIE(name, attr, unit)                                     \
	{                                                         \
		"pie", name, TCA_PIE_##attr, 4, unit, TCA_PIE_MAX \
	}
	PIE("target", TARGET, 1000),
	PIE("limit", LIMIT, 1),
	PIE("tupdate", TUPDATE, 1000),
	PIE("alpha", ALPHA, 1),
	PIE("beta", BETA, 1),
	PIE("ecn", ECN, 1),
	PIE("bytemode", BYTEMODE, 1),
	PIE("dq_rate_estimator", DQ_RATE_ESTIMATOR, 1),
#define CAKE(name, attr, size, unit)                                    \
	{                                                               \
		"cake", name, TCA_CAKE_##attr, size, unit, TCA_CAKE_MAX \
	}
	CAKE("bandwidth", BASE_RATE64, 8, 8),
	CAKE("diffserv", DIFFSERV_MODE, 4, 1),
	CAKE("link_layer", ATM, 4, 1),
	CAKE("flows", FLOW_MODE, 4, 1),
	CAKE("overhead", OVERHEAD, 4, 1),
	CAKE("rtt", RTT, 4, 1000),
	CAKE("target", TARGET, 4, 1000),
	CAKE("autorate_ingress", AUTORATE, 4, 1),
	CAKE("memlimit", MEMORY, 4, 1),
	CAKE("nat", NAT, 4, 1),
	CAKE("raw", RAW, 4, 1),
	CAKE("wash", WASH, 4, 1),
	CAKE("mpu", MPU, 4, 1),
	CAKE("ingress", INGRESS, 4, 1),
	CAKE("ack_filter", ACK_FILTER, 4, 1),
	CAKE("split_gso", SPLIT_GSO, 4, 1),
	CAKE("fwmark", FWMARK, 4, 1),
#define FQ(name, attr, size, unit)                       \
	{                                                \
		"fq", name, attr, size, unit, TCA_FQ_MAX \
	}
	FQ("limit", TCA_FQ_PLIMIT, 4, 1),
	FQ("flow_limit", TCA_FQ_FLOW_PLIMIT, 4, 1),
	FQ("quantum", TCA_FQ_QUANTUM, 4, 1),
	FQ("initial_quantum", TCA_FQ_INITIAL_QUANTUM, 4, 1),
	FQ("pacing", TCA_FQ_RATE_ENABLE, 4, 1),
	FQ("maxrate", TCA_FQ_FLOW_MAX_RATE, 4, 8),
	FQ("buckets", TCA_FQ_BUCKETS_LOG, 4 | LOG2, 1),
	FQ("refill_delay", TCA_FQ_FLOW_REFILL_DELAY, 4, 1000),
	FQ("orphan_mask", TCA_FQ_ORPHAN_MASK, 4, 1),
	FQ("low_rate_threshold", TCA_FQ_LOW_RATE_THRESHOLD, 4, 8),
	FQ("ce_threshold", TCA_FQ_CE_THRESHOLD, 4, 1000),
	FQ("timer_slack", TCA_FQ_TIMER_SLACK, 4, 1),
	FQ("horizon", FQ_HORIZON, 4, 1000),
	FQ("horizon_drop", FQ_HORIZON_DROP, 1, 1),
};

static void by_rule(struct builder *b, const char *kind, const struct seam_option *o)
{
	const struct rule *r = rules, *end = rules + ARRAY_SIZE(rules);
	s64 value;
	u64 top;

	while (r < end && (strcmp(r->kind, kind) || strcmp(r->name, o->name)))
		r++;
	if (r == end || r->attr > r->max_attr) {
		fail(b, o->name, -ENOENT);
		return;
	}
	value = div_s64(o->value, (s32)r->unit);
	if (r->size & LOG2)
		value = ilog2((u64)value);
	top = (r->size & 0xff) == 8 ? U64_MAX : (1ull << 8 * (r->size & 0xff)) - 1;
	if (value > 0 && (u64)value > top)
		fail(b, o->name, -ERANGE);
	put(b, r->attr, &value, r->size & 0xff);
}

/* ---- qdiscs whose options are a struct --------------------------------------------------------------- */

/* The value of option @name, or @def. */
static s64 value_of(const struct seam_option *o, u32 n, const char *name, s64 def)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(o[i].name, name))
			return o[i].value;
	return def;
}

static const struct seam_option *data_of(const struct seam_option *o, u32 n, const char *name)
{
	for (u32 i = 0; i < n; i++)
		if (!strcmp(o[i].name, name) && o[i].data)
			return &o[i];
	return NULL;
}

/* An error for each option that is not in the list @known. */
static void only(struct builder *b, const struct seam_option *o, u32 n, const char *const *known)
{
	for (u32 i = 0; i < n; i++) {
		const char *const *k = known;

		while (*k && strcmp(*k, o[i].name))
			k++;
		if (!*k)
			fail(b, o[i].name, -ENOENT);
	}
}

static void put_fifo(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"limit", NULL};
	struct tc_fifo_qopt opt = {.limit = (u32)value_of(o, n, "limit", 0)};

	only(b, o, n, known);
	if (n)
		raw(b, &opt, sizeof(opt));
}

static void put_prio(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"bands", "priomap", NULL};
	const struct seam_option *map = data_of(o, n, "priomap");
	struct tc_prio_qopt opt = {
		.bands = (int)value_of(o, n, "bands", 3),
		.priomap = {1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
	};

	only(b, o, n, known);
	if (map)
		memcpy(opt.priomap, map->data, min_t(u32, map->len, sizeof(opt.priomap)));
	raw(b, &opt, sizeof(opt));
}

static void put_sfq(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"limit", "perturb", "quantum",  "divisor",
					    "flows", "depth",	"headdrop", NULL};
	struct tc_sfq_qopt_v1 opt = {
		.v0 =
			{
				.quantum = (u32)value_of(o, n, "quantum", 0),
				.perturb_period =
					(int)div_u64(value_of(o, n, "perturb", 0), NSEC_PER_SEC),
				.limit = (u32)value_of(o, n, "limit", 0),
				.divisor = (u32)value_of(o, n, "divisor", 0),
				.flows = (u32)value_of(o, n, "flows", 0),
			},
		.depth = (u32)value_of(o, n, "depth", 0),
		.headdrop = (u32)value_of(o, n, "headdrop", 0),
	};

	only(b, o, n, known);
	if (n)
		raw(b, &opt, sizeof(opt));
}

/* A rate of @bits a second. The link layer is named, so that no table of tc's is asked for. */
static struct tc_ratespec ratespec(u64 bits, u32 overhead, u32 mpu)
{
	return (struct tc_ratespec){
		.linklayer = TC_LINKLAYER_ETHERNET,
		.cell_align = -1,
		.overhead = (u16)overhead,
		.mpu = (u16)mpu,
		.rate = (u32)min_t(u64, bits / 8, U32_MAX),
	};
}

static void put_tbf(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"rate",	"burst", "limit",    "latency", "peakrate",
					    "minburst", "mpu",	 "overhead", NULL};
	u64 rate = (u64)value_of(o, n, "rate", 0), peak = (u64)value_of(o, n, "peakrate", 0);
	u32 burst = (u32)value_of(o, n, "burst", 0), minburst = (u32)value_of(o, n, "minburst", 0);
	s64 latency = value_of(o, n, "latency", -1), limit = value_of(o, n, "limit", -1);
	u32 overhead = (u32)value_of(o, n, "overhead", 0), mpu = (u32)value_of(o, n, "mpu", 0);
	struct tc_tbf_qopt opt = {.rate = ratespec(rate, overhead, mpu)};

	only(b, o, n, known);
	if (limit < 0 && latency >= 0) {
		limit = mul_u64_u64_div_u64(rate / 8, latency, NSEC_PER_SEC) + burst;
		if (peak)
			limit = min_t(s64, limit,
				      mul_u64_u64_div_u64(peak / 8, latency, NSEC_PER_SEC) +
					      minburst);
	}
	opt.limit = (u32)clamp_t(s64, limit, 0, U32_MAX);
	if (peak)
		opt.peakrate = ratespec(peak, overhead, mpu);
	put(b, TCA_TBF_PARMS, &opt, sizeof(opt));
	put_u32(b, TCA_TBF_BURST, burst);
	if (rate / 8 > U32_MAX)
		put_u64(b, TCA_TBF_RATE64, rate / 8);
	if (peak) {
		put_u32(b, TCA_TBF_PBURST, minburst);
		if (peak / 8 > U32_MAX)
			put_u64(b, TCA_TBF_PRATE64, peak / 8);
	}
}

static void put_htb(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"default", "r2q", "direct_qlen", NULL};
	struct tc_htb_glob glob = {
		.version = 3,
		.rate2quantum = (u32)value_of(o, n, "r2q", 10),
		.defcls = (u32)value_of(o, n, "default", 0),
	};
	s64 direct = value_of(o, n, "direct_qlen", -1);

	only(b, o, n, known);
	put(b, TCA_HTB_INIT, &glob, sizeof(glob));
	if (direct >= 0)
		put_u32(b, TCA_HTB_DIRECT_QLEN, (u32)direct);
}

/* The time that @bytes take, in Linux's ticks; one byte a second at least. */
static u32 ticks(u64 bits, u32 bytes)
{
	u64 rate = max_t(u64, bits / 8, 1);

	return (u32)min_t(u64, PSCHED_NS2TICKS(div64_u64((u64)bytes * NSEC_PER_SEC, rate)),
			  U32_MAX);
}

static void put_htb_class(struct builder *b, const struct net_device *dev,
			  const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"rate",    "ceil", "burst",	   "cburst", "prio",
					    "quantum", "mpu",  "overhead", NULL};
	u64 rate = (u64)value_of(o, n, "rate", 0);
	u64 ceil = (u64)value_of(o, n, "ceil", (s64)rate);
	/* tc's: what the rate gives in a nanosecond, and a packet. */
	u32 burst = (u32)value_of(o, n, "burst", (s64)div_u64(rate / 8, NSEC_PER_SEC) + 1600);
	u32 cburst = (u32)value_of(o, n, "cburst", (s64)div_u64(ceil / 8, NSEC_PER_SEC) + 1600);
	u32 overhead = (u32)value_of(o, n, "overhead", 0), mpu = (u32)value_of(o, n, "mpu", 0);
	struct tc_htb_opt opt = {
		.rate = ratespec(rate, overhead, mpu),
		.ceil = ratespec(ceil, overhead, mpu),
		.buffer = ticks(rate, burst),
		.cbuffer = ticks(ceil, cburst),
		.quantum = (u32)value_of(o, n, "quantum", 0),
		.prio = (u32)value_of(o, n, "prio", 0),
	};

	only(b, o, n, known);
	put(b, TCA_HTB_PARMS, &opt, sizeof(opt));
	if (rate / 8 > U32_MAX)
		put_u64(b, TCA_HTB_RATE64, rate / 8);
	if (ceil / 8 > U32_MAX)
		put_u64(b, TCA_HTB_CEIL64, ceil / 8);
}

static void put_red(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"limit",	"qth_min",   "qth_max", "wlog",
					    "plog",	"scell_log", "ecn",	"harddrop",
					    "adaptive", "nodrop",    "max_p",	"stab",
					    NULL};
	const struct seam_option *stab = data_of(o, n, "stab");
	u32 flags = (value_of(o, n, "ecn", 0) ? TC_RED_ECN : 0) |
		    (value_of(o, n, "harddrop", 0) ? TC_RED_HARDDROP : 0) |
		    (value_of(o, n, "adaptive", 0) ? TC_RED_ADAPTATIVE : 0);
	struct tc_red_qopt opt = {
		.limit = (u32)value_of(o, n, "limit", 0),
		.qth_min = (u32)value_of(o, n, "qth_min", 0),
		.qth_max = (u32)value_of(o, n, "qth_max", 0),
		.Wlog = (u8)value_of(o, n, "wlog", 0),
		.Plog = (u8)value_of(o, n, "plog", 0),
		.Scell_log = (u8)value_of(o, n, "scell_log", 0),
		.flags = (u8)flags,
	};

	only(b, o, n, known);
	put(b, TCA_RED_PARMS, &opt, sizeof(opt));
	if (stab)
		put(b, TCA_RED_STAB, stab->data, stab->len);
	put_u32(b, TCA_RED_MAX_P, (u32)value_of(o, n, "max_p", 0));
	if (value_of(o, n, "nodrop", 0)) {
		struct nla_bitfield32 bits = {.value = TC_RED_NODROP, .selector = TC_RED_NODROP};

		put(b, TCA_RED_FLAGS, &bits, sizeof(bits));
	}
}

/* A probability of 2^-32 as Linux has it: all ones are 1. */
static u32 chance(const struct seam_option *o, u32 n, const char *name)
{
	return (u32)min_t(s64, value_of(o, n, name, 0), U32_MAX);
}

static void put_netem(struct builder *b, const struct seam_option *o, u32 n)
{
	static const char *const known[] = {"delay",
					    "jitter",
					    "delay_corr",
					    "loss",
					    "loss_corr",
					    "duplicate",
					    "dup_corr",
					    "reorder",
					    "reorder_corr",
					    "gap",
					    "corrupt",
					    "corrupt_corr",
					    "rate",
					    "packet_overhead",
					    "cell_size",
					    "cell_overhead",
					    "limit",
					    "ecn",
					    NULL};
	struct tc_netem_qopt opt = {
		.limit = (u32)value_of(o, n, "limit", 1000),
		.loss = chance(o, n, "loss"),
		.duplicate = chance(o, n, "duplicate"),
		.gap = (u32)value_of(o, n, "gap", value_of(o, n, "reorder", 0) ? 1 : 0),
	};
	struct tc_netem_corr corr = {
		.delay_corr = chance(o, n, "delay_corr"),
		.loss_corr = chance(o, n, "loss_corr"),
		.dup_corr = chance(o, n, "dup_corr"),
	};
	struct tc_netem_reorder reorder = {
		.probability = chance(o, n, "reorder"),
		.correlation = chance(o, n, "reorder_corr"),
	};
	struct tc_netem_corrupt corrupt = {
		.probability = chance(o, n, "corrupt"),
		.correlation = chance(o, n, "corrupt_corr"),
	};
	u64 rate = (u64)value_of(o, n, "rate", 0) / 8;
	struct tc_netem_rate r = {
		.rate = (u32)min_t(u64, rate, U32_MAX),
		.packet_overhead = (s32)value_of(o, n, "packet_overhead", 0),
		.cell_size = (u32)value_of(o, n, "cell_size", 0),
		.cell_overhead = (s32)value_of(o, n, "cell_overhead", 0),
	};

	only(b, o, n, known);
	raw(b, &opt, sizeof(opt));
	put_u64(b, TCA_NETEM_LATENCY64, (u64)value_of(o, n, "delay", 0));
	put_u64(b, TCA_NETEM_JITTER64, (u64)value_of(o, n, "jitter", 0));
	if (corr.delay_corr || corr.loss_corr || corr.dup_corr)
		put(b, TCA_NETEM_CORR, &corr, sizeof(corr));
	if (reorder.probability)
		put(b, TCA_NETEM_REORDER, &reorder, sizeof(reorder));
	if (corrupt.probability)
		put(b, TCA_NETEM_CORRUPT, &corrupt, sizeof(corrupt));
	if (value_of(o, n, "ecn", 0))
		put_u32(b, TCA_NETEM_ECN, 1);
	if (rate) {
		put(b, TCA_NETEM_RATE, &r, sizeof(r));
		if (rate > U32_MAX)
			put_u64(b, TCA_NETEM_RATE64, rate);
	}
}

/* ---- all ------------------------------------------------------------------------------------------------ */

struct nlattr *seam_options(const char *kind, bool is_class, const struct net_device *dev,
			    const struct seam_option *o, u32 n, char *err, u32 err_len)
{
	static const struct {
		const char *kind;
		void (*put)(struct builder *b, const struct seam_option *o, u32 n);
	} structs[] = {
		{"pfifo", put_fifo}, {"bfifo", put_fifo}, {"prio", put_prio}, {"sfq", put_sfq},
		{"tbf", put_tbf},    {"htb", put_htb},	  {"red", put_red},   {"netem", put_netem},
	};
	struct builder b = {.top = kzalloc(ROOM, GFP_KERNEL), .err = err, .err_len = err_len};
	bool done = false;

	if (!b.top) {
		seam_error(err, err_len, kind, -ENOMEM, NULL);
		return NULL;
	}
	b.top->nla_len = NLA_HDRLEN;
	b.top->nla_type = TCA_OPTIONS;
	if (is_class) {
		put_htb_class(&b, dev, o, n);
		done = true;
	}
	for (u32 i = 0; i < ARRAY_SIZE(structs) && !done; i++) {
		if (strcmp(structs[i].kind, kind))
			continue;
		structs[i].put(&b, o, n);
		done = true;
	}
	for (u32 i = 0; i < n && !done; i++)
		by_rule(&b, kind, &o[i]);
	if (!b.failed)
		return b.top;
	kfree(b.top);
	return NULL;
}
