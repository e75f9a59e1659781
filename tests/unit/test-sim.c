// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the run loop dispatches by (time, rank, order of scheduling) and keeps that order through
 * cancellations, postponements and failures.
 *
 * Set-up: small hand-made runs whose dispatch sequence can be told in advance, and random ones in
 * which every timer is re-armed eagerly in one run and lazily in another, or in which an event that does
 * nothing is added.
 *
 * Expected: equal sequences, compared as an XXH3 digest of time, rank and owner; no tolerance.
 */
#include <string.h>
#include <xxhash.h>

#include "check-main.h"
#include "engine/clock.h"
#include "engine/draw.h"
#include "engine/follow.h"
#include "engine/pool.h"
#include "engine/sim.h"

/* ---- sequences told in advance ------------------------------------------------------------- */

#define TALKERS 8

struct talker {
	struct event ev;
	struct talk *talk;
	char letter;
};

struct talk {
	struct talker t[TALKERS]; /* a, b, c, ... */
	char said[64];
};

static void say(struct sim *sim, struct event *ev)
{
	struct talker *t = container_of(ev, struct talker, ev);

	ck_assert_int_eq(kernel_clock.now_ns, sim->now);
	ck_assert(!event_pending(ev));
	t->talk->said[strlen(t->talk->said)] = t->letter;
}

static void talk_init(struct talk *talk)
{
	memset(talk, 0, sizeof(*talk));
	for (int i = 0; i < TALKERS; i++) {
		talk->t[i].talk = talk;
		talk->t[i].letter = (char)('a' + i);
		event_init(&talk->t[i].ev, say, RANK_TIMER);
	}
}

START_TEST(equal_times_by_rank_then_order)
{
	static const enum event_rank ranks[] = {RANK_XMIT,     RANK_TIMER,   RANK_MEDIUM,
						RANK_COMPLETE, RANK_DELIVER, RANK_TIMER,
						RANK_MEDIUM,   RANK_XMIT};
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	for (int i = 0; i < TALKERS; i++) {
		event_init(&talk.t[i].ev, say, ranks[i]);
		event_schedule(sim, &talk.t[i].ev, 5);
	}
	/* Scheduled again: behind those of its time and rank, not where it was. */
	event_schedule(sim, &talk.t[0].ev, 5);
	ck_assert_int_eq(event_due(&talk.t[0].ev), 5);
	ck_assert_int_eq(sim_run(sim, 5), 0);
	ck_assert_str_eq(talk.said, "cgedbfha");
	ck_assert_int_eq(sim->now, 5);
	ck_assert_uint_eq(sim->n_events, TALKERS);
	sim_free(sim);
}
END_TEST

START_TEST(until_is_included_and_the_clock_stands_there)
{
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	event_schedule(sim, &talk.t[0].ev, 10);
	event_schedule(sim, &talk.t[1].ev, 11);
	ck_assert_int_eq(sim_run(sim, 10), 0);
	ck_assert_str_eq(talk.said, "a");
	ck_assert_int_eq(sim_run(sim, 1000), 0);
	ck_assert_str_eq(talk.said, "ab");
	ck_assert_int_eq(sim->now, 1000);
	sim_free(sim);
}
END_TEST

/* A postponed event comes at its new time, where scheduling it then would have put it. */
START_TEST(postponed_is_rescheduled)
{
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	event_schedule(sim, &talk.t[0].ev, 1);
	event_schedule(sim, &talk.t[1].ev, 4);
	event_postpone(sim, &talk.t[0].ev, 4);
	event_schedule(sim, &talk.t[2].ev, 4);
	ck_assert_int_eq(event_due(&talk.t[0].ev), 4);
	/* Further out, then nearer again but not before its place in the heap, then before it. */
	event_schedule(sim, &talk.t[3].ev, 2);
	event_postpone(sim, &talk.t[3].ev, 9);
	event_postpone(sim, &talk.t[3].ev, 3);
	event_schedule(sim, &talk.t[4].ev, 6);
	event_postpone(sim, &talk.t[4].ev, 2);
	/* Postponed and cancelled; not pending and postponed. */
	event_schedule(sim, &talk.t[5].ev, 1);
	event_postpone(sim, &talk.t[5].ev, 2);
	event_cancel(sim, &talk.t[5].ev);
	event_postpone(sim, &talk.t[6].ev, 7);
	ck_assert_int_eq(sim_run(sim, 3), 0);
	ck_assert_str_eq(talk.said, "ed");
	ck_assert_int_eq(sim_run(sim, 9), 0);
	ck_assert_str_eq(talk.said, "edbacg");
	ck_assert_uint_eq(sim->n_events, 6);
	sim_free(sim);
}
END_TEST

