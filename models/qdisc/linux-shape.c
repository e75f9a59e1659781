// SPDX-License-Identifier: GPL-3.0-or-later
/* Declarations of Linux's own tbf, netem, prio and htb: the options of tc. */
#include "qdisc/linux.h"

#define U32   UINT32_MAX
#define FIXED PARAM_STRUCTURAL

/* ---- tbf ------------------------------------------------------------------------------------- */

struct tbf_opts {
	int64_t rate, burst, limit, latency, peakrate, minburst, mpu, overhead;
	struct slot child;
};

static void tbf_furnish(struct linux_qdisc *f)
{
	const struct tbf_opts *par = f->q.obj.params;

	if (par->child.cls)
		linux_qdisc_graft(f, 1, &par->child);
}

static void tbf_check(const void *params, struct model_check *c)
{
	const struct tbf_opts *par = params;

	if (par->limit == PARAM_UNSET && par->latency == PARAM_UNSET)
		model_check_error(c, "limit", "is needed, or latency");
	if (par->peakrate != PARAM_UNSET && par->minburst == PARAM_UNSET)
		model_check_error(c, "minburst", "is needed with peakrate");
	linux_qdisc_check_child(c, "child", &par->child);
}

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct tbf_opts, member, type, flags, min, max, doc)
static const struct param tbf_params[] = {
	P(rate, PARAM_RATE, FIXED | PARAM_REQUIRED, 8, 400000000000,
	  "rate of the Ethernet frames without FCS"),
	P(burst, PARAM_BYTES, FIXED | PARAM_REQUIRED, 1, 1 << 30, "size of the bucket"),
	P(limit, PARAM_BYTES, FIXED, 0, U32, "bytes that may wait"),
	P(latency, PARAM_TIME, FIXED, 0, 1000 * SIM_SEC,
	  "in place of limit: what is sent in this time, and burst"),
	P(peakrate, PARAM_RATE, FIXED, 8, 400000000000, "rate at which a burst goes out"),
	P(minburst, PARAM_BYTES, FIXED, 1, 1 << 30, "size of peakrate's bucket"),
	P(mpu, PARAM_INT, FIXED, 0, 65535, "bytes of a packet at least"),
	P(overhead, PARAM_INT, FIXED, 0, 65535, "bytes added to each packet"),
	{.name = "child",
	 .type = PARAM_SLOT,
	 .flags = FIXED,
	 .offset = offsetof(struct tbf_opts, child),
	 .doc = "qdisc of the same tree that packets wait in; without it bfifo of limit",
	 .kind = &kind_qdisc},
	PARAM_END,
};
#undef P

static const struct linux_qdisc_class tbf_ops = {.ops = LINUX_QDISC_OPS, .furnish = tbf_furnish};
static const struct model_ops tbf_model_ops = LINUX_MODEL_OPS(tbf_check);

const struct model_class linux_tbf_class = {
	LINUX_QDISC_CLASS(struct tbf_opts, tbf_params),
	.name = "linux.tbf",
	.doc = "token bucket: Linux's own sch_tbf.c",
	.source = "net/sched/sch_tbf.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &tbf_model_ops,
	.kind_ops = &tbf_ops,
	.tree_file = "net/sched/sch_tbf.c",
};

/* ---- netem ----------------------------------------------------------------------------------- */

struct netem_opts {
	int64_t limit, delay, jitter, delay_corr, loss, loss_corr, duplicate, dup_corr;
	int64_t reorder, reorder_corr, gap, corrupt, corrupt_corr, ecn;
	int64_t rate, packet_overhead, cell_size, cell_overhead;
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct netem_opts, member, type, flags, min, max, doc)
#define CHANCE(member, doc) P(member, PARAM_PROB, PARAM_LIVE, 0, PROB_ONE, doc)
static const struct param netem_params[] = {
	P(limit, PARAM_INT, PARAM_LIVE, 1, U32, "packets; tc's 1000 without it"),
	P(delay, PARAM_TIME, PARAM_LIVE, 0, 1000 * SIM_SEC, "each packet waits for this long"),
	P(jitter, PARAM_TIME, PARAM_LIVE, 0, 1000 * SIM_SEC, "more or less, uniformly"),
	CHANCE(delay_corr, "how much a delay follows the last one"),
	CHANCE(loss, "share of packets that vanish"),
	CHANCE(loss_corr, "how much a loss follows the last draw"),
	CHANCE(duplicate, "share of packets that come twice"),
	CHANCE(dup_corr, "how much that follows the last draw"),
	CHANCE(reorder, "share of packets that go without delay"),
	CHANCE(reorder_corr, "how much that follows the last draw"),
	P(gap, PARAM_INT, PARAM_LIVE, 0, U32, "every so many packets one goes without delay"),
	CHANCE(corrupt, "share of packets with a changed bit, in the headers"),
	CHANCE(corrupt_corr, "how much that follows the last draw"),
	P(ecn, PARAM_BOOL, PARAM_LIVE, 0, 0, "mark in place of losing"),
	P(rate, PARAM_RATE, PARAM_LIVE, 8, 400000000000,
	  "packets go one after the other at this rate"),
	P(packet_overhead, PARAM_INT, PARAM_LIVE, -65535, 65535, "bytes added to each packet"),
	P(cell_size, PARAM_INT, PARAM_LIVE, 0, 65535, "bytes of a cell of the link"),
	P(cell_overhead, PARAM_INT, PARAM_LIVE, -65535, 65535, "bytes added to each cell"),
	PARAM_END,
};
#undef P
#undef CHANCE

