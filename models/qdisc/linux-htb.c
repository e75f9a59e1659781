// SPDX-License-Identifier: GPL-3.0-or-later
/* Declaration of Linux's own htb: its options, its classes, and what is put into which. */
#include "qdisc/linux.h"

#define U32   UINT32_MAX
#define FIXED PARAM_STRUCTURAL
#define ROOT  (1u << 16) /* major 1: */

struct htb_class {
	int64_t id, parent; /* minor numbers */
	int64_t rate, ceil, burst, cburst, prio, quantum, mpu, overhead;
	struct slot child;
};

/* Packets with this code point are of this class. */
struct htb_filter {
	int64_t dscp, id;
};

struct htb_opts {
	int64_t def, r2q, direct_qlen;
	struct param_list classes; /* of struct htb_class */
	struct param_list filters; /* of struct htb_filter */
};

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct htb_class, member, type, flags, min, max, doc)
/* The order of options in a class; .id, .parent and .child are not among tc's. */
static const struct param class_options[] = {
	P(rate, PARAM_RATE, FIXED | PARAM_REQUIRED, 8, 400000000000, "rate that is guaranteed"),
	P(ceil, PARAM_RATE, FIXED, 8, 400000000000, "rate with what others leave; without it rate"),
	P(burst, PARAM_BYTES, FIXED, 1, 1 << 30, "bucket of rate; without it a packet"),
	P(cburst, PARAM_BYTES, FIXED, 1, 1 << 30, "bucket of ceil; without it a packet"),
	P(prio, PARAM_INT, FIXED, 0, 7, "lower ones are first to take what others leave"),
	P(quantum, PARAM_BYTES, FIXED, 1, 200000, "bytes in a round; without it rate / r2q"),
	P(mpu, PARAM_INT, FIXED, 0, 65535, "bytes of a packet at least"),
	P(overhead, PARAM_INT, FIXED, 0, 65535, "bytes added to each packet"),
	PARAM_END,
};

static const struct param class_fields[] = {
	P(id, PARAM_INT, FIXED | PARAM_REQUIRED, 1, 0xffff,
	  "number of the class, the MINOR of 1:MINOR"),
	P(parent, PARAM_INT, FIXED, 0, 0xffff,
	  "number of the class that it borrows from; 0, or none: the root"),
	P(rate, PARAM_RATE, FIXED | PARAM_REQUIRED, 8, 400000000000, "rate that is guaranteed"),
	P(ceil, PARAM_RATE, FIXED, 8, 400000000000, "rate with what others leave; without it rate"),
	P(burst, PARAM_BYTES, FIXED, 1, 1 << 30, "bucket of rate; without it a packet"),
	P(cburst, PARAM_BYTES, FIXED, 1, 1 << 30, "bucket of ceil; without it a packet"),
	P(prio, PARAM_INT, FIXED, 0, 7, "lower ones are first to take what others leave"),
	P(quantum, PARAM_BYTES, FIXED, 1, 200000, "bytes in a round; without it rate / r2q"),
	P(mpu, PARAM_INT, FIXED, 0, 65535, "bytes of a packet at least"),
	P(overhead, PARAM_INT, FIXED, 0, 65535, "bytes added to each packet"),
	{.name = "child",
	 .type = PARAM_SLOT,
	 .flags = FIXED,
	 .offset = offsetof(struct htb_class, child),
	 .doc = "qdisc of the same tree that packets of the class wait in; without it pfifo of txqueuelen",
	 .kind = &kind_qdisc},
	PARAM_END,
};
#undef P

static const struct param class_element[] = {
	{.name = "class",
	 .type = PARAM_STRUCT,
	 .fields = class_fields,
	 .size = sizeof(struct htb_class),
	 .doc = "a class"},
	PARAM_END,
};

static const struct param filter_fields[] = {
	{.name = "dscp",
	 .type = PARAM_INT,
	 .flags = FIXED | PARAM_REQUIRED,
	 .offset = offsetof(struct htb_filter, dscp),
	 .min = 0,
	 .max = 63,
	 .doc = "code point"},
	{.name = "id",
	 .type = PARAM_INT,
	 .flags = FIXED | PARAM_REQUIRED,
	 .offset = offsetof(struct htb_filter, id),
	 .min = 1,
	 .max = 0xffff,
	 .doc = "number of the class"},
	PARAM_END,
};

