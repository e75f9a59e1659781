/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A 4-ary min-heap ordered by (time, rank, seq). Times lie in the array, so that a comparison touches an event only when
 * times are equal; the four children of a node are one cache line.
 *
 * heap_take() leaves a hole at the root, and the next push fills it: a callback that schedules one
 * event costs one walk down the heap, not one down and one up.
 */
#ifndef WLANQ_ENGINE_HEAP_H
#define WLANQ_ENGINE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;

struct heap_entry {
	int64_t time; /* ns */
	struct event *ev; /* its .order is the rest of the key, and stays while it is here */
};

struct heap {
	struct heap_entry *entries; /* behind the last of n stand sentinels later than all */
	uint32_t n, max; /* n counts the hole */
	bool hole; /* entries[0] was taken and not yet filled */
};

/* @first: entries that there is room for. */
void heap_init(struct heap *h, uint32_t first);
void heap_clear(struct heap *h);

/* Each keeps event->slot equal to the entry's index. @h grows when full. */
void heap_push(struct heap *h, struct heap_entry e);
void heap_remove(struct heap *h, uint32_t slot);
void heap_replace(struct heap *h, uint32_t slot, struct heap_entry e); /* new key, sifts */

/* Closes the hole, if there is one, with the last entry. */
void heap_settle(struct heap *h);

/* The earliest entry, NULL when the heap is empty. */
static inline struct heap_entry *heap_top(struct heap *h)
{
	if (h->hole)
		heap_settle(h);
	return h->n ? h->entries : NULL;
}

/* Takes the earliest entry out, heap_top() having shown that there is one; its slot is not touched. */
static inline void heap_take(struct heap *h)
{
	/* Earlier than all, so that nothing rises past the hole while it stands. */
	h->entries[0].time = INT64_MIN;
	h->hole = true;
}

/* Entries that wait. */
static inline uint32_t heap_count(const struct heap *h)
{
	return h->n - h->hole;
}

#endif
