/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every packet does and takes but a few instructions. Belongs to tcp.h, which includes it.
 */
#ifndef WLANQ_TRANSPORT_TCP_INLINE_H
#define WLANQ_TRANSPORT_TCP_INLINE_H

/* ---- time ---- */

/* Rounds up. */
static inline u32 tcp_us_to_jiffies(const struct tcp *t, u64 us)
{
	return (u32)((us * t->hz + 999999) / 1000000);
}

static inline u32 tcp_jiffies_to_us(const struct tcp *t, u32 jiffies)
{
	if (t->jiffy_us)
		return jiffies * t->jiffy_us;
	return (u32)((u64)jiffies * 1000000 / t->hz);
}

static inline u32 tcp_us_to_ts(const struct tcp_sock *sk, u64 us)
{
	if (sk->par->rtt_clock == RTT_USEC)
		return (u32)(us / 1000);
	return (u32)(us * 1000 / (u64)sk->tcp->tick_ns);
}

/* srtt >> 3 in us; 0 when none was measured. */
static inline u32 tcp_srtt_us(const struct tcp_sock *sk)
{
	if (sk->par->rtt_clock == RTT_USEC)
		return sk->srtt >> 3;
	return (u32)((u64)sk->srtt * 1000000 / sk->tcp->hz >> 3);
}

/* ---- sizes ---- */

/* Paged data are charged by the byte, the head by its allocation (6.1: 704 + 256 + 320). */
static inline u32 tcp_skb_truesize(const struct tcp_sock *sk, u32 len)
{
	return (u32)sk->par->tx_overhead + len;
}

static inline u32 tcp_current_mss(const struct tcp_sock *sk)
{
	if (__builtin_expect(sk->num_sacks | sk->dsack, 0))
		return sk->mss_cache - tcp_sack_option_len(sk);
	return sk->mss_cache;
}

/* What is left of the window last offered. */
static inline u32 tcp_receive_window(const struct tcp_sock *sk)
{
	s32 win = (s32)(sk->rcv_wup + sk->rcv_wnd - sk->rcv_nxt);

	return win > 0 ? (u32)win : 0;
}

/* ---- what is seldom so ---- */

static inline void tcp_check_space(struct tcp_sock *sk)
{
	if (sk->nospace)
		tcp_space_freed(sk);
}

/* True when the next packet has to wait; its timer is set then. */
static inline bool tcp_pacing_check(struct tcp_sock *sk)
{
	return sk->pacing && tcp_pacing_waits(sk);
}

/* ---- the list by time of sending ---- */

static inline void tcp_ts_unlink(struct tcp_sock *sk, struct tcp_seg *seg)
{
	if (!(seg->flags & SEG_LINKED))
		return;
	seg->flags &= (u8)~SEG_LINKED;
	if (seg->prev == SEG_NONE)
		sk->ts_first = seg->next;
	else
		tcp_seg(sk, seg->prev)->next = seg->next;
	if (seg->next == SEG_NONE)
		sk->ts_last = seg->prev;
	else
		tcp_seg(sk, seg->next)->prev = seg->prev;
}

static inline void tcp_ts_append(struct tcp_sock *sk, struct tcp_seg *seg, u32 index)
{
	tcp_ts_unlink(sk, seg);
	seg->flags |= SEG_LINKED;
	seg->prev = sk->ts_last;
	seg->next = SEG_NONE;
	if (sk->ts_last == SEG_NONE)
		sk->ts_first = index;
	else
		tcp_seg(sk, sk->ts_last)->next = index;
	sk->ts_last = index;
}

/* Notes the transmission in a segment: time, order, rate sample. */
static inline void tcp_seg_sent(struct tcp_sock *sk, struct tcp_seg *seg, u32 index)
{
	seg->sent_us = sk->tcp->us;
	seg->tx_mark = sk->tx_mark;
	seg->ack_seq = sk->snd_nxt;
	seg->first_tx_us = sk->first_tx_us;
	seg->delivered_us = sk->delivered_us;
	seg->delivered = sk->delivered;
	seg->flags &= (u8)~SEG_APP_LIM;
	if (sk->app_limited)
		seg->flags |= SEG_APP_LIM;
	if (sk->par->rack != RACK_OFF)
		tcp_ts_append(sk, seg, index);
}

/* A record for [seq, end_seq), behind all others; the ring grows. */
static inline struct tcp_seg *tcp_seg_push(struct tcp_sock *sk, u32 seq, u32 end_seq)
{
	struct tcp_seg *seg;

	if (__builtin_expect(!sk->segs || sk->packets_out > sk->seg_mask, 0))
		tcp_seg_ring_grow(sk);
	seg = tcp_seg(sk, tcp_seg_tail(sk));
	sk->packets_out++;
	seg->seq = seq;
	seg->end_seq = end_seq;
	seg->sacked = 0;
	seg->flags = 0;
	seg->truesize = 0;
	return seg;
}

/* ---- delivery ---- */

/* The sample is that of the segment sent last among those delivered; net/ipv4/tcp_rate.c. */
static inline void tcp_rate_delivered(struct tcp_sock *sk, struct tcp_seg *seg,
				      struct rate_sample *rs)
{
	if (!seg->delivered_us)
		return;
	if (!rs->prior_us ||
	    tcp_sent_after(seg->tx_mark, rs->last_tx_mark, seg->end_seq, rs->last_end_seq)) {
		rs->prior_delivered = seg->delivered;
		rs->prior_us = seg->delivered_us;
		rs->is_app_limited = seg->flags & SEG_APP_LIM;
		rs->is_retrans = seg->sacked & TCPCB_RETRANS;
		rs->last_end_seq = seg->end_seq;
		rs->last_tx_mark = seg->tx_mark;
		sk->first_tx_us = seg->sent_us;
		rs->interval_us = (s64)(seg->sent_us - seg->first_tx_us);
	}
	if (seg->sacked & TCPCB_SACKED_ACKED)
		seg->delivered_us = 0;
}

static inline void tcp_rack_advance(struct tcp_sock *sk, const struct tcp_seg *seg)
{
	u32 rtt = (u32)(sk->tcp->us - seg->sent_us);

	/* Sooner than any packet ever: the original came, not its retransmission. */
	if (rtt < tcp_min_rtt(sk) && (seg->sacked & TCPCB_RETRANS))
		return;
	sk->rack.advanced = true;
	sk->rack.rtt_us = rtt;
	if (tcp_sent_after(seg->tx_mark, sk->rack.tx_mark, seg->end_seq, sk->rack.end_seq)) {
		sk->rack.mstamp = seg->sent_us;
		sk->rack.tx_mark = seg->tx_mark;
		sk->rack.end_seq = seg->end_seq;
	}
}

#endif
