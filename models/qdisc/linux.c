// SPDX-License-Identifier: GPL-3.0-or-later
/* The simulator's qdisc over one of Linux's: packets, counts and drops, whatever the file does. */
#include "qdisc/linux.h"

#include <stdlib.h>
#include <string.h>

#define STATS_MAX 256
#define ERR_LEN	  160
/* 10.0.0.0/8 */
#define NETWORK 0x0a000001u

/* As enum seam_gone has them, behind the common ones; "reset" is common. */
const char *const linux_qdisc_causes[] = {QDISC_CAUSES, "enqueue", "dequeue",
					  "change",	"timer",   NULL};

static const u32 cause_of[] = {
	[SEAM_GONE_ENQUEUE] = QDISC_DROP_OWN,	 [SEAM_GONE_DEQUEUE] = QDISC_DROP_OWN + 1,
	[SEAM_GONE_CHANGE] = QDISC_DROP_OWN + 2, [SEAM_GONE_RESET] = QDISC_DROP_RESET,
	[SEAM_GONE_TIMER] = QDISC_DROP_OWN + 3,
};

static struct linux_qdisc *linux_of(const struct qdisc *q)
{
	return container_of((struct qdisc *)q, struct linux_qdisc, q);
}

static struct linux_qdisc *linux_of_client(struct linux_client *c)
{
	return container_of(c, struct linux_qdisc, client);
}

static const struct linux_qdisc_class *class_of(const struct linux_qdisc *f)
{
	return f->q.obj.cls->kind_ops;
}

/* "fq_codel" */
static const char *kind_name(const struct model_class *cls)
{
	return cls->name + strlen("linux.");
}

/* ---- in and out ------------------------------------------------------------------------------- */

static const struct seam_qdisc *enter(struct linux_qdisc *f)
{
	/* What the device has requeued it counts into qlen itself. */
	f->state.outside_packets = f->q.qlen - f->held;
	f->state.outside_bytes = f->q.backlog - f->held_bytes;
	return linux_enter(&f->client)->qdisc;
}

/* Linux's own counters are those of tc; its sums must be ours. */
static void leave(struct linux_qdisc *f)
{
	struct qdisc *q = &f->q;

	SIM_CHECK(
		q->obj.sim, &q->obj, f->state.qlen == f->held && f->state.backlog == f->held_bytes,
		"Linux says that it holds %u packets of %u bytes; it was given %u of %u more than "
		"it gave back",
		f->state.qlen, f->state.backlog, f->held, f->held_bytes);
	q->drops += f->state.drops - f->last.drops;
	q->overlimits += f->state.overlimits - f->last.overlimits;
	q->requeues += f->state.requeues - f->last.requeues;
	q->can_bypass = f->state.can_bypass;
	f->last = f->state;
}

static void timer_done(struct linux_client *c)
{
	struct linux_qdisc *f = linux_of_client(c);

	/* A timer may be set while the qdisc is being made. */
	if (f->linux_qdisc)
		leave(f);
}

/* Takes @p out of the list of those that are entering; false: it is not among them. */
static bool entering_remove(struct linux_qdisc *f, const struct packet *p)
{
	struct packet **at = &f->entering;

	while (*at && *at != p)
		at = (struct packet **)&(*at)->skb.next;
	if (!*at)
		return false;
	*at = (struct packet *)p->skb.next;
	return true;
}

static void gone(struct linux_client *c, void *cookie, enum seam_gone why)
{
	struct linux_qdisc *f = linux_of_client(c);
	struct qdisc *q = &f->q;
	struct packet *p = cookie;
	u64 drops = q->drops;
	bool held;

	if (!f->linux_qdisc)
		return;
	held = !entering_remove(f, p);
	f->held--;
	f->held_bytes -= qdisc_len(p);
	if (held)
		qdisc_give(q, p);
	qdisc_drop(q, p, cause_of[why], held);
	/* How many it dropped is Linux's to say. */
	q->drops = drops;
}

/* ---- packets at the seam ------------------------------------------------------------------------ */

