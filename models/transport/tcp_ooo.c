// SPDX-License-Identifier: GPL-3.0-or-later
/* The receiver's out-of-order queue as stretches without holes, and the SACK blocks that tell of it. */
#include "transport/tcp.h"

#include <stdlib.h>
#include <string.h>

#define SACKS_EXPECTED 2u /* TCP_SACK_BLOCKS_EXPECTED: more say that holes are many */
#define OOO_MIN	       16u

/* ---- D-SACK -------------------------------------------------------------------------------- */

void tcp_dsack_set(struct tcp_sock *sk, u32 seq, u32 end)
{
	if (!sk->sack_ok || !sk->par->dsack)
		return;
	sk->dsack = true;
	sk->duplicate_sack.start = seq;
	sk->duplicate_sack.end = end;
}

static void dsack_extend(struct tcp_sock *sk, u32 seq, u32 end)
{
	struct tcp_range *d = &sk->duplicate_sack;

	if (!sk->dsack) {
		tcp_dsack_set(sk, seq, end);
	} else if (!after(seq, d->end) && !after(d->start, end)) {
		if (before(seq, d->start))
			d->start = seq;
		if (after(end, d->end))
			d->end = end;
	}
}

/* ---- SACK blocks: the latest first --------------------------------------------------------- */

static bool sack_extend(struct tcp_range *r, u32 seq, u32 end)
{
	if (after(seq, r->end) || after(r->start, end))
		return false;
	if (before(seq, r->start))
		r->start = seq;
	if (after(end, r->end))
		r->end = end;
	return true;
}

static void sack_new(struct tcp_sock *sk, u32 seq, u32 end)
{
	struct tcp_range *s = sk->selective_acks;
	u32 i, n = sk->num_sacks;

	for (i = 0; i < n; i++) {
		struct tcp_range hit;

		if (!sack_extend(&s[i], seq, end))
			continue;
		if (i >= SACKS_EXPECTED)
			tcp_sack_compress_send_ack(sk);
		hit = s[i];
		memmove(s + 1, s, i * sizeof(*s));
		s[0] = hit;
		/* Grown, it may have reached others. */
		for (i = 1; i < sk->num_sacks;) {
			if (!sack_extend(&s[0], s[i].start, s[i].end)) {
				i++;
				continue;
			}
			sk->num_sacks--;
			memmove(s + i, s + i + 1, (sk->num_sacks - i) * sizeof(*s));
		}
		return;
	}
	if (n >= SACKS_EXPECTED)
		tcp_sack_compress_send_ack(sk);
	if (n == TCP_NUM_SACKS)
		n--;
	memmove(s + 1, s, n * sizeof(*s));
	s[0].start = seq;
	s[0].end = end;
	sk->num_sacks = (u8)(n + 1);
}

/* rcv_nxt has moved on. */
void tcp_sack_remove(struct tcp_sock *sk)
{
	u32 n = 0;

	if (sk->n_ooo) {
		for (u32 i = 0; i < sk->num_sacks; i++)
			if (before(sk->rcv_nxt, sk->selective_acks[i].start))
				sk->selective_acks[n++] = sk->selective_acks[i];
	}
	sk->num_sacks = (u8)n;
}

/* ---- the queue ----------------------------------------------------------------------------- */

static void ooo_delete(struct tcp_sock *sk, u32 at, u32 n)
{
	for (u32 i = at; i < at + n; i++)
		sk->rmem_alloc -= sk->ooo[i].truesize;
	memmove(sk->ooo + at, sk->ooo + at + n, (sk->n_ooo - at - n) * sizeof(*sk->ooo));
	sk->n_ooo -= n;
}

static void ooo_insert(struct tcp_sock *sk, u32 at, u32 seq, u32 end, u32 truesize)
{
	if (sk->n_ooo == sk->max_ooo) {
		sk->max_ooo = sk->max_ooo ? sk->max_ooo * 2 : OOO_MIN;
		sk->ooo = realloc(sk->ooo, sk->max_ooo * sizeof(*sk->ooo));
		if (!sk->ooo)
			abort();
	}
	memmove(sk->ooo + at + 1, sk->ooo + at, (sk->n_ooo - at) * sizeof(*sk->ooo));
	sk->ooo[at].start = seq;
	sk->ooo[at].end = end;
	sk->ooo[at].truesize = truesize;
	sk->rmem_alloc += truesize;
	sk->n_ooo++;
}

/*
 * Room for @truesize more: the buffer grows, what is queued is packed tight, and in the end the highest data are dropped
 * again. False when there is none.
 */
