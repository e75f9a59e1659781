// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The calls of vectors.h before the running kernel's own qdiscs: its binaries, as they are. Only what they ask of the
 * world is the vectors': while one of them is being called, ktime_get(), the random draws, mod_timer() and
 * hrtimer_start_range_ns() are answered here (by kprobes), and jiffies are those of the vectors' clock.
 * A number that is written to the parameter `run` runs that subject with the qdisc that is the default at that time;
 * `wheel` has timers of the kernel wait. What came out is in the kernel log.
 */
#define pr_fmt(fmt) "wlanq-qdisc: " fmt

#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/timer.h>
#include <linux/udp.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/tcp.h>

#include "answer.h"
#include "vectors.h"

static struct vec_run run;
static s64 now;
static u32 gone, gone_numbers;

/* The one timer. */
static struct timer_list *timer;
static s64 due = VEC_NONE;

/* ---- the vectors' clock ----------------------------------------------------------------------- */

/* When the wheel looks at a timer that is set at @at to expire at @expires: proven by `wheel`. */
static s64 wheel_due(s64 at, unsigned long expires)
{
	unsigned long clock = jiffies_at(at) + 1, delta = expires - clock, seen;
	u32 level = 0;

	while (level < 8 && delta >= 63ul << 3 * level)
		level++;
	seen = (long)delta < 0 ? clock : ((expires >> 3 * level) + 1) << 3 * level;
	return (s64)(seen - INITIAL_JIFFIES) * (NSEC_PER_SEC / HZ);
}

static void enter(s64 at)
{
	now = at;
	time_enter(at);
}

static void leave(void)
{
	time_leave();
}

/* ---- what is answered here ---------------------------------------------------------------------- */

static int on_ktime_get(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, now) : 0;
}

static int on_random(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, vec_draw(&run)) : 0;
}

static int on_random_u16(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, (u16)vec_draw(&run)) : 0;
}

static int on_random_bytes(struct kprobe *p, struct pt_regs *regs)
{
	u8 *to = (u8 *)regs->di;
	size_t n = regs->si;

	if (!mine())
		return 0;
	while (n--)
		*to++ = (u8)vec_draw(&run);
	return answer(regs, 0);
}

static int on_mod_timer(struct kprobe *p, struct pt_regs *regs)
{
	if (!mine())
		return 0;
	timer = (struct timer_list *)regs->di;
	/* Outside of enter() and leave() the jiffies are the kernel's. */
	due = wheel_due(now, regs->si - jiffies + jiffies_at(now));
	return answer(regs, 0);
}

static int on_timer_delete(struct kprobe *p, struct pt_regs *regs)
{
	if (mine() && (struct timer_list *)regs->di == timer)
		due = VEC_NONE;
	return 0;
}

static int on_hrtimer_start(struct kprobe *p, struct pt_regs *regs)
{
	if (!mine())
		return 0;
	timer = NULL;
	due = max_t(s64, regs->si, now);
	return answer(regs, 0);
}

static int on_hrtimer_cancel(struct kprobe *p, struct pt_regs *regs)
{
	if (mine() && !timer)
		due = VEC_NONE;
	return 0;
}

static struct kprobe probes[] = {
	{.symbol_name = "ktime_get", .pre_handler = on_ktime_get},
	{.symbol_name = "get_random_u32", .pre_handler = on_random},
	{.symbol_name = "get_random_u16", .pre_handler = on_random_u16},
	{.symbol_name = "get_random_bytes", .pre_handler = on_random_bytes},
	{.symbol_name = "mod_timer", .pre_handler = on_mod_timer},
	{.symbol_name = "timer_delete", .pre_handler = on_timer_delete},
	{.symbol_name = "hrtimer_start_range_ns", .pre_handler = on_hrtimer_start},
	{.symbol_name = "hrtimer_cancel", .pre_handler = on_hrtimer_cancel},
};

/* ---- packets -------------------------------------------------------------------------------------- */

static struct net_device *dev;

/* The number lies in the mark. */
static void packet_gone(struct sk_buff *skb)
{
	gone++;
	gone_numbers += vec_mix(skb->mark);
}

