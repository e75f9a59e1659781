// SPDX-License-Identifier: GPL-3.0-or-later
/* What an ACK does to the sender (net/ipv4/tcp_input.c, tcp_ack()). */
#include "transport/tcp.h"

void tcp_rearm_rto(struct tcp_sock *sk)
{
	u32 rto = sk->rto;

	if (!sk->packets_out) {
		tcp_clear_xmit_timer(sk);
		return;
	}
	if (sk->xmit_pending == XMIT_REO || sk->xmit_pending == XMIT_LOSS_PROBE) {
		s64 us = tcp_rto_delta_us(sk);

		rto = tcp_us_to_jiffies(sk->tcp, us > 1 ? (u64)us : 1);
	}
	tcp_reset_xmit_timer(sk, XMIT_RETRANS, rto, sk->tcp->rto_max_j);
}

/* ---- the window ---------------------------------------------------------------------------- */

static u32 update_window(struct tcp_sock *sk, const struct packet *p)
{
	u32 ack = p->tcp.ack, wnd = p->tcp.wnd, flag = 0;

	if (after(ack, sk->snd_una) || after(p->tcp.seq, sk->snd_wl1) ||
	    (p->tcp.seq == sk->snd_wl1 && wnd > sk->snd_wnd)) {
		flag = FLAG_WIN_UPDATE;
		sk->snd_wl1 = p->tcp.seq;
		if (sk->snd_wnd != wnd) {
			sk->snd_wnd = wnd;
			if (sk->unsent_n)
				tcp_slow_start_after_idle_check(sk);
			if (wnd > sk->max_window)
				sk->max_window = wnd;
		}
	}
	sk->snd_una = ack;
	return flag;
}

static void ack_probe(struct tcp_sock *sk)
{
	if (!sk->unsent_n)
		return;
	if (!after(sk->snd_nxt + min_u32(tcp_unsent_len(sk), sk->mss_cache), tcp_wnd_end(sk))) {
		sk->backoff = 0;
		tcp_clear_xmit_timer(sk);
	} else {
		tcp_reset_xmit_timer(sk, XMIT_PROBE0, tcp_probe0_when(sk), sk->tcp->rto_max_j);
	}
}

/* ---- the scoreboard ------------------------------------------------------------------------ */

struct acked {
	u64 first_us, last_us; /* sending times of the first and last never retransmitted */
	u32 reord; /* lowest sequence acknowledged and neither SACKed nor retransmitted */
	u32 pkts;
	bool partial; /* the last one only in part */
};

/* No hint stays behind what is acknowledged. */
static inline void hints_follow(struct tcp_sock *sk)
{
	if (sk->retransmit_hint != SEG_NONE && (s32)(sk->retransmit_hint - sk->seg_head) < 0)
		sk->retransmit_hint = SEG_NONE;
	if (sk->lost_hint != SEG_NONE && (s32)(sk->lost_hint - sk->seg_head) < 0)
		sk->lost_hint = SEG_NONE;
	if ((s32)(sk->highest_sack - sk->seg_head) < 0)
		sk->highest_sack = sk->seg_head;
}

/* Takes the acknowledged segments off the ring. */
static u32 clean_ring(struct tcp_sock *sk, struct tcp_ack_state *st, struct acked *a)
{
	bool rack = sk->par->rack != RACK_OFF;
	u32 una = sk->snd_una, flag = 0;
	u32 n = sk->packets_out;

	while (n) {
		struct tcp_seg *seg = tcp_seg(sk, sk->seg_head);
		u8 sacked = seg->sacked;

		if (after(seg->end_seq, una)) {
			/* Part of a segment: the rest of it stays. */
			if (after(una, seg->seq) && !(seg->flags & SEG_FIN)) {
				u32 cut = una - seg->seq;

				seg->seq = una;
				seg->truesize -= cut;
				sk->wmem_queued -= cut;
				a->partial = true;
			}
			break;
		}
		if (__builtin_expect(sacked & TCPCB_RETRANS, 0)) {
			if (sacked & TCPCB_SACKED_RETRANS)
				sk->retrans_out--;
			flag |= FLAG_RETRANS_DATA_ACKED;
			if (a->pkts)
				flag |= FLAG_NONHEAD_RETRANS_ACKED;
		} else if (!(sacked & TCPCB_SACKED_ACKED)) {
			a->last_us = seg->sent_us;
			if (!a->first_us)
				a->first_us = seg->sent_us;
			if (before(seg->seq, a->reord))
				a->reord = seg->seq;
			if (!after(seg->end_seq, sk->high_seq))
				flag |= FLAG_ORIG_SACK_ACKED;
		}
		if (sacked & TCPCB_SACKED_ACKED) {
			sk->sacked_out--;
		} else if (sk->sack_ok) {
			sk->delivered++;
			if (rack && (!(sacked & TCPCB_RETRANS) ||
				     !(sk->saw_tstamp && sk->rcv_tsecr &&
				       before(sk->rcv_tsecr, tcp_us_to_ts(sk, seg->sent_us)))))
				tcp_rack_advance(sk, seg);
		}
		if (sacked & TCPCB_LOST)
			sk->lost_out--;
		tcp_rate_delivered(sk, seg, &st->rs);
		if (seg->flags & SEG_SYN) {
			flag |= FLAG_SYN_ACKED;
			sk->retrans_stamp = 0;
		} else {
			flag |= FLAG_DATA_ACKED;
		}
		if (seg->flags & SEG_LINKED)
			tcp_ts_unlink(sk, seg);
		if (seg->flags & SEG_SKB_END)
			sk->rtx_skbs--;
		sk->wmem_queued -= seg->truesize;
		a->pkts++;
		sk->seg_head++;
		sk->packets_out = --n;
	}
	if (!a->pkts)
		return flag;
	hints_follow(sk);
	return flag;
}