static void say_and_cancel(struct sim *sim, struct event *ev)
{
	struct talk *talk = container_of(ev, struct talker, ev)->talk;

	say(sim, ev);
	event_cancel(sim, ev); /* its own, no longer pending: nothing happens */
	event_cancel(sim, &talk->t[1].ev); /* of this instant, the next one */
	event_cancel(sim, &talk->t[2].ev); /* a later one */
	ev->fn = say;
	event_schedule(sim, ev, sim->now); /* again, at once, behind its equals */
	event_schedule(sim, &talk->t[4].ev, sim->now + 1);
	event_cancel(sim, &talk->t[4].ev); /* made and unmade */
}

START_TEST(cancel_inside_a_callback)
{
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	event_init(&talk.t[0].ev, say_and_cancel, RANK_TIMER);
	for (int i = 0; i < 4; i++)
		event_schedule(sim, &talk.t[i].ev, i == 2 ? 6 : 5);
	event_cancel(sim, &talk.t[4].ev);
	ck_assert_int_eq(sim_run(sim, 100), 0);
	ck_assert_str_eq(talk.said, "ada");
	ck_assert_uint_eq(heap_count(&sim->heap), 0);
	sim_free(sim);
}
END_TEST

static void say_and_schedule(struct sim *sim, struct event *ev)
{
	struct talk *talk = container_of(ev, struct talker, ev)->talk;

	say(sim, ev);
	/* More than wait beside the heap. */
	for (int i = 1; i < TALKERS - 1; i++)
		event_schedule(sim, &talk->t[i].ev, sim->now);
	event_postpone(sim, &talk->t[2].ev, sim->now);
	event_cancel(sim, &talk->t[4].ev);
	event_schedule(sim, &talk->t[5].ev, sim->now + 1);
	ck_assert(event_pending(&talk->t[2].ev) && !event_pending(&talk->t[4].ev));
}

START_TEST(due_at_once)
{
	static const enum event_rank ranks[] = {RANK_MEDIUM,   RANK_XMIT,  RANK_TIMER,
						RANK_MEDIUM,   RANK_TIMER, RANK_DELIVER,
						RANK_COMPLETE, RANK_TIMER};
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	for (int i = 0; i < TALKERS; i++)
		event_init(&talk.t[i].ev, i ? say : say_and_schedule, ranks[i]);
	event_schedule(sim, &talk.t[0].ev, 5);
	event_schedule(sim, &talk.t[TALKERS - 1].ev, 5);
	ck_assert_int_eq(sim_run(sim, 100), 0);
	ck_assert_str_eq(talk.said, "adghcbf");
	ck_assert_uint_eq(sim->n_events, 7);
	sim_free(sim);
}
END_TEST

static void stop(struct sim *sim, struct event *ev)
{
	say(sim, ev);
	sim_stop(sim);
}

START_TEST(stop_leaves_the_clock)
{
	struct sim *sim = sim_new(1);
	struct talk talk;

	talk_init(&talk);
	event_init(&talk.t[0].ev, stop, RANK_MEDIUM);
	event_schedule(sim, &talk.t[0].ev, 5);
	event_schedule(sim, &talk.t[1].ev, 5);
	ck_assert_int_eq(sim_run(sim, 10), 0);
	ck_assert_int_eq(sim->now, 5);
	ck_assert_str_eq(talk.said, "a");
	ck_assert_int_eq(sim_run(sim, 10), 0);
	ck_assert_int_eq(sim->now, 10);
	ck_assert_str_eq(talk.said, "ab");
	sim_free(sim);
}
END_TEST

static void break_it(struct sim *sim, struct event *ev)
{
	SIM_CHECK(sim, NULL, 1 + 1 == 2, "not told");
	sim_fail(sim, NULL, "broken: %d", 42);
}

static void past(struct sim *sim, struct event *ev)
{
	event_schedule(sim, ev, sim->now - 1);
}

static void nested(struct sim *sim, void *arg)
{
	ck_assert_int_eq(sim_run(sim, *(sim_time *)arg), -1);
	sim_fail(sim, NULL, "the outer one");
}

