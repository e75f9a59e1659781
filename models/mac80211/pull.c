// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The station queues as drivers see them: who may send next, what it sends, and what it is charged for it.
 *
 * Source: Linux 6.1 net/mac80211/tx.c (ieee80211_queue_skb, ieee80211_tx_dequeue), agg-tx.c.
 */
#include "mac80211/internal.h"

#include "mac80211/jiffies.h"
#include "mac80211/mac80211.h"
#include "mac80211/rate-control.h"
#include "wifi/seq.h"

const struct model_kind kind_txq = {.name = "txq",
				    .doc = "packet store of mac80211's station queues"};

static struct sta *sta_of_tid(const struct softmac_tid *tid)
{
	return container_of(tid->sta, struct sta, soft);
}

static struct sta_txq *txq_of(const struct softmac_tid *tid)
{
	return &sta_of_tid(tid)->txqs[tid->tid];
}

static int64_t jiffies_now(const struct mac80211 *mac)
{
	return jiffies_at(mac->hz, mac->obj.sim->now);
}

static void list_txq(struct mac80211 *mac, struct softmac_tid *tid, bool force)
{
	struct sta_txq *q = txq_of(tid);
	bool has;

	if (tid->sta->asleep || tid->sta->gone)
		return;
	has = !q->stopped && mac->txq_ops->packets(q->tin);

	sched_list(&mac->sched, &q->sched, tid->ac, has, force, jiffies_now(mac));
}

static void wake(struct mac80211 *mac, struct softmac_tid *tid)
{
	list_txq(mac, tid, false);
	mac->ops->wake_txq(mac->drv, tid);
}

void pull_queue(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	struct softmac_tid *tid = &sta->soft.tids[p->tid];

	packet_set_sta(p, &sta->soft);
	p->mac.retries = 0;
	mac->queued++;
	mac->txq_ops->enqueue(mac->txq, txq_of(tid)->tin, p);
	wake(mac, tid);
}

void pull_hold(struct mac80211 *mac, struct softmac_tid *tid, bool hold)
{
	txq_of(tid)->stopped = hold;
	if (!hold)
		wake(mac, tid);
}

bool pull_sleep_sta(struct mac80211 *mac, struct sta *sta)
{
	bool has = false;

	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct sta_txq *q = &sta->txqs[i];

		sched_unlist(&mac->sched, &q->sched, sta->soft.tids[i].ac);
		has |= mac->txq_ops->packets(q->tin) != 0;
	}
	return has;
}

void pull_flush_sta(struct mac80211 *mac, struct sta *sta)
{
	pull_sleep_sta(mac, sta);
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		mac->txq_ops->flush(mac->txq, sta->txqs[i].tin);
}

void pull_wake_sta(struct mac80211 *mac, struct sta *sta)
{
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		if (mac->txq_ops->packets(sta->txqs[i].tin))
			wake(mac, &sta->soft.tids[i]);
}

/* ---- what the driver calls ------------------------------------------------------------------------ */

void mac_pull_start(void *up, u32 ac)
{
	sched_start(&((struct mac80211 *)up)->sched, ac);
}

struct softmac_tid *mac_pull_next(void *up, u32 ac)
{
	struct mac80211 *mac = up;
	struct sched_queue *q = sched_next(&mac->sched, ac);

	return q ? q->tid : NULL;
}

void mac_pull_return(void *up, struct softmac_tid *tid, bool force)
{
	list_txq(up, tid, force);
}

void mac_pull_again(void *up, struct softmac_tid *tid)
{
	list_txq(up, tid, true);
}

/* AQL: the frame's estimated airtime is pending until the driver is done with it. */
static void charge(struct mac80211 *mac, struct sta *sta, struct softmac_tid *tid, struct packet *p)
{
	wifi_rate r = sta->last_rate;
	bool single = tid->ac == AC_VO;
	u32 bytes;

	p->mac.airtime = 0;
	if (!mac->sched.aql)
		return;
	if (r == WIFI_RATE_NONE)
		r = wifi_lowest_basic(wifi_phy(mac->dev));
	bytes = softmac_bytes(mac->dev, p) - 4;
	if (mac->charged.rate != r || mac->charged.bytes != bytes ||
	    mac->charged.single != single) {
		mac->charged.rate = r;
		mac->charged.bytes = bytes;
		mac->charged.single = single;
		mac->charged.us = sched_estimate(r, bytes, single);
	}
	p->mac.airtime = (u16)mac->charged.us;
	sched_charge(&mac->sched, &sta->airtime[tid->ac], tid->ac, mac->charged.us);
}

