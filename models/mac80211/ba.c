// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Block-ack sessions: who asks when, what is answered, and when a session ends. The frames of it travel like others.
 *
 * Source: Linux 6.1 net/mac80211/agg-tx.c, agg-rx.c, status.c.
 */
#include "mac80211/internal.h"

#include <glib.h>

#include "mac80211/jiffies.h"
#include "wifi/seq.h"

#define WINDOW_ASKED	   64 /* buffer size of a request, whatever the driver can */
#define TX_TIDS		   SOFTMAC_TIDS
#define RESPONSE_TICKS(hz) (hz) /* ADDBA_RESP_INTERVAL: 1 s */
#define MAX_REQUESTS	   15 /* HT_AGG_MAX_RETRIES */
#define BURST_REQUESTS	   3 /* HT_AGG_BURST_RETRIES */
#define PERIOD(hz)	   (15 * (int64_t)(hz)) /* HT_AGG_RETRIES_PERIOD */
#define PENDING_MAX	   64 /* STA_MAX_TX_BUFFER */
#define TU		   (1024 * SIM_US)
#define OLD_TIMEOUT	   5000 /* TU, of sessions that minstrel_ht started in Linux 3.x */
#define ERA_NO_TIMEOUT	   40000
#define ERA_WHEEL	   40800

static struct sta *sta_of_soft(struct softmac_sta *soft)
{
	return container_of(soft, struct sta, soft);
}

static sim_time timer_at(const struct mac80211 *mac, int64_t ticks)
{
	int64_t now = jiffies_at(mac->hz, mac->obj.sim->now);

	return jiffies_time(mac->hz, jiffies_timer(now, now + ticks, mac->era < ERA_WHEEL));
}

/* ---- originator -------------------------------------------------------------------------------- */

static void set_session(struct ba_tx *ba, bool on, u16 window, bool amsdu)
{
	ba->tid->ampdu = on;
	ba->tid->window = window;
	ba->tid->amsdu = amsdu;
}

/* What waited for the session goes out now. */
static void splice(struct ba_tx *ba)
{
	struct packet *p;

	away_wake(ba->mac);
	if (ba->mac->pulls)
		pull_hold(ba->mac, ba->tid, false);
	while ((p = packet_fifo_pop(&ba->pending)))
		mac_give(ba->mac, sta_of_soft(ba->tid->sta), p);
}

static void tx_stop(struct ba_tx *ba, bool tell)
{
	struct mac80211 *mac = ba->mac;
	struct sim *sim = mac->obj.sim;

	if (mac->lazy)
		lazy_end(mac->lazy);
	event_cancel(sim, &ba->response_timer);
	event_cancel(sim, &ba->session_timer);
	ba->state = BA_IDLE;
	ba->bar_failed = false;
	set_session(ba, false, 0, false);
	mac->ops->ampdu(mac->drv, ba->tid, AMPDU_STOP, NULL);
	splice(ba);
	if (tell) {
		mac->delba_sent++;
		mac_send_mgmt(mac, sta_of_soft(ba->tid->sta),
			      &(struct softmac_mgmt){.kind = MGMT_DELBA,
						     .tid = ba->tid->tid,
						     .initiator = true,
						     .reason = REASON_NOT_USED});
	}
}

static void response_timeout(struct sim *sim, struct event *ev)
{
	tx_stop(container_of(ev, struct ba_tx, response_timer), true);
}

static void tx_session_timeout(struct sim *sim, struct event *ev)
{
	struct ba_tx *ba = container_of(ev, struct ba_tx, session_timer);
	sim_time due;

	mac_catch_up(ba->mac);
	due = ba->last_tx + ba->timeout * TU;
	if (sim->now < due)
		event_schedule(sim, &ba->session_timer, due);
	else
		tx_stop(ba, true);
}

