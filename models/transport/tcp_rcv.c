// SPDX-License-Identifier: GPL-3.0-or-later
/* Segments in: the connection's states, the sequence check, and data for the application. */
#include "transport/tcp.h"

#include <errno.h>
#include <string.h>

#define ECN_MASK 3u
#define ECN_CE	 3u

/* ---- ECN ----------------------------------------------------------------------------------- */

void tcp_ecn_check_ce(struct tcp_sock *sk, const struct packet *p)
{
	bool ca = sk->ca_ops->flags & TCP_CONG_NEEDS_ECN;

	if (!(sk->ecn_flags & TCP_ECN_OK))
		return;
	switch (p->skb.tos & ECN_MASK) {
	case 0:
		/* Not ECT after ECT was seen: probably a retransmission. */
		if (sk->ecn_flags & TCP_ECN_SEEN)
			tcp_enter_quickack(sk, 2);
		break;
	case ECN_CE:
		if (ca)
			tcp_ca_event(sk, CA_EVENT_ECN_IS_CE);
		if (!(sk->ecn_flags & TCP_ECN_DEMAND_CWR)) {
			tcp_enter_quickack(sk, 2);
			sk->ecn_flags |= TCP_ECN_DEMAND_CWR;
		}
		sk->ecn_flags |= TCP_ECN_SEEN;
		break;
	default:
		if (ca)
			tcp_ca_event(sk, CA_EVENT_ECN_NO_CE);
		sk->ecn_flags |= TCP_ECN_SEEN;
		break;
	}
}

/* ---- data ---------------------------------------------------------------------------------- */

static void fin_arrived(struct tcp_sock *sk)
{
	sk->fin_received = true;
	sk->ack_pending |= ACK_SCHED;
	switch (sk->state) {
	case TCP_ESTABLISHED:
	case TCP_SYN_RECV:
		tcp_set_state(sk, TCP_CLOSE_WAIT);
		sk->pingpong = true;
		break;
	case TCP_FIN_WAIT1:
		tcp_send_ack(sk);
		tcp_set_state(sk, TCP_CLOSING);
		break;
	case TCP_FIN_WAIT2:
		tcp_send_ack(sk);
		tcp_set_state(sk, TCP_TIME_WAIT);
		break;
	default:
		break;
	}
}

static void out_of_window(struct tcp_sock *sk)
{
	tcp_enter_quickack(sk, (u32)sk->par->quickacks);
	sk->ack_pending |= ACK_SCHED;
}

/* Queues the data of @p; how many bytes have become readable goes to @readable. */
static void data_queue(struct tcp_sock *sk, const struct packet *p, u32 *readable)
{
	u32 seq = p->tcp.seq, end = seq + p->payload;
	u32 fin = !!(p->tcp.flags & TCP_FLAG_FIN);
	u32 prior = sk->rcv_nxt, segs = p->skb.gso > 1 ? p->skb.gso : 1;

	if (seq == end && !fin)
		return;
	if (fin && !sk->fin_known) {
		sk->fin_known = true;
		sk->fin_seq = end;
	}
	end += fin;
	sk->dsack = false;
	if (!after(end, sk->rcv_nxt)) {
		/* All of it known: a retransmission in vain. */
		tcp_dsack_set(sk, seq, end);
		out_of_window(sk);
		return;
	}
	if (!before(seq, sk->rcv_nxt + tcp_receive_window(sk)) &&
	    !(seq == sk->rcv_nxt && tcp_receive_window(sk))) {
		out_of_window(sk);
		return;
	}
	if (after(seq, sk->rcv_nxt)) {
		tcp_ecn_check_ce(sk, p);
		if (tcp_since(sk, ERA_MEASURE_OOO))
			tcp_measure_rcv_mss(sk, p);
		tcp_ooo_queue(sk, seq, end, (u32)sk->par->rx_truesize * segs);
		return;
	}
	if (before(seq, sk->rcv_nxt))
		tcp_dsack_set(sk, seq, sk->rcv_nxt);
	sk->rcv_nxt = end;
	if (p->payload) {
		sk->rmem_unread += (u32)sk->par->rx_truesize * segs;
		sk->rmem_alloc += (u32)sk->par->rx_truesize * segs;
		tcp_event_data_recv(sk, p);
	}
	if (sk->n_ooo) {
		sk->rcv_nxt = tcp_ooo_drain(sk, sk->rcv_nxt);
		/* RFC 5681 4.2: at once when the gap is filled. */
		if (!sk->n_ooo) {
			if (tcp_since(sk, ERA_ACK_NOW))
				sk->ack_pending |= ACK_NOW;
			else
				sk->pingpong = false;
		}
	}
	if (sk->num_sacks)
		tcp_sack_remove(sk);
	fin = sk->fin_known && sk->rcv_nxt == sk->fin_seq + 1 && !sk->fin_received;
	*readable = sk->rcv_nxt - prior - fin;
	if (fin)
		fin_arrived(sk);
}

