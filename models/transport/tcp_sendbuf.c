// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The send buffer: what the writer may put in, the lengths of unsent skbs, and the ring of segments that were sent.
 */
#include "transport/tcp.h"

#include <stdlib.h>
#include <string.h>

#define RING_MIN 16u

/* ---- memory -------------------------------------------------------------------------------- */

static u32 roundup_pow2(u32 x)
{
	return x <= 1 ? 1 : 1u << (32 - __builtin_clz(x - 1));
}

/* Twice what the window needs, net/ipv4/tcp_input.c tcp_sndbuf_expand(). */
void tcp_sndbuf_expand(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	u32 mss = max_u32(sk->mss_clamp, sk->mss_cache);
	u64 mem;

	if (sk->sndbuf >= (u64)par->wmem_max)
		return;
	if (tcp_since(sk, ERA_WRITE_LIMITS)) {
		u32 segs = max_u32(max_u32(10, sk->snd_cwnd), sk->reordering + 1);
		u32 factor = 2, per_mss;

		/* Asked for with each ACK and each packet until the buffer is as large as it may be. */
		if (sk->ca_ops->sndbuf_expand)
			factor = sk->ca_ops->sndbuf_expand(sk);
		else if (segs == sk->sndbuf_segs)
			return;
		else
			sk->sndbuf_segs = sk->tcp->no_fast ? 0 : segs;
		per_mss = roundup_pow2(mss + TCP_MAX_TCP_HEADER + 320) + 256;
		mem = (u64)factor * segs * per_mss;
	} else {
		u32 per_mss = mss + (u32)par->tx_overhead;
		u32 segs = max_u32(max_u32(sk->init_cwnd, sk->snd_cwnd), sk->reordering + 1);

		mem = 2ull * segs * per_mss;
	}
	if (sk->sndbuf < mem)
		sk->sndbuf = (u32)(mem < (u64)par->wmem_max ? mem : (u64)par->wmem_max);
}

/* The writer is called again once a third of what is queued fits (sk_stream_write_space()). */
void tcp_space_freed(struct tcp_sock *sk)
{
	if (tcp_packets_in_flight(sk) < sk->snd_cwnd) {
		if (sk->sndbuf < (u64)sk->par->wmem_max)
			tcp_sndbuf_expand(sk);
		sk->snd_cwnd_stamp = sk->tcp->jiffies;
	}
	if (sk->wmem_queued > sk->sndbuf || sk->sndbuf - sk->wmem_queued < sk->wmem_queued >> 1)
		return;
	sk->nospace = false;
	sk->write_wanted = true;
}

/* ---- unsent skbs --------------------------------------------------------------------------- */

static void unsent_room(struct tcp_sock *sk)
{
	u32 size = sk->unsent ? sk->unsent_mask + 1 : 0;
	u32 bigger = size ? size * 2 : RING_MIN;
	u32 *ring;

	if (sk->unsent_n < size)
		return;
	ring = malloc(bigger * sizeof(*ring));
	if (!ring)
		abort();
	for (u32 i = 0; i < sk->unsent_n; i++)
		ring[(sk->unsent_head + i) & (bigger - 1)] =
			sk->unsent[(sk->unsent_head + i) & sk->unsent_mask];
	free(sk->unsent);
	sk->unsent = ring;
	sk->unsent_mask = bigger - 1;
}

static u32 *unsent_tail(struct tcp_sock *sk)
{
	return &sk->unsent[(sk->unsent_head + sk->unsent_n - 1) & sk->unsent_mask];
}

/* A new skb for the writer. */
static void unsent_new(struct tcp_sock *sk)
{
	unsent_room(sk);
	sk->unsent_n++;
	*unsent_tail(sk) = 0;
	sk->wmem_queued += (u32)sk->par->tx_overhead;
}

void tcp_unsent_split(struct tcp_sock *sk, u32 len)
{
	unsent_room(sk);
	sk->unsent[sk->unsent_head & sk->unsent_mask] -= len;
	sk->unsent_head--;
	sk->unsent_n++;
	sk->unsent[sk->unsent_head & sk->unsent_mask] = len;
	sk->wmem_queued += (u32)sk->par->tx_overhead;
}

void tcp_unsent_grow(struct tcp_sock *sk, u32 amount)
{
	u32 *head = &sk->unsent[sk->unsent_head & sk->unsent_mask];
	u32 *next = &sk->unsent[(sk->unsent_head + 1) & sk->unsent_mask];
	u32 len = min_u32(amount, *next & UNSENT_LEN);

	/* PSH stays with the end of what it was set on. */
	*head += len;
	*next -= len;
	if (*next & UNSENT_LEN)
		return;
	*head |= *next & UNSENT_PSH;
	*next = *head;
	sk->unsent_head++;
	sk->unsent_n--;
	sk->wmem_queued -= (u32)sk->par->tx_overhead;
}

