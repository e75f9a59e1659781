/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP's inside: the host's protocol object, its parameters, a socket and its scoreboard. Names are Linux's where
 * the thing is Linux's (net/ipv4, 6.1), so that a reader of that code finds his way.
 *
 * Bytes have no content and no packet is kept for retransmission: what was sent is a ring of segment
 * records, one per MSS, and what was written and not yet sent is a ring of skb lengths.
 */
#ifndef WLANQ_TRANSPORT_TCP_H
#define WLANQ_TRANSPORT_TCP_H

#include "engine/model.h"
#include "engine/pool.h"
#include "net/host.h"
#include "packet/packet.h"
#include "transport/sock.h"
#include "transport/tcp_cong.h"
#include "transport/tcp_minmax.h"

enum { TSQ_OFF, TSQ_FIXED, TSQ_RATE };
enum { REDUCTION_RATE_HALVING, REDUCTION_PRR };
enum { RACK_OFF, RACK_ASSIST, RACK_ON };
enum { RTT_JIFFIES, RTT_USEC };
enum { GSO_OFF, GSO_DEVICE, GSO_ALWAYS };

struct tcp_params {
	struct slot congestion;
	int64_t initial_cwnd;
	int64_t initial_rcv_wnd; /* segments, 0: what the buffer holds */
	int64_t rto_initial, rto_min, rto_max;
	int64_t syn_retries, syn_linear_timeouts, synack_retries, retries2;
	int64_t sack, dsack, fack, timestamps, window_scaling;
	int64_t reordering, max_reordering;
	int64_t reduction, rack, tlp, frto, ecn;
	int64_t slow_start_after_idle;
	int64_t count_segments; /* windows grow by segments acknowledged, not by ACKs */
	int64_t wmem_default, wmem_max, rmem_default, rmem_max;
	int64_t moderate_rcvbuf, adv_win_scale, scaling_ratio;
	int64_t tsq, limit_output_bytes, pacing_shift;
	int64_t pacing, pacing_ss_ratio, pacing_ca_ratio;
	int64_t gso, gso_max_size, min_tso_segs, tso_win_divisor, tso_rtt_log;
	int64_t delack_min, delack_max, quickacks;
	int64_t comp_sack_delay, comp_sack_slack, comp_sack_nr;
	int64_t gro;
	int64_t min_rtt_wlen;
	int64_t rtt_clock;
	int64_t timer_wheel;
	int64_t tx_overhead, seg_overhead, rx_truesize;
};

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

/* The protocol of one host. */
struct tcp {
	struct object obj;
	struct host *host;
	const struct tcp_params *par;

	/* The host's clock, refreshed once an instant. Both run from a second before time 0. */
	sim_time clock_ns;
	u64 us;
	u32 jiffies;
	sim_time jiffy_end, tick_ns;

	/* Parameters in the units of the code. */
	u32 hz;
	u32 rto_min_j, rto_max_j, rto_init_j;
	u32 delack_min_j, delack_max_j;

	struct tcp_sock **hash; /* by ports and peer */
	u32 hash_bits, n_socks;
	struct tcp_listen **listens;
	struct pool *sock_pool, *listen_pool;
	struct tcp_sock *spare; /* freed sockets that keep their rings */
	struct tcp_sock *dead; /* freed, but packets of theirs are still below */
	struct tcp_gro *gro;

	u64 rx_segments, rx_no_socket, rx_merged;
	u64 retransmits, timeouts; /* of all sockets, for the host's metrics */
};

struct tcp_listen {
	struct tcp_listen *next;
	struct tcp_sock *client;
	u16 peer, sport, dport;
	const struct tcp_user *user;
	void *user_arg;
};

struct tcp_sock {
	/* ---- every segment sent, every ACK ---- */
	struct tcp *tcp;
	struct sim *sim;
	const struct tcp_params *par;
	u8 state; /* enum tcp_state */
	u8 ca_state; /* enum tcp_ca_state */
	u8 xmit_pending; /* XMIT_* */
	bool sack_ok, tstamp_ok, wscale_ok;
	bool throttled, tsq_queued; /* TSQ */
	bool nospace; /* the writer waits */
	bool write_wanted; /* and is to be told */
	bool is_cwnd_limited;
	u8 ecn_flags;
	u8 nonagle;
	u16 mss_cache, mss_clamp, advmss;
	u16 header_len; /* TCP header with the options that every segment has */

