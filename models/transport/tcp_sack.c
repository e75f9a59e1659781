// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The scoreboard: what SACK blocks say of each segment that is out, and who is marked lost. The tags and their
 * transitions are those of net/ipv4/tcp_input.c.
 */
#include "transport/tcp.h"

/* ---- marks --------------------------------------------------------------------------------- */

void tcp_mark_seg_lost(struct tcp_sock *sk, u32 index)
{
	struct tcp_seg *seg = tcp_seg(sk, index);

	if (seg->sacked & TCPCB_SACKED_ACKED)
		return;
	/* The next to be retransmitted may be before the one that was remembered. */
	if (sk->retransmit_hint == SEG_NONE ? sk->retrans_out >= sk->lost_out
					    : (s32)(index - sk->retransmit_hint) < 0)
		sk->retransmit_hint = index;
	if (!sk->lost_out || after(seg->end_seq, sk->retransmit_high))
		sk->retransmit_high = seg->end_seq;
	if (seg->sacked & TCPCB_LOST) {
		if (seg->sacked & TCPCB_SACKED_RETRANS) {
			seg->sacked &= (u8)~TCPCB_SACKED_RETRANS;
			sk->retrans_out--;
			sk->lost++;
		}
	} else {
		seg->sacked |= TCPCB_LOST;
		sk->lost_out++;
		sk->lost++;
	}
}

/* A later segment arrived before an earlier one that was never retransmitted, at @low_seq. */
void tcp_check_sack_reordering(struct tcp_sock *sk, u32 low_seq)
{
	u32 fack = tcp_highest_sack_seq(sk);
	u32 mss = sk->mss_cache;
	u32 metric;

	if (!before(low_seq, fack))
		return;
	metric = fack - low_seq;
	if (metric > sk->reordering * mss) {
		metric = (metric + mss - 1) / mss;
		sk->reordering = min_u32(metric, (u32)sk->par->max_reordering);
		sk->fack_ok = false;
	}
	sk->rack.reord = true;
	sk->reord_seen++;
}

/* ---- blocks -------------------------------------------------------------------------------- */

static void sack_one(struct tcp_sock *sk, u32 index, bool dup, struct tcp_ack_state *st)
{
	struct tcp_seg *seg = tcp_seg(sk, index);
	u8 sacked = seg->sacked;

	if (dup && (sacked & TCPCB_RETRANS)) {
		if (sk->undo_marker && sk->undo_retrans > 0 && after(seg->end_seq, sk->undo_marker))
			sk->undo_retrans--;
		if ((sacked & TCPCB_SACKED_ACKED) && before(seg->seq, st->reord))
			st->reord = seg->seq;
	}
	if (!after(seg->end_seq, sk->snd_una))
		return;
	if (!(sacked & TCPCB_SACKED_ACKED)) {
		if (sk->par->rack != RACK_OFF)
			tcp_rack_advance(sk, seg);
		if (sacked & TCPCB_SACKED_RETRANS) {
			/* Without the mark of loss the retransmission is believed to be under way still. */
			if (sacked & TCPCB_LOST) {
				sacked &= (u8) ~(TCPCB_LOST | TCPCB_SACKED_RETRANS);
				sk->lost_out--;
				sk->retrans_out--;
			}
		} else {
			if (!(sacked & TCPCB_RETRANS)) {
				if (before(seg->seq, tcp_highest_sack_seq(sk)) &&
				    before(seg->seq, st->reord))
					st->reord = seg->seq;
				if (!after(seg->end_seq, sk->high_seq))
					st->flag |= FLAG_ORIG_SACK_ACKED;
				if (!after(seg->end_seq, sk->frto_highmark))
					st->flag |= FLAG_ONLY_ORIG_SACKED;
				if (!st->first_sack_us)
					st->first_sack_us = seg->sent_us;
				st->last_sack_us = seg->sent_us;
			}
			if (sacked & TCPCB_LOST) {
				sacked &= (u8)~TCPCB_LOST;
				sk->lost_out--;
			}
		}
		sacked |= TCPCB_SACKED_ACKED;
		st->flag |= FLAG_DATA_SACKED;
		sk->sacked_out++;
		st->sack_delivered++;
		if (!sk->fack_ok && sk->lost_hint != SEG_NONE && (s32)(index - sk->lost_hint) < 0)
			sk->lost_cnt_hint++;
	}
	if (dup && (sacked & TCPCB_SACKED_RETRANS)) {
		sacked &= (u8)~TCPCB_SACKED_RETRANS;
		sk->retrans_out--;
	}
	seg->sacked = sacked;
}