static s64 ca_rtt(const struct tcp_sock *sk, u64 sent_us)
{
	u32 jiffies;

	if (sk->par->rtt_clock == RTT_USEC || sk->par->reduction != REDUCTION_RATE_HALVING)
		return (s64)(sk->tcp->us - sent_us);
	/* 2.6.32 gave its congestion controls ticks, and nothing for less than one. */
	jiffies = sk->tcp->jiffies - tcp_us_to_ts(sk, sent_us);
	return jiffies ? (s64)tcp_jiffies_to_us(sk->tcp, jiffies) : -1;
}

static u32 clean_rtx_queue(struct tcp_sock *sk, u32 flag, u32 prior_fack, u32 prior_una,
			   struct tcp_ack_state *st)
{
	struct acked a = {.reord = sk->snd_nxt};
	s64 seq_us = -1, sack_us = -1, ca_us = -1;
	u32 prior_sacked = sk->sacked_out;
	bool updated;

	flag |= clean_ring(sk, st, &a);
	if (sk->packets_out && (tcp_seg(sk, sk->seg_head)->sacked & TCPCB_SACKED_ACKED))
		flag |= FLAG_SACK_RENEGING;
	if (a.first_us && !(flag & FLAG_RETRANS_DATA_ACKED)) {
		seq_us = (s64)(sk->tcp->us - a.first_us);
		ca_us = ca_rtt(sk, a.last_us);
		if (a.pkts == 1 && !a.partial && !prior_sacked &&
		    sk->snd_una - prior_una < sk->mss_cache &&
		    st->rs.prior_delivered + 1 == sk->delivered &&
		    !(flag & (FLAG_CA_ALERT | FLAG_SYN_ACKED)))
			flag |= FLAG_ACK_MAYBE_DELAYED;
	}
	if (st->first_sack_us) {
		sack_us = (s64)(sk->tcp->us - st->first_sack_us);
		if (sk->par->rtt_clock == RTT_USEC)
			ca_us = (s64)(sk->tcp->us - st->last_sack_us);
	}
	updated = tcp_ack_update_rtt(sk, flag, seq_us, sack_us, ca_us, &st->rs);
	if (flag & FLAG_ACKED) {
		flag |= FLAG_SET_XMIT_TIMER;
		if (!sk->sack_ok) {
			tcp_remove_reno_sacks(sk, a.pkts);
			if (flag & FLAG_RETRANS_DATA_ACKED)
				flag &= ~FLAG_ORIG_SACK_ACKED;
		} else {
			u32 delta = sk->fack_ok ? a.pkts : prior_sacked - sk->sacked_out;

			if (before(a.reord, prior_fack))
				tcp_check_sack_reordering(sk, a.reord);
			sk->lost_cnt_hint -= min_u32(sk->lost_cnt_hint, delta);
		}
	} else if (sk->packets_out && updated && sack_us >= 0 &&
		   sack_us > (s64)(sk->tcp->us - tcp_seg(sk, sk->seg_head)->sent_us)) {
		flag |= FLAG_SET_XMIT_TIMER;
	}
	if (sk->ca_ops->pkts_acked) {
		struct ack_sample sample = {
			.pkts_acked = a.pkts,
			.rtt_us = (s32)st->rs.rtt_us,
			.in_flight = sk->mss_cache * (sk->delivered - st->rs.prior_delivered),
		};

		sk->ca_ops->pkts_acked(sk, &sample);
	}
	return flag;
}