	u32 snd_una, snd_nxt, write_seq, snd_wnd, max_window, snd_wl1;
	u32 pushed_seq, snd_sml;
	u32 snd_cwnd, snd_ssthresh, snd_cwnd_cnt, snd_cwnd_used, snd_cwnd_stamp, snd_cwnd_clamp;
	u32 packets_out, sacked_out, lost_out, retrans_out;
	u32 max_packets_out, cwnd_usage_seq;

	struct tcp_seg *segs; /* ring: head .. head + packets_out - 1 */
	u32 seg_mask, seg_head;
	u32 ts_first, ts_last; /* the list by time of sending */
	u32 highest_sack; /* index after the highest segment SACKed; valid when sacked_out */
	u32 rtx_skbs; /* what Linux keeps as skbs in the retransmit queue */
	u32 retransmit_hint, lost_hint, lost_cnt_hint;

	u32 *unsent; /* ring of unsent skbs: UNSENT_* */
	u32 unsent_mask, unsent_head, unsent_n;
	bool fin_queued, fin_sent;

	u32 wmem_queued; /* Linux's sk_wmem_queued: truesize of all unacknowledged */
	u32 wmem_alloc; /* sk_wmem_alloc: truesize below TCP */
	u32 sndbuf, rcvbuf;
	sim_time tsq_at; /* the last instant in which TSQ ran, and how often */
	u32 tsq_runs;
	u32 tx_mark, tx_freed; /* truesize ever given down; of this, freed */
	u64 pacing_rate; /* bytes/s */
	u8 pacing_shift;
	bool pacing, gso;
	u32 gso_max_size;
	sim_time wstamp_ns; /* earliest departure of the next packet */
	u32 tso_deferred; /* jiffies of the first deferral << 1 | 1; 0: none since it sent last */
	u32 lsndtime;

	/* ---- RTT ---- */
	u32 srtt, mdev, mdev_max, rttvar, rtt_seq; /* srtt << 3, mdev << 2; us or jiffies */
	u32 rto; /* jiffies */
	u32 rto_min; /* in the unit of srtt */
	u8 backoff, retransmits;
	u32 xmit_timeout; /* jiffies when the transmit timer is due */
	struct tcp_minmax rtt_min; /* us, over jiffies */
	u32 rcv_tsecr, rcv_tsval;
	bool saw_tstamp;

	/* ---- recovery ---- */
	u32 high_seq, prior_ssthresh, prior_cwnd, undo_marker;
	int undo_retrans;
	u32 retrans_stamp; /* timestamp clock */
	u32 prr_delivered, prr_out;
	u32 reordering, reord_seen;
	u32 total_retrans, dsack_dups;
	bool frto, is_sack_reneg, fack_ok;
	u32 frto_counter, frto_highmark; /* F-RTO before 3.10 */
	u32 tlp_high_seq;
	bool tlp_retrans;
	struct {
		u64 mstamp;
		u32 rtt_us, tx_mark, end_seq, last_delivered;
		u8 reo_wnd_steps, reo_wnd_persist;
		bool dsack_seen, advanced, reord;
	} rack;
	struct tcp_range recv_sack_cache[TCP_NUM_SACKS];

	/* ---- delivery rate ---- */
	u32 delivered, lost, app_limited;
	u64 first_tx_us, delivered_us;
	u32 rate_delivered, rate_interval_us;
	u32 data_segs_out;

	/* ---- receiver ---- */
	u32 rcv_nxt, copied_seq, rcv_wup, rcv_wnd, rcv_ssthresh, window_clamp, ts_recent;
	u8 snd_wscale, rcv_wscale;
	u8 ack_pending, ack_quick;
	bool pingpong, fin_received, fin_known;
	u32 fin_seq;
	u8 num_sacks;
	bool dsack;
	u16 rcv_mss, last_seg_size;
	u32 scaling; /* share of the buffer that is window, in 1/256; 0: by adv_win_scale */
	u32 ack_ato, ack_timeout, lrcvtime;
	struct tcp_range selective_acks[TCP_NUM_SACKS], duplicate_sack;
	struct tcp_ooo *ooo;
	u32 n_ooo, max_ooo, rmem_alloc;
	u32 rmem_unread; /* of rmem_alloc, in order and about to be read */
	u32 compressed_ack, compressed_rcv_nxt;
	u8 dup_ack_counter;
	struct {
		u32 rtt_us, seq;
		u64 time;
	} rcv_rtt_est;
	u32 rcv_rtt_last_tsecr;
	struct {
		u32 space, seq;
		u64 time;
	} rcvq_space;

