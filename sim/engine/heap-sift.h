/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walks up and down the heap, for the two places that a run spends its time in: scheduling an event and taking the
 * next (engine/sim.c). Others call the functions of engine/heap.h.
 */
#ifndef WLANQ_ENGINE_HEAP_SIFT_H
#define WLANQ_ENGINE_HEAP_SIFT_H

#include "engine/sim.h"

/* Doubles the room. */
void heap_grow(struct heap *h);

/* Later than every event. */
extern const struct event heap_never;

static inline struct heap_entry heap_sentinel(void)
{
	return (struct heap_entry){.time = INT64_MAX, .ev = (struct event *)&heap_never};
}

static inline bool heap_before(const struct heap_entry *a, const struct heap_entry *b)
{
	if (__builtin_expect(a->time == b->time, 0))
		return a->ev->order < b->ev->order;
	return a->time < b->time;
}

/* What stands for @ev in a heap; its order is settled here. */
static inline struct heap_entry event_entry(struct event *ev)
{
	ev->order = (uint64_t)ev->rank << 56 | ev->seq;
	return (struct heap_entry){.time = ev->due, .ev = ev};
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

static inline void heap_sift_down(struct heap *h, uint32_t slot, struct heap_entry e)
{
	struct heap_entry *entries = h->entries;
	size_t n = h->n, i = slot, child;

	while ((child = 4 * i + 1) < n) {
		/* Sentinels stand in for children that are not there: no bound to check. */
		const struct heap_entry *left = &entries[child], *right = left + 2;

		left += heap_before(left + 1, left);
		right += heap_before(right + 1, right);
		if (heap_before(right, left))
			left = right;
		if (!heap_before(left, &e))
			break;
		heap_place(entries, (uint32_t)i, left);
		i = (size_t)(left - entries);
	}
	heap_place(entries, (uint32_t)i, &e);
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

	h->entries[h->n] = heap_sentinel();
	h->hole = false;
	if (h->n)
		heap_sift_down(h, 0, last);
}

#endif
