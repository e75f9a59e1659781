// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The state machine Open - Disorder - CWR - Recovery - Loss, and the undoing of what proves to have been no loss
 * (net/ipv4/tcp_input.c, tcp_fastretrans_alert()).
 */
#include "transport/tcp.h"

#define RECOVERY_THRESH 16

/* ---- was it a loss? ------------------------------------------------------------------------ */

static bool ecr_before(const struct tcp_sock *sk, u32 when)
{
	return sk->saw_tstamp && sk->rcv_tsecr && before(sk->rcv_tsecr, when);
}

/* The ACK echoes a time before the first retransmission: the original arrived. */
static bool packet_delayed(const struct tcp_sock *sk)
{
	if (sk->retrans_stamp)
		return ecr_before(sk, sk->retrans_stamp);
	return sk->sack_ok || before(sk->snd_una, sk->high_seq);
}

static bool may_undo(const struct tcp_sock *sk)
{
	return sk->undo_marker && (!sk->undo_retrans || packet_delayed(sk));
}

/* Without SACK the state is held until something above high_seq is acknowledged (RFC 6582). */
static bool reno_holds_state(struct tcp_sock *sk)
{
	if (sk->snd_una != sk->high_seq || sk->sack_ok)
		return false;
	if (!tcp_any_retrans_done(sk))
		sk->retrans_stamp = 0;
	return true;
}

static bool try_undo_recovery(struct tcp_sock *sk)
{
	if (may_undo(sk))
		tcp_undo_cwnd_reduction(sk, false);
	else if (sk->rack.reo_wnd_persist)
		sk->rack.reo_wnd_persist--;
	if (reno_holds_state(sk))
		return true;
	tcp_set_ca_state(sk, TCP_CA_Open);
	sk->is_sack_reneg = false;
	return false;
}

static bool try_undo_dsack(struct tcp_sock *sk)
{
	if (!sk->undo_marker || sk->undo_retrans)
		return false;
	if (sk->rack.reo_wnd_persist < RECOVERY_THRESH)
		sk->rack.reo_wnd_persist++;
	tcp_undo_cwnd_reduction(sk, false);
	return true;
}

static bool try_undo_loss(struct tcp_sock *sk, bool frto_undo)
{
	if (!frto_undo && !may_undo(sk))
		return false;
	tcp_undo_cwnd_reduction(sk, true);
	sk->retransmits = 0;
	if (reno_holds_state(sk))
		return true;
	if (frto_undo || sk->sack_ok) {
		tcp_set_ca_state(sk, TCP_CA_Open);
		sk->is_sack_reneg = false;
	}
	return true;
}

/* ---- entering and leaving states ----------------------------------------------------------- */

void tcp_try_keep_open(struct tcp_sock *sk)
{
	u8 state = TCP_CA_Open;

	if (sk->sacked_out + sk->lost_out || tcp_any_retrans_done(sk))
		state = TCP_CA_Disorder;
	if (sk->ca_state != state) {
		tcp_set_ca_state(sk, state);
		sk->high_seq = sk->snd_nxt;
	}
}

static void try_to_open(struct tcp_sock *sk, u32 flag)
{
	if (!sk->frto_counter && !tcp_any_retrans_done(sk))
		sk->retrans_stamp = 0;
	if (flag & FLAG_ECE)
		tcp_enter_cwr(sk);
	if (sk->ca_state != TCP_CA_CWR) {
		tcp_try_keep_open(sk);
		tcp_moderate_cwnd(sk);
	} else if (tcp_rate_halves(sk)) {
		tcp_cwnd_reduction(sk, 0, 0, flag);
	}
}

static void init_undo(struct tcp_sock *sk)
{
	sk->undo_marker = sk->snd_una;
	sk->undo_retrans = (int)sk->retrans_out;
	if (sk->tlp_high_seq && sk->tlp_retrans)
		sk->undo_retrans++;
	/* 0 would say that all retransmissions were in vain. */
	if (!sk->undo_retrans)
		sk->undo_retrans = -1;
}

void tcp_enter_recovery(struct tcp_sock *sk, bool ece_ack)
{
	if (!tcp_any_retrans_done(sk))
		sk->retrans_stamp = 0;
	sk->info.fast_recoveries++;
	sk->prior_ssthresh = 0;
	init_undo(sk);
	if (!tcp_in_cwnd_reduction(sk)) {
		if (!ece_ack)
			sk->prior_ssthresh = tcp_current_ssthresh(sk);
		tcp_init_cwnd_reduction(sk);
	}
	tcp_set_ca_state(sk, TCP_CA_Recovery);
}

