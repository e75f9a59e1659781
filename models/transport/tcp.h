/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TCP of one host: the protocol object, its clock, its sockets and listeners, and small helpers for all its files.
 */
#ifndef WLANQ_TRANSPORT_TCP_H
#define WLANQ_TRANSPORT_TCP_H

#include "engine/model.h"
#include "engine/pool.h"
#include "transport/tcp_acks.h"
#include "transport/tcp_receive.h"
#include "transport/tcp_send.h"
#include "transport/tcp_types.h"

/* The protocol of one host. */
struct tcp {
	struct object obj;
	struct host *host;
	const struct tcp_params *par;
	u32 era; /* the host's */

	/* The host's clock, refreshed once an instant. Both run from a second before time 0. */
	sim_time clock_ns;
	u64 us;
	u32 jiffies;
	sim_time jiffy_end, tick_ns;

	/* Parameters in the units of the code. */
	u32 hz;
	u32 jiffy_us; /* 0 when it is no whole number */
	u32 min_rtt_wlen_j;
	u32 rto_min_j, rto_max_j, rto_init_j;
	u32 delack_min_j, delack_max_j;

	struct tcp_sock *last; /* that was looked up; NULL: none, or it is gone */
	struct tcp_sock **hash; /* by ports and peer */
	u32 hash_bits, n_socks;
	struct tcp_listen **listens;
	struct pool *sock_pool, *listen_pool;
	struct tcp_sock *spare; /* freed sockets that keep their rings */
	struct tcp_sock *dead; /* freed, but packets of theirs are still below */
	struct tcp_gro *gro;
	bool no_fast; /* for tests: every packet goes the long way */

	u64 rx_segments, rx_no_socket, rx_merged;
	u64 rx_fast; /* of rx_segments: by header prediction */
	u64 backlog_in, backlog_held; /* packets, of all sockets */
	u64 retransmits, timeouts; /* of all sockets, for the host's metrics */
};

struct tcp_listen {
	struct tcp_listen *next;
	struct tcp_sock *client;
	u16 peer, sport, dport;
	const struct tcp_user *user;
	void *user_arg;
};

/* True from kernel @era (era_number()) on: for what changed without a switch of its own. */
static inline bool tcp_since(const struct tcp_sock *sk, u32 era)
{
	return sk->tcp->era >= era;
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

/* It starts a second late, so that no time stamp is 0, which says "none". */
#define TCP_CLOCK_OFFSET SIM_SEC

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

/* ---- tcp.c ---- */

extern const struct model_class tcp_class;

static inline u32 tcp_hash_of(const struct tcp *t, u16 peer, u16 lport, u16 rport)
{
	u32 x = ((u32)lport << 16 | rport) ^ (u32)peer * 0x9e3779b1u;

	return (x * 0x85ebca6bu) >> (32 - t->hash_bits);
}

static inline bool tcp_is_between(const struct tcp_sock *sk, u16 peer, u16 lport, u16 rport)
{
	return sk->dport == rport && sk->sport == lport && sk->peer_host == peer;
}

/* Packets of one flow come in runs. */
static inline struct tcp_sock *tcp_lookup(struct tcp *t, u16 peer, u16 lport, u16 rport)
{
	struct tcp_sock *sk = t->last;

	if (sk && tcp_is_between(sk, peer, lport, rport))
		return sk;
	sk = t->hash[tcp_hash_of(t, peer, lport, rport)];
	while (sk && !tcp_is_between(sk, peer, lport, rport))
		sk = sk->hash_next;
	t->last = sk;
	return sk;
}

void tcp_hash_add(struct tcp *t, struct tcp_sock *sk);
void tcp_hash_remove(struct tcp *t, struct tcp_sock *sk);
/* One open per listener: who may connect from (peer, rport) to lport. */
struct tcp_listen *tcp_listen_add(struct tcp *t, u16 peer, u16 lport, u16 rport);
void tcp_listen_remove(struct tcp *t, struct tcp_listen *l);
struct tcp_listen *tcp_listen_find(struct tcp *t, const struct packet *syn);

/* ---- tcp_sock.c ---- */

/* The server's socket for a SYN that has just arrived; NULL when nobody listens. */
struct tcp_sock *tcp_accept(struct tcp *t, const struct packet *syn);
void tcp_done(struct tcp_sock *sk, int error);
void tcp_init_transfer(struct tcp_sock *sk);
void tcp_set_state(struct tcp_sock *sk, enum tcp_state state);
/* Congestion control for a slot, the host's when it is empty. */
void tcp_init_congestion(struct tcp_sock *sk, const struct slot *slot);

#include "transport/tcp_inline.h"

/* The end of every entry from below: the writer is told of the room that came free. */
static inline void tcp_release(struct tcp_sock *sk)
{
	if (sk->write_wanted && !sk->locked) {
		sk->write_wanted = false;
		if (sk->user && sk->user->writable)
			sk->user->writable(sk->user_arg, sk);
	}
}

#endif
