// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LINE 64u

/* A pool that has outgrown so many bytes goes on in huge pages: one page fault where there would be 512. */
#define SMALL_BYTES ((size_t)512 << 10)
#define HUGE_BYTES  ((size_t)2 << 20)

/* Heads a chunk and fills a cache line, so that the objects behind it are aligned. */
struct chunk {
	struct chunk *next;
	char pad[LINE - sizeof(struct chunk *)];
};

struct pool *pool_new(size_t size, uint32_t chunk)
{
	struct pool *p = calloc(1, sizeof(*p));

	if (!p)
		abort();
	p->size = (size + LINE - 1) / LINE * LINE;
	p->chunk = chunk ? chunk : 1;
	return p;
}

void pool_free(struct pool *p)
{
	struct chunk *c, *next;

	if (!p)
		return;
	for (c = p->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	free(p);
}

/* Room for more objects from the system. */
static void add_chunk(struct pool *p)
{
	size_t small = sizeof(struct chunk) + p->size * p->chunk;
	bool huge = p->bytes >= SMALL_BYTES && small <= HUGE_BYTES;
	size_t bytes = huge ? HUGE_BYTES : small;
	struct chunk *c = aligned_alloc(huge ? HUGE_BYTES : LINE, bytes);

	if (!c)
		abort();
	/* Advice: where it is not taken, pages are small. */
	if (huge)
		madvise(c, bytes, MADV_HUGEPAGE);
	c->next = p->chunks;
	p->chunks = c;
	p->n_chunks++;
	p->bytes += bytes;
	p->fresh = (char *)(c + 1);
	p->n_fresh = (uint32_t)((bytes - sizeof(*c)) / p->size);
}

void *pool_grow(struct pool *p)
{
	uint32_t n;

	if (!p->n_fresh)
		add_chunk(p);
	n = p->n_fresh < p->chunk ? p->n_fresh : p->chunk;

	/* From the last to the first: objects are handed out in order of address. */
	for (uint32_t i = n; i-- > 0;) {
		struct pool_free *f = (struct pool_free *)(p->fresh + i * p->size);

		f->next = p->free;
		p->free = f;
	}
	p->fresh += n * p->size;
	p->n_fresh -= n;
	return p->free;
}
