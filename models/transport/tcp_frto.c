// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * F-RTO as Linux had it from 2.6.24 to 3.9 (RFC 4138 with its appendix B for SACK; net/ipv4/tcp_input.c of 2.6.32,
 * tcp_enter_frto() and tcp_process_frto()): the timeout does not enter Loss yet. The head goes out again; an ACK that
 * advances lets two new segments go; the next ACK decides. The later form, of 3.10, is in tcp_recovery.c.
 */
#include "transport/tcp.h"

/* The variant that SACK makes safe; the other must have retransmitted nothing but the head. */
static bool sack_enhanced(const struct tcp_sock *sk)
{
	return sk->sack_ok;
}

bool tcp_frto_usable(const struct tcp_sock *sk)
{
	if (!sk->par->frto || sk->par->frto_form != FRTO_RFC4138 || sk->state < TCP_ESTABLISHED)
		return false;
	if (sack_enhanced(sk))
		return true;
	if (sk->retrans_out > 1)
		return false;
	for (u32 i = sk->seg_head + 1; i != tcp_seg_tail(sk); i++) {
		u8 sacked = tcp_seg(sk, i)->sacked;

		if (sacked & TCPCB_RETRANS)
			return false;
		if (!(sacked & TCPCB_SACKED_ACKED))
			break;
	}
	return true;
}

static u32 ssthresh_now(struct tcp_sock *sk)
{
	u32 cwnd = sk->snd_cwnd, ssthresh;

	/* The window of an F-RTO under way is not yet what its timeout will make of it. */
	if (sk->frto_counter)
		sk->snd_cwnd = 2;
	ssthresh = sk->ca_ops->ssthresh(sk);
	sk->snd_cwnd = cwnd;
	return ssthresh;
}

void tcp_frto_enter(struct tcp_sock *sk)
{
	struct tcp_seg *head = tcp_seg(sk, sk->seg_head);
	bool recovering = sk->frto_counter || sk->ca_state >= TCP_CA_Recovery;

	if ((!sk->frto_counter && sk->ca_state <= TCP_CA_Disorder) || sk->snd_una == sk->high_seq ||
	    ((sk->ca_state == TCP_CA_Loss || sk->frto_counter) && !sk->retransmits)) {
		sk->prior_ssthresh = tcp_current_ssthresh(sk);
		sk->prior_cwnd = sk->snd_cwnd;
		sk->snd_ssthresh = ssthresh_now(sk);
	}
	sk->undo_marker = head->sacked & TCPCB_RETRANS ? 0 : sk->snd_una;
	sk->undo_retrans = 0;
	if (head->sacked & TCPCB_SACKED_RETRANS) {
		head->sacked &= (u8)~TCPCB_SACKED_RETRANS;
		sk->retrans_out--;
	}
	sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk) + 1);
	sk->frto_highmark = sack_enhanced(sk) && recovering && after(sk->high_seq, sk->snd_una)
				    ? sk->high_seq
				    : sk->snd_nxt;
	tcp_set_ca_state(sk, TCP_CA_Disorder);
	sk->high_seq = sk->snd_nxt;
	sk->frto_counter = 1;
}

