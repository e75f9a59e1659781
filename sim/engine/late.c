// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/late.h"

#include <math.h>
#include <stdlib.h>

/* 1 / 2.4 */
#define SHAPE (5.0 / 12.0)

static struct late_table *table_new(void)
{
	struct late_table *t = malloc(sizeof(*t));

	if (!t)
		abort();
	for (uint32_t i = 0; i < LATE_STEPS; i++) {
		double p = (i + 0.5) / LATE_STEPS;
		double tail = (LATE_STEPS - 1 + p) / LATE_STEPS;

		/* Rounded: the last digits of libm are each machine's own. */
		t->factor[i] = (uint32_t)lround(256 * pow(p / (1 - p), SHAPE));
		t->factor[LATE_STEPS + i] = (uint32_t)lround(256 * pow(tail / (1 - tail), SHAPE));
		t->stall_factor[i] = (uint32_t)lround(-256 * log(1 - p));
	}
	return t;
}

void late_init(struct late *l, sim_time median, sim_time stall_interval, sim_time stall_mean,
	       uint64_t seed, const char *path)
{
	struct draw d;

	draw_init(&d, seed, path, "stalls");
	l->key = d.key;
	l->median = median;
	l->stall_interval = stall_interval;
	l->stall_mean = stall_interval ? stall_mean : 0;
	l->table = late_ever(l) ? table_new() : NULL;
}

void late_clear(struct late *l)
{
	free(l->table);
	l->table = NULL;
}

/* @t, or the end of the stall of interval @n if @t lies in it. */
static sim_time stall_end(const struct late *l, int64_t n, sim_time t)
{
	uint64_t bits = draw_bits(l->key, (uint64_t)n);
	sim_time at =
		(sim_time)(((bits >> 32) * (uint64_t)(l->stall_interval / 1000)) >> 32) * 1000;
	sim_time end;

	at += n * l->stall_interval;
	end = at + l->stall_mean * l->table->stall_factor[bits % LATE_STEPS] / 256;
	return t >= at && t < end ? end : t;
}

sim_time late_time(const struct late *l, struct draw *d, sim_time due)
{
	sim_time t = due;

	if (l->median) {
		uint32_t i = draw_next_below(d, LATE_STEPS * LATE_STEPS);

		i = i < (LATE_STEPS - 1) * LATE_STEPS ? i / LATE_STEPS
						      : LATE_STEPS + i % LATE_STEPS;
		t += l->median * l->table->factor[i] / 256;
	}
	if (l->stall_mean && t >= l->stall_interval) {
		int64_t n = t / l->stall_interval;

		t = stall_end(l, n - 1, t);
		t = stall_end(l, n, t);
	}
	return t;
}
