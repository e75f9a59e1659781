// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Intel PRO/Wireless 3945ABG: a ring of 256 descriptors for each hardware queue, one frame after the other, one response
 * (and interrupt) a frame, retries by the firmware.
 *
 * The kernel's rule for a ring of n_window slots: two are never used; a frame that finds less than high_mark free is
 * dropped; after a frame was placed and less than high_mark are free the queue is stopped; after one was
 * cleaned and more than low_mark are free it is woken. The stock marks are n_window / 8 and n_window / 4.
 */
#include "driver/ring.h"
#include "driver/softmac.h"
#include "measure/queue-stat.h"

#define QUEUES	    4
#define DESCRIPTORS 256u
#define NEVER_USED  2u
#define LEAST_LOW   4u
#define LEAST_HIGH  2u
#define INTERACTIVE 6 /* skb.priority from here on: TC_PRIO_INTERACTIVE and TC_PRIO_CONTROL */

enum { DROP_RING_FULL, DROP_RETRY_LIMIT, DROP_FLUSHED, DROP_LIFETIME };

static const char *const causes[] = {"ring_full", "retry_limit", "flushed", "lifetime", NULL};

struct iwl3945_params {
	struct ring_params ring;
	int64_t ring_interactive; /* of the short queue, with two */
	int64_t hw_queues; /* PARAM_UNSET: four with WMM, else one */
	int64_t retry_limit;
};

struct iwl3945_queue {
	struct ring ring;
	struct ring_marks marks;
	u32 ac; /* that its frames contend as */
};

struct iwl3945 {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	u32 n_queues;
	struct iwl3945_queue queues[QUEUES];
	struct queue_stat stat; /* all queues */
	struct queue_stat stat_ac[AC_COUNT];
	u64 pulled, given_up; /* frames put on the air, and those of them that came back */
	u64 interrupts, packets, retries; /* of the window */
};

static const struct iwl3945_params *params_of(const struct iwl3945 *d)
{
	return d->obj.params;
}

/* The ring's size is that of the free slots at which the stock driver, or the patched one, stops. */
static void set_marks(struct iwl3945_queue *q, const struct ring_params *p, int64_t ring)
{
	u32 slots = p->slots == PARAM_UNSET ? DESCRIPTORS : (u32)p->slots;
	struct ring_marks *m = &q->marks;

	m->capacity = slots - NEVER_USED;
	m->low = slots / 4 > LEAST_LOW ? slots / 4 : LEAST_LOW;
	m->high = ring < slots ? slots - (u32)ring : 0;
	if (p->low_mark != PARAM_UNSET)
		m->low = (u32)p->low_mark;
	if (p->high_mark != PARAM_UNSET)
		m->high = (u32)p->high_mark;
	if (m->high < LEAST_HIGH)
		m->high = LEAST_HIGH;
	m->time = p->time == PARAM_UNSET ? 0 : p->time;
}

/* Nominal size of a ring of which nothing is said: n_window - n_window / 8. */
static int64_t nominal(const struct ring_params *p)
{
	int64_t slots = p->slots == PARAM_UNSET ? DESCRIPTORS : p->slots;

	return p->ring == PARAM_UNSET ? slots - slots / 8 : p->ring;
}

static void update_marks(struct iwl3945 *d)
{
	const struct iwl3945_params *p = params_of(d);

	for (u32 i = 0; i < d->n_queues; i++) {
		bool small = d->n_queues == 2 && i == 0;

		set_marks(&d->queues[i], &p->ring, small ? p->ring_interactive : nominal(&p->ring));
	}
}

static u32 drain_ns(const struct iwl3945 *d, const struct iwl3945_queue *q, const struct packet *p)
{
	const struct softmac_sta *sta = packet_sta(p);
	u32 bytes = wifi_frame(d->dev, packet_ip_len(p));

	return (u32)(wifi_access(d->dev, q->ac) +
		     wifi_exchange(d->dev, &sta->steps[0], bytes, false));
}

static enum xmit_result iwl3945_xmit(void *down, u32 queue, struct packet *p)
{
	struct iwl3945 *d = down;
	struct iwl3945_queue *q = &d->queues[queue];
	sim_time now = d->obj.sim->now;