	/* ---- congestion control ---- */
	const struct tcp_congestion_ops *ca_ops;
	const void *ca_params;
	u64 ca_priv[20];

	/* ---- timers ---- */
	struct event xmit_timer, delack_timer, comp_timer, pacing_timer, tsq_event;

	/* ---- the connection ---- */
	u16 peer_host, sport, dport;
	u32 txhash;
	u8 tos;
	u32 priority;
	u64 draw_key;
	u32 draw_index;
	const struct tcp_user *user;
	void *user_arg;
	struct tcp_sock *peer; /* the other end's socket, NULL when there is none */
	struct tcp_listen *listen;
	struct tcp_sock *hash_next;
	bool is_server, closed_told, eof_told;
	u64 syn_us; /* when the SYN or SYN-ACK was sent first */
	u32 init_cwnd;
	u64 probes_out;
	struct tcp_info info;
};

/* The kernels that changed the code in ways that have no switch. */
#define ERA_LOSS_HIGH 31300u /* losses among what was sent during a recovery count too */
#define ERA_WRITE_LIMITS \
	31900u /* autosizing, TSQ's checks and "is the window the limit" of today */
#define ERA_DEFER_FROM_FIRST 30900u
#define ERA_DEFER_BY_RTT     40100u /* TSO waits for an ACK that is near, not for two jiffies at most */
#define ERA_PRR_CRB	     40300u /* PRR: conservation, slow start only when nothing more is lost */
#define ERA_REHASH	     40400u /* a new flow hash after a timeout */
#define ERA_RETRANS_TSQ	     40900u /* TSQ bounds retransmissions too */
#define ERA_TLP_RTO_MIN	     41300u /* probe timeout 2 RTT and a minimum for a lone segment */
#define ERA_LOSS_CWND \
	41800u /* a timeout's window counts what is still in flight; Reno marks by itself */
#define ERA_ACK_NOW	 41900u /* an ACK at once when a gap is filled */
#define ERA_RETRANS_WMEM 51300u /* no look at the send buffer before a retransmission */
#define ERA_PRR_UNA	 51400u /* PRR: one more for an advance without losses */
#define ERA_PUSH_ACK	 60100u /* a full segment with PSH may be acknowledged when it is read */
#define ERA_GROW_SKB	 60800u /* a small unsent skb is filled from the next one */
#define ERA_MEASURE_OOO	 61700u /* segments out of order tell of their size too */
#define ERA_SPACE_FROM_WIN \
	61700u /* the receive buffer follows from the window, without a cushion */

/* True from kernel @era (era_number()) on: for what changed without a switch of its own. */
static inline bool tcp_since(const struct tcp_sock *sk, u32 era)
{
	return sk->tcp->host->era >= era;
}

/* ---- sequence numbers ---- */

static inline bool before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

static inline bool after(u32 a, u32 b)
{
	return (s32)(b - a) < 0;
}

/*
 * The first segment was sent after the second. Linux compares times of transmission and, when they are equal, sequence
 * numbers; here any number of packets goes out in one instant, so it is the order that counts.
 */
static inline bool tcp_sent_after(u32 mark1, u32 mark2, u32 seq1, u32 seq2)
{
	return after(mark1, mark2) || (mark1 == mark2 && after(seq1, seq2));
}

/* ---- small helpers ---- */

static inline u32 min_u32(u32 a, u32 b)
{
	return a < b ? a : b;
}

static inline u32 max_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}

static inline u32 tcp_packets_in_flight(const struct tcp_sock *sk)
{
	return sk->packets_out - (sk->sacked_out + sk->lost_out) + sk->retrans_out;
}

static inline bool tcp_in_slow_start(const struct tcp_sock *sk)
{
	return sk->snd_cwnd < sk->snd_ssthresh;
}

static inline bool tcp_in_cwnd_reduction(const struct tcp_sock *sk)
{
	return sk->ca_state == TCP_CA_CWR || sk->ca_state == TCP_CA_Recovery;
}

static inline u32 tcp_current_ssthresh(const struct tcp_sock *sk)
{
	if (tcp_in_cwnd_reduction(sk))
		return sk->snd_ssthresh;
	return max_u32(sk->snd_ssthresh, (sk->snd_cwnd >> 1) + (sk->snd_cwnd >> 2));
}

