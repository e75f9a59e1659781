// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/netdev.h"

#include <glib.h>
#include <stdio.h>

#include "engine/follow.h"
#include "mac80211/mac80211.h"

/* The kernel from which on byte queue limits end no list of packets midway. */
#define ERA_LIST_ON 42000

void netdev_register(struct host *h, struct netdev *dev)
{
	struct network *net = h->net;

	if (net->n_devs == net->max_devs) {
		net->max_devs = net->max_devs ? 2 * net->max_devs : 16;
		net->devs = g_renew(struct netdev *, net->devs, net->max_devs);
	}
	if (h->n_devs == h->max_devs) {
		h->max_devs = h->max_devs ? 2 * h->max_devs : 2;
		h->devs = g_renew(struct netdev *, h->devs, h->max_devs);
	}
	SIM_CHECK(net->sim, &dev->obj, net->n_devs < UINT16_MAX, "there are too many interfaces");
	dev->host = h;
	dev->id = (u16)net->n_devs;
	net->devs[net->n_devs++] = dev;
	h->devs[h->n_devs++] = dev;
}

void *link_join(struct object *link, struct netdev *dev, char *err, size_t err_len)
{
	const struct link_ops *ops = link->cls->kind_ops;
	struct link_member m = {
		.dev = dev,
		.obj = &dev->obj,
		.id = dev->id,
		.host = dev->host->id,
		.host_devs = dev->host->n_devs,
	};

	return ops->join(link, &m, err, err_len);
}

/* ---- what comes up from below ---------------------------------------------------------------- */

static void netdev_rx(void *up, struct packet *p)
{
	struct netdev *dev = up;

	dev->rx_packets += packet_segments(p);
	dev->rx_bytes += p->skb.len;
	host_rx(dev->host, dev, p);
}

static void netdev_wake(void *up, u32 queue)
{
	struct netdev *dev = up;
	struct netdev_queue *q = &dev->queues[queue];

	if (!(q->state & QUEUE_DRV_XOFF))
		return;
	lazy_end(&dev->lazy);
	q->state &= (u8)~QUEUE_DRV_XOFF;
	dev->wakes++;
	if (q->qdisc)
		netdev_queue_schedule(q);
}

static void netdev_tx_status(void *up, const struct tx_status *st)
{
	struct netdev *dev = up;
	struct netdev_queue *q = &dev->queues[st->queue];

	if (!q->bql || !q->bql_ops->completed(q->bql, st->bytes) || !(q->state & QUEUE_STACK_XOFF))
		return;
	lazy_end(&dev->lazy);
	q->state &= (u8)~QUEUE_STACK_XOFF;
	if (!q->qdisc || event_pending(&q->engine->run))
		return;
	if (st->last)
		event_follow(dev->obj.sim, &q->engine->run);
	else
		netdev_queue_schedule(q);
}

static const struct layer_up netdev_up = {
	.rx = netdev_rx,
	.wake = netdev_wake,
	.tx_status = netdev_tx_status,
};

/* ---- queues and qdiscs ----------------------------------------------------------------------- */

static void netdev_softirq(struct sim *sim, struct event *ev)
{
	netdev_queue_run(container_of(ev, struct netdev_queue, run));
}

static void qdisc_woken(void *up, u32 queue)
{
	netdev_queue_schedule(&((struct netdev *)up)->queues[queue]);
}

static void init_bql(struct netdev_queue *q, const struct slot *slot)
{
	struct netdev *dev = q->dev;
	struct slot s = *slot;
	char *path;

	if (!s.cls || s.cls == &no_limit_class)
		return;
	path = dev->n_queues > 1 ? g_strdup_printf("%s.%u", s.path, q->index) : g_strdup(s.path);
	s.path = path;
	q->bql = object_from_slot(dev->obj.sim, &s, &dev->obj);
	q->bql_ops = s.cls->kind_ops;
	q->bql_ops->attach(q->bql, dev->host->hz);
	g_free(path);
}

