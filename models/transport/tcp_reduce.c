// SPDX-License-Identifier: GPL-3.0-or-later
/* How the window comes down: proportional rate reduction, or rate halving before it; and how it is given back. */
#include "transport/tcp.h"

void tcp_ca_event(struct tcp_sock *sk, enum tcp_ca_event ev)
{
	if (sk->ca_ops->cwnd_event)
		sk->ca_ops->cwnd_event(sk, ev);
}

void tcp_set_ca_state(struct tcp_sock *sk, u8 state)
{
	if (sk->ca_ops->set_state)
		sk->ca_ops->set_state(sk, state);
	sk->ca_state = state;
}

static void queue_cwr(struct tcp_sock *sk)
{
	if (sk->ecn_flags & TCP_ECN_OK)
		sk->ecn_flags |= TCP_ECN_QUEUE_CWR;
}

/* PRR came to Recovery with 3.2 and to CWR with 3.7. */
bool tcp_rate_halves(const struct tcp_sock *sk)
{
	return sk->par->reduction == REDUCTION_RATE_HALVING ||
	       (sk->ca_state == TCP_CA_CWR && !tcp_since(sk, ERA_PRR_CWR));
}

void tcp_init_cwnd_reduction(struct tcp_sock *sk)
{
	sk->high_seq = sk->snd_nxt;
	sk->tlp_high_seq = 0;
	sk->snd_cwnd_cnt = 0;
	sk->prior_cwnd = sk->snd_cwnd;
	sk->prr_delivered = 0;
	sk->prr_out = 0;
	sk->snd_ssthresh = sk->ca_ops->ssthresh(sk);
	queue_cwr(sk);
}

/* Before 3.2: a segment less for every second ACK, never more than is in flight. */
static void rate_halving(struct tcp_sock *sk, u32 flag)
{
	u32 decr = sk->snd_cwnd_cnt + 1;

	if (!(flag & (FLAG_FORWARD_PROGRESS | FLAG_DSACKING_ACK)) &&
	    (sk->sack_ok || (flag & FLAG_NOT_DUP)))
		return;
	sk->snd_cwnd_cnt = decr & 1;
	decr >>= 1;
	if (decr && sk->snd_cwnd > sk->snd_ssthresh)
		sk->snd_cwnd -= decr;
	sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk) + 1);
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
}

/* RFC 6937 with the slow start part, as 3.2, 4.x and 6.1 have it. */
void tcp_cwnd_reduction(struct tcp_sock *sk, u32 newly, u32 newly_lost, u32 flag)
{
	s32 delta, sndcnt, conserve;

	if (tcp_rate_halves(sk)) {
		rate_halving(sk, flag);
		return;
	}
	if ((s32)newly <= 0 || !sk->prior_cwnd)
		return;
	delta = (s32)(sk->snd_ssthresh - tcp_packets_in_flight(sk));
	sk->prr_delivered += newly;
	if (delta < 0) {
		u64 dividend = (u64)sk->snd_ssthresh * sk->prr_delivered + sk->prior_cwnd - 1;

		sndcnt = (s32)(dividend / sk->prior_cwnd) - (s32)sk->prr_out;
	} else {
		conserve = (s32)(sk->prr_delivered - sk->prr_out);
		if (conserve < (s32)newly)
			conserve = (s32)newly;
		if (tcp_since(sk, ERA_PRR_UNA)) {
			sndcnt = conserve + ((flag & FLAG_SND_UNA_ADVANCED) && !newly_lost);
		} else if (!tcp_since(sk, ERA_PRR_CRB) ||
			   ((flag & FLAG_RETRANS_DATA_ACKED) && !(flag & FLAG_LOST_RETRANS))) {
			sndcnt = conserve + 1;
		} else {
			sndcnt = (s32)newly;
		}
		if (sndcnt > delta)
			sndcnt = delta;
	}
	if (sndcnt < (sk->prr_out ? 0 : 1))
		sndcnt = sk->prr_out ? 0 : 1;
	sk->snd_cwnd = tcp_packets_in_flight(sk) + (u32)sndcnt;
}

void tcp_end_cwnd_reduction(struct tcp_sock *sk)
{
	if (sk->ca_ops->cong_control)
		return;
	if (sk->par->reduction == REDUCTION_RATE_HALVING) {
		sk->snd_cwnd = min_u32(sk->snd_cwnd, sk->snd_ssthresh);
		sk->snd_cwnd_stamp = sk->tcp->jiffies;
	} else if (sk->snd_ssthresh < TCP_INFINITE_SSTHRESH &&
		   ((sk->ca_state == TCP_CA_CWR && tcp_since(sk, ERA_PRR_CWR)) ||
		    sk->undo_marker)) {
		sk->snd_cwnd = sk->snd_ssthresh;
		sk->snd_cwnd_stamp = sk->tcp->jiffies;
	}
	tcp_ca_event(sk, CA_EVENT_COMPLETE_CWR);
}

/* Congestion without a loss: ECN, or a full queue in this host. */
void tcp_enter_cwr(struct tcp_sock *sk)
{
	sk->prior_ssthresh = 0;
	if (sk->ca_state >= TCP_CA_CWR || sk->state < TCP_ESTABLISHED)
		return;
	sk->undo_marker = 0;
	tcp_init_cwnd_reduction(sk);
	tcp_set_ca_state(sk, TCP_CA_CWR);
	if (tcp_rate_halves(sk))
		sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk) + 1);
}

/* Before PRR: no burst of more than the reordering that is expected. */
void tcp_moderate_cwnd(struct tcp_sock *sk)
{
	if (sk->par->reduction != REDUCTION_RATE_HALVING)
		return;
	sk->snd_cwnd = min_u32(sk->snd_cwnd, tcp_packets_in_flight(sk) + (u32)sk->par->reordering);
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
}

bool tcp_any_retrans_done(const struct tcp_sock *sk)
{
	return sk->retrans_out ||
	       (sk->packets_out && (tcp_seg(sk, sk->seg_head)->sacked & TCPCB_EVER_RETRANS));
}

/* It was no loss: the window comes back. */
void tcp_undo_cwnd_reduction(struct tcp_sock *sk, bool unmark_loss)
{
	if (unmark_loss) {
		for (u32 i = sk->seg_head; i != tcp_seg_tail(sk); i++)
			tcp_seg(sk, i)->sacked &= (u8)~TCPCB_LOST;
		sk->lost_out = 0;
		sk->retransmit_hint = SEG_NONE;
		sk->lost_hint = SEG_NONE;
	}
	if (sk->prior_ssthresh) {
		sk->snd_cwnd = sk->ca_ops->undo_cwnd(sk);
		if (sk->prior_ssthresh > sk->snd_ssthresh) {
			sk->snd_ssthresh = sk->prior_ssthresh;
			sk->ecn_flags &= (u8)~TCP_ECN_QUEUE_CWR;
		}
	}
	tcp_moderate_cwnd(sk);
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	sk->undo_marker = 0;
	sk->rack.advanced = true;
	sk->info.spurious++;
}
