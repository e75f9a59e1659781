// SPDX-License-Identifier: GPL-3.0-or-later
/* The PPDU that a queue of the card becomes: MPDUs that were sent before, then fresh packets, as many as fit. */
#include "driver/firmware-impl.h"

#include <string.h>

#include "wifi/airtime.h"
#include "wifi/seq.h"

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
	struct fw_mpdu *m = fw_place(q, q->next_seq);
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

/* Fresh packets at the head that are too old go before they have a number. */
static void drop_old_fresh(struct fw_queue *q)
{
	struct fw *fw = q->fw;

	while (q->fresh.n &&
	       wifi_expired(fw->dev, q->tid->ac, packet_row_head(&q->fresh), fw->obj->sim->now))
		fw_drop_fresh(q, FW_LIFETIME);
}

/* An MPDU that is to be sent again, but is too old. */
static bool drop_old(struct fw_queue *q, struct fw_mpdu *m, u16 seq)
{
	struct wifi_mpdu none = {0};

	if (!wifi_mpdu_expired(q->fw->dev, q->tid->ac, m->p))
		return false;
	fw_finish_mpdu(q, m, &none, m->p, FW_LIFETIME);
	if (q->tid->ampdu) {
		q->hole = true;
		q->hole_seq = seq;
	}
	return true;
}

/* A tired MPDU goes alone, and is sent before others. */
static bool alone(const struct fw_queue *q, const struct fw_mpdu *m)
{
	return q->fw->rules.alone_after && m->tries >= q->fw->rules.alone_after;
}

/* Open MPDUs of a session, which have no lifetime and are not sent alone. False: the aggregate is complete. */
static bool repeat_plain(struct fw_queue *q, struct build *b)
{
	struct fw_mpdu *places = fw_place(q, q->start) - q->start % WIFI_MPDUS;
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
	struct fw_mpdu *places = fw_place(q, q->next_seq) - q->next_seq % WIFI_MPDUS;
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
		struct fw_mpdu *m = fw_place(q, seq);

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

struct wifi_ppdu *fw_build(struct fw_queue *q)
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
	fw_move_window(q);
	fw_tell_hole(q);
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
