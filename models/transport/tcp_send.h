/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP's sending side: the send buffer, what may go now, packets out, and out again.
 */
#ifndef WLANQ_TRANSPORT_TCP_SEND_H
#define WLANQ_TRANSPORT_TCP_SEND_H

#include "transport/tcp_types.h"

/* ---- tcp_sendbuf.c ---- */

void tcp_sndbuf_expand(struct tcp_sock *sk);
void tcp_space_freed(struct tcp_sock *sk);
/* Splits the first unsent skb behind @len bytes. */
void tcp_unsent_split(struct tcp_sock *sk, u32 len);
/* Moves up to @amount bytes from the second unsent skb into the first. */
void tcp_unsent_grow(struct tcp_sock *sk, u32 amount);
void tcp_seg_ring_grow(struct tcp_sock *sk);
/* The ring index of the segment that holds @seq; the tail when it was not sent yet. */
u32 tcp_seg_find(const struct tcp_sock *sk, u32 seq);

/* ---- tcp_xmit.c: packets out ---- */

int tcp_send_data(struct tcp_sock *sk, u32 seq, u32 len, u32 segs, u32 truesize, u8 flags);
void tcp_send_syn(struct tcp_sock *sk);
void tcp_send_ack(struct tcp_sock *sk);
/* An ACK of no more than @rcv_nxt, behind which more has arrived. */
void tcp_send_ack_of(struct tcp_sock *sk, u32 rcv_nxt);
void tcp_send_probe(struct tcp_sock *sk);
void tcp_send_reset(struct tcp *t, const struct packet *in);
u32 tcp_sack_option_len(const struct tcp_sock *sk);
void tcp_tsq_run(struct sim *sim, struct event *ev);

/* ---- tcp_output.c ---- */

enum { NAGLE_OFF = 1, NAGLE_PUSH = 4 };
bool tcp_may_xmit_plain(const struct tcp_sock *sk);
bool tcp_write_xmit(struct tcp_sock *sk, u32 mss, u32 nonagle, u32 push_one);
void tcp_push_pending(struct tcp_sock *sk, u32 nonagle);
void tcp_data_snd_check(struct tcp_sock *sk);
bool tcp_small_queue_check(struct tcp_sock *sk, u32 truesize, u32 factor);
bool tcp_pacing_waits(struct tcp_sock *sk);
/* Windows and Nagle would let the next unsent packet go. */
bool tcp_may_send_now(const struct tcp_sock *sk);
u32 tcp_tso_segs(const struct tcp_sock *sk, u32 mss);
u32 tcp_xmit_size_goal(const struct tcp_sock *sk, u32 mss);
bool tcp_is_cwnd_limited(const struct tcp_sock *sk);
void tcp_slow_start_after_idle_check(struct tcp_sock *sk);
int tcp_write_wakeup(struct tcp_sock *sk);

/* ---- tcp_retrans.c ---- */

int tcp_retransmit_seg(struct tcp_sock *sk, u32 index, u32 max_segs);
void tcp_xmit_retransmit_queue(struct tcp_sock *sk);
bool tcp_schedule_loss_probe(struct tcp_sock *sk, bool advancing_rto);
void tcp_send_loss_probe(struct tcp_sock *sk);

#endif
