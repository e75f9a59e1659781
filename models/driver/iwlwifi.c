// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Intel 802.11n and ac cards: a ring of 256 descriptors a station and TID, filled without regard to rate; the card
 * aggregates what it finds there.
 *
 * The marks are iwl3945's (an eighth and a quarter of the window). Before Linux 3.10 two slots are never used, a frame that
 * finds less than the high mark free is dropped, and the queue is stopped after the frame that leaves less. Later one is
 * never used, and the test is made when a frame arrives: it stops the queue and still goes in.
 */
#include <stdio.h>
#include <stdlib.h>

#include "driver/fw-card.h"
#include "driver/ring.h"

#define DESCRIPTORS  256u
#define ERA_SPACE    31000 /* iwl_queue_space() without the two slots */
#define ERA_PULLS    50200 /* wake_tx_queue */
#define ERA_LIMIT_63 30100 /* LINK_QUAL_AGG_FRAME_LIMIT_DEF 63 */
#define AMSDU_MAX    7935

enum { DROP_RING_FULL, DROP_RETRY_LIMIT };

static const char *const causes[] = {"ring_full", "retry_limit", "flushed", "lifetime", NULL};

struct iwlwifi_params {
	struct ring_params ring;
	int64_t agg_frames, agg_time, agg_order, agg_alone;
	int64_t any_window; /* PARAM_UNSET: by era */
	int64_t amsdu;
	int64_t retry_limit;
	int64_t coalescing;
};

/* A ring: the host's view of one of the card's queues. */
struct iwlwifi_ring {
	struct iwlwifi_ring *next;
	struct fw_queue *q;
	u32 cleaned_start; /* the card's window start as of the last interrupt */
	bool stopped;
};

struct iwlwifi {
	struct fw_card card;
	struct ring_marks marks;
	struct iwlwifi_ring *rings;
	u32 stopped[AC_COUNT]; /* rings that hold the category back */
};

static const struct iwlwifi_params *params_of(const struct iwlwifi *d)
{
	return d->card.obj.params;
}

/* ---- rings ---------------------------------------------------------------------------------------- */

static void set_marks(struct iwlwifi *d)
{
	const struct ring_params *p = &params_of(d)->ring;
	u32 window = p->slots == PARAM_UNSET ? DESCRIPTORS : (u32)p->slots;
	bool old = d->card.era < ERA_SPACE;

	d->marks.capacity = old ? window - 2 : window < DESCRIPTORS ? window : window - 1;
	d->marks.low = window / 4 > 4 ? window / 4 : 4;
	d->marks.high = window / 8 > 2 ? window / 8 : 2;
	if (p->ring != PARAM_UNSET)
		d->marks.high = p->ring < window ? window - (u32)p->ring : 2;
	if (p->low_mark != PARAM_UNSET)
		d->marks.low = (u32)p->low_mark;
	if (p->high_mark != PARAM_UNSET)
		d->marks.high = (u32)p->high_mark;
}

/* Slots that the host has not cleaned yet. */
static u32 ring_used(const struct iwlwifi_ring *r)
{
	return r->q->fresh.n + ((r->q->next_seq - r->cleaned_start) & 0xfff);
}

static struct iwlwifi_ring *ring_of(struct iwlwifi *d, const struct packet *p)
{
	const struct fw_queue *q = packet_sta(p)->tids[p->tid].drv;
	struct iwlwifi_ring *r = d->rings;

	while (r->q != q)
		r = r->next;
	return r;
}

/* Takes a data frame; afterwards the ring may be stopped. */
static enum xmit_result place(struct iwlwifi *d, struct iwlwifi_ring *r, struct packet *p)
{
	bool old = d->card.era < ERA_SPACE,
	     full = ring_space(&d->marks, ring_used(r)) < d->marks.high;

	if (old && full) {
		queue_stat_refuse(&d->card.stat, DROP_RING_FULL);
		queue_stat_refuse(&d->card.stat_ac[p->ac], DROP_RING_FULL);
		packet_free(d->card.obj.sim, p);
		return XMIT_DROP;
	}
	fw_card_take(&d->card, p, LAYER_RING);
	fw_queue_push(r->q, p);
	if (old)
		full = ring_space(&d->marks, ring_used(r)) < d->marks.high;
	if (full && !r->stopped) {
		r->stopped = true;
		d->stopped[r->q->tid->ac]++;
	}
	return r->stopped ? XMIT_OK_STOP : XMIT_OK;
}

static enum xmit_result iwlwifi_xmit(void *down, u32 queue, struct packet *p)
{
	struct iwlwifi *d = down;

	if (p->proto == PROTO_WIFI_MGMT) {
		fw_card_take(&d->card, p, LAYER_RING);
		fw_control_push(&d->card.fw, p);
	} else {
		place(d, ring_of(d, p), p);
	}
	/* what it pulls, it does not have stopped */
	return d->stopped[queue] && !d->card.pulls ? XMIT_OK_STOP : XMIT_OK;
}