	if (ring_refuses(&q->marks, &q->ring)) {
		queue_stat_refuse(&d->stat, DROP_RING_FULL);
		queue_stat_refuse(&d->stat_ac[q->ac], DROP_RING_FULL);
		packet_free(d->obj.sim, p);
		return XMIT_DROP;
	}
	packet_enter(p, LAYER_RING, now);
	queue_stat_in(&d->stat, now, p->skb.len);
	queue_stat_in(&d->stat_ac[q->ac], now, p->skb.len);
	ring_push(&q->ring, p, q->marks.time ? drain_ns(d, q, p) : 0, now);
	wifi_kick(d->dev, q->ac);
	if (!ring_stops(&q->marks, &q->ring))
		return XMIT_OK;
	q->ring.stopped = true;
	return XMIT_OK_STOP;
}

static struct iwl3945_queue *queue_of_ac(struct iwl3945 *d, u32 ac)
{
	for (u32 i = 0; i < d->n_queues; i++)
		if (d->queues[i].ac == ac)
			return &d->queues[i];
	return NULL;
}

static void wake_if_open(struct iwl3945 *d, struct iwl3945_queue *q)
{
	if (!q->ring.stopped || !ring_wakes(&q->marks, &q->ring))
		return;
	q->ring.stopped = false;
	d->up->wake(d->up_arg, (u32)(q - d->queues));
}

/* Frames at the head whose station is gone are not sent. */
static void drop_gone(struct iwl3945 *d, struct iwl3945_queue *q)
{
	struct ring *r = &q->ring;
	sim_time now = d->obj.sim->now;

	while (r->used && ring_gone(r)) {
		queue_stat_drop(&d->stat, now, r->slots[r->head].len, DROP_FLUSHED);
		queue_stat_drop(&d->stat_ac[q->ac], now, r->slots[r->head].len, DROP_FLUSHED);
		packet_free(d->obj.sim, ring_take(r));
		ring_pop(r);
	}
}

static void iwl3945_forget(struct object *drv, struct softmac_sta *sta)
{
	struct iwl3945 *d = (struct iwl3945 *)drv;

	for (u32 i = 0; i < d->n_queues; i++) {
		drop_gone(d, &d->queues[i]);
		wake_if_open(d, &d->queues[i]);
	}
}

static struct wifi_ppdu *iwl3945_pull(void *arg, u32 ac)
{
	struct iwl3945 *d = arg;
	struct iwl3945_queue *q = queue_of_ac(d, ac);
	struct ring *r = &q->ring;
	struct wifi_ppdu *ppdu;

	if (!r->used)
		return NULL;
	ppdu = softmac_single(d->dev, ring_take(r));
	/* The firmware counts the tries; with a fixed rate it has no other to fall to. */
	ppdu->n_steps = 1;
	ppdu->steps[0].tries = (u8)params_of(d)->retry_limit;
	d->pulled++;
	return ppdu;
}

static bool iwl3945_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct iwl3945 *d = arg;
	struct iwl3945_queue *q = queue_of_ac(d, ppdu->ac);
	struct wifi_mpdu *m = &ppdu->mpdus[0];
	struct ring_slot *slot = &q->ring.slots[q->ring.head];
	sim_time now = d->obj.sim->now;
	bool acked = m->flags & MPDU_ACKED;

	d->interrupts++;
	d->packets++;
	d->retries += softmac_retries(ppdu);
	if (acked) {
		queue_stat_out(&d->stat, now, slot->len, now - slot->since);
		queue_stat_out(&d->stat_ac[q->ac], now, slot->len, now - slot->since);
	} else {
		u32 cause = wifi_expired(d->dev, ppdu->ac, m->p, now) ? DROP_LIFETIME
								      : DROP_RETRY_LIMIT;

		d->given_up++;
		queue_stat_drop(&d->stat, now, slot->len, cause);
		queue_stat_drop(&d->stat_ac[q->ac], now, slot->len, cause);
	}
	ring_pop(&q->ring);
	softmac_report(d->up, d->up_arg, ppdu);
	wifi_mpdu_end(d->dev, m);
	drop_gone(d, q);
	wake_if_open(d, q);
	return q->ring.used > 0;
}

static void iwl3945_rx(void *arg, struct packet *p)
{
	struct iwl3945 *d = arg;

	d->up->rx(d->up_arg, p);
}

static const struct wifi_dev_ops dev_ops = {
	.pull = iwl3945_pull,
	.tx_status = iwl3945_status,
	.rx = iwl3945_rx,
};

static void iwl3945_attach(struct object *drv, const struct driver_env *env)
{
	static const u32 two[] = {AC_VI, AC_BE}, one[] = {AC_BE};
	struct iwl3945 *d = (struct iwl3945 *)drv;
	int64_t n = params_of(d)->hw_queues;

	d->dev = env->medium;
	d->n_queues = n == PARAM_UNSET ? (wifi_qos(d->dev) ? 4 : 1) : (u32)n;
	for (u32 i = 0; i < d->n_queues; i++) {
		ring_init(&d->queues[i].ring, DESCRIPTORS);
		d->queues[i].ac = d->n_queues == 4 ? i : d->n_queues == 2 ? two[i] : one[i];
	}
	update_marks(d);
	wifi_dev_attach(d->dev, &dev_ops, d);
}

