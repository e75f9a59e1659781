/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every queue counts, in one struct that the queue embeds: packets out, dropped by cause and held,
 * the occupancy over time, and how long packets stay.
 *
 * The counts run from 0 and serve the audit: what came in less what is out and dropped is held, and the
 * owner must find as many. Occupancy, sojourn and the drops that metrics tell are those of the measuring
 * window (measure/metrics.h).
 */
#ifndef WLANQ_MEASURE_QUEUE_STAT_H
#define WLANQ_MEASURE_QUEUE_STAT_H

#include "engine/model.h"
#include "measure/gauge.h"
#include "measure/histogram.h"

#define QUEUE_CAUSES 8

struct queue_stat {
	uint64_t out, dropped; /* packets */
	int64_t held_bytes;
	struct gauge *bytes; /* the same over time; NULL unless somebody asked for it */
	struct gauge packets; /* held */
	struct histogram sojourn; /* ns, of packets that went out */
	const char *const *causes; /* names, ends with NULL; NULL when the queue drops nothing */
	uint64_t drops[QUEUE_CAUSES]; /* packets by cause */
	uint64_t drops_before[QUEUE_CAUSES]; /* of them before the window */
};

/* @q is zeroed. @causes: a constant table of at most QUEUE_CAUSES names and NULL; may be NULL. */
void queue_stat_init(struct queue_stat *q, const char *const *causes);
void queue_stat_clear(struct queue_stat *q);

/* From now on the bytes held are followed too. */
void queue_stat_want_bytes(struct queue_stat *q, sim_time now);

void queue_stat_window_open(struct queue_stat *q, sim_time now);
void queue_stat_window_close(struct queue_stat *q, sim_time now);

static inline int64_t queue_stat_packets(const struct queue_stat *q)
{
	return q->packets.value;
}

static inline int64_t queue_stat_bytes(const struct queue_stat *q)
{
	return q->held_bytes;
}

/* Packets that ever came in: none is counted then, as each is counted where it is now. */
static inline uint64_t queue_stat_taken(const struct queue_stat *q)
{
	return q->out + q->dropped + (uint64_t)q->packets.value;
}

/* Tells @a of the queue; @held is what the owner finds when it counts its packets. */
static inline void queue_stat_audit(const struct queue_stat *q, struct model_audit *a,
				    const char *name, uint64_t held)
{
	a->queue(a->arg, name, queue_stat_taken(q), q->out, q->dropped, held);
}

/* Of queue_stat_held(): the bytes that are followed. */
void queue_stat_follow_bytes(struct queue_stat *q, sim_time now);

/* From now on so many packets and bytes more are held. */
static inline __attribute__((always_inline)) void
queue_stat_held(struct queue_stat *q, sim_time now, int64_t packets, int64_t bytes)
{
	q->held_bytes += bytes;
	if (__builtin_expect(q->bytes != NULL, 0))
		queue_stat_follow_bytes(q, now);
	gauge_change(&q->packets, now, q->packets.value + packets);
}

/* A packet is taken in. */
static inline void queue_stat_in(struct queue_stat *q, sim_time now, uint32_t bytes)
{
	queue_stat_held(q, now, 1, bytes);
}

/* A packet goes out to the next layer after @sojourn ns. */
static inline void queue_stat_out(struct queue_stat *q, sim_time now, uint32_t bytes,
				  sim_time sojourn)
{
	q->out++;
	histogram_add(&q->sojourn, sojourn, 1);
	queue_stat_held(q, now, -1, -(int64_t)bytes);
}

/* @n packets of @bytes together go out at one instant; each one's sojourn is added to .sojourn beside this. */
static inline void queue_stat_out_many(struct queue_stat *q, sim_time now, uint32_t n,
				       uint64_t bytes)
{
	q->out += n;
	queue_stat_held(q, now, -(int64_t)n, -(int64_t)bytes);
}

/* A packet comes and goes on at once: it is held for no time, which is what the occupancy is weighed with. */
static inline void queue_stat_pass(struct queue_stat *q)
{
	q->out++;
	histogram_add(&q->sojourn, 0, 1);
}

/* A packet that was taken in is dropped; @cause is an index of the table of causes. */
static inline void queue_stat_drop(struct queue_stat *q, sim_time now, uint32_t bytes,
				   unsigned int cause)
{
	q->dropped++;
	q->drops[cause]++;
	queue_stat_held(q, now, -1, -(int64_t)bytes);
}

/* @n packets are dropped at the door: they count as in and as dropped, and are never held. */
static inline void queue_stat_refuse_many(struct queue_stat *q, uint32_t n, unsigned int cause)
{
	q->dropped += n;
	q->drops[cause] += n;
}

static inline void queue_stat_refuse(struct queue_stat *q, unsigned int cause)
{
	queue_stat_refuse_many(q, 1, cause);
}

#endif