static void timeout_mark_lost(struct tcp_sock *sk)
{
	u32 tail = tcp_seg_tail(sk);
	bool reneg = sk->packets_out && (tcp_seg(sk, sk->seg_head)->sacked & TCPCB_SACKED_ACKED);

	if (reneg) {
		sk->sacked_out = 0;
		sk->is_sack_reneg = true;
	} else if (!sk->sack_ok) {
		sk->sacked_out = 0;
	}
	for (u32 i = sk->seg_head; i != tail; i++) {
		struct tcp_seg *seg = tcp_seg(sk, i);

		/* Until 4.17 it is as if nothing had been retransmitted. */
		if (!tcp_since(sk, ERA_LOSS_CWND) && (seg->sacked & TCPCB_SACKED_RETRANS)) {
			seg->sacked &= (u8)~TCPCB_SACKED_RETRANS;
			sk->retrans_out--;
		}
		if (reneg)
			seg->sacked &= (u8)~TCPCB_SACKED_ACKED;
		else if (sk->par->rack == RACK_ON && i != sk->seg_head &&
			 tcp_rack_timeout(sk, seg, 0) > 0)
			continue;
		tcp_mark_seg_lost(sk, i);
	}
	sk->retransmit_hint = SEG_NONE;
	sk->lost_hint = SEG_NONE;
}

void tcp_enter_loss(struct tcp_sock *sk)
{
	bool fresh = sk->ca_state < TCP_CA_Recovery;

	timeout_mark_lost(sk);
	if (sk->ca_state <= TCP_CA_Disorder || !after(sk->high_seq, sk->snd_una) ||
	    (sk->ca_state == TCP_CA_Loss && !sk->retransmits)) {
		sk->prior_ssthresh = tcp_current_ssthresh(sk);
		sk->prior_cwnd = sk->snd_cwnd;
		sk->snd_ssthresh = sk->ca_ops->ssthresh(sk);
		tcp_ca_event(sk, CA_EVENT_LOSS);
		init_undo(sk);
	}
	sk->snd_cwnd = tcp_since(sk, ERA_LOSS_CWND) ? tcp_packets_in_flight(sk) + 1 : 1;
	sk->snd_cwnd_cnt = 0;
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	if (sk->ca_state <= TCP_CA_Disorder && sk->sacked_out >= (u32)sk->par->reordering)
		sk->reordering = min_u32(sk->reordering, (u32)sk->par->reordering);
	tcp_set_ca_state(sk, TCP_CA_Loss);
	sk->high_seq = sk->snd_nxt;
	sk->tlp_high_seq = 0;
	if (sk->ecn_flags & TCP_ECN_OK)
		sk->ecn_flags |= TCP_ECN_QUEUE_CWR;
	sk->frto = sk->par->frto && sk->par->frto_form == FRTO_RFC5682 &&
		   (fresh || sk->retransmits);
	sk->frto_counter = 0;
}

/* ---- who is lost --------------------------------------------------------------------------- */

/*
 * Marks from the head on, until @packets SACKed segments (with FACK: segments) were passed; @mark_head: the head alone.
 */
static void mark_head_lost(struct tcp_sock *sk, u32 packets, bool mark_head)
{
	u32 tail = tcp_seg_tail(sk), cnt = 0, i = sk->seg_head;
	u32 high = tcp_since(sk, ERA_LOSS_HIGH) ? sk->snd_nxt : sk->high_seq;

	if (sk->lost_hint != SEG_NONE) {
		if (mark_head && sk->lost_hint != sk->seg_head)
			return;
		i = sk->lost_hint;
		cnt = sk->lost_cnt_hint;
	}
	for (; i != tail; i++) {
		const struct tcp_seg *seg = tcp_seg(sk, i);

		sk->lost_hint = i;
		sk->lost_cnt_hint = cnt;
		if (after(seg->end_seq, high))
			break;
		if (sk->fack_ok || !sk->sack_ok || (seg->sacked & TCPCB_SACKED_ACKED))
			cnt++;
		if (cnt > packets)
			break;
		if (!(seg->sacked & TCPCB_LOST))
			tcp_mark_seg_lost(sk, i);
		if (mark_head)
			break;
	}
}

