// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Atheros 5xxx: a list of descriptors per access category out of one pool of 200, an interrupt a frame, the rate
 * control's whole retry chain in hardware, no aggregation.
 *
 * The driver stops a queue when a frame finds txq_max in it (and takes that frame), and all queues when the pool is
 * empty. It wakes a queue with less than 25 after each completion. The descriptor that was completed last stays
 * counted until the hardware has gone on to the next.
 */
#include "driver/ring.h"
#include "driver/softmac.h"
#include "measure/queue-stat.h"

#define POOL	   200u /* ATH_TXBUF */
#define SLOTS	   256u /* of the ring that stands for a list; more than the pool */
#define LENGTH_LOW 25u /* ATH5K_TXQ_LEN_LOW */
#define QUEUES	   AC_COUNT

enum { DROP_NO_BUFFER, DROP_RETRY_LIMIT, DROP_FLUSHED, DROP_LIFETIME };

static const char *const causes[] = {"no_buffer", "retry_limit", "flushed", "lifetime", NULL};

struct ath5k_params {
	int64_t txq_max;
};

struct ath5k_queue {
	struct ring ring; /* frames that wait or are on the air */
	u32 kept; /* 1: the completed descriptor that is still counted */
};

struct ath5k {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	struct ath5k_queue queues[QUEUES];
	u32 free; /* of the pool */
	struct queue_stat stat[QUEUES];
	u64 pulled[QUEUES], given_up[QUEUES]; /* frames put on the air, and those that came back */
	u64 interrupts, packets, retries; /* of the window */
};

static const struct ath5k_params *params_of(const struct ath5k *d)
{
	return d->obj.params;
}

static void stop_all(struct ath5k *d)
{
	for (u32 i = 0; i < QUEUES; i++)
		d->queues[i].ring.stopped = true;
}

static enum xmit_result ath5k_xmit(void *down, u32 queue, struct packet *p)
{
	struct ath5k *d = down;
	struct ath5k_queue *q = &d->queues[queue];
	sim_time now = d->obj.sim->now;

	if (q->ring.used + q->kept >= params_of(d)->txq_max)
		q->ring.stopped = true;
	if (!d->free) {
		stop_all(d);
		queue_stat_refuse(&d->stat[queue], DROP_NO_BUFFER);
		packet_free(d->obj.sim, p);
		return XMIT_DROP;
	}
	if (!--d->free)
		stop_all(d);
	packet_enter(p, LAYER_RING, now);
	queue_stat_in(&d->stat[queue], now, p->skb.len);
	ring_push(&q->ring, p, 0, now);
	wifi_kick(d->dev, queue);
	return q->ring.stopped ? XMIT_OK_STOP : XMIT_OK;
}

static void wake_if_open(struct ath5k *d, u32 queue)
{
	struct ath5k_queue *q = &d->queues[queue];

	if (q->ring.used + q->kept >= LENGTH_LOW || !q->ring.stopped)
		return;
	q->ring.stopped = false;
	d->up->wake(d->up_arg, queue);
}

/* Frames at the head whose station is gone are not sent. */
static void drop_gone(struct ath5k *d, u32 queue)
{
	struct ring *r = &d->queues[queue].ring;

	while (r->used && ring_gone(r)) {
		queue_stat_drop(&d->stat[queue], d->obj.sim->now, r->slots[r->head].len,
				DROP_FLUSHED);
		packet_free(d->obj.sim, ring_take(r));
		ring_pop(r);
		d->free++;
	}
}

static void ath5k_forget(struct object *drv, struct softmac_sta *sta)
{
	for (u32 i = 0; i < QUEUES; i++) {
		drop_gone((struct ath5k *)drv, i);
		wake_if_open((struct ath5k *)drv, i);
	}
}

static struct wifi_ppdu *ath5k_pull(void *arg, u32 ac)
{
	struct ath5k *d = arg;
	struct ring *r = &d->queues[ac].ring;

	if (!r->used)
		return NULL;
	d->pulled[ac]++;
	return softmac_single(d->dev, ring_take(r));
}

static bool ath5k_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct ath5k *d = arg;
	struct ath5k_queue *q = &d->queues[ppdu->ac];
	struct queue_stat *stat = &d->stat[ppdu->ac];
	struct ring_slot *slot = &q->ring.slots[q->ring.head];
	struct wifi_mpdu *m = &ppdu->mpdus[0];
	sim_time now = d->obj.sim->now;
	bool acked = m->flags & MPDU_ACKED;

	d->interrupts++;
	d->packets++;
	d->retries += softmac_retries(ppdu);
	if (acked) {
		queue_stat_out(stat, now, slot->len, now - slot->since);
	} else {
		d->given_up[ppdu->ac]++;
		queue_stat_drop(stat, now, slot->len,
				wifi_expired(d->dev, ppdu->ac, m->p, now) ? DROP_LIFETIME
									  : DROP_RETRY_LIMIT);
	}
	ring_pop(&q->ring);
	d->free += q->kept;
	q->kept = 1;
	if (q->ring.used) { /* the hardware is at the next one */
		d->free++;
		q->kept = 0;
	}
	softmac_report(d->up, d->up_arg, ppdu);
	wifi_mpdu_end(d->dev, m);
	drop_gone(d, ppdu->ac);
	wake_if_open(d, ppdu->ac);
	return q->ring.used > 0;
}