START_TEST(failure_ends_the_run)
{
	sim_time until = 2 * SIM_SEC;
	struct sim *sim = sim_new(1);
	struct event ev;

	event_init(&ev, break_it, RANK_TIMER);
	event_schedule(sim, &ev, 1500 * SIM_MS);
	ck_assert_int_eq(sim_run(sim, until), -1);
	ck_assert_str_eq(sim->error, "broken: 42 (at 1.500000000 s)");
	ck_assert_int_eq(sim_run(sim, until), -1);
	sim_free(sim);

	sim = sim_new(1);
	event_init(&ev, past, RANK_TIMER);
	event_schedule(sim, &ev, SIM_SEC);
	ck_assert_int_eq(sim_call(sim, nested, &until), -1);
	ck_assert_str_eq(sim->error, "the outer one (at 1.000000000 s)");
	ck_assert_ptr_null(sim->on_fail);
	sim_free(sim);
}
END_TEST

/* ---- random runs --------------------------------------------------------------------------- */

#define NODES 40

/* A net of events that schedule, re-arm and cancel one another by luck. */
struct net {
	struct event ev[NODES];
	struct event idle; /* does nothing */
	struct draw luck;
	XXH3_state_t *digest;
	void (*rearm)(struct sim *sim, struct event *ev, sim_time at);
	void (*follow)(struct sim *sim, struct event *ev); /* NULL: nothing follows */
	bool by_heap; /* nothing waits beside the heap */
};

static void note(struct net *net, struct sim *sim, int i)
{
	int64_t word[3] = {sim->now, net->ev[i].rank, i};

	XXH3_64bits_update(net->digest, word, sizeof(word));
}

static struct net *net_of(struct sim *sim)
{
	return sim->trace_arg;
}

static bool follow_one(struct sim *sim, struct net *net)
{
	struct event *other;

	if (!net->follow || draw_next_below(&net->luck, 2))
		return false;
	other = &net->ev[draw_next_below(&net->luck, NODES)];
	if (event_pending(other))
		return false;
	net->follow(sim, other);
	return true;
}

static void node(struct sim *sim, struct event *ev)
{
	struct net *net = net_of(sim);
	int me = (int)(ev - net->ev);

	note(net, sim, me);
	if (net->by_heap)
		sim->max_soon = 0;
	/* At times with nothing scheduled before. */
	if (follow_one(sim, net))
		return;
	for (uint32_t n = 1 + draw_next_below(&net->luck, 3); n > 0; n--) {
		struct event *other = &net->ev[draw_next_below(&net->luck, NODES)];
		sim_time at = sim->now + draw_next_below(&net->luck, 20);

		switch (draw_next_below(&net->luck, 8)) {
		case 0:
			event_cancel(sim, other);
			break;
		case 1:
			event_schedule(sim, other, at);
			break;
		default:
			net->rearm(sim, other, at);
		}
	}
	if (!event_pending(ev))
		net->rearm(sim, ev, sim->now + 1 + draw_next_below(&net->luck, 30));
	follow_one(sim, net);
}

static void idle(struct sim *sim, struct event *ev)
{
	event_schedule_in(sim, ev, 3);
}

static void net_start(struct sim *sim, struct net *net)
{
	sim->trace_arg = net;
	draw_init(&net->luck, sim->seed, "net", "luck");
	net->digest = XXH3_createState();
	XXH3_64bits_reset(net->digest);
	for (int i = 0; i < NODES; i++) {
		event_init(&net->ev[i], node, (enum event_rank)(i % RANK_COUNT));
		event_schedule(sim, &net->ev[i], i / 2);
	}
}

static uint64_t net_end(struct sim *sim, struct net *net)
{
	uint64_t digest = XXH3_64bits_digest(net->digest);

	XXH3_freeState(net->digest);
	free(net);
	sim_free(sim);
	return digest;
}

static uint64_t
random_run(uint64_t seed, void (*rearm)(struct sim *sim, struct event *ev, sim_time at), int n_idle)
{
	struct net *net = calloc(1, sizeof(*net));
	struct sim *sim = sim_new(seed);

	net->rearm = rearm;
	net_start(sim, net);
	event_init(&net->idle, idle, RANK_TIMER);
	if (n_idle)
		event_schedule(sim, &net->idle, 1);
	ck_assert_int_eq(sim_run(sim, 20000), 0);
	ck_assert_uint_gt(sim->n_events, 10000);
	return net_end(sim, net);
}

START_TEST(eager_and_lazy_timers_are_alike)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		ck_assert_uint_eq(random_run(seed, event_schedule, 0),
				  random_run(seed, event_postpone, 0));
	ck_assert_uint_ne(random_run(1, event_schedule, 0), random_run(2, event_schedule, 0));
}
END_TEST

