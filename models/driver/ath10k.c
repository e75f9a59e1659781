// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Qualcomm 802.11ac: one pool of MSDUs for the whole radio, filled as long as there is room whatever the rate, behind it
 * a firmware with its own queues a station and TID, which aggregates A-MSDUs into A-MPDUs. From Linux 4.7 on the driver
 * pulls from mac80211's station queues; from 5.5 on AQL is what bounds it.
 */
#include "driver/fw-card.h"

#define ERA_PULLS 40700

static const char *const causes[] = {"retry_limit", "flushed", "lifetime", NULL};

struct ath10k_params {
	int64_t pending; /* MSDUs */
	int64_t agg_frames, amsdu_frames, agg_time, retry_limit;
	int64_t coalescing;
};

struct ath10k {
	struct fw_card card;
	u32 pending; /* MSDUs that the host counts as with the firmware */
	bool full; /* the queues above are stopped for it */
};

static const struct ath10k_params *params_of(const struct ath10k *d)
{
	return d->card.obj.params;
}

/* ---- the pool ------------------------------------------------------------------------------------- */

/* Gives a packet to the firmware; there is room for it. */
static void push(struct ath10k *d, struct packet *p)
{
	fw_card_take(&d->card, p, LAYER_DRIVER);
	d->pending++;
	if (p->proto == PROTO_WIFI_MGMT)
		fw_control_push(&d->card.fw, p);
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

static bool ath10k_absorbs(struct object *drv, const struct softmac_tid *tid, struct lazy *l)
{
	return fw_card_absorbs(&((struct ath10k *)drv)->card, tid, l);
}

/* ---- pulling from mac80211 ------------------------------------------------------------------------ */

/* Everything that one station queue may send now. */
static void pull_from(struct ath10k *d, struct softmac_tid *tid)
{
	struct packet *p;

	while (d->pending < params_of(d)->pending && (p = d->card.up->pull(d->card.up_arg, tid)))
		push(d, p);
}

/* A queue was woken: the one whose turn it is sends, and no other. */
static void ath10k_wake_txq(struct object *drv, struct softmac_tid *woken)
{
	struct ath10k *d = (struct ath10k *)drv;
	struct softmac_tid *tid;

	d->card.up->pull_start(d->card.up_arg, woken->ac);
	tid = d->card.up->pull_next(d->card.up_arg, woken->ac);
	if (!tid)
		return;
	pull_from(d, tid);
	d->card.up->pull_return(d->card.up_arg, tid, false);
}

/* Behind completions all queues have their turns, while the pool is less than half full. */
static void push_pending(struct ath10k *d)
{
	struct softmac_tid *tid;

	if (d->pending >= params_of(d)->pending / 2)
		return;
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		d->card.up->pull_start(d->card.up_arg, ac);
		while ((tid = d->card.up->pull_next(d->card.up_arg, ac))) {
			pull_from(d, tid);
			d->card.up->pull_return(d->card.up_arg, tid, false);
		}
	}
}

/* ---- interrupts ----------------------------------------------------------------------------------- */

static void completed(struct fw_card *card, const struct fw_done *done)
{
	((struct ath10k *)card)->pending -= done->n;
	if (card->pulls && done->queue)
		card->up->done(card->up_arg, done->queue->tid, done->charged);
}

static void host_end(struct fw_host *h)
{
	struct ath10k *d = container_of(h, struct ath10k, card.host);

	if (d->full && d->pending < params_of(d)->pending) {
		d->full = false;
		for (u32 ac = 0; ac < AC_COUNT; ac++)
			d->card.up->wake(d->card.up_arg, ac);
	}
	if (d->card.pulls)
		push_pending(d);
}

/* The firmware's own block ack request takes the way of mac80211's. */
static void card_hole(struct fw *fw, struct fw_queue *q, u16 start)
{
	struct ath10k *d = container_of(fw, struct ath10k, card.fw);

	d->card.up->bar(d->card.up_arg, q->tid, start);
}

/* ---- the object ----------------------------------------------------------------------------------- */

static void set_rules(struct ath10k *d)
{
	const struct ath10k_params *p = params_of(d);

	d->card.fw.rules = (struct fw_rules){
		.frames = (u32)p->agg_frames,
		.time = p->agg_time,
		.amsdu_frames = (u32)p->amsdu_frames,
		.amsdu_bytes = UINT16_MAX,
		.order = FW_SEQUENCE,
		.retry_limit = (u32)p->retry_limit,
	};
	d->card.host.interval = p->coalescing;
}

static void ath10k_attach(struct object *drv, const struct driver_env *env)
{
	struct ath10k *d = (struct ath10k *)drv;
	bool pulls = env->era >= ERA_PULLS;

	d->card.airtime = pulls;
	d->card.completed = completed;
	d->card.host.end = host_end;
	d->card.fw.hole = card_hole;
	set_rules(d);
	fw_card_attach(&d->card, env, pulls);
}

static void ath10k_sta_add(struct object *drv, struct softmac_sta *sta)
{
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		fw_queue_new(&((struct ath10k *)drv)->card.fw, &sta->tids[i]);
}

static void ath10k_init(struct object *obj)
{
	fw_card_init((struct fw_card *)obj, causes);
}

static void ath10k_changed(struct object *obj, const struct param *p)
{
	set_rules((struct ath10k *)obj);
}

static void ath10k_fini(struct object *obj)
{
	fw_card_fini((struct fw_card *)obj);
}

static void ath10k_audit(const struct object *obj, struct model_audit *a)
{
	fw_card_audit((const struct fw_card *)obj, a, "driver");
}

static void ath10k_describe(const struct object *obj, struct model_describe *desc)
{
	desc->queue(desc->arg, "driver", params_of((const struct ath10k *)obj)->pending, -1, -1);
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
	FW_CARD_PROBES("driver", "MSDUs with the firmware, until they are completed"),
	PROBE_END,
};

static const struct model_ops ops = {
	.init = ath10k_init,
	.changed = ath10k_changed,
	.describe = ath10k_describe,
	.audit = ath10k_audit,
	.window_open = fw_card_window_open,
	.fini = ath10k_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = AC_COUNT, .xmit = ath10k_xmit},
		   .attach = ath10k_attach},
	.queues = softmac_queues,
	.queue_of = softmac_queue_of,
	.set_up = fw_card_set_up,
	.sta_add = ath10k_sta_add,
	.ampdu = fw_card_ampdu,
	.airtime_fairness = true,
	.aql = true,
	.hw_queue = softmac_hw_queue,
	.absorbs = ath10k_absorbs,
	.pulls = fw_card_pulls,
	.wake_txq = ath10k_wake_txq,
	.held = fw_card_held,
	.sleep = fw_card_sleep,
	.forget = fw_card_forget,
};

const struct model_class ath10k_class = {
	.kind = &kind_driver,
	.name = "ath10k",
	.doc = "Qualcomm 802.11n and 802.11ac: one pool for the whole radio, queues and aggregation in the firmware",
	.source = "drivers/net/wireless/ath/ath10k of Linux 6.1: htt_tx.c, mac.c, txrx.c",
	.not_modelled =
		"Pull mode of 10.4 firmware; its rate control; per-station fairness inside the firmware is round robin.\n"
		"Block-ack sessions are set up by mac80211, not by the firmware. What the firmware does about lifetimes is not\n"
		"public: it is the standard's rule.",
	.size = sizeof(struct ath10k),
	.params_size = sizeof(struct ath10k_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
