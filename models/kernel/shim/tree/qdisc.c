// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Family qdisc: Qdisc_ops of the tree behind the seam. A root qdisc has a device of its own. */
#include "qdisc.h"

#include <linux/filter.h>
#include <linux/jump_label.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/version.h>
#include <net/net_namespace.h>
#include <net/pkt_cls.h>

#include "skb.h"

#define KINDS 32
/* Major numbers: the root's, and those of what is put into classes. */
#define ROOT_MAJOR 0x10000u

struct instance {
	struct seam_user user;
	struct seam_queue *state;
	struct Qdisc *root;
	struct net_device *dev;
	struct netdev_queue queue;
	u32 next_major;
	u32 outside_packets,
		outside_bytes; /* of what the device took back, as counted into the root */
};

/* The one network namespace: nothing is set in it. */
struct net init_net;
/* Of flow dissectors in BPF, of which there are none. */
DEFINE_STATIC_KEY_FALSE(bpf_stats_enabled_key);

static struct Qdisc_ops *kinds[KINDS];
static u32 n_kinds;

/* ---- what the files call ------------------------------------------------------------------------ */

int register_qdisc(struct Qdisc_ops *ops)
{
	if (n_kinds == KINDS)
		panic("too many qdiscs");
	if (!ops->peek)
		ops->peek = noop_qdisc_ops.peek;
	kinds[n_kinds++] = ops;
	return 0;
}

void unregister_qdisc(struct Qdisc_ops *ops)
{
}

void __netif_schedule(struct Qdisc *q)
{
	seam_boot->wake(seam_boot, seam_up());
}

void netif_schedule_queue(struct netdev_queue *q)
{
	seam_boot->wake(seam_boot, seam_up());
}

/* Linux walks up through its own qdiscs; what stands above the root is the simulator's. */
void __real_qdisc_tree_reduce_backlog(struct Qdisc *q, int n, int bytes);
void __wrap_qdisc_tree_reduce_backlog(struct Qdisc *q, int n, int bytes);
void __wrap_qdisc_tree_reduce_backlog(struct Qdisc *q, int n, int bytes)
{
	__real_qdisc_tree_reduce_backlog(q, n, bytes);
	seam_boot->reduce(seam_boot, seam_up(), n, bytes);
}

/* No filters: a packet is classified by its priority, or by its flow. */
int tcf_block_get(struct tcf_block **block, struct tcf_proto __rcu **chain, struct Qdisc *q,
		  struct netlink_ext_ack *ack)
{
	return 0;
}

void tcf_block_put(struct tcf_block *block)
{
}

int tcf_classify(struct sk_buff *skb, const struct tcf_block *block, const struct tcf_proto *tp,
		 struct tcf_result *res, bool compat)
{
	return TC_ACT_UNSPEC;
}

int tcf_qevent_init(struct tcf_qevent *qe, struct Qdisc *q, enum flow_block_binder_type type,
		    struct nlattr *attr, struct netlink_ext_ack *ack)
{
	return 0;
}

void tcf_qevent_destroy(struct tcf_qevent *qe, struct Qdisc *q)
{
}

int tcf_qevent_validate_change(struct tcf_qevent *qe, struct nlattr *attr,
			       struct netlink_ext_ack *ack)
{
	return 0;
}

struct sk_buff *tcf_qevent_handle(struct tcf_qevent *qe, struct Qdisc *q, struct sk_buff *skb,
				  struct sk_buff **to_free, int *ret)
{
	return skb;
}

/* No rate estimator is ever made. */
void gen_kill_estimator(struct net_rate_estimator __rcu **estimator)
{
}

/* No hardware to hand a qdisc to. */
int qdisc_offload_dump_helper(struct Qdisc *q, enum tc_setup_type type, void *data)
{
	return 0;
}

void dev_activate(struct net_device *dev)
{
	seam_trap("dev_activate", "net/sched/sch_api.c");
}

void dev_deactivate(struct net_device *dev)
{
	seam_trap("dev_deactivate", "net/sched/sch_api.c");
}

void qdisc_offload_graft_helper(struct net_device *dev, struct Qdisc *q, struct Qdisc *new,
				struct Qdisc *old, enum tc_setup_type type, void *data,
				struct netlink_ext_ack *ack)
{
}

