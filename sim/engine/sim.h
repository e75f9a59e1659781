/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine: one run's clock, its event queue, and how a run ends.
 *
 * Everything of one run hangs off one struct sim; there are no globals, so two runs may be
 * interleaved in a process. The engine knows no network.
 */
#ifndef WLANQ_ENGINE_SIM_H
#define WLANQ_ENGINE_SIM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/heap.h"

#ifndef container_of
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#endif

/* Simulated time: signed nanoseconds since the start of the run. Never a double. */
typedef int64_t sim_time;

#define SIM_NS	     ((sim_time)1)
#define SIM_US	     ((sim_time)1000)
#define SIM_MS	     ((sim_time)1000000)
#define SIM_SEC	     ((sim_time)1000000000)
#define SIM_TIME_MAX INT64_MAX

/*
 * Order among events of one instant. What a source sends at its own time comes first, by the order in which sources were
 * made. A medium that ends frees resources before anything is delivered; deliveries come before completions (interrupts), those before timers, and new
 * transmissions start last, when every contender of the instant is known.
 */
enum event_rank {
	RANK_ARRIVE,
	RANK_MEDIUM,
	RANK_DELIVER,
	RANK_COMPLETE,
	RANK_TIMER,
	RANK_XMIT,
	RANK_COUNT
};

struct sim;
struct event;
struct object;
struct pool;
struct linux_machine;
struct profile;
struct lazy;

/* A callback gets the event; the owner is found with container_of(). */
typedef void (*event_fn)(struct sim *sim, struct event *ev);

#define EVENT_IDLE UINT32_MAX
#define EVENT_SOON (UINT32_MAX - 1)

/*
 * An intrusive event. The owner embeds it, calls event_init() once and owns its memory; it must be
 * cancelled before that memory goes. Fields are the engine's.
 */
struct event {
	event_fn fn;
	const char *where; /* "file:callback", constant: its kind, to people */
	uint32_t slot; /* place in the heap; EVENT_SOON: in sim.soon; EVENT_IDLE: not pending */
	uint8_t rank; /* enum event_rank */
	uint64_t seq; /* order of scheduling, or of the last postponement */
	uint64_t order; /* in the heap, behind the time: rank << 56 | seq, as it was put there */
	sim_time due; /* when it is to fire; may be later than its key in the heap */
};

/* Events of the present instant that wait outside the heap. */
#define SOON_MAX 4u

struct sim {
	sim_time now;
	struct heap heap;
	struct event *soon[SOON_MAX]; /* in order */
	uint32_t n_soon, max_soon; /* the most is 0 while the run stands */
	uint64_t seq; /* next order number */
	uint64_t order; /* of the present event */
	uint64_t n_sources; /* that events of RANK_ARRIVE were made for */
	uint64_t n_events; /* dispatched so far: run.events */
	uint64_t n_late; /* of them, put off until they were asked for */
	uint64_t n_packets; /* handed up by MACs so far, counted by them: run.packets */
	uint64_t seed;
	bool stopping; /* sim_stop() was called */
	bool eager; /* nothing is put off, see engine/lazy.h */
	struct lazy *lazies; /* all that something was put off in */

	struct object **objects; /* every model instance, in order of creation */
	uint32_t n_objects, max_objects;
	struct pool *packets; /* the one packet pool, made by the packet layer */
	struct linux_machine
		*machines; /* files of Linux trees that run, see kernel/shim/loader.h */

	void (*trace)(struct sim *sim, const struct event *ev); /* before each dispatch, or NULL */
	void *trace_arg;
	struct profile
		*profile; /* what the run's time is spent on is measured; freed by the owner */

	jmp_buf *on_fail; /* where sim_fail() goes, set by sim_run() and sim_call() */
	char error[512]; /* "object: message (at 1.000000000 s)", empty while all is well */
};

/* A new run at time 0. @seed feeds every draw of the run. Never returns NULL. */
struct sim *sim_new(uint64_t seed);

/* Frees the run: its objects (objects_free()), the event queue and the packet pool. */
void sim_free(struct sim *sim);

/*
 * Runs every event up to and including @until, then sets the clock to @until. Returns 0, or -1 when
 * sim_fail() was called; the message is then in sim->error and the run cannot go on.
 */
int sim_run(struct sim *sim, sim_time until);

/*
 * Calls @fn with @arg so that a sim_fail() inside it ends it as it ends sim_run(): for set-up, audit
 * and end of a run. Returns 0, or -1 with the message in sim->error. May be nested.
 */
int sim_call(struct sim *sim, void (*fn)(struct sim *sim, void *arg), void *arg);

/* Makes sim_run() return after the present event; the clock stays there. */
void sim_stop(struct sim *sim);

/*
 * Ends the run: an invariant is broken. @obj may be NULL. Outside of sim_run() and sim_call()
 * the process aborts with the message on stderr.
 */
void sim_fail(struct sim *sim, const struct object *obj, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn, cold));

/* An invariant that stays in release builds. */
#define SIM_CHECK(sim, obj, cond, ...)                   \
	do {                                             \
		if (__builtin_expect(!(cond), 0))        \
			sim_fail(sim, obj, __VA_ARGS__); \
	} while (0)

/* Makes an event that is not pending. */
#define event_init(ev, fn, rank) event_setup(ev, fn, rank, __FILE__ ":" #fn)

/* The same with a name of its own, of the form "folder/file.c:name". @where: kept. */
void event_setup(struct event *ev, event_fn fn, enum event_rank rank, const char *where);

static inline bool event_pending(const struct event *ev)
{
	return ev->slot != EVENT_IDLE;
}

/* When a pending event will fire. */
static inline sim_time event_due(const struct event *ev)
{
	return ev->due;
}

/*
 * Schedules @ev at @at (not before now), behind every event scheduled earlier for the same time and
 * rank. A pending event is moved, and counts as scheduled now.
 */
void event_schedule(struct sim *sim, struct event *ev, sim_time at);

static inline void event_schedule_in(struct sim *sim, struct event *ev, sim_time delay)
{
	event_schedule(sim, ev, sim->now + delay);
}

/* An event of RANK_ARRIVE, which is scheduled by event_arrive() and no other. */
#define event_init_source(sim, ev, fn) event_setup_source(sim, ev, fn, __FILE__ ":" #fn)

void event_setup_source(struct sim *sim, struct event *ev, event_fn fn, const char *where);

/* Schedules @ev at @at (not before now): its place among those of the same time is its source's. */
void event_arrive(struct sim *sim, struct event *ev, sim_time at);

/*
 * The same as event_schedule(), cheap when @ev is pending and @at is not earlier than its present
 * time: the heap is left alone until the old time comes round. Results are identical.
 */
void event_postpone(struct sim *sim, struct event *ev, sim_time at);

/* Takes @ev out if it is pending; safe inside any callback, its own included. */
void event_cancel(struct sim *sim, struct event *ev);

/* Takes out all events that are pending: what they lie in is about to be freed. */
void events_forget(struct sim *sim);

#endif
