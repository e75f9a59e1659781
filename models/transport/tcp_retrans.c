// SPDX-License-Identifier: GPL-3.0-or-later
/* Retransmission: what is marked lost, as the window allows, and the tail loss probe. */
#include "transport/tcp.h"

#include <errno.h>

/* The packet that carried it last is still in this host's queues: no use in a second one. */
static bool still_in_host(struct tcp_sock *sk, const struct tcp_seg *seg)
{
	if (!tcp_since(sk, ERA_WRITE_LIMITS) || (s32)(seg->tx_mark - sk->tx_freed) <= 0)
		return false;
	sk->throttled = true;
	return true;
}

/*
 * Sends the segment at @index again, and with it up to @max_segs in all that follow in the same state, as one packet.
 * Returns how many went out, or as ip_output() when none did: negative, or positive negated to -ENOBUFS.
 */
static int resend(struct tcp_sock *sk, u32 index, u32 max_segs)
{
	struct tcp_seg *seg = tcp_seg(sk, index);
	u32 end = tcp_seg_tail(sk), n = 1, len, mss = tcp_current_mss(sk);
	s32 window = (s32)(tcp_wnd_end(sk) - seg->seq);
	u8 tags = seg->sacked & TCPCB_TAGBITS;
	u8 flags = 0;
	int err;

	if (still_in_host(sk, seg))
		return -EBUSY;
	if (!tcp_since(sk, ERA_RETRANS_WMEM)) {
		u32 most = sk->wmem_queued + (sk->wmem_queued >> 2);

		if (sk->wmem_alloc > min_u32(most, sk->sndbuf))
			return -EAGAIN;
	}
	if (seg->flags & SEG_SYN) {
		tcp_send_syn(sk);
		sk->total_retrans++;
		seg->sacked |= TCPCB_EVER_RETRANS;
		tcp_seg_sent(sk, seg, index);
		return 1;
	}
	/* Beyond a window that shrank nothing is sent, but for the first: it probes the window. */
	if (window <= 0) {
		if (seg->seq != sk->snd_una)
			return -EAGAIN;
		window = (s32)mss;
	}
	len = seg->end_seq - seg->seq;
	while (n < max_segs && index + n != end &&
	       !(tcp_seg(sk, index + n - 1)->flags & SEG_SKB_END)) {
		const struct tcp_seg *next = tcp_seg(sk, index + n);
		u32 more = next->end_seq - next->seq;

		if ((next->sacked & TCPCB_TAGBITS) != tags || (s32)(len + more) > window)
			break;
		len += more;
		n++;
	}
	if (tcp_seg(sk, index + n - 1)->flags & SEG_PSH)
		flags |= TCP_FLAG_PSH;
	if (tcp_seg(sk, index + n - 1)->flags & SEG_FIN) {
		flags |= TCP_FLAG_FIN;
		len--;
	}
	sk->total_retrans += n;
	sk->info.retransmits += n;
	sk->tcp->retransmits += n;
	err = tcp_send_data(sk, seg->seq, len, n, tcp_skb_truesize(sk, len), flags);
	for (u32 i = index; i != index + n; i++) {
		tcp_seg(sk, i)->sacked |= TCPCB_EVER_RETRANS;
		if (!err)
			tcp_seg_sent(sk, tcp_seg(sk, i), i);
	}
	if (err)
		return err > 0 ? -ENOBUFS : err;
	return (int)n;
}

/* The same with its place in the scoreboard; tcp_retransmit_skb(). */
int tcp_retransmit_seg(struct tcp_sock *sk, u32 index, u32 max_segs)
{
	int n = resend(sk, index, max_segs);
	int counted = n > 0 ? n : 1;

	for (int i = 0; i < n; i++)
		tcp_seg(sk, index + (u32)i)->sacked |= TCPCB_RETRANS;
	if (n > 0)
		sk->retrans_out += (u32)n;
	if (!sk->retrans_stamp)
		sk->retrans_stamp = tcp_us_to_ts(sk, tcp_seg(sk, index)->sent_us);
	if (sk->undo_retrans < 0)
		sk->undo_retrans = 0;
	sk->undo_retrans += counted;
	return n;
}