static void put_tcp(struct sk_buff *skb, const struct seam_packet *p)
{
	u32 len = 32 + (p->tcp.n_sack ? 12 : 0);
	struct tcphdr *th = skb_put_zero(skb, len);
	__be32 *w = (__be32 *)(th + 1);

	th->source = htons(p->sport);
	th->dest = htons(p->dport);
	th->seq = htonl(p->tcp.seq);
	th->ack_seq = htonl(p->tcp.ack);
	th->doff = len / 4;
	th->ack = 1;
	th->psh = !!(p->tcp.flags & 8);
	th->window = htons(p->tcp.window);
	*w++ = htonl(TCPOPT_NOP << 24 | TCPOPT_NOP << 16 | TCPOPT_TIMESTAMP << 8 | 10);
	*w++ = htonl(p->tcp.tsval);
	*w++ = htonl(p->tcp.tsecr);
	if (p->tcp.n_sack) {
		*w++ = htonl(TCPOPT_NOP << 24 | TCPOPT_NOP << 16 | TCPOPT_SACK << 8 | 10);
		*w++ = htonl(p->tcp.sack[0].start);
		*w++ = htonl(p->tcp.sack[0].end);
	}
}

static void put_ip(struct sk_buff *skb, const struct seam_packet *p)
{
	u32 i;

	skb_set_network_header(skb, ETH_HLEN);
	if (p->ip_version == 6) {
		struct ipv6hdr *h = skb_put_zero(skb, sizeof(*h));

		h->version = 6;
		h->priority = p->dsfield >> 4;
		h->flow_lbl[0] = (u8)(p->dsfield << 4);
		h->payload_len = htons(p->len - ETH_HLEN - sizeof(*h));
		h->nexthdr = p->protocol;
		h->hop_limit = 64;
		for (i = 0; i < 4; i++) {
			h->saddr.s6_addr32[i] = htonl(p->src[i]);
			h->daddr.s6_addr32[i] = htonl(p->dst[i]);
		}
		skb->protocol = htons(ETH_P_IPV6);
	} else {
		struct iphdr *h = skb_put_zero(skb, sizeof(*h));

		h->version = 4;
		h->ihl = 5;
		h->tos = p->dsfield;
		h->tot_len = htons(p->len - ETH_HLEN);
		h->frag_off = htons(IP_DF);
		h->ttl = 64;
		h->protocol = p->protocol;
		h->saddr = htonl(p->src[0]);
		h->daddr = htonl(p->dst[0]);
		skb->protocol = htons(ETH_P_IP);
	}
}

static struct sk_buff *packet(const struct seam_packet *p)
{
	struct sk_buff *skb = alloc_skb(p->len + 2, GFP_KERNEL | __GFP_NOFAIL);
	u8 *b;

	skb_reserve(skb, 2);
	skb_reset_mac_header(skb);
	skb->mac_len = ETH_HLEN;
	skb_put_zero(skb, ETH_HLEN);
	put_ip(skb, p);
	eth_hdr(skb)->h_proto = skb->protocol;
	skb_set_transport_header(skb, skb->len);
	if (p->protocol == IPPROTO_TCP) {
		put_tcp(skb, p);
	} else {
		b = skb_put_zero(skb, 8);
		if (p->protocol == IPPROTO_UDP) {
			((struct udphdr *)b)->source = htons(p->sport);
			((struct udphdr *)b)->dest = htons(p->dport);
		} else { /* an echo request */
			b[0] = p->ip_version == 6 ? 128 : 8;
			*(__be16 *)(b + 4) = htons(p->sport);
		}
	}
	skb_put_zero(skb, p->len - skb->len);
	skb->dev = dev;
	skb->truesize = p->truesize;
	skb->mark = (u32)(unsigned long)p->cookie;
	skb->hash = p->hash;
	skb->l4_hash = p->hash != 0;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->destructor = packet_gone;
	qdisc_skb_cb(skb)->pkt_len = p->link_len;
	return skb;
}

/* ---- options: as tc encodes them ------------------------------------------------------------------- */

