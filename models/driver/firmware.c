// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/firmware.h"

#include <stdlib.h>
#include <string.h>

#include "wifi/airtime.h"
#include "wifi/seq.h"

/* Most queues of a card are never used: places are made with the first number. */
static struct fw_mpdu *place(struct fw_queue *q, u16 seq)
{
	if (__builtin_expect(!q->mpdus, 0)) {
		q->mpdus = calloc(WIFI_MPDUS, sizeof(*q->mpdus));
		if (!q->mpdus)
			abort();
	}
	return &q->mpdus[seq % WIFI_MPDUS];
}

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

static void finish_mpdu(struct fw_queue *q, struct fw_mpdu *m, struct wifi_mpdu *w,
			struct packet *lost, enum fw_cause cause)
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

/* The window moves to the oldest MPDU that is open. */
static void move_window(struct fw_queue *q)
{
	if (!q->open)
		q->start = q->next_seq;
	while (q->start != q->next_seq && !place(q, q->start)->open)
		q->start = seq_add(q->start, 1);
}

/* The oldest packet that was never sent is lost. */
static void drop_fresh(struct fw_queue *q, enum fw_cause cause)
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

/* Fresh packets at the head that are too old go before they have a number. */
static void drop_old_fresh(struct fw_queue *q)
{
	struct fw *fw = q->fw;

	while (q->fresh.n &&
	       wifi_expired(fw->dev, q->tid->ac, packet_row_head(&q->fresh), fw->obj->sim->now))
		drop_fresh(q, FW_LIFETIME);
}

/* An MPDU that is to be sent again, but is too old. */
static bool drop_old(struct fw_queue *q, struct fw_mpdu *m, u16 seq)
{
	struct wifi_mpdu none = {0};

	if (!wifi_mpdu_expired(q->fw->dev, q->tid->ac, m->p))
		return false;
	finish_mpdu(q, m, &none, m->p, FW_LIFETIME);
	if (q->tid->ampdu) {
		q->hole = true;
		q->hole_seq = seq;
	}
	return true;
}

/* Once nothing before what was given up for its age is open, the receiver is told not to wait for it. */
static void tell_hole(struct fw_queue *q)
{
	if (!q->hole || !seq_less(q->hole_seq, q->start))
		return;
	q->hole = false;
	if (q->fw->hole && q->tid->ampdu)
		q->fw->hole(q->fw, q, q->start);
}

/* ---- aggregates ----------------------------------------------------------------------------------- */

static u32 padded(u32 bytes)
{
	return (bytes + 3) & ~3u;
}

/* One subframe of an A-MSDU. */
static u32 subframe(const struct packet *p)
{
	return WIFI_AMSDU_HEAD + WIFI_SNAP + packet_ip_len(p);
}

static u32 amsdu_limit(const struct fw *fw, const struct softmac_sta *sta, bool session)
{
	u32 limit = fw->rules.amsdu_bytes < sta->caps.amsdu ? fw->rules.amsdu_bytes
							    : sta->caps.amsdu;
	u32 overhead = wifi_frame(fw->dev, 0) - WIFI_SNAP;

	if (session && limit + overhead > sta->caps.mpdu)
		limit = sta->caps.mpdu - overhead;
	return limit;
}

/* The next fresh packets become an MPDU with a number; @frame: bytes of one beside its IP packet. */
static struct fw_mpdu *open_mpdu(struct fw_queue *q, u32 frame, bool amsdus)
{
	struct fw *fw = q->fw;
	struct packet *p = packet_row_pop(&q->fresh), *last = p;
	struct fw_mpdu *m = place(q, q->next_seq);
	u32 limit, body;

	*m = (struct fw_mpdu){.p = p,
			      .since = packet_driver(p)->since,
			      .bytes = frame + packet_ip_len(p),
			      .len = (u16)p->skb.len,
			      .charged = p->mac.airtime,
			      .n = 1,
			      .open = true};
	p->skb.next = NULL;
	q->next_seq = seq_add(q->next_seq, 1);
	q->open++;
	if (!amsdus)
		return m;
	limit = amsdu_limit(fw, q->tid->sta, q->tid->ampdu);
	body = subframe(p);
	while (q->fresh.n && m->n < fw->rules.amsdu_frames &&
	       padded(body) + subframe(packet_row_head(&q->fresh)) <= limit) {
		p = packet_row_pop(&q->fresh);
		body = padded(body) + subframe(p);
		last->skb.next = &p->skb;
		p->skb.next = NULL;
		last = p;
		m->n++;
		m->charged += p->mac.airtime;
		m->len += (u16)p->skb.len;
		m->bytes = frame - WIFI_SNAP + body;
	}
	return m;
}