static void follow_by_queue(struct sim *sim, struct event *ev)
{
	event_schedule(sim, ev, sim->now);
}

static void follow_past_queue(struct sim *sim, struct event *ev)
{
	event_follow(sim, ev);
}

static uint64_t following_run(uint64_t seed, void (*follow)(struct sim *sim, struct event *ev),
			      uint64_t *n_events, uint64_t *n_scheduled)
{
	struct net *net = calloc(1, sizeof(*net));
	struct sim *sim = sim_new(seed);

	net->rearm = event_postpone;
	net->follow = follow;
	net_start(sim, net);
	ck_assert_int_eq(sim_run(sim, 20000), 0);
	*n_events = sim->n_events;
	*n_scheduled = sim->seq;
	return net_end(sim, net);
}

/* What follows at once, past the queue where nothing else waits for the instant, is dispatched as if it had been in it. */
START_TEST(following_is_scheduling)
{
	uint64_t n[2], seq[2];

	for (uint64_t seed = 1; seed <= 10; seed++) {
		ck_assert_uint_eq(following_run(seed, follow_by_queue, &n[0], &seq[0]),
				  following_run(seed, follow_past_queue, &n[1], &seq[1]));
		ck_assert_uint_eq(n[0], n[1]);
		ck_assert_uint_eq(seq[0], seq[1]);
	}
}
END_TEST

static uint64_t soon_run(uint64_t seed, bool by_heap)
{
	struct net *net = calloc(1, sizeof(*net));
	struct sim *sim = sim_new(seed);

	net->rearm = event_postpone;
	net->follow = follow_past_queue;
	net->by_heap = by_heap;
	net_start(sim, net);
	for (sim_time t = 0; t <= 20000; t += 100)
		ck_assert_int_eq(sim_run(sim, t), 0);
	return net_end(sim, net);
}

/* What is due at once goes the same way whether it waits in the heap or beside it. */
START_TEST(beside_the_heap_is_in_the_heap)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		ck_assert_uint_eq(soon_run(seed, false), soon_run(seed, true));
}
END_TEST

START_TEST(an_event_that_does_nothing_changes_nothing)
{
	for (uint64_t seed = 1; seed <= 5; seed++)
		ck_assert_uint_eq(random_run(seed, event_postpone, 0),
				  random_run(seed, event_postpone, 1));
}
END_TEST

/* Two runs in turns of a few ns each are what they are alone: nothing but the clock is shared. */
START_TEST(two_runs_interleaved)
{
	struct sim *sim[2] = {sim_new(1), sim_new(2)};
	struct net *net[2];

	for (int i = 0; i < 2; i++) {
		net[i] = calloc(1, sizeof(*net[i]));
		net[i]->rearm = event_postpone;
		net_start(sim[i], net[i]);
	}
	for (sim_time t = 7; t < 20000; t += 7)
		for (int i = 0; i < 2; i++)
			ck_assert_int_eq(sim_run(sim[i], t + i), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(sim_run(sim[i], 20000), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(net_end(sim[i], net[i]),
				  random_run((uint64_t)i + 1, event_postpone, 0));
}
END_TEST

static void count_trace(struct sim *sim, const struct event *ev)
{
	ck_assert_int_eq(ev->due, sim->now);
	++*(uint64_t *)sim->trace_arg;
}

START_TEST(trace_sees_every_dispatch)
{
	struct sim *sim = sim_new(1);
	struct talk talk;
	uint64_t n = 0;

	talk_init(&talk);
	sim->trace = count_trace;
	sim->trace_arg = &n;
	for (int i = 0; i < TALKERS; i++) {
		event_schedule(sim, &talk.t[i].ev, i);
		event_postpone(sim, &talk.t[i].ev, 2 * i);
	}
	ck_assert_int_eq(sim_run(sim, 100), 0);
	ck_assert_uint_eq(n, TALKERS);
	sim_free(sim);
}
END_TEST

CHECK_MAIN("sim", equal_times_by_rank_then_order, until_is_included_and_the_clock_stands_there,
	   postponed_is_rescheduled, cancel_inside_a_callback, stop_leaves_the_clock,
	   failure_ends_the_run, eager_and_lazy_timers_are_alike, following_is_scheduling,
	   due_at_once, beside_the_heap_is_in_the_heap, an_event_that_does_nothing_changes_nothing,
	   two_runs_interleaved, trace_sees_every_dispatch)
