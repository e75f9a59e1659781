// SPDX-License-Identifier: GPL-3.0-or-later
/* mq: one qdisc for each tx queue of the device; and what an interface has when nothing is chosen. */
#include <stdio.h>

#include "packet/layer.h"
#include "qdisc/qdisc.h"

struct mq {
	struct qdisc q;
	struct qdisc_dev devs[NETDEV_QUEUES_MAX];
	struct qdisc *child[NETDEV_QUEUES_MAX];
};

static const char *const causes[] = {QDISC_CAUSES, NULL};
static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

static struct qdisc *mq_leaf(struct qdisc *q, u32 queue)
{
	return container_of(q, struct mq, q)->child[queue];
}

static void mq_reset(struct qdisc *q)
{
	struct mq *mq = container_of(q, struct mq, q);

	for (u32 i = 0; i < q->dev->n_queues; i++)
		qdisc_reset(mq->child[i]);
}

static void mq_attach(struct qdisc *q)
{
	struct mq *mq = container_of(q, struct mq, q);
	const struct mq_params *par = q->obj.params;
	char path[256];

	for (u32 i = 0; i < q->dev->n_queues; i++) {
		mq->devs[i] = *q->dev;
		mq->devs[i].queue = i;
		/* Four queues are Wi-Fi's access categories. */
		if (q->dev->n_queues == AC_COUNT)
			snprintf(path, sizeof(path), "%s.%s", q->obj.path, ac_names[i]);
		else
			snprintf(path, sizeof(path), "%s.%u", q->obj.path, i);
		mq->child[i] = qdisc_new(q->obj.sim, &par->child, path, &mq->devs[i], q, &q->obj);
	}
}

static void mq_check(const void *params, struct model_check *c)
{
	const struct mq_params *par = params;
	const struct qdisc_ops *ops = par->child.cls ? par->child.cls->kind_ops : NULL;

	if (!ops || !ops->enqueue)
		model_check_error(c, "child", "is not a qdisc that a tx queue can have");
}

/* systemd, since its release 217 of 2014, sets net.core.default_qdisc to fq_codel. */
static const struct param_era default_by_era[] = {
	{.era = "2.6.32", .value = "pfifo_fast"},
	{.era = "4.6", .value = "fq_codel"},
	{.era = NULL},
};

static const struct param mq_params[] = {
	{.name = "child",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct mq_params, child),
	 .def = "pfifo_fast",
	 .doc = "qdisc of each tx queue",
	 .eras = default_by_era,
	 .kind = &kind_qdisc},
	PARAM_END,
};

static const struct param default_params[] = {
	{.name = "qdisc",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct qdisc_default_params, qdisc),
	 .def = "pfifo_fast",
	 .doc = "qdisc of each tx queue, where the device has any",
	 .linux_name = "net.core.default_qdisc",
	 .eras = default_by_era,
	 .kind = &kind_qdisc},
	PARAM_END,
};

static const struct probe mq_probes[] = {QDISC_PROBES, PROBE_END};

static const struct model_ops mq_model_ops = {
	.check = mq_check,
	.init = qdisc_init,
	.audit = qdisc_audit,
};

static const struct qdisc_ops mq_ops = {
	.classful = true,
	.causes = causes,
	.reset = mq_reset,
	.attach = mq_attach,
	.leaf = mq_leaf,
};

const struct model_class mq_class = {
	.kind = &kind_qdisc,
	.name = "mq",
	.doc = "one qdisc for each tx queue of the device",
	.source = "Linux 6.1 net/sched/sch_mq.c",
	.size = sizeof(struct mq),
	.params_size = sizeof(struct mq_params),
	.params = mq_params,
	.probes = mq_probes,
	.ops = &mq_model_ops,
	.kind_ops = &mq_ops,
};

/* Neither of the two below is ever made: the netdev looks at the class alone. */
static const struct qdisc_ops none_ops = {.causes = causes};

const struct model_class noqueue_class = {
	.kind = &kind_qdisc,
	.name = "noqueue",
	.doc = "no qdisc: a packet that meets a stopped queue is lost",
	.source = "Linux 6.1 net/core/dev.c __dev_queue_xmit()",
	.size = sizeof(struct qdisc),
	.kind_ops = &none_ops,
};

const struct model_class qdisc_default_class = {
	.kind = &kind_qdisc,
	.name = "default",
	.doc = "what Linux attaches: noqueue over a driver with queues in mac80211, else .qdisc on each tx queue",
	.source = "Linux 6.1 net/sched/sch_generic.c attach_default_qdiscs(), net/mac80211/iface.c",
	.size = sizeof(struct qdisc),
	.params_size = sizeof(struct qdisc_default_params),
	.params = default_params,
	.kind_ops = &none_ops,
};
