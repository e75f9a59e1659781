/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A driver's ring: slots that are filled at one end and cleaned at the other, and the rules by which the queue above it
 * is stopped and woken. A slot stays taken until the driver cleans it, also when its packet has long been received.
 */
#ifndef WLANQ_DRIVER_RING_H
#define WLANQ_DRIVER_RING_H

#include "packet/packet.h"

struct ring_slot {
	struct packet *p; /* NULL once it was handed on */
	u32 len; /* skb.len at xmit */
	u32 drain; /* estimated time to send it, ns */
	sim_time since;
};

struct ring {
	struct ring_slot *slots;
	u32 mask; /* number of slots - 1, which is a power of two */
	u32 head; /* the oldest */
	u32 used;
	int64_t drain; /* of all, ns */
	bool stopped;
};

/*
 * When to stop and to wake, in free slots as the driver reckons them: space = capacity - used, 0 at least. @time on top
 * stops by drain time, whatever the space.
 */
struct ring_marks {
	u32 capacity;
	u32 low; /* wake when space > low */
	u32 high; /* stop when space < high */
	int64_t time; /* ns, 0: none */
};

/* Parameters of a ring with marks, embedded in a driver's. */
struct ring_params {
	int64_t ring; /* frames that it takes before it stops, in the driver's nominal count */
	int64_t slots, low_mark, high_mark; /* PARAM_UNSET: by the driver's arithmetic */
	int64_t time; /* ns, PARAM_UNSET: none */
};

void ring_init(struct ring *r, u32 slots); /* a power of two */
void ring_clear(struct sim *sim, struct ring *r); /* frees the packets too */

/* Packets in it that were not handed on, for audits. */
u32 ring_packets(const struct ring *r);

static inline struct ring_slot *ring_at(const struct ring *r, u32 i)
{
	return &r->slots[(r->head + i) & r->mask];
}

/* A free slot must be there. */
static inline void ring_push(struct ring *r, struct packet *p, u32 drain, sim_time now)
{
	struct ring_slot *s = ring_at(r, r->used++);

	s->p = p;
	s->len = p->skb.len;
	s->drain = drain;
	s->since = now;
	r->drain += drain;
}

/* The packet of the oldest slot goes on; the slot stays taken. */
static inline struct packet *ring_take(struct ring *r)
{
	struct packet *p = r->slots[r->head].p;

	r->slots[r->head].p = NULL;
	return p;
}

/* The oldest slot is cleaned; its packet and account have been seen to. */
static inline void ring_pop(struct ring *r)
{
	r->drain -= r->slots[r->head].drain;
	r->head = (r->head + 1) & r->mask;
	r->used--;
}

static inline u32 ring_space(const struct ring_marks *m, u32 used)
{
	return used < m->capacity ? m->capacity - used : 0;
}

/* Too full to take a frame at all. */
static inline bool ring_refuses(const struct ring_marks *m, const struct ring *r)
{
	return ring_space(m, r->used) < m->high;
}

static inline bool ring_stops(const struct ring_marks *m, const struct ring *r)
{
	return ring_refuses(m, r) || (m->time && r->drain >= m->time);
}

static inline bool ring_wakes(const struct ring_marks *m, const struct ring *r)
{
	return ring_space(m, r->used) > m->low && !(m->time && r->drain >= m->time);
}

#endif