/* Fills the ring from mac80211's station queue, as long as it is open. */
static void fill(struct iwlwifi *d, struct iwlwifi_ring *r)
{
	struct packet *p;

	while (!r->stopped && (p = d->card.up->pull(d->card.up_arg, r->q->tid)))
		place(d, r, p);
}

static void iwlwifi_wake_txq(struct object *drv, struct softmac_tid *tid)
{
	struct iwlwifi *d = (struct iwlwifi *)drv;
	struct iwlwifi_ring *r = d->rings;

	while (r->q != tid->drv)
		r = r->next;
	fill(d, r);
}

/* mac80211 sends a block ack request when a frame of a session is reported lost. */
static void card_gap(struct fw *fw, struct fw_queue *q, u16 start)
{
	struct iwlwifi *d = container_of(fw, struct iwlwifi, card.fw);

	d->card.up->bar(d->card.up_arg, q->tid, start);
}

/* ---- interrupts ----------------------------------------------------------------------------------- */

/* Rings were cleaned: those with room again are opened. */
static void host_end(struct fw_host *h)
{
	struct iwlwifi *d = container_of(h, struct iwlwifi, card.host);

	for (struct iwlwifi_ring *r = d->rings; r; r = r->next) {
		u32 ac = r->q->tid->ac;

		r->cleaned_start = r->q->start;
		if (!r->stopped || ring_space(&d->marks, ring_used(r)) <= d->marks.low)
			continue;
		r->stopped = false;
		d->stopped[ac]--;
		if (d->card.pulls)
			fill(d, r);
		else if (!d->stopped[ac])
			d->card.up->wake(d->card.up_arg, ac);
	}
}

/* ---- the object ----------------------------------------------------------------------------------- */

static void set_rules(struct iwlwifi *d)
{
	const struct iwlwifi_params *p = params_of(d);
	u32 frames = d->card.era < ERA_LIMIT_63 ? 31 : 63;

	d->card.fw.rules = (struct fw_rules){
		.frames = p->agg_frames == PARAM_UNSET ? frames : (u32)p->agg_frames,
		.time = p->agg_time,
		.amsdu_frames = p->amsdu ? UINT8_MAX : 1,
		.amsdu_bytes = AMSDU_MAX,
		.order = (enum fw_order)p->agg_order,
		.any_window = p->any_window == PARAM_UNSET ? d->card.era < ERA_LIMIT_63
							   : p->any_window,
		.retry_limit = (u32)p->retry_limit,
		.alone_after = (u32)p->agg_alone,
	};
	d->card.host.interval = p->coalescing;
	set_marks(d);
}

static void iwlwifi_attach(struct object *drv, const struct driver_env *env)
{
	struct iwlwifi *d = (struct iwlwifi *)drv;

	d->card.era = env->era;
	d->card.lost_cause = DROP_RETRY_LIMIT;
	d->card.fw.gap = card_gap;
	d->card.fw.hole = card_gap;
	d->card.host.end = host_end;
	set_rules(d);
	fw_card_attach(&d->card, env, env->era >= ERA_PULLS);
}

static void iwlwifi_sta_add(struct object *drv, struct softmac_sta *sta)
{
	struct iwlwifi *d = (struct iwlwifi *)drv;

	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct iwlwifi_ring *r = calloc(1, sizeof(*r));

		if (!r)
			abort();
		r->q = fw_queue_new(&d->card.fw, &sta->tids[i]);
		r->next = d->rings;
		d->rings = r;
	}
}

static void iwlwifi_init(struct object *obj)
{
	fw_card_init((struct fw_card *)obj, causes);
}

static void iwlwifi_changed(struct object *obj, const struct param *p)
{
	set_rules((struct iwlwifi *)obj);
}

static void iwlwifi_fini(struct object *obj)
{
	struct iwlwifi *d = (struct iwlwifi *)obj;

	fw_card_fini(&d->card);
	while (d->rings) {
		struct iwlwifi_ring *r = d->rings;

		d->rings = r->next;
		free(r);
	}
}

static void iwlwifi_audit(const struct object *obj, struct model_audit *a)
{
	fw_card_audit((const struct fw_card *)obj, a, "ring");
}

/* Before Linux 3.10 two slots are never used, and a frame that finds less than the mark free is dropped. */
static bool old_space(const struct model_check *c)
{
	int major = 0, minor = 0;

	if (!c->kernel || sscanf(c->kernel, "%d.%d", &major, &minor) < 2)
		return false;
	return major * 10000 + minor * 100 < ERA_SPACE;
}

