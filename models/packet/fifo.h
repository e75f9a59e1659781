/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A first-in first-out queue of packets, linked through skb.next. */
#ifndef WLANQ_PACKET_FIFO_H
#define WLANQ_PACKET_FIFO_H

#include "packet/packet.h"

struct packet_fifo {
	struct packet *head, *tail;
	u32 n;
};

static inline void packet_fifo_push(struct packet_fifo *f, struct packet *p)
{
	p->skb.next = NULL;
	if (f->tail)
		f->tail->skb.next = &p->skb;
	else
		f->head = p;
	f->tail = p;
	f->n++;
}

static inline struct packet *packet_fifo_pop(struct packet_fifo *f)
{
	struct packet *p = f->head;

	if (!p)
		return NULL;
	f->head = p->skb.next ? packet_of(p->skb.next) : NULL;
	if (!f->head) {
		f->tail = NULL;
	} else {
		/* It has waited long, and is out of the nearest caches when its turn comes. */
		__builtin_prefetch(f->head);
		__builtin_prefetch(&f->head->since);
	}
	f->n--;
	return p;
}

static inline void packet_fifo_push_front(struct packet_fifo *f, struct packet *p)
{
	p->skb.next = f->head ? &f->head->skb : NULL;
	f->head = p;
	if (!f->tail)
		f->tail = p;
	f->n++;
}

/* All of @from behind @f; @from is empty then. */
static inline void packet_fifo_splice(struct packet_fifo *f, struct packet_fifo *from)
{
	if (!from->n)
		return;
	if (f->tail)
		f->tail->skb.next = &from->head->skb;
	else
		f->head = from->head;
	f->tail = from->tail;
	f->n += from->n;
	*from = (struct packet_fifo){0};
}

/* All of @from before @f; @from is empty then. */
static inline void packet_fifo_splice_front(struct packet_fifo *f, struct packet_fifo *from)
{
	struct packet_fifo both = *from;

	packet_fifo_splice(&both, f);
	*f = both;
	*from = (struct packet_fifo){0};
}

#endif