/* Nothing at @seg or behind it is marked lost. */
static bool behind_the_lost(const struct tcp_sock *sk, const struct tcp_seg *seg)
{
	if (sk->par->forward_retransmit)
		return !before(seg->seq, sk->retransmit_high);
	return sk->retrans_out >= sk->lost_out;
}

/*
 * Until 4.10: in recovery, with all that is lost sent again and nothing new to send, what lies below the highest SACK
 * goes again too, lost or not (rule 3 of NextSeg() in RFC 3517; tcp_can_forward_retransmit()). From @i on.
 */
static void forward_retransmit(struct tcp_sock *sk, u32 i)
{
	u32 end = tcp_seg_tail(sk);

	if (sk->ca_state != TCP_CA_Recovery || !sk->sack_ok || tcp_may_send_now(sk))
		return;
	for (; i != end; i++) {
		const struct tcp_seg *seg = tcp_seg(sk, i);

		sk->retransmit_hint = i;
		if (tcp_packets_in_flight(sk) >= sk->snd_cwnd ||
		    !before(seg->seq, tcp_highest_sack_seq(sk)))
			break;
		if (seg->sacked & (TCPCB_SACKED_ACKED | TCPCB_SACKED_RETRANS))
			continue;
		if (tcp_retransmit_seg(sk, i, 1) <= 0)
			break;
		if (tcp_in_cwnd_reduction(sk))
			sk->prr_out++;
	}
}

/* Memory of the skb that Linux would keep from the segment at @index on: SACKs cut skbs at their edges. */
static u32 lost_truesize(const struct tcp_sock *sk, u32 index)
{
	u32 end = tcp_seg_tail(sk), first = tcp_seg(sk, index)->seq;
	const struct tcp_seg *seg;
	u8 tags = tcp_seg(sk, index)->sacked & TCPCB_TAGBITS;

	do
		seg = tcp_seg(sk, index++);
	while (!(seg->flags & SEG_SKB_END) && index != end &&
	       (tcp_seg(sk, index)->sacked & TCPCB_TAGBITS) == tags);
	return tcp_skb_truesize(sk, seg->end_seq - first);
}

void tcp_xmit_retransmit_queue(struct tcp_sock *sk)
{
	u32 head = sk->seg_head, end = tcp_seg_tail(sk), i;
	u32 hole = SEG_NONE, max_segs;
	bool rearm = false, all = false;

	if (!sk->packets_out)
		return;
	/* Until 4.6 segment by segment. */
	max_segs = tcp_since(sk, ERA_RETRANS_TSO) ? tcp_tso_segs(sk, tcp_current_mss(sk)) : 1;
	if (!sk->lost_out)
		sk->retransmit_high = sk->snd_una;
	i = sk->retransmit_hint != SEG_NONE ? sk->retransmit_hint : head;
	for (; i != end; i++) {
		const struct tcp_seg *seg = tcp_seg(sk, i);
		s32 segs;
		int n;

		if (tcp_pacing_check(sk))
			break;
		if (hole == SEG_NONE)
			sk->retransmit_hint = i;
		segs = (s32)(sk->snd_cwnd - tcp_packets_in_flight(sk));
		if (segs <= 0)
			break;
		if (behind_the_lost(sk, seg)) {
			all = true;
			break;
		}
		if (!(seg->sacked & TCPCB_LOST)) {
			if (hole == SEG_NONE &&
			    !(seg->sacked & (TCPCB_SACKED_RETRANS | TCPCB_SACKED_ACKED)))
				hole = i;
			continue;
		}
		if (seg->sacked & (TCPCB_SACKED_ACKED | TCPCB_SACKED_RETRANS))
			continue;
		if (tcp_since(sk, ERA_RETRANS_TSQ) &&
		    tcp_small_queue_check(sk, lost_truesize(sk, i), 1))
			break;
		n = tcp_retransmit_seg(sk, i, min_u32((u32)segs, max_segs));
		if (n <= 0)
			break;
		if (tcp_in_cwnd_reduction(sk))
			sk->prr_out += (u32)n;
		if (i == head && sk->xmit_pending != XMIT_REO)
			rearm = true;
		i += (u32)n - 1;
	}
	if (rearm)
		tcp_reset_xmit_timer(sk, XMIT_RETRANS, sk->rto, sk->tcp->rto_max_j);
	if (all && sk->par->forward_retransmit)
		forward_retransmit(sk, hole != SEG_NONE ? hole : i);
}