static const struct {
	const char *kind, *name;
	u16 attr, size;
	u32 unit;
} attrs[] = {
	{"fq_codel", "limit", TCA_FQ_CODEL_LIMIT, 4, 1},
	{"fq_codel", "target", TCA_FQ_CODEL_TARGET, 4, 1000},
	{"fq_codel", "interval", TCA_FQ_CODEL_INTERVAL, 4, 1000},
	{"fq_codel", "quantum", TCA_FQ_CODEL_QUANTUM, 4, 1},
	{"fq_codel", "ecn", TCA_FQ_CODEL_ECN, 4, 1},
	{"fq_codel", "memory_limit", TCA_FQ_CODEL_MEMORY_LIMIT, 4, 1},
	{"fq_codel", "drop_batch", TCA_FQ_CODEL_DROP_BATCH_SIZE, 4, 1},
	{"fq_codel", "ce_threshold", TCA_FQ_CODEL_CE_THRESHOLD, 4, 1000},
	{"codel", "limit", TCA_CODEL_LIMIT, 4, 1},
	{"codel", "target", TCA_CODEL_TARGET, 4, 1000},
	{"codel", "interval", TCA_CODEL_INTERVAL, 4, 1000},
	{"codel", "ecn", TCA_CODEL_ECN, 4, 1},
	{"codel", "ce_threshold", TCA_CODEL_CE_THRESHOLD, 4, 1000},
	{"pie", "limit", TCA_PIE_LIMIT, 4, 1},
	{"pie", "target", TCA_PIE_TARGET, 4, 1000},
	{"pie", "tupdate", TCA_PIE_TUPDATE, 4, 1000},
	{"pie", "alpha", TCA_PIE_ALPHA, 4, 1},
	{"pie", "beta", TCA_PIE_BETA, 4, 1},
	{"pie", "ecn", TCA_PIE_ECN, 4, 1},
	{"pie", "bytemode", TCA_PIE_BYTEMODE, 4, 1},
	{"pie", "dq_rate_estimator", TCA_PIE_DQ_RATE_ESTIMATOR, 4, 1},
	{"cake", "bandwidth", TCA_CAKE_BASE_RATE64, 8, 8},
	{"cake", "rtt", TCA_CAKE_RTT, 4, 1000},
	{"cake", "diffserv", TCA_CAKE_DIFFSERV_MODE, 4, 1},
	{"cake", "flows", TCA_CAKE_FLOW_MODE, 4, 1},
	{"cake", "ack_filter", TCA_CAKE_ACK_FILTER, 4, 1},
	{"cake", "wash", TCA_CAKE_WASH, 4, 1},
	{"cake", "memlimit", TCA_CAKE_MEMORY, 4, 1},
	{"cake", "link_layer", TCA_CAKE_ATM, 4, 1},
	{"cake", "overhead", TCA_CAKE_OVERHEAD, 4, 1},
	{"cake", "mpu", TCA_CAKE_MPU, 4, 1},
	{"cake", "ingress", TCA_CAKE_INGRESS, 4, 1},
};

static void put_sfq(u8 *to, u32 *len, const struct vec_option *o, u32 n)
{
	struct tc_sfq_qopt_v1 *q = (struct tc_sfq_qopt_v1 *)to;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!strcmp(o[i].name, "limit"))
			q->v0.limit = o[i].value;
		else if (!strcmp(o[i].name, "quantum"))
			q->v0.quantum = o[i].value;
		else if (!strcmp(o[i].name, "perturb"))
			q->v0.perturb_period = div_s64(o[i].value, NSEC_PER_SEC);
		else if (!strcmp(o[i].name, "depth"))
			q->depth = o[i].value;
		else if (!strcmp(o[i].name, "headdrop"))
			q->headdrop = o[i].value;
	}
	*len += sizeof(*q);
}

/* NULL: there are none. */
static struct nlattr *options(const struct Qdisc *q, const struct vec_option *o, u32 n)
{
	static u8 buffer[512] __aligned(8);
	struct nlattr *top = (struct nlattr *)buffer, *a;
	u32 len = NLA_HDRLEN, i, k;
	s64 value;

	memset(buffer, 0, sizeof(buffer));
	if (!strcmp(q->ops->id, "sfq"))
		put_sfq(buffer + len, &len, o, n);
	for (i = 0; i < n; i++) {
		for (k = 0; k < ARRAY_SIZE(attrs); k++) {
			if (strcmp(attrs[k].kind, q->ops->id) || strcmp(attrs[k].name, o[i].name))
				continue;
			a = (struct nlattr *)(buffer + len);
			a->nla_type = attrs[k].attr;
			a->nla_len = NLA_HDRLEN + attrs[k].size;
			value = div_s64(o[i].value, attrs[k].unit);
			memcpy(nla_data(a), &value, attrs[k].size);
			len += NLA_ALIGN(a->nla_len);
		}
	}
	top->nla_len = len;
	return n ? top : NULL;
}