struct packet *mac_pull(void *up, struct softmac_tid *tid)
{
	struct mac80211 *mac = up;
	struct sta *sta = sta_of_tid(tid);
	struct sta_txq *q = txq_of(tid);
	struct packet *p;

	if (!sched_may_send(&mac->sched, &sta->airtime[tid->ac]) ||
	    mac->stopped[mac->ops->hw_queue(mac->drv, tid->ac)] || q->stopped || mac->away.off ||
	    cipher_busy(mac) || tid->sta->asleep)
		return NULL;
	while ((p = mac->txq_ops->dequeue(mac->txq, q->tin, sta->slow)) &&
	       wifi_expired(mac->dev, tid->ac, p, mac->obj.sim->now)) {
		mac->queued--;
		mac_expire(mac, p);
	}
	if (!p)
		return NULL;
	/* Numbers are given here, so that what the queue dropped leaves no gap. */
	p->mac.seq = sta->next_seq[tid->tid]++ & SEQ_MASK;
	p->mac.flags = tid->ampdu ? SOFTMAC_AMPDU : 0;
	mac_rate(mac, sta, p);
	if (tid->ampdu)
		sta->ba_tx[tid->tid].last_tx = mac->obj.sim->now;
	charge(mac, sta, tid, p);
	cipher_tx(mac, p);
	return p;
}

void pull_done(struct mac80211 *mac, struct softmac_tid *tid, u32 us)
{
	if (us)
		sched_discharge(&mac->sched, &sta_of_tid(tid)->airtime[tid->ac], tid->ac, us);
}

void mac_airtime(void *up, struct softmac_tid *tid, u32 tx, u32 rx)
{
	struct mac80211 *mac = up;

	sched_used(&mac->sched, &sta_of_tid(tid)->airtime[tid->ac], tx, rx, jiffies_now(mac));
}

/* ---- set-up --------------------------------------------------------------------------------------- */

const char *mac80211_beyond(const struct slot *mac, const struct model_class *drv)
{
	const struct mac80211_params *p = mac->params;
	const struct softmac_ops *ops = drv->kind_ops;

	if (p->aql == 1 && ops->pulls && !ops->aql)
		return "aql: true is for drivers that tell what airtime is done with, such as ath10k";
	return NULL;
}

const char *mac80211_rates_beyond(const struct slot *rate_control, const struct model_class *drv)
{
	const struct rate_control_ops *ops = rate_control->cls ? rate_control->cls->kind_ops : NULL;
	const struct softmac_ops *sends = drv->kind_ops;

	if (ops && ops->tx_status && !sends->max_rates)
		return "it chooses rates by itself, in a way that is not modelled; allowed here: fixed";
	return NULL;
}

void pull_init(struct mac80211 *mac, const struct slot *txq)
{
	const struct mac80211_params *p = mac_params(mac);

	mac->sched = (struct sched){
		.fairness = p->airtime_fairness == PARAM_UNSET ? mac->ops->airtime_fairness
							       : p->airtime_fairness,
		.aql = p->aql == PARAM_UNSET ? mac->ops->aql && mac->era >= ERA_AQL : p->aql,
		.use_tx = p->airtime_flags & AIRTIME_TX,
		.use_rx = p->airtime_flags & AIRTIME_RX,
		.hz = mac->hz,
		.weight = (s32)(p->airtime_weight / SIM_US),
		.limit_low = (u32)(p->aql_limit_low / SIM_US),
		.limit_high = (u32)(p->aql_limit_high / SIM_US),
		.threshold = (u32)(p->aql_threshold / SIM_US),
	};
	sched_init(&mac->sched);
	mac->charged.rate = WIFI_RATE_NONE;
	mac->txq =
		object_new(mac->obj.sim, txq->cls, mac->obj.path, (void *)txq->params, &mac->obj);
	mac->txq_ops = txq->cls->kind_ops;
	mac->txq_ops->attach(mac->txq, mac->hz, wifi_phy(mac->dev)->standard == WIFI_11AC);
}

void pull_init_sta(struct mac80211 *mac, struct sta *sta)
{
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		sched_account_init(&mac->sched, &sta->airtime[ac]);
	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct softmac_tid *tid = &sta->soft.tids[i];
		struct sta_txq *q = &sta->txqs[i];

		INIT_LIST_HEAD(&q->sched.order);
		q->sched.account = &sta->airtime[tid->ac];
		q->sched.tid = tid;
		q->tin = mac->txq_ops->tin_new(mac->txq, tid->ac);
	}
}
