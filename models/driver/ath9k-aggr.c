// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Aggregates of ath9k: how long, of which frames, and what becomes of those that were not acknowledged.
 *
 * Source: drivers/net/wireless/ath/ath9k/xmit.c of Linux 3.6 (ath_tx_form_aggr, ath_tx_complete_aggr, ath_max_4ms_framelen)
 * and 6.1 (ath_max_framelen, ath_compute_num_delims).
 */
#include "driver/ath9k.h"

#include "wifi/airtime.h"
#include "wifi/seq.h"

#define USEC_MAX	   4096 /* of an aggregate */
#define BYTES_MAX	   65532u
#define SUBFRAMES_OLD	   32u /* ATH_AMPDU_SUBFRAME_DEFAULT */
#define MIN_LENGTH	   256u /* ATH_AGGR_MINPLEN */
#define ENCRYPT_DELIMITERS 10u
#define RETRIES_OLD	   10u /* ATH_MAX_SW_RETRIES of 3.6 */
#define RETRIES		   30u
#define ERA_RETRIES	   30800 /* raised in 3.8 */

bool ath9k_in_window(const struct ath9k_tid *t, u16 seq)
{
	return seq_sub(seq, t->start) < t->size;
}

void ath9k_window_add(struct ath9k *d, struct ath9k_tid *t, u16 seq)
{
	u16 offset = seq_sub(seq, t->start);

	SIM_CHECK(d->obj.sim, &d->obj, offset < t->size,
		  "sequence number %u is outside of the block-ack window at %u", seq, t->start);
	t->open |= 1ULL << offset;
	if (offset >= t->span)
		t->span = offset + 1;
}

void ath9k_window_done(struct ath9k_tid *t, u16 seq)
{
	u16 offset = seq_sub(seq, t->start);

	if (offset >= WIFI_MPDUS || !(t->open >> offset & 1))
		return;
	t->open &= ~(1ULL << offset);
	/* The window moves to the oldest that is open, or behind the last that was sent. */
	offset = t->open ? (u16)__builtin_ctzll(t->open) : t->span;
	t->open = t->open ? t->open >> offset : 0;
	t->start = seq_add(t->start, offset);
	t->span -= offset;
	if (t->bar >= 0)
		t->bar -= offset;
}

bool ath9k_expire(struct ath9k *d, struct ath9k_tid *t, struct packet *p)
{
	u16 seq = p->mac.seq;

	if (!wifi_expired(d->dev, t->tid->ac, p, d->obj.sim->now))
		return false;
	ath9k_window_add(d, t, seq);
	ath9k_window_done(t, seq);
	ath9k_frame_drop(d, t->tid->ac, p, DROP_LIFETIME);
	t->hole = true;
	t->hole_seq = seq;
	return true;
}

void ath9k_tell_hole(struct ath9k *d, struct ath9k_tid *t)
{
	if (!t->hole || !seq_less(t->hole_seq, t->start))
		return;
	t->hole = false;
	d->up->bar(d->up_arg, t->tid, t->start);
}

/* 4 ms of a rate, or the TXOP, in bytes. */
static u32 limit_of_rate(const struct ath9k *d, wifi_rate r, u32 usec)
{
	u32 nss = RATE_NSS(r), ndbps = wifi_ndbps(r), symbols, bytes;

	if (d->era < ERA_RETRIES) {
		/* the preamble's microseconds are taken off the bytes */
		symbols = RATE_SGI(r) ? (usec * 5 - 4) / 18 : usec / 4;
		bytes = (symbols * ndbps - 22) / 8 - (32 + 4 * nss);
	} else {
		usec -= 32 + 4 * nss;
		symbols = RATE_SGI(r) ? (usec * 5 - 4) / 18 : usec / 4;
		bytes = (symbols * ndbps - 22) / 8;
	}
	return bytes < BYTES_MAX ? bytes : BYTES_MAX;
}

u32 ath9k_aggr_limit(const struct ath9k *d, const struct ath9k_tid *t, const struct wifi_ppdu *ppdu)
{
	u32 usec = (u32)(wifi_txop(d->dev, t->tid->ac) / SIM_US), limit = BYTES_MAX + 3, bytes;

	if (!usec || usec > USEC_MAX || d->era < ERA_RETRIES)
		usec = USEC_MAX;
	for (u32 i = 0; i < ppdu->n_steps; i++) {
		if (RATE_LEGACY(ppdu->steps[i].rate))
			return 0;
		bytes = limit_of_rate(d, ppdu->steps[i].rate, usec);
		limit = bytes < limit ? bytes : limit;
	}
	return limit < t->tid->sta->caps.ampdu ? limit : t->tid->sta->caps.ampdu;
}