static const struct param filter_element[] = {
	{.name = "filter",
	 .type = PARAM_STRUCT,
	 .fields = filter_fields,
	 .size = sizeof(struct htb_filter),
	 .doc = "a filter"},
	PARAM_END,
};

static const struct param htb_params[] = {
	{.name = "default",
	 .type = PARAM_INT,
	 .flags = FIXED,
	 .offset = offsetof(struct htb_opts, def),
	 .min = 0,
	 .max = 0xffff,
	 .doc = "number of the class of all others; without it they are not shaped"},
	{.name = "r2q",
	 .type = PARAM_INT,
	 .flags = FIXED,
	 .offset = offsetof(struct htb_opts, r2q),
	 .min = 1,
	 .max = U32,
	 .doc = "quantum is rate divided by this; 10 without it"},
	{.name = "direct_qlen",
	 .type = PARAM_INT,
	 .flags = FIXED,
	 .offset = offsetof(struct htb_opts, direct_qlen),
	 .min = 1,
	 .max = U32,
	 .doc = "packets of those that are not shaped; without it txqueuelen"},
	{.name = "classes",
	 .type = PARAM_LIST,
	 .flags = FIXED | PARAM_REQUIRED,
	 .offset = offsetof(struct htb_opts, classes),
	 .fields = class_element,
	 .size = sizeof(struct htb_class),
	 .doc = "classes, parents before their children"},
	{.name = "filters",
	 .type = PARAM_LIST,
	 .flags = FIXED,
	 .offset = offsetof(struct htb_opts, filters),
	 .fields = filter_element,
	 .size = sizeof(struct htb_filter),
	 .doc = "classes by code point; the first that fits counts"},
	PARAM_END,
};

static u32 htb_priority(const struct linux_qdisc *f, const struct packet *p)
{
	const struct htb_opts *par = f->q.obj.params;
	const struct htb_filter *filter = par->filters.items;

	for (u32 i = 0; i < par->filters.n; i++)
		if (filter[i].dscp == p->skb.tos >> 2)
			return ROOT | (u32)filter[i].id;
	return p->skb.priority;
}

static void htb_furnish(struct linux_qdisc *f)
{
	const struct htb_opts *par = f->q.obj.params;
	const struct htb_class *c = par->classes.items;

	for (u32 i = 0; i < par->classes.n; i++) {
		u32 parent = c[i].parent == PARAM_UNSET ? 0 : (u32)c[i].parent;

		linux_qdisc_add_class(f, (u32)c[i].id, parent, class_options, &c[i]);
	}
	for (u32 i = 0; i < par->classes.n; i++)
		if (c[i].child.cls)
			linux_qdisc_graft(f, (u32)c[i].id, &c[i].child);
}

static void htb_check(const void *params, struct model_check *c)
{
	const struct htb_opts *par = params;
	const struct htb_class *cl = par->classes.items;
	bool found = par->def == PARAM_UNSET || !par->def;

	for (u32 i = 0; i < par->classes.n; i++) {
		bool parent = cl[i].parent == PARAM_UNSET || !cl[i].parent;

		for (u32 k = 0; k < i; k++) {
			parent = parent || cl[k].id == cl[i].parent;
			if (cl[k].id == cl[i].id)
				model_check_error(c, "classes", "%lld is there twice",
						  (long long)cl[i].id);
		}
		if (!parent)
			model_check_error(c, "classes",
					  "%lld has a parent that does not stand before it",
					  (long long)cl[i].id);
		found = found || cl[i].id == par->def;
		linux_qdisc_check_child(c, "classes", &cl[i].child);
	}
	if (!found)
		model_check_error(c, "default", "is not one of the classes");
}

static const struct linux_qdisc_class htb_ops = {
	.ops = LINUX_QDISC_OPS,
	.furnish = htb_furnish,
	.priority = htb_priority,
};
static const struct model_ops htb_model_ops = LINUX_MODEL_OPS(htb_check);

const struct model_class linux_htb_class = {
	LINUX_QDISC_CLASS(struct htb_opts, htb_params),
	.name = "linux.htb",
	.doc = "hierarchical token bucket: Linux's own sch_htb.c",
	.source = "net/sched/sch_htb.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED "\nFilters other than by code point.",
	.ops = &htb_model_ops,
	.kind_ops = &htb_ops,
	.tree_file = "net/sched/sch_htb.c",
};