/* ---- a subject ----------------------------------------------------------------------------------------- */

/* What falls due up to the time @at. */
static void pass(s64 at)
{
	while (due != VEC_NONE && due <= at) {
		s64 then = due;

		due = VEC_NONE;
		if (timer) {
			enter(then);
			timer->function(timer);
			leave();
		}
	}
}

static int one(struct Qdisc *q, const struct vec_call *c, const struct vec_subject *s,
	       struct vec_answer *a)
{
	struct sk_buff *skb = NULL, *to_free = NULL;
	struct netlink_ext_ack ack = {};
	struct nlattr *later;
	int rc = 0;

	switch (c->what) {
	case VEC_ENQUEUE:
		skb = packet(&c->p);
		enter(c->at);
		a->result = q->enqueue(skb, q, &to_free);
		if (to_free)
			kfree_skb_list(to_free);
		leave();
		break;
	case VEC_PEEK:
		enter(c->at);
		skb = q->ops->peek(q);
		leave();
		a->result = skb ? skb->mark : 0;
		break;
	case VEC_DEQUEUE:
		enter(c->at);
		skb = qdisc_dequeue_peeked(q);
		leave();
		if (!skb)
			break;
		a->result = skb->mark;
		a->dsfield = skb->protocol == htons(ETH_P_IPV6) ? ipv6_get_dsfield(ipv6_hdr(skb))
								: ip_hdr(skb)->tos;
		skb->destructor = NULL;
		kfree_skb(skb);
		break;
	case VEC_CHANGE:
		later = options(q, s->later, vec_options(s->later, ARRAY_SIZE(s->later)));
		rtnl_lock();
		enter(c->at);
		rc = later ? q->ops->change(q, later, &ack) : 0;
		leave();
		rtnl_unlock(); /* here it frees what it has dropped */
		break;
	case VEC_RESET:
		rtnl_lock();
		enter(c->at);
		qdisc_reset(q);
		leave();
		rtnl_unlock();
		break;
	}
	return rc;
}

static u32 show; /* calls of the last hundred before this one are printed */

static int calls(struct Qdisc *q, u32 subject)
{
	const struct vec_subject *s = &vec_subjects[subject];
	struct vec_call c;
	int rc = 0;

	while (!rc && vec_next(&run, &c)) {
		struct vec_answer a = {};

		gone = 0;
		gone_numbers = 0;
		pass(c.at);
		rc = one(q, &c, s, &a);
		a.qlen = q->q.qlen;
		a.backlog = q->qstats.backlog;
		a.drops = q->qstats.drops;
		a.overlimits = q->qstats.overlimits;
		a.gone = gone;
		a.gone_numbers = gone_numbers;
		a.due = due;
		vec_note(&run, &a);
		if (show && run.n <= show && run.n + 100 > show)
			pr_info("call %u at %lld: %u: %u/%x q %u %u drops %u %u gone %u due %lld draws %u\n",
				run.n, c.at, c.what, a.result, a.dsfield, a.qlen, a.backlog,
				a.drops, a.overlimits, a.gone, a.due, run.draws);
		if (run.n % (VEC_CALLS / 10) == 0)
			pr_info("%u %s calls %u drops %u overlimits %u draws %u %016llx\n", subject,
				s->kind, run.n, a.drops, a.overlimits, run.draws, run.hash);
	}
	return rc;
}

/* A qdisc that was made with the options of subject @i: it is made without any, and set up anew. */
static struct Qdisc *create(u32 i)
{
	const struct vec_subject *s = &vec_subjects[i];
	struct netlink_ext_ack ack = {};
	struct Qdisc *q;

	/* It allocates, so the jiffies stay the kernel's. */
	caller = current;
	q = qdisc_create_dflt(netdev_get_tx_queue(dev, 0), default_qdisc_ops, TC_H_ROOT, NULL);
	if (q) {
		if (q->ops->destroy)
			q->ops->destroy(q);
		memset(qdisc_priv(q), 0, q->ops->priv_size);
		vec_begin(&run, i);
		due = VEC_NONE;
		if (q->ops->init(q, options(q, s->set, vec_options(s->set, ARRAY_SIZE(s->set))),
				 &ack)) {
			pr_info("%s: %s\n", s->kind, ack._msg ? ack._msg : "it refuses");
			qdisc_put(q);
			q = NULL;
		}
	}
	caller = NULL;
	return q;
}

