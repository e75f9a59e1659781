/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What drivers of cards with firmware have in common: the card's queues, the interrupt behind which its completions wait, and
 * what is counted of both. It comes first in such a driver's struct.
 */
#ifndef WLANQ_DRIVER_FW_CARD_H
#define WLANQ_DRIVER_FW_CARD_H

#include "driver/fw-host.h"
#include "measure/queue-stat.h"

struct fw_card {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	u32 era;
	bool pulls; /* from mac80211's station queues */
	struct fw fw;
	struct fw_host host;
	struct queue_stat stat; /* frames with the card, until they are completed */
	struct queue_stat stat_ac[AC_COUNT]; /* by access category */
	struct histogram ampdu; /* MPDUs of a PPDU */
	u64 retries, ppdus, packets; /* of the window */

	u32 lost_cause; /* of .stat: FW_RETRY_LIMIT; the others of enum fw_cause are behind it */
	bool airtime; /* what PPDUs took is told to mac80211 */
	/* A completion was counted; what it carries is ended behind this. NULL: not of interest. */
	void (*completed)(struct fw_card *card, const struct fw_done *done);
};

/* @causes: of .stat. As model_ops.init, and driver_ops.attach; .host.end is set before that. */
void fw_card_init(struct fw_card *card, const char *const *causes);
void fw_card_attach(struct fw_card *card, const struct driver_env *env, bool pulls);
void fw_card_fini(struct fw_card *card);
void fw_card_window_open(struct object *obj);
/* @name: of its queue. */
void fw_card_audit(const struct fw_card *card, struct model_audit *a, const char *name);

/* A packet for @tid would wait in the card's queue; as layer_down.absorbs. */
bool fw_card_absorbs(struct fw_card *card, const struct softmac_tid *tid, struct lazy *l);

/* Of struct softmac_ops. */
void fw_card_set_up(struct object *drv, const struct softmac_up *ops, void *up);
void fw_card_ampdu(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action,
		   u16 *start);
bool fw_card_pulls(struct object *drv);
u32 fw_card_held(const struct object *drv);
bool fw_card_sleep(struct object *drv, struct softmac_sta *sta, bool asleep);
void fw_card_forget(struct object *drv, struct softmac_sta *sta);

/* @p is the card's from now on, where it is in @layer. */
static inline void fw_card_take(struct fw_card *card, struct packet *p, enum layer layer)
{
	sim_time now = card->obj.sim->now;

	packet_enter(p, layer, now);
	packet_driver(p)->since = now;
	queue_stat_in(&card->stat, now, p->skb.len);
	queue_stat_in(&card->stat_ac[p->ac], now, p->skb.len);
}

/* A probe's value: interrupts by packet sent. */
int64_t fw_card_interrupts(const struct object *obj, int64_t window);

/* Of a driver's probe table; @queue names its queue, @text says what is in it. */
#define FW_CARD_PROBES(queue, text)                                                \
	{.name = queue,                                                            \
	 .unit = "packets",                                                        \
	 .shape = PROBE_QUEUE,                                                     \
	 .offset = offsetof(struct fw_card, stat),                                 \
	 .doc = text},                                                             \
		{.name = queue,                                                    \
		 .unit = "packets",                                                \
		 .shape = PROBE_QUEUE,                                             \
		 .scope = PROBE_AC,                                                \
		 .offset = offsetof(struct fw_card, stat_ac),                      \
		 .stride = sizeof(struct queue_stat),                              \
		 .doc = "the same by access category"},                            \
		{.name = "ampdu",                                                  \
		 .unit = "frames",                                                 \
		 .shape = PROBE_HISTOGRAM,                                         \
		 .offset = offsetof(struct fw_card, ampdu),                        \
		 .doc = "MPDUs of a PPDU"},                                        \
		{.name = "retries",                                                \
		 .unit = "",                                                       \
		 .shape = PROBE_COUNTER,                                           \
		 .offset = offsetof(struct fw_card, retries),                      \
		 .doc = "attempts of the hardware after the first"},               \
		{.name = "ppdus",                                                  \
		 .unit = "",                                                       \
		 .shape = PROBE_COUNTER,                                           \
		 .offset = offsetof(struct fw_card, ppdus),                        \
		 .doc = "PPDUs with data"},                                        \
	{                                                                          \
		.name = "interrupts_per_packet", .unit = "", .shape = PROBE_VALUE, \
		.value = fw_card_interrupts, .doc = "interrupts by packet sent"    \
	}

#endif