static void fill_tcp(struct seam_tcp *t, const struct tcp_header *h)
{
	t->seq = h->seq;
	t->ack = h->ack;
	t->tsval = h->tsval;
	t->tsecr = h->tsecr;
	t->window = (u16)(h->wnd > 0xffff ? 0xffff : h->wnd);
	t->flags = h->flags;
	t->n_sack = h->n_sack;
	for (u32 i = 0; i < h->n_sack; i++) {
		t->sack[i].start = h->sack[i].start;
		t->sack[i].end = h->sack[i].end;
	}
}

static void fill(const struct linux_qdisc *f, struct seam_packet *s, const struct packet *p)
{
	const struct linux_qdisc_class *cls = class_of(f);

	s->cookie = (void *)p;
	s->len = p->skb.len;
	s->link_len = qdisc_len(p);
	s->truesize = p->skb.truesize;
	s->hash = p->skb.hash;
	s->priority = cls->priority ? cls->priority(f, p) : p->skb.priority;
	s->mark = 0;
	s->src[0] = NETWORK + p->src;
	s->dst[0] = NETWORK + p->dst;
	s->sport = p->sport;
	s->dport = p->dport;
	s->segments = (u16)packet_segments(p);
	s->segment_size = p->gso_size;
	s->ip_version = 4;
	s->protocol = p->proto;
	s->dsfield = p->skb.tos;
	s->local = !!(p->flags & PACKET_LOCAL);
	s->tstamp = 0;
	if (p->proto == PROTO_TCP)
		fill_tcp(&s->tcp, &p->tcp);
}

static u32 split(struct linux_client *c, void *cookie, struct seam_packet *out, u32 max)
{
	struct linux_qdisc *f = linux_of_client(c);
	struct packet *p = cookie, *seg, **tail;
	struct packet_fifo list = {0};
	bool entering;
	u32 n = 0;

	if (packet_segments(p) > max)
		return 0;
	entering = entering_remove(f, p);
	SIM_CHECK(c->obj->sim, c->obj, entering, "Linux splits a packet that it has queued");
	f->held--;
	f->held_bytes -= qdisc_len(p);
	packet_segment(c->obj->sim, p, &list);
	for (tail = &f->entering; *tail; tail = (struct packet **)&(*tail)->skb.next)
		;
	while ((seg = packet_fifo_pop(&list))) {
		qdisc_set_len(seg);
		f->held++;
		f->held_bytes += qdisc_len(seg);
		fill(f, &out[n++], seg);
		seg->skb.next = NULL;
		*tail = seg;
		tail = (struct packet **)&seg->skb.next;
	}
	return n;
}

static void *clone(struct linux_client *c, void *cookie)
{
	struct linux_qdisc *f = linux_of_client(c);
	struct packet *p = packet_clone(c->obj->sim, cookie);

	f->held++;
	f->held_bytes += qdisc_len(p);
	p->skb.next = (struct sk_buff *)f->entering;
	f->entering = p;
	return p;
}

static void orphan(struct linux_client *c, void *cookie)
{
	packet_orphan(cookie);
}

static void wake(struct linux_client *c)
{
	const struct qdisc_dev *dev = linux_of_client(c)->q.dev;

	if (dev->wake)
		dev->wake(dev->up, dev->queue);
}

static void reduce(struct linux_client *c, int n, int bytes)
{
	struct qdisc *q = &linux_of_client(c)->q;

	if (n < 0)
		qdisc_tree_grow(q, (u32)-n, -bytes);
	else
		qdisc_tree_reduce(q, (u32)n, bytes);
}

static const struct linux_client_ops client_ops = {
	.timer_done = timer_done,
	.gone = gone,
	.split = split,
	.clone = clone,
	.orphan = orphan,
	.wake = wake,
	.reduce = reduce,
};

/* ---- ops ------------------------------------------------------------------------------------------ */

