// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the heap gives entries back by (time, order), whatever mix of pushes, takes, moves and
 * removals went before, and every event knows its slot.
 *
 * Set-up: 300,000 random operations on up to 3000 entries (the heap grows on the way), beside a
 * reference that searches an unsorted array. Few distinct times, so that the order decides often.
 *
 * Expected: the same entry from both each time; no tolerance.
 */
#include "check-main.h"
#include "engine/draw.h"
#include "engine/heap.h"
#include "engine/sim.h"

#define EVENTS 3000
#define STEPS  300000

struct reference {
	struct event ev[EVENTS];
	struct heap_entry entry[EVENTS];
	bool in[EVENTS];
	uint32_t n;
};

static bool earlier(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->ev->order < b->ev->order;
}

static int least(const struct reference *r)
{
	int best = -1;

	for (int i = 0; i < EVENTS; i++)
		if (r->in[i] && (best < 0 || earlier(&r->entry[i], &r->entry[best])))
			best = i;
	return best;
}

static void check_slots(const struct heap *h)
{
	for (uint32_t i = h->hole; i < h->n; i++) {
		ck_assert_uint_eq(h->entries[i].ev->slot, i);
		if (i && !(h->hole && i <= 4))
			ck_assert(!earlier(&h->entries[i], &h->entries[(i - 1) / 4]));
	}
}

static struct heap_entry some_entry(struct event *ev, uint64_t step, sim_time now)
{
	ev->order = (uint64_t)draw_below(2, step, RANK_COUNT) << 56 | step;
	return (struct heap_entry){.time = now + draw_below(1, step, 50), .ev = ev};
}

static void take(struct heap *h, struct reference *r, sim_time *now)
{
	int best = least(r);
	struct heap_entry *top = heap_top(h);

	if (best < 0) {
		ck_assert_ptr_null(top);
		return;
	}
	ck_assert_ptr_eq(top->ev, &r->ev[best]);
	ck_assert_int_eq(top->time, r->entry[best].time);
	*now = top->time;
	heap_take(h);
	r->ev[best].slot = EVENT_IDLE;
	r->in[best] = false;
	r->n--;
}

START_TEST(heap_is_the_reference)
{
	struct reference *r = calloc(1, sizeof(*r));
	sim_time now = 0;
	struct heap h;

	heap_init(&h, 16);
	for (uint64_t step = 0; step < STEPS; step++) {
		uint32_t i = draw_below(3, step, EVENTS);
		/* A third of the time it grows, a third it shrinks, a third it stays. */
		uint32_t dice = draw_below(4, step, 10) + step / (STEPS / 3);

		if (dice >= 7) {
			/* Looking for the least is the slow part of the reference. */
			if (step % 8 == 0 || r->n < 32)
				take(&h, r, &now);
		} else if (!r->in[i]) {
			r->entry[i] = some_entry(&r->ev[i], step, now);
			heap_push(&h, r->entry[i]);
			r->in[i] = true;
			r->n++;
		} else if (dice < 4) {
			r->entry[i] = some_entry(&r->ev[i], step, now);
			heap_replace(&h, r->ev[i].slot, r->entry[i]);
		} else {
			heap_remove(&h, r->ev[i].slot);
			r->in[i] = false;
			r->n--;
		}
		ck_assert_uint_eq(heap_count(&h), r->n);
		if (step % 1000 == 0)
			check_slots(&h);
	}
	while (r->n)
		take(&h, r, &now);
	ck_assert_ptr_null(heap_top(&h));
	heap_clear(&h);
	free(r);
}
END_TEST

/* While the root is a hole, entries of the present instant may be moved and removed below it. */
START_TEST(hole_stays_at_the_root)
{
	struct event ev[6] = {0};
	struct heap h;

	heap_init(&h, 16);
	for (uint64_t i = 0; i < 6; i++)
		heap_push(&h, (struct heap_entry){.time = 10 + (int64_t)i, .ev = &ev[i]});
	ck_assert_ptr_eq(heap_top(&h)->ev, &ev[0]);
	heap_take(&h);
	heap_replace(&h, ev[5].slot, (struct heap_entry){.time = 1, .ev = &ev[5]});
	heap_remove(&h, ev[1].slot);
	ck_assert_uint_eq(heap_count(&h), 4);
	heap_push(&h, (struct heap_entry){.time = 2, .ev = &ev[1]});
	ck_assert_ptr_eq(heap_top(&h)->ev, &ev[5]);
	heap_take(&h);
	ck_assert_ptr_eq(heap_top(&h)->ev, &ev[1]);
	heap_clear(&h);
}
END_TEST

CHECK_MAIN("heap", heap_is_the_reference, hole_stays_at_the_root)
