// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Atheros 802.11n. Before Linux 4.10 the driver has a queue a TID, and of each access category it takes so many frames of all
 * stations together (qlen) before it stops the queue above. From then on it pulls from mac80211's station queues. Either
 * way at most two aggregates a category are with the hardware: one on the air and one behind it.
 *
 * Source: drivers/net/wireless/ath/ath9k/xmit.c, mac.c, init.c of Linux 3.6 and 6.1.
 */
#include "driver/ath9k.h"

#include "wifi/airtime.h"
#include "wifi/seq.h"

#define MIN_DEPTH	 2u /* ATH_AGGR_MIN_QDEPTH: aggregates with the hardware */
#define MIN_DEPTH_SINGLE 8u /* ATH_NON_AGGR_MIN_QDEPTH */

/* ---- to the hardware ----------------------------------------------------------------------------- */

/* Of those that are counted against the two: aggregates and what could be one, but no samples. */
static bool counts(const struct wifi_ppdu *ppdu)
{
	return ppdu->flags & PPDU_SESSION && !(ppdu->flags & PPDU_PROBE);
}

void ath9k_send(struct ath9k *d, struct ath9k_txq *q, struct wifi_ppdu *ppdu)
{
	const struct packet *first = ppdu->mpdus[0].p;

	ppdu->next = NULL;
	if (q->tail)
		q->tail->next = ppdu;
	else
		q->head = ppdu;
	q->tail = ppdu;
	q->depth++;
	if (first->mac.flags & SOFTMAC_AMPDU)
		ppdu->flags |= PPDU_SESSION;
	if (counts(ppdu))
		q->ampdu_depth++;
	wifi_kick(d->dev, ath9k_ac(d, q));
}

static struct wifi_ppdu *take_head(struct ath9k_txq *q)
{
	struct wifi_ppdu *ppdu = q->head;

	if (!ppdu)
		return NULL;
	q->head = ppdu->next;
	if (!q->head)
		q->tail = NULL;
	return ppdu;
}

/*
 * The hardware's filter: what is for a station that sleeps is not sent. Frames of a session wait in the driver, others are
 * mac80211's again (ATH9K_TXERR_FILT).
 */
static void filter(struct ath9k *d, struct ath9k_txq *q, struct wifi_ppdu *ppdu)
{
	struct softmac_sta *sta = ppdu->cookie;
	struct ath9k_tid *t = sta->tids[ppdu->tid].drv;
	struct packet_fifo again = {0};
	u32 ac = ath9k_ac(d, q);

	q->depth--;
	q->ampdu_depth -= counts(ppdu);
	for (u32 i = 0; i < ppdu->n; i++) {
		struct packet *p = ppdu->mpdus[i].p;

		if (ppdu->flags & PPDU_SESSION && t->active) {
			packet_fifo_push(&again, p);
			continue;
		}
		d->filtered++;
		ath9k_frame_done(d, ac, p->skb.len, packet_driver(p)->since);
		d->up->filtered(d->up_arg, p);
	}
	if (again.n)
		ath9k_requeue(d, t, &again);
	wifi_ppdu_free(d->dev, ppdu);
}

/* ---- frames in and out of the driver ------------------------------------------------------------- */

static void frame_in(struct ath9k *d, u32 ac, struct packet *p)
{
	sim_time now = d->obj.sim->now;

	packet_enter(p, LAYER_DRIVER, now);
	packet_driver(p)->since = now;
	queue_stat_in(&d->stat[ac], now, p->skb.len);
	d->txqs[ac].pending++;
}

static void frame_gone(struct ath9k *d, u32 ac)
{
	struct ath9k_txq *q = &d->txqs[ac];

	q->pending--;
	if (q->stopped && q->pending < ath9k_params(d)->qlen[ac]) {
		q->stopped = false;
		d->up->wake(d->up_arg, ac);
	}
}

void ath9k_frame_done(struct ath9k *d, u32 ac, u32 len, sim_time since)
{
	sim_time now = d->obj.sim->now;

	queue_stat_out(&d->stat[ac], now, len, now - since);
	frame_gone(d, ac);
}

void ath9k_frame_drop(struct ath9k *d, u32 ac, struct packet *p, u32 cause)
{
	queue_stat_drop(&d->stat[ac], d->obj.sim->now, p->skb.len, cause);
	packet_free(d->obj.sim, p);
	frame_gone(d, ac);
}

/* ---- before Linux 4.10: a queue a TID ------------------------------------------------------------- */

static void list_tid(struct ath9k_tid *t)
{
	struct ath9k_txq *q = t->txq;

	if (t->listed || t->paused || t->tid->sta->asleep)
		return;
	t->listed = true;
	t->next = NULL;
	if (q->last)
		q->last->next = t;
	else
		q->first = t;
	q->last = t;
}