static void init_queue(struct netdev *dev, u32 i)
{
	const struct netdev_params *par = dev->obj.params;
	struct netdev_queue *q = &dev->queues[i];

	q->index = i;
	q->dev = dev;
	q->engine = q;
	q->ends_list = QUEUE_DRV_XOFF | (dev->host->era < ERA_LIST_ON ? QUEUE_STACK_XOFF : 0);
	event_init(&q->run, netdev_softirq, RANK_TIMER);
	q->qdev = (struct qdisc_dev){
		.mtu = dev->mtu,
		.hard_header_len = ETH_HLEN,
		.tx_queue_len = &par->txqueuelen,
		.hz = dev->host->hz,
		.era = dev->host->era,
		.n_queues = dev->n_queues,
		.late = &dev->host->timer_late,
		.wake = qdisc_woken,
		.up = dev,
		.queue = i,
	};
	if (dev->lower->bql)
		init_bql(q, &par->bql);
}

/* The qdisc as it was asked for: what "default" stands for, and a set under mq where that is meant. */
static struct slot effective_slot(struct netdev *dev)
{
	const struct netdev_params *par = dev->obj.params;
	struct slot slot = par->qdisc;

	if (slot.cls == &qdisc_default_class) {
		const struct qdisc_default_params *def = slot.params;

		slot = dev->lower->no_queue ? (struct slot){0} : def->qdisc;
		slot.path = par->qdisc.path;
	}
	if (!slot.cls || slot.cls == &noqueue_class)
		return (struct slot){0};
	if (dev->n_queues > 1 && slot.cls != &mq_class && !par->qdisc_root) {
		dev->implicit_mq.child = slot;
		slot = (struct slot){
			.cls = &mq_class, .params = &dev->implicit_mq, .path = slot.path};
	}
	return slot;
}

static void attach_qdiscs(struct netdev *dev)
{
	struct slot slot = effective_slot(dev);
	struct qdisc *root;

	if (!slot.cls)
		return;
	root = qdisc_new(dev->obj.sim, &slot, NULL, &dev->queues[0].qdev, NULL, &dev->obj);
	for (u32 i = 0; i < dev->n_queues; i++) {
		struct netdev_queue *q = &dev->queues[i];

		q->qdisc = root->ops->leaf ? root->ops->leaf(root, i) : root;
		if (!root->ops->leaf)
			q->engine = &dev->queues[0];
	}
}