static u32 iwl3945_queues(struct object *drv)
{
	return ((struct iwl3945 *)drv)->n_queues;
}

static u32 iwl3945_queue_of(struct object *drv, const struct packet *p)
{
	const struct iwl3945 *d = (const struct iwl3945 *)drv;

	switch (d->n_queues) {
	case 4:
		return p->ac;
	case 2:
		return p->skb.priority >= INTERACTIVE ? 0 : 1;
	default:
		return 0;
	}
}

static void iwl3945_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	struct iwl3945 *d = (struct iwl3945 *)drv;

	d->up = ops;
	d->up_arg = up;
}

static void iwl3945_init(struct object *obj)
{
	struct iwl3945 *d = (struct iwl3945 *)obj;

	queue_stat_init(&d->stat, causes);
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&d->stat_ac[ac], NULL);
}

static void iwl3945_changed(struct object *obj, const struct param *p)
{
	struct iwl3945 *d = (struct iwl3945 *)obj;

	update_marks(d);
	for (u32 i = 0; i < d->n_queues; i++)
		wake_if_open(d, &d->queues[i]);
}

static void iwl3945_fini(struct object *obj)
{
	struct iwl3945 *d = (struct iwl3945 *)obj;

	for (u32 i = 0; i < d->n_queues; i++)
		ring_clear(obj->sim, &d->queues[i].ring);
}

static void iwl3945_audit(const struct object *obj, struct model_audit *a)
{
	const struct iwl3945 *d = (const struct iwl3945 *)obj;
	u64 held = 0;

	/* A frame on the air is the air's, though its slot is still taken. */
	for (u32 i = 0; i < d->n_queues; i++)
		held += ring_packets(&d->queues[i].ring);
	a->queue(a->arg, "ring", queue_stat_taken(&d->stat), d->pulled - d->given_up,
		 d->stat.dropped, held);
}

/* The mark that such a ring would have lies above what an empty ring has free. */
static void refuse_ring(struct model_check *c, const char *key, int64_t ring, int64_t slots)
{
	model_check_error(
		c, key,
		"at least 2: a ring of %lld slots would stop below %lld free ones, but never has more "
		"than %lld, so that the driver would drop every frame",
		(long long)slots, (long long)(slots - ring), (long long)(slots - NEVER_USED));
}

static void iwl3945_check(const void *params, struct model_check *c)
{
	const struct iwl3945_params *p = params;
	int64_t slots = p->ring.slots == PARAM_UNSET ? DESCRIPTORS : p->ring.slots;

	if (slots & (slots - 1))
		model_check_error(c, "ring_slots", "a power of two, not %lld", (long long)slots);
	if (p->hw_queues == 3)
		model_check_error(c, "hw_queues", "1, 2 or 4");
	if (p->ring.ring != PARAM_UNSET && p->ring.ring > slots - LEAST_HIGH)
		model_check_error(c, "ring",
				  "a ring of %lld slots stops at %lld frames at the latest",
				  (long long)slots, (long long)(slots - LEAST_HIGH));
	if (p->ring.high_mark == PARAM_UNSET && p->ring.ring != PARAM_UNSET &&
	    p->ring.ring < NEVER_USED)
		refuse_ring(c, "ring", p->ring.ring, slots);
	if (p->ring.high_mark == PARAM_UNSET && p->ring_interactive < NEVER_USED)
		refuse_ring(c, "ring_interactive", p->ring_interactive, slots);
	if (p->ring.high_mark != PARAM_UNSET && p->ring.high_mark > slots - NEVER_USED)
		model_check_error(
			c, "high_mark",
			"at most %lld: of %lld slots 2 are never used, and a frame that finds less free than this is dropped",
			(long long)(slots - NEVER_USED), (long long)slots);
}

static void iwl3945_describe(const struct object *obj, struct model_describe *desc)
{
	const struct iwl3945 *d = (const struct iwl3945 *)obj;

	for (u32 i = 0; i < d->n_queues; i++) {
		const struct ring_marks *m = &d->queues[i].marks;

		/* it stops with the frame that leaves less than high_mark slots */
		desc->queue(desc->arg,
			    d->n_queues == 1	     ? "ring"
			    : d->n_queues == 2 && !i ? "ring_interactive"
						     : "ring",
			    m->capacity >= m->high ? (int64_t)(m->capacity - m->high + 1) : 1, -1,
			    -1);
	}
}