/* ---- going in and out ----------------------------------------------------------------------------- */

static void enter(struct instance *in, enum seam_gone why)
{
	struct seam_queue *s = in->state;
	struct Qdisc *q = in->root;

	seam_enter(&in->user);
	seam_skb_why = why;
	if (unlikely(s->outside_packets != in->outside_packets ||
		     s->outside_bytes != in->outside_bytes)) {
		q->q.qlen += s->outside_packets - in->outside_packets;
		q->qstats.backlog += s->outside_bytes - in->outside_bytes;
		in->outside_packets = s->outside_packets;
		in->outside_bytes = s->outside_bytes;
	}
}

/* Newer kernels leave what they drop in dequeue to the caller. */
static void free_dropped(struct Qdisc *q)
{
#ifdef SEAM_QDISC_TO_FREE
	struct sk_buff *list = q->to_free;

	q->to_free = NULL;
	while (list) {
		struct sk_buff *next = list->next;

		kfree_skb(list);
		list = next;
	}
#endif
}

static void leave(struct instance *in)
{
	struct seam_queue *s = in->state;
	const struct Qdisc *q = in->root;

	free_dropped(in->root);
	s->qlen = q->q.qlen - in->outside_packets;
	s->backlog = q->qstats.backlog - in->outside_bytes;
	s->can_bypass = q->flags & TCQ_F_CAN_BYPASS;
	s->drops = q->qstats.drops;
	s->overlimits = q->qstats.overlimits;
	s->requeues = q->qstats.requeues;
}

static void timer_enter(struct seam_user *u)
{
	enter(container_of(u, struct instance, user), SEAM_GONE_TIMER);
}

static void timer_leave(struct seam_user *u)
{
	leave(container_of(u, struct instance, user));
}

/* ---- making ------------------------------------------------------------------------------------------ */

static struct Qdisc_ops *find_kind(const char *kind)
{
	for (u32 i = 0; i < n_kinds; i++)
		if (!strcmp(kinds[i]->id, kind))
			return kinds[i];
	return NULL;
}

static const char *seam_kind(u32 i)
{
	return i < n_kinds ? kinds[i]->id : NULL;
}

static struct net_device *new_device(const struct seam_device *d, struct netdev_queue *queue)
{
	struct net_device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

	if (!dev)
		return NULL;
	strscpy(dev->name, "eth0", sizeof(dev->name));
	dev->mtu = d->mtu;
	dev->hard_header_len = (u16)d->hard_header_len;
	dev->tx_queue_len = d->tx_queue_len;
	dev->flags = IFF_UP;
	dev->type = 1; /* ARPHRD_ETHER */
	dev->num_tx_queues = 1;
	dev->real_num_tx_queues = 1;
	dev->_tx = queue;
	dev->gso_max_size = 65536;
#ifdef CONFIG_PCPU_DEV_REFCNT
	dev->pcpu_refcnt = alloc_percpu(int);
#else
	refcount_set(&dev->dev_refcnt, 1);
#endif
	hash_init(dev->qdisc_hash);
	queue->dev = dev;
	return dev;
}

static void free_device(struct net_device *dev)
{
#ifdef CONFIG_PCPU_DEV_REFCNT
	free_percpu(dev->pcpu_refcnt);
#endif
	kfree(dev);
}

static void set_queue(struct instance *in, struct Qdisc *q)
{
	rcu_assign_pointer(in->queue.qdisc, q);
	rcu_assign_pointer(in->queue.qdisc_sleeping, q);
	rcu_assign_pointer(in->dev->qdisc, q);
}