static bool may_ask(const struct ba_tx *ba)
{
	const struct mac80211 *mac = ba->mac;

	if (ba->requests > MAX_REQUESTS)
		return false;
	return ba->requests <= BURST_REQUESTS ||
	       jiffies_at(mac->hz, mac->obj.sim->now) >= ba->last_request + PERIOD(mac->hz);
}

void ba_tx_start(struct mac80211 *mac, struct sta *sta, u8 tid)
{
	struct ba_tx *ba = &sta->ba_tx[tid];
	const struct mac80211_params *par = mac_params(mac);
	int64_t timeout = par->ba_timeout;

	if (ba->state != BA_IDLE || !mac->ops->ampdu || !par->ampdu || !sta->soft.caps.ampdu ||
	    ba->tid->ac == AC_VO || !may_ask(ba))
		return;
	if (timeout == PARAM_UNSET)
		timeout = mac->era < ERA_NO_TIMEOUT ? OLD_TIMEOUT : 0;
	ba->state = BA_REQUESTED;
	ba->dialog = ++sta->dialog;
	if (mac->pulls)
		pull_hold(mac, ba->tid, true);
	ba->start = sta->next_seq[tid] & SEQ_MASK;
	mac->ops->ampdu(mac->drv, ba->tid, AMPDU_START, &ba->start);
	ba->requests++;
	ba->last_request = jiffies_at(mac->hz, mac->obj.sim->now);
	event_schedule(mac->obj.sim, &ba->response_timer, timer_at(mac, RESPONSE_TICKS(mac->hz)));
	mac->addba_sent++;
	mac_send_mgmt(mac, sta,
		      &(struct softmac_mgmt){.kind = MGMT_ADDBA_REQUEST,
					     .dialog = ba->dialog,
					     .tid = tid,
					     .amsdu = true,
					     .start = ba->start,
					     .size = WINDOW_ASKED,
					     .timeout = (u16)timeout});
}

bool ba_tx_frame(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	struct ba_tx *ba = &sta->ba_tx[p->tid];

	switch (ba->state) {
	case BA_OPERATIONAL:
		p->mac.flags |= SOFTMAC_AMPDU;
		ba->last_tx = mac->obj.sim->now;
		return false;
	case BA_REQUESTED:
		packet_fifo_push(&ba->pending, p);
		if (ba->pending.n > PENDING_MAX) {
			mac->pending_dropped++;
			mac->pending_lost++;
			packet_free(mac->obj.sim, packet_fifo_pop(&ba->pending));
		}
		return true;
	default:
		return false;
	}
}

bool ba_stands(const struct softmac_tid *tid)
{
	return sta_of_soft(tid->sta)->ba_tx[tid->tid].state == BA_OPERATIONAL;
}

static void rx_response(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m)
{
	struct ba_tx *ba = &sta->ba_tx[m->tid];

	if (ba->state != BA_REQUESTED || m->dialog != ba->dialog)
		return;
	if (m->declined || !m->size) {
		tx_stop(ba, false);
		return;
	}
	event_cancel(mac->obj.sim, &ba->response_timer);
	ba->state = BA_OPERATIONAL;
	ba->requests = 0;
	ba->timeout = m->timeout;
	ba->last_tx = mac->obj.sim->now;
	set_session(ba, true, m->size < WINDOW_ASKED ? m->size : WINDOW_ASKED, m->amsdu);
	if (ba->timeout)
		event_schedule_in(mac->obj.sim, &ba->session_timer, ba->timeout * TU);
	mac->ops->ampdu(mac->drv, ba->tid, AMPDU_OPERATIONAL, NULL);
	splice(ba);
}

void ba_bar(struct mac80211 *mac, struct softmac_tid *tid, u16 start)
{
	mac_send_mgmt(mac, sta_of_soft(tid->sta),
		      &(struct softmac_mgmt){.kind = MGMT_BAR, .tid = tid->tid, .start = start});
}