static u32 iwl3945_held(const struct object *drv)
{
	return (u32)queue_stat_packets(&((const struct iwl3945 *)drv)->stat);
}

static int64_t interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct iwl3945 *d = (const struct iwl3945 *)obj;

	return d->packets ? (int64_t)(d->interrupts * 1000000 / d->packets) : METRIC_ABSENT;
}

static void iwl3945_window_open(struct object *obj)
{
	struct iwl3945 *d = (struct iwl3945 *)obj;

	d->interrupts = 0;
	d->packets = 0;
}

#define P(field) offsetof(struct iwl3945_params, field)

static const struct param params[] = {
	{.name = "ring",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(ring.ring),
	 .min = 1,
	 .max = 254,
	 .doc = "frames that a queue takes before it stops, as the driver counts: 224 stock; "
		"the queue stops when one less is in it",
	 .linux_name = "n_window - high_mark"},
	{.name = "ring_interactive",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(ring_interactive),
	 .def = "8",
	 .min = 1,
	 .max = 254,
	 .doc = "the same of the short queue when there are two"},
	{.name = "ring_slots",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(ring.slots),
	 .min = 8,
	 .max = DESCRIPTORS,
	 .doc = "window of the ring, a power of two; without it 256",
	 .linux_name = "n_window"},
	{.name = "low_mark",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(ring.low_mark),
	 .min = 0,
	 .max = DESCRIPTORS,
	 .doc = "wakes when more slots are free; without it a quarter of the window",
	 .linux_name = "low_mark"},
	{.name = "high_mark",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(ring.high_mark),
	 .min = 1,
	 .max = DESCRIPTORS,
	 .doc = "stops when less slots are free; without it by `ring`",
	 .linux_name = "high_mark"},
	{.name = "ring_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(ring.time),
	 .min = SIM_US,
	 .max = 100 * SIM_SEC,
	 .doc = "stops (never drops) when what the ring holds takes this long to send at the present rate, "
		"without retries and others' traffic"},
	{.name = "hw_queues",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(hw_queues),
	 .min = 1,
	 .max = QUEUES,
	 .doc = "hardware queues: 4 by access category; 2: a short one for priorities 6 and 7 (interactive and "
		"control) and a long one; 1. Without it 4 with WMM, else 1"},
	{.name = "retry_limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(retry_limit),
	 .def = "15",
	 .min = 1,
	 .max = 255,
	 .doc = "attempts of the firmware at a frame",
	 .linux_name = "data_retry_limit"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "ring",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .offset = offsetof(struct iwl3945, stat),
	 .doc = "frames in the rings, until their response is cleaned"},
	{.name = "ring",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct iwl3945, stat_ac),
	 .stride = sizeof(struct queue_stat),
	 .doc = "the same by what the queue contends as"},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct iwl3945, retries),
	 .doc = "attempts after the first"},
	{.name = "interrupts_per_packet",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = interrupts_per_packet,
	 .doc = "responses of the firmware, each an interrupt, by frame sent"},
	PROBE_END,
};

static const struct model_ops ops = {
	.check = iwl3945_check,
	.init = iwl3945_init,
	.changed = iwl3945_changed,
	.describe = iwl3945_describe,
	.audit = iwl3945_audit,
	.window_open = iwl3945_window_open,
	.fini = iwl3945_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = QUEUES, .xmit = iwl3945_xmit},
		   .attach = iwl3945_attach},
	.queues = iwl3945_queues,
	.queue_of = iwl3945_queue_of,
	.set_up = iwl3945_set_up,
	.software_cipher = true, /* module parameter swcrypto */
	.held = iwl3945_held,
	.forget = iwl3945_forget,
};

const struct model_class iwl3945_class = {
	.kind = &kind_driver,
	.name = "iwl3945",
	.doc = "Intel 3945ABG, 802.11a/b/g: long rings, one frame at a time",
	.source = "drivers/net/wireless/iwlwifi/iwl-tx.c and iwl-3945.c of Linux 2.6.32; "
		  "drivers/net/wireless/intel/iwlegacy of 6.1",
	.not_modelled =
		"Its own rate scaling: the rate is the rate control's first. Linux tells the card that lifetimes are without end\n"
		"(TX_CMD_LIFE_TIME_INFINITE).",
	.size = sizeof(struct iwl3945),
	.params_size = sizeof(struct iwl3945_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
