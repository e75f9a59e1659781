// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Dynamic queue limits; see include/linux/dynamic_queue_limits.h for the idea.
 *
 * An interval is the time from one completion call to the next. Three kinds matter:
 *
 *  - starved: the queue ran empty although objects had been held back. The limit was too low; it is
 *    raised by what this interval completed beyond the objects that it started with, and by the
 *    excess that the last completion saw.
 *  - busy: objects were in flight from its start to its end. What of the limit was not used is
 *    slack; the least slack over a window of slack_hold_time can be given back.
 *  - anything else: the user had nothing to send. It says nothing about the limit.
 */
#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/jiffies.h>
#include <linux/dynamic_queue_limits.h>
#include <linux/compiler.h>
#include <linux/export.h>

/* The part of @a that lies beyond @b, for counters that wrap. */
static inline unsigned int dql_beyond(unsigned int a, unsigned int b)
{
	unsigned int diff = a - b;

	return (int)diff > 0 ? diff : 0;
}

/* Opens a new window for the search of the least slack. */
static inline void dql_slack_restart(struct dql *dql)
{
	dql->slack_start_time = jiffies;
	dql->lowest_slack = UINT_MAX;
}

/*
 * Slack of a busy interval in which @count was completed. Two views of it, the larger holds:
 * an interval's worth in flight and another one being queued would have been enough; and when the
 * last object crossed the limit, only a part of it was needed to fill it.
 */
static inline unsigned int dql_slack(const struct dql *dql, unsigned int limit, unsigned int count)
{
	unsigned int unused = dql_beyond(limit + dql->prev_ovlimit, 2 * count);
	unsigned int uncrossed = 0;

	if (dql->prev_ovlimit)
		uncrossed = dql_beyond(dql->prev_last_obj_cnt, dql->prev_ovlimit);

	return max(unused, uncrossed);
}

/**
 * dql_completed - account for completed objects and adapt the limit
 * @dql: the queue's limits
 * @count: cost of the objects completed since the last call, at most what is in flight
 *
 * To be called once for a batch of completions: the calls are the clock that the limit is
 * measured with.
 */
void dql_completed(struct dql *dql, unsigned int count)
{
	/* The queuer may go on meanwhile: one look at its sum, used throughout. */
	unsigned int queued = READ_ONCE(dql->num_queued);
	unsigned int in_flight = queued - dql->num_completed;
	unsigned int completed = dql->num_completed + count;
	unsigned int left = queued - completed;
	unsigned int limit = dql->limit;
	unsigned int over = dql_beyond(in_flight, limit);
	bool busy_at_start = dql->prev_num_queued != dql->num_completed;
	bool old_ones_done = (int)(completed - dql->prev_num_queued) >= 0;

	BUG_ON(count > in_flight);

	if ((over && !left) || (dql->prev_ovlimit && old_ones_done)) {
		limit += dql_beyond(completed, dql->prev_num_queued) + dql->prev_ovlimit;
		dql_slack_restart(dql);
	} else if (left && busy_at_start && !old_ones_done) {
		unsigned int slack = dql_slack(dql, limit, count);

		if (slack < dql->lowest_slack)
			dql->lowest_slack = slack;

		if (time_after(jiffies, dql->slack_start_time + dql->slack_hold_time)) {
			limit = dql_beyond(limit, dql->lowest_slack);
			dql_slack_restart(dql);
		}
	}

	limit = clamp(limit, dql->min_limit, dql->max_limit);
	if (limit != dql->limit) {
		dql->limit = limit;
		/* The excess was over the old limit and means nothing against the new one. */
		over = 0;
	}

	dql->adj_limit = limit + completed;
	dql->num_completed = completed;
	dql->prev_ovlimit = over;
	dql->prev_num_queued = queued;
	dql->prev_last_obj_cnt = dql->last_obj_cnt;
}
EXPORT_SYMBOL(dql_completed);

/**
 * dql_reset - forget everything but the configuration
 * @dql: the queue's limits; nothing may be in flight
 *
 * adj_limit is left as it is: it is stale until the next completion.
 */
void dql_reset(struct dql *dql)
{
	dql->num_queued = 0;
	dql->last_obj_cnt = 0;
	dql->num_completed = 0;
	dql->prev_num_queued = 0;
	dql->prev_last_obj_cnt = 0;
	dql->prev_ovlimit = 0;
	dql->limit = dql->min_limit;
	dql_slack_restart(dql);
}
EXPORT_SYMBOL(dql_reset);

/**
 * dql_init - set up a queue's limits
 * @dql: zeroed memory
 * @hold_time: jiffies for which slack must be seen before the limit is cut
 *
 * The limit starts at 0 and min_limit, when it is set later, takes effect at the next completion.
 */
void dql_init(struct dql *dql, unsigned int hold_time)
{
	dql->min_limit = 0;
	dql->max_limit = DQL_MAX_LIMIT;
	dql->slack_hold_time = hold_time;
	dql_reset(dql);
}
EXPORT_SYMBOL(dql_init);
