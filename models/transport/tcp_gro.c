// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Generic receive offload as TCP sees it: segments of one flow that a poll of the interface brings in a row are taken
 * as one packet, with one ACK. A poll is what arrives in one instant. The rules for what may join are those of
 * net/ipv4/tcp_offload.c: same ACK and timestamps, the next sequence number, no flags but PSH, which ends it.
 */
#include "transport/tcp.h"

#include <stdlib.h>

#define GRO_FLOWS   8u
#define GRO_MAX	    65535u
#define GRO_HEADERS 100u

struct tcp_gro {
	struct tcp *tcp;
	struct packet *held[GRO_FLOWS]; /* in order of arrival */
	u32 n;
	struct event flush;
};

static void gro_flush_one(struct tcp_gro *g, u32 at)
{
	struct packet *p = g->held[at];

	g->n--;
	for (u32 i = at; i < g->n; i++)
		g->held[i] = g->held[i + 1];
	tcp_rcv_segment(g->tcp, p);
}

static void gro_flush(struct sim *sim, struct event *ev)
{
	struct tcp_gro *g = container_of(ev, struct tcp_gro, flush);

	tcp_clock(g->tcp, sim);
	while (g->n)
		gro_flush_one(g, 0);
}

void tcp_gro_init(struct tcp *t)
{
	t->gro = calloc(1, sizeof(*t->gro));
	if (!t->gro)
		abort();
	t->gro->tcp = t;
	event_init(&t->gro->flush, gro_flush, RANK_TIMER);
}

void tcp_gro_fini(struct tcp *t)
{
	for (u32 i = 0; i < t->gro->n; i++)
		packet_free(t->obj.sim, t->gro->held[i]);
	free(t->gro);
}

static bool same_flow(const struct packet *a, const struct packet *b)
{
	return a->src == b->src && a->sport == b->sport && a->dport == b->dport;
}

static bool may_join(const struct packet *a, const struct packet *b)
{
	u32 size = a->gso_size ? a->gso_size : a->payload;

	return b->tcp.seq == a->tcp.seq + a->payload && b->tcp.ack == a->tcp.ack &&
	       b->tcp.tsval == a->tcp.tsval && b->tcp.tsecr == a->tcp.tsecr &&
	       b->skb.tos == a->skb.tos && b->header == a->header && !a->tcp.n_sack &&
	       !b->tcp.n_sack && b->payload <= size && a->payload % size == 0 &&
	       a->payload + b->payload + GRO_HEADERS <= GRO_MAX &&
	       !((a->tcp.flags ^ b->tcp.flags) & ~(TCP_FLAG_PSH | TCP_FLAG_FIN));
}

void tcp_gro_receive(struct tcp *t, struct packet *p)
{
	struct tcp_gro *g = t->gro;
	bool plain = p->payload && p->skb.gso <= 1 &&
		     !(p->tcp.flags & (TCP_FLAG_SYN | TCP_FLAG_RST | TCP_FLAG_CWR));
	u32 at = 0;

	tcp_clock(t, t->obj.sim);
	while (at < g->n && !same_flow(g->held[at], p))
		at++;
	if (at < g->n && plain && may_join(g->held[at], p)) {
		struct packet *head = g->held[at];
		bool ends = (p->tcp.flags & (TCP_FLAG_PSH | TCP_FLAG_FIN)) ||
			    p->payload < (head->gso_size ? head->gso_size : head->payload);

		if (!head->gso_size) {
			head->gso_size = (u16)head->payload;
			head->skb.gso = 1;
		}
		head->payload += p->payload;
		head->skb.len += p->payload;
		head->skb.gso++;
		head->tcp.flags |= p->tcp.flags;
		head->tcp.wnd = p->tcp.wnd;
		t->rx_merged++;
		packet_free(t->obj.sim, p);
		if (ends)
			gro_flush_one(g, at);
		return;
	}
	if (at < g->n)
		gro_flush_one(g, at);
	if (!plain || (p->tcp.flags & (TCP_FLAG_PSH | TCP_FLAG_FIN))) {
		tcp_rcv_segment(t, p);
		return;
	}
	if (g->n == GRO_FLOWS)
		gro_flush_one(g, 0);
	g->held[g->n++] = p;
	if (!event_pending(&g->flush))
		event_schedule(t->obj.sim, &g->flush, t->obj.sim->now);
}
