// SPDX-License-Identifier: GPL-3.0-or-later
#include "mac80211/reorder.h"

#include "mac80211/jiffies.h"

const char *const reorder_causes[] = {"old", "duplicate", "torn_down", NULL};

/* HT_RX_REORDER_BUF_TIMEOUT */
static int64_t timeout(const struct reorder *r)
{
	return r->hz / 10;
}

static bool more_follow(const struct packet *p)
{
	return p->mac.flags & RX_AMSDU_MORE;
}

/* The slot holds a whole MPDU: its last subframe is there. */
static bool complete(const struct reorder *r, u32 slot)
{
	return r->slots[slot].n && !more_follow(r->slots[slot].tail);
}

static void drop(struct reorder *r, struct packet *p, u32 cause)
{
	queue_stat_drop(&r->stat->queue, r->sim->now, p->skb.len, cause);
	packet_free(r->sim, p);
}

static void purge(struct reorder *r, u32 slot, u32 cause)
{
	struct packet *p;

	while ((p = packet_fifo_pop(&r->slots[slot])))
		drop(r, p, cause);
}

static void deliver_slot(struct reorder *r, u32 slot)
{
	sim_time now = r->sim->now;
	struct packet *p;

	while ((p = packet_fifo_pop(&r->slots[slot]))) {
		queue_stat_out(&r->stat->queue, now, p->skb.len, now - p->since);
		r->deliver(r->arg, p);
	}
}

/* The head moves on by one, with what its slot holds, if that is whole. */
static void release_slot(struct reorder *r, u32 slot)
{
	if (complete(r, slot)) {
		r->stored--;
		deliver_slot(r, slot);
	} else {
		purge(r, slot, REORDER_TORN_DOWN);
	}
	r->head = seq_add(r->head, 1);
}

/* The window moves to @head: what is missing before it is given up. Returns the holes. */
static u32 release_until(struct reorder *r, u16 head)
{
	u32 holes = 0;

	while (seq_less(r->head, head)) {
		u32 slot = r->head % r->size;

		holes += !complete(r, slot);
		release_slot(r, slot);
	}
	return holes;
}

static void arm(struct reorder *r, u32 slot)
{
	int64_t now = jiffies_at(r->hz, r->sim->now);
	int64_t expires = r->time[slot] + 1 + timeout(r);

	/* mod_timer() leaves a timer alone that is set for the same tick, with the rounding it got. */
	if (event_pending(&r->timer) && r->expires == expires)
		return;
	r->expires = expires;
	event_schedule(r->sim, &r->timer,
		       jiffies_time(r->hz, jiffies_timer(now, expires, r->old_wheel)));
}

/*
 * The head is missing and later frames are held: each that is old enough goes out, and takes the holes before it along;
 * those that follow it without a hole need not be old. True: a frame was met that is too young.
 */
static bool release_expired(struct reorder *r, u32 first)
{
	int64_t now = jiffies_at(r->hz, r->sim->now);
	u32 holes = 1;

	for (u32 j = (first + 1) % r->size; j != first; j = (j + 1) % r->size) {
		if (!complete(r, j)) {
			holes++;
			continue;
		}
		if (holes && now <= r->time[j] + timeout(r)) {
			arm(r, j);
			return true;
		}
		for (u32 i = (first + 1) % r->size; i != j; i = (i + 1) % r->size)
			purge(r, i, REORDER_TORN_DOWN);
		r->stat->timeouts += holes;
		release_slot(r, j);
		r->head = seq_add(r->head, holes);
		holes = 0;
	}
	return false;
}

static void release(struct reorder *r)
{
	u32 slot = r->head % r->size;

	if (!complete(r, slot) && r->stored) {
		if (release_expired(r, slot))
			return;
	} else {
		for (; complete(r, slot); slot = r->head % r->size)
			release_slot(r, slot);
	}
	if (!r->stored) {
		event_cancel(r->sim, &r->timer);
		return;
	}
	slot = r->head % r->size;
	while (!complete(r, slot))
		slot = (slot + 1) % r->size;
	arm(r, slot);
}

/* Told after each change of what is held. */
static void watch_stall(struct reorder *r)
{
	sim_time now = r->sim->now;

	if (r->stored && r->stalled < 0) {
		r->stalled = now;
	} else if (!r->stored && r->stalled >= 0) {
		histogram_add(&r->stat->stall, now - r->stalled, 1);
		r->stalled = -1;
	}
}

bool reorder_rx(struct reorder *r, struct packet *p)
{
	u16 seq = p->mac.seq;
	u32 slot;

	if (!r->started) {
		if (seq_less(seq, r->head))
			return false;
		r->started = true;
	}
	if (seq_less(seq, r->head)) {
		queue_stat_refuse(&r->stat->queue, REORDER_OLD);
		packet_free(r->sim, p);
		return true;
	}
	/* The difference is taken modulo 4096, the sum is not. */
	if (!seq_less(seq, (u32)r->head + r->size))
		r->stat->early += release_until(r, seq_add(seq_sub(seq, r->size), 1));

	slot = seq % r->size;
	if (complete(r, slot)) {
		queue_stat_refuse(&r->stat->queue, REORDER_DUPLICATE);
		packet_free(r->sim, p);
		watch_stall(r);
		return true;
	}
	if (seq == r->head && !r->stored) {
		if (!more_follow(p))
			r->head = seq_add(r->head, 1);
		watch_stall(r);
		return false;
	}
	packet_enter(p, LAYER_REORDER, r->sim->now);
	queue_stat_in(&r->stat->queue, r->sim->now, p->skb.len);
	packet_fifo_push(&r->slots[slot], p);
	if (!more_follow(p)) {
		r->time[slot] = jiffies_at(r->hz, r->sim->now);
		r->stored++;
		if (r->stalled < 0)
			r->stalled = r->sim->now;
		release(r);
	}
	watch_stall(r);
	return true;
}

void reorder_bar(struct reorder *r, u16 start)
{
	release_until(r, start);
	watch_stall(r);
}

static void reorder_timer(struct sim *sim, struct event *ev)
{
	struct reorder *r = container_of(ev, struct reorder, timer);

	release(r);
	watch_stall(r);
}

void reorder_init(struct reorder *r, struct sim *sim, u16 start, u16 size)
{
	r->sim = sim;
	r->head = start;
	r->size = size;
	r->stalled = -1;
	event_init(&r->timer, reorder_timer, RANK_TIMER);
}

void reorder_clear(struct reorder *r)
{
	event_cancel(r->sim, &r->timer);
	for (u32 i = 0; i < r->size; i++)
		purge(r, i, REORDER_TORN_DOWN);
	r->stored = 0;
	watch_stall(r);
}