static struct packet *next_buffered(struct ath9k *d, struct ath9k_tid *t, bool *aggregate)
{
	struct packet *p;

	while ((p = t->buf.head) && ath9k_in_window(t, p->mac.seq)) {
		packet_fifo_pop(&t->buf);
		if (ath9k_expire(d, t, p))
			continue;
		ath9k_window_add(d, t, p->mac.seq);
		*aggregate = true;
		return p;
	}
	return NULL;
}

/* It did not fit, and is first again. */
static void put_first(struct ath9k_tid *t, struct packet *p)
{
	packet_fifo_push_front(&t->buf, p);
}

static void form_buffered(struct ath9k *d, struct ath9k_tid *t)
{
	bool aggregate;

	while (t->txq->ampdu_depth < MIN_DEPTH) {
		struct packet *p = next_buffered(d, t, &aggregate);

		ath9k_tell_hole(d, t);
		if (!p)
			return;
		ath9k_send(d, t->txq, ath9k_form(d, t, p, next_buffered, put_first));
		ath9k_tell_hole(d, t);
	}
}

static void schedule_buffered(struct ath9k *d, struct ath9k_txq *q)
{
	const struct ath9k_tid *stop = q->last;
	struct ath9k_tid *t;

	while (q->ampdu_depth < MIN_DEPTH && (t = q->first)) {
		q->first = t->next;
		if (!q->first)
			q->last = NULL;
		t->listed = false;
		if (!t->paused && !t->tid->sta->asleep) {
			form_buffered(d, t);
			if (t->buf.n)
				list_tid(t);
		}
		if (t == stop)
			return;
	}
}

/* A frame of a session goes to the hardware at once when nothing is before it and that has room. */
static void send_ampdu(struct ath9k *d, struct ath9k_tid *t, struct packet *p)
{
	if (t->buf.n || t->paused || t->tid->sta->asleep || !ath9k_in_window(t, p->mac.seq) ||
	    t->txq->ampdu_depth >= MIN_DEPTH) {
		packet_fifo_push(&t->buf, p);
		list_tid(t);
		return;
	}
	ath9k_window_add(d, t, p->mac.seq);
	ath9k_send(d, t->txq, softmac_single(d->dev, p));
}

static struct ath9k_tid *tid_of(const struct packet *p)
{
	return packet_sta(p)->tids[p->tid].drv;
}

enum xmit_result ath9k_xmit(void *down, u32 queue, struct packet *p)
{
	struct ath9k *d = down;
	struct ath9k_txq *q = &d->txqs[queue];

	frame_in(d, queue, p);
	if (!d->pulls && q->pending > ath9k_params(d)->qlen[queue])
		q->stopped = true;
	if (p->mac.flags & SOFTMAC_AMPDU)
		send_ampdu(d, tid_of(p), p);
	else
		ath9k_send(d, q, softmac_single(d->dev, p));
	return q->stopped ? XMIT_OK_STOP : XMIT_OK;
}

/* ---- from Linux 4.10 on: mac80211's station queues ------------------------------------------------ */

/* Frames to be sent again first, then what mac80211 has. */
static struct packet *dequeue(struct ath9k *d, struct ath9k_tid *t)
{
	struct packet *p = packet_fifo_pop(&t->retry);

	if (p)
		return p;
	p = d->up->pull(d->up_arg, t->tid);
	if (p)
		frame_in(d, t->tid->ac, p);
	return p;
}

static struct packet *next_pulled(struct ath9k *d, struct ath9k_tid *t, bool *aggregate)
{
	struct packet *p, *first = NULL;

	while ((p = dequeue(d, t))) {
		/* What is left of a session that is over goes as plain data. */
		if (!t->active)
			p->mac.flags &= (u8)~SOFTMAC_AMPDU;
		*aggregate = p->mac.flags & SOFTMAC_AMPDU;
		if (!*aggregate) {
			if (!wifi_expired(d->dev, t->tid->ac, p, d->obj.sim->now))
				return p;
			ath9k_frame_drop(d, t->tid->ac, p, DROP_LIFETIME);
			continue;
		}
		if (!ath9k_in_window(t, p->mac.seq)) {
			packet_fifo_push(&t->retry, p);
			if (t->retry.head == p || p == first)
				return NULL;
			if (!first)
				first = p;
			continue;
		}
		if (t->bar > (s32)seq_sub(p->mac.seq, t->start)) {
			ath9k_window_done(t, p->mac.seq);
			ath9k_frame_drop(d, t->tid->ac, p, DROP_RETRY_LIMIT);
			continue;
		}
		if (ath9k_expire(d, t, p))
			continue;
		ath9k_window_add(d, t, p->mac.seq);
		return p;
	}
	return NULL;
}

static void put_back(struct ath9k_tid *t, struct packet *p)
{
	packet_fifo_push(&t->retry, p);
}

