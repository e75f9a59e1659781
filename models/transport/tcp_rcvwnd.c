// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The receive window: what is offered, how the share of the buffer that may be offered opens, and how the buffer
 * follows the rate (net/ipv4/tcp_input.c, tcp_output.c).
 */
#include "transport/tcp.h"

#define MAX_WSCALE 14u

/* Before the first packet has shown its memory: half. */
#define DEFAULT_SCALING 128u

static s32 win_from_space(const struct tcp_sock *sk, s32 space)
{
	if (sk->scaling)
		return (s32)((s64)space * sk->scaling >> 8);
	return space - (space >> sk->par->adv_win_scale);
}

static s32 tcp_space(const struct tcp_sock *sk)
{
	return win_from_space(sk, (s32)sk->rcvbuf - (s32)sk->rmem_alloc);
}

static s32 full_space(const struct tcp_sock *sk)
{
	return win_from_space(sk, (s32)sk->rcvbuf);
}

/* Window and scale of a SYN. The scale holds for good and so looks at the largest buffer. */
void tcp_select_initial_window(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	u32 mss = sk->advmss - (sk->tstamp_ok ? 12u : 0);
	u32 space;
	u32 segs = (u32)par->initial_rcv_wnd;
	u32 max = (u32)par->rmem_max;

	if (par->scaling_ratio)
		sk->scaling = DEFAULT_SCALING;
	space = (u32)full_space(sk);
	if (space > mss)
		space -= space % mss;
	sk->rcv_wnd = segs == 0 ? min_u32(space, 65535) : space;
	sk->rcv_wscale = 0;
	if (sk->wscale_ok && max > 65535) {
		u32 scale = 31u - (u32)__builtin_clz(max) - 15u;

		sk->rcv_wscale = (u8)min_u32(scale, MAX_WSCALE);
	}
	if (segs)
		sk->rcv_wnd = min_u32(sk->rcv_wnd, segs * mss);
	sk->window_clamp = 65535u << sk->rcv_wscale;
	sk->rcv_wnd = min_u32(sk->rcv_wnd, sk->window_clamp);
	sk->rcv_ssthresh = sk->rcv_wnd;
}

static u32 default_truesize(const struct tcp_sock *sk)
{
	/* 2.6.32: head, MAX_TCP_HEADER, 16 and sizeof(struct sk_buff); later SKB_TRUESIZE(). */
	u32 extra = sk->par->adv_win_scale == 2 ? 304u + 16u + 240u : TCP_MAX_TCP_HEADER + 576u;
	s32 mem = (s32)(sk->advmss + extra);

	while (win_from_space(sk, mem) < (s32)sk->advmss)
		mem += 128;
	return (u32)mem;
}

void tcp_init_rcv_space(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	u32 maxwin, segs = (u32)par->initial_rcv_wnd;

	/* Between 3.9 and 4.20 the buffer was first made large enough for four such windows. */
	if (segs == 20 && par->moderate_rcvbuf) {
		u32 mem = 2 * (sk->advmss + TCP_MAX_TCP_HEADER + 576u) * segs << 2;

		if (sk->rcvbuf < mem)
			sk->rcvbuf = min_u32(mem, (u32)par->rmem_max);
	}
	maxwin = (u32)full_space(sk);
	if (sk->window_clamp >= maxwin)
		sk->window_clamp = maxwin;
	/* A segment is kept back for the application. */
	if (sk->window_clamp > 2u * sk->advmss && sk->window_clamp + sk->advmss > maxwin)
		sk->window_clamp = max_u32(2u * sk->advmss, maxwin - sk->advmss);
	sk->rcv_ssthresh = min_u32(sk->rcv_ssthresh, sk->window_clamp);
	sk->rcvq_space.time = sk->tcp->us;
	sk->rcvq_space.seq = sk->copied_seq;
	sk->rcvq_space.space = sk->rcv_wnd;
	if (!segs)
		sk->rcvq_space.space =
			min_u32(min_u32(sk->rcv_ssthresh, sk->rcv_wnd), 10u * sk->advmss);
}

/* To what the header can say. */
static u32 round_up_to(const struct tcp_sock *sk, u32 window)
{
	return (window + (1u << sk->rcv_wscale) - 1) >> sk->rcv_wscale << sk->rcv_wscale;
}

