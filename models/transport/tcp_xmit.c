// SPDX-License-Identifier: GPL-3.0-or-later
/* Packets out: headers, options, the account of what lies below TCP, and TSQ's way back up. */
#include "transport/tcp.h"

#include <errno.h>

#include "qdisc/qdisc.h"

#define IP_HEADER   20u
#define TCP_HEADER  20u
#define TS_OPTION   12u
#define SACK_OPTION 4u
#define SACK_BLOCK  8u
#define SYN_OPTIONS 20u

/* Linux gives a pure ACK this truesize to tell it from data (skb_set_tcp_pure_ack()). */
#define PURE_ACK_TRUESIZE 2u

#define ECN_ECT0 2u

/* kernel/softirq.c: after so many rounds ksoftirqd goes on, and there tcp_wfree() wakes nobody. */
#define MAX_SOFTIRQ_RESTART 10u

/* Data leave the host, or are dropped in it: Linux's tcp_wfree(). */
static void tcp_wfree(struct sk_buff *skb)
{
	struct tcp_sock *sk = skb->sk;

	sk->wmem_alloc -= skb->truesize;
	if (!sk->throttled || sk->tsq_queued)
		return;
	/* What is dropped on its way down wakes the sender too, but not for ever within one softirq. */
	if (sk->tsq_at != sk->sim->now) {
		sk->tsq_at = sk->sim->now;
		sk->tsq_runs = 0;
	}
	if (++sk->tsq_runs > MAX_SOFTIRQ_RESTART)
		return;
	sk->throttled = false;
	sk->tsq_queued = true;
	event_schedule(sk->sim, &sk->tsq_event, sk->sim->now);
}

/* The same for a packet as it was sent, by which the sender knows that it is not in the host any more. */
static void tcp_wfree_whole(struct sk_buff *skb)
{
	((struct tcp_sock *)skb->sk)->tx_freed += skb->truesize;
	tcp_wfree(skb);
}

/* It is cut into segments: they take more memory, and to the sender it is gone. */
static void tcp_recharge(struct sk_buff *skb, int delta)
{
	struct tcp_sock *sk = skb->sk;

	sk->wmem_alloc += (u32)delta;
	sk->tx_freed += skb->truesize;
	skb->destructor = tcp_wfree;
}

/* The tasklet behind it: send on, lost segments first. */
void tcp_tsq_run(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, tsq_event);

	sk->tsq_queued = false;
	if (sk->locked) {
		sk->tsq_deferred = true;
		return;
	}
	if (sk->state < TCP_ESTABLISHED || sk->state == TCP_FIN_WAIT2 || sk->state == TCP_TIME_WAIT)
		return;
	tcp_clock(sk->tcp, sim);
	if (sk->lost_out > sk->retrans_out && sk->snd_cwnd > tcp_packets_in_flight(sk))
		tcp_xmit_retransmit_queue(sk);
	tcp_write_xmit(sk, tcp_current_mss(sk), sk->nonagle, 0);
	tcp_release(sk);
}

static u32 sack_blocks(const struct tcp_sock *sk)
{
	u32 n = sk->num_sacks + sk->dsack;
	u32 room = (40 - (sk->tstamp_ok ? TS_OPTION : 0) - SACK_OPTION) / SACK_BLOCK;

	return n < room ? n : room;
}

u32 tcp_sack_option_len(const struct tcp_sock *sk)
{
	u32 n = sack_blocks(sk);

	return n ? SACK_OPTION + n * SACK_BLOCK : 0;
}

static struct packet *packet_for(struct tcp_sock *sk, u32 seq, u8 flags)
{
	struct packet *p = packet_new(sk->sim);

	p->src = sk->tcp->host->id;
	p->dst = sk->peer_host;
	p->sport = sk->sport;
	p->dport = sk->dport;
	p->proto = PROTO_TCP;
	p->skb.hash = sk->txhash;
	p->skb.priority = sk->priority;
	p->skb.tos = sk->tos;
	p->tcp.seq = seq;
	p->tcp.flags = flags;
	p->header = IP_HEADER + TCP_HEADER;
	return p;
}