/* ---- tail loss probe, RFC 8985 7 ----------------------------------------------------------- */

/* The timeout of 3.10 to 4.12, jiffies. */
static u32 old_probe_timeout(const struct tcp_sock *sk)
{
	const struct tcp *t = sk->tcp;
	u32 rtt = tcp_us_to_jiffies(t, tcp_srtt_us(sk));
	u32 timeout = rtt ? rtt << 1 : t->rto_init_j;

	if (sk->packets_out == 1)
		timeout = max_u32(timeout, rtt + (rtt >> 1) + t->delack_max_j);
	return max_u32(timeout, tcp_us_to_jiffies(t, 10000));
}

bool tcp_schedule_loss_probe(struct tcp_sock *sk, bool advancing_rto)
{
	const struct tcp *t = sk->tcp;
	bool keep = false;
	u32 timeout;

	if (!sk->tlp || !sk->packets_out ||
	    (sk->ca_state != TCP_CA_Open && sk->ca_state != TCP_CA_CWR))
		return false;
	if (!tcp_since(sk, ERA_TLP_RTO_MIN)) {
		if (sk->ca_state != TCP_CA_Open ||
		    (sk->snd_cwnd > tcp_packets_in_flight(sk) && sk->unsent_n))
			return false;
		timeout = old_probe_timeout(sk);
	} else if (sk->srtt) {
		u32 us = (tcp_srtt_us(sk) << 1);

		keep = sk->packets_out > 1 && !t->no_fast;

		us += sk->packets_out == 1 ? (u32)(sk->par->rto_min / 1000) : 2000;
		timeout = tcp_us_to_jiffies(t, us);
	} else {
		timeout = t->rto_init_j;
	}
	/* Not later than the timeout proper. */
	if (advancing_rto) {
		timeout = min_u32(timeout, sk->rto);
	} else {
		s64 rto_us = tcp_rto_delta_us(sk);

		if (rto_us > 0) {
			u32 rto = tcp_us_to_jiffies(t, (u64)rto_us);

			/* Until the jiffy is over that is one less at most. */
			keep = keep && timeout < rto;
			timeout = min_u32(timeout, rto);
		}
	}
	tcp_reset_xmit_timer(sk, XMIT_LOSS_PROBE, timeout, t->rto_max_j);
	/* Until an ACK comes, the next packet's timeout is reckoned from the same figures. */
	sk->probe_kept = keep && !advancing_rto;
	sk->probe_jiffies = t->jiffies;
	return true;
}

/* A segment never sent before if there is one, else the last one again. */
void tcp_send_loss_probe(struct tcp_sock *sk)
{
	u32 mss = tcp_current_mss(sk);
	u32 last, prior = sk->packets_out;

	if (sk->tlp_high_seq)
		goto rearm;
	sk->tlp_retrans = false;
	if (sk->unsent_n &&
	    !after(sk->snd_nxt + min_u32(tcp_unsent_len(sk), mss), tcp_wnd_end(sk))) {
		tcp_write_xmit(sk, mss, NAGLE_OFF, 2);
		if (sk->packets_out > prior)
			goto sent;
		goto rearm;
	}
	if (!sk->packets_out) {
		sk->xmit_pending = XMIT_NONE;
		return;
	}
	last = tcp_seg_tail(sk) - 1;
	if (resend(sk, last, 1) <= 0)
		goto rearm;
	sk->tlp_retrans = true;
sent:
	sk->tlp_high_seq = sk->snd_nxt;
	sk->xmit_pending = XMIT_NONE;
rearm:
	tcp_rearm_rto(sk);
}