int linux_qdisc_enqueue(struct qdisc *q, struct packet *p)
{
	struct linux_qdisc *f = linux_of(q);
	const struct seam_qdisc *s = enter(f);
	struct seam_packet sp;
	int rc;

	fill(f, &sp, p);
	p->skb.next = NULL;
	f->entering = p;
	f->held++;
	f->held_bytes += qdisc_len(p);
	rc = s->enqueue(f->linux_qdisc, &sp);
	while ((p = f->entering)) {
		f->entering = (struct packet *)p->skb.next;
		p->skb.next = NULL;
		qdisc_take(q, p);
	}
	leave(f);
	return rc & (NET_XMIT_MASK | NET_XMIT_BYPASS);
}

struct packet *linux_qdisc_dequeue(struct qdisc *q)
{
	struct linux_qdisc *f = linux_of(q);
	const struct seam_qdisc *s = enter(f);
	struct packet *p = NULL;
	struct seam_given given;

	if (s->dequeue(f->linux_qdisc, &given)) {
		p = given.cookie;
		p->skb.tos = given.dsfield;
		f->held--;
		f->held_bytes -= qdisc_len(p);
		qdisc_give(q, p);
	}
	leave(f);
	return p;
}

const struct packet *linux_qdisc_peek(const struct qdisc *q)
{
	struct linux_qdisc *f = linux_of(q);
	const struct packet *p = enter(f)->peek(f->linux_qdisc);

	leave(f);
	return p;
}

void linux_qdisc_reset(struct qdisc *q)
{
	struct linux_qdisc *f = linux_of(q);

	enter(f)->reset(f->linux_qdisc);
	leave(f);
}

/* ---- options ---------------------------------------------------------------------------------------- */

void linux_option(struct linux_options *o, const char *name, int64_t value)
{
	if (o->n < LINUX_OPTIONS_MAX)
		o->list[o->n++] = (struct seam_option){.name = name, .value = value};
}

void linux_option_data(struct linux_options *o, const char *name, const void *data, u32 len)
{
	if (o->n < LINUX_OPTIONS_MAX)
		o->list[o->n++] = (struct seam_option){.name = name, .data = data, .len = len};
}

void linux_options_scalars(struct linux_options *o, const struct param *table, const void *params)
{
	for (const struct param *p = table; p->name; p++) {
		const int64_t *v = (const int64_t *)((const char *)params + p->offset);

		if ((p->type >= PARAM_STRING && p->type != PARAM_ENUM) || *v == PARAM_UNSET)
			continue;
		linux_option(o, p->name, *v);
	}
}

static void gather(const struct model_class *cls, const void *params, struct linux_options *o)
{
	const struct linux_qdisc_class *own = cls->kind_ops;

	o->n = 0;
	linux_options_scalars(o, cls->params, params);
	if (own->options)
		own->options(params, o);
}

void linux_qdisc_add_class(struct linux_qdisc *f, u32 minor, u32 parent, const struct param *table,
			   const void *params)
{
	const struct seam_qdisc *s = enter(f);
	struct linux_options o = {0};
	char err[ERR_LEN];

	linux_options_scalars(&o, table, params);
	SIM_CHECK(f->q.obj.sim, &f->q.obj,
		  !s->add_class(f->linux_qdisc, minor, parent, o.list, o.n, err, sizeof(err)),
		  "class %x: %s", minor, err);
	leave(f);
}

void linux_qdisc_graft(struct linux_qdisc *f, u32 minor, const struct slot *slot)
{
	const struct seam_qdisc *s = enter(f);
	struct linux_options o;
	char err[ERR_LEN];

	gather(slot->cls, slot->params, &o);
	SIM_CHECK(f->q.obj.sim, &f->q.obj,
		  !s->graft(f->linux_qdisc, minor, kind_name(slot->cls), o.list, o.n, err,
			    sizeof(err)),
		  "class %x: %s", minor, err);
	leave(f);
}

void linux_qdisc_check_child(struct model_check *c, const char *param, const struct slot *slot)
{
	const struct linux_qdisc_class *cls;

	if (!slot->cls)
		return;
	if (strncmp(slot->cls->name, "linux.", strlen("linux."))) {
		model_check_error(c, param,
				  "within a file of Linux only others of its tree: linux.%s?",
				  slot->cls->name);
		return;
	}
	cls = slot->cls->kind_ops;
	if (cls->furnish)
		model_check_error(c, param, "%s cannot stand within another one", slot->cls->name);
}