static bool room(const struct ath9k_txq *q, bool aggregate)
{
	return aggregate ? q->ampdu_depth < MIN_DEPTH : q->depth < MIN_DEPTH_SINGLE;
}

static void form_pulled(struct ath9k *d, struct ath9k_tid *t)
{
	bool aggregate;
	struct packet *p = next_pulled(d, t, &aggregate);

	ath9k_tell_hole(d, t);
	if (!p)
		return;
	if (!room(t->txq, aggregate)) {
		put_back(t, p);
		return;
	}
	ath9k_send(d, t->txq,
		   aggregate ? ath9k_form(d, t, p, next_pulled, put_back)
			     : softmac_single(d->dev, p));
	ath9k_tell_hole(d, t);
}

static void schedule_pulled(struct ath9k *d, u32 ac)
{
	struct softmac_tid *tid;

	d->up->pull_start(d->up_arg, ac);
	while ((tid = d->up->pull_next(d->up_arg, ac))) {
		struct ath9k_tid *t = tid->drv;

		form_pulled(d, t);
		d->up->pull_return(d->up_arg, tid, t->retry.n > 0);
	}
}

static void ath9k_schedule(struct ath9k *d, u32 ac)
{
	if (d->pulls)
		schedule_pulled(d, ac);
	else
		schedule_buffered(d, &d->txqs[ac]);
}

void ath9k_wake_txq(struct object *drv, struct softmac_tid *tid)
{
	schedule_pulled((struct ath9k *)drv, tid->ac);
}

static struct wifi_ppdu *ath9k_pull(void *arg, u32 ac)
{
	struct ath9k *d = arg;
	struct ath9k_txq *q = &d->txqs[ac];
	struct wifi_ppdu *ppdu;

	while ((ppdu = take_head(q)) && ((struct softmac_sta *)ppdu->cookie)->asleep) {
		filter(d, q, ppdu);
		ath9k_schedule(d, ac); /* others may have waited for its place */
	}
	if (ppdu)
		d->pulled += ppdu->n;
	return ppdu;
}

/* What is left of a session: frames that were sent are given up, others go as plain data. */
static void flush(struct ath9k *d, struct ath9k_tid *t)
{
	struct packet_fifo buf = t->buf, retry = t->retry;
	struct packet *p;

	t->buf = t->retry = (struct packet_fifo){0};
	while ((p = packet_fifo_pop(&retry)))
		ath9k_frame_drop(d, t->tid->ac, p, DROP_FLUSHED);
	while ((p = packet_fifo_pop(&buf))) {
		p->mac.flags &= (u8)~SOFTMAC_AMPDU;
		if (p->mac.retries || t->tid->sta->gone)
			ath9k_frame_drop(d, t->tid->ac, p, DROP_FLUSHED);
		else
			ath9k_send(d, t->txq, softmac_single(d->dev, p));
	}
}

/* PPDUs that are ready, but for the one on the air, and what waits for sessions. */
void ath9k_forget(struct object *drv, struct softmac_sta *sta)
{
	struct ath9k *d = (struct ath9k *)drv;

	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		struct ath9k_txq *q = &d->txqs[ac];
		struct wifi_ppdu *ppdu = q->head, *next;

		q->head = q->tail = NULL;
		for (; ppdu; ppdu = next) {
			next = ppdu->next;
			ppdu->next = NULL;
			if (ppdu->cookie != sta) {
				if (q->tail)
					q->tail->next = ppdu;
				else
					q->head = ppdu;
				q->tail = ppdu;
				continue;
			}
			q->depth--;
			q->ampdu_depth -= counts(ppdu);
			for (u32 i = 0; i < ppdu->n; i++)
				ath9k_frame_drop(d, ac, ppdu->mpdus[i].p, DROP_FLUSHED);
			wifi_ppdu_free(d->dev, ppdu);
		}
	}
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		flush(d, sta->tids[i].drv);
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		ath9k_schedule(d, ac);
}

/* ath_tx_aggr_sleep(), ath_tx_aggr_wakeup() */
bool ath9k_sleep(struct object *drv, struct softmac_sta *sta, bool asleep)
{
	struct ath9k *d = (struct ath9k *)drv;
	bool has = false;

	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct ath9k_tid *t = sta->tids[i].drv;

		if (!t->buf.n && !t->retry.n)
			continue;
		has = true;
		if (asleep)
			continue;
		if (d->pulls)
			d->up->pull_again(d->up_arg, t->tid);
		else
			list_tid(t);
		ath9k_schedule(d, t->tid->ac);
	}
	return has;
}

/* ---- completion ---------------------------------------------------------------------------------- */

