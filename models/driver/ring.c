// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/ring.h"

#include <stdlib.h>

void ring_init(struct ring *r, u32 slots)
{
	r->slots = calloc(slots, sizeof(*r->slots));
	if (!r->slots)
		abort();
	r->mask = slots - 1;
}

void ring_clear(struct sim *sim, struct ring *r)
{
	for (; r->used; ring_pop(r))
		if (r->slots[r->head].p)
			packet_free(sim, r->slots[r->head].p);
	free(r->slots);
	r->slots = NULL;
}

u32 ring_packets(const struct ring *r)
{
	u32 n = 0;

	for (u32 i = 0; i < r->used; i++)
		n += ring_at(r, i)->p != NULL;
	return n;
}