/* ---- the handshake ------------------------------------------------------------------------- */

static void syn_options(struct tcp_sock *sk, const struct packet *p)
{
	const struct tcp_params *par = sk->par;
	u32 wscale = p->tcp.sack[0].start;

	sk->sack_ok = par->sack && p->tcp.n_sack;
	sk->fack_ok = sk->fack_ok && sk->sack_ok;
	sk->tstamp_ok = par->timestamps && p->tcp.tsval;
	sk->wscale_ok = par->window_scaling && wscale;
	sk->snd_wscale = sk->wscale_ok ? (u8)(wscale - 1) : 0;
	if (!sk->wscale_ok)
		sk->rcv_wscale = 0;
	if (p->tcp.mss && p->tcp.mss < sk->mss_clamp)
		sk->mss_clamp = p->tcp.mss;
	sk->header_len = 20;
	if (sk->tstamp_ok) {
		sk->header_len += 12;
		sk->ts_recent = p->tcp.tsval;
	}
	sk->mss_cache = (u16)(sk->mss_clamp - (sk->header_len - 20));
	sk->rcv_nxt = p->tcp.seq + 1;
	sk->rcv_wup = sk->rcv_nxt;
	sk->copied_seq = sk->rcv_nxt;
	sk->snd_wnd = p->tcp.wnd;
	sk->max_window = p->tcp.wnd;
	sk->snd_wl1 = p->tcp.seq;
}

static void established(struct tcp_sock *sk)
{
	if (sk->tstamp_ok)
		sk->advmss -= 12;
	sk->lrcvtime = sk->tcp->jiffies;
	tcp_init_transfer(sk);
	tcp_initialize_rcv_mss(sk);
	if (sk->fin_queued)
		tcp_set_state(sk, TCP_FIN_WAIT1);
}

static void rcv_syn_sent(struct tcp_sock *sk, const struct packet *p)
{
	u8 flags = p->tcp.flags;

	if (!(flags & TCP_FLAG_ACK) || p->tcp.ack != sk->snd_nxt)
		return;
	if (flags & TCP_FLAG_RST) {
		tcp_done(sk, ECONNREFUSED);
		return;
	}
	if (!(flags & TCP_FLAG_SYN))
		return;
	if ((sk->ecn_flags & TCP_ECN_OK) && (!(flags & TCP_FLAG_ECE) || (flags & TCP_FLAG_CWR)))
		sk->ecn_flags = 0;
	syn_options(sk, p);
	sk->saw_tstamp = sk->tstamp_ok;
	sk->rcv_tsecr = p->tcp.tsecr;
	tcp_ack(sk, p, 0);
	established(sk);
	sk->snd_wl1 = p->tcp.seq;
	tcp_send_ack(sk);
	if (sk->user && sk->user->established)
		sk->user->established(sk->user_arg, sk);
	sk->write_wanted = sk->nospace;
	sk->nospace = false;
}

static struct tcp_sock *rcv_listen(struct tcp *t, const struct packet *p)
{
	struct tcp_sock *sk = tcp_accept(t, p);

	if (!sk)
		return NULL;
	syn_options(sk, p);
	tcp_select_initial_window(sk);
	if ((sk->par->ecn || (sk->ca_ops->flags & TCP_CONG_NEEDS_ECN)) &&
	    (p->tcp.flags & TCP_FLAG_ECE) && (p->tcp.flags & TCP_FLAG_CWR))
		sk->ecn_flags = TCP_ECN_OK;
	tcp_set_state(sk, TCP_SYN_RECV);
	tcp_seg_push(sk, sk->write_seq, sk->write_seq + 1)->flags = SEG_SYN | SEG_SKB_END;
	sk->rtx_skbs = 1;
	sk->write_seq++;
	sk->snd_nxt = sk->write_seq;
	tcp_seg_sent(sk, tcp_seg(sk, sk->seg_head), sk->seg_head);
	tcp_send_syn(sk);
	tcp_reset_xmit_timer(sk, XMIT_RETRANS, sk->rto, t->rto_max_j);
	return sk;
}