static void update_scoreboard(struct tcp_sock *sk, bool fast_rexmit)
{
	s32 upto;

	if (!sk->sack_ok) {
		if (!tcp_since(sk, ERA_LOSS_CWND))
			mark_head_lost(sk, 1, true);
		return;
	}
	if (sk->fack_ok) {
		upto = (s32)(sk->highest_sack - sk->seg_head) - (s32)sk->reordering;
		mark_head_lost(sk, upto <= 0 ? 1 : (u32)upto, false);
		return;
	}
	upto = (s32)(sk->sacked_out - sk->reordering);
	if (upto >= 0)
		mark_head_lost(sk, (u32)upto, false);
	else if (fast_rexmit)
		mark_head_lost(sk, 1, true);
}

static bool time_to_recover(const struct tcp_sock *sk)
{
	u32 dupacks = sk->sacked_out + 1;

	if (sk->frto_counter)
		return false;
	if (sk->lost_out)
		return true;
	if (sk->par->rack == RACK_ON)
		return false;
	if (sk->fack_ok && sk->sack_ok)
		dupacks = sk->sacked_out ? sk->highest_sack - sk->seg_head : 1;
	return dupacks > sk->reordering;
}

static bool force_fast_retransmit(const struct tcp_sock *sk)
{
	return after(tcp_highest_sack_seq(sk), sk->snd_una + sk->reordering * sk->mss_cache);
}

/* NewReno: the next hole after every partial ACK. */
static void newreno_mark_lost(struct tcp_sock *sk, bool advanced)
{
	if ((sk->ca_state < TCP_CA_Recovery && sk->sacked_out >= sk->reordering) ||
	    (sk->ca_state == TCP_CA_Recovery && advanced)) {
		if (!(tcp_seg(sk, sk->seg_head)->sacked & TCPCB_LOST))
			tcp_mark_seg_lost(sk, sk->seg_head);
	}
}

static void identify_packet_loss(struct tcp_sock *sk, u32 *flag)
{
	u32 prior = sk->retrans_out;

	if (!sk->packets_out)
		return;
	if (!sk->sack_ok) {
		if (tcp_since(sk, ERA_LOSS_CWND))
			newreno_mark_lost(sk, *flag & FLAG_SND_UNA_ADVANCED);
	} else if (sk->par->rack == RACK_ON) {
		if (tcp_rack_mark_lost(sk))
			*flag &= ~FLAG_SET_XMIT_TIMER;
		if (prior > sk->retrans_out)
			*flag |= FLAG_LOST_RETRANS;
	} else if (sk->par->rack == RACK_ASSIST && tcp_rack_mark_lost(sk)) {
		*flag |= FLAG_LOST_RETRANS;
	}
}

/* ---- the machine --------------------------------------------------------------------------- */

/*
 * The peer took back what it had SACKed: it gets half an RTT to set it right, then the timeout clears the board.
 */
static bool check_sack_reneging(struct tcp_sock *sk, u32 *flag)
{
	u32 delay;

	if (!(*flag & FLAG_SACK_RENEGING) || !(*flag & FLAG_SND_UNA_ADVANCED))
		return false;
	delay = max_u32(tcp_us_to_jiffies(sk->tcp, tcp_srtt_us(sk) >> 1),
			tcp_us_to_jiffies(sk->tcp, 10000));
	tcp_reset_xmit_timer(sk, XMIT_RETRANS, delay, sk->tcp->rto_max_j);
	*flag &= ~FLAG_SET_XMIT_TIMER;
	return true;
}

static bool try_undo_partial(struct tcp_sock *sk, u32 prior_snd_una, bool *do_lost)
{
	if (!sk->undo_marker || !packet_delayed(sk)) {
		*do_lost = force_fast_retransmit(sk);
		return false;
	}
	tcp_check_sack_reordering(sk, prior_snd_una);
	if (sk->retrans_out)
		return true;
	if (!tcp_any_retrans_done(sk))
		sk->retrans_stamp = 0;
	tcp_undo_cwnd_reduction(sk, true);
	tcp_try_keep_open(sk);
	return false;
}