/* A congestion control that lives by marks has ECT on every packet, ACKs and SYNs too. */
static void ect_on_all(const struct tcp_sock *sk, struct packet *p)
{
	if ((sk->ecn_flags & TCP_ECN_OK) && (sk->ca_ops->flags & TCP_CONG_NEEDS_ECN))
		p->skb.tos |= ECN_ECT0;
}

/* The options of an established connection, its window and its ECN echo. */
static void fill_established(struct tcp_sock *sk, struct packet *p)
{
	u32 n, at = 0;

	p->tcp.ack = sk->rcv_nxt;
	p->tcp.flags |= TCP_FLAG_ACK;
	if (sk->tstamp_ok) {
		p->header += TS_OPTION;
		p->tcp.tsval = tcp_ts(sk);
		p->tcp.tsecr = sk->ts_recent;
	}
	if (sk->num_sacks | sk->dsack) {
		n = sack_blocks(sk);
		p->header += (u16)(SACK_OPTION + n * SACK_BLOCK);
		p->tcp.n_sack = (u8)n;
		if (sk->dsack) {
			p->tcp.sack[at].start = sk->duplicate_sack.start;
			p->tcp.sack[at++].end = sk->duplicate_sack.end;
			sk->dsack = false;
		}
		for (u32 i = 0; at < n; i++, at++) {
			p->tcp.sack[at].start = sk->selective_acks[i].start;
			p->tcp.sack[at].end = sk->selective_acks[i].end;
		}
	}
	p->tcp.wnd = tcp_select_window(sk);
	if (sk->ecn_flags & TCP_ECN_DEMAND_CWR)
		p->tcp.flags |= TCP_FLAG_ECE;
	ect_on_all(sk, p);
}

/* Gives it to IP. A positive answer means local congestion: CWR without a loss. */
static int transmit(struct tcp_sock *sk, struct packet *p)
{
	int err;

	p->skb.len = ETH_HLEN + p->header + p->payload;
	if (!p->skb.truesize)
		p->skb.truesize = PURE_ACK_TRUESIZE;
	err = ip_output(sk->tcp->host, p);
	if (__builtin_expect(err > 0, 0)) {
		if (err == NET_XMIT_DROP)
			sk->info.local_drops++;
		tcp_enter_cwr(sk);
		if (err == NET_XMIT_CN)
			err = 0;
	}
	return err;
}

static void event_data_sent(struct tcp_sock *sk)
{
	u32 now = sk->tcp->jiffies;

	if (tcp_packets_in_flight(sk) == 0)
		tcp_ca_event(sk, CA_EVENT_TX_START);
	sk->lsndtime = now;
	if (now - sk->lrcvtime < sk->ack_ato)
		sk->pingpong = true;
}

/* What pacing makes of a packet that went out (tcp_update_skb_after_send()). */
static void pace(struct tcp_sock *sk, u32 len, sim_time prior)
{
	u64 len_ns, credit;

	if (!sk->pacing || sk->pacing_rate == UINT64_MAX || !sk->pacing_rate ||
	    sk->data_segs_out < 10)
		return;
	len_ns = (u64)len * 1000000000u / sk->pacing_rate;
	credit = (u64)(sk->wstamp_ns - prior);
	len_ns -= len_ns / 2 < credit ? len_ns / 2 : credit;
	sk->wstamp_ns += (sim_time)len_ns;
}

int tcp_send_data(struct tcp_sock *sk, u32 seq, u32 len, u32 segs, u32 truesize, u8 flags)
{
	struct packet *p = packet_for(sk, seq, flags);
	sim_time prior = sk->wstamp_ns;
	int err;

	if (sk->wstamp_ns < sk->sim->now)
		sk->wstamp_ns = sk->sim->now;
	fill_established(sk, p);
	sk->window_kept = !sk->tcp->no_fast;
	p->payload = len;
	if (segs > 1) {
		p->skb.gso = segs;
		p->gso_size = (u16)tcp_current_mss(sk);
		p->seg_overhead = (u16)sk->par->seg_overhead;
		p->recharge = tcp_recharge;
		p->tcp.flags |= TCP_FLAG_PSH;
	}
	if (sk->ecn_flags & TCP_ECN_OK) {
		/* ECT on what is sent for the first time only, RFC 3168 6.1.5. */
		if (len && !before(seq, sk->snd_nxt)) {
			p->skb.tos |= ECN_ECT0;
			if (sk->ecn_flags & TCP_ECN_QUEUE_CWR) {
				sk->ecn_flags &= (u8)~TCP_ECN_QUEUE_CWR;
				p->tcp.flags |= TCP_FLAG_CWR;
			}
		}
	}
	p->skb.truesize = truesize;
	p->skb.sk = sk;
	p->skb.destructor = tcp_wfree_whole;
	sk->wmem_alloc += truesize;
	sk->tx_mark += truesize;
	tcp_event_ack_sent(sk, sk->rcv_nxt);
	event_data_sent(sk);
	sk->data_segs_out += segs;
	len += p->header - IP_HEADER;
	err = transmit(sk, p);
	if (!err)
		pace(sk, len, prior);
	return err;
}