/* True when the handshake is over and the segment goes on to be processed. */
static bool rcv_syn_recv(struct tcp_sock *sk, const struct packet *p)
{
	if (p->tcp.flags & TCP_FLAG_SYN) {
		/* Our SYN-ACK was lost. */
		tcp_send_syn(sk);
		return false;
	}
	if (!(p->tcp.flags & TCP_FLAG_ACK) || p->tcp.ack != sk->snd_nxt)
		return false;
	tcp_ack(sk, p, 0);
	established(sk);
	if (sk->user && sk->user->established)
		sk->user->established(sk->user_arg, sk);
	sk->write_wanted = sk->nospace;
	sk->nospace = false;
	return true;
}

/* ---- closing ------------------------------------------------------------------------------- */

static void tell_closed(struct tcp_sock *sk)
{
	if (sk->closed_told)
		return;
	sk->closed_told = true;
	if (sk->user && sk->user->closed)
		sk->user->closed(sk->user_arg, sk, 0);
}

static void closing_steps(struct tcp_sock *sk)
{
	bool fin_acked = sk->fin_sent && sk->snd_una == sk->write_seq;

	if (sk->state == TCP_FIN_WAIT1 && fin_acked)
		tcp_set_state(sk, TCP_FIN_WAIT2);
	else if (sk->state == TCP_CLOSING && fin_acked)
		tcp_set_state(sk, TCP_TIME_WAIT);
	if (sk->state == TCP_TIME_WAIT && !sk->closed_told) {
		/* It answers retransmitted FINs until it is freed. */
		tcp_clear_xmit_timer(sk);
		tell_closed(sk);
	} else if (sk->state == TCP_LAST_ACK && fin_acked) {
		tcp_done(sk, 0);
	}
}

/* ---- a segment ----------------------------------------------------------------------------- */

/* RFC 9293 3.4: in the window? PAWS is left out, clocks here do not wrap. */
static bool acceptable(struct tcp_sock *sk, const struct packet *p)
{
	u32 seq = p->tcp.seq;
	u32 end = seq + p->payload + !!(p->tcp.flags & TCP_FLAG_FIN);

	if (!before(end, sk->rcv_wup) && !after(seq, sk->rcv_nxt + tcp_receive_window(sk)))
		return true;
	if (!(p->tcp.flags & TCP_FLAG_RST)) {
		if (end != seq && before(seq, sk->rcv_nxt)) {
			tcp_enter_quickack(sk, (u32)sk->par->quickacks);
			tcp_dsack_set(sk, seq, after(end, sk->rcv_nxt) ? sk->rcv_nxt : end);
		}
		tcp_send_ack(sk);
	}
	return false;
}

/* The application reads all that is there; @p: the packet that it woke up for, if it reads at once. */
static void app_read(struct tcp_sock *sk, const struct packet *p)
{
	u32 bytes = sk->unread, first = sk->unread_first;

	if (bytes) {
		sk->unread = 0;
		sk->rmem_alloc -= sk->rmem_unread;
		sk->rmem_unread = 0;
		/* Linux looks after every skb that was copied: the packet that filled a hole comes first. */
		sk->copied_seq += first;
		tcp_rcv_space_adjust(sk);
		if (bytes > first) {
			sk->copied_seq += bytes - first;
			tcp_rcv_space_adjust(sk);
		}
		sk->window_kept = false;
		if (sk->user && sk->user->readable)
			sk->user->readable(sk->user_arg, sk, bytes, p);
		if (sk->state != TCP_CLOSE)
			tcp_cleanup_rbuf(sk, bytes);
	}
	if (sk->fin_received && !sk->eof_told) {
		sk->eof_told = true;
		if (sk->user && sk->user->peer_closed)
			sk->user->peer_closed(sk->user_arg, sk);
	}
}