/* Whether a number may be sent: the transmitter's own window, or the receiver's. */
static bool in_window(const struct fw_queue *q, u16 seq)
{
	bool all = q->fw->rules.any_window || !q->tid->ampdu;
	u16 size = all ? WIFI_MPDUS : q->tid->window;

	return seq_sub(seq, q->start) < size;
}

struct build {
	struct wifi_ppdu *ppdu;
	u32 limit; /* bytes */
	u32 least; /* bytes from one MPDU's start to the next (density), padded */
	u32 bytes; /* up to the end of the last MPDU */
	u32 next; /* where another one would start */
	u32 frame; /* bytes of an MPDU beside its IP packet */
	u32 packets;
	bool amsdus; /* packets may share an MPDU */
};

static bool fits(const struct build *b, u32 bytes)
{
	return !b->ppdu->n || b->next + WIFI_DELIMITER + bytes <= b->limit;
}

static void add(struct build *b, struct fw_mpdu *m, u16 seq)
{
	u32 bytes = WIFI_DELIMITER + m->bytes;

	b->bytes = b->next + bytes;
	b->next += padded(bytes) < b->least ? b->least : padded(bytes);
	b->packets += m->n;
	wifi_ppdu_add_amsdu(b->ppdu, m->p, m->n, m->len, m->bytes, seq, m->sent ? MPDU_RETRY : 0,
			    m->since);
	m->p = NULL;
}

static void init_build(struct build *b, struct fw_queue *q, struct wifi_ppdu *ppdu)
{
	const struct fw *fw = q->fw;
	const struct softmac_sta *sta = q->tid->sta;
	wifi_rate r = ppdu->steps[0].rate;
	sim_time time = fw->rules.time < WIFI_PPDU_MAX ? fw->rules.time : WIFI_PPDU_MAX;
	sim_time txop = wifi_txop(fw->dev, q->tid->ac);

	if (txop && txop < time)
		time = txop;
	memset(b, 0, sizeof(*b));
	b->ppdu = ppdu;
	b->limit = wifi_psdu_limit(wifi_phy(fw->dev), r, time);
	if (b->limit > sta->caps.ampdu)
		b->limit = sta->caps.ampdu;
	if (RATE_LEGACY(r)) /* no second one fits */
		b->limit = 0;
	if (sta->caps.density)
		b->least = padded((u32)((u64)wifi_bps(r) * sta->caps.density / 8 / SIM_SEC));
	b->frame = wifi_frame(fw->dev, 0);
	b->amsdus = fw->rules.amsdu_frames > 1 && sta->caps.ht && (!q->tid->ampdu || q->tid->amsdu);
}

static void shuffle(struct fw *fw, struct wifi_ppdu *ppdu)
{
	for (u32 i = ppdu->n; i > 1; i--) {
		u32 k = draw_next_below(&fw->draw, i);
		struct wifi_mpdu m = ppdu->mpdus[i - 1];

		ppdu->mpdus[i - 1] = ppdu->mpdus[k];
		ppdu->mpdus[k] = m;
	}
}

/* Repeats behind the others, each in its order. */
static void retries_last(struct wifi_ppdu *ppdu)
{
	struct wifi_mpdu repeats[WIFI_MPDUS];
	u32 n = 0, kept = 0;

	for (u32 i = 0; i < ppdu->n; i++) {
		if (ppdu->mpdus[i].flags & MPDU_RETRY)
			repeats[n++] = ppdu->mpdus[i];
		else
			ppdu->mpdus[kept++] = ppdu->mpdus[i];
	}
	memcpy(&ppdu->mpdus[kept], repeats, n * sizeof(repeats[0]));
}

