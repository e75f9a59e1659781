/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ACKs and timers do to the sender: RTT, the scoreboard, the states of recovery and the window's way down.
 */
#ifndef WLANQ_TRANSPORT_TCP_ACKS_H
#define WLANQ_TRANSPORT_TCP_ACKS_H

#include "transport/tcp_types.h"

/* ---- tcp_input.c ---- */

#define FLAG_DATA		   0x01
#define FLAG_WIN_UPDATE		   0x02
#define FLAG_DATA_ACKED		   0x04
#define FLAG_RETRANS_DATA_ACKED	   0x08
#define FLAG_SYN_ACKED		   0x10
#define FLAG_DATA_SACKED	   0x20
#define FLAG_ECE		   0x40
#define FLAG_LOST_RETRANS	   0x80
#define FLAG_ONLY_ORIG_SACKED	   0x100 /* for F-RTO before 3.10 */
#define FLAG_ORIG_SACK_ACKED	   0x200
#define FLAG_SND_UNA_ADVANCED	   0x400
#define FLAG_DSACKING_ACK	   0x800
#define FLAG_SET_XMIT_TIMER	   0x1000
#define FLAG_SACK_RENEGING	   0x2000
#define FLAG_DSACK_TLP		   0x20000
#define FLAG_ACK_MAYBE_DELAYED	   0x10000
#define FLAG_NONHEAD_RETRANS_ACKED 0x40000
#define FLAG_DATA_LOST		   0x80000

#define FLAG_ACKED	      (FLAG_DATA_ACKED | FLAG_SYN_ACKED)
#define FLAG_NOT_DUP	      (FLAG_DATA | FLAG_WIN_UPDATE | FLAG_ACKED)
#define FLAG_CA_ALERT	      (FLAG_DATA_SACKED | FLAG_ECE | FLAG_DSACKING_ACK)
#define FLAG_FORWARD_PROGRESS (FLAG_ACKED | FLAG_DATA_SACKED)

/* What one ACK told; Linux's tcp_sacktag_state with its rate sample. */
struct tcp_ack_state {
	u64 first_sack_us, last_sack_us; /* sending times, 0: none */
	u32 reord;
	u32 sack_delivered;
	u32 flag;
	struct rate_sample rs;
};

int tcp_ack(struct tcp_sock *sk, const struct packet *p, u32 flag);
void tcp_rearm_rto(struct tcp_sock *sk);

/* ---- tcp_rtt.c ---- */

bool tcp_ack_update_rtt(struct tcp_sock *sk, u32 flag, s64 seq_us, s64 sack_us, s64 ca_us,
			struct rate_sample *rs);
void tcp_update_pacing_rate(struct tcp_sock *sk);

/* ---- tcp_sack.c ---- */

void tcp_sacktag(struct tcp_sock *sk, const struct packet *p, u32 prior_snd_una,
		 struct tcp_ack_state *st);
void tcp_check_sack_reordering(struct tcp_sock *sk, u32 low_seq);
void tcp_mark_seg_lost(struct tcp_sock *sk, u32 index);
void tcp_add_reno_sack(struct tcp_sock *sk, u32 num_dupack);
void tcp_remove_reno_sacks(struct tcp_sock *sk, u32 acked);

/* ---- tcp_recovery.c ---- */

enum { REXMIT_NONE, REXMIT_LOST, REXMIT_NEW };
void tcp_fastretrans_alert(struct tcp_sock *sk, u32 prior_snd_una, u32 num_dupack, u32 *flag,
			   u32 *rexmit);
void tcp_set_ca_state(struct tcp_sock *sk, u8 state);
void tcp_ca_event(struct tcp_sock *sk, enum tcp_ca_event ev);
void tcp_enter_loss(struct tcp_sock *sk);
void tcp_enter_recovery(struct tcp_sock *sk, bool ece_ack);
void tcp_try_keep_open(struct tcp_sock *sk);

/* ---- tcp_frto.c ---- */

/* F-RTO before 3.10 is on, and may be tried on this timeout. */
bool tcp_frto_usable(const struct tcp_sock *sk);
void tcp_frto_enter(struct tcp_sock *sk);
/* An ACK while it is under way. True: the window is set, congestion control keeps off it. */
bool tcp_frto_process(struct tcp_sock *sk, u32 flag);

/* ---- tcp_reduce.c ---- */

void tcp_enter_cwr(struct tcp_sock *sk);
/* The window of this state comes down by a segment every second ACK. */
bool tcp_rate_halves(const struct tcp_sock *sk);
void tcp_init_cwnd_reduction(struct tcp_sock *sk);
void tcp_cwnd_reduction(struct tcp_sock *sk, u32 newly_acked_sacked, u32 newly_lost, u32 flag);
void tcp_end_cwnd_reduction(struct tcp_sock *sk);
void tcp_undo_cwnd_reduction(struct tcp_sock *sk, bool unmark_loss);
void tcp_moderate_cwnd(struct tcp_sock *sk);
bool tcp_any_retrans_done(const struct tcp_sock *sk);

/* ---- tcp_rack.c ---- */

bool tcp_rack_mark_lost(struct tcp_sock *sk);
void tcp_rack_reo_timeout(struct tcp_sock *sk);
void tcp_rack_update_reo_wnd(struct tcp_sock *sk, const struct rate_sample *rs);
s32 tcp_rack_timeout(const struct tcp_sock *sk, const struct tcp_seg *seg, u32 reo_wnd);
void tcp_process_tlp_ack(struct tcp_sock *sk, u32 ack, u32 flag);

/* ---- tcp_timer.c ---- */

void tcp_reset_xmit_timer(struct tcp_sock *sk, u8 what, u32 when, u32 max);
void tcp_clear_xmit_timer(struct tcp_sock *sk);
s64 tcp_rto_delta_us(const struct tcp_sock *sk);
void tcp_init_timers(struct tcp_sock *sk);
void tcp_stop_timers(struct tcp_sock *sk);
void tcp_reset_delack_timer(struct tcp_sock *sk, u32 expires);
void tcp_clear_delack_timer(struct tcp_sock *sk);
u32 tcp_probe0_when(const struct tcp_sock *sk);
void tcp_check_probe_timer(struct tcp_sock *sk);

#endif
