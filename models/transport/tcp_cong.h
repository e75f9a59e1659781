/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Congestion control: a table of functions modelled on Linux's tcp_congestion_ops, so that a file of Linux's own can
 * stand behind it. A class of kind "congestion" has this table as its kind_ops; it makes no objects, its parameters
 * are read through tcp_sock.ca_params and its state lies in tcp_sock.ca_priv.
 */
#ifndef WLANQ_TRANSPORT_TCP_CONG_H
#define WLANQ_TRANSPORT_TCP_CONG_H

#include "engine/model.h"
#include "packet/packet.h"

struct tcp_sock;

extern const struct model_kind kind_congestion;

enum tcp_ca_state { TCP_CA_Open, TCP_CA_Disorder, TCP_CA_CWR, TCP_CA_Recovery, TCP_CA_Loss };

enum tcp_ca_event {
	CA_EVENT_TX_START, /* first transmit when nothing is in flight */
	CA_EVENT_CWND_RESTART,
	CA_EVENT_COMPLETE_CWR,
	CA_EVENT_LOSS,
	CA_EVENT_ECN_NO_CE,
	CA_EVENT_ECN_IS_CE,
};

struct ack_sample {
	u32 pkts_acked;
	s32 rtt_us; /* negative: none */
	u32 in_flight; /* bytes */
};

/* The delivery rate seen by one ACK, Linux's struct rate_sample. */
struct rate_sample {
	u64 prior_us; /* delivered_us when the segment was sent, 0: no sample */
	u32 prior_delivered;
	s32 delivered; /* segments over the interval, negative: no sample */
	s64 interval_us;
	s64 rtt_us; /* of the last segment (S)ACKed, -1: none */
	u32 losses, acked_sacked, prior_in_flight, last_end_seq, last_tx_mark;
	bool is_app_limited, is_retrans, is_ack_delayed;
};

#define TCP_CONG_NEEDS_ECN 0x1u

struct tcp_congestion_ops {
	u32 flags;
	void (*init)(struct tcp_sock *sk);
	/* New slow start threshold after a loss, segments. */
	u32 (*ssthresh)(struct tcp_sock *sk);
	/* @acked segments more were delivered and the window may grow. */
	void (*cong_avoid)(struct tcp_sock *sk, u32 ack, u32 acked);
	void (*set_state)(struct tcp_sock *sk, u8 new_state);
	void (*cwnd_event)(struct tcp_sock *sk, enum tcp_ca_event ev);
	void (*in_ack_event)(struct tcp_sock *sk, u32 flags);
	u32 (*undo_cwnd)(struct tcp_sock *sk);
	void (*pkts_acked)(struct tcp_sock *sk, const struct ack_sample *sample);
	u32 (*min_tso_segs)(struct tcp_sock *sk);
	/* Takes the place of cong_avoid and of every reduction. */
	void (*cong_control)(struct tcp_sock *sk, const struct rate_sample *rs);
	u32 (*sndbuf_expand)(struct tcp_sock *sk);
};

u32 tcp_slow_start(struct tcp_sock *sk, u32 acked);
void tcp_cong_avoid_ai(struct tcp_sock *sk, u32 w, u32 acked);
u32 tcp_reno_ssthresh(struct tcp_sock *sk);
u32 tcp_reno_undo_cwnd(struct tcp_sock *sk);
void tcp_reno_cong_avoid(struct tcp_sock *sk, u32 ack, u32 acked);
/* CUBIC's integer cube root, up to 0.2 % off as in Linux. */
u32 tcp_cubic_root(u64 a);

extern const struct model_class tcp_reno_class, tcp_cubic_class, tcp_bbr_class, tcp_dctcp_class;

#endif