/* ---- congestion control -------------------------------------------------------------------- */

static bool may_raise_cwnd(const struct tcp_sock *sk, u32 flag)
{
	if (sk->par->count_segments && sk->reordering > (u32)sk->par->reordering)
		return flag & FLAG_FORWARD_PROGRESS;
	return flag & FLAG_DATA_ACKED;
}

static void cong_avoid(struct tcp_sock *sk, u32 ack, u32 acked)
{
	sk->ca_ops->cong_avoid(sk, ack, acked);
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
}

static void cong_control(struct tcp_sock *sk, u32 ack, u32 delivered, u32 flag,
			 const struct rate_sample *rs)
{
	if (sk->ca_ops->cong_control) {
		sk->ca_ops->cong_control(sk, rs);
		return;
	}
	if (tcp_in_cwnd_reduction(sk)) {
		if (!tcp_rate_halves(sk))
			tcp_cwnd_reduction(sk, delivered, rs->losses, flag);
	} else if (may_raise_cwnd(sk, flag)) {
		cong_avoid(sk, ack, sk->par->count_segments ? delivered : 1);
	}
	tcp_update_pacing_rate(sk);
}

/* The sample is made whole; net/ipv4/tcp_rate.c tcp_rate_gen(). */
static void rate_gen(struct tcp_sock *sk, u32 delivered, u32 lost, bool was_reneg,
		     struct rate_sample *rs)
{
	s64 snd_us, ack_us;

	if (sk->app_limited && after(sk->delivered, sk->app_limited))
		sk->app_limited = 0;
	if (delivered)
		sk->delivered_us = sk->tcp->us;
	rs->acked_sacked = delivered;
	rs->losses = lost;
	if (!rs->prior_us || was_reneg) {
		rs->delivered = -1;
		rs->interval_us = -1;
		return;
	}
	rs->delivered = (s32)(sk->delivered - rs->prior_delivered);
	snd_us = rs->interval_us;
	ack_us = (s64)(sk->tcp->us - rs->prior_us);
	rs->interval_us = snd_us > ack_us ? snd_us : ack_us;
	if (rs->interval_us < (s64)tcp_min_rtt(sk)) {
		rs->interval_us = -1;
		return;
	}
	if (!rs->is_app_limited || (u64)rs->delivered * sk->rate_interval_us >=
					   (u64)sk->rate_delivered * (u64)rs->interval_us) {
		sk->rate_delivered = (u32)rs->delivered;
		sk->rate_interval_us = (u32)rs->interval_us;
	}
}

static void xmit_recovery(struct tcp_sock *sk, u32 rexmit)
{
	if (rexmit == REXMIT_NONE || sk->state == TCP_SYN_SENT)
		return;
	if (rexmit == REXMIT_NEW) {
		tcp_push_pending(sk, NAGLE_OFF);
		if (after(sk->snd_nxt, sk->high_seq))
			return;
		sk->frto = false;
	}
	tcp_xmit_retransmit_queue(sk);
}

static void accept_cwr(struct tcp_sock *sk, const struct packet *p)
{
	if (!(p->tcp.flags & TCP_FLAG_CWR) || (p->tcp.flags & TCP_FLAG_SYN))
		return;
	sk->ecn_flags &= (u8)~TCP_ECN_DEMAND_CWR;
	if (p->payload)
		sk->ack_pending |= ACK_NOW;
}

static void in_ack_event(struct tcp_sock *sk, u32 flag)
{
	if (sk->ca_ops->in_ack_event)
		sk->ca_ops->in_ack_event(sk, flag & (FLAG_WIN_UPDATE | FLAG_ECE));
}

static bool ack_is_dubious(const struct tcp_sock *sk, u32 flag)
{
	return !(flag & FLAG_NOT_DUP) || (flag & FLAG_CA_ALERT) || sk->ca_state != TCP_CA_Open;
}

/* ---- the common case ----------------------------------------------------------------------- */

/* The segments that an ACK takes off the ring, none of them ever lost, SACKed or sent again. */
struct run {
	u32 n;
	u32 truesize, skbs;
	const struct tcp_seg *last;
};

