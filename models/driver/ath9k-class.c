// SPDX-License-Identifier: GPL-3.0-or-later
/* The object ath9k: its parameters, its measures. */
#include "driver/ath9k.h"

#include <stdlib.h>

#define ERA_PULLS 41000

static const char *const causes[] = {"retry_limit", "flushed", "lifetime", NULL};

static void ath9k_sta_add(struct object *drv, struct softmac_sta *sta)
{
	struct ath9k *d = (struct ath9k *)drv;
	struct ath9k_sta *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	s->next = d->stas;
	d->stas = s;
	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct softmac_tid *tid = &sta->tids[i];

		s->tids[i].tid = tid;
		s->tids[i].txq = &d->txqs[tid->ac];
		s->tids[i].bar = -1;
		tid->drv = &s->tids[i];
	}
}

static void ath9k_attach(struct object *drv, const struct driver_env *env)
{
	struct ath9k *d = (struct ath9k *)drv;

	d->dev = env->medium;
	d->era = env->era;
	d->pulls = env->era >= ERA_PULLS;
	wifi_dev_attach(d->dev, &ath9k_dev_ops, d);
}

static bool ath9k_pulls(struct object *drv)
{
	return ((struct ath9k *)drv)->pulls;
}

static void ath9k_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	struct ath9k *d = (struct ath9k *)drv;

	d->up = ops;
	d->up_arg = up;
}

static void ath9k_init(struct object *obj)
{
	struct ath9k *d = (struct ath9k *)obj;

	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&d->stat[ac], causes);
	event_init(&d->rx_interrupt, ath9k_rx_interrupt, RANK_COMPLETE);
}

static void free_fifo(struct sim *sim, struct packet_fifo *f)
{
	struct packet *p;

	while ((p = packet_fifo_pop(f)))
		packet_free(sim, p);
}

static void ath9k_fini(struct object *obj)
{
	struct ath9k *d = (struct ath9k *)obj;

	for (u32 ac = 0; ac < AC_COUNT; ac++)
		for (struct wifi_ppdu *ppdu = d->txqs[ac].head; ppdu; ppdu = ppdu->next)
			for (u32 i = 0; i < ppdu->n; i++)
				packet_free(obj->sim, ppdu->mpdus[i].p);
	free_fifo(obj->sim, &d->received);
	while (d->stas) {
		struct ath9k_sta *s = d->stas;

		for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
			free_fifo(obj->sim, &s->tids[i].buf);
			free_fifo(obj->sim, &s->tids[i].retry);
		}
		d->stas = s->next;
		free(s);
	}
}

static void ath9k_audit(const struct object *obj, struct model_audit *a)
{
	const struct ath9k *d = (const struct ath9k *)obj;
	u64 held = 0, in = 0, dropped = 0;

	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		in += queue_stat_taken(&d->stat[ac]);
		dropped += d->stat[ac].dropped;
		for (const struct wifi_ppdu *p = d->txqs[ac].head; p; p = p->next)
			held += p->n;
	}
	for (const struct ath9k_sta *s = d->stas; s; s = s->next)
		for (u32 i = 0; i < SOFTMAC_TIDS; i++)
			held += s->tids[i].buf.n + s->tids[i].retry.n;
	a->queue(a->arg, "driver", in, d->pulled - d->returned + d->filtered, dropped, held);
	a->queue(a->arg, "rx", d->rx_in, d->rx_out, 0, d->received.n);
}

static void ath9k_describe(const struct object *obj, struct model_describe *desc)
{
	static const char *const names[AC_COUNT] = {"driver.vo", "driver.vi", "driver.be",
						    "driver.bk"};
	const struct ath9k *d = (const struct ath9k *)obj;

	if (d->pulls)
		return;
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		desc->queue(desc->arg, names[ac], ath9k_params(d)->qlen[ac] + 1, -1, -1);
}

static u32 ath9k_held(const struct object *drv)
{
	const struct ath9k *d = (const struct ath9k *)drv;
	int64_t n = 0;

	for (u32 i = 0; i < AC_COUNT; i++)
		n += queue_stat_packets(&d->stat[i]);
	return (u32)n;
}

static int64_t interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct ath9k *d = (const struct ath9k *)obj;

	return d->packets ? (int64_t)(d->interrupts * 1000000 / d->packets) : METRIC_ABSENT;
}

static void ath9k_window_open(struct object *obj)
{
	struct ath9k *d = (struct ath9k *)obj;

	d->interrupts = 0;
	d->packets = 0;
}

#define P(field) offsetof(struct ath9k_params, field)

static const struct param params[] = {
	{.name = "qlen",
	 .type = PARAM_PER_AC,
	 .element = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(qlen),
	 .def = "123",
	 .min = 1,
	 .max = 123,
	 .doc = "frames of an access category in the driver, all stations', above which its queue is stopped; "
		"of effect before Linux 4.10",
	 .linux_name = "debugfs ath9k/qlen_be"},
	{.name = "edma",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(edma),
	 .def = "false",
	 .doc = "AR9300 and later"},
	{.name = "rx_last",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(rx_last),
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "the receive interrupt comes so long after the last frame; without it 250us, or 500us with edma",
	 .linux_name = "AR_RIMT_LAST"},
	{.name = "rx_first",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(rx_first),
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "and no later than so long after the first; without it 700us, or 2000us with edma",
	 .linux_name = "AR_RIMT_FIRST"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "driver",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct ath9k, stat),
	 .stride = sizeof(struct queue_stat),
	 .doc = "frames in the driver and with the hardware, until they are done"},
	{.name = "ampdu",
	 .unit = "frames",
	 .shape = PROBE_HISTOGRAM,
	 .offset = offsetof(struct ath9k, ampdu),
	 .doc = "MPDUs of a PPDU"},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ath9k, retries),
	 .doc = "attempts of the hardware after the first"},
	{.name = "ppdus",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ath9k, ppdus),
	 .doc = "PPDUs with data, whatever their attempts"},
	{.name = "interrupts_per_packet",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = interrupts_per_packet,
	 .doc = "interrupts, of completions and receptions, by frame sent"},
	PROBE_END,
};

static const struct model_ops ops = {
	.init = ath9k_init,
	.describe = ath9k_describe,
	.audit = ath9k_audit,
	.window_open = ath9k_window_open,
	.fini = ath9k_fini,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = AC_COUNT, .xmit = ath9k_xmit},
		   .attach = ath9k_attach},
	.queues = softmac_queues,
	.queue_of = softmac_queue_of,
	.set_up = ath9k_set_up,
	.sta_add = ath9k_sta_add,
	.ampdu = ath9k_ampdu,
	.max_rates = 4,
	.max_tries = 10,
	.ht_cck = true,
	.airtime_fairness = true,
	.hw_queue = softmac_hw_queue,
	.pulls = ath9k_pulls,
	.wake_txq = ath9k_wake_txq,
	.held = ath9k_held,
	.sleep = ath9k_sleep,
	.forget = ath9k_forget,
};

const struct model_class ath9k_class = {
	.kind = &kind_driver,
	.name = "ath9k",
	.doc = "Atheros 802.11n: aggregates built by the driver, two of them with the hardware",
	.source = "drivers/net/wireless/ath/ath9k of Linux 3.6 and 6.1",
	.not_modelled =
		"Bluetooth coexistence, channel contexts, spectral scans. Linux sets no lifetimes: with one, frames are looked at\n"
		"when an aggregate is formed; one that is formed is sent as long as any of its frames may be.",
	.size = sizeof(struct ath9k),
	.params_size = sizeof(struct ath9k_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
