// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What may be sent now: congestion and send window, Nagle, autosizing of packets, pacing and TCP small queues
 * (net/ipv4/tcp_output.c).
 */
#include "transport/tcp.h"

/* ---- is the window the limit? -------------------------------------------------------------- */

/* The test before 3.19 looked at the moment, with room for a burst. */
static bool cwnd_limited_by_flight(const struct tcp_sock *sk)
{
	u32 in_flight = tcp_packets_in_flight(sk);
	u32 left;

	if (in_flight >= sk->snd_cwnd)
		return true;
	left = sk->snd_cwnd - in_flight;
	if (sk->gso && left * (u32)sk->par->tso_win_divisor < sk->snd_cwnd &&
	    left * sk->mss_cache < sk->gso_max_size)
		return true;
	/* tcp_max_burst(): the reordering that was seen, since 3.9 a constant. */
	return left <= (tcp_since(sk, ERA_DEFER_FROM_FIRST) ? 3u : sk->reordering);
}

/* As it was when the sender last stopped sending. */
static inline bool cwnd_was_limit(const struct tcp_sock *sk)
{
	return sk->is_cwnd_limited ||
	       (tcp_in_slow_start(sk) && sk->snd_cwnd < 2 * sk->max_packets_out);
}

bool tcp_is_cwnd_limited(const struct tcp_sock *sk)
{
	return tcp_since(sk, ERA_WRITE_LIMITS) ? cwnd_was_limit(sk) : cwnd_limited_by_flight(sk);
}

/* RFC 2861: the window was not used for one timeout. */
static void cwnd_application_limited(struct tcp_sock *sk)
{
	if (sk->ca_state == TCP_CA_Open && !sk->nospace) {
		u32 used = max_u32(sk->snd_cwnd_used, sk->init_cwnd);

		if (used < sk->snd_cwnd) {
			sk->snd_ssthresh = tcp_current_ssthresh(sk);
			sk->snd_cwnd = (sk->snd_cwnd + used) >> 1;
		}
		sk->snd_cwnd_used = 0;
	}
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
}

static void cwnd_validate(struct tcp_sock *sk, bool is_cwnd_limited)
{
	bool limited;

	if (!before(sk->snd_una, sk->cwnd_usage_seq) || is_cwnd_limited ||
	    (!sk->is_cwnd_limited && sk->packets_out > sk->max_packets_out)) {
		sk->is_cwnd_limited = is_cwnd_limited;
		sk->max_packets_out = sk->packets_out;
		sk->cwnd_usage_seq = sk->snd_nxt;
	}
	limited = tcp_since(sk, ERA_WRITE_LIMITS) ? cwnd_was_limit(sk)
						  : sk->packets_out >= sk->snd_cwnd;
	if (limited) {
		sk->snd_cwnd_used = 0;
		sk->snd_cwnd_stamp = sk->tcp->jiffies;
		return;
	}
	if (sk->packets_out > sk->snd_cwnd_used)
		sk->snd_cwnd_used = sk->packets_out;
	if (sk->par->slow_start_after_idle &&
	    (s32)(sk->tcp->jiffies - sk->snd_cwnd_stamp) >= (s32)sk->rto &&
	    !sk->ca_ops->cong_control)
		cwnd_application_limited(sk);
}

/* After an idle time the window halves for every timeout, down to the initial one. */
void tcp_slow_start_after_idle_check(struct tcp_sock *sk)
{
	s32 delta = (s32)(sk->tcp->jiffies - sk->lsndtime);
	u32 restart, cwnd = sk->snd_cwnd;

	if (!sk->par->slow_start_after_idle || sk->packets_out || sk->ca_ops->cong_control ||
	    delta <= (s32)sk->rto)
		return;
	tcp_ca_event(sk, CA_EVENT_CWND_RESTART);
	sk->snd_ssthresh = tcp_current_ssthresh(sk);
	restart = min_u32(sk->init_cwnd, cwnd);
	while ((delta -= (s32)sk->rto) > 0 && cwnd > restart)
		cwnd >>= 1;
	sk->snd_cwnd = max_u32(cwnd, restart);
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	sk->snd_cwnd_used = 0;
}

/* ---- size of a packet ---------------------------------------------------------------------- */