static void iwlwifi_check(const void *params, struct model_check *c)
{
	const struct iwlwifi_params *p = params;

	if (p->ring.slots != PARAM_UNSET && p->ring.slots & (p->ring.slots - 1))
		model_check_error(c, "ring_slots", "a power of two, not %lld",
				  (long long)p->ring.slots);
	if (p->ring.ring == 1 && p->ring.high_mark == PARAM_UNSET && old_space(c))
		model_check_error(
			c, "ring",
			"at least 2: before Linux 3.10 two slots are never used, and a ring of 1 would drop "
			"every frame");
}

static void iwlwifi_describe(const struct object *obj, struct model_describe *desc)
{
	const struct iwlwifi *d = (const struct iwlwifi *)obj;

	/* Since 3.10 the frame that finds too little space stops the ring and is still placed. */
	bool old = d->card.era < ERA_SPACE;

	desc->queue(desc->arg, "ring", (int64_t)d->marks.capacity - d->marks.high + (old ? 1 : 2),
		    -1, -1);
}

static const struct param_enum orders[] = {
	{"sequence", FW_SEQUENCE, "by sequence number"},
	{"retries_last", FW_RETRIES_LAST, "new frames first"},
	{"shuffled", FW_SHUFFLED, "in no order, as the parts of 2011"},
	{NULL, 0, NULL},
};

#define P(field) offsetof(struct iwlwifi_params, field)

static const struct param params[] = {
	{.name = "ring",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(ring.ring),
	 .min = 1,
	 .max = 254,
	 .doc = "frames that a ring takes before it stops, as the driver counts; without it 224",
	 .linux_name = "n_window - high_mark"},
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
	{.name = "agg_frames",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_frames),
	 .min = 1,
	 .max = WIFI_MPDUS,
	 .doc = "frames of an aggregate at most; without it 31 before Linux 3.1, 63 later",
	 .linux_name = "LINK_QUAL_AGG_FRAME_LIMIT_DEF"},
	{.name = "agg_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_time),
	 .def = "4ms",
	 .min = 100 * SIM_US,
	 .max = 65535 * SIM_US,
	 .doc = "duration of an aggregate at most",
	 .linux_name = "LINK_QUAL_AGG_TIME_LIMIT_DEF"},
	{.name = "agg_order",
	 .type = PARAM_ENUM,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_order),
	 .def = "sequence",
	 .values = orders,
	 .doc = "order of the frames of an aggregate"},
	{.name = "agg_alone",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(agg_alone),
	 .def = "3",
	 .min = 0,
	 .max = 255,
	 .doc = "a frame that failed so often is sent alone; 0: none is",
	 .linux_name = "LINK_QUAL_AGG_DISABLE_START_DEF"},
	{.name = "agg_any_window",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = P(any_window),
	 .doc = "has up to 64 frames outstanding, whatever window was granted; without it before Linux 3.1"},
	{.name = "amsdu",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = P(amsdu),
	 .def = "false",
	 .doc = "A-MSDUs, as long as the receiver takes"},
	{.name = "retry_limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(retry_limit),
	 .def = "15",
	 .min = 1,
	 .max = 255,
	 .doc = "attempts at a frame",
	 .linux_name = "IWL_DEFAULT_TX_RETRY"},
	{.name = "coalescing",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(coalescing),
	 .def = "2048us",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "least time between two interrupts",
	 .linux_name = "IWL_HOST_INT_TIMEOUT_DEF"},
	PARAM_END,
};

static const struct probe probes[] = {
	FW_CARD_PROBES("ring", "frames in the rings, until they are cleaned"),
	PROBE_END,
};

static const struct model_ops ops = {
	.check = iwlwifi_check,
	.init = iwlwifi_init,
	.changed = iwlwifi_changed,
	.describe = iwlwifi_describe,
	.audit = iwlwifi_audit,
	.window_open = fw_card_window_open,
	.fini = iwlwifi_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = AC_COUNT, .xmit = iwlwifi_xmit},
		   .attach = iwlwifi_attach},
	.queues = softmac_queues,
	.queue_of = softmac_queue_of,
	.set_up = fw_card_set_up,
	.sta_add = iwlwifi_sta_add,
	.ampdu = fw_card_ampdu,
	.hw_queue = softmac_hw_queue,
	.pulls = fw_card_pulls,
	.wake_txq = iwlwifi_wake_txq,
	.held = fw_card_held,
	.sleep = fw_card_sleep,
	.forget = fw_card_forget,
};

const struct model_class iwlwifi_class = {
	.kind = &kind_driver,
	.name = "iwlwifi",
	.doc = "Intel 802.11n and ac: long rings, aggregates built by the card",
	.source = "drivers/net/wireless/intel/iwlwifi of Linux 6.1; iwlwifi of 2.6.32 to 3.0",
	.not_modelled =
		"Its rate scaling: the rate is the rate control's first. Rings are one a station and TID in all kernels.\n"
		"Linux tells the card that lifetimes are without end (TX_CMD_LIFE_TIME_INFINITE).",
	.size = sizeof(struct iwlwifi),
	.params_size = sizeof(struct iwlwifi_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
