// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/shares.h"

#include <stdlib.h>

void shares_clear(struct shares *s)
{
	free(s->v);
	*s = (struct shares){.name = s->name};
}

void shares_reset(struct shares *s)
{
	s->n = 0;
	s->last = 0;
	s->sum = 0;
}

uint32_t shares_find(struct shares *s, uint32_t key)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->v[i].key == key)
			return i;
	if (s->n == s->max) {
		s->max = s->max ? 2 * s->max : 16;
		s->v = realloc(s->v, s->max * sizeof(*s->v));
		if (!s->v)
			abort();
	}
	s->v[s->n] = (struct share){.key = key};
	return s->n++;
}
