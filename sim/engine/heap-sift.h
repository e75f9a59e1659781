/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walks up and down the heap, for the two places that a run spends its time in: scheduling an event and taking the
 * next (engine/sim.c). Others call the functions of engine/heap.h.
 */
#ifndef WLANQ_ENGINE_HEAP_SIFT_H
#define WLANQ_ENGINE_HEAP_SIFT_H

#include "engine/sim.h"

/* Later than every event. */
#define HEAP_SENTINEL                                  \
	{                                              \
		.time = INT64_MAX, .order = UINT64_MAX \
	}

/* Doubles the room. */
void heap_grow(struct heap *h);

static inline bool heap_before(const struct heap_entry *a, const struct heap_entry *b)
{
	__int128 ka = ((__int128)a->time << 64) | a->order;
	__int128 kb = ((__int128)b->time << 64) | b->order;

	return ka < kb;
}

static inline void heap_place(struct heap_entry *entries, uint32_t i, const struct heap_entry *e)
{
	entries[i] = *e;
	e->ev->slot = i;
}

static inline void heap_sift_up(struct heap *h, uint32_t i, struct heap_entry e)
{
	struct heap_entry *entries = h->entries;

	while (i) {
		uint32_t parent = (i - 1) / 4;

		if (!heap_before(&e, &entries[parent]))
			break;
		heap_place(entries, i, &entries[parent]);
		i = parent;
	}
	heap_place(entries, i, &e);
}

static inline void heap_sift_down(struct heap *h, uint32_t i, struct heap_entry e)
{
	struct heap_entry *entries = h->entries;
	uint32_t n = h->n, child;

	while ((child = 4 * i + 1) < n) {
		/* Sentinels stand in for children that are not there: no bound to check. */
		const struct heap_entry *c = &entries[child];
		uint32_t left = heap_before(&c[1], &c[0]);
		uint32_t right = 2 + heap_before(&c[3], &c[2]);
		uint32_t least = heap_before(&c[right], &c[left]) ? right : left;

		if (!heap_before(&c[least], &e))
			break;
		heap_place(entries, i, &c[least]);
		i = child + least;
	}
	heap_place(entries, i, &e);
}

/* As heap_push(). */
static inline void heap_push_inline(struct heap *h, struct heap_entry e)
{
	if (__builtin_expect(h->hole, 1)) {
		h->hole = false;
		heap_sift_down(h, 0, e);
		return;
	}
	if (__builtin_expect(h->n == h->max, 0))
		heap_grow(h);
	heap_sift_up(h, h->n++, e);
}

/* As heap_settle(). */
static inline void heap_settle_inline(struct heap *h)
{
	struct heap_entry last = h->entries[--h->n];

	h->entries[h->n] = (struct heap_entry)HEAP_SENTINEL;
	h->hole = false;
	if (h->n)
		heap_sift_down(h, 0, last);
}

#endif
