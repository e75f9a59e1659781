// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/profile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/model.h"
#include "engine/sim.h"

#define PARTS_MAX  256u
#define EVENTS_MAX 256u /* kinds; the sources have some 60 */
#define GAP_NS	   1000000u /* no part of an event takes so long: another process had the processor */

struct block {
	struct block *next;
	max_align_t data[];
};

struct profile {
	struct profile_part *now;
	uint64_t last; /* ticks at the last change of part */
	uint64_t gap; /* ticks; a longer stretch is left out */
	uint64_t gaps; /* ticks that were left out */
	uint64_t started, ended; /* ticks */
	uint64_t started_ns, ended_ns;
	uint64_t cpu_ns; /* at the start, then between start and end */

	struct profile_part parts[PARTS_MAX];
	struct profile_event events[EVENTS_MAX];
	struct {
		const char *where; /* one literal, or several that are equal */
		uint32_t event;
	} places[2 * EVENTS_MAX]; /* a hash table by address */
	uint32_t n_places;
	const struct profile_part *sorted_parts[PARTS_MAX];
	const struct profile_event *sorted_events[EVENTS_MAX];
	uint32_t n_parts, n_sorted, n_events;
	struct block *blocks;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* The processor's own counter where there is one: reading it must not cost more than what it measures. */
static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	return clock_ns(CLOCK_MONOTONIC);
#endif
}

/* Ticks in GAP_NS, from a wait of a fifth of it. */
static uint64_t gap_ticks(void)
{
	uint64_t from = clock_ns(CLOCK_MONOTONIC), t = ticks(), ns;

	do
		ns = clock_ns(CLOCK_MONOTONIC) - from;
	while (ns < GAP_NS / 5);
	return (ticks() - t) * GAP_NS / ns;
}

struct profile *profile_new(void)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		abort();
	p->gap = gap_ticks();
	p->now = profile_part(p, "run", "set-up and results");
	p->now->calls = 1;
	p->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	p->started_ns = clock_ns(CLOCK_MONOTONIC);
	p->started = ticks();
	p->last = p->started;
	return p;
}

void profile_free(struct profile *p)
{
	while (p && p->blocks) {
		struct block *b = p->blocks;

		p->blocks = b->next;
		free(b);
	}
	free(p);
}

void *profile_alloc(struct profile *p, size_t size)
{
	struct block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		abort();
	b->next = p->blocks;
	p->blocks = b;
	return b->data;
}

/* At most PROFILE_NAME - 1 bytes of the first @len of @from. */
static void copy_name(char *to, const char *from, size_t len)
{
	if (len > PROFILE_NAME - 1)
		len = PROFILE_NAME - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

struct profile_part *profile_part(struct profile *p, const char *layer, const char *model)
{
	struct profile_part *part;

	for (uint32_t i = 0; i < p->n_parts; i++)
		if (!strncmp(p->parts[i].layer, layer, PROFILE_NAME - 1) &&
		    !strncmp(p->parts[i].model, model, PROFILE_NAME - 1))
			return &p->parts[i];
	if (p->n_parts == PARTS_MAX)
		return &p->parts[PARTS_MAX - 1];
	part = &p->parts[p->n_parts++];
	copy_name(part->layer, layer, strlen(layer));
	copy_name(part->model, model, strlen(model));
	return part;
}

/* The stretch since the last change of part goes to the present one. Returns the time now. */
static uint64_t settle(struct profile *p)
{
	uint64_t t = ticks(), d = t - p->last;

	if (d > p->gap && p->now != &p->parts[0]) /* set-up takes as long as it takes */
		p->gaps += d;
	else
		p->now->ticks += d;
	p->last = t;
	return t;
}

struct profile_part *profile_enter(struct profile *p, struct profile_part *part)
{
	struct profile_part *before = p->now;

	settle(p);
	part->calls++;
	p->now = part;
	return before;
}

void profile_leave(struct profile *p, struct profile_part *before)
{
	settle(p);
	p->now = before;
}

void profile_object(struct object *obj, const char *layer)
{
	struct profile *p = obj->sim->profile;

	if (p)
		obj->part = profile_part(p, layer, obj->cls->name);
}

/* "../models/wifi/air.c:air_contend" is event air_contend of part wifi, air. */
static void name_event(struct profile *p, struct profile_event *e, const char *where)
{
	const char *colon = strrchr(where, ':'), *file, *folder;
	char layer[PROFILE_NAME], model[PROFILE_NAME];

	for (file = colon; file > where && file[-1] != '/'; file--)
		;
	for (folder = file > where ? file - 1 : where; folder > where && folder[-1] != '/';
	     folder--)
		;
	copy_name(layer, folder, file > folder ? (size_t)(file - 1 - folder) : 0);
	copy_name(model, file, strcspn(file, "."));
	for (char *c = model; *c; c++)
		if (*c == '-') /* as models are spelled */
			*c = '_';
	copy_name(e->name, colon + 1, strlen(colon + 1));
	e->where = where;
	e->part = profile_part(p, layer, model);
}

static uint32_t find_event(struct profile *p, const char *where)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (!strcmp(p->events[i].where, where))
			return i;
	if (p->n_events == EVENTS_MAX)
		abort();
	name_event(p, &p->events[p->n_events], where);
	return p->n_events++;
}

