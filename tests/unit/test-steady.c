// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: once a run has seen its busiest moment it allocates nothing: not for events, packets or measures.
 *
 * Set-up: 300 sources put packets into a queue of up to 2500 that is emptied in bursts, all measured and
 * with timers that are re-armed; the linker routes malloc and its kin through counters. 100 ms to warm up,
 * 900 ms counted. The queue overflows each time some 0.75 ms before it is emptied, so that the sojourns
 * of the warm-up meet every octave that comes later; a new one would rightly allocate its row.
 *
 * Expected: some allocations before, none after.
 */
#include <stdlib.h>

#include "check-main.h"
#include "engine/draw.h"
#include "engine/pool.h"
#include "measure/anatomy.h"
#include "measure/queue-stat.h"
#include "packet/packet.h"

#define SOURCES 300
#define LIMIT	2500

static uint64_t n_allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

void *__wrap_malloc(size_t size)
{
	n_allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	n_allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	n_allocations++;
	return __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	n_allocations++;
	return __real_aligned_alloc(align, size);
}

static const char *const causes[] = {"full", NULL};

struct pump {
	struct event source[SOURCES], timer[SOURCES], drain;
	struct draw luck;
	struct packet *queue[LIMIT];
	uint32_t n;
	struct queue_stat stat;
	struct anatomy parts;
	uint64_t timeouts;
};

static void source(struct sim *sim, struct event *ev)
{
	struct pump *pump = sim->trace_arg;
	struct packet *p = packet_new(sim);

	p->skb.len = 1514;
	if (pump->n < LIMIT) {
		queue_stat_in(&pump->stat, sim->now, p->skb.len);
		packet_enter(p, LAYER_RING, sim->now);
		pump->queue[pump->n++] = p;
	} else {
		queue_stat_refuse(&pump->stat, 0);
		packet_drop(sim, p);
	}
	event_postpone(sim, &pump->timer[ev - pump->source], sim->now + 2 * SIM_MS);
	event_schedule_in(sim, ev, 1 + draw_next_below(&pump->luck, SIM_MS));
}

static void timeout(struct sim *sim, struct event *ev)
{
	struct pump *pump = sim->trace_arg;

	pump->timeouts++;
}

static void drain(struct sim *sim, struct event *ev)
{
	struct pump *pump = sim->trace_arg;

	while (pump->n) {
		struct packet *p = pump->queue[--pump->n];

		queue_stat_out(&pump->stat, sim->now, p->skb.len, sim->now - p->since);
		packet_enter(p, LAYER_HOST, sim->now);
		anatomy_add(&pump->parts, p->spent);
		packet_free(sim, p);
	}
	event_schedule_in(sim, ev, 5 * SIM_MS);
}

START_TEST(nothing_is_allocated)
{
	struct pump *pump = calloc(1, sizeof(*pump));
	struct sim *sim = sim_new(1);
	uint64_t warm, after, chunks;

	sim->trace_arg = pump;
	draw_init(&pump->luck, sim->seed, "pump", "luck");
	queue_stat_init(&pump->stat, causes);
	anatomy_init(&pump->parts, layer_names, LAYER_COUNT);
	for (int i = 0; i < SOURCES; i++) {
		event_init(&pump->source[i], source, RANK_DELIVER);
		event_init(&pump->timer[i], timeout, RANK_TIMER);
		event_schedule(sim, &pump->source[i], draw_next_below(&pump->luck, SIM_MS));
	}
	event_init(&pump->drain, drain, RANK_COMPLETE);
	event_schedule(sim, &pump->drain, 5 * SIM_MS);
	/* No assertion in between: Check's own allocate. */
	sim_run(sim, 100 * SIM_MS);
	warm = n_allocations;
	chunks = sim->packets->n_chunks;
	sim_run(sim, SIM_SEC);
	after = n_allocations;
	ck_assert_str_eq(sim->error, "");
	ck_assert_uint_gt(warm, 5);
	ck_assert_uint_eq(after, warm);
	ck_assert_uint_eq(sim->packets->n_chunks, chunks);
	ck_assert_uint_gt(pump->stat.out, 300000);
	ck_assert_uint_gt(pump->stat.dropped, 10000);
	ck_assert_uint_eq(sim->packets->live, pump->n);
	queue_stat_clear(&pump->stat);
	anatomy_clear(&pump->parts);
	sim_free(sim);
	free(pump);
}
END_TEST

START_TEST(pool_hands_out_what_came_back)
{
	struct pool *p = pool_new(100, 4);
	void *v[9];

	for (int i = 0; i < 9; i++) {
		v[i] = pool_get(p);
		ck_assert_uint_eq((uintptr_t)v[i] % 64, 0);
	}
	ck_assert_uint_eq(p->size, 128);
	ck_assert_uint_eq(p->n_chunks, 3);
	for (int i = 0; i < 4; i++)
		pool_put(p, v[i]);
	ck_assert_uint_eq(p->live, 5);
	ck_assert_ptr_eq(pool_get(p), v[3]);
	ck_assert_uint_eq(p->peak, 9);
	ck_assert_uint_eq(p->taken, 10);
	ck_assert_uint_eq(p->n_chunks, 3);
	pool_free(p);
	pool_free(NULL);
}
END_TEST

CHECK_MAIN("steady", nothing_is_allocated, pool_hands_out_what_came_back)
