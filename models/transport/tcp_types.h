/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A socket of TCP and its scoreboard. Names are Linux's where the thing is Linux's (net/ipv4, 6.1), so that a reader of
 * that code finds his way.
 *
 * Bytes have no content and no packet is kept for retransmission: what was sent is a ring of segment records, one per
 * MSS, and what was written and not yet sent is a ring of skb lengths.
 */
#ifndef WLANQ_TRANSPORT_TCP_TYPES_H
#define WLANQ_TRANSPORT_TCP_TYPES_H

#include "net/host.h"
#include "packet/fifo.h"
#include "packet/packet.h"
#include "transport/sock.h"
#include "transport/tcp_cong.h"
#include "transport/tcp_minmax.h"
#include "transport/tcp_params.h"

struct tcp;
struct tcp_listen;

enum tcp_state {
	TCP_CLOSE,
	TCP_SYN_SENT,
	TCP_SYN_RECV,
	TCP_ESTABLISHED,
	TCP_FIN_WAIT1,
	TCP_FIN_WAIT2,
	TCP_CLOSE_WAIT,
	TCP_CLOSING,
	TCP_LAST_ACK,
	TCP_TIME_WAIT,
};

/* Tags of a segment, Linux's TCPCB_*. */
#define TCPCB_SACKED_ACKED   0x01
#define TCPCB_SACKED_RETRANS 0x02
#define TCPCB_LOST	     0x04
#define TCPCB_EVER_RETRANS   0x80
#define TCPCB_RETRANS	     (TCPCB_SACKED_RETRANS | TCPCB_EVER_RETRANS)
#define TCPCB_TAGBITS	     (TCPCB_SACKED_ACKED | TCPCB_SACKED_RETRANS | TCPCB_LOST)

#define SEG_SKB_END 0x01 /* the last segment of what Linux keeps as one skb */
#define SEG_LINKED  0x02 /* in the list by time of sending */
#define SEG_SYN	    0x04
#define SEG_FIN	    0x08
#define SEG_APP_LIM 0x10 /* sent while limited by the application */

#define SEG_PSH 0x20

#define SEG_NONE UINT32_MAX

/* An unsent skb: bytes of payload, and whether its last packet is to carry PSH. */
#define UNSENT_LEN 0x7fffffffu
#define UNSENT_PSH 0x80000000u

/* One segment that was sent and not yet acknowledged. */
struct tcp_seg {
	u32 seq, end_seq;
	u8 sacked; /* TCPCB_* */
	u8 flags; /* SEG_* */
	u32 truesize; /* given back to the send buffer when it is acknowledged */
	u32 prev, next; /* by time of the last (re)transmission: ring indices */
	u32 tx_mark; /* the sock's tx_mark behind the packet that carried it last */
	u32 ack_seq; /* snd_nxt when it was last retransmitted */
	u64 sent_us; /* last (re)transmission */
	/* for the delivery rate sample, as of that transmission */
	u32 delivered;
	u64 first_tx_us, delivered_us;
};

struct tcp_range {
	u32 start, end;
};

/* A hole-free stretch of data that arrived out of order. */
struct tcp_ooo {
	u32 start, end;
	u32 truesize;
};

/* What a timer of the retransmit kind is set for, Linux's ICSK_TIME_*. */
enum { XMIT_NONE, XMIT_RETRANS, XMIT_PROBE0, XMIT_LOSS_PROBE, XMIT_REO };

#define ACK_SCHED   0x01
#define ACK_TIMER   0x02
#define ACK_PUSHED  0x04
#define ACK_PUSHED2 0x08
#define ACK_NOW	    0x10

#define TCP_ECN_OK	   0x1
#define TCP_ECN_QUEUE_CWR  0x2
#define TCP_ECN_DEMAND_CWR 0x4
#define TCP_ECN_SEEN	   0x8

#define TCP_INFINITE_SSTHRESH 0x7fffffffu
#define TCP_NUM_SACKS	      4u
#define TCP_MIN_MSS	      88u
#define TCP_MSS_DEFAULT	      536u
#define TCP_MAX_TCP_HEADER    320u /* L1_CACHE_ALIGN(128 + MAX_HEADER), x86-64 with 802.11s */

/*
 * In groups of a cache line each, by who uses them when. With many flows each line that a packet touches comes from far
 * away, so what data that arrive need lies in five of them, and what an ACK needs in nine.
 */
#define TCP_LINE __attribute__((aligned(64)))

