// SPDX-License-Identifier: GPL-3.0-or-later
/* When the receiver acknowledges: at once, every second segment, delayed, or compressed. */
#include "transport/tcp.h"

#define DUPTHRESH 3u

void tcp_initialize_rcv_mss(struct tcp_sock *sk)
{
	u32 hint = min_u32(sk->advmss, sk->mss_cache);

	hint = min_u32(hint, sk->rcv_wnd / 2);
	hint = min_u32(hint, TCP_MSS_DEFAULT);
	sk->rcv_mss = (u16)max_u32(hint, TCP_MIN_MSS);
}

/* The peer's segment size as it is seen, for "every second full segment". */
void tcp_measure_rcv_mss(struct tcp_sock *sk, const struct packet *p)
{
	u32 lss = sk->last_seg_size;
	u32 len = p->gso_size ? p->gso_size : p->payload;

	sk->last_seg_size = 0;
	if (len >= sk->rcv_mss) {
		if (len != sk->rcv_mss)
			tcp_update_scaling_ratio(sk, len);
		sk->rcv_mss = (u16)min_u32(len, sk->advmss);
		if ((p->tcp.flags & TCP_FLAG_PSH) && tcp_since(sk, ERA_PUSH_ACK))
			sk->ack_pending |= ACK_PUSHED;
		return;
	}
	/* Its header counts, so that SACK blocks do not blur the size. */
	len += p->header - 20u;
	if (len >= TCP_MSS_DEFAULT + 20 ||
	    (len >= TCP_MIN_MSS + 20 && !(p->tcp.flags & (TCP_FLAG_PSH | TCP_FLAG_FIN)))) {
		len -= sk->header_len;
		sk->last_seg_size = (u16)len;
		if (len == lss) {
			sk->rcv_mss = (u16)len;
			return;
		}
	}
	if (sk->ack_pending & ACK_PUSHED)
		sk->ack_pending |= ACK_PUSHED2;
	sk->ack_pending |= ACK_PUSHED;
}

static void incr_quickack(struct tcp_sock *sk, u32 max)
{
	u32 n = sk->rcv_wnd / (2u * sk->rcv_mss);

	if (!n)
		n = 2;
	n = min_u32(n, max);
	if (n > sk->ack_quick)
		sk->ack_quick = (u8)n;
}

void tcp_enter_quickack(struct tcp_sock *sk, u32 max)
{
	incr_quickack(sk, max);
	sk->pingpong = false;
	sk->ack_ato = sk->tcp->delack_min_j;
}

static bool in_quickack(const struct tcp_sock *sk)
{
	return sk->ack_quick && !sk->pingpong;
}

void tcp_event_data_recv(struct tcp_sock *sk, const struct packet *p)
{
	const struct tcp *t = sk->tcp;
	u32 now = t->jiffies, quick = (u32)sk->par->quickacks, ato_min = t->delack_min_j;

	sk->ack_pending |= ACK_SCHED;
	tcp_measure_rcv_mss(sk, p);
	tcp_rcv_rtt_measure(sk);
	if (!sk->ack_ato) {
		incr_quickack(sk, quick);
		sk->ack_ato = ato_min;
	} else {
		u32 m = now - sk->lrcvtime;

		if (m <= ato_min / 2) {
			sk->ack_ato = (sk->ack_ato >> 1) + ato_min / 2;
		} else if (m < sk->ack_ato) {
			sk->ack_ato = min_u32((sk->ack_ato >> 1) + m, sk->rto);
		} else if (m > sk->rto) {
			/* The sender seems to start anew. */
			incr_quickack(sk, quick);
		}
	}
	sk->lrcvtime = now;
	tcp_ecn_check_ce(sk, p);
	if (p->payload >= 128) {
		u32 segs = p->skb.gso > 1 ? p->skb.gso : 1;
		u32 truesize = (u32)sk->par->rx_truesize * segs;

		tcp_grow_window(sk, p->payload, truesize);
	}
}

/* A segment that acknowledges @rcv_nxt goes out. */
void tcp_event_ack_sent(struct tcp_sock *sk, u32 rcv_nxt)
{
	if (sk->compressed_ack) {
		sk->compressed_ack = 0;
		event_cancel(sk->sim, &sk->comp_timer);
	}
	/* DCTCP tells of a mark that has just changed: what came behind is still to be acknowledged. */
	if (rcv_nxt != sk->rcv_nxt)
		return;
	/* Only what acknowledges new data counts. */
	if (sk->ack_quick && (sk->ack_pending & ACK_SCHED)) {
		sk->ack_quick--;
		if (!sk->ack_quick)
			sk->ack_ato = sk->tcp->delack_min_j;
	}
	tcp_clear_delack_timer(sk);
}

