/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A first-in first-out queue of packets in an array, for those that wait long and in numbers: it fetches the packets whose
 * turn comes soon into the near caches, which a list, where each leads to the next, cannot.
 */
#ifndef WLANQ_PACKET_ROW_H
#define WLANQ_PACKET_ROW_H

#include <stdlib.h>

#include "packet/packet.h"

#define PACKET_ROW_FIRST 16u
#define PACKET_ROW_AHEAD 4u

/* A zeroed row is an empty one. */
struct packet_row {
	struct packet **v;
	u32 room; /* a power of two, or 0 */
	u32 first, n;
};

static inline struct packet *packet_row_at(const struct packet_row *r, u32 i)
{
	return r->v[(r->first + i) & (r->room - 1)];
}

/* Twice the room; what is there begins at 0. */
static __attribute__((cold, noinline, unused)) void packet_row_grow(struct packet_row *r)
{
	u32 room = r->room ? 2 * r->room : PACKET_ROW_FIRST;
	struct packet **v = malloc(room * sizeof(*v));

	if (!v)
		abort();
	for (u32 i = 0; i < r->n; i++)
		v[i] = packet_row_at(r, i);
	free(r->v);
	r->v = v;
	r->room = room;
	r->first = 0;
}

static inline void packet_row_push(struct packet_row *r, struct packet *p)
{
	if (__builtin_expect(r->n == r->room, 0))
		packet_row_grow(r);
	r->v[(r->first + r->n++) & (r->room - 1)] = p;
}

static inline void packet_row_fetch(const struct packet_row *r, u32 i)
{
	const struct packet *p;

	if (i >= r->n)
		return;
	p = packet_row_at(r, i);
	__builtin_prefetch(p);
	__builtin_prefetch(&p->since, 1);
	__builtin_prefetch(p->spent, 1);
}

/* Several are about to be taken. */
static inline void packet_row_begin(const struct packet_row *r)
{
	for (u32 i = 0; i < PACKET_ROW_AHEAD; i++)
		packet_row_fetch(r, i);
}

/* NULL: it is empty. */
static inline struct packet *packet_row_head(const struct packet_row *r)
{
	return r->n ? r->v[r->first & (r->room - 1)] : NULL;
}

static inline struct packet *packet_row_pop(struct packet_row *r)
{
	struct packet *p = packet_row_head(r);

	if (!p)
		return NULL;
	r->first++;
	r->n--;
	packet_row_fetch(r, PACKET_ROW_AHEAD - 1);
	return p;
}

/* Frees the array; the packets are the caller's. */
static inline void packet_row_clear(struct packet_row *r)
{
	free(r->v);
	*r = (struct packet_row){0};
}

#endif