u32 tcp_tso_segs(const struct tcp_sock *sk, u32 mss)
{
	const struct tcp_params *par = sk->par;
	u32 min_segs = (u32)par->min_tso_segs;
	u64 bytes;
	u32 r;

	if (!sk->gso)
		return 1;
	if (sk->ca_ops->min_tso_segs)
		min_segs = sk->ca_ops->min_tso_segs((struct tcp_sock *)sk);
	/* Autosizing came with 3.12; before, a packet was as large as the window let it. */
	if (!tcp_since(sk, ERA_WRITE_LIMITS))
		return sk->gso_max_size / mss;
	bytes = sk->pacing_rate >> sk->pacing_shift;
	if (par->tso_rtt_log) {
		r = tcp_min_rtt(sk) >> par->tso_rtt_log;
		if (r < 32)
			bytes += sk->gso_max_size >> r;
	}
	if (bytes > sk->gso_max_size)
		bytes = sk->gso_max_size;
	return max_u32((u32)bytes / mss, min_segs);
}

/* What one skb takes from the writer. */
u32 tcp_xmit_size_goal(const struct tcp_sock *sk, u32 mss)
{
	u32 size = sk->gso_max_size;

	if (!sk->gso)
		return mss;
	/* tcp_bound_to_half_wnd() */
	if (sk->max_window > TCP_MSS_DEFAULT && size > sk->max_window >> 1)
		size = max_u32(sk->max_window >> 1, 68 - sk->header_len);
	return max_u32(size / mss, 1) * mss;
}

/* ---- may it go? ---------------------------------------------------------------------------- */

/* Minshall's Nagle: one small packet at a time. */
static bool nagle_holds(const struct tcp_sock *sk, u32 nonagle)
{
	if (nonagle)
		return false;
	return sk->packets_out && after(sk->snd_sml, sk->snd_una) &&
	       !after(sk->snd_sml, sk->snd_nxt);
}

static u32 cwnd_quota(const struct tcp_sock *sk)
{
	u32 in_flight = tcp_packets_in_flight(sk);
	u32 quota;

	if (in_flight >= sk->snd_cwnd)
		return 0;
	quota = sk->snd_cwnd - in_flight;
	/* Two packets of several segments at least (3.14): the ACKs keep coming. */
	if (tcp_since(sk, ERA_WRITE_LIMITS))
		quota = min_u32(quota, max_u32(sk->snd_cwnd >> 1, 1));
	return quota;
}

bool tcp_may_send_now(const struct tcp_sock *sk)
{
	u32 mss = sk->mss_cache, len;

	if (!sk->unsent_n || !cwnd_quota(sk))
		return false;
	len = tcp_unsent_len(sk);
	if (after(sk->snd_nxt + min_u32(len, mss), tcp_wnd_end(sk)))
		return false;
	return len >= mss || sk->unsent_n > 1 || sk->fin_queued || !nagle_holds(sk, sk->nonagle);
}

/* Room for less than a packet of the largest size, or than a good share of the window. */
static bool tso_room_is_small(const struct tcp_sock *sk, u32 len, bool last, u32 max_segs,
			      u32 limit)
{
	u32 chunk;

	/* Until 3.13 the device's limit in bytes, whatever the segment's size. */
	if (limit >=
	    (tcp_since(sk, ERA_WRITE_LIMITS) ? max_segs * sk->mss_cache : sk->gso_max_size))
		return false;
	if (!last && limit >= len)
		return false;
	if (!sk->par->tso_win_divisor)
		return limit <=
		       (tcp_since(sk, ERA_DEFER_FROM_FIRST) ? 3u : sk->reordering) * sk->mss_cache;
	chunk = min_u32(sk->snd_wnd, sk->snd_cwnd * sk->mss_cache);
	return limit < chunk / (u32)sk->par->tso_win_divisor;
}

/*
 * Before 4.1: waits for any ACK, but not two jiffies, and not with the last data of all; tcp_tso_should_defer() of 3.0.
 */
static bool tso_defers_by_jiffies(struct tcp_sock *sk, bool small, bool last)
{
	u32 now = sk->tcp->jiffies;

	if (!small || (last && sk->fin_queued) || sk->ca_state != TCP_CA_Open ||
	    (sk->tso_deferred && (now << 1 >> 1) - (sk->tso_deferred >> 1) > 1)) {
		sk->tso_deferred = 0;
		return false;
	}
	/* Since 3.9 the clock of the first deferral runs on. */
	if (!sk->tso_deferred || !tcp_since(sk, ERA_DEFER_FROM_FIRST))
		sk->tso_deferred = 1 | now << 1;
	return true;
}

