// SPDX-License-Identifier: GPL-3.0-or-later
/* prio: bands in strict priority, each a qdisc of its own. */
#include <stdio.h>

#include "qdisc/priomap.h"
#include "qdisc/qdisc.h"

#define BANDS_MIN 2
#define BANDS_MAX 16

struct prio_params {
	int64_t bands;
	struct param_list priomap; /* of int64_t: the band of priority 0, 1, ... */
	struct param_list
		children; /* of struct slot: of band 0, 1, ...; pfifo where there is none */
};

struct prio {
	struct qdisc q;
	u32 bands;
	u8 map[PRIO_MAX + 1];
	struct qdisc *child[BANDS_MAX];
};

static const char *const causes[] = {QDISC_CAUSES, NULL};
static const u8 default_map[PRIO_MAX + 1] = {PRIOMAP};
static const struct fifo_params child_params = {.limit = PARAM_UNSET};

static struct prio *prio_of(struct qdisc *q)
{
	return container_of(q, struct prio, q);
}

static int prio_enqueue(struct qdisc *q, struct packet *p)
{
	struct prio *pr = prio_of(q);

	return qdisc_child_enqueue(q, pr->child[pr->map[p->skb.priority & PRIO_MAX]], p);
}

static struct packet *prio_dequeue(struct qdisc *q)
{
	struct prio *pr = prio_of(q);

	for (u32 i = 0; i < pr->bands; i++) {
		struct packet *p = qdisc_child_dequeue(q, pr->child[i]);

		if (p)
			return p;
	}
	return NULL;
}

static const struct packet *prio_peek(const struct qdisc *q)
{
	const struct prio *pr = container_of(q, struct prio, q);

	for (u32 i = 0; i < pr->bands; i++) {
		const struct packet *p = pr->child[i]->ops->peek(pr->child[i]);

		if (p)
			return p;
	}
	return NULL;
}

static void prio_reset(struct qdisc *q)
{
	struct prio *pr = prio_of(q);

	for (u32 i = 0; i < pr->bands; i++)
		qdisc_reset(pr->child[i]);
}

static void prio_attach(struct qdisc *q)
{
	struct prio *pr = prio_of(q);
	const struct prio_params *par = q->obj.params;
	const int64_t *map = par->priomap.items;
	const struct slot *slots = par->children.items;
	char path[256];

	pr->bands = (u32)par->bands;
	for (u32 i = 0; i <= PRIO_MAX; i++) {
		pr->map[i] = i < par->priomap.n ? (u8)map[i] : default_map[i];
		/* As Linux: a band that does not exist is priority 0's. */
		if (pr->map[i] >= pr->bands)
			pr->map[i] = pr->map[0] < pr->bands ? pr->map[0] : 0;
	}
	for (u32 i = 0; i < pr->bands; i++) {
		struct slot slot = {.cls = &pfifo_class, .params = &child_params};

		if (i < par->children.n && slots[i].cls)
			slot = slots[i];
		snprintf(path, sizeof(path), "%s.band%u", q->obj.path, i);
		pr->child[i] = qdisc_new(q->obj.sim, &slot, path, q->dev, q, &q->obj);
	}
}

static void prio_check(const void *params, struct model_check *c)
{
	const struct prio_params *par = params;
	const int64_t *map = par->priomap.items;
	const struct slot *slots = par->children.items;

	if (par->priomap.n > PRIO_MAX + 1)
		model_check_error(c, "priomap", "has %u entries, there are 16 priorities",
				  par->priomap.n);
	for (u32 i = 0; i < par->priomap.n; i++)
		if (map[i] >= par->bands)
			model_check_error(c, "priomap", "priority %u has band %lld of %lld", i,
					  (long long)map[i], (long long)par->bands);
	if (par->children.n > par->bands)
		model_check_error(c, "children", "are more than there are bands (%lld)",
				  (long long)par->bands);
	for (u32 i = 0; i < par->children.n; i++) {
		const struct qdisc_ops *ops = slots[i].cls ? slots[i].cls->kind_ops : NULL;

		if (ops && !ops->enqueue)
			model_check_error(c, "children", "'%s' cannot stand below another qdisc",
					  slots[i].cls->name);
	}
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
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct prio_params, bands),
	 .def = "3",
	 .min = BANDS_MIN,
	 .max = BANDS_MAX,
	 .doc = "number of bands",
	 .linux_name = "tc_prio_qopt.bands"},
	{.name = "priomap",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct prio_params, priomap),
	 .doc = "band of each skb->priority, from 0; without it 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1",
	 .linux_name = "tc_prio_qopt.priomap",
	 .fields = band_field,
	 .size = sizeof(int64_t)},
	{.name = "children",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct prio_params, children),
	 .doc = "qdiscs of the bands, from 0; without it pfifo of txqueuelen",
	 .fields = child_field,
	 .size = sizeof(struct slot)},
	PARAM_END,
};

static const struct probe prio_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops prio_model_ops = {
	.check = prio_check,
	.init = qdisc_init,
	.audit = qdisc_audit,
};

static const struct qdisc_ops prio_ops = {
	.classful = true,
	.causes = causes,
	.enqueue = prio_enqueue,
	.dequeue = prio_dequeue,
	.peek = prio_peek,
	.reset = prio_reset,
	.attach = prio_attach,
};

const struct model_class prio_class = {
	.kind = &kind_qdisc,
	.name = "prio",
	.doc = "bands in strict priority, each a qdisc of its own",
	.source = "Linux 6.1 net/sched/sch_prio.c",
	.not_modelled = "Filters: the band follows from skb->priority.",
	.size = sizeof(struct prio),
	.params_size = sizeof(struct prio_params),
	.params = prio_params,
	.probes = prio_probes,
	.ops = &prio_model_ops,
	.kind_ops = &prio_ops,
};
