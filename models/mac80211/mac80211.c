// SPDX-License-Identifier: GPL-3.0-or-later
/* The way of a frame, down and up. */
#include "mac80211/internal.h"

#include "mac80211/rate-control.h"
#include "wifi/seq.h"

#define SLOW_STATION_KBIT 6000 /* STA_SLOW_THRESHOLD, shared by all stations */

#define PRIORITY_MGMT 7 /* skb.priority of frames of our own */

/* 802.1D user priority to access category (IEEE 802.11-2020 table 10-1). */
const u8 up_to_ac[8] = {AC_BE, AC_BK, AC_BK, AC_BE, AC_VI, AC_VI, AC_VO, AC_VO};

/* User priority of an IP packet: the precedence bits (cfg80211_classify8021d()). */
static u8 user_priority(const struct packet *p)
{
	return p->skb.tos >> 5;
}

u32 mac_select_queue(void *down, struct packet *p)
{
	struct mac80211 *mac = down;

	/* Without QoS frames there is one category. skb.priority stays: qdiscs look at it. */
	p->tid = mac->qos ? user_priority(p) : 0;
	p->ac = mac->qos ? up_to_ac[p->tid] : AC_BE;
	if (mac->pulls)
		return 0;
	return mac->queue_by_ac ? p->ac : mac->ops->queue_of(mac->drv, p);
}

/* ---- down ------------------------------------------------------------------------------------- */

/* Who receives what is for interface @id never changes. */
static struct sta *sta_of(struct mac80211 *mac, u16 id)
{
	struct wifi_dev *to;

	if (mac->last_sta && id == mac->last_dst)
		return mac->last_sta;
	to = wifi_receiver(mac->dev, id);
	if (!to || to == mac->dev)
		return NULL;
	mac->last_dst = id;
	mac->last_sta = mac->stas[to->station];
	return mac->last_sta;
}

void mac_rate(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	/* it may have been asked about before, by a driver that had no room */
	p->mac.flags &= (u8) ~(SOFTMAC_PROBE | SOFTMAC_CHAIN | MAC_ON_SCOREBOARD);
	if (mac->rc_ops->get_rate)
		mac->rc_ops->get_rate(mac->rc, &sta->soft, p);
}

/* A station of low throughput gets a CoDel that leaves it longer queues (sta_info.c). */
void mac_rates_updated(void *arg, struct softmac_sta *soft, u32 kbit)
{
	struct mac80211 *mac = arg;

	container_of(soft, struct sta, soft)->slow = kbit &&
						     kbit < SLOW_STATION_KBIT * mac->n_peers;
}

void mac_aggregate(void *arg, struct softmac_sta *soft, u8 tid)
{
	struct mac80211 *mac = arg;

	if (mac->qos)
		ba_tx_start(mac, container_of(soft, struct sta, soft), tid);
}

static bool is_null(const struct packet *p)
{
	return p->proto == PROTO_WIFI_MGMT && packet_mgmt(p)->kind == MGMT_NULL;
}

void mac_expire(struct mac80211 *mac, struct packet *p)
{
	mac->expired++;
	mac->expired_lost++;
	packet_free(mac->obj.sim, p);
}

/* To the driver, with a number taken from *@next. */
static inline void give(struct mac80211 *mac, u32 queue, struct packet *p, u16 *next)
{
	switch (mac->ops->driver.down.xmit(mac->drv, queue, p)) {
	case XMIT_BUSY: /* it stays first, and its number is free */
		(*next)--;
		packet_fifo_push_front(&mac->pending[queue], p);
		mac->stopped[queue] = true;
		return;
	case XMIT_OK_STOP:
		mac->stopped[queue] = true;
		break;
	default:
		break;
	}
	mac->given++;
}