/* A BAR that failed is sent again after the next frame of its TID that arrived. */
void ba_tx_status(struct mac80211 *mac, struct sta *sta, const struct softmac_status *st)
{
	struct ba_tx *ba;

	if (st->bar) {
		ba = &sta->ba_tx[st->bar->tid];
		if (ba->state != BA_IDLE) {
			ba->bar_failed = true;
			ba->bar_start = st->bar->start;
		}
	}
	if (st->ppdu->flags & PPDU_CONTROL)
		return;
	ba = &sta->ba_tx[st->ppdu->tid];
	if (st->acked && ba->bar_failed) {
		ba->bar_failed = false;
		ba_bar(mac, ba->tid, ba->bar_start);
	}
}

/* ---- recipient --------------------------------------------------------------------------------- */

static void rx_stop(struct ba_rx *ba, bool tell)
{
	struct mac80211 *mac = ba->mac;

	ba->active = false;
	event_cancel(mac->obj.sim, &ba->session_timer);
	reorder_clear(&ba->reorder);
	if (tell) {
		mac->delba_sent++;
		mac_send_mgmt(mac, mac->stas[ba->station],
			      &(struct softmac_mgmt){.kind = MGMT_DELBA,
						     .tid = ba->tid,
						     .reason = REASON_TIMEOUT});
	}
}

static void rx_session_timeout(struct sim *sim, struct event *ev)
{
	struct ba_rx *ba = container_of(ev, struct ba_rx, session_timer);
	sim_time due = ba->last_rx + ba->timeout * TU;

	if (sim->now < due)
		event_schedule(sim, &ba->session_timer, due);
	else
		rx_stop(ba, true);
}

void ba_forget(struct mac80211 *mac, struct sta *sta)
{
	for (u32 tid = 0; tid < TX_TIDS; tid++) {
		struct ba_tx *ba = &sta->ba_tx[tid];
		struct packet *p;

		while ((p = packet_fifo_pop(&ba->pending))) {
			mac->left_dropped++;
			mac->left_lost++;
			packet_free(mac->obj.sim, p);
		}
		if (ba->state != BA_IDLE)
			tx_stop(ba, false);
		ba->requests = 0;
		if (sta->ba_rx[tid] && sta->ba_rx[tid]->active)
			rx_stop(sta->ba_rx[tid], false);
	}
}

static struct ba_rx *rx_new(struct mac80211 *mac, struct sta *sta, u8 tid)
{
	struct ba_rx *ba = g_new0(struct ba_rx, 1);

	ba->mac = mac;
	ba->station = sta->soft.dev->station;
	ba->tid = tid;
	event_init(&ba->session_timer, rx_session_timeout, RANK_TIMER);
	ba->reorder = (struct reorder){.stat = &mac->reorder,
				       .deliver = mac_deliver,
				       .arg = mac,
				       .hz = mac->hz,
				       .old_wheel = mac->era < ERA_WHEEL};
	return ba;
}

static void rx_start(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m, u16 size)
{
	struct ba_rx *ba = sta->ba_rx[m->tid];

	if (!ba)
		ba = sta->ba_rx[m->tid] = rx_new(mac, sta, m->tid);
	ba->active = true;
	ba->dialog = m->dialog;
	ba->timeout = m->timeout;
	ba->last_rx = mac->obj.sim->now;
	ba->reorder.started = false;
	reorder_init(&ba->reorder, mac->obj.sim, m->start, size);
	if (ba->timeout)
		event_schedule_in(mac->obj.sim, &ba->session_timer, ba->timeout * TU);
}