/* Waits for a larger packet if an ACK is due soon; tcp_tso_should_defer(). */
static bool tso_should_defer(struct tcp_sock *sk, u32 len, bool last, u32 max_segs,
			     bool *cwnd_limited, bool *rwnd_limited)
{
	u32 send_win = tcp_wnd_end(sk) - sk->snd_nxt;
	u32 cong_win = (sk->snd_cwnd - tcp_packets_in_flight(sk)) * sk->mss_cache;
	bool small = tso_room_is_small(sk, len, last, max_segs, min_u32(send_win, cong_win));
	u64 srtt_ns, threshold;
	s64 until_ack;

	if (sk->par->tso_defer == TSO_DEFER_JIFFIES) {
		bool defer = tso_defers_by_jiffies(sk, small, last);

		*cwnd_limited |= defer && cong_win <= send_win;
		return defer;
	}
	if (sk->ca_state >= TCP_CA_Recovery)
		return false;
	if (tcp_since(sk, ERA_DEFER_MS) ? sk->sim->now - sk->wstamp_ns > SIM_MS
					: sk->tcp->jiffies != sk->lsndtime)
		return false;
	if (!small || !sk->packets_out)
		return false;
	srtt_ns = (u64)tcp_srtt_us(sk) * 1000;
	threshold = srtt_ns >> 1;
	if (sk->par->tso_defer == TSO_DEFER_ACK && threshold > (u64)SIM_MS)
		threshold = (u64)SIM_MS;
	until_ack = (s64)(tcp_seg(sk, sk->seg_head)->sent_us * 1000 + srtt_ns) -
		    (s64)sk->tcp->us * 1000;
	if (until_ack > (s64)threshold)
		return false;
	if (cong_win < send_win) {
		if (cong_win <= len) {
			*cwnd_limited = true;
			return true;
		}
	} else if (send_win <= len) {
		*rwnd_limited = true;
		return true;
	}
	return !(last && sk->fin_queued);
}

/* What TSQ lets lie below the socket, for packets of @truesize. */
static u64 small_queue_limit(const struct tcp_sock *sk, u32 truesize)
{
	u64 limit = sk->pacing_rate >> sk->pacing_shift;

	if (limit < 2ull * truesize)
		limit = 2ull * truesize;
	if (!sk->pacing && limit > (u64)sk->par->limit_output_bytes)
		limit = (u64)sk->par->limit_output_bytes;
	return limit;
}

/*
 * TCP small queues: true when the socket already has its share below it; it is woken when a packet
 * leaves the host.
 */
bool tcp_small_queue_check(struct tcp_sock *sk, u32 truesize, u32 factor)
{
	switch (sk->par->tsq) {
	case TSQ_OFF:
		return false;
	case TSQ_FIXED:
		if (sk->wmem_alloc < (u64)sk->par->limit_output_bytes)
			return false;
		break;
	default:
		if (sk->wmem_alloc <= small_queue_limit(sk, truesize) << factor ||
		    sk->rtx_skbs <= 1)
			return false;
		break;
	}
	sk->throttled = true;
	return true;
}

bool tcp_pacing_waits(struct tcp_sock *sk)
{
	if (sk->wstamp_ns <= sk->sim->now)
		return false;
	if (!event_pending(&sk->pacing_timer))
		event_schedule(sk->sim, &sk->pacing_timer,
			       late_time(&sk->tcp->host->timer_late, &sk->late, sk->wstamp_ns));
	return true;
}

/* ---- sending ------------------------------------------------------------------------------- */

static void unsent_pop(struct tcp_sock *sk)
{
	sk->unsent_head++;
	sk->unsent_n--;
}

/* [snd_nxt, snd_nxt + len) has gone out in one packet: the scoreboard takes it over. */
static void data_sent(struct tcp_sock *sk, u32 len, u32 mss, u32 truesize, u8 flags)
{
	u32 overhead = truesize - len;
	u32 prior = sk->packets_out;
	u32 seq = sk->snd_nxt;
	u32 end = seq + len;

	if (!prior) {
		sk->first_tx_us = sk->tcp->us;
		sk->delivered_us = sk->tcp->us;
	}
	do {
		u32 n = min_u32(end - seq, mss);
		struct tcp_seg *seg = tcp_seg_push(sk, seq, seq + n);

		seg->truesize = n;
		seq += n;
		if (seq == end) {
			seg->truesize += overhead;
			seg->flags = SEG_SKB_END;
			if (flags & TCP_FLAG_PSH)
				seg->flags |= SEG_PSH;
			if (flags & TCP_FLAG_FIN) {
				seg->flags |= SEG_FIN;
				seg->end_seq++;
				seq++;
				end++;
				sk->fin_sent = true;
			}
		}
		sk->snd_nxt = seq;
		tcp_seg_sent(sk, seg, tcp_seg_tail(sk) - 1);
	} while (seq != end);
	sk->rtx_skbs++;
	sk->bytes_sent += len;
	if (len % mss)
		sk->snd_sml = end;
	if (!prior || sk->xmit_pending == XMIT_LOSS_PROBE)
		tcp_rearm_rto(sk);
	tcp_check_space(sk);
}

