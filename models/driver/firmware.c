// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/firmware-impl.h"

#include <stdlib.h>

#include "wifi/seq.h"

/* ---- turns ---------------------------------------------------------------------------------------- */

static bool has_work(const struct fw_queue *q)
{
	return q->fresh.n || q->open;
}

static void list_queue(struct fw_queue *q)
{
	struct fw *fw = q->fw;
	u32 ac = q->tid->ac;

	if (q->listed || q->tid->sta->asleep)
		return;
	q->listed = true;
	q->next = NULL;
	if (fw->turns[ac].last)
		fw->turns[ac].last->next = q;
	else
		fw->turns[ac].first = q;
	fw->turns[ac].last = q;
}

static struct fw_queue *take_turn(struct fw *fw, u32 ac)
{
	struct fw_queue *q = fw->turns[ac].first;

	if (!q)
		return NULL;
	fw->turns[ac].first = q->next;
	if (!q->next)
		fw->turns[ac].last = NULL;
	q->listed = false;
	return q;
}

void fw_queue_push(struct fw_queue *q, struct packet *p)
{
	p->skb.next = NULL;
	packet_row_push(&q->fresh, p);
	list_queue(q);
	wifi_kick(q->fw->dev, q->tid->ac);
}

void fw_control_push(struct fw *fw, struct packet *p)
{
	packet_fifo_push(&fw->control[p->ac], p);
	wifi_kick(fw->dev, p->ac);
}

/* ---- what is done ---------------------------------------------------------------------------------- */

void fw_finish_mpdu(struct fw_queue *q, struct fw_mpdu *m, struct wifi_mpdu *w, struct packet *lost,
		    enum fw_cause cause)
{
	struct fw *fw = q->fw;
	struct fw_done *done = fw->done(fw);

	m->open = false;
	q->open--;
	*done = (struct fw_done){.queue = q,
				 .n = m->n,
				 .len = m->len,
				 .charged = m->charged,
				 .ac = q->tid->ac,
				 .since = m->since,
				 .accounts = w->account,
				 .cause = cause,
				 .lost = lost};
	w->account = NULL;
}

void fw_move_window(struct fw_queue *q)
{
	if (!q->open)
		q->start = q->next_seq;
	while (q->start != q->next_seq && !fw_place(q, q->start)->open)
		q->start = seq_add(q->start, 1);
}

void fw_drop_fresh(struct fw_queue *q, enum fw_cause cause)
{
	struct packet *p = packet_row_pop(&q->fresh);

	p->skb.next = NULL;
	*q->fw->done(q->fw) = (struct fw_done){.queue = q,
					       .n = 1,
					       .len = p->skb.len,
					       .charged = p->mac.airtime,
					       .ac = q->tid->ac,
					       .since = packet_driver(p)->since,
					       .cause = cause,
					       .lost = p};
}

void fw_tell_hole(struct fw_queue *q)
{
	if (!q->hole || !seq_less(q->hole_seq, q->start))
		return;
	q->hole = false;
	if (q->fw->hole && q->tid->ampdu)
		q->fw->hole(q->fw, q, q->start);
}

struct wifi_ppdu *fw_pull(struct fw *fw, u32 ac)
{
	struct packet *p = packet_fifo_pop(&fw->control[ac]);
	struct wifi_ppdu *ppdu = NULL;
	struct fw_queue *q;

	if (p) {
		fw->taken++;
		return softmac_single(fw->dev, p);
	}
	while (!ppdu && (q = take_turn(fw, ac))) {
		if (!has_work(q) || q->tid->sta->asleep)
			continue;
		ppdu = fw_build(q);
		if (q->fresh.n || (ppdu && q->open > ppdu->n))
			list_queue(q);
	}
	/* of what was too old to be sent, the receiver is told */
	if (!ppdu && (p = packet_fifo_pop(&fw->control[ac]))) {
		fw->taken++;
		return softmac_single(fw->dev, p);
	}
	return ppdu;
}

/* ---- completion ----------------------------------------------------------------------------------- */

/* All MPDUs arrived, as most aggregates' do: those that the driver got at one instant are done as one. */
static void complete_all(struct fw_queue *q, struct wifi_ppdu *ppdu)
{
	struct fw *fw = q->fw;
	struct fw_done *done = NULL;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *w = &ppdu->mpdus[i];
		struct fw_mpdu *m = fw_place(q, w->seq);

		if (!done || m->since != done->since || w->account || done->accounts) {
			done = fw->done(fw);
			*done = (struct fw_done){.queue = q,
						 .ac = ppdu->ac,
						 .since = m->since,
						 .accounts = w->account};
			w->account = NULL;
		}
		m->open = false;
		done->n += m->n;
		done->len += m->len;
		done->charged += m->charged;
	}
	q->open -= ppdu->n;
}

/* Some did not. */
static s32 complete_each(struct fw_queue *q, struct wifi_ppdu *ppdu)
{
	struct fw *fw = q->fw;
	u32 limit = q->tid->sta->gone ? 0 : fw->rules.retry_limit, attempts = ppdu->attempts;
	bool sent = ppdu->sent > 0;
	s32 gap = -1;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *w = &ppdu->mpdus[i];
		struct fw_mpdu *m = fw_place(q, w->seq);

		if (w->flags & MPDU_ACKED) {
			fw_finish_mpdu(q, m, w, NULL, FW_RETRY_LIMIT);
			continue;
		}
		fw->given += m->n;
		m->sent |= sent;
		if (m->tries + attempts < limit) {
			m->tries += (u8)attempts;
			m->p = w->p;
			w->p = NULL;
			continue;
		}
		if (ppdu->flags & PPDU_SESSION) {
			s32 offset = seq_sub(w->seq, q->start);

			gap = offset > gap ? offset : gap;
		}
		fw_finish_mpdu(q, m, w, w->p, FW_RETRY_LIMIT);
		w->p = NULL;
	}
	return gap;
}