static void ath5k_rx(void *arg, struct packet *p)
{
	struct ath5k *d = arg;

	d->up->rx(d->up_arg, p);
}

static const struct wifi_dev_ops dev_ops = {
	.pull = ath5k_pull,
	.tx_status = ath5k_status,
	.rx = ath5k_rx,
};

static void ath5k_attach(struct object *drv, const struct driver_env *env)
{
	struct ath5k *d = (struct ath5k *)drv;

	d->dev = env->medium;
	d->free = POOL;
	for (u32 i = 0; i < QUEUES; i++)
		ring_init(&d->queues[i].ring, SLOTS);
	wifi_dev_attach(d->dev, &dev_ops, d);
}

static void ath5k_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	struct ath5k *d = (struct ath5k *)drv;

	d->up = ops;
	d->up_arg = up;
}

static void ath5k_init(struct object *obj)
{
	struct ath5k *d = (struct ath5k *)obj;

	for (u32 i = 0; i < QUEUES; i++)
		queue_stat_init(&d->stat[i], causes);
}

static void ath5k_fini(struct object *obj)
{
	struct ath5k *d = (struct ath5k *)obj;

	for (u32 i = 0; i < QUEUES && d->queues[i].ring.slots; i++)
		ring_clear(obj->sim, &d->queues[i].ring);
}

static void ath5k_audit(const struct object *obj, struct model_audit *a)
{
	static const char *const names[QUEUES] = {"ring.vo", "ring.vi", "ring.be", "ring.bk"};
	const struct ath5k *d = (const struct ath5k *)obj;

	for (u32 i = 0; i < QUEUES; i++)
		a->queue(a->arg, names[i], queue_stat_taken(&d->stat[i]),
			 d->pulled[i] - d->given_up[i], d->stat[i].dropped,
			 ring_packets(&d->queues[i].ring));
}

static void ath5k_describe(const struct object *obj, struct model_describe *desc)
{
	const struct ath5k *d = (const struct ath5k *)obj;

	desc->queue(desc->arg, "ring", params_of(d)->txq_max + 1, -1, -1);
}

static u32 ath5k_held(const struct object *drv)
{
	const struct ath5k *d = (const struct ath5k *)drv;
	int64_t n = 0;

	for (u32 i = 0; i < QUEUES; i++)
		n += queue_stat_packets(&d->stat[i]);
	return (u32)n;
}

static int64_t interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct ath5k *d = (const struct ath5k *)obj;

	return d->packets ? (int64_t)(d->interrupts * 1000000 / d->packets) : METRIC_ABSENT;
}

static void ath5k_window_open(struct object *obj)
{
	struct ath5k *d = (struct ath5k *)obj;

	d->interrupts = 0;
	d->packets = 0;
}

static const struct param params[] = {
	{.name = "txq_max",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ath5k_params, txq_max),
	 .def = "50",
	 .min = 1,
	 .max = 50,
	 .doc = "frames in a queue at which the next one stops it",
	 .linux_name = "ethtool -G tx (ath5k_set_ringparam)"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "ring",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct ath5k, stat),
	 .stride = sizeof(struct queue_stat),
	 .doc = "frames in the hardware's lists, until their completion"},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ath5k, retries),
	 .doc = "attempts after the first"},
	{.name = "interrupts_per_packet",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = interrupts_per_packet,
	 .doc = "interrupts by frame sent"},
	PROBE_END,
};

static const struct model_ops ops = {
	.init = ath5k_init,
	.describe = ath5k_describe,
	.audit = ath5k_audit,
	.window_open = ath5k_window_open,
	.fini = ath5k_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = QUEUES, .xmit = ath5k_xmit},
		   .attach = ath5k_attach},
	.queues = softmac_queues,
	.queue_of = softmac_queue_of,
	.set_up = ath5k_set_up,
	.held = ath5k_held,
	.forget = ath5k_forget,
	.max_rates = 4,
	.max_tries = 7, /* AR5K_INIT_RETRY_SHORT */
};

const struct model_class ath5k_class = {
	.kind = &kind_driver,
	.name = "ath5k",
	.doc = "Atheros 5xxx, 802.11a/b/g: a short list a category, one frame at a time",
	.source = "drivers/net/wireless/ath/ath5k/base.c, ath5k.h of Linux 6.1",
	.size = sizeof(struct ath5k),
	.params_size = sizeof(struct ath5k_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
