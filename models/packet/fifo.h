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
	if (!f->head)
		f->tail = NULL;
	f->n--;
	return p;
}

#endif