/* The window that would be offered now; __tcp_select_window(). */
u32 tcp_new_window(struct tcp_sock *sk)
{
	s32 mss = sk->rcv_mss, free = tcp_space(sk), allowed = full_space(sk);
	s32 full = allowed < (s32)sk->window_clamp ? allowed : (s32)sk->window_clamp;
	s32 window;

	if (mss > full) {
		mss = full;
		if (mss <= 0)
			return 0;
	}
	if (free < full >> 1) {
		sk->ack_quick = 0;
		free = free >> sk->rcv_wscale << sk->rcv_wscale;
		if (free < allowed >> 4 || free < mss)
			return 0;
	}
	if (free > (s32)sk->rcv_ssthresh)
		free = (s32)sk->rcv_ssthresh;
	if (sk->rcv_wscale)
		return round_up_to(sk, (u32)free);
	window = (s32)sk->rcv_wnd;
	if (window <= free - mss || window > free)
		window = free / mss * mss;
	else if (mss == full && free > window + (full >> 1))
		window = free;
	return (u32)window;
}

/* The same for a packet that goes out now: the right edge never moves back. */
u32 tcp_select_window(struct tcp_sock *sk)
{
	if (!sk->window_kept) {
		u32 cur = tcp_receive_window(sk);
		u32 win = tcp_new_window(sk);

		if (win < cur)
			win = round_up_to(sk, cur);
		sk->rcv_wnd = win;
		sk->rcv_wup = sk->rcv_nxt;
	}
	return min_u32(sk->rcv_wnd >> sk->rcv_wscale, 65535) << sk->rcv_wscale;
}

/* ---- the share of the buffer that is offered ----------------------------------------------- */

static u32 grow_slowly(const struct tcp_sock *sk, u32 len, u32 skb_truesize)
{
	s32 truesize = win_from_space(sk, (s32)skb_truesize) >> 1;
	s32 window = win_from_space(sk, (s32)sk->par->rmem_max) >> 1;

	while ((s32)sk->rcv_ssthresh <= window) {
		if (truesize <= (s32)len)
			return 2u * sk->rcv_mss;
		truesize >>= 1;
		window >>= 1;
	}
	return 0;
}

void tcp_grow_window(struct tcp_sock *sk, u32 len, u32 truesize)
{
	s32 space = tcp_space(sk);
	s32 most = space < (s32)sk->window_clamp ? space : (s32)sk->window_clamp;
	s32 room = most - (s32)sk->rcv_ssthresh;
	u32 incr;

	if (room <= 0)
		return;
	if (win_from_space(sk, (s32)truesize) <= (s32)len)
		incr = 2u * sk->advmss;
	else
		incr = grow_slowly(sk, len, truesize);
	if (!incr)
		return;
	incr = max_u32(incr, 2 * len);
	sk->rcv_ssthresh += min_u32((u32)room, incr);
	sk->ack_quick |= 1;
}

/* The share of payload in the memory of a packet; the window's limit follows it. */
void tcp_update_scaling_ratio(struct tcp_sock *sk, u32 len)
{
	u32 ratio = (len << 8) / (u32)sk->par->rx_truesize;
	u32 clamp;

	if (!sk->scaling || (ratio ? ratio : 1) == sk->scaling)
		return;
	sk->scaling = (u16)(ratio ? ratio : 1);
	clamp = max_u32((u32)full_space(sk), 2048);
	if (clamp < sk->window_clamp)
		sk->rcv_ssthresh = min_u32(sk->rcv_ssthresh, clamp);
	else
		sk->rcv_ssthresh = max_u32(min_u32(sk->rcv_wnd, clamp), sk->rcv_ssthresh);
	sk->window_clamp = clamp;
	if (clamp < sk->rcvq_space.space)
		sk->rcvq_space.space = clamp;
}

/* Out-of-order data overflow the buffer: it may grow to what they take. */
void tcp_clamp_window(struct tcp_sock *sk)
{
	sk->ack_quick = 0;
	if (sk->rcvbuf < (u32)sk->par->rmem_max)
		sk->rcvbuf = min_u32(sk->rmem_alloc, (u32)sk->par->rmem_max);
	if (sk->rmem_alloc > sk->rcvbuf)
		sk->rcv_ssthresh = min_u32(sk->window_clamp, 2u * sk->advmss);
}

/* ---- dynamic right-sizing ------------------------------------------------------------------ */