/* A gap in sending that the application left: rate samples over it say nothing of the path. */
static void check_app_limited(struct tcp_sock *sk)
{
	u32 in_flight = tcp_packets_in_flight(sk);

	if (sk->write_seq - sk->snd_nxt < sk->mss_cache &&
	    sk->wmem_alloc < (u32)sk->par->tx_overhead && in_flight < sk->snd_cwnd &&
	    sk->lost_out <= sk->retrans_out) {
		sk->app_limited = sk->delivered + in_flight;
		if (!sk->app_limited)
			sk->app_limited = 1;
	}
}

static void mark_push(struct tcp_sock *sk)
{
	*unsent_tail(sk) |= UNSENT_PSH;
	sk->pushed_seq = sk->write_seq;
}

/*
 * Whole skbs behind the last one, as long as there is room and none of them is to be sent at once; returns what is left
 * of @left.
 */
static u64 write_whole(struct tcp_sock *sk, u64 left, u32 goal)
{
	u32 truesize = tcp_skb_truesize(sk, goal), half = sk->max_window >> 1;

	while (left > goal && sk->unsent_n && sk->unsent_n <= sk->unsent_mask &&
	       sk->wmem_queued < sk->sndbuf &&
	       !after(sk->write_seq + goal, sk->pushed_seq + half)) {
		sk->unsent_n++;
		*unsent_tail(sk) = goal;
		sk->wmem_queued += truesize;
		sk->write_seq += goal;
		left -= goal;
	}
	return left;
}

u64 tcp_write(struct tcp_sock *sk, u64 bytes)
{
	u64 left = bytes;
	u32 mss, goal, sent = sk->data_segs_out;

	if (sk->fin_queued || sk->state == TCP_CLOSE || sk->state == TCP_SYN_SENT ||
	    sk->state == TCP_SYN_RECV) {
		/* Before it is established a socket takes nothing: the writer sleeps. */
		sk->nospace = bytes && !sk->fin_queued && sk->state != TCP_CLOSE;
		return 0;
	}
	tcp_clock(sk->tcp, sk->sim);
	mss = tcp_current_mss(sk);
	goal = tcp_xmit_size_goal(sk, mss);
	check_app_limited(sk);
	tcp_slow_start_after_idle_check(sk);
	while (left) {
		u32 have = sk->unsent_n ? *unsent_tail(sk) & UNSENT_LEN : goal;
		u32 copy = goal > have ? goal - have : 0;

		if (!copy) {
			left = write_whole(sk, left, goal);
			if (sk->wmem_queued >= sk->sndbuf) {
				sk->nospace = true;
				break;
			}
			unsent_new(sk);
			copy = goal;
		}
		if (copy > left)
			copy = (u32)left;
		*unsent_tail(sk) += copy;
		sk->wmem_queued += copy;
		sk->write_seq += copy;
		left -= copy;
		if (!left || (*unsent_tail(sk) & UNSENT_LEN) < goal)
			continue;
		/* A full skb goes out at once when it is the first or half a window has gathered. */
		if (after(sk->write_seq, sk->pushed_seq + (sk->max_window >> 1))) {
			mark_push(sk);
			tcp_push_pending(sk, NAGLE_PUSH);
		} else if (sk->unsent_n == 1) {
			tcp_write_xmit(sk, mss, NAGLE_PUSH, 1);
		}
	}
	if (left != bytes && sk->unsent_n) {
		mark_push(sk);
		tcp_push_pending(sk, sk->nospace ? NAGLE_PUSH : sk->nonagle);
	}
	tcp_lock(sk, sk->data_segs_out - sent);
	return bytes - left;
}

/* ---- segments sent ------------------------------------------------------------------------- */

void tcp_seg_ring_grow(struct tcp_sock *sk)
{
	u32 size = sk->segs ? sk->seg_mask + 1 : 0;
	u32 bigger = size ? size * 2 : RING_MIN;
	struct tcp_seg *ring = aligned_alloc(64, bigger * sizeof(*ring));

	if (!ring)
		abort();
	for (u32 i = sk->seg_head; i != tcp_seg_tail(sk); i++)
		ring[i & (bigger - 1)] = sk->segs[i & sk->seg_mask];
	free(sk->segs);
	sk->segs = ring;
	sk->seg_mask = bigger - 1;
}

u32 tcp_seg_find(const struct tcp_sock *sk, u32 seq)
{
	u32 lo = 0, hi = sk->packets_out;

	/* Most segments are of one size: guess, then bisect what is left. */
	if (hi && !before(seq, sk->snd_una)) {
		u32 guess = (seq - tcp_seg(sk, sk->seg_head)->seq) / sk->mss_cache;

		if (guess < hi) {
			const struct tcp_seg *s = tcp_seg(sk, sk->seg_head + guess);

			if (!before(seq, s->end_seq))
				lo = guess + 1;
			else if (before(seq, s->seq))
				hi = guess;
			else
				return sk->seg_head + guess;
		}
	}
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (before(seq, tcp_seg(sk, sk->seg_head + mid)->end_seq))
			hi = mid;
		else
			lo = mid + 1;
	}
	return sk->seg_head + lo;
}