static bool rmem_schedule(struct tcp_sock *sk, u32 truesize)
{
	if (sk->rmem_alloc + truesize <= sk->rcvbuf)
		return true;
	tcp_clamp_window(sk);
	if (sk->rmem_alloc <= sk->rcvbuf && sk->rmem_alloc + truesize <= (u32)sk->par->rmem_max)
		return true;
	for (u32 i = 0; i < sk->n_ooo; i++) {
		u32 tight = sk->ooo[i].end - sk->ooo[i].start;

		tight += (tight / 4096 + 1) * 256;
		if (tight < sk->ooo[i].truesize) {
			sk->rmem_alloc -= sk->ooo[i].truesize - tight;
			sk->ooo[i].truesize = tight;
		}
	}
	if (sk->rmem_alloc + truesize <= sk->rcvbuf)
		return true;
	if (sk->n_ooo > 1) {
		u32 goal = sk->rcvbuf >> 3, freed = 0;

		while (sk->n_ooo > 1 && (freed < goal || sk->rmem_alloc > sk->rcvbuf)) {
			freed += sk->ooo[sk->n_ooo - 1].truesize;
			ooo_delete(sk, sk->n_ooo - 1, 1);
		}
		sk->num_sacks = 0;
	}
	return sk->rmem_alloc + truesize <= sk->rcvbuf;
}

static void grow(struct tcp_sock *sk, u32 len, u32 truesize)
{
	/* Without SACK the window stays, so that every ACK is a duplicate. */
	if (sk->sack_ok)
		tcp_grow_window(sk, len, truesize);
}

/* Joins [seq, end) with the stretches lo .. hi - 1 that it touches; what was there already is dropped. */
static void ooo_merge(struct tcp_sock *sk, u32 lo, u32 hi, u32 seq, u32 end, u32 truesize)
{
	struct tcp_ooo *r = &sk->ooo[lo];
	u32 last = sk->ooo[hi - 1].end;

	if (!before(seq, r->start) && !after(end, r->end)) {
		tcp_dsack_set(sk, seq, end);
		return;
	}
	grow(sk, end - seq, truesize);
	for (u32 i = lo; i < hi; i++) {
		u32 s = after(sk->ooo[i].start, seq) ? sk->ooo[i].start : seq;
		u32 e = before(sk->ooo[i].end, end) ? sk->ooo[i].end : end;

		if (before(s, e))
			dsack_extend(sk, s, e);
	}
	for (u32 i = lo + 1; i < hi; i++) {
		r->truesize += sk->ooo[i].truesize;
		sk->rmem_alloc += sk->ooo[i].truesize;
	}
	if (before(seq, r->start))
		r->start = seq;
	r->end = after(last, end) ? last : end;
	r->truesize += truesize;
	sk->rmem_alloc += truesize;
	ooo_delete(sk, lo + 1, hi - lo - 1);
}

void tcp_ooo_queue(struct tcp_sock *sk, u32 seq, u32 end, u32 truesize)
{
	u32 lo, hi;

	if (!rmem_schedule(sk, truesize))
		return;
	sk->ack_pending |= ACK_SCHED;
	/* lo: the first stretch that touches or follows; mostly behind the last. */
	lo = sk->n_ooo;
	while (lo && !before(sk->ooo[lo - 1].end, seq))
		lo--;
	hi = lo;
	while (hi < sk->n_ooo && !after(sk->ooo[hi].start, end))
		hi++;
	/* The window opens before the memory is counted. */
	if (lo == hi) {
		grow(sk, end - seq, truesize);
		ooo_insert(sk, lo, seq, end, truesize);
	} else {
		ooo_merge(sk, lo, hi, seq, end, truesize);
	}
	if (sk->sack_ok)
		sack_new(sk, seq, end);
}

/* Takes what has become in order off the queue, its memory to what waits to be read; the new rcv_nxt. */
u32 tcp_ooo_drain(struct tcp_sock *sk, u32 rcv_nxt)
{
	u32 n = 0;

	while (n < sk->n_ooo && !after(sk->ooo[n].start, rcv_nxt)) {
		const struct tcp_ooo *r = &sk->ooo[n++];

		sk->rmem_unread += r->truesize;
		sk->rmem_alloc += r->truesize;
		if (before(r->start, rcv_nxt))
			dsack_extend(sk, r->start, before(r->end, rcv_nxt) ? r->end : rcv_nxt);
		if (after(r->end, rcv_nxt))
			rcv_nxt = r->end;
	}
	if (n)
		ooo_delete(sk, 0, n);
	return rcv_nxt;
}
