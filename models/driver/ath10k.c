// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Qualcomm 802.11ac: one pool of MSDUs for the whole radio, filled as long as there is room whatever the rate, behind it
 * a firmware with its own queues a station and TID, which aggregates A-MSDUs into A-MPDUs. From Linux 4.7 on the driver
 * pulls from mac80211's station queues; from 5.5 on AQL is what bounds it.
 */
#include <stdlib.h>

#include "driver/fw-host.h"
#include "measure/queue-stat.h"

#define ERA_PULLS 40700

enum { DROP_RETRY_LIMIT, DROP_FLUSHED };

static const char *const causes[] = {"retry_limit", "flushed", NULL};

struct ath10k_params {
	int64_t pending; /* MSDUs */
	int64_t agg_frames, amsdu_frames, agg_time, retry_limit;
	int64_t coalescing;
};

struct ath10k {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	bool pulls;
	struct fw fw;
	struct fw_host host;
	u32 pending; /* MSDUs that the host counts as with the firmware */
	bool full; /* the queues above are stopped for it */
	struct queue_stat stat;
	struct queue_stat stat_ac[AC_COUNT];
	struct histogram ampdu;
	u64 retries, ppdus, packets; /* of the window */
};

static const struct ath10k_params *params_of(const struct ath10k *d)
{
	return d->obj.params;
}

/* ---- the pool ------------------------------------------------------------------------------------- */

/* Gives a packet to the firmware; there is room for it. */
static void push(struct ath10k *d, struct packet *p)
{
	sim_time now = d->obj.sim->now;

	packet_enter(p, LAYER_DRIVER, now);
	packet_driver(p)->since = now;
	queue_stat_in(&d->stat, now, p->skb.len);
	queue_stat_in(&d->stat_ac[p->ac], now, p->skb.len);
	d->pending++;
	if (p->proto == PROTO_WIFI_MGMT)
		fw_control_push(&d->fw, p);
	else
		fw_queue_push(packet_sta(p)->tids[p->tid].drv, p);
}

static enum xmit_result ath10k_xmit(void *down, u32 queue, struct packet *p)
{
	struct ath10k *d = down;

	/* The queues above are all stopped; one that was not told yet keeps its packet. */
	if (d->pending >= params_of(d)->pending) {
		d->full = true;
		return XMIT_BUSY;
	}
	push(d, p);
	if (d->pending < params_of(d)->pending)
		return XMIT_OK;
	d->full = true;
	return XMIT_OK_STOP;
}

/* ---- pulling from mac80211 ------------------------------------------------------------------------ */

/* Everything that one station queue may send now. */
static void pull_from(struct ath10k *d, struct softmac_tid *tid)
{
	struct packet *p;

	while (d->pending < params_of(d)->pending && (p = d->up->pull(d->up_arg, tid)))
		push(d, p);
}

/* A queue was woken: the one whose turn it is sends, and no other. */
static void ath10k_wake_txq(struct object *drv, struct softmac_tid *woken)
{
	struct ath10k *d = (struct ath10k *)drv;
	struct softmac_tid *tid;

	d->up->pull_start(d->up_arg, woken->ac);
	tid = d->up->pull_next(d->up_arg, woken->ac);
	if (!tid)
		return;
	pull_from(d, tid);
	d->up->pull_return(d->up_arg, tid, false);
}

/* Behind completions all queues have their turns, while the pool is less than half full. */
static void push_pending(struct ath10k *d)
{
	struct softmac_tid *tid;

	if (d->pending >= params_of(d)->pending / 2)
		return;
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		d->up->pull_start(d->up_arg, ac);
		while ((tid = d->up->pull_next(d->up_arg, ac))) {
			pull_from(d, tid);
			d->up->pull_return(d->up_arg, tid, false);
		}
	}
}

/* ---- the card ------------------------------------------------------------------------------------- */

static struct wifi_ppdu *ath10k_pull(void *arg, u32 ac)
{
	return fw_pull(&((struct ath10k *)arg)->fw, ac);
}

static bool ath10k_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct ath10k *d = arg;
	struct softmac_sta *sta = ppdu->cookie;

	d->retries += ppdu->attempts - 1;
	if (!(ppdu->flags & PPDU_CONTROL)) {
		d->ppdus++;
		histogram_add(&d->ampdu, ppdu->n, 1);
		if (d->pulls)
			d->up->airtime(d->up_arg, &sta->tids[ppdu->tid],
				       (u32)(ppdu->airtime / SIM_US), 0);
	}
	softmac_report(d->up, d->up_arg, ppdu);
	return fw_status(&d->fw, ppdu);
}

static void ath10k_rx(void *arg, struct packet *p)
{
	fw_host_received(&((struct ath10k *)arg)->host, p);
}