/* False when there are others among them, or it ends within one. */
static bool find_run(const struct tcp_sock *sk, u32 ack, struct run *r)
{
	u8 linked = sk->par->rack != RACK_OFF ? SEG_LINKED : 0;

	for (r->n = 0; r->n < sk->packets_out; r->n++) {
		const struct tcp_seg *seg = tcp_seg(sk, sk->seg_head + r->n);

		if (after(seg->end_seq, ack)) {
			if (after(ack, seg->seq))
				return false;
			break;
		}
		if (seg->sacked || (seg->flags & (SEG_SYN | SEG_FIN | SEG_LINKED)) != linked ||
		    !seg->delivered_us)
			return false;
		r->truesize += seg->truesize;
		r->skbs += seg->flags & SEG_SKB_END;
		r->last = seg;
	}
	return r->n && (!linked || tcp_seg(sk, sk->seg_head)->prev == SEG_NONE);
}

/* Open, nothing amiss on the scoreboard, and an ACK of new data that says nothing else. */
static bool is_plain(const struct tcp_sock *sk, const struct packet *p)
{
	return after(p->tcp.ack, sk->snd_una) && !after(p->tcp.ack, sk->snd_nxt) &&
	       (p->tcp.flags & ~TCP_FLAG_PSH) == TCP_FLAG_ACK && !p->tcp.n_sack &&
	       sk->state >= TCP_ESTABLISHED && sk->ca_state == TCP_CA_Open && sk->sack_ok &&
	       !(sk->sacked_out | sk->lost_out | sk->retrans_out) &&
	       !(sk->tlp_high_seq | sk->frto_counter | sk->is_sack_reneg) &&
	       sk->par->rtt_clock == RTT_USEC && !sk->tcp->no_fast;
}

/* Takes the run off the ring; the later of two segments overwrites what the earlier one has told. */
static void clean_run(struct tcp_sock *sk, const struct run *r, struct rate_sample *rs)
{
	const struct tcp_seg *last = r->last;

	sk->delivered += r->n;
	if (sk->par->rack != RACK_OFF) {
		tcp_rack_advance(sk, last);
		sk->ts_first = last->next;
		if (last->next == SEG_NONE)
			sk->ts_last = SEG_NONE;
		else
			tcp_seg(sk, last->next)->prev = SEG_NONE;
	}
	rs->prior_delivered = last->delivered;
	rs->prior_us = last->delivered_us;
	rs->is_app_limited = last->flags & SEG_APP_LIM;
	rs->last_end_seq = last->end_seq;
	rs->last_tx_mark = last->tx_mark;
	rs->interval_us = (s64)(last->sent_us - last->first_tx_us);
	sk->first_tx_us = last->sent_us;
	sk->rtx_skbs -= r->skbs;
	sk->wmem_queued -= r->truesize;
	sk->seg_head += r->n;
	sk->packets_out -= r->n;
	hints_follow(sk);
}

/* tcp_ack() for it, without what would find nothing to do. */
static void ack_plain(struct tcp_sock *sk, const struct packet *p, const struct run *r)
{
	u32 flag = FLAG_SND_UNA_ADVANCED | FLAG_DATA_ACKED | FLAG_WIN_UPDATE;
	u32 acked = p->tcp.ack - sk->snd_una, n = r->n;
	u64 first_us = tcp_seg(sk, sk->seg_head)->sent_us, last_us = r->last->sent_us;
	struct rate_sample rs = {.prior_in_flight = sk->packets_out};
	s64 ca_us = (s64)(sk->tcp->us - last_us);

	sk->retransmits = 0;
	update_window(sk, p);
	sk->probes_out = 0;
	if (!tcp_since(sk, ERA_EVENT_LAST))
		in_ack_event(sk, flag);
	clean_run(sk, r, &rs);
	if (n == 1 && acked < sk->mss_cache && rs.prior_delivered + 1 == sk->delivered)
		flag |= FLAG_ACK_MAYBE_DELAYED;
	tcp_ack_update_rtt(sk, flag, (s64)(sk->tcp->us - first_us), -1, ca_us, &rs);
	if (sk->fack_ok)
		sk->lost_cnt_hint -= min_u32(sk->lost_cnt_hint, n);
	if (sk->ca_ops->pkts_acked) {
		struct ack_sample sample = {
			.pkts_acked = n,
			.rtt_us = (s32)rs.rtt_us,
			.in_flight = sk->mss_cache * (sk->delivered - rs.prior_delivered),
		};

		sk->ca_ops->pkts_acked(sk, &sample);
	}
	tcp_rack_update_reo_wnd(sk, &rs);
	if (!tcp_schedule_loss_probe(sk, true))
		tcp_rearm_rto(sk);
	if (tcp_since(sk, ERA_EVENT_LAST))
		in_ack_event(sk, flag);
	rs.is_ack_delayed = flag & FLAG_ACK_MAYBE_DELAYED;
	rate_gen(sk, n, 0, false, &rs);
	cong_control(sk, p->tcp.ack, n, flag, &rs);
}

