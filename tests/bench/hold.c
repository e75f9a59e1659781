// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The hold benchmark: N events are pending; each callback schedules its own event again after a random
 * time, by real callbacks through struct event. Told are millions of pop-and-push pairs a second, the best
 * of some rounds since the machine has other work. Times are exponential with a mean of 1 ms, read
 * from a table so that the logarithm is not measured.
 *
 * A second figure has each callback postpone one further event, as a retransmission timer is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/draw.h"
#include "engine/sim.h"

#define DELAYS 8192u
#define PAIRS  4000000u
#define ROUNDS 7

struct hold;

struct holder {
	struct event ev, timer;
	struct hold *hold;
};

struct hold {
	struct holder *holders;
	uint32_t next_delay;
	uint64_t left, timeouts;
	sim_time delays[DELAYS];
};

static void again(struct sim *sim, struct event *ev)
{
	struct holder *h = container_of(ev, struct holder, ev);
	struct hold *hold = h->hold;

	if (--hold->left == 0)
		sim_stop(sim);
	event_schedule_in(sim, ev, hold->delays[hold->next_delay++ % DELAYS]);
}

static void again_with_timer(struct sim *sim, struct event *ev)
{
	struct holder *h = container_of(ev, struct holder, ev);

	event_postpone(sim, &h->timer, sim->now + 200 * SIM_MS);
	again(sim, ev);
}

static void timeout(struct sim *sim, struct event *ev)
{
	container_of(ev, struct holder, timer)->hold->timeouts++;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double measure(struct hold *hold, uint32_t pending, event_fn fn)
{
	struct sim *sim = sim_new(1);
	double best = 0;

	hold->holders = calloc(pending, sizeof(*hold->holders));
	for (uint32_t i = 0; i < pending; i++) {
		struct holder *h = &hold->holders[i];

		h->hold = hold;
		event_init(&h->ev, fn, RANK_DELIVER);
		event_init(&h->timer, timeout, RANK_TIMER);
		event_schedule(sim, &h->ev, hold->delays[i % DELAYS]);
	}
	for (int round = 0; round < ROUNDS; round++) {
		double start = seconds(), rate;

		hold->left = PAIRS;
		sim_run(sim, SIM_TIME_MAX);
		rate = PAIRS / (seconds() - start) * 1e-6;
		if (rate > best)
			best = rate;
	}
	sim_free(sim);
	free(hold->holders);
	return best;
}

int main(void)
{
	static const uint32_t pending[] = {32, 512, 20000};
	struct hold *hold = calloc(1, sizeof(*hold));
	uint64_t key = draw_key(1, "hold");

	for (uint32_t i = 0; i < DELAYS; i++)
		hold->delays[i] =
			(sim_time)(-log((draw_below(key, i, 1000000) + 1) / 1e6) * SIM_MS);
	printf("%8s %20s %20s\n", "pending", "Mpairs/s", "and a timer");
	for (size_t i = 0; i < sizeof(pending) / sizeof(pending[0]); i++)
		printf("%8u %20.1f %20.1f\n", pending[i], measure(hold, pending[i], again),
		       measure(hold, pending[i], again_with_timer));
	free(hold);
	return 0;
}