void tcp_reader_woken(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, read_event);

	tcp_clock(sk->tcp, sim);
	app_read(sk, NULL);
	tcp_release(sk);
}

/*
 * Header prediction, as in Linux's tcp_rcv_established(): the next data of a peer to whom nothing is to be sent but ACKs.
 * What is left out here is what would find nothing to do.
 */
static bool is_plain(const struct tcp_sock *sk, const struct packet *p)
{
	return p->payload && p->tcp.seq == sk->rcv_nxt && p->tcp.ack == sk->snd_una &&
	       (p->tcp.flags & ~TCP_FLAG_PSH) == TCP_FLAG_ACK && !p->tcp.n_sack &&
	       sk->state == TCP_ESTABLISHED && !(sk->packets_out | sk->unsent_n | sk->n_ooo) &&
	       !(sk->num_sacks | sk->dsack | sk->fin_known | sk->nospace | sk->ecn_flags) &&
	       tcp_receive_window(sk) && !sk->tcp->host->wakeup.median && !sk->tcp->no_fast;
}

static inline void rcv_plain(struct tcp_sock *sk, const struct packet *p)
{
	u32 truesize = (u32)sk->par->rx_truesize * (p->skb.gso > 1 ? p->skb.gso : 1);
	u32 seq = p->tcp.seq;

	sk->tcp->rx_fast++;
	sk->window_kept = false;
	if (after(seq, sk->snd_wl1) || (seq == sk->snd_wl1 && p->tcp.wnd > sk->snd_wnd)) {
		sk->snd_wl1 = seq;
		sk->snd_wnd = p->tcp.wnd;
		sk->max_window = max_u32(sk->max_window, p->tcp.wnd);
	}
	sk->probes_out = 0;
	if (sk->tstamp_ok) {
		sk->saw_tstamp = true;
		sk->rcv_tsecr = p->tcp.tsecr;
		if (!after(seq, sk->rcv_wup) && (s32)(p->tcp.tsval - sk->ts_recent) >= 0)
			sk->ts_recent = p->tcp.tsval;
		tcp_rcv_rtt_measure_ts(sk, p->payload);
	}
	sk->rcv_nxt += p->payload;
	sk->rmem_unread += truesize;
	sk->rmem_alloc += truesize;
	tcp_event_data_recv(sk, p);
	tcp_ack_snd_check(sk);
	/* app_read(): nothing else is unread. */
	sk->rmem_alloc -= sk->rmem_unread;
	sk->rmem_unread = 0;
	sk->copied_seq += p->payload;
	tcp_rcv_space_adjust(sk);
	if (sk->user && sk->user->readable)
		sk->user->readable(sk->user_arg, sk, p->payload, p);
	if (sk->state != TCP_CLOSE)
		tcp_cleanup_rbuf(sk, p->payload);
}

/* An ACK and nothing else, in order. What tcp_ack() makes of it is another question. */
static bool is_pure_ack(const struct tcp_sock *sk, const struct packet *p)
{
	return !p->payload && p->tcp.flags == TCP_FLAG_ACK && p->tcp.seq == sk->rcv_nxt &&
	       sk->state == TCP_ESTABLISHED && !sk->fin_received && !sk->tcp->host->wakeup.median &&
	       !sk->tcp->no_fast;
}

/* rcv_established() for it. */
static inline void rcv_pure_ack(struct tcp_sock *sk, const struct packet *p)
{
	if (sk->tstamp_ok) {
		sk->saw_tstamp = true;
		sk->rcv_tsecr = p->tcp.tsecr;
	}
	if (tcp_ack(sk, p, 0) < 0)
		return;
	if (sk->tstamp_ok && sk->rcv_nxt == sk->rcv_wup && (s32)(p->tcp.tsval - sk->ts_recent) >= 0)
		sk->ts_recent = p->tcp.tsval;
	tcp_data_snd_check(sk);
	tcp_ack_snd_check(sk);
}