void mac_give(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	u32 queue = mac->ops->queue_of(mac->drv, p);
	bool data = p->proto != PROTO_WIFI_MGMT;
	u16 *next;

	packet_set_sta(p, &sta->soft);
	p->mac.retries = 0;
	if (sta->soft.gone) {
		mac->left_dropped++;
		mac->left_lost++;
		packet_free(mac->obj.sim, p);
		return;
	}
	if (sta->soft.asleep) {
		ps_buffer(mac, sta, p);
		return;
	}
	if (mac->stopped[queue] || (mac->away.off && !is_null(p))) {
		packet_fifo_push(&mac->pending[queue], p);
		return;
	}
	if (data && wifi_expired(mac->dev, p->ac, p, mac->obj.sim->now)) {
		mac_expire(mac, p);
		return;
	}
	if (data && mac->qos && ba_tx_frame(mac, sta, p))
		return;
	next = data && mac->qos ? &sta->next_seq[p->tid] : &mac->next_seq;
	p->mac.seq = (*next)++ & SEQ_MASK;
	if (data) {
		mac_rate(mac, sta, p);
		cipher_tx(mac, p);
	}
	give(mac, queue, p, next);
}

/* A data frame of a session that stands, on an open way: of what mac_give() asks, nothing holds it up. */
static bool goes_straight(const struct mac80211 *mac, const struct sta *sta, u32 queue,
			  const struct packet *p)
{
	return mac->plain && !mac->away.saves && !mac->away.off && !mac->stopped[queue] &&
	       !sta->soft.gone && !sta->soft.asleep && !mac->dev->lifetime[p->ac] &&
	       sta->ba_tx[p->tid].state == BA_OPERATIONAL;
}

static enum xmit_result xmit_straight(struct mac80211 *mac, struct sta *sta, u32 queue,
				      struct packet *p)
{
	u16 *next = &sta->next_seq[p->tid];
	sim_time now = mac->obj.sim->now;

	mac->tx++;
	mac->last = &sta->soft.tids[p->tid];
	*wifi_entered(p) = now;
	sta->ba_tx[p->tid].last_tx = now;
	packet_set_sta(p, &sta->soft);
	p->mac.seq = (*next)++ & SEQ_MASK;
	p->mac.retries = 0;
	p->mac.flags = SOFTMAC_AMPDU;
	give(mac, queue, p, next);
	mac->told[queue] = mac->stopped[queue];
	return mac->told[queue] ? XMIT_OK_STOP : XMIT_OK;
}

static __attribute__((noinline)) enum xmit_result xmit_any(struct mac80211 *mac, u32 queue,
							   struct packet *p)
{
	struct sta *sta = sta_of(mac, p->l2_dst);
	u8 tid = p->tid;

	if (mac->away.off && !mac->pulls) {
		mac->told[queue] = true;
		return XMIT_BUSY;
	}
	mac->tx++;
	if (!sta || sta->soft.gone) {
		mac->no_station++;
		mac->left_lost++;
		packet_free(mac->obj.sim, p);
		return XMIT_DROP;
	}
	mac->last = &sta->soft.tids[tid];
	p->mac.flags = 0;
	*wifi_entered(p) = mac->obj.sim->now;
	if (mac->away.saves)
		away_active(mac);
	if (sta->soft.asleep) {
		ps_buffer(mac, sta, p);
		return XMIT_OK;
	}
	if (mac->pulls) {
		if (!mac->rc_triggers)
			ba_tx_start(mac, sta, tid);
		pull_queue(mac, sta, p);
		return XMIT_OK;
	}
	mac_give(mac, sta, p);
	if (mac->qos && !mac->rc_triggers)
		ba_tx_start(mac, sta, tid);
	mac->told[queue] = mac->stopped[queue] || event_pending(&mac->cipher_done);
	return mac->told[queue] ? XMIT_OK_STOP : XMIT_OK;
}

/* A station whose driver only keeps what comes; nothing on the way to it may set a timer, draw, or hold back. */
bool mac_absorbs(void *down, struct lazy *l)
{
	struct mac80211 *mac = down;

	mac->lazy = l;
	return !mac->pulls && !mac->dev->ap && !mac->ciphers && !mac->rc_ops->get_rate &&
	       mac->ops->absorbs && mac->last && (!mac->qos || ba_stands(mac->last)) &&
	       mac->ops->absorbs(mac->drv, mac->last, l);
}