static inline u32 tcp_wnd_end(const struct tcp_sock *sk)
{
	return sk->snd_una + sk->snd_wnd;
}

static inline u32 tcp_min_rtt(const struct tcp_sock *sk)
{
	return minmax_get(&sk->rtt_min);
}

static inline struct tcp_seg *tcp_seg(const struct tcp_sock *sk, u32 index)
{
	return &sk->segs[index & sk->seg_mask];
}

/* The ring index one behind the last segment sent. */
static inline u32 tcp_seg_tail(const struct tcp_sock *sk)
{
	return sk->seg_head + sk->packets_out;
}

static inline u32 tcp_unsent_len(const struct tcp_sock *sk)
{
	return sk->unsent[sk->unsent_head & sk->unsent_mask] & UNSENT_LEN;
}

/* End of the highest segment SACKed, snd_una when there is none. */
static inline u32 tcp_highest_sack_seq(const struct tcp_sock *sk)
{
	if (!sk->sacked_out)
		return sk->snd_una;
	if (sk->highest_sack == tcp_seg_tail(sk))
		return sk->snd_nxt;
	return tcp_seg(sk, sk->highest_sack)->seq;
}

/* ---- the clock ---- */

void tcp_clock_advance(struct tcp *t, sim_time now);

static inline void tcp_clock(struct tcp *t, struct sim *sim)
{
	if (t->clock_ns != sim->now)
		tcp_clock_advance(t, sim->now);
}

/* The timestamp option's clock: milliseconds since 4.12, jiffies before. */
static inline u32 tcp_ts(const struct tcp_sock *sk)
{
	return sk->par->rtt_clock == RTT_USEC ? (u32)(sk->tcp->us / 1000) : sk->tcp->jiffies;
}

u32 tcp_us_to_ts(const struct tcp_sock *sk, u64 us);
u32 tcp_us_to_jiffies(const struct tcp *t, u64 us); /* rounds up */
u32 tcp_jiffies_to_us(const struct tcp *t, u32 jiffies);
/* srtt >> 3 in us; 0 when none was measured. */
u32 tcp_srtt_us(const struct tcp_sock *sk);
/* When a timer that is to run at jiffy @expires does run. */
sim_time tcp_timer_ns(const struct tcp *t, u32 expires);

/* ---- tcp.c ---- */

extern const struct model_class tcp_class;

void tcp_hash_add(struct tcp *t, struct tcp_sock *sk);
void tcp_hash_remove(struct tcp *t, struct tcp_sock *sk);
/* One open per listener: who may connect from (peer, rport) to lport. */
struct tcp_listen *tcp_listen_add(struct tcp *t, u16 peer, u16 lport, u16 rport);
void tcp_listen_remove(struct tcp *t, struct tcp_listen *l);
struct tcp_listen *tcp_listen_find(struct tcp *t, const struct packet *syn);

/* ---- tcp_sock.c ---- */

struct tcp_sock *tcp_lookup(struct tcp *t, u16 peer, u16 lport, u16 rport);
/* The server's socket for a SYN that has just arrived; NULL when nobody listens. */
struct tcp_sock *tcp_accept(struct tcp *t, const struct packet *syn);
void tcp_done(struct tcp_sock *sk, int error);
void tcp_init_transfer(struct tcp_sock *sk);
void tcp_set_state(struct tcp_sock *sk, enum tcp_state state);
/* Congestion control for a slot, the host's when it is empty. */
void tcp_init_congestion(struct tcp_sock *sk, const struct slot *slot);

/* The end of every entry from below: the writer is told of the room that came free. */
static inline void tcp_release(struct tcp_sock *sk)
{
	if (sk->write_wanted) {
		sk->write_wanted = false;
		if (sk->user && sk->user->writable)
			sk->user->writable(sk->user_arg, sk);
	}
}

/* ---- tcp_sendbuf.c ---- */