/* An ACK in state Loss, with F-RTO (RFC 5682 3.1): was the timeout spurious? */
static void process_loss(struct tcp_sock *sk, u32 flag, u32 num_dupack, u32 *rexmit)
{
	bool recovered = !before(sk->snd_una, sk->high_seq);

	if ((flag & FLAG_SND_UNA_ADVANCED) && try_undo_loss(sk, false))
		return;
	if (sk->frto) {
		if ((flag & FLAG_ORIG_SACK_ACKED) && try_undo_loss(sk, true))
			return;
		if (after(sk->snd_nxt, sk->high_seq)) {
			if ((flag & FLAG_DATA_SACKED) || num_dupack)
				sk->frto = false;
		} else if ((flag & FLAG_SND_UNA_ADVANCED) && !recovered) {
			sk->high_seq = sk->snd_nxt;
			if (sk->unsent_n && after(tcp_wnd_end(sk), sk->snd_nxt)) {
				*rexmit = REXMIT_NEW;
				return;
			}
			sk->frto = false;
		}
	}
	if (recovered) {
		try_undo_recovery(sk);
		return;
	}
	if (!sk->sack_ok) {
		if (after(sk->snd_nxt, sk->high_seq) && num_dupack)
			tcp_add_reno_sack(sk, num_dupack);
		else if (flag & FLAG_SND_UNA_ADVANCED)
			sk->sacked_out = 0;
	}
	*rexmit = REXMIT_LOST;
}

/* high_seq is acknowledged: leave CWR or Recovery. True when nothing more is to be done. */
static bool leave_state(struct tcp_sock *sk)
{
	if (sk->ca_state == TCP_CA_Open) {
		sk->retrans_stamp = 0;
		return false;
	}
	if (before(sk->snd_una, sk->high_seq))
		return false;
	if (sk->ca_state == TCP_CA_CWR) {
		/* Something above it must be acknowledged for CWR to have reached the peer. */
		if (sk->snd_una != sk->high_seq) {
			tcp_end_cwnd_reduction(sk);
			tcp_set_ca_state(sk, TCP_CA_Open);
		}
	} else if (sk->ca_state == TCP_CA_Recovery) {
		if (!sk->sack_ok)
			sk->sacked_out = 0;
		if (try_undo_recovery(sk))
			return true;
		tcp_end_cwnd_reduction(sk);
	}
	return false;
}

void tcp_fastretrans_alert(struct tcp_sock *sk, u32 prior_snd_una, u32 num_dupack, u32 *ack_flag,
			   u32 *rexmit)
{
	u32 flag = *ack_flag;
	bool ece = flag & FLAG_ECE, fast_rexmit = false;
	bool do_lost = num_dupack || ((flag & FLAG_DATA_SACKED) && force_fast_retransmit(sk));

	if (!sk->packets_out)
		sk->sacked_out = 0;
	if (ece)
		sk->prior_ssthresh = 0;
	if (check_sack_reneging(sk, ack_flag))
		return;
	if (leave_state(sk))
		return;

	switch (sk->ca_state) {
	case TCP_CA_Recovery:
		if (!(flag & FLAG_SND_UNA_ADVANCED)) {
			if (!sk->sack_ok)
				tcp_add_reno_sack(sk, num_dupack);
		} else if (try_undo_partial(sk, prior_snd_una, &do_lost)) {
			return;
		}
		if (try_undo_dsack(sk))
			try_to_open(sk, flag);
		identify_packet_loss(sk, ack_flag);
		if (sk->ca_state != TCP_CA_Recovery) {
			if (!time_to_recover(sk))
				return;
			tcp_enter_recovery(sk, ece);
		}
		break;
	case TCP_CA_Loss:
		process_loss(sk, flag, num_dupack, rexmit);
		identify_packet_loss(sk, ack_flag);
		if (sk->ca_state != TCP_CA_Open && !(*ack_flag & FLAG_LOST_RETRANS))
			return;
		/* The window was given back, or retransmissions are lost. */
		__attribute__((fallthrough));
	default:
		if (!sk->sack_ok) {
			if (flag & FLAG_SND_UNA_ADVANCED)
				sk->sacked_out = 0;
			tcp_add_reno_sack(sk, num_dupack);
		}
		if (sk->ca_state <= TCP_CA_Disorder)
			try_undo_dsack(sk);
		identify_packet_loss(sk, ack_flag);
		if (!time_to_recover(sk)) {
			try_to_open(sk, flag);
			return;
		}
		tcp_enter_recovery(sk, ece);
		fast_rexmit = true;
	}
	if (sk->par->rack != RACK_ON && do_lost)
		update_scoreboard(sk, fast_rexmit);
	if (sk->par->reduction == REDUCTION_RATE_HALVING)
		tcp_cwnd_reduction(sk, 0, 0, flag);
	*rexmit = REXMIT_LOST;
}