static void sack_walk(struct tcp_sock *sk, u32 start, u32 end, bool dup, struct tcp_ack_state *st)
{
	u32 tail = tcp_seg_tail(sk);

	for (u32 i = tcp_seg_find(sk, start); i != tail; i++) {
		struct tcp_seg *seg = tcp_seg(sk, i);

		if (!before(seg->seq, end))
			break;
		if (before(seg->seq, start) || after(seg->end_seq, end))
			continue;
		sack_one(sk, i, dup, st);
		tcp_rate_delivered(sk, seg, &st->rs);
		if (seg->sacked & TCPCB_SACKED_ACKED) {
			tcp_ts_unlink(sk, seg);
			if ((s32)(i + 1 - sk->highest_sack) > 0)
				sk->highest_sack = i + 1;
		}
	}
}

static bool block_valid(const struct tcp_sock *sk, bool dsack, u32 start, u32 end)
{
	if (after(end, sk->snd_nxt) || !before(start, end) || !before(start, sk->snd_nxt))
		return false;
	if (after(start, sk->snd_una))
		return true;
	if (!dsack || !sk->undo_marker || after(end, sk->snd_una))
		return false;
	if (!before(start, sk->undo_marker))
		return true;
	if (!after(end, sk->undo_marker))
		return false;
	return !before(start, end - sk->max_window);
}

/* Duplicates that the receiver reports, RFC 2883: is the first block one, and whose fault was it? */
static bool check_dsack(struct tcp_sock *sk, const struct packet *p, u32 prior_snd_una,
			struct tcp_ack_state *st)
{
	u32 start = p->tcp.sack[0].start, end = p->tcp.sack[0].end;
	u32 len, dups = 1;

	if (!before(start, p->tcp.ack)) {
		if (p->tcp.n_sack < 2 || after(end, p->tcp.sack[1].end) ||
		    before(start, p->tcp.sack[1].start))
			return false;
	}
	if (!before(start, end))
		return false;
	len = end - start;
	if (len > sk->max_window)
		return false;
	if (len > sk->mss_cache)
		dups = (len + sk->mss_cache - 1) / sk->mss_cache;
	else if (sk->tlp_high_seq && sk->tlp_high_seq == end)
		st->flag |= FLAG_DSACK_TLP;
	sk->dsack_dups += dups;
	if (sk->dsack_dups > sk->total_retrans)
		return false;
	if (sk->reord_seen && !(st->flag & FLAG_DSACK_TLP))
		sk->rack.dsack_seen = true;
	st->flag |= FLAG_DSACKING_ACK;
	st->sack_delivered += dups;
	if (sk->undo_marker && sk->undo_retrans > 0 && !after(end, prior_snd_una) &&
	    after(end, sk->undo_marker)) {
		sk->undo_retrans -= (int)dups;
		if (sk->undo_retrans < 0)
			sk->undo_retrans = 0;
	}
	return true;
}

/*
 * Before RACK: a retransmission is lost again when data sent after it have been SACKed.
 */
static void mark_lost_retrans(struct tcp_sock *sk)
{
	u32 upto = tcp_highest_sack_seq(sk);
	u32 tail = tcp_seg_tail(sk), left = sk->retrans_out;

	if (sk->par->rack != RACK_OFF || !sk->fack_ok || !left || sk->ca_state != TCP_CA_Recovery)
		return;
	for (u32 i = sk->seg_head; i != tail && left; i++) {
		struct tcp_seg *seg = tcp_seg(sk, i);

		if (after(seg->seq, upto))
			break;
		if (!(seg->sacked & TCPCB_SACKED_RETRANS))
			continue;
		left--;
		if (after(seg->end_seq, sk->snd_una) && after(upto, seg->ack_seq)) {
			seg->sacked &= (u8)~TCPCB_SACKED_RETRANS;
			sk->retrans_out--;
			if (!sk->lost_out || after(seg->end_seq, sk->retransmit_high))
				sk->retransmit_high = seg->end_seq;
			if (!(seg->sacked & TCPCB_LOST)) {
				seg->sacked |= TCPCB_LOST;
				sk->lost_out++;
			}
			sk->lost++;
			if (sk->retransmit_hint == SEG_NONE || (s32)(i - sk->retransmit_hint) < 0)
				sk->retransmit_hint = i;
		}
	}
}