void tcp_sndbuf_expand(struct tcp_sock *sk);
void tcp_check_space(struct tcp_sock *sk);
/* Truesize of an skb with @len bytes of payload. */
u32 tcp_skb_truesize(const struct tcp_sock *sk, u32 len);
/* Splits the first unsent skb behind @len bytes. */
void tcp_unsent_split(struct tcp_sock *sk, u32 len);
/* Moves up to @amount bytes from the second unsent skb into the first. */
void tcp_unsent_grow(struct tcp_sock *sk, u32 amount);
/* Appends a segment record for [seq, end_seq); grows the ring. */
struct tcp_seg *tcp_seg_push(struct tcp_sock *sk, u32 seq, u32 end_seq);
void tcp_ts_unlink(struct tcp_sock *sk, struct tcp_seg *seg);
void tcp_ts_append(struct tcp_sock *sk, u32 index);
/* The ring index of the segment that holds @seq; the tail when it was not sent yet. */
u32 tcp_seg_find(const struct tcp_sock *sk, u32 seq);

/* ---- tcp_xmit.c: packets out ---- */

int tcp_send_data(struct tcp_sock *sk, u32 seq, u32 len, u32 segs, u32 truesize, u8 flags);
void tcp_send_syn(struct tcp_sock *sk);
void tcp_send_ack(struct tcp_sock *sk);
void tcp_send_probe(struct tcp_sock *sk);
void tcp_send_reset(struct tcp *t, const struct packet *in);
u32 tcp_current_mss(const struct tcp_sock *sk);
u32 tcp_sack_option_len(const struct tcp_sock *sk);
void tcp_tsq_run(struct sim *sim, struct event *ev);
/* Notes the transmission in a segment: time, order, rate sample. */
void tcp_seg_sent(struct tcp_sock *sk, u32 index);

/* ---- tcp_output.c ---- */

enum { NAGLE_OFF = 1, NAGLE_PUSH = 4 };
bool tcp_write_xmit(struct tcp_sock *sk, u32 mss, u32 nonagle, u32 push_one);
void tcp_push_pending(struct tcp_sock *sk, u32 nonagle);
void tcp_data_snd_check(struct tcp_sock *sk);
bool tcp_small_queue_check(struct tcp_sock *sk, u32 truesize, u32 factor);
bool tcp_pacing_check(struct tcp_sock *sk);
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

/* ---- tcp_input.c ---- */

#define FLAG_DATA		   0x01
#define FLAG_WIN_UPDATE		   0x02
#define FLAG_DATA_ACKED		   0x04
#define FLAG_RETRANS_DATA_ACKED	   0x08
#define FLAG_SYN_ACKED		   0x10
#define FLAG_DATA_SACKED	   0x20
#define FLAG_ECE		   0x40
#define FLAG_LOST_RETRANS	   0x80
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
void tcp_rate_delivered(struct tcp_sock *sk, struct tcp_seg *seg, struct rate_sample *rs);
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

/* ---- tcp_reduce.c ---- */

void tcp_enter_cwr(struct tcp_sock *sk);
void tcp_init_cwnd_reduction(struct tcp_sock *sk);
void tcp_cwnd_reduction(struct tcp_sock *sk, u32 newly_acked_sacked, u32 newly_lost, u32 flag);
void tcp_end_cwnd_reduction(struct tcp_sock *sk);
void tcp_undo_cwnd_reduction(struct tcp_sock *sk, bool unmark_loss);
void tcp_moderate_cwnd(struct tcp_sock *sk);
bool tcp_any_retrans_done(const struct tcp_sock *sk);

/* ---- tcp_rack.c ---- */

void tcp_rack_advance(struct tcp_sock *sk, const struct tcp_seg *seg);
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

/* ---- tcp_rcvwnd.c ---- */

void tcp_select_initial_window(struct tcp_sock *sk);
u32 tcp_select_window(struct tcp_sock *sk);
u32 tcp_new_window(struct tcp_sock *sk);
u32 tcp_receive_window(const struct tcp_sock *sk);
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
void tcp_ack_snd_check(struct tcp_sock *sk);
void tcp_event_ack_sent(struct tcp_sock *sk);
void tcp_enter_quickack(struct tcp_sock *sk, u32 max);
void tcp_cleanup_rbuf(struct tcp_sock *sk, u32 copied);
void tcp_initialize_rcv_mss(struct tcp_sock *sk);
void tcp_delack_expired(struct tcp_sock *sk);
void tcp_comp_sack_expired(struct sim *sim, struct event *ev);
void tcp_sack_compress_send_ack(struct tcp_sock *sk);

/* ---- tcp_rcv.c ---- */

void tcp_rcv_segment(struct tcp *t, struct packet *p); /* takes @p */
void tcp_ecn_check_ce(struct tcp_sock *sk, const struct packet *p);

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