bool fw_status(struct fw *fw, struct wifi_ppdu *ppdu)
{
	struct softmac_sta *sta = ppdu->cookie;
	struct fw_queue *q = sta->tids[ppdu->tid].drv;
	struct wifi_mpdu *first = &ppdu->mpdus[0];
	u32 ac = ppdu->ac;
	u16 start;
	s32 gap = -1;

	if (ppdu->flags & PPDU_CONTROL) {
		bool acked = first->flags & MPDU_ACKED;

		fw->given += !acked;
		*fw->done(fw) = (struct fw_done){.n = 1,
						 .len = first->len,
						 .ac = ac,
						 .since = first->since,
						 .accounts = first->account,
						 .lost = acked ? NULL : first->p};
		return fw->control[ac].n || fw->turns[ac].first;
	}
	start = q->start;
	if (ppdu->n_acked == ppdu->n)
		complete_all(q, ppdu);
	else
		gap = complete_each(q, ppdu);
	fw_move_window(q);
	if (has_work(q))
		list_queue(q);
	if (gap >= 0 && fw->gap)
		fw->gap(fw, q, seq_add(start, (u32)gap + 1));
	fw_tell_hole(q);
	return fw->control[ac].n || fw->turns[ac].first;
}

/* ---- set-up --------------------------------------------------------------------------------------- */

void fw_init(struct fw *fw, struct object *obj, struct wifi_dev *dev)
{
	fw->obj = obj;
	fw->dev = dev;
	draw_init(&fw->draw, obj->sim->seed, obj->path, "shuffle");
}

struct fw_queue *fw_queue_new(struct fw *fw, struct softmac_tid *tid)
{
	struct fw_queue *q = calloc(1, sizeof(*q));

	if (!q)
		abort();
	q->fw = fw;
	q->tid = tid;
	q->next_all = fw->all;
	fw->all = q;
	tid->drv = q;
	return q;
}

void fw_queue_ampdu(struct fw_queue *q, enum softmac_ampdu action, u16 *start)
{
	if (action != AMPDU_START)
		return;
	*start = q->next_seq;
	q->hole = false;
}

static void free_chain(struct sim *sim, struct packet *p)
{
	struct packet *next;

	for (; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		packet_free(sim, p);
	}
}

void fw_clear(struct fw *fw)
{
	struct sim *sim = fw->obj ? fw->obj->sim : NULL;
	struct packet *p;

	for (u32 ac = 0; ac < AC_COUNT; ac++)
		while ((p = packet_fifo_pop(&fw->control[ac])))
			packet_free(sim, p);
	while (fw->all) {
		struct fw_queue *q = fw->all;

		while ((p = packet_row_pop(&q->fresh)))
			packet_free(sim, p);
		for (u32 i = 0; q->open && i < WIFI_MPDUS; i++)
			if (q->mpdus[i].open)
				free_chain(sim, q->mpdus[i].p);
		fw->all = q->next_all;
		packet_row_clear(&q->fresh);
		free(q->mpdus);
		free(q);
	}
}

/* What was waiting is done, and lost. */
static void flush_queue(struct fw_queue *q)
{
	struct wifi_mpdu none = {0};

	for (u16 seq = q->start; seq != q->next_seq; seq = seq_add(seq, 1)) {
		struct fw_mpdu *m = fw_place(q, seq);

		if (m->open && m->p)
			fw_finish_mpdu(q, m, &none, m->p, FW_FLUSHED);
	}
	fw_move_window(q);
	while (q->fresh.n)
		fw_drop_fresh(q, FW_FLUSHED);
}

void fw_forget(struct fw *fw, struct softmac_sta *sta)
{
	for (u32 i = 0; i < SOFTMAC_TIDS; i++)
		flush_queue(sta->tids[i].drv);
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		struct packet_fifo all = fw->control[ac];
		struct packet *p;

		fw->control[ac] = (struct packet_fifo){0};
		while ((p = packet_fifo_pop(&all))) {
			p->skb.next = NULL;
			if (packet_sta(p) == sta)
				*fw->done(fw) = (struct fw_done){.n = 1,
								 .len = p->skb.len,
								 .ac = ac,
								 .since = packet_driver(p)->since,
								 .cause = FW_FLUSHED,
								 .lost = p};
			else
				packet_fifo_push(&fw->control[ac], p);
		}
	}
}

bool fw_sleep(struct fw *fw, struct softmac_sta *sta, bool asleep)
{
	bool has = false;

	for (u32 i = 0; i < SOFTMAC_TIDS; i++) {
		struct fw_queue *q = sta->tids[i].drv;

		if (!has_work(q))
			continue;
		has = true;
		if (asleep)
			continue;
		list_queue(q);
		wifi_kick(fw->dev, q->tid->ac);
	}
	return has;
}

u64 fw_held(const struct fw *fw)
{
	u64 n = 0;

	for (u32 ac = 0; ac < AC_COUNT; ac++)
		n += fw->control[ac].n;
	for (const struct fw_queue *q = fw->all; q; q = q->next_all) {
		n += q->fresh.n;
		for (u32 i = 0; q->open && i < WIFI_MPDUS; i++)
			if (q->mpdus[i].open && q->mpdus[i].p)
				n += q->mpdus[i].n;
	}
	return n;
}