static int run_set(const char *text, const struct kernel_param *kp)
{
	struct Qdisc *q;
	u32 subject;
	int rc = kstrtou32(text, 0, &subject);

	if (rc || subject >= VEC_SUBJECTS ||
	    strcmp(default_qdisc_ops->id, vec_subjects[subject].kind))
		return rc ? rc : -EINVAL;
	timer = NULL;
	now = VEC_START;
	rtnl_lock();
	q = create(subject);
	rtnl_unlock();
	if (!q)
		return -ENOMEM;
	rc = calls(q, subject);
	rtnl_lock();
	qdisc_reset(q);
	qdisc_put(q);
	rtnl_unlock();
	return rc;
}

static const struct kernel_param_ops run_ops = {.set = run_set};
module_param_cb(run, &run_ops, NULL, 0200);
module_param(show, uint, 0600);

/* ---- the wheel ----------------------------------------------------------------------------------------------- */

static struct waiting {
	struct timer_list t;
	unsigned long set, fired;
	u32 delta;
} waiting[VEC_TIMERS];
static atomic_t waits;

static void fired(struct timer_list *t)
{
	struct waiting *w = from_timer(w, t, t);

	w->fired = jiffies;
	atomic_dec(&waits);
}

static int wheel_set(const char *text, const struct kernel_param *kp)
{
	u64 rng = 7;
	u32 i;

	atomic_set(&waits, VEC_TIMERS);
	for (i = 0; i < VEC_TIMERS; i++) {
		struct waiting *w = &waiting[i];

		w->delta = vec_delta(&rng);
		timer_setup(&w->t, fired, 0);
		preempt_disable();
		w->set = jiffies;
		mod_timer(&w->t, w->set + w->delta);
		preempt_enable();
		if (i % 3 == 0)
			msleep(4 + i % 7 * 4);
	}
	while (atomic_read(&waits))
		msleep(100);
	for (i = 0; i < VEC_TIMERS; i++)
		pr_info("wheel %lu %u %lu\n", waiting[i].set - INITIAL_JIFFIES, waiting[i].delta,
			waiting[i].fired - waiting[i].set);
	return 0;
}

static const struct kernel_param_ops wheel_ops = {.set = wheel_set};
module_param_cb(wheel, &wheel_ops, NULL, 0200);

/* ---- set-up ------------------------------------------------------------------------------------------------------- */

static netdev_tx_t no_xmit(struct sk_buff *skb, struct net_device *d)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops dev_ops = {.ndo_start_xmit = no_xmit};

/*
 * The secret of flow hashes is drawn once a boot, when it is needed first: it is to be the vectors'. False: there was
 * one already.
 */
static bool draw_secret(void)
{
	struct vec_call c = {0};
	struct sk_buff *skb;

	vec_begin(&run, VEC_SUBJECTS);
	vec_packet(&run, &c.p);
	c.p.hash = 0;
	skb = packet(&c.p);
	enter(VEC_START);
	skb_get_hash(skb);
	leave();
	kfree_skb(skb);
	pr_info("secret draws %u\n", run.draws);
	return run.draws;
}

static int __init lab_init(void)
{
	int rc;

	dev = alloc_etherdev(0);
	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &dev_ops;
	eth_hw_addr_random(dev);
	rc = register_netdev(dev);
	if (rc) {
		free_netdev(dev);
		return rc;
	}
	rc = probes_set(probes, ARRAY_SIZE(probes));
	if (!rc) {
		if (draw_secret())
			return 0;
		rc = -EBUSY;
		probes_drop(probes, ARRAY_SIZE(probes));
	}
	unregister_netdev(dev);
	free_netdev(dev);
	return rc;
}

static void __exit lab_exit(void)
{
	probes_drop(probes, ARRAY_SIZE(probes));
	unregister_netdev(dev);
	free_netdev(dev);
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("the running kernel's qdiscs before the calls of wlanq's lab");
