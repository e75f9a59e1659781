/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often each of a few dozen things happened, as the rates that frames were sent at: kept by key in the order of
 * first use, told as shares of the whole by name.
 */
#ifndef WLANQ_MEASURE_SHARES_H
#define WLANQ_MEASURE_SHARES_H

#include <stddef.h>
#include <stdint.h>

struct share {
	uint32_t key;
	uint64_t weight;
};

/* A zeroed struct with .name set is an empty one. */
struct shares {
	/* The name of a key, as part of a metric's; @buf has @len bytes, and it is returned. */
	char *(*name)(uint32_t key, char *buf, size_t len);
	struct share *v;
	uint32_t n, max;
	uint32_t last; /* the one that was added to, which is often the next */
	uint64_t sum;
};

void shares_clear(struct shares *s); /* empties and frees, .name stays */
void shares_reset(struct shares *s); /* empties and keeps the memory */

/* The place of @key, a new one if need be. */
uint32_t shares_find(struct shares *s, uint32_t key);

static inline void shares_add(struct shares *s, uint32_t key, uint64_t weight)
{
	if (__builtin_expect(s->last >= s->n || s->v[s->last].key != key, 0))
		s->last = shares_find(s, key);
	s->v[s->last].weight += weight;
	s->sum += weight;
}

#endif