struct tcp_sock {
	/* ---- whose it is, and what it is about: every packet ---- */
	TCP_LINE struct tcp_sock *hash_next;
	u16 peer_host, sport, dport;
	u16 mss_cache;
	u8 state; /* enum tcp_state */
	u8 ca_state; /* enum tcp_ca_state */
	u8 xmit_pending; /* XMIT_* */
	bool sack_ok, tstamp_ok, saw_tstamp;
	u8 ecn_flags;
	u8 nonagle;
	bool throttled, tsq_queued; /* TSQ */
	bool nospace : 1; /* the writer waits */
	bool write_wanted : 1; /* and is to be told */
	bool locked : 1; /* the writer is at work: tcp_backlog.c */
	bool tsq_deferred : 1; /* and TSQ waits for it */
	bool is_cwnd_limited;
	bool pacing, gso;
	bool fin_queued, fin_sent;
	u8 tos;
	u8 pacing_shift;
	bool tlp : 1; /* par->tlp and SACK */
	bool xmit_plain : 1; /* what it sends may go the short way, see tcp_output.c */
	bool probe_kept : 1; /* in jiffy probe_jiffies the loss probe's timer would be set as it is */
	u32 txhash;
	struct tcp *tcp;
	struct sim *sim;
	const struct tcp_params *par;

	/* ---- what is received and offered: every packet ---- */
	TCP_LINE u32 rcv_nxt;
	u32 rcv_wup, rcv_wnd, rcv_ssthresh, window_clamp, ts_recent;
	u32 rcvbuf, rmem_alloc;
	u32 rcv_tsecr;
	u32 ack_ato, lrcvtime;
	u32 priority;
	u16 scaling; /* share of the buffer that is window, in 1/256; 0: by adv_win_scale */
	u16 rcv_mss;
	u8 ack_pending, ack_quick;
	u8 rcv_wscale;
	u8 num_sacks;
	u8 compressed_ack; /* no more than comp_sack_nr */
	bool dsack;
	bool pingpong, fin_received, fin_known;
	bool closed_told, eof_told;
	bool window_kept; /* no data have come since a window was said, so that it would be the same */

	/* ---- data received ---- */
	TCP_LINE u32 copied_seq;
	u32 rmem_unread; /* of rmem_alloc, in order and about to be read */
	u32 unread, unread_first; /* bytes of it, and those of the packet that came first */
	u32 n_ooo;
	u32 rcv_rtt_last_tsecr;
	u32 ack_timeout;
	u16 last_seg_size;
	u8 dup_ack_counter;
	struct {
		u32 rtt_us, seq;
		u64 time;
	} rcv_rtt_est;
	struct {
		u32 space, seq;
		u64 time;
	} rcvq_space;
	TCP_LINE struct event delack_timer;
	const struct tcp_user *user;
	void *user_arg;

	/* ---- the windows, and what is out: every packet ---- */
	TCP_LINE u32 snd_una;
	u32 snd_nxt, snd_wnd, max_window, snd_wl1;
	u32 packets_out, sacked_out, lost_out, retrans_out;
	u32 snd_cwnd, snd_ssthresh;
	u32 delivered;
	u32 probes_out;
	u32 unsent_n;
	u64 bytes_sent; /* payload, for the first time */

	/* ---- the send buffer: data sent, ACKs ---- */
	TCP_LINE struct tcp_seg *segs; /* ring: head .. head + packets_out - 1 */
	u32 *unsent; /* ring of unsent skbs: UNSENT_* */
	u32 seg_mask, seg_head;
	u32 unsent_mask, unsent_head;
	u32 wmem_queued; /* Linux's sk_wmem_queued: truesize of all unacknowledged */
	u32 wmem_alloc; /* sk_wmem_alloc: truesize below TCP */
	u32 sndbuf;
	u32 rtx_skbs; /* what Linux keeps as skbs in the retransmit queue */
	u32 ts_first, ts_last; /* the list by time of sending */
	u32 tx_mark, tx_freed; /* truesize ever given down; of this, freed */

	/* ---- data sent ---- */
	TCP_LINE u64 pacing_rate; /* bytes/s */
	sim_time wstamp_ns; /* earliest departure of the next packet */
	u64 first_tx_us, delivered_us; /* for the delivery rate */
	u32 app_limited;
	u32 data_segs_out;
	u32 lsndtime, snd_sml;
	u32 max_packets_out, cwnd_usage_seq;
	u32 snd_cwnd_used, snd_cwnd_stamp;
	TCP_LINE struct event tsq_event;
	sim_time tsq_at; /* the last instant in which TSQ ran, and how often */
	u32 tsq_runs;
	u32 tso_deferred; /* jiffies of the first deferral << 1 | 1; 0: none since it sent last */