/* A qdisc with @parent and @handle, set up; NULL with the error told. */
static struct Qdisc *make(struct instance *in, const char *kind, u32 parent, u32 handle,
			  const struct seam_option *o, u32 n, char *err, u32 err_len)
{
	struct Qdisc_ops *ops = find_kind(kind);
	struct netlink_ext_ack ack = {};
	struct nlattr *options;
	struct Qdisc *q;
	int rc;

	if (!ops) {
		seam_error(err, err_len, kind, -ENOENT, NULL);
		return NULL;
	}
	options = seam_options(kind, false, in->dev, o, n, err, err_len);
	if (!options)
		return NULL;
	q = qdisc_alloc(&in->queue, ops, &ack);
	if (IS_ERR(q)) {
		seam_error(err, err_len, kind, (int)PTR_ERR(q), &ack);
		kfree(options);
		return NULL;
	}
	q->parent = parent;
	q->handle = handle;
	if (parent == TC_H_ROOT) {
		in->root = q;
		set_queue(in, q);
	}
	rc = ops->init ? ops->init(q, nla_len(options) ? options : NULL, &ack) : 0;
	kfree(options);
	if (!rc) {
		qdisc_hash_add(q, false);
		return q;
	}
	seam_error(err, err_len, kind, rc, &ack);
	/* As qdisc_create() does when init has failed. */
	if (ops->destroy)
		ops->destroy(q);
	if (parent == TC_H_ROOT)
		set_queue(in, &noop_qdisc);
	kfree(q);
	return NULL;
}

static void *seam_create(const char *kind, void *up, const struct seam_device *d,
			 struct seam_queue *state, const struct seam_option *o, u32 n, char *err,
			 u32 err_len)
{
	struct instance *in = kzalloc(sizeof(*in), GFP_KERNEL);

	if (!in)
		return NULL;
	in->user = (struct seam_user){up, timer_enter, timer_leave};
	in->state = state;
	in->next_major = ROOT_MAJOR;
	in->dev = new_device(d, &in->queue);
	seam_enter(&in->user);
	seam_skb_why = SEAM_GONE_CHANGE;
	set_queue(in, &noop_qdisc);
	if (!make(in, kind, TC_H_ROOT, in->next_major, o, n, err, err_len)) {
		seam_timers_drop(&in->user);
		free_device(in->dev);
		kfree(in);
		return NULL;
	}
	in->next_major += 0x10000;
	leave(in);
	return in;
}

static int seam_graft(void *queue, u32 minor, const char *kind, const struct seam_option *o, u32 n,
		      char *err, u32 err_len)
{
	struct instance *in = queue;
	struct Qdisc *root = in->root, *child, *old = NULL;
	const struct Qdisc_class_ops *c = root->ops->cl_ops;
	u32 id = TC_H_MAKE(root->handle, minor);
	struct netlink_ext_ack ack = {};
	unsigned long cl;
	int rc;

	enter(in, SEAM_GONE_CHANGE);
	cl = c && c->graft ? c->find(root, id) : 0;
	if (!cl)
		return seam_error(err, err_len, "class", -ENOENT, NULL);
	child = make(in, kind, id, in->next_major, o, n, err, err_len);
	if (!child)
		return -EINVAL;
	in->next_major += 0x10000;
	rc = c->graft(root, cl, child, &old, &ack);
	if (rc) {
		qdisc_put(child);
		return seam_error(err, err_len, kind, rc, &ack);
	}
	qdisc_put(old);
	leave(in);
	return 0;
}

static int seam_add_class(void *queue, u32 minor, u32 parent, const struct seam_option *o, u32 n,
			  char *err, u32 err_len)
{
	struct instance *in = queue;
	struct Qdisc *root = in->root;
	const struct Qdisc_class_ops *c = root->ops->cl_ops;
	struct nlattr *tb[TCA_MAX + 1] = {};
	struct netlink_ext_ack ack = {};
	struct nlattr *options;
	unsigned long cl = 0;
	int rc;

	enter(in, SEAM_GONE_CHANGE);
	if (!c || !c->change)
		return seam_error(err, err_len, "class", -EOPNOTSUPP, NULL);
	options = seam_options(root->ops->id, true, in->dev, o, n, err, err_len);
	if (!options)
		return -EINVAL;
	tb[TCA_OPTIONS] = options;
	rc = c->change(root, TC_H_MAKE(root->handle, minor),
		       parent ? TC_H_MAKE(root->handle, parent) : TC_H_ROOT, tb, &cl, &ack);
	kfree(options);
	leave(in);
	return rc ? seam_error(err, err_len, "class", rc, &ack) : 0;
}