enum xmit_result mac_xmit(void *down, u32 queue, struct packet *p)
{
	struct mac80211 *mac = down;
	struct sta *sta = mac->last_sta;

	if (sta && p->l2_dst == mac->last_dst && goes_straight(mac, sta, queue, p))
		return xmit_straight(mac, sta, queue, p);
	return xmit_any(mac, queue, p);
}

void mac_send_mgmt(struct mac80211 *mac, struct sta *sta, const struct softmac_mgmt *m)
{
	struct packet *p;

	mac_catch_up(mac);
	p = packet_new(mac->obj.sim);
	p->proto = PROTO_WIFI_MGMT;
	*packet_mgmt(p) = *m;
	p->skb.len = ETH_HLEN;
	p->skb.priority = PRIORITY_MGMT;
	p->tid = m->tid;
	p->ac = !mac->qos ? AC_BE : m->kind == MGMT_BAR ? up_to_ac[m->tid] : AC_VO;
	p->l2_src = mac->dev->id;
	p->l2_dst = sta->soft.dev->id;
	*wifi_entered(p) = SIM_TIME_MAX; /* lifetimes are those of MSDUs */
	mac->mgmt_made++;
	if (m->kind != MGMT_NULL)
		away_wake(mac);
	mac_give(mac, sta, p);
}

/* ---- from the driver -------------------------------------------------------------------------- */

/* A repeat of the frame before it: the sender missed our response (802.11-2020 10.3.2.14). */
static bool duplicate(const struct mac80211 *mac, struct sta *sta, const struct packet *p)
{
	bool qos = mac->qos && p->proto != PROTO_WIFI_MGMT;
	s32 *last = &sta->last_seq[qos ? p->tid : SOFTMAC_TIDS];

	/* subframes of one A-MSDU have one number; the first tells of them all */
	if (p->mac.flags & RX_AMSDU_NEXT)
		return sta->dropping;
	sta->dropping = p->mac.retries && *last == p->mac.seq;
	if (sta->dropping)
		return true;
	*last = p->mac.seq;
	return false;
}

void mac_deliver(void *arg, struct packet *p)
{
	if (!cipher_rx(arg, p))
		mac_up_packet(arg, p);
}

void mac_up_packet(struct mac80211 *mac, struct packet *p)
{
	mac->delivered++;
	mac->obj.sim->n_packets++;
	mac->up->rx(mac->up_arg, p);
}

static void mac_rx(void *up, struct packet *p)
{
	struct mac80211 *mac = up;
	struct sta *sta = mac->stas[p->mac.word];
	struct ba_rx *ba;

	mac->rx++;
	if (sta->soft.gone) {
		mac->strangers++;
		packet_free(mac->obj.sim, p);
		return;
	}
	if (mac->dev->ap)
		ps_heard(mac, sta, is_null(p) && packet_mgmt(p)->pm);
	if (duplicate(mac, sta, p)) {
		mac->duplicates++;
		packet_free(mac->obj.sim, p);
		return;
	}
	if (p->proto == PROTO_WIFI_MGMT) {
		ba_mgmt_rx(mac, sta, p);
		return;
	}
	if (mac->away.saves)
		away_active(mac);
	ba = mac->qos ? ba_rx_of(sta, p) : NULL;
	if (ba) {
		ba->last_rx = mac->obj.sim->now;
		if (reorder_rx(&ba->reorder, p))
			return;
	}
	mac_deliver(mac, p);
}

/*
 * Frames at the head of @list that are of one session, are in order and find nothing held: most often all of an aggregate. What
 * mac_rx() asks of each is asked once; to go up is all that is left for them.
 */