static void rcv_established(struct tcp_sock *sk, const struct packet *p)
{
	const struct late *wakeup = &sk->tcp->host->wakeup;
	u32 readable = 0;

	if (sk->tstamp_ok) {
		sk->saw_tstamp = true;
		sk->rcv_tsecr = p->tcp.tsecr;
	}
	if (!acceptable(sk, p))
		return;
	if (p->tcp.flags & TCP_FLAG_RST) {
		tcp_done(sk, ECONNRESET);
		return;
	}
	if (p->tcp.flags & TCP_FLAG_SYN) {
		tcp_send_ack(sk);
		return;
	}
	if (tcp_ack(sk, p, 0) < 0)
		return;
	if (sk->tstamp_ok && !after(p->tcp.seq, sk->rcv_wup) &&
	    (s32)(p->tcp.tsval - sk->ts_recent) >= 0)
		sk->ts_recent = p->tcp.tsval;
	if (p->payload || (p->tcp.flags & TCP_FLAG_FIN)) {
		if (sk->tstamp_ok)
			tcp_rcv_rtt_measure_ts(sk, p->payload);
		data_queue(sk, p, &readable);
	}
	closing_steps(sk);
	if (sk->state == TCP_CLOSE)
		return;
	tcp_data_snd_check(sk);
	tcp_ack_snd_check(sk);
	if (readable) {
		if (!sk->unread)
			sk->unread_first = min_u32(readable, p->payload);
		sk->unread += readable;
	}
	if (!wakeup->median) {
		if (readable || sk->fin_received)
			app_read(sk, p);
	} else if ((sk->unread || sk->fin_received) && !event_pending(&sk->read_event)) {
		event_schedule(sk->sim, &sk->read_event,
			       late_time(wakeup, &sk->late, sk->sim->now));
	}
}

/* What the segment will touch, all at once: among many flows none of it is near. */
static void prefetch_sock(const struct tcp_sock *sk, bool data)
{
	__builtin_prefetch(&sk->rcv_nxt, 1);
	__builtin_prefetch(&sk->snd_una, 1);
	if (data) {
		__builtin_prefetch(&sk->copied_seq, 1);
		__builtin_prefetch(&sk->delack_timer, 1);
		return;
	}
	__builtin_prefetch(&sk->segs, 1);
	__builtin_prefetch(&sk->pacing_rate, 1);
	__builtin_prefetch(&sk->srtt, 1);
	__builtin_prefetch(&sk->rack, 1);
	__builtin_prefetch(&sk->ca_ops, 1);
	__builtin_prefetch(&sk->xmit_timer, 1);
}

static __attribute__((noinline)) void rcv_any(struct tcp_sock *sk, const struct packet *p)
{
	/* What the window depends on changes when data come, here, and when they are read. */
	if (p->payload || (p->tcp.flags & (TCP_FLAG_FIN | TCP_FLAG_SYN | TCP_FLAG_RST)))
		sk->window_kept = false;
	if (sk->state == TCP_SYN_SENT)
		rcv_syn_sent(sk, p);
	else if (sk->state != TCP_CLOSE && (sk->state != TCP_SYN_RECV || rcv_syn_recv(sk, p)))
		rcv_established(sk, p);
}

static inline void rcv_sock(struct tcp_sock *sk, const struct packet *p)
{
	if (is_plain(sk, p))
		rcv_plain(sk, p);
	else if (is_pure_ack(sk, p))
		rcv_pure_ack(sk, p);
	else
		rcv_any(sk, p);
	tcp_release(sk);
}

void tcp_rcv_sock(struct tcp_sock *sk, const struct packet *p)
{
	rcv_sock(sk, p);
}

void tcp_rcv_segment(struct tcp *t, struct packet *p)
{
	const struct tcp_sock *last = t->last;
	struct tcp_sock *sk = tcp_lookup(t, p->src, p->dport, p->sport);

	tcp_clock(t, t->obj.sim);
	t->rx_segments++;
	if (sk && sk != last)
		prefetch_sock(sk, p->payload);
	if (!sk && (p->tcp.flags & (TCP_FLAG_SYN | TCP_FLAG_ACK)) == TCP_FLAG_SYN) {
		if (!rcv_listen(t, p))
			tcp_send_reset(t, p);
		packet_free(t->obj.sim, p);
		return;
	}
	if (!sk || sk->state == TCP_CLOSE) {
		t->rx_no_socket++;
		packet_free(t->obj.sim, p);
		return;
	}
	if (__builtin_expect(sk->locked, 0)) {
		tcp_backlog_add(sk, p);
		return;
	}
	rcv_sock(sk, p);
	packet_free(t->obj.sim, p);
}