void netdev_set_lower(struct netdev *dev, const struct layer_down *lower, void *obj)
{
	dev->lower = lower;
	dev->lower_obj = obj;
	dev->n_queues = lower->n_queues;
	SIM_CHECK(dev->obj.sim, &dev->obj, dev->n_queues >= 1 && dev->n_queues <= NETDEV_QUEUES_MAX,
		  "%u tx queues", dev->n_queues);
	for (u32 i = 0; i < dev->n_queues; i++)
		init_queue(dev, i);
	attach_qdiscs(dev);
	if (dev->obj.sim->profile)
		netdev_profile(dev, &netdev_up);
	else if (lower->set_up)
		lower->set_up(obj, &netdev_up, dev);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void netdev_init(struct object *obj)
{
	struct netdev *dev = (struct netdev *)obj;

	dev->mtu = (u32)((const struct netdev_params *)obj->params)->mtu;
	lazy_init(&dev->lazy, obj->sim);
}

static bool declares(const struct model_class *cls, const struct param *p)
{
	for (const struct param *own = cls->params; own && own->name; own++)
		if (own == p)
			return true;
	return false;
}

static bool is_part(const struct object *obj, const struct object *whole)
{
	for (; obj; obj = obj->owner)
		if (obj == whole)
			return true;
	return false;
}

/* A parameter of a part, which stands in the interface's own map: the parts that have it are told. */
static void netdev_changed(struct object *obj, const struct param *p)
{
	struct sim *sim = obj->sim;

	for (u32 i = 0; i < sim->n_objects; i++) {
		struct object *part = sim->objects[i];

		if (part != obj && is_part(part, obj) && declares(part->cls, p) && part->cls->ops &&
		    part->cls->ops->changed)
			part->cls->ops->changed(part, p);
	}
}

static void netdev_audit(const struct object *obj, struct model_audit *a)
{
	const struct netdev *dev = (const struct netdev *)obj;

	for (u32 i = 0; i < dev->n_queues; i++) {
		const struct netdev_queue *q = &dev->queues[i];

		/* A plain root qdisc has them in its own sum. */
		if (q->qdisc && q->qdisc->ops->classful)
			a->queue(a->arg, "requeued", q->requeued.n, 0, 0, q->requeued.n);
	}
}

static void netdev_fini(struct object *obj)
{
	struct netdev *dev = (struct netdev *)obj;

	lazy_clear(&dev->lazy);
	g_free(dev->members);
}

static const struct param_era bql_by_era[] = {
	{.era = "2.6.32", .value = "none"},
	{.era = "3.3", .value = "dql"},
	{.era = NULL},
};

static const struct param netdev_params[] = {
	{.name = "qdisc",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, qdisc),
	 .def = "default",
	 .doc = "queueing discipline; one for each tx queue where the device has several",
	 .kind = &kind_qdisc},
	{.name = "qdisc_root",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, qdisc_root),
	 .def = "false",
	 .doc = "one qdisc over all tx queues, as `tc qdisc replace dev DEV root` makes it"},
	{.name = "txqueuelen",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct netdev_params, txqueuelen),
	 .def = "1000",
	 .min = 0,
	 .max = 1000000,
	 .doc = "packets; pfifo_fast's limit, and the default limit of pfifo and bfifo",
	 .linux_name = "tx_queue_len"},
	{.name = "mtu",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, mtu),
	 .def = "1500B",
	 .min = 68,
	 .max = 9000,
	 .doc = "largest IP packet",
	 .linux_name = "mtu"},
	{.name = "tso",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, tso),
	 .def = "true",
	 .doc = "segmentation by the card, where the driver can",
	 .linux_name = "ethtool -K tso"},
	{.name = "rate_control",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, rate_control),
	 .def = "fixed",
	 .doc = "what chooses the rates of a Wi-Fi interface; of no effect on others",
	 .kind = &kind_rate_control},
	{.name = "mac80211",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, mac80211),
	 .def = "mac80211",
	 .doc = "the 802.11 stack of a Wi-Fi interface; of no effect on others",
	 .kind = &kind_mac80211},
	{.name = "bql",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct netdev_params, bql),
	 .def = "dql",
	 .doc = "byte queue limits of each tx queue, where the driver has them",
	 .eras = bql_by_era,
	 .kind = &kind_queue_limit},
	PARAM_END,
};

#define DEV_COUNTER(field, u, text)                                    \
	{                                                              \
		.name = #field, .unit = u, .shape = PROBE_COUNTER,     \
		.offset = offsetof(struct netdev, field), .doc = text, \
	}

static const struct probe netdev_probes[] = {
	DEV_COUNTER(tx_packets, "packets", "given to the layer below"),
	DEV_COUNTER(tx_bytes, "bytes",
		    "given to the layer below, without headers of later segments"),
	DEV_COUNTER(rx_packets, "packets", "received"),
	DEV_COUNTER(rx_bytes, "bytes", "received"),
	DEV_COUNTER(stops, "", "times that the layer below stopped a tx queue"),
	DEV_COUNTER(wakes, "", "times that it woke one"),
	DEV_COUNTER(noqueue_drops, "packets", "lost at a stopped queue, for want of a qdisc"),
	PROBE_END,
};

static const struct model_ops netdev_ops = {
	.init = netdev_init,
	.changed = netdev_changed,
	.audit = netdev_audit,
	.fini = netdev_fini,
};

const struct model_class netdev_class = {
	.kind = &kind_interface,
	.name = "netdev",
	.doc = "a network interface: tx queues, qdisc, byte queue limits",
	.source = "Linux 2.6.32 and 6.1 net/core/dev.c, net/sched/sch_generic.c",
	.not_modelled = "Tx watchdog. Several CPUs: a softirq follows at the same instant.",
	.size = sizeof(struct netdev),
	.params_size = sizeof(struct netdev_params),
	.params = netdev_params,
	.probes = netdev_probes,
	.ops = &netdev_ops,
};
