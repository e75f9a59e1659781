/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP's parameters, one field for each entry of the table in tcp_params.c, in the base units of engine/model.h, and the
 * kernels that changed the code in ways that have no switch.
 */
#ifndef WLANQ_TRANSPORT_TCP_PARAMS_H
#define WLANQ_TRANSPORT_TCP_PARAMS_H

#include "engine/model.h"

enum { TSQ_OFF, TSQ_FIXED, TSQ_RATE };
enum { REDUCTION_RATE_HALVING, REDUCTION_PRR };
enum { RACK_OFF, RACK_ASSIST, RACK_ON };
enum { FRTO_RFC4138, FRTO_RFC5682 };
enum { RTT_JIFFIES, RTT_USEC };
enum { TSO_DEFER_JIFFIES, TSO_DEFER_HALF_RTT, TSO_DEFER_ACK };
enum { GSO_OFF, GSO_DEVICE, GSO_ALWAYS };

struct tcp_params {
	struct slot congestion;
	int64_t initial_cwnd;
	int64_t initial_rcv_wnd; /* segments, 0: what the buffer holds */
	int64_t rto_initial, rto_min, rto_max;
	int64_t syn_retries, syn_linear_timeouts, synack_retries, retries2;
	int64_t sack, dsack, fack, timestamps, window_scaling;
	int64_t reordering, max_reordering;
	int64_t reduction, rack, tlp, frto, frto_form, forward_retransmit, ecn;
	int64_t slow_start_after_idle;
	int64_t count_segments; /* windows grow by segments acknowledged, not by ACKs */
	int64_t wmem_default, wmem_max, rmem_default, rmem_max;
	int64_t moderate_rcvbuf, adv_win_scale, scaling_ratio;
	int64_t tsq, limit_output_bytes, pacing_shift;
	int64_t pacing, pacing_ss_ratio, pacing_ca_ratio;
	int64_t gso, gso_max_size, min_tso_segs, tso_win_divisor, tso_defer, tso_rtt_log;
	int64_t delack_min, delack_max, quickacks;
	int64_t comp_sack_delay, comp_sack_slack, comp_sack_nr;
	int64_t gro;
	int64_t min_rtt_wlen;
	int64_t rtt_clock;
	int64_t timer_wheel;
	int64_t tx_overhead, seg_overhead, rx_truesize;
};

/* The kernels that changed the code in ways that have no switch. */
#define ERA_LOSS_HIGH 31300u /* losses among what was sent during a recovery count too */
#define ERA_WRITE_LIMITS \
	31900u /* autosizing, TSQ's checks and "is the window the limit" of today */
#define ERA_PRR_CWR	     30700u /* PRR in CWR too, not rate halving */
#define ERA_DEFER_FROM_FIRST 30900u /* the clock of TSO's deferral runs from the first */
#define ERA_PRR_CRB	     40300u /* PRR: conservation, slow start only when nothing more is lost */
#define ERA_REHASH	     40400u /* a new flow hash after a timeout */
#define ERA_RETRANS_TSO	     40700u /* what was one packet is one again when it is resent */
#define ERA_RETRANS_TSQ	     40900u /* TSQ bounds retransmissions too */
#define ERA_TLP_RTO_MIN	     41300u /* probe timeout 2 RTT and a minimum for a lone segment */
#define ERA_LOSS_CWND \
	41800u /* a timeout's window counts what is still in flight; Reno marks by itself */
#define ERA_ACK_NOW	 41900u /* an ACK at once when a gap is filled */
#define ERA_DEFER_MS	 50000u /* TSO's deferral needs a packet of the last ms, not of this tick */
#define ERA_RETRANS_WMEM 51300u /* no look at the send buffer before a retransmission */
#define ERA_PRR_UNA	 51400u /* PRR: one more for an advance without losses */
#define ERA_PUSH_ACK	 60100u /* a full segment with PSH may be acknowledged when it is read */
#define ERA_GROW_SKB	 60800u /* a small unsent skb is filled from the next one */
#define ERA_EVENT_LAST \
	61500u /* congestion control is told of an ACK when what it delivered is counted */
#define ERA_MEASURE_OOO 61700u /* segments out of order tell of their size too */
#define ERA_SPACE_FROM_WIN \
	61700u /* the receive buffer follows from the window, without a cushion */

#endif