static void send_delayed_ack(struct tcp_sock *sk)
{
	const struct tcp *t = sk->tcp;
	u32 ato = sk->ack_ato, now = t->jiffies, timeout;

	if (ato > t->delack_min_j) {
		u32 max_ato = t->hz / 2;

		if (sk->pingpong || (sk->ack_pending & ACK_PUSHED))
			max_ato = t->delack_max_j;
		if (sk->srtt) {
			u32 rtt = tcp_us_to_jiffies(t, tcp_srtt_us(sk));

			max_ato = min_u32(max_ato, max_u32(rtt, t->delack_min_j));
		}
		ato = min_u32(ato, max_ato);
	}
	ato = min_u32(ato, t->delack_max_j);
	timeout = now + ato;
	if (sk->ack_pending & ACK_TIMER) {
		if (!after(sk->ack_timeout, now + (ato >> 2))) {
			tcp_send_ack(sk);
			return;
		}
		if (!before(timeout, sk->ack_timeout))
			timeout = sk->ack_timeout;
	}
	sk->ack_pending |= ACK_SCHED | ACK_TIMER;
	tcp_reset_delack_timer(sk, timeout);
}

void tcp_delack_expired(struct tcp_sock *sk)
{
	const struct tcp *t = sk->tcp;

	if (sk->compressed_ack) {
		tcp_sack_compress_send_ack(sk);
		return;
	}
	if (!(sk->ack_pending & ACK_TIMER))
		return;
	if (after(sk->ack_timeout, t->jiffies)) {
		tcp_reset_delack_timer(sk, sk->ack_timeout);
		return;
	}
	sk->ack_pending &= (u8)~ACK_TIMER;
	if (!(sk->ack_pending & ACK_SCHED))
		return;
	if (!sk->pingpong) {
		sk->ack_ato = min_u32(sk->ack_ato << 1, sk->rto);
	} else {
		sk->pingpong = false;
		sk->ack_ato = t->delack_min_j;
	}
	tcp_send_ack(sk);
}

/* An ACK that was held back says by its own duplicate how many it stands for. */
void tcp_sack_compress_send_ack(struct tcp_sock *sk)
{
	if (!sk->compressed_ack)
		return;
	event_cancel(sk->sim, &sk->comp_timer);
	sk->compressed_ack = 0;
	tcp_send_ack(sk);
}

void tcp_comp_sack_expired(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, comp_timer);

	if (sk->state == TCP_CLOSE || !sk->compressed_ack)
		return;
	if (sk->locked) {
		event_schedule(sim, ev, sk->unlock_event.due);
		return;
	}
	tcp_clock(sk->tcp, sim);
	sk->compressed_ack = 0;
	tcp_send_ack(sk);
}

/* Duplicate ACKs beyond those that start a recovery wait for company. */
static bool compress(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	u32 rtt;
	s64 delay;

	if (!sk->sack_ok || sk->compressed_ack >= (u32)par->comp_sack_nr)
		return false;
	if (sk->compressed_rcv_nxt != sk->rcv_nxt) {
		sk->compressed_rcv_nxt = sk->rcv_nxt;
		sk->dup_ack_counter = 0;
	}
	if (sk->dup_ack_counter < DUPTHRESH) {
		sk->dup_ack_counter++;
		return false;
	}
	sk->compressed_ack++;
	if (event_pending(&sk->comp_timer))
		return true;
	rtt = sk->rcv_rtt_est.rtt_us;
	if (sk->srtt && sk->srtt < rtt)
		rtt = sk->srtt;
	delay = (s64)rtt * 125 / 20;
	if (delay > par->comp_sack_delay)
		delay = par->comp_sack_delay;
	event_schedule_in(sk->sim, &sk->comp_timer, delay + par->comp_sack_slack);
	return true;
}

void tcp_ack_is_due(struct tcp_sock *sk)
{
	if ((sk->rcv_nxt - sk->rcv_wup > sk->rcv_mss && tcp_new_window(sk) >= sk->rcv_wnd) ||
	    in_quickack(sk) || (sk->ack_pending & ACK_NOW)) {
		tcp_send_ack(sk);
		return;
	}
	if (!sk->n_ooo)
		send_delayed_ack(sk);
	else if (!compress(sk))
		tcp_send_ack(sk);
}

/* The application has read @copied bytes. */
void tcp_cleanup_rbuf(struct tcp_sock *sk, u32 copied)
{
	bool now = false;

	if (sk->ack_pending & ACK_SCHED) {
		if (sk->rcv_nxt - sk->rcv_wup > sk->rcv_mss)
			now = true;
		else if (copied && !sk->rmem_alloc &&
			 ((sk->ack_pending & ACK_PUSHED2) ||
			  ((sk->ack_pending & ACK_PUSHED) && !sk->pingpong)))
			now = true;
	}
	if (copied && !now && !sk->fin_received) {
		u32 win = tcp_receive_window(sk);

		if (2 * win <= sk->window_clamp) {
			u32 next = tcp_new_window(sk);

			now = next && next >= 2 * win;
		}
	}
	if (now)
		tcp_send_ack(sk);
}