static const struct linux_qdisc_class plain = {.ops = LINUX_QDISC_OPS};

const struct model_class linux_netem_class = {
	LINUX_QDISC_CLASS(struct netem_opts, netem_params),
	.name = "linux.netem",
	.doc = "netem: Linux's own sch_netem.c",
	.source = "net/sched/sch_netem.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED
	"\nTables of delays, slots, loss models of states; what a changed bit does to a packet.",
	.ops = &linux_qdisc_model_ops,
	.kind_ops = &plain,
	.tree_file = "net/sched/sch_netem.c",
};

/* ---- prio ------------------------------------------------------------------------------------ */

#define BANDS_MAX 16
#define PRIOMAP	  16

struct prio_opts {
	int64_t bands;
	struct param_list priomap; /* of int64_t */
	struct param_list children; /* of struct slot */
};

static void prio_options(const void *params, struct linux_options *o)
{
	const struct prio_opts *par = params;
	const int64_t *map = par->priomap.items;

	if (!par->priomap.n)
		return;
	for (u32 i = 0; i < PRIOMAP; i++)
		o->bytes[i] = (u8)(i < par->priomap.n ? map[i] : map[par->priomap.n - 1]);
	linux_option_data(o, "priomap", o->bytes, PRIOMAP);
}

static void prio_furnish(struct linux_qdisc *f)
{
	const struct prio_opts *par = f->q.obj.params;
	const struct slot *children = par->children.items;

	for (u32 i = 0; i < par->children.n; i++)
		if (children[i].cls)
			linux_qdisc_graft(f, i + 1, &children[i]);
}

static void prio_check(const void *params, struct model_check *c)
{
	const struct prio_opts *par = params;
	const struct slot *children = par->children.items;

	if (par->priomap.n > PRIOMAP)
		model_check_error(c, "priomap", "has more than %d entries", PRIOMAP);
	if (par->children.n > (par->bands == PARAM_UNSET ? 3 : par->bands))
		model_check_error(c, "children", "are more than there are bands");
	for (u32 i = 0; i < par->children.n; i++)
		linux_qdisc_check_child(c, "children", &children[i]);
}

static const struct param band_field[] = {
	{.name = "band", .type = PARAM_INT, .min = 0, .max = BANDS_MAX - 1, .doc = "band, 0 first"},
	PARAM_END,
};

static const struct param child_field[] = {
	{.name = "child", .type = PARAM_SLOT, .kind = &kind_qdisc, .doc = "the band's qdisc"},
	PARAM_END,
};

static const struct param prio_params[] = {
	{.name = "bands",
	 .type = PARAM_INT,
	 .flags = FIXED,
	 .offset = offsetof(struct prio_opts, bands),
	 .min = 2,
	 .max = BANDS_MAX,
	 .doc = "number of bands; 3 without it"},
	{.name = "priomap",
	 .type = PARAM_LIST,
	 .flags = FIXED,
	 .offset = offsetof(struct prio_opts, priomap),
	 .doc = "band of each skb->priority, from 0; without it 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
	 .fields = band_field,
	 .size = sizeof(int64_t)},
	{.name = "children",
	 .type = PARAM_LIST,
	 .flags = FIXED,
	 .offset = offsetof(struct prio_opts, children),
	 .doc = "qdiscs of the same tree, of the bands from 0; without it pfifo of txqueuelen",
	 .fields = child_field,
	 .size = sizeof(struct slot)},
	PARAM_END,
};

static const struct linux_qdisc_class prio_ops = {
	.ops = LINUX_QDISC_OPS, .options = prio_options, .furnish = prio_furnish};
static const struct model_ops prio_model_ops = LINUX_MODEL_OPS(prio_check);

const struct model_class linux_prio_class = {
	LINUX_QDISC_CLASS(struct prio_opts, prio_params),
	.name = "linux.prio",
	.doc = "bands in strict priority: Linux's own sch_prio.c",
	.source = "net/sched/sch_prio.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &prio_model_ops,
	.kind_ops = &prio_ops,
	.tree_file = "net/sched/sch_prio.c",
};