static const struct wifi_dev_ops dev_ops = {
	.pull = ath10k_pull,
	.tx_status = ath10k_status,
	.rx = ath10k_rx,
};

static void card_done(struct fw *fw, const struct fw_done *done)
{
	fw_host_done(&container_of(fw, struct ath10k, fw)->host, done);
}

/* ---- interrupts ----------------------------------------------------------------------------------- */

static void host_complete(struct fw_host *h, const struct fw_done *done)
{
	struct ath10k *d = container_of(h, struct ath10k, host);
	sim_time now = h->sim->now;
	u32 cause = done->flushed ? DROP_FLUSHED : DROP_RETRY_LIMIT;
	struct packet *p, *next;

	for (p = done->lost; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		queue_stat_drop(&d->stat, now, p->skb.len, cause);
		queue_stat_drop(&d->stat_ac[done->ac], now, p->skb.len, cause);
		packet_free(h->sim, p);
	}
	for (u32 i = 0; !done->lost && i < done->n; i++) {
		u32 part = done->len / done->n;

		if (i + 1 == done->n)
			part = done->len - part * i;
		d->packets++;
		queue_stat_out(&d->stat, now, part, now - done->since);
		queue_stat_out(&d->stat_ac[done->ac], now, part, now - done->since);
	}
	d->pending -= done->n;
	if (d->pulls && done->queue)
		d->up->done(d->up_arg, done->queue->tid, done->charged);
	wifi_accounts_end(d->dev, done->accounts);
}

static void host_rx(struct fw_host *h, struct packet *p)
{
	struct ath10k *d = container_of(h, struct ath10k, host);

	d->up->rx(d->up_arg, p);
}

static void host_end(struct fw_host *h)
{
	struct ath10k *d = container_of(h, struct ath10k, host);

	if (d->full && d->pending < params_of(d)->pending) {
		d->full = false;
		for (u32 ac = 0; ac < AC_COUNT; ac++)
			d->up->wake(d->up_arg, ac);
	}
	if (d->pulls)
		push_pending(d);
}

/* ---- the object ----------------------------------------------------------------------------------- */

static void set_rules(struct ath10k *d)
{
	const struct ath10k_params *p = params_of(d);

	d->fw.rules = (struct fw_rules){
		.frames = (u32)p->agg_frames,
		.time = p->agg_time,
		.amsdu_frames = (u32)p->amsdu_frames,
		.amsdu_bytes = UINT16_MAX,
		.order = FW_SEQUENCE,
		.retry_limit = (u32)p->retry_limit,
	};
	d->host.interval = p->coalescing;
}

static void ath10k_attach(struct object *drv, const struct driver_env *env)
{
	struct ath10k *d = (struct ath10k *)drv;

	d->dev = env->medium;
	d->pulls = env->era >= ERA_PULLS;
	fw_init(&d->fw, drv, d->dev);
	d->fw.done = card_done;
	d->host.rx = host_rx;
	d->host.complete = host_complete;
	d->host.end = host_end;
	set_rules(d);
	fw_host_init(&d->host, drv->sim);
	wifi_dev_attach(d->dev, &dev_ops, d);
}

static void ath10k_sta_add(struct object *drv, struct softmac_sta *sta)
{
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		fw_queue_new(&((struct ath10k *)drv)->fw, &sta->tids[i]);
}

static void ath10k_ampdu(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action,
			 u16 *start)
{
	fw_queue_ampdu(tid->drv, action, start);
}

static u32 ath10k_queues(struct object *drv)
{
	return AC_COUNT;
}

static u32 ath10k_queue_of(struct object *drv, const struct packet *p)
{
	return p->ac;
}

static u32 ath10k_hw_queue(struct object *drv, u32 ac)
{
	return ac;
}

static bool ath10k_pulls(struct object *drv)
{
	return ((struct ath10k *)drv)->pulls;
}

static void ath10k_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	struct ath10k *d = (struct ath10k *)drv;

	d->up = ops;
	d->up_arg = up;
}

static void ath10k_init(struct object *obj)
{
	struct ath10k *d = (struct ath10k *)obj;

	queue_stat_init(&d->stat, causes);
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&d->stat_ac[ac], NULL);
}

static void ath10k_changed(struct object *obj, const struct param *p)
{
	set_rules((struct ath10k *)obj);
}

static void ath10k_fini(struct object *obj)
{
	struct ath10k *d = (struct ath10k *)obj;

	if (d->host.sim)
		fw_host_clear(&d->host);
	fw_clear(&d->fw);
}

static void ath10k_audit(const struct object *obj, struct model_audit *a)
{
	const struct ath10k *d = (const struct ath10k *)obj;

	a->queue(a->arg, "driver", d->stat.in.packets, d->fw.taken - d->fw.given,
		 d->stat.dropped.packets, fw_held(&d->fw) + fw_host_lost(&d->host));
	a->queue(a->arg, "rx", d->host.rx_in, d->host.rx_out, 0, d->host.received.n);
}

