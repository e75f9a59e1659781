/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP's receiving side: segments in, the window that is offered, when ACKs go, what came out of order, GRO.
 */
#ifndef WLANQ_TRANSPORT_TCP_RECEIVE_H
#define WLANQ_TRANSPORT_TCP_RECEIVE_H

#include "transport/tcp_types.h"

/* ---- tcp_rcvwnd.c ---- */

void tcp_select_initial_window(struct tcp_sock *sk);
u32 tcp_select_window(struct tcp_sock *sk);
u32 tcp_new_window(struct tcp_sock *sk);
void tcp_init_rcv_space(struct tcp_sock *sk);
void tcp_grow_window(struct tcp_sock *sk, u32 len, u32 truesize);
void tcp_rcv_space_adjust(struct tcp_sock *sk);
void tcp_rcv_rtt_measure(struct tcp_sock *sk);
void tcp_rcv_rtt_measure_ts(struct tcp_sock *sk, u32 len);
void tcp_clamp_window(struct tcp_sock *sk);
void tcp_update_scaling_ratio(struct tcp_sock *sk, u32 len);

/* ---- tcp_ackpolicy.c ---- */

void tcp_measure_rcv_mss(struct tcp_sock *sk, const struct packet *p);
void tcp_event_data_recv(struct tcp_sock *sk, const struct packet *p);
/* ACK_SCHED is set: acknowledges at once or sets the timer. */
void tcp_ack_is_due(struct tcp_sock *sk);
static inline void tcp_ack_snd_check(struct tcp_sock *sk)
{
	if (sk->ack_pending & ACK_SCHED)
		tcp_ack_is_due(sk);
}
void tcp_event_ack_sent(struct tcp_sock *sk, u32 rcv_nxt);
void tcp_enter_quickack(struct tcp_sock *sk, u32 max);
void tcp_cleanup_rbuf(struct tcp_sock *sk, u32 copied);
void tcp_initialize_rcv_mss(struct tcp_sock *sk);
void tcp_delack_expired(struct tcp_sock *sk);
void tcp_comp_sack_expired(struct sim *sim, struct event *ev);
void tcp_sack_compress_send_ack(struct tcp_sock *sk);

/* ---- tcp_rcv.c ---- */

void tcp_rcv_segment(struct tcp *t, struct packet *p); /* takes @p */
/* A segment for @sk, which is not locked by its writer or is let go by it. */
void tcp_rcv_sock(struct tcp_sock *sk, const struct packet *p);
/* The application's process has woken up, after the host's wakeup. */
void tcp_reader_woken(struct sim *sim, struct event *ev);
void tcp_ecn_check_ce(struct tcp_sock *sk, const struct packet *p);

/* ---- tcp_backlog.c ---- */

void tcp_backlog_add(struct tcp_sock *sk, struct packet *p); /* takes @p */
void tcp_backlog_purge(struct tcp_sock *sk);
/* The writer has sent @segs segments, and has the lock for as long as that takes. */
void tcp_lock(struct tcp_sock *sk, u32 segs);
void tcp_unlock(struct sim *sim, struct event *ev);

/* ---- tcp_ooo.c ---- */

void tcp_dsack_set(struct tcp_sock *sk, u32 seq, u32 end);
void tcp_sack_remove(struct tcp_sock *sk);
void tcp_ooo_queue(struct tcp_sock *sk, u32 seq, u32 end, u32 truesize);
u32 tcp_ooo_drain(struct tcp_sock *sk, u32 rcv_nxt);

/* ---- tcp_gro.c ---- */

void tcp_gro_init(struct tcp *t);
void tcp_gro_fini(struct tcp *t);
/* What the interface's NAPI poll would have merged is handed on at the end of the instant. */
void tcp_gro_receive(struct tcp *t, struct packet *p);

#endif