/* ---- set-up ----------------------------------------------------------------------------------------- */

void linux_qdisc_init(struct object *obj)
{
	struct linux_qdisc *f = (struct linux_qdisc *)obj;

	qdisc_init(obj);
	linux_client_init(&f->client, obj, obj->cls->library, &client_ops, false);
	f->stats = calloc(2 * STATS_MAX, sizeof(*f->stats));
	SIM_CHECK(obj->sim, obj, f->stats, "no memory");
	f->stats_before = f->stats + STATS_MAX;
}

void linux_qdisc_attach(struct qdisc *q)
{
	struct linux_qdisc *f = linux_of(q);
	const struct seam_core *core = linux_enter(&f->client);
	const struct seam_device dev = {
		.mtu = q->dev->mtu,
		.hard_header_len = q->dev->hard_header_len,
		.tx_queue_len = (u32)*q->dev->tx_queue_len,
	};
	struct linux_options o;
	char err[ERR_LEN];

	SIM_CHECK(
		q->obj.sim, &q->obj, q->dev->hz == core->hz,
		"its core was built for an HZ of %u and the node has %u: set hz of the node, or build a "
		"core with --hz",
		core->hz, q->dev->hz);
	gather(f->q.obj.cls, f->q.obj.params, &o);
	f->linux_qdisc = core->qdisc->create(kind_name(q->obj.cls), &f->client, &dev, &f->state,
					     o.list, o.n, err, sizeof(err));
	SIM_CHECK(q->obj.sim, &q->obj, f->linux_qdisc, "%s", err);
	leave(f);
	if (class_of(f)->furnish)
		class_of(f)->furnish(f);
}

void linux_qdisc_fini(struct object *obj)
{
	struct linux_qdisc *f = (struct linux_qdisc *)obj;

	void *linux_qdisc = f->linux_qdisc;

	/* What it holds is the run's, which ends: gone() is not to look at it any more. */
	f->linux_qdisc = NULL;
	if (linux_qdisc && linux_alive(&f->client))
		linux_enter(&f->client)->qdisc->destroy(linux_qdisc);
	linux_client_fini(&f->client);
	free(f->stats);
}

void linux_qdisc_changed(struct object *obj, const struct param *p)
{
	struct linux_qdisc *f = (struct linux_qdisc *)obj;
	struct linux_options o;
	char err[ERR_LEN];

	gather(f->q.obj.cls, f->q.obj.params, &o);
	SIM_CHECK(obj->sim, obj, !enter(f)->change(f->linux_qdisc, o.list, o.n, err, sizeof(err)),
		  "%s", err);
	leave(f);
}

/* ---- tc -s qdisc -------------------------------------------------------------------------------------- */

void linux_qdisc_window_open(struct object *obj)
{
	struct linux_qdisc *f = (struct linux_qdisc *)obj;

	f->n_before = enter(f)->stats(f->linux_qdisc, f->stats_before, STATS_MAX);
}

void linux_qdisc_emit(const struct object *obj, int64_t window, struct model_emit *e)
{
	struct linux_qdisc *f = (struct linux_qdisc *)obj;
	u32 n = enter(f)->stats(f->linux_qdisc, f->stats, STATS_MAX);

	for (u32 i = 0; i < n; i++) {
		const struct seam_stat *s = &f->stats[i];
		int64_t before = 0;

		for (u32 k = 0; s->counter && k < f->n_before && !before; k++)
			if (!strcmp(f->stats_before[k].name, s->name))
				before = f->stats_before[k].micro;
		e->value(e->arg, s->name, s->micro - before);
	}
}

const struct probe linux_qdisc_probes[] = {QDISC_PROBES, PROBE_END};

const struct model_ops linux_qdisc_model_ops = LINUX_MODEL_OPS(NULL);
