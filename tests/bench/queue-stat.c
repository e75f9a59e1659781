// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What it costs to measure a queue: ns for a step that calls queue_stat_in() or queue_stat_out(), and
 * for the step without them; a queue of 0 to 250 packets, random sojourns, the best of some rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/draw.h"
#include "measure/queue-stat.h"

#define STEPS  4000000
#define ROUNDS 7

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum mode { BARE, PACKETS, BYTES, MODES };

/* ns a step; the bare one draws and branches alike, but only counts. */
static double run(struct queue_stat *q, enum mode mode, sim_time *now)
{
	double start = seconds();
	int64_t held = 0;

	for (int i = 0; i < STEPS; i++) {
		uint64_t r = draw_bits(1, (uint64_t)i);
		bool in = (r >> 16 & 1 && held < 250) || held == 0;

		*now += 1 + (int64_t)(r & 0xffff);
		held += in ? 1 : -1;
		if (mode == BARE)
			__asm__ volatile("" : "+r"(held));
		else if (in)
			queue_stat_in(q, *now, 1514);
		else
			queue_stat_out(q, *now, 1514, (int64_t)(r >> 32 & 0x3ffffff));
	}
	start = (seconds() - start) / STEPS * 1e9;
	while (mode != BARE && queue_stat_packets(q) > 0)
		queue_stat_out(q, *now, 1514, 0);
	return start;
}

int main(void)
{
	static const char *const what[MODES] = {"without", "with packets", "with bytes too"};
	struct queue_stat *q = calloc(1, sizeof(*q));
	sim_time now = 0;

	queue_stat_init(q, NULL);
	for (enum mode mode = BARE; mode < MODES; mode++) {
		double best = 1e9;

		if (mode == BYTES)
			queue_stat_want_bytes(q, now);
		for (int round = 0; round < ROUNDS; round++) {
			double ns = run(q, mode, &now);

			if (ns < best)
				best = ns;
		}
		printf("%-15s %5.1f ns a step\n", what[mode], best);
	}
	queue_stat_clear(q);
	free(q);
	return 0;
}