/* How much of the first unsent skb goes into one packet; tcp_mss_split_point(). */
static u32 split_point(const struct tcp_sock *sk, u32 len, u32 mss, u32 max_segs, u32 nonagle)
{
	u32 window = tcp_wnd_end(sk) - sk->snd_nxt;
	u32 max_len = mss * max_segs;
	u32 needed;

	if (max_len <= window && sk->unsent_n > 1)
		return max_len;
	needed = min_u32(len, window);
	if (max_len <= needed)
		return max_len;
	if (needed % mss && nagle_holds(sk, nonagle))
		return needed - needed % mss;
	return needed;
}

/*
 * The common case of what follows: full segments, one to a packet, under TSQ by rate. The probe timer is set in the end
 * by tcp_schedule_loss_probe(), so that it need not be set for each packet. Returns how many went out; *all: nothing
 * more can.
 */
static u32 xmit_plain(struct tcp_sock *sk, u32 mss, bool push_one, bool *all)
{
	u32 truesize = tcp_skb_truesize(sk, mss), sent = 0;
	u64 below = small_queue_limit(sk, truesize);
	u32 window = tcp_wnd_end(sk);

	while (sk->unsent_n) {
		u32 skb = sk->unsent[sk->unsent_head & sk->unsent_mask];
		u32 seq = sk->snd_nxt;
		struct tcp_seg *seg;

		if ((skb & UNSENT_LEN) != mss || !sk->packets_out)
			return sent;
		if (tcp_packets_in_flight(sk) >= sk->snd_cwnd || after(seq + mss, window))
			break;
		if (sk->wmem_alloc > below && sk->rtx_skbs > 1) {
			sk->throttled = true;
			break;
		}
		if (tcp_send_data(sk, seq, mss, 1, truesize, skb & UNSENT_PSH ? TCP_FLAG_PSH : 0))
			break;
		unsent_pop(sk);
		seg = tcp_seg_push(sk, seq, seq + mss);
		seg->truesize = truesize;
		seg->flags = skb & UNSENT_PSH ? SEG_SKB_END | SEG_PSH : SEG_SKB_END;
		sk->snd_nxt = seq + mss;
		tcp_seg_sent(sk, seg, tcp_seg_tail(sk) - 1);
		sk->rtx_skbs++;
		sk->bytes_sent += mss;
		tcp_check_space(sk);
		sent++;
		if (push_one)
			break;
	}
	*all = true;
	return sent;
}

/* tcp_schedule_loss_probe() behind it, where that would set the timer to what it is set to: it counts as set now. */
static inline bool probe_stays(struct tcp_sock *sk)
{
	if (!sk->probe_kept || sk->probe_jiffies != sk->tcp->jiffies ||
	    sk->xmit_pending != XMIT_LOSS_PROBE || sk->packets_out <= 1)
		return false;
	event_postpone(sk->sim, &sk->xmit_timer, event_due(&sk->xmit_timer));
	return true;
}

/* Whether the socket's way of sending is that of xmit_plain(); asked once, when it is established. */
bool tcp_may_xmit_plain(const struct tcp_sock *sk)
{
	return !sk->gso && sk->par->tsq == TSQ_RATE && sk->tlp && tcp_since(sk, ERA_TLP_RTO_MIN) &&
	       !sk->tcp->no_fast;
}

/*
 * Sends what may be sent. @push_one: 1 one packet only, 2 one packet even beyond the window (a loss probe). True when
 * nothing is in flight and yet something waits.
 */