static struct profile_event *event_of(struct profile *p, const char *where)
{
	uint32_t i = (uint32_t)((uintptr_t)where * 0x9e3779b1u >> 8) % (2 * EVENTS_MAX);

	while (p->places[i].where && p->places[i].where != where)
		i = (i + 1) % (2 * EVENTS_MAX);
	if (!p->places[i].where) {
		if (++p->n_places == 2 * EVENTS_MAX)
			abort();
		p->places[i].where = where;
		p->places[i].event = find_event(p, where);
	}
	return &p->events[p->places[i].event];
}

void profile_dispatch(struct sim *sim, struct event *ev)
{
	struct profile *p = sim->profile;
	struct profile_event *e = event_of(p, ev->where);
	struct profile_part *before = p->now;
	uint64_t gaps, from;

	from = settle(p);
	gaps = p->gaps;
	e->count++;
	e->part->calls++;
	p->now = e->part;
	ev->fn(sim, ev);
	e->ticks += settle(p) - from - (p->gaps - gaps);
	p->now = before;
}

static int by_part(const void *a, const void *b)
{
	const struct profile_part *x = *(const struct profile_part *const *)a;
	const struct profile_part *y = *(const struct profile_part *const *)b;

	return x->ticks != y->ticks ? (x->ticks < y->ticks) - (x->ticks > y->ticks)
				    : (x > y) - (x < y);
}

static int by_event(const void *a, const void *b)
{
	const struct profile_event *x = *(const struct profile_event *const *)a;
	const struct profile_event *y = *(const struct profile_event *const *)b;

	return x->ticks != y->ticks ? (x->ticks < y->ticks) - (x->ticks > y->ticks)
				    : (x > y) - (x < y);
}

void profile_finish(struct profile *p)
{
	p->ended = settle(p);
	p->ended_ns = clock_ns(CLOCK_MONOTONIC);
	p->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - p->cpu_ns;
	for (uint32_t i = 0; i < p->n_parts; i++)
		if (p->parts[i].calls)
			p->sorted_parts[p->n_sorted++] = &p->parts[i];
	for (uint32_t i = 0; i < p->n_events; i++)
		p->sorted_events[i] = &p->events[i];
	qsort(p->sorted_parts, p->n_sorted, sizeof(*p->sorted_parts), by_part);
	qsort(p->sorted_events, p->n_events, sizeof(*p->sorted_events), by_event);
}

uint32_t profile_parts(const struct profile *p, const struct profile_part *const **parts)
{
	*parts = p->sorted_parts;
	return p->n_sorted;
}

uint32_t profile_events(const struct profile *p, const struct profile_event *const **events)
{
	*events = p->sorted_events;
	return p->n_events;
}

uint64_t profile_ns(const struct profile *p, uint64_t t)
{
	uint64_t span = p->ended - p->started;

	return span ? (uint64_t)((unsigned __int128)t * (p->ended_ns - p->started_ns) / span) : 0;
}

uint64_t profile_total(const struct profile *p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->n_parts; i++)
		sum += p->parts[i].ticks;
	return sum;
}

uint64_t profile_gaps(const struct profile *p)
{
	return p->gaps;
}

uint64_t profile_cpu_ns(const struct profile *p)
{
	return p->cpu_ns;
}