static void rcv_rtt_update(struct tcp_sock *sk, u32 sample, bool window_dependent)
{
	u32 m = sample << 3, old = sk->rcv_rtt_est.rtt_us;

	if (!old || m < old)
		sk->rcv_rtt_est.rtt_us = m;
	else if (!window_dependent)
		sk->rcv_rtt_est.rtt_us = old - (old >> 3) + sample;
}

/* A window's worth of data takes an RTT. */
void tcp_rcv_rtt_measure(struct tcp_sock *sk)
{
	if (sk->rcv_rtt_est.time) {
		u64 delta = sk->tcp->us - sk->rcv_rtt_est.time;

		if (before(sk->rcv_nxt, sk->rcv_rtt_est.seq))
			return;
		rcv_rtt_update(sk, delta ? (u32)delta : 1, true);
	}
	sk->rcv_rtt_est.seq = sk->rcv_nxt + sk->rcv_wnd;
	sk->rcv_rtt_est.time = sk->tcp->us;
}

void tcp_rcv_rtt_measure_ts(struct tcp_sock *sk, u32 len)
{
	u32 delta, unit;

	if (!sk->rcv_tsecr || sk->rcv_tsecr == sk->rcv_rtt_last_tsecr)
		return;
	sk->rcv_rtt_last_tsecr = sk->rcv_tsecr;
	if (len < sk->rcv_mss)
		return;
	unit = sk->par->rtt_clock == RTT_USEC ? 1000u : 1000000u / sk->tcp->hz;
	delta = tcp_ts(sk) - sk->rcv_tsecr;
	/* Since 6.16 less than a tick of the clock is no sample. */
	if (!delta && tcp_since(sk, ERA_SPACE_FROM_WIN))
		return;
	if (delta < INT32_MAX / unit)
		rcv_rtt_update(sk, (delta ? delta : 1) * unit, false);
}

/* Before 3.12 (2013): twice what was read in an RTT. */
static void adjust_old(struct tcp_sock *sk, u32 copied)
{
	u32 space = max_u32(sk->rcvq_space.space, 2 * copied);
	u32 clamp = space;
	u64 buf;

	if (space == sk->rcvq_space.space)
		return;
	sk->rcvq_space.space = space;
	if (!sk->par->moderate_rcvbuf)
		return;
	buf = (u64)max_u32(space / sk->advmss, 1) * default_truesize(sk);
	if (buf > (u64)sk->par->rmem_max)
		buf = (u64)sk->par->rmem_max;
	if (buf > sk->rcvbuf) {
		sk->rcvbuf = (u32)buf;
		sk->window_clamp = clamp;
	}
}

/* The application has read: how much in the last RTT decides the buffer's size. */
void tcp_rcv_space_adjust(struct tcp_sock *sk)
{
	u64 time = sk->tcp->us - sk->rcvq_space.time;
	u32 copied;

	if (time < sk->rcv_rtt_est.rtt_us >> 3 || !sk->rcv_rtt_est.rtt_us)
		return;
	copied = sk->copied_seq - sk->rcvq_space.seq;
	if (!tcp_since(sk, ERA_WRITE_LIMITS)) {
		adjust_old(sk, copied);
		goto measure;
	}
	if (copied <= sk->rcvq_space.space)
		goto measure;
	if (sk->par->moderate_rcvbuf) {
		u64 win = (u64)copied << 1;
		u64 grow, buf;

		if (!tcp_since(sk, ERA_SPACE_FROM_WIN))
			win += 16u * sk->advmss;
		grow = win * (copied - sk->rcvq_space.space) / sk->rcvq_space.space;
		win += grow << 1;
		if (sk->n_ooo && tcp_since(sk, ERA_SPACE_FROM_WIN))
			win += sk->ooo[sk->n_ooo - 1].end - sk->rcv_nxt;
		if (sk->scaling)
			buf = (win << 8) / sk->scaling;
		else
			buf = win / sk->advmss * default_truesize(sk);
		if (buf > (u64)sk->par->rmem_max)
			buf = (u64)sk->par->rmem_max;
		if (buf > sk->rcvbuf) {
			sk->rcvbuf = (u32)buf;
			sk->window_clamp = (u32)full_space(sk);
		}
	}
	sk->rcvq_space.space = copied;
measure:
	sk->rcvq_space.seq = sk->copied_seq;
	sk->rcvq_space.time = sk->tcp->us;
}
