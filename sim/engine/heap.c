// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/heap.h"

#include <stdlib.h>
#include <string.h>

#include "engine/heap-sift.h"

#define SENTINELS 4u
#define LINE	  64u

/* The children of i begin 64 i + 16 bytes in; shifted by 48 they are one cache line. */
#define SHIFT 48u

const struct event heap_never = {.order = UINT64_MAX};

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
		entries[i] = heap_sentinel();
	h->entries = entries;
	h->max = max;
}

void heap_grow(struct heap *h)
{
	resize(h, h->max * 2);
}

void heap_init(struct heap *h, uint32_t first)
{
	memset(h, 0, sizeof(*h));
	resize(h, first);
}

void heap_clear(struct heap *h)
{
	if (h->entries)
		free((char *)h->entries - SHIFT);
	memset(h, 0, sizeof(*h));
}

void heap_push(struct heap *h, struct heap_entry e)
{
	heap_push_inline(h, e);
}

void heap_replace(struct heap *h, uint32_t slot, struct heap_entry e)
{
	if (slot && heap_before(&e, &h->entries[(slot - 1) / 4]))
		heap_sift_up(h, slot, e);
	else
		heap_sift_down(h, slot, e);
}

void heap_remove(struct heap *h, uint32_t slot)
{
	struct heap_entry last = h->entries[--h->n];

	h->entries[h->n] = heap_sentinel();
	if (slot < h->n)
		heap_replace(h, slot, last);
}

void heap_settle(struct heap *h)
{
	heap_settle_inline(h);
}