void ath9k_requeue(struct ath9k *d, struct ath9k_tid *t, struct packet_fifo *frames)
{
	if (d->pulls) {
		packet_fifo_splice(&t->retry, frames);
		d->up->pull_again(d->up_arg, t->tid);
	} else {
		packet_fifo_splice_front(&t->buf, frames);
		list_tid(t);
	}
}

static void complete_single(struct ath9k *d, struct wifi_ppdu *ppdu)
{
	struct wifi_mpdu *m = &ppdu->mpdus[0];

	if (m->flags & MPDU_ACKED) {
		d->packets++;
		ath9k_frame_done(d, ppdu->ac, m->len, m->since);
		wifi_mpdu_end(d->dev, m);
	} else {
		bool old = wifi_expired(d->dev, ppdu->ac, m->p, d->obj.sim->now);

		d->returned++;
		ath9k_frame_drop(d, ppdu->ac, m->p, old ? DROP_LIFETIME : DROP_RETRY_LIMIT);
		m->p = NULL;
	}
}

/* Airtime as the driver reckons it: the frame's duration at each step times its tries, without responses. */
static u32 airtime_us(const struct ath9k *d, const struct wifi_ppdu *ppdu)
{
	const struct wifi_phy *phy = wifi_phy(d->dev);
	sim_time sum = 0;

	for (u32 i = 0; i < ppdu->n_steps; i++)
		sum += ppdu->used[i] *
		       (wifi_airtime(phy, ppdu->steps[i].rate, ppdu->bytes) - phy->extension);
	return (u32)(sum / SIM_US);
}

static bool ath9k_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct ath9k *d = arg;
	struct ath9k_txq *q = &d->txqs[ppdu->ac];
	struct softmac_sta *sta = ppdu->cookie;
	struct ath9k_tid *t = sta->tids[ppdu->tid].drv;
	bool session = ppdu->flags & PPDU_SESSION;

	d->interrupts++;
	d->retries += softmac_retries(ppdu);
	q->depth--;
	q->ampdu_depth -= counts(ppdu);
	if (!(ppdu->flags & PPDU_CONTROL) && ppdu->attempts) {
		d->ppdus++;
		histogram_add(&d->ampdu, ppdu->n, 1);
		if (d->pulls)
			d->up->airtime(d->up_arg, t->tid, airtime_us(d, ppdu), 0);
	}
	softmac_report(d->up, d->up_arg, ppdu);
	if (session)
		ath9k_complete(d, t, ppdu);
	else
		complete_single(d, ppdu);
	ath9k_schedule(d, ppdu->ac);
	return q->head != NULL;
}

/* ---- reception: interrupts are held back --------------------------------------------------------- */

void ath9k_rx_interrupt(struct sim *sim, struct event *ev)
{
	struct ath9k *d = container_of(ev, struct ath9k, rx_interrupt);
	struct packet *p;

	d->interrupts++;
	while ((p = packet_fifo_pop(&d->received))) {
		d->rx_out++;
		d->up->rx(d->up_arg, p);
	}
}

static void ath9k_rx(void *arg, struct packet *p)
{
	struct ath9k *d = arg;

	d->rx_in++;
	packet_fifo_push(&d->received, p);
}

/* The interrupt comes a while after the last frame, and no later than so long after the first. */
static void ath9k_rx_end(void *arg)
{
	struct ath9k *d = arg;
	const struct ath9k_params *p = ath9k_params(d);
	sim_time last = p->rx_last != PARAM_UNSET ? p->rx_last : (p->edma ? 500 : 250) * SIM_US;
	sim_time first = p->rx_first != PARAM_UNSET ? p->rx_first : (p->edma ? 2000 : 700) * SIM_US;
	sim_time now = d->obj.sim->now;

	if (!d->received.n)
		return;
	if (!event_pending(&d->rx_interrupt))
		d->rx_first = now + first;
	event_postpone(d->obj.sim, &d->rx_interrupt,
		       now + last < d->rx_first ? now + last : d->rx_first);
}

const struct wifi_dev_ops ath9k_dev_ops = {
	.pull = ath9k_pull,
	.tx_status = ath9k_status,
	.rx = ath9k_rx,
	.rx_end = ath9k_rx_end,
};

/* ---- sessions ------------------------------------------------------------------------------------ */

void ath9k_ampdu(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action, u16 *start)
{
	struct ath9k *d = (struct ath9k *)drv;
	struct ath9k_tid *t = tid->drv;

	switch (action) {
	case AMPDU_START:
		t->active = true;
		t->paused = true;
		t->start = *start;
		t->open = 0;
		t->span = 0;
		t->bar = -1;
		t->hole = false;
		break;
	case AMPDU_OPERATIONAL:
		t->size = tid->window;
		t->paused = false;
		break;
	case AMPDU_STOP:
		t->active = false;
		t->paused = false;
		t->size = 0;
		flush(d, t);
	}
}