bool tcp_write_xmit(struct tcp_sock *sk, u32 mss, u32 nonagle, u32 push_one)
{
	bool cwnd_limited = false, rwnd_limited = false;
	u32 sent = 0, max_segs;
	bool all = false;

	if (sk->xmit_plain && !sk->pacing &&
	    (sk->ca_state == TCP_CA_Open || sk->ca_state == TCP_CA_CWR) && push_one != 2 &&
	    !sk->fin_queued)
		sent = xmit_plain(sk, mss, push_one, &all);
	max_segs = all ? 0 : tcp_tso_segs(sk, mss);
	while (!all && (sk->unsent_n || (sk->fin_queued && !sk->fin_sent))) {
		bool last = sk->unsent_n <= 1;
		bool fin = last && sk->fin_queued;
		u32 len = sk->unsent_n ? tcp_unsent_len(sk) : 0;
		u32 limit, segs, truesize, quota;
		u8 flags;

		if (tcp_pacing_check(sk))
			break;
		if (fin && len <= mss && !tcp_since(sk, ERA_GROW_SKB))
			quota = 1;
		else
			quota = cwnd_quota(sk);
		if (!quota) {
			if (push_one != 2)
				break;
			quota = 1;
		}
		quota = min_u32(quota, max_segs);
		if (len && len < quota * mss && !last && tcp_since(sk, ERA_GROW_SKB)) {
			tcp_unsent_grow(sk, quota * mss - len);
			len = tcp_unsent_len(sk);
			last = sk->unsent_n <= 1;
			fin = last && sk->fin_queued;
		}
		segs = (len + mss - 1) / mss;
		if (after(sk->snd_nxt + min_u32(len, mss), tcp_wnd_end(sk))) {
			rwnd_limited = true;
			break;
		}
		if (segs <= 1) {
			if (len < mss && last && !fin && nagle_holds(sk, nonagle))
				break;
		} else if (!push_one && tso_should_defer(sk, len, last, max_segs, &cwnd_limited,
							 &rwnd_limited)) {
			break;
		}
		limit = mss;
		if (segs > 1)
			limit = split_point(sk, len, mss, quota, nonagle);
		if (len > limit) {
			tcp_unsent_split(sk, limit);
			len = limit;
			fin = false;
		}
		truesize = tcp_skb_truesize(sk, len);
		if (tcp_small_queue_check(sk, truesize, 0))
			break;
		segs = len ? (len + mss - 1) / mss : 1;
		flags = fin ? TCP_FLAG_FIN : 0;
		if (len && (sk->unsent[sk->unsent_head & sk->unsent_mask] & UNSENT_PSH))
			flags |= TCP_FLAG_PSH;
		if (tcp_send_data(sk, sk->snd_nxt, len, segs, truesize, flags))
			break;
		if (len)
			unsent_pop(sk);
		else
			sk->wmem_queued += truesize;
		data_sent(sk, len, mss, truesize, flags);
		sent += segs;
		if (push_one)
			break;
	}
	cwnd_limited |= tcp_packets_in_flight(sk) >= sk->snd_cwnd;
	if (sent || cwnd_limited)
		cwnd_validate(sk, cwnd_limited);
	if (sent) {
		if (tcp_in_cwnd_reduction(sk))
			sk->prr_out += sent;
		if (push_one != 2 && !(all && probe_stays(sk)))
			tcp_schedule_loss_probe(sk, false);
		return false;
	}
	return !sk->packets_out && sk->unsent_n;
}

void tcp_push_pending(struct tcp_sock *sk, u32 nonagle)
{
	if (sk->state == TCP_CLOSE || sk->state == TCP_SYN_SENT || sk->state == TCP_SYN_RECV)
		return;
	if (!sk->unsent_n && !(sk->fin_queued && !sk->fin_sent))
		return;
	if (tcp_write_xmit(sk, tcp_current_mss(sk), nonagle, 0))
		tcp_check_probe_timer(sk);
}

void tcp_data_snd_check(struct tcp_sock *sk)
{
	tcp_push_pending(sk, sk->nonagle);
	tcp_check_space(sk);
}

/* The persist timer's packet: a piece of data if the window has room, an empty one if not. */
int tcp_write_wakeup(struct tcp_sock *sk)
{
	u32 window = tcp_wnd_end(sk) - sk->snd_nxt;
	u32 len, truesize;
	int err;

	if (!sk->unsent_n || !before(sk->snd_nxt, tcp_wnd_end(sk))) {
		tcp_send_probe(sk);
		return 0;
	}
	len = min_u32(min_u32(window, tcp_current_mss(sk)), tcp_unsent_len(sk));
	if (len < tcp_unsent_len(sk))
		tcp_unsent_split(sk, len);
	truesize = tcp_skb_truesize(sk, len);
	err = tcp_send_data(sk, sk->snd_nxt, len, 1, truesize, TCP_FLAG_PSH);
	if (!err) {
		unsent_pop(sk);
		data_sent(sk, len, tcp_current_mss(sk), truesize, TCP_FLAG_PSH);
	}
	return err;
}
