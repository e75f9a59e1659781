// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/heap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sim.h"

#define HEAP_FIRST 1000u /* entries to begin with */
#define SENTINELS  4u
#define LINE	   64u

/* The children of i begin 96 i + 24 bytes in; shifted by 40 they never touch a third cache line. */
#define SHIFT 40u

static const struct heap_entry sentinel = {.time = INT64_MAX, .order = UINT64_MAX};

static inline bool before(const struct heap_entry *a, const struct heap_entry *b)
{
	__int128 ka = ((__int128)a->time << 64) | a->order;
	__int128 kb = ((__int128)b->time << 64) | b->order;

	return ka < kb;
}

static void resize(struct heap *h, uint32_t max)
{
	size_t bytes = SHIFT + ((size_t)max + SENTINELS) * sizeof(struct heap_entry);
	char *raw = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
	struct heap_entry *entries;

	if (!raw)
		abort();
	entries = (struct heap_entry *)(raw + SHIFT);
	if (h->entries) {
		memcpy(entries, h->entries, h->n * sizeof(*entries));
		free((char *)h->entries - SHIFT);
	}
	for (uint32_t i = h->n; i < max + SENTINELS; i++)
		entries[i] = sentinel;
	h->entries = entries;
	h->max = max;
}

void heap_init(struct heap *h)
{
	memset(h, 0, sizeof(*h));
	resize(h, HEAP_FIRST);
}

void heap_clear(struct heap *h)
{
	if (h->entries)
		free((char *)h->entries - SHIFT);
	memset(h, 0, sizeof(*h));
}

static inline void place(struct heap_entry *entries, uint32_t i, const struct heap_entry *e)
{
	entries[i] = *e;
	e->ev->slot = i;
}

static inline void sift_up(struct heap *h, uint32_t i, struct heap_entry e)
{
	struct heap_entry *entries = h->entries;

	while (i) {
		uint32_t parent = (i - 1) / 4;

		if (!before(&e, &entries[parent]))
			break;
		place(entries, i, &entries[parent]);
		i = parent;
	}
	place(entries, i, &e);
}

static inline void sift_down(struct heap *h, uint32_t i, struct heap_entry e)
{
	struct heap_entry *entries = h->entries;
	uint32_t n = h->n, child;

	while ((child = 4 * i + 1) < n) {
		/* Sentinels stand in for children that are not there: no bound to check. */
		const struct heap_entry *c = &entries[child];
		uint32_t left = before(&c[1], &c[0]);
		uint32_t right = 2 + before(&c[3], &c[2]);
		uint32_t least = before(&c[right], &c[left]) ? right : left;

		if (!before(&c[least], &e))
			break;
		place(entries, i, &c[least]);
		i = child + least;
	}
	place(entries, i, &e);
}

void heap_push(struct heap *h, struct heap_entry e)
{
	if (h->hole) {
		h->hole = false;
		sift_down(h, 0, e);
		return;
	}
	if (h->n == h->max)
		resize(h, h->max * 2);
	sift_up(h, h->n++, e);
}

void heap_replace(struct heap *h, uint32_t slot, struct heap_entry e)
{
	if (before(&e, &h->entries[slot]))
		sift_up(h, slot, e);
	else
		sift_down(h, slot, e);
}

void heap_remove(struct heap *h, uint32_t slot)
{
	struct heap_entry last = h->entries[--h->n];

	h->entries[h->n] = sentinel;
	if (slot < h->n)
		heap_replace(h, slot, last);
}

void heap_settle(struct heap *h)
{
	struct heap_entry last = h->entries[--h->n];

	h->entries[h->n] = sentinel;
	h->hole = false;
	if (h->n)
		sift_down(h, 0, last);
}