	/* ---- ACKs ---- */
	TCP_LINE u32 srtt; /* << 3; us or jiffies */
	u32 mdev, mdev_max, rttvar, rtt_seq; /* mdev << 2 */
	u32 rto; /* jiffies */
	u32 rto_min; /* in the unit of srtt */
	u32 xmit_timeout; /* jiffies when the transmit timer is due */
	struct tcp_minmax rtt_min; /* us, over jiffies */
	u32 retransmit_hint, lost_hint;
	TCP_LINE struct {
		u64 mstamp;
		u32 rtt_us, tx_mark, end_seq, last_delivered;
		u8 reo_wnd_steps, reo_wnd_persist;
		bool dsack_seen, advanced, reord;
	} rack;
	u32 highest_sack; /* index after the highest segment SACKed; valid when sacked_out */
	u32 lost_cnt_hint;
	u32 high_seq, tlp_high_seq;
	u32 rate_delivered, rate_interval_us;
	u32 reordering, reord_seen;
	TCP_LINE const struct tcp_congestion_ops *ca_ops;
	const void *ca_params;
	u32 rcv_tsval; /* of the segment whose ACK was taken last; 0 without timestamps */
	u32 sndbuf_segs; /* that the send buffer was last reckoned for; 0: not yet */
	u64 ca_priv[20];
	TCP_LINE struct event xmit_timer;
	u32 snd_cwnd_cnt;
	u32 probe_jiffies;
	u8 frto_counter; /* F-RTO before 3.10 */
	u8 backoff, retransmits;
	bool frto, is_sack_reneg, tlp_retrans;

	/* ---- writing ---- */
	TCP_LINE u32 write_seq;
	u32 pushed_seq;
	u32 gso_max_size;
	u32 lost;
	struct tcp_info info; /* without what tcp_get_info() puts in */

	/* ---- recovery ---- */
	u32 prior_ssthresh, prior_cwnd, undo_marker;
	int undo_retrans;
	u32 retrans_stamp; /* timestamp clock */
	u32 prr_delivered, prr_out;
	u32 total_retrans, dsack_dups;
	bool fack_ok;
	u32 frto_highmark; /* F-RTO before 3.10 */
	u32 retransmit_high; /* behind the highest segment marked lost */
	struct tcp_range recv_sack_cache[TCP_NUM_SACKS];
	u32 delivered_ce; /* of those delivered, told by ACKs with an ECN echo */

	/* ---- what arrived out of order ---- */
	struct tcp_range selective_acks[TCP_NUM_SACKS], duplicate_sack;
	struct tcp_ooo *ooo;
	u32 max_ooo;
	u32 compressed_rcv_nxt;
	struct event comp_timer;

	/* ---- seldom ---- */
	struct event pacing_timer, read_event, unlock_event;
	struct packet_fifo backlog;
	u32 fin_seq;
	u32 init_cwnd, snd_cwnd_clamp;
	u16 mss_clamp, advmss;
	u16 header_len; /* TCP header with the options that every segment has */
	u8 snd_wscale;
	bool wscale_ok, is_server;
	const struct model_class *ca_cls; /* NULL: Reno, for want of a choice */
	struct tcp_linux *ca_linux; /* the file of a Linux tree behind ca_ops; NULL: none */
	u64 draw_key;
	u32 draw_index;
	struct draw late; /* of its timers and of its application */
	struct tcp_sock *peer; /* the other end's socket, NULL when there is none */
	struct tcp_listen *listen;
	u64 syn_us; /* when the SYN or SYN-ACK was sent first */
};

#define TCP_AT_LINE(field, line)                                        \
	_Static_assert(offsetof(struct tcp_sock, field) == 64 * (line), \
		       "the group before tcp_sock." #field " is longer than its cache lines")
TCP_AT_LINE(rcv_nxt, 1);
TCP_AT_LINE(copied_seq, 2);
TCP_AT_LINE(delack_timer, 3);
TCP_AT_LINE(snd_una, 4);
TCP_AT_LINE(segs, 5);
TCP_AT_LINE(pacing_rate, 6);
TCP_AT_LINE(tsq_event, 7);
TCP_AT_LINE(srtt, 8);
TCP_AT_LINE(rack, 9);
TCP_AT_LINE(ca_ops, 10);
TCP_AT_LINE(xmit_timer, 13);
#undef TCP_AT_LINE

#endif