/* A tired MPDU goes alone, and is sent before others. */
static bool alone(const struct fw_queue *q, const struct fw_mpdu *m)
{
	return q->fw->rules.alone_after && m->tries >= q->fw->rules.alone_after;
}

/* Open MPDUs of a session, which have no lifetime and are not sent alone. False: the aggregate is complete. */
static bool repeat_plain(struct fw_queue *q, struct build *b)
{
	struct fw_mpdu *places = place(q, q->start) - q->start % WIFI_MPDUS;
	struct wifi_ppdu *ppdu = b->ppdu;
	u32 frames = q->fw->rules.frames, next = b->next, left = q->open;

	for (u16 seq = q->start; left && ppdu->n < frames; seq = seq_add(seq, 1)) {
		struct fw_mpdu *m = &places[seq % WIFI_MPDUS];
		u32 bytes = WIFI_DELIMITER + m->bytes;

		if (!m->open)
			continue;
		if (next + bytes > b->limit && ppdu->n)
			return false;
		left--;
		ppdu->mpdus[ppdu->n++] = (struct wifi_mpdu){.p = m->p,
							    .since = m->since,
							    .bytes = (u16)m->bytes,
							    .len = m->len,
							    .seq = seq,
							    .flags = m->sent ? MPDU_RETRY : 0,
							    .n = m->n};
		m->p = NULL;
		b->packets += m->n;
		b->bytes = next + bytes;
		next += padded(bytes) < b->least ? b->least : padded(bytes);
	}
	b->next = next;
	return true;
}

/* Frames that there are, and that aggregate and window have room for. */
static u32 fresh_room(const struct fw_queue *q, const struct wifi_ppdu *ppdu)
{
	u32 n = q->fw->rules.frames - ppdu->n, used = seq_sub(q->next_seq, q->start),
	    window = q->fw->rules.any_window ? WIFI_MPDUS : q->tid->window;

	if (used + n > window)
		n = used < window ? window - used : 0;
	return n < q->fresh.n ? n : q->fresh.n;
}

/* Fresh packets of a session that each are an MPDU and have no lifetime: what is the same for all is looked up once. */
static void fill_plain(struct fw_queue *q, struct build *b)
{
	struct wifi_mpdu *mpdus = &b->ppdu->mpdus[b->ppdu->n];
	struct fw_mpdu *places = place(q, q->next_seq) - q->next_seq % WIFI_MPDUS;
	u32 room = fresh_room(q, b->ppdu), first = q->next_seq, next = b->next, least = b->least;
	/* what does not fit is the next aggregate's; alone it may be longer */
	u32 limit = b->limit, frame = b->frame - ETH_HLEN, bytes = 0, i;

	for (i = 0; i < room; i++) {
		struct packet *p = packet_row_at(&q->fresh, i);
		struct softmac_cb *cb = packet_driver(p);
		u16 len = (u16)p->skb.len, seq = seq_add(first, i);

		bytes = WIFI_DELIMITER + frame + p->skb.len;
		if (next + bytes > limit && (i || b->ppdu->n))
			break;
		packet_row_fetch(&q->fresh, i + PACKET_ROW_AHEAD);
		places[seq % WIFI_MPDUS] = (struct fw_mpdu){.since = cb->since,
							    .bytes = bytes - WIFI_DELIMITER,
							    .charged = p->mac.airtime,
							    .len = len,
							    .n = 1,
							    .open = true};
		mpdus[i] = (struct wifi_mpdu){.p = p,
					      .since = cb->since,
					      .bytes = (u16)(bytes - WIFI_DELIMITER),
					      .len = len,
					      .seq = seq,
					      .n = 1};
		b->bytes = next + bytes;
		next += padded(bytes) < least ? least : padded(bytes);
	}
	b->next = next;
	b->packets += i;
	b->ppdu->n += i;
	q->next_seq = seq_add(first, i);
	q->open += i;
	q->fresh.first += i;
	q->fresh.n -= i;
}