static void rx_in_order(struct mac80211 *mac, struct packet_fifo *list)
{
	const struct packet *first = list->head;
	struct sta *sta = mac->stas[first->mac.word];
	u64 station = first->mac.word;
	u8 tid = first->tid;
	struct packet *p, *next;
	struct ba_rx *ba;
	u32 n = 0;

	if (!mac->qos || mac->ciphers || mac->away.saves || sta->soft.gone || sta->soft.asleep ||
	    first->proto == PROTO_WIFI_MGMT)
		return;
	ba = ba_rx_of(sta, first);
	if (!ba || !reorder_empty(&ba->reorder) ||
	    (first->mac.retries && sta->last_seq[tid] == first->mac.seq))
		return;
	for (p = list->head; p; p = next) {
		if (p->mac.word != station || p->tid != tid || p->mac.flags ||
		    p->proto == PROTO_WIFI_MGMT || p->mac.seq != ba->reorder.head)
			break;
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		sta->last_seq[tid] = p->mac.seq;
		ba->reorder.head = seq_add(p->mac.seq, 1);
		n++;
		mac->up->rx(mac->up_arg, p);
	}
	if (!n)
		return;
	list->head = p;
	list->tail = p ? list->tail : NULL;
	list->n -= n;
	sta->dropping = false;
	ba->last_rx = mac->obj.sim->now;
	mac->rx += n;
	mac->delivered += n;
	mac->obj.sim->n_packets += n;
}

static void mac_rx_all(void *up, struct packet_fifo *list)
{
	struct packet *p;

	while (list->n) {
		rx_in_order(up, list);
		p = packet_fifo_pop(list);
		if (p)
			mac_rx(up, p);
	}
}

void mac_pending(struct mac80211 *mac, u32 queue)
{
	struct packet_fifo *pending = &mac->pending[queue];

	if (mac->away.off || cipher_busy(mac))
		return;
	/* What came while it was stopped goes first, in its order. */
	while (pending->n && !mac->stopped[queue]) {
		struct packet *p = packet_fifo_pop(pending);

		mac_give(mac, container_of(packet_sta(p), struct sta, soft), p);
	}
	if (!mac->stopped[queue] && mac->told[queue]) {
		mac->told[queue] = false;
		mac->up->wake(mac->up_arg, queue);
	}
}

static void mac_wake(void *up, u32 queue)
{
	struct mac80211 *mac = up;

	mac->stopped[queue] = false;
	mac_pending(mac, queue);
}

static void mac_tx_status(void *up, const struct softmac_status *st)
{
	struct mac80211 *mac = up;
	struct sta *sta = container_of(st->sta, struct sta, soft);

	sta->soft.retries += softmac_retries(st->ppdu);
	if (!(st->ppdu->flags & PPDU_CONTROL)) {
		sta->last_rate = st->ppdu->steps[st->ppdu->step].rate;
		for (u32 i = 0; i <= st->ppdu->step; i++)
			shares_add(&sta->rates, st->ppdu->steps[i].rate & ~WIFI_SHORT_PREAMBLE,
				   (u64)st->ppdu->used[i] * st->ppdu->n);
	}
	if (st->ppdu->flags & PPDU_NULL)
		away_null_done(mac, st->acked);
	if (mac->qos)
		ba_tx_status(mac, sta, st);
	if (mac->rc_ops->tx_status && !(st->ppdu->flags & PPDU_CONTROL))
		mac->rc_ops->tx_status(mac->rc, st);
}

static void mac_bar(void *up, struct softmac_tid *tid, u16 start)
{
	ba_bar(up, tid, start);
}

static void mac_done(void *up, struct softmac_tid *tid, u32 charged)
{
	pull_done(up, tid, charged);
}

const struct softmac_up mac_up = {
	.rx = mac_rx,
	.rx_all = mac_rx_all,
	.wake = mac_wake,
	.tx_status = mac_tx_status,
	.bar = mac_bar,
	.pull_start = mac_pull_start,
	.pull_next = mac_pull_next,
	.pull = mac_pull,
	.pull_return = mac_pull_return,
	.pull_again = mac_pull_again,
	.airtime = mac_airtime,
	.filtered = ps_filtered,
	.done = mac_done,
};