static void rx_request(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m)
{
	const struct mac80211_params *par = mac_params(mac);
	struct ba_rx *ba = sta->ba_rx[m->tid];
	bool declined = par->addba == ADDBA_REFUSE || !mac->ht || m->size > REORDER_SLOTS;
	u16 size = m->size ? m->size : REORDER_SLOTS;

	if (par->addba == ADDBA_IGNORE)
		return;
	if (size > par->ba_window)
		size = (u16)par->ba_window;
	if (ba && ba->active && ba->dialog == m->dialog) {
		/* asked again: the session goes on as it is */
		declined = ba->timeout != m->timeout;
	} else if (!declined) {
		if (ba && ba->active)
			rx_stop(ba, false);
		rx_start(mac, sta, m, size);
	}
	mac_send_mgmt(mac, sta,
		      &(struct softmac_mgmt){.kind = MGMT_ADDBA_RESPONSE,
					     .dialog = m->dialog,
					     .tid = m->tid,
					     .declined = declined,
					     .amsdu = m->amsdu && par->amsdu_in_ampdu,
					     .size = size,
					     .timeout = m->timeout});
}

static void rx_bar(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m)
{
	struct ba_rx *ba = sta->ba_rx[m->tid];

	if (!ba || !ba->active) {
		mac->delba_sent++;
		mac_send_mgmt(mac, sta,
			      &(struct softmac_mgmt){.kind = MGMT_DELBA,
						     .tid = m->tid,
						     .reason = REASON_NO_SETUP});
		return;
	}
	ba->last_rx = mac->obj.sim->now;
	reorder_bar(&ba->reorder, m->start);
}

void ba_mgmt_rx(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	struct softmac_mgmt m = *packet_mgmt(p);

	mac->mgmt_ended++;
	packet_free(mac->obj.sim, p);
	switch (m.kind) {
	case MGMT_ADDBA_REQUEST:
		rx_request(mac, sta, &m);
		break;
	case MGMT_ADDBA_RESPONSE:
		rx_response(mac, sta, &m);
		break;
	case MGMT_DELBA:
		if (!m.initiator) {
			if (sta->ba_tx[m.tid].state != BA_IDLE)
				tx_stop(&sta->ba_tx[m.tid], false);
		} else if (sta->ba_rx[m.tid] && sta->ba_rx[m.tid]->active) {
			rx_stop(sta->ba_rx[m.tid], false);
		}
		break;
	case MGMT_NULL:
		break;
	default:
		rx_bar(mac, sta, &m);
	}
}

struct ba_rx *ba_rx_of(struct sta *sta, const struct packet *p)
{
	struct ba_rx *ba = sta->ba_rx[p->tid];

	return ba && ba->active ? ba : NULL;
}

/* ---- set-up and audit --------------------------------------------------------------------------- */

void ba_init_sta(struct mac80211 *mac, struct sta *sta)
{
	for (u32 tid = 0; tid < TX_TIDS; tid++) {
		struct ba_tx *ba = &sta->ba_tx[tid];

		ba->mac = mac;
		ba->tid = &sta->soft.tids[tid];
		event_init(&ba->response_timer, response_timeout, RANK_TIMER);
		event_init(&ba->session_timer, tx_session_timeout, RANK_TIMER);
	}
}

void ba_clear_sta(struct mac80211 *mac, struct sta *sta)
{
	struct packet *p;

	for (u32 tid = 0; tid < TX_TIDS; tid++) {
		struct ba_tx *ba = &sta->ba_tx[tid];

		while ((p = packet_fifo_pop(&ba->pending)))
			packet_free(mac->obj.sim, p);
		if (sta->ba_rx[tid])
			reorder_clear(&sta->ba_rx[tid]->reorder);
		g_free(sta->ba_rx[tid]);
	}
}

u64 ba_tx_held(const struct sta *sta)
{
	u64 n = 0;

	for (u32 tid = 0; tid < TX_TIDS; tid++)
		n += sta->ba_tx[tid].pending.n;
	return n;
}

u64 ba_rx_held(const struct sta *sta)
{
	u64 n = 0;

	for (u32 tid = 0; tid < TX_TIDS; tid++)
		for (u32 i = 0; sta->ba_rx[tid] && i < sta->ba_rx[tid]->reorder.size; i++)
			n += sta->ba_rx[tid]->reorder.slots[i].n;
	return n;
}
