// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A socket whose writer is at work is locked. What arrives meanwhile waits in its backlog, where ACKs that say the same
 * but for their number become one (net/ipv4/tcp_ipv4.c tcp_add_backlog()); timers and TCP small queues wait too. The
 * writer does all of that before it lets go of the lock, and what it sends by that keeps it longer (net/core/sock.c
 * release_sock()).
 */
#include "transport/tcp.h"

#include <string.h>

/* One may stand for both: only the number and the window differ. */
static bool may_merge(const struct packet *tail, const struct packet *p)
{
	const u8 ecn = TCP_FLAG_ECE | TCP_FLAG_CWR,
		 others = TCP_FLAG_SYN | TCP_FLAG_RST | TCP_FLAG_FIN;

	return !tail->payload && !p->payload && tail->tcp.seq == p->tcp.seq &&
	       !((tail->tcp.flags | p->tcp.flags) & others) &&
	       (tail->tcp.flags & p->tcp.flags & TCP_FLAG_ACK) &&
	       !((tail->tcp.flags ^ p->tcp.flags) & ecn) && tail->skb.tos == p->skb.tos &&
	       tail->header == p->header && tail->tcp.tsval == p->tcp.tsval &&
	       tail->tcp.tsecr == p->tcp.tsecr && tail->tcp.n_sack == p->tcp.n_sack &&
	       !memcmp(tail->tcp.sack, p->tcp.sack, p->tcp.n_sack * sizeof(p->tcp.sack[0]));
}

void tcp_backlog_add(struct tcp_sock *sk, struct packet *p)
{
	struct packet *tail = sk->backlog.tail;

	if (tail && may_merge(tail, p)) {
		if (!before(p->tcp.ack, tail->tcp.ack)) {
			tail->tcp.ack = p->tcp.ack;
			tail->tcp.wnd = p->tcp.wnd;
		}
		tail->tcp.flags |= p->tcp.flags;
		packet_free(sk->sim, p);
		return;
	}
	packet_fifo_push(&sk->backlog, p);
	sk->tcp->backlog_in++;
	sk->tcp->backlog_held++;
}

static struct packet *backlog_pop(struct tcp_sock *sk)
{
	struct packet *p = packet_fifo_pop(&sk->backlog);

	if (p)
		sk->tcp->backlog_held--;
	return p;
}

void tcp_lock(struct tcp_sock *sk, u32 segs)
{
	sim_time cost = sk->tcp->host->send_time;

	if (!cost || !segs || sk->locked)
		return;
	sk->locked = true;
	event_schedule_in(sk->sim, &sk->unlock_event, cost * segs);
}

void tcp_unlock(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, unlock_event);
	u32 sent = sk->data_segs_out;
	struct packet *p;

	tcp_clock(sk->tcp, sim);
	while ((p = backlog_pop(sk))) {
		tcp_rcv_sock(sk, p);
		packet_free(sim, p);
	}
	if (!sk->locked)
		return;
	if (sk->data_segs_out != sent) {
		event_schedule_in(sim, &sk->unlock_event,
				  sk->tcp->host->send_time * (sk->data_segs_out - sent));
		return;
	}
	sk->locked = false;
	if (sk->tsq_deferred) {
		sk->tsq_deferred = false;
		tcp_tsq_run(sim, &sk->tsq_event);
	}
	tcp_release(sk);
}

void tcp_backlog_purge(struct tcp_sock *sk)
{
	struct packet *p;

	event_cancel(sk->sim, &sk->unlock_event);
	sk->locked = false;
	sk->tsq_deferred = false;
	while ((p = backlog_pop(sk)))
		packet_free(sk->sim, p);
}