static __attribute__((noinline)) int ack_any(struct tcp_sock *sk, const struct packet *p, u32 flag)
{
	struct tcp_ack_state st = {.rs.rtt_us = -1};
	u32 ack = p->tcp.ack, prior_una = sk->snd_una, prior_packets = sk->packets_out;
	u32 delivered = sk->delivered, lost = sk->lost, num_dupack = 0, rexmit = REXMIT_NONE;
	bool was_reneg, frto = false;
	u32 prior_fack;

	if (before(ack, prior_una)) {
		if (before(ack, prior_una - sk->max_window))
			return -1;
		if (p->tcp.n_sack) {
			tcp_sacktag(sk, p, prior_una, &st);
			sk->delivered += st.sack_delivered;
			flag |= st.flag;
			tcp_fastretrans_alert(sk, prior_una, 0, &flag, &rexmit);
			xmit_recovery(sk, rexmit);
		}
		return 0;
	}
	if (after(ack, sk->snd_nxt))
		return -1;
	if (after(ack, prior_una)) {
		flag |= FLAG_SND_UNA_ADVANCED;
		sk->retransmits = 0;
	}
	prior_fack = sk->sack_ok ? tcp_highest_sack_seq(sk) : sk->snd_una;
	st.rs.prior_in_flight = tcp_packets_in_flight(sk);
	if (p->payload || (p->tcp.flags & TCP_FLAG_FIN))
		flag |= FLAG_DATA;
	flag |= update_window(sk, p);
	if (p->tcp.n_sack && !(p->tcp.flags & TCP_FLAG_SYN)) {
		sk->info.sacks++;
		tcp_sacktag(sk, p, prior_una, &st);
		flag |= st.flag;
	}
	if ((p->tcp.flags & (TCP_FLAG_ECE | TCP_FLAG_SYN)) == TCP_FLAG_ECE &&
	    (sk->ecn_flags & TCP_ECN_OK))
		flag |= FLAG_ECE;
	sk->delivered += st.sack_delivered;
	accept_cwr(sk, p);
	sk->probes_out = 0;
	if (!prior_packets) {
		if (flag & FLAG_DSACKING_ACK) {
			tcp_fastretrans_alert(sk, prior_una, 0, &flag, &rexmit);
			xmit_recovery(sk, rexmit);
		}
		ack_probe(sk);
		return 1;
	}
	was_reneg = sk->is_sack_reneg;
	if (!tcp_since(sk, ERA_EVENT_LAST))
		in_ack_event(sk, flag);
	flag = clean_rtx_queue(sk, flag, prior_fack, prior_una, &st);
	tcp_rack_update_reo_wnd(sk, &st.rs);
	if (sk->tlp_high_seq)
		tcp_process_tlp_ack(sk, ack, flag);
	if (sk->frto_counter)
		frto = tcp_frto_process(sk, flag);
	if (ack_is_dubious(sk, flag)) {
		if (!(flag & (FLAG_SND_UNA_ADVANCED | FLAG_NOT_DUP | FLAG_DSACKING_ACK)))
			num_dupack = 1;
		tcp_fastretrans_alert(sk, prior_una, num_dupack, &flag, &rexmit);
	}
	if (flag & FLAG_SET_XMIT_TIMER) {
		if (!tcp_schedule_loss_probe(sk, true))
			tcp_rearm_rto(sk);
	}
	delivered = sk->delivered - delivered;
	if (flag & FLAG_ECE)
		sk->delivered_ce += delivered;
	if (tcp_since(sk, ERA_EVENT_LAST))
		in_ack_event(sk, flag);
	lost = sk->lost - lost;
	st.rs.is_ack_delayed = flag & FLAG_ACK_MAYBE_DELAYED;
	rate_gen(sk, delivered, lost, was_reneg, &st.rs);
	if (!frto)
		cong_control(sk, ack, delivered, flag, &st.rs);
	xmit_recovery(sk, rexmit);
	return 1;
}

/* Returns 1 when the ACK was taken, 0 for an old one, -1 when the segment is to be dropped. */
int tcp_ack(struct tcp_sock *sk, const struct packet *p, u32 flag)
{
	struct run run = {0};

	sk->rcv_tsval = p->tcp.tsval;
	if (!is_plain(sk, p) || !find_run(sk, p->tcp.ack, &run))
		return ack_any(sk, p, flag);
	sk->tcp->rx_fast++;
	ack_plain(sk, p, &run);
	return 1;
}
