/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Dynamic queue limits: how much may be queued to a device so that it never runs dry, and no more.
 *
 * The user queues objects of some cost (for byte queue limits: bytes) and, now and then, tells how
 * much of it has been completed. From those two streams alone the limit is found: it grows when the
 * device ran empty while more could have been queued, and shrinks by what was left over all the time
 * of a busy interval.
 *
 * All counts are free-running 32-bit numbers; whatever is compared is a signed difference, so they
 * may wrap. One queuer and one completer may run at the same time on different CPUs: the first three
 * fields are the queuer's, the others the completer's, and each reads one field of the other's.
 */
#ifndef _LINUX_DQL_H
#define _LINUX_DQL_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/bug.h>

/**
 * struct dql - limit of one queue and what it was derived from
 * @num_queued: cost of all objects ever queued
 * @adj_limit: @limit + @num_completed; what @num_queued may reach
 * @last_obj_cnt: cost of the object queued last
 * @limit: what may be in flight
 * @num_completed: cost of all objects ever completed
 * @prev_ovlimit: by how much the limit was exceeded at the last completion
 * @prev_num_queued: @num_queued as the last completion saw it
 * @prev_last_obj_cnt: @last_obj_cnt as the last completion saw it
 * @lowest_slack: least slack since @slack_start_time, UINT_MAX before the first
 * @slack_start_time: jiffies at which the present slack window was opened
 * @max_limit: the limit never exceeds this
 * @min_limit: the limit never falls below this
 * @slack_hold_time: jiffies for which slack must have been there before the limit is cut
 */
struct dql {
	/* written by the queuer; adj_limit is the completer's and is read here */
	unsigned int num_queued;
	unsigned int adj_limit;
	unsigned int last_obj_cnt;

	/* written by the completer */
	unsigned int limit ____cacheline_aligned_in_smp;
	unsigned int num_completed;
	unsigned int prev_ovlimit;
	unsigned int prev_num_queued;
	unsigned int prev_last_obj_cnt;
	unsigned int lowest_slack;
	unsigned long slack_start_time;

	/* configuration */
	unsigned int max_limit;
	unsigned int min_limit;
	unsigned int slack_hold_time;
};

/* One object may cost a sixteenth of the number space; a limit plus an object stays below half. */
#define DQL_MAX_OBJECT (UINT_MAX / 16)
#define DQL_MAX_LIMIT  (UINT_MAX / 2 - DQL_MAX_OBJECT)

/**
 * dql_queued - count an object that has been queued
 * @dql: the queue's limits
 * @count: its cost, at most DQL_MAX_OBJECT
 */
static inline void dql_queued(struct dql *dql, unsigned int count)
{
	BUG_ON(count > DQL_MAX_OBJECT);

	dql->last_obj_cnt = count;
	/* A completer that sees the new sum must not see an older object's cost. */
	barrier();
	dql->num_queued += count;
}

/**
 * dql_avail - room that is left
 * @dql: the queue's limits
 *
 * Return: cost that may still be queued; negative when the limit is exceeded.
 */
static inline int dql_avail(const struct dql *dql)
{
	return (int)(READ_ONCE(dql->adj_limit) - READ_ONCE(dql->num_queued));
}

void dql_completed(struct dql *dql, unsigned int count);
void dql_reset(struct dql *dql);
void dql_init(struct dql *dql, unsigned int hold_time);

#endif /* _LINUX_DQL_H */