/* It was a loss: all that was not SACKed is sent again, @allowed of it at once. */
static void enter_loss(struct tcp_sock *sk, u32 allowed, u32 flag)
{
	bool head_counts = sk->frto_counter == 1 && !(flag & FLAG_DATA_ACKED);

	sk->lost_out = 0;
	sk->retrans_out = 0;
	sk->retransmit_hint = SEG_NONE;
	sk->lost_hint = SEG_NONE;
	if (!sk->sack_ok)
		sk->sacked_out = 0;
	for (u32 i = sk->seg_head; i != tcp_seg_tail(sk); i++) {
		struct tcp_seg *seg = tcp_seg(sk, i);

		seg->sacked &= (u8)~TCPCB_LOST;
		/* The timeout's own retransmission is still on its way. */
		if (head_counts && i == sk->seg_head) {
			sk->retrans_out += (seg->sacked & TCPCB_SACKED_RETRANS) != 0;
		} else {
			if (seg->sacked & TCPCB_RETRANS)
				sk->undo_marker = 0;
			seg->sacked &= (u8)~TCPCB_SACKED_RETRANS;
		}
		tcp_mark_seg_lost(sk, i);
	}
	sk->retransmit_hint = SEG_NONE;
	sk->snd_cwnd = tcp_packets_in_flight(sk) + allowed;
	sk->snd_cwnd_cnt = 0;
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	sk->frto_counter = 0;
	sk->reordering = min_u32(sk->reordering, (u32)sk->par->reordering);
	tcp_set_ca_state(sk, TCP_CA_Loss);
	sk->high_seq = sk->snd_nxt;
	if (sk->ecn_flags & TCP_ECN_OK)
		sk->ecn_flags |= TCP_ECN_QUEUE_CWR;
}

/* It was none (tcp_frto_response 0): what was in flight stays, the window comes down to ssthresh as after ECN. */
static void spurious(struct tcp_sock *sk)
{
	sk->prior_ssthresh = 0;
	sk->info.spurious++;
	if (sk->ca_state >= TCP_CA_CWR)
		return;
	sk->undo_marker = 0;
	sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk) + 1);
	sk->snd_cwnd_cnt = 0;
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	sk->prior_cwnd = sk->snd_cwnd;
	sk->prr_delivered = 0;
	sk->prr_out = 0;
	sk->high_seq = sk->snd_nxt;
	if (sk->ecn_flags & TCP_ECN_OK)
		sk->ecn_flags |= TCP_ECN_QUEUE_CWR;
	tcp_set_ca_state(sk, TCP_CA_CWR);
}

/* What the second ACK says with SACK: 0 spurious, 1 nothing, 2 a loss. */
static u32 sack_verdict(const struct tcp_sock *sk, u32 flag)
{
	bool progress = flag & FLAG_FORWARD_PROGRESS;

	if (progress && (!(flag & FLAG_DATA_SACKED) || (flag & FLAG_ONLY_ORIG_SACKED)))
		return 0;
	return !progress && (flag & FLAG_NOT_DUP) ? 1 : 2;
}

bool tcp_frto_process(struct tcp_sock *sk, u32 flag)
{
	bool first = sk->frto_counter == 1;

	if (flag & FLAG_DATA_ACKED)
		sk->retransmits = 0;
	if ((flag & FLAG_NONHEAD_RETRANS_ACKED) || (!first && (flag & FLAG_RETRANS_DATA_ACKED)))
		sk->undo_marker = 0;
	if (!before(sk->snd_una, sk->frto_highmark)) {
		enter_loss(sk, first ? 2 : 3, flag);
		return true;
	}
	if (!sack_enhanced(sk)) {
		if (!(flag & (FLAG_FORWARD_PROGRESS | FLAG_SND_UNA_ADVANCED)) &&
		    (flag & FLAG_NOT_DUP))
			return true;
		if (!(flag & FLAG_DATA_ACKED)) {
			enter_loss(sk, first ? 0 : 3, flag);
			return true;
		}
	} else if (first) {
		/* No new data on a mere SACK: only an advance tells. */
		if (!(flag & FLAG_DATA_ACKED)) {
			sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk));
			return true;
		}
	} else {
		switch (sack_verdict(sk, flag)) {
		case 1:
			return true;
		case 2:
			enter_loss(sk, 3, flag);
			return true;
		default:
			break;
		}
	}
	if (first) {
		sk->snd_cwnd = tcp_packets_in_flight(sk) + 2;
		sk->frto_counter = 2;
		if (!tcp_may_send_now(sk))
			enter_loss(sk, 2, flag);
		return true;
	}
	spurious(sk);
	sk->frto_counter = 0;
	sk->undo_marker = 0;
	return false;
}
