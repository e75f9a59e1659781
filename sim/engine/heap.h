/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A 4-ary min-heap of inline keys, ordered by (time, rank, seq). The keys lie in the array, so a
 * comparison touches no event; the four children of a node lie in two cache lines.
 */
#ifndef WLANQ_ENGINE_HEAP_H
#define WLANQ_ENGINE_HEAP_H

#include <stdint.h>

struct event;

struct heap_entry {
	int64_t time; /* ns */
	uint64_t order; /* rank << 56 | seq */
	struct event *ev;
};

struct heap {
	struct heap_entry *entries;
	uint32_t n, max;
};

void heap_init(struct heap *h);
void heap_clear(struct heap *h);

/* Each keeps event->slot equal to the entry's index. @h grows when full. */
void heap_push(struct heap *h, struct heap_entry e);
void heap_remove(struct heap *h, uint32_t slot);
void heap_replace(struct heap *h, uint32_t slot, struct heap_entry e); /* new key, sifts */

#endif