/* Walks what of [start, end) the last ACK did not say already. */
static void sack_new_parts(struct tcp_sock *sk, u32 start, u32 end, struct tcp_ack_state *st)
{
	for (u32 c = 0; c < TCP_NUM_SACKS && before(start, end); c++) {
		const struct tcp_range *old = &sk->recv_sack_cache[c];

		if (old->start == old->end || !before(start, old->end))
			continue;
		if (!after(end, old->start))
			break;
		if (before(start, old->start))
			sack_walk(sk, start, old->start, false, st);
		start = old->end;
	}
	if (before(start, end))
		sack_walk(sk, start, end, false, st);
}

void tcp_sacktag(struct tcp_sock *sk, const struct packet *p, u32 prior_snd_una,
		 struct tcp_ack_state *st)
{
	struct tcp_range sp[TCP_NUM_SACKS];
	bool dup, dup_first = false;
	u32 n = 0;

	st->reord = sk->snd_nxt;
	if (!sk->sacked_out) {
		sk->highest_sack = sk->seg_head;
		for (u32 i = 0; i < TCP_NUM_SACKS; i++)
			sk->recv_sack_cache[i].start = sk->recv_sack_cache[i].end = 0;
	}
	dup = check_dsack(sk, p, prior_snd_una, st);
	if (before(p->tcp.ack, prior_snd_una - sk->max_window) || !sk->packets_out)
		return;
	for (u32 i = 0; i < p->tcp.n_sack; i++) {
		u32 start = p->tcp.sack[i].start, end = p->tcp.sack[i].end;
		u32 at;

		if (!block_valid(sk, dup && !i, start, end) || !after(end, prior_snd_una))
			continue;
		if (dup && !i) {
			dup_first = true;
			sack_walk(sk, start, end, true, st);
			continue;
		}
		/* In order of sequence, so that the walk goes one way. */
		for (at = n++; at && after(sp[at - 1].start, start); at--)
			sp[at] = sp[at - 1];
		sp[at].start = start;
		sp[at].end = end;
	}
	for (u32 i = 0; i < n; i++) {
		sack_new_parts(sk, sp[i].start, sp[i].end, st);
		/* What was sent after the timeout has arrived too: that proves nothing. */
		if (after(sp[i].end, sk->frto_highmark))
			st->flag &= ~FLAG_ONLY_ORIG_SACKED;
	}
	if (n || dup_first) {
		for (u32 i = 0; i < TCP_NUM_SACKS; i++) {
			if (i < n)
				sk->recv_sack_cache[i] = sp[i];
			else
				sk->recv_sack_cache[i].start = sk->recv_sack_cache[i].end = 0;
		}
	}
	mark_lost_retrans(sk);
	if ((sk->ca_state != TCP_CA_Loss || sk->undo_marker) && !sk->frto_counter)
		tcp_check_sack_reordering(sk, st->reord);
}

/* ---- without SACK -------------------------------------------------------------------------- */

static void check_reno_reordering(struct tcp_sock *sk, u32 addend)
{
	u32 holes = min_u32(max_u32(sk->lost_out, 1), sk->packets_out);

	if (sk->sacked_out + holes <= sk->packets_out)
		return;
	sk->sacked_out = sk->packets_out - holes;
	sk->reordering = min_u32(sk->packets_out + addend, (u32)sk->par->max_reordering);
	sk->reord_seen++;
}

/* A duplicate ACK stands for a segment that arrived. */
void tcp_add_reno_sack(struct tcp_sock *sk, u32 num_dupack)
{
	u32 prior = sk->sacked_out;

	if (!num_dupack)
		return;
	sk->sacked_out += num_dupack;
	check_reno_reordering(sk, 0);
	if (sk->sacked_out > prior)
		sk->delivered += sk->sacked_out - prior;
}

void tcp_remove_reno_sacks(struct tcp_sock *sk, u32 acked)
{
	if (acked) {
		sk->delivered += acked > sk->sacked_out + 1 ? acked - sk->sacked_out : 1;
		if (acked - 1 >= sk->sacked_out)
			sk->sacked_out = 0;
		else
			sk->sacked_out -= acked - 1;
	}
	check_reno_reordering(sk, acked);
}
