// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool.h"

#include <stdlib.h>

#define LINE 64u

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

void *pool_grow(struct pool *p)
{
	struct chunk *c = aligned_alloc(LINE, sizeof(*c) + p->size * p->chunk);
	char *first;

	if (!c)
		abort();
	c->next = p->chunks;
	p->chunks = c;
	p->n_chunks++;

	/* From the last to the first: objects are handed out in order of address. */
	first = (char *)(c + 1);
	for (uint32_t i = p->chunk; i-- > 0;) {
		struct pool_free *f = (struct pool_free *)(first + i * p->size);

		f->next = p->free;
		p->free = f;
	}
	return p->free;
}