/* Open MPDUs of whatever kind. False: the aggregate is complete. */
static bool repeat_any(struct fw_queue *q, struct build *b)
{
	for (u16 seq = q->start; seq != q->next_seq && b->ppdu->n < q->fw->rules.frames;
	     seq = seq_add(seq, 1)) {
		struct fw_mpdu *m = place(q, seq);

		if (!m->open || (q->fw->dev->lifetime[q->tid->ac] && drop_old(q, m, seq)))
			continue;
		if ((b->ppdu->n && alone(q, m)) || !fits(b, m->bytes))
			return false;
		add(b, m, seq);
		if (alone(q, m) || !q->tid->ampdu)
			return false;
	}
	return true;
}

/* Fills @b with MPDUs that were sent before, then with fresh ones. */
static void fill(struct fw_queue *q, struct build *b)
{
	const struct fw_rules *rules = &q->fw->rules;
	bool plain = q->tid->ampdu && !q->fw->dev->lifetime[q->tid->ac];

	if (q->open && !(plain && !rules->alone_after ? repeat_plain(q, b) : repeat_any(q, b)))
		return;
	packet_row_begin(&q->fresh);
	if (plain && !b->amsdus) {
		fill_plain(q, b);
		return;
	}
	while (b->ppdu->n < rules->frames && in_window(q, q->next_seq)) {
		u16 seq = q->next_seq;
		struct fw_mpdu *m;

		drop_old_fresh(q);
		if (!q->fresh.n || !fits(b, b->frame + packet_ip_len(packet_row_head(&q->fresh))))
			return;
		m = open_mpdu(q, b->frame, b->amsdus);
		/* As an A-MSDU it is too long: it has its number, and is next. */
		if (!fits(b, m->bytes))
			return;
		add(b, m, seq);
		if (!q->tid->ampdu)
			return;
	}
}

static struct wifi_ppdu *build(struct fw_queue *q)
{
	struct fw *fw = q->fw;
	struct softmac_sta *sta = q->tid->sta;
	struct wifi_ppdu *ppdu = wifi_ppdu_new(fw->dev);
	struct build b;

	ppdu->to = sta->dev;
	ppdu->cookie = sta;
	ppdu->tid = q->tid->tid;
	ppdu->n_steps = 1;
	ppdu->steps[0] = sta->steps[0];
	init_build(&b, q, ppdu);
	fill(q, &b);
	fw->taken += b.packets;
	move_window(q);
	tell_hole(q);
	if (!ppdu->n) {
		wifi_ppdu_free(fw->dev, ppdu);
		return NULL;
	}
	if (q->tid->ampdu)
		ppdu->flags |= PPDU_SESSION;
	if (ppdu->n == 1) {
		ppdu->steps[0].tries = (u8)fw->rules.retry_limit;
		ppdu->bytes = ppdu->mpdus[0].bytes;
		if (RATE_MODE(ppdu->steps[0].rate) == WIFI_VHT)
			ppdu->bytes += WIFI_DELIMITER;
		return ppdu;
	}
	/* An aggregate that gets no answer is built anew, of what is there then. */
	ppdu->flags |= PPDU_BLOCK_ACK | PPDU_GOES_ON;
	ppdu->steps[0].tries = 1;
	ppdu->bytes = b.bytes;
	if (fw->rules.order == FW_SHUFFLED)
		shuffle(fw, ppdu);
	else if (fw->rules.order == FW_RETRIES_LAST)
		retries_last(ppdu);
	return ppdu;
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
		ppdu = build(q);
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
		struct fw_mpdu *m = place(q, w->seq);

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
		struct fw_mpdu *m = place(q, w->seq);

		if (w->flags & MPDU_ACKED) {
			finish_mpdu(q, m, w, NULL, FW_RETRY_LIMIT);
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
		finish_mpdu(q, m, w, w->p, FW_RETRY_LIMIT);
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
	move_window(q);
	if (has_work(q))
		list_queue(q);
	if (gap >= 0 && fw->gap)
		fw->gap(fw, q, seq_add(start, (u32)gap + 1));
	tell_hole(q);
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
		struct fw_mpdu *m = place(q, seq);

		if (m->open && m->p)
			finish_mpdu(q, m, &none, m->p, FW_FLUSHED);
	}
	move_window(q);
	while (q->fresh.n)
		drop_fresh(q, FW_FLUSHED);
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