u32 ath9k_delimiters(const struct ath9k *d, const struct ath9k_tid *t, const struct wifi_ppdu *ppdu,
		     u32 len)
{
	u32 n = len < MIN_LENGTH ? (MIN_LENGTH - len + WIFI_DELIMITER - 1) / WIFI_DELIMITER : 0;
	u32 density = t->tid->sta->caps.density, symbols, least;
	wifi_rate r = ppdu->steps[0].rate;

	if (wifi_encrypted(d->dev) && !ath9k_params(d)->edma)
		n += ENCRYPT_DELIMITERS;
	if (!density)
		return n;
	symbols = (u32)(RATE_SGI(r) ? density / 3600 : density / 4000);
	least = (symbols ? symbols : 1) * wifi_ndbps(r) / 8;
	if (len < least && (least - len) / WIFI_DELIMITER > n)
		n = (least - len) / WIFI_DELIMITER;
	return n;
}

struct wifi_ppdu *ath9k_form(struct ath9k *d, struct ath9k_tid *t, struct packet *p,
			     ath9k_next next, void (*back)(struct ath9k_tid *t, struct packet *p))
{
	struct wifi_ppdu *ppdu = softmac_single(d->dev, p);
	u32 limit = ath9k_aggr_limit(d, t, ppdu), half = t->size / 2u;
	u32 first = ppdu->bytes, al = WIFI_DELIMITER + first, pad;
	bool aggregate, probe = p->mac.flags & SOFTMAC_PROBE;

	if (d->era < ERA_RETRIES && half > SUBFRAMES_OLD)
		half = SUBFRAMES_OLD;
	pad = (4 - al % 4) % 4 + WIFI_DELIMITER * ath9k_delimiters(d, t, ppdu, first);
	while (!probe && (p = next(d, t, &aggregate))) {
		u32 bytes = softmac_bytes(d->dev, p), delta = WIFI_DELIMITER + bytes;

		if (limit < al + pad + delta || ppdu->n >= half || !aggregate ||
		    p->mac.flags & SOFTMAC_PROBE) {
			back(t, p);
			break;
		}
		al += pad + delta;
		pad = (4 - delta % 4) % 4 + WIFI_DELIMITER * ath9k_delimiters(d, t, ppdu, bytes);
		wifi_ppdu_add(ppdu, p, bytes, p->mac.seq, p->mac.retries ? MPDU_RETRY : 0,
			      packet_driver(p)->since);
	}
	if (ppdu->n > 1) {
		ppdu->flags |= PPDU_BLOCK_ACK;
		ppdu->bytes = al;
	}
	return ppdu;
}

/* A frame that was not acknowledged: true if it may be sent again. */
static bool retry(const struct ath9k *d, struct packet *p, u32 attempts)
{
	u32 n;

	if (d->era < ERA_RETRIES) {
		if (p->mac.retries >= RETRIES_OLD)
			return false;
		p->mac.retries++;
		return true;
	}
	if (p->mac.retries >= RETRIES)
		return false;
	n = p->mac.retries + attempts;
	p->mac.retries = (u8)(n < UINT8_MAX ? n : UINT8_MAX);
	return true;
}

void ath9k_complete(struct ath9k *d, struct ath9k_tid *t, struct wifi_ppdu *ppdu)
{
	u32 ac = ppdu->ac;
	u16 first = t->start;
	struct packet_fifo again = {0};
	s32 bar = -1;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];
		struct packet *p = m->p;
		bool current = t->active && ath9k_in_window(t, m->seq);

		if (m->flags & MPDU_ACKED) {
			ath9k_window_done(t, m->seq);
			d->packets++;
			ath9k_frame_done(d, ac, m->len, m->since);
			wifi_mpdu_end(d->dev, m);
			continue;
		}
		d->returned++;
		if (current && retry(d, p, ppdu->attempts)) {
			packet_fifo_push(&again, p);
			continue;
		}
		if (current) {
			s32 offset = seq_sub(m->seq, first);

			bar = offset > bar ? offset : bar;
		}
		ath9k_window_done(t, m->seq);
		ath9k_frame_drop(d, ac, p, DROP_RETRY_LIMIT);
	}
	if (again.n)
		ath9k_requeue(d, t, &again);
	if (bar >= 0) {
		u16 seq = seq_add(first, (u32)bar);

		if (ath9k_in_window(t, seq))
			t->bar = seq_sub(seq, t->start);
		d->up->bar(d->up_arg, t->tid, seq_add(seq, 1));
	}
	ath9k_tell_hole(d, t);
}
