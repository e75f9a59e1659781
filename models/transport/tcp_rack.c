// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * RACK (RFC 8985): a segment is lost when one sent later has been delivered and the reordering window has passed.
 * Follows net/ipv4/tcp_recovery.c of 6.1; `assist` is the form of 4.4, beside the counts.
 */
#include "transport/tcp.h"

#define RECOVERY_THRESH 16u /* recoveries for which a widened window is kept */
#define DUPTHRESH	3u
#define TIMEOUT_MIN_US	2000u
#define ASSIST_REO_US	1000u

static u32 reo_wnd(const struct tcp_sock *sk)
{
	u32 wnd, srtt;

	if (!sk->reord_seen) {
		if (sk->ca_state >= TCP_CA_Recovery || sk->sacked_out >= sk->reordering)
			return 0;
	}
	wnd = (tcp_min_rtt(sk) >> 2) * sk->rack.reo_wnd_steps;
	srtt = tcp_srtt_us(sk);
	return min_u32(wnd, srtt);
}

s32 tcp_rack_timeout(const struct tcp_sock *sk, const struct tcp_seg *seg, u32 wnd)
{
	return (s32)(sk->rack.rtt_us + wnd - (u32)(sk->tcp->us - seg->sent_us));
}

/* Marks what is lost; returns how long to wait for the rest, us. */
static u32 detect_loss(struct tcp_sock *sk)
{
	u32 wnd = reo_wnd(sk), wait = 0, next;

	for (u32 i = sk->ts_first; i != SEG_NONE; i = next) {
		struct tcp_seg *seg = tcp_seg(sk, i);
		s32 left;

		next = seg->next;
		if ((seg->sacked & TCPCB_LOST) && !(seg->sacked & TCPCB_SACKED_RETRANS))
			continue;
		if (!tcp_sent_after(sk->rack.tx_mark, seg->tx_mark, sk->rack.end_seq, seg->end_seq))
			break;
		left = tcp_rack_timeout(sk, seg, wnd);
		if (left <= 0) {
			tcp_mark_seg_lost(sk, i);
			tcp_ts_unlink(sk, seg);
		} else {
			wait = max_u32(wait, (u32)left);
		}
	}
	return wait;
}

/* 4.4: only what was sent more than the window before the latest delivered one. */
static bool assist_mark_lost(struct tcp_sock *sk)
{
	u32 wnd = ASSIST_REO_US, prior = sk->retrans_out, next;

	if (!sk->rack.advanced)
		return false;
	sk->rack.advanced = false;
	if ((sk->rack.reord || !sk->lost_out) && tcp_min_rtt(sk) != UINT32_MAX)
		wnd = max_u32(tcp_min_rtt(sk) >> 2, wnd);
	for (u32 i = sk->ts_first; i != SEG_NONE; i = next) {
		struct tcp_seg *seg = tcp_seg(sk, i);

		next = seg->next;
		if (seg->sent_us >= sk->rack.mstamp)
			break;
		if ((seg->sacked & TCPCB_LOST) && !(seg->sacked & TCPCB_SACKED_RETRANS))
			continue;
		if (sk->rack.mstamp - seg->sent_us <= wnd)
			continue;
		tcp_mark_seg_lost(sk, i);
		tcp_ts_unlink(sk, seg);
	}
	return prior > sk->retrans_out;
}

/* True when a reordering timer was set; under `assist`, when a retransmission proved lost. */
bool tcp_rack_mark_lost(struct tcp_sock *sk)
{
	u32 wait;

	if (sk->par->rack == RACK_ASSIST)
		return assist_mark_lost(sk);
	if (!sk->rack.advanced)
		return false;
	sk->rack.advanced = false;
	wait = detect_loss(sk);
	if (wait)
		tcp_reset_xmit_timer(sk, XMIT_REO,
				     tcp_us_to_jiffies(sk->tcp, wait + TIMEOUT_MIN_US), sk->rto);
	return wait != 0;
}

void tcp_rack_reo_timeout(struct tcp_sock *sk)
{
	u32 prior = tcp_packets_in_flight(sk);
	u32 lost = sk->lost;

	detect_loss(sk);
	if (prior != tcp_packets_in_flight(sk)) {
		if (sk->ca_state != TCP_CA_Recovery) {
			tcp_enter_recovery(sk, false);
			if (!sk->ca_ops->cong_control)
				tcp_cwnd_reduction(sk, 1, sk->lost - lost, 0);
		}
		tcp_xmit_retransmit_queue(sk);
	}
	if (sk->xmit_pending != XMIT_RETRANS)
		tcp_rearm_rto(sk);
}

/* The window widens by a quarter of the minimum RTT for every round with a D-SACK. */
void tcp_rack_update_reo_wnd(struct tcp_sock *sk, const struct rate_sample *rs)
{
	if (sk->par->rack != RACK_ON || !rs->prior_us)
		return;
	if (before(rs->prior_delivered, sk->rack.last_delivered))
		sk->rack.dsack_seen = false;
	if (sk->rack.dsack_seen) {
		if (sk->rack.reo_wnd_steps < 0xff)
			sk->rack.reo_wnd_steps++;
		sk->rack.dsack_seen = false;
		sk->rack.last_delivered = sk->delivered;
		sk->rack.reo_wnd_persist = RECOVERY_THRESH;
	} else if (!sk->rack.reo_wnd_persist) {
		sk->rack.reo_wnd_steps = 1;
	}
}

/* An ACK during a tail loss probe: was something lost that the probe repaired? */
void tcp_process_tlp_ack(struct tcp_sock *sk, u32 ack, u32 flag)
{
	if (before(ack, sk->tlp_high_seq))
		return;
	if (!sk->tlp_retrans) {
		sk->tlp_high_seq = 0;
	} else if (flag & FLAG_DSACK_TLP) {
		sk->tlp_high_seq = 0;
	} else if (after(ack, sk->tlp_high_seq)) {
		tcp_init_cwnd_reduction(sk);
		tcp_set_ca_state(sk, TCP_CA_CWR);
		tcp_end_cwnd_reduction(sk);
		tcp_try_keep_open(sk);
	} else if (!(flag & (FLAG_SND_UNA_ADVANCED | FLAG_NOT_DUP | FLAG_DATA_SACKED))) {
		sk->tlp_high_seq = 0;
	}
}