static int seam_change(void *queue, const struct seam_option *o, u32 n, char *err, u32 err_len)
{
	struct instance *in = queue;
	struct Qdisc *q = in->root;
	struct netlink_ext_ack ack = {};
	struct nlattr *options;
	int rc;

	enter(in, SEAM_GONE_CHANGE);
	if (!q->ops->change)
		return seam_error(err, err_len, q->ops->id, -EOPNOTSUPP, NULL);
	options = seam_options(q->ops->id, false, in->dev, o, n, err, err_len);
	if (!options)
		return -EINVAL;
	rc = q->ops->change(q, options, &ack);
	kfree(options);
	leave(in);
	return rc ? seam_error(err, err_len, q->ops->id, rc, &ack) : 0;
}

static void seam_set_tx_queue_len(void *queue, u32 packets)
{
	struct instance *in = queue;

	enter(in, SEAM_GONE_CHANGE);
	in->dev->tx_queue_len = packets;
	if (in->root->ops->change_tx_queue_len)
		in->root->ops->change_tx_queue_len(in->root, packets);
	leave(in);
}

/* ---- packets ------------------------------------------------------------------------------------------ */

static int seam_enqueue(void *queue, const struct seam_packet *p)
{
	struct instance *in = queue;
	struct Qdisc *q = in->root;
	struct sk_buff *to_free = NULL;
	int rc;

	enter(in, SEAM_GONE_ENQUEUE);
	rc = q->enqueue(seam_skb_new(p, in->dev), q, &to_free);
	while (to_free) {
		struct sk_buff *next = to_free->next;

		kfree_skb(to_free);
		to_free = next;
	}
	leave(in);
	return rc;
}

static bool seam_dequeue(void *queue, struct seam_given *out)
{
	struct instance *in = queue;
	struct sk_buff *skb;

	enter(in, SEAM_GONE_DEQUEUE);
	/* With what a peek has taken out (gso_skb) first. */
	skb = qdisc_dequeue_peeked(in->root);
	if (skb)
		seam_skb_give(skb, out);
	leave(in);
	return skb;
}

static void *seam_peek(void *queue)
{
	struct instance *in = queue;
	struct sk_buff *skb;

	enter(in, SEAM_GONE_DEQUEUE);
	skb = in->root->ops->peek(in->root);
	leave(in);
	return skb ? seam_skb_cookie(skb) : NULL;
}

static void seam_reset(void *queue)
{
	struct instance *in = queue;

	enter(in, SEAM_GONE_RESET);
	qdisc_reset(in->root);
	/* What the device holds is none of the qdisc's; the next entry counts it in again. */
	in->outside_packets = 0;
	in->outside_bytes = 0;
	leave(in);
}

static void seam_destroy(void *queue)
{
	struct instance *in = queue;

	enter(in, SEAM_GONE_RESET);
	qdisc_reset(in->root);
	set_queue(in, &noop_qdisc);
	qdisc_put(in->root);
	seam_timers_drop(&in->user);
	free_device(in->dev);
	kfree(in);
}

static u32 seam_stats(void *queue, struct seam_stat *out, u32 max)
{
	struct instance *in = queue;
	u32 n;

	enter(in, SEAM_GONE_CHANGE);
	n = seam_qdisc_stats(in->root, out, max);
	leave(in);
	return n;
}

static const struct seam_qdisc qdisc_entries = {
	.kind = seam_kind,
	.create = seam_create,
	.graft = seam_graft,
	.add_class = seam_add_class,
	.change = seam_change,
	.set_tx_queue_len = seam_set_tx_queue_len,
	.enqueue = seam_enqueue,
	.dequeue = seam_dequeue,
	.peek = seam_peek,
	.reset = seam_reset,
	.destroy = seam_destroy,
	.stats = seam_stats,
};

static void qdisc_boot(struct seam_boot *b)
{
	seam_boot = b;
	seam_enter(NULL);
	register_qdisc(&pfifo_qdisc_ops);
	register_qdisc(&bfifo_qdisc_ops);
	seam_run_initcalls();
}

const struct seam_core wlanq_linux = {
	.abi = SEAM_ABI,
	.hz = HZ,
	.family = "qdisc",
	.version = seam_version,
	.compiler = __VERSION__,
	.files = seam_files,
	.traps = seam_traps,
	.boot = qdisc_boot,
	.halt = seam_halt,
	.fired = seam_fired,
	.qdisc = &qdisc_entries,
};