static void ath10k_describe(const struct object *obj, struct model_describe *desc)
{
	desc->queue(desc->arg, "driver", params_of((const struct ath10k *)obj)->pending, -1, -1);
}

static u32 ath10k_held(const struct object *drv)
{
	return (u32)queue_stat_packets(&((const struct ath10k *)drv)->stat);
}

static bool ath10k_sleep(struct object *drv, struct softmac_sta *sta, bool asleep)
{
	return fw_sleep(&((struct ath10k *)drv)->fw, sta, asleep);
}

static void ath10k_forget(struct object *drv, struct softmac_sta *sta)
{
	fw_forget(&((struct ath10k *)drv)->fw, sta);
}

static int64_t interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct ath10k *d = (const struct ath10k *)obj;

	return d->packets ? (int64_t)(d->host.interrupts * 1000000 / d->packets) : METRIC_ABSENT;
}

static void ath10k_window_open(struct object *obj)
{
	struct ath10k *d = (struct ath10k *)obj;

	d->host.interrupts = 0;
	d->packets = 0;
}

#define P(field) offsetof(struct ath10k_params, field)

static const struct param params[] = {
	{.name = "pending",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(pending),
	 .def = "1424",
	 .min = 1,
	 .max = 65536,
	 .doc = "MSDUs of the whole radio that may be with the firmware",
	 .linux_name = "max_num_pending_tx"},
	{.name = "agg_frames",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_frames),
	 .def = "64",
	 .min = 1,
	 .max = WIFI_MPDUS,
	 .doc = "MPDUs of an A-MPDU at most",
	 .linux_name = "max_num_ampdu"},
	{.name = "amsdu_frames",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(amsdu_frames),
	 .def = "3",
	 .min = 1,
	 .max = 31,
	 .doc = "packets of an A-MSDU at most",
	 .linux_name = "max_num_amsdu"},
	{.name = "agg_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_time),
	 .def = "4ms",
	 .min = 100 * SIM_US,
	 .max = 65535 * SIM_US,
	 .doc = "duration of an A-MPDU at most"},
	{.name = "retry_limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(retry_limit),
	 .def = "15",
	 .min = 1,
	 .max = 255,
	 .doc = "attempts at a frame"},
	{.name = "coalescing",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(coalescing),
	 .def = "0us",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "least time between two interrupts"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "driver",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .offset = offsetof(struct ath10k, stat),
	 .doc = "MSDUs with the firmware, until they are completed"},
	{.name = "driver",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct ath10k, stat_ac),
	 .stride = sizeof(struct queue_stat),
	 .doc = "the same by access category"},
	{.name = "ampdu",
	 .unit = "frames",
	 .shape = PROBE_HISTOGRAM,
	 .offset = offsetof(struct ath10k, ampdu),
	 .doc = "MPDUs of a PPDU"},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ath10k, retries),
	 .doc = "attempts of the hardware after the first"},
	{.name = "ppdus",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ath10k, ppdus),
	 .doc = "PPDUs with data"},
	{.name = "interrupts_per_packet",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = interrupts_per_packet,
	 .doc = "interrupts by packet sent"},
	PROBE_END,
};

static const struct model_ops ops = {
	.init = ath10k_init,
	.changed = ath10k_changed,
	.describe = ath10k_describe,
	.audit = ath10k_audit,
	.window_open = ath10k_window_open,
	.fini = ath10k_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = AC_COUNT, .xmit = ath10k_xmit},
		   .attach = ath10k_attach},
	.queues = ath10k_queues,
	.queue_of = ath10k_queue_of,
	.set_up = ath10k_set_up,
	.sta_add = ath10k_sta_add,
	.ampdu = ath10k_ampdu,
	.airtime_fairness = true,
	.aql = true,
	.hw_queue = ath10k_hw_queue,
	.pulls = ath10k_pulls,
	.wake_txq = ath10k_wake_txq,
	.held = ath10k_held,
	.sleep = ath10k_sleep,
	.forget = ath10k_forget,
};

const struct model_class ath10k_class = {
	.kind = &kind_driver,
	.name = "ath10k",
	.doc = "Qualcomm 802.11n and 802.11ac: one pool for the whole radio, queues and aggregation in the firmware",
	.source = "drivers/net/wireless/ath/ath10k of Linux 6.1: htt_tx.c, mac.c, txrx.c",
	.not_modelled =
		"Pull mode of 10.4 firmware; its rate control; per-station fairness inside the firmware is round robin.\n"
		"Block-ack sessions are set up by mac80211, not by the firmware.",
	.size = sizeof(struct ath10k),
	.params_size = sizeof(struct ath10k_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
