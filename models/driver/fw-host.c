// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/fw-host.h"

#include <stdlib.h>

#include "engine/lazy.h"

#define FIRST 32u

static void raise_interrupt(struct fw_host *h)
{
	sim_time due = h->last + h->interval;

	if (h->busy || event_pending(&h->interrupt))
		return;
	event_schedule(h->sim, &h->interrupt, due > h->sim->now ? due : h->sim->now);
}

/* What comes up while it is handled is handled with it. */
static void interrupt(struct sim *sim, struct event *ev)
{
	struct fw_host *h = container_of(ev, struct fw_host, interrupt);

	if (h->lazy)
		lazy_catch_up(h->lazy);
	h->interrupts++;
	h->last = sim->now;
	h->busy = true;
	h->complete(h);
	h->n_done = 0;
	while (h->received.n) {
		struct packet_fifo list = h->received;

		h->received = (struct packet_fifo){0};
		h->rx_out += list.n;
		h->rx(h, &list);
	}
	h->end(h);
	h->busy = false;
	if (h->n_done || h->received.n)
		raise_interrupt(h);
}

void fw_host_received(struct fw_host *h, struct packet_fifo *list)
{
	h->rx_in += list->n;
	packet_fifo_splice(&h->received, list);
	raise_interrupt(h);
}

struct fw_done *fw_host_done(struct fw_host *h)
{
	if (__builtin_expect(h->n_done == h->max_done, 0)) {
		h->max_done *= 2;
		h->done = realloc(h->done, h->max_done * sizeof(*h->done));
		if (!h->done)
			abort();
	}
	raise_interrupt(h);
	return &h->done[h->n_done++];
}

void fw_host_init(struct fw_host *h, struct sim *sim)
{
	h->sim = sim;
	h->last = -h->interval;
	h->max_done = FIRST;
	h->done = malloc(h->max_done * sizeof(*h->done));
	if (!h->done)
		abort();
	event_init(&h->interrupt, interrupt, RANK_COMPLETE);
}

void fw_host_clear(struct fw_host *h)
{
	struct packet *p, *next;

	for (u32 i = 0; i < h->n_done; i++)
		for (p = h->done[i].lost; p; p = next) {
			next = p->skb.next ? packet_of(p->skb.next) : NULL;
			packet_free(h->sim, p);
		}
	while ((p = packet_fifo_pop(&h->received)))
		packet_free(h->sim, p);
	free(h->done);
}

u64 fw_host_lost(const struct fw_host *h)
{
	u64 n = 0;

	for (u32 i = 0; i < h->n_done; i++)
		n += h->done[i].lost ? h->done[i].n : 0;
	return n;
}
