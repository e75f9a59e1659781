// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/queue-stat.h"

#include <stdlib.h>
#include <string.h>

void queue_stat_init(struct queue_stat *q, const char *const *causes)
{
	size_t n = 0;

	while (causes && causes[n])
		n++;
	if (n > QUEUE_CAUSES)
		abort();
	q->causes = causes;
}

void queue_stat_clear(struct queue_stat *q)
{
	gauge_clear(&q->packets);
	histogram_clear(&q->sojourn);
	if (q->bytes) {
		gauge_clear(q->bytes);
		free(q->bytes);
		q->bytes = NULL;
	}
}

void queue_stat_want_bytes(struct queue_stat *q, sim_time now)
{
	if (q->bytes)
		return;
	q->bytes = calloc(1, sizeof(*q->bytes));
	if (!q->bytes)
		abort();
	q->bytes->value = queue_stat_bytes(q);
	q->bytes->since = now;
}

__attribute__((cold)) void queue_stat_follow_bytes(struct queue_stat *q, sim_time now)
{
	gauge_set(q->bytes, now, q->held_bytes);
}

void queue_stat_window_open(struct queue_stat *q, sim_time now)
{
	gauge_window_open(&q->packets, now);
	if (q->bytes)
		gauge_window_open(q->bytes, now);
	histogram_reset(&q->sojourn);
	memcpy(q->drops_before, q->drops, sizeof(q->drops));
}

void queue_stat_window_close(struct queue_stat *q, sim_time now)
{
	gauge_window_close(&q->packets, now);
	if (q->bytes)
		gauge_window_close(q->bytes, now);
}