void tcp_send_ack_of(struct tcp_sock *sk, u32 rcv_nxt)
{
	struct packet *p;

	if (sk->state == TCP_CLOSE)
		return;
	p = packet_for(sk, sk->snd_nxt, 0);
	fill_established(sk, p);
	p->tcp.ack = rcv_nxt;
	tcp_event_ack_sent(sk, rcv_nxt);
	transmit(sk, p);
}

void tcp_send_ack(struct tcp_sock *sk)
{
	tcp_send_ack_of(sk, sk->rcv_nxt);
}

/* A window probe: an ACK below snd_una, which the peer must answer. */
void tcp_send_probe(struct tcp_sock *sk)
{
	struct packet *p = packet_for(sk, sk->snd_una - 1, 0);

	fill_established(sk, p);
	transmit(sk, p);
}

/*
 * SYN or SYN-ACK. The options that have no field of their own in the header ride in the SACK blocks, which a SYN does
 * not use: n_sack says that SACK is permitted, sack[0].start is the window scale plus one.
 */
void tcp_send_syn(struct tcp_sock *sk)
{
	bool synack = sk->state == TCP_SYN_RECV;
	struct packet *p = packet_for(sk, sk->snd_una, TCP_FLAG_SYN);

	p->header = IP_HEADER + TCP_HEADER + SYN_OPTIONS;
	p->tcp.mss = sk->advmss;
	p->tcp.n_sack = sk->sack_ok;
	p->tcp.sack[0].start = sk->wscale_ok ? sk->rcv_wscale + 1u : 0;
	p->tcp.wnd = min_u32(sk->rcv_wnd, 65535);
	if (sk->tstamp_ok)
		p->tcp.tsval = tcp_ts(sk);
	if (synack) {
		p->tcp.flags |= TCP_FLAG_ACK;
		p->tcp.ack = sk->rcv_nxt;
		p->tcp.tsecr = sk->ts_recent;
		if (sk->ecn_flags & TCP_ECN_OK)
			p->tcp.flags |= TCP_FLAG_ECE;
	} else if ((sk->ecn_flags & TCP_ECN_OK) && !sk->retransmits) {
		/* RFC 3168 6.1.1.1: not asked for again when the first SYN was lost. */
		p->tcp.flags |= TCP_FLAG_ECE | TCP_FLAG_CWR;
	}
	ect_on_all(sk, p);
	p->skb.truesize = tcp_skb_truesize(sk, 0);
	transmit(sk, p);
}

/* Answers a segment that belongs to no socket. */
void tcp_send_reset(struct tcp *t, const struct packet *in)
{
	struct packet *p;

	if (in->tcp.flags & TCP_FLAG_RST)
		return;
	p = packet_new(t->obj.sim);
	p->src = t->host->id;
	p->dst = in->src;
	p->sport = in->dport;
	p->dport = in->sport;
	p->proto = PROTO_TCP;
	p->header = IP_HEADER + TCP_HEADER;
	p->tcp.flags = TCP_FLAG_RST | TCP_FLAG_ACK;
	p->tcp.seq = in->tcp.ack;
	p->tcp.ack = in->tcp.seq + in->payload;
	p->skb.truesize = PURE_ACK_TRUESIZE;
	p->skb.len = ETH_HLEN + p->header;
	ip_output(t->host, p);
}
