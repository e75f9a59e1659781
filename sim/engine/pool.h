/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pool of equal objects: chunks from the system, a free list in between. The steady state of a run
 * allocates nothing.
 */
#ifndef WLANQ_ENGINE_POOL_H
#define WLANQ_ENGINE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct pool_free {
	struct pool_free *next;
};

struct pool {
	struct pool_free *free;
	size_t size; /* of an object, rounded up to 64 bytes */
	uint32_t chunk; /* objects in a chunk of the first ones, and that the free list grows by */
	uint32_t n_fresh; /* objects of the last chunk that were never on the free list */
	char *fresh; /* the first of them */
	uint64_t taken; /* ever */
	uint64_t live; /* taken and not given back */
	uint64_t peak; /* the most ever live */
	uint64_t n_chunks; /* for the test that the steady state allocates nothing */
	size_t bytes; /* of all chunks */
	void *chunks;
};

struct pool *pool_new(size_t size, uint32_t chunk);
void pool_free(struct pool *p);

/* The object's bytes are not cleared. Aborts when the system has no memory. */
void *pool_grow(struct pool *p);

static inline void *pool_get(struct pool *p)
{
	struct pool_free *f = p->free;

	if (__builtin_expect(!f, 0))
		f = pool_grow(p);
	p->free = f->next;
	p->taken++;
	if (++p->live > p->peak)
		p->peak = p->live;
	return f;
}

static inline void pool_put(struct pool *p, void *obj)
{
	struct pool_free *f = obj;

	f->next = p->free;
	p->free = f;
	p->live--;
}

#endif
