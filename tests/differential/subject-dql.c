// SPDX-License-Identifier: GPL-3.0-or-later
/* DQL: queue, complete, reset, configure, and counters set to anything. */
#include <stdio.h>

#include <linux/kernel.h>
#include <linux/dynamic_queue_limits.h>

#include "diff.h"

enum { INIT, QUEUED, COMPLETED, COMPLETED_ALL, RESET, CONFIG, POKE, WRONG, OPS };

static const char *const op_names[OPS] = {"init",  "queued", "completed", "completed all",
					  "reset", "config", "poke",	  "wrong count"};

static const char *const field_names[] = {
	"num_queued",	"adj_limit",	   "last_obj_cnt",	"limit",	"num_completed",
	"prev_ovlimit", "prev_num_queued", "prev_last_obj_cnt", "lowest_slack", "slack_start_time",
	"max_limit",	"min_limit",	   "slack_hold_time",	"avail",
};

static void init(void *state)
{
	dql_init(state, 250);
}

static void poke(struct dql *d, u32 which, u32 v)
{
	u32 *const fields[] = {&d->num_queued,	    &d->adj_limit,	   &d->last_obj_cnt,
			       &d->limit,	    &d->num_completed,	   &d->prev_ovlimit,
			       &d->prev_num_queued, &d->prev_last_obj_cnt, &d->lowest_slack};

	if (which < ARRAY_SIZE(fields)) {
		*fields[which] = v;
	} else if (which == ARRAY_SIZE(fields)) {
		d->slack_start_time += (s32)v;
	} else {
		/* all counters together: what is in flight stays, the numbers are elsewhere */
		d->num_queued += v;
		d->num_completed += v;
		d->prev_num_queued += v;
		d->adj_limit += v;
	}
}

static void apply(void *state, const struct diff_op *op, struct diff_record *out)
{
	struct dql *d = state;
	u32 in_flight = d->num_queued - d->num_completed;

	switch (op->code) {
	case INIT:
		dql_init(d, op->x);
		break;
	case QUEUED:
		dql_queued(d, op->x);
		break;
	case COMPLETED: /* x / 2^32 of what is in flight */
		dql_completed(d, (u32)(((u64)in_flight * op->x) >> 32));
		break;
	case COMPLETED_ALL:
		dql_completed(d, in_flight);
		break;
	case RESET:
		dql_reset(d);
		break;
	case CONFIG:
		d->min_limit = op->x;
		d->max_limit = op->y;
		d->slack_hold_time = op->z;
		break;
	case POKE:
		poke(d, op->y, op->x);
		break;
	case WRONG: /* more than is in flight, or too large an object: a bug in both */
		if (op->y)
			dql_completed(d, in_flight + op->x);
		else
			dql_queued(d, DQL_MAX_OBJECT + op->x);
		break;
	}
}

static void record(void *state, struct diff_record *out)
{
	const struct dql *d = state;

	diff_put(out, d->num_queued);
	diff_put(out, d->adj_limit);
	diff_put(out, d->last_obj_cnt);
	diff_put(out, d->limit);
	diff_put(out, d->num_completed);
	diff_put(out, d->prev_ovlimit);
	diff_put(out, d->prev_num_queued);
	diff_put(out, d->prev_last_obj_cnt);
	diff_put(out, d->lowest_slack);
	diff_put(out, d->slack_start_time);
	diff_put(out, d->max_limit);
	diff_put(out, d->min_limit);
	diff_put(out, d->slack_hold_time);
	diff_put(out, (u64)(s64)dql_avail(d));
}

static u32 object_size(struct draw *d, u32 mode)
{
	switch (mode % 4) {
	case 0:
		return 1514;
	case 1:
		return diff_one_in(d, 3) ? 66 : diff_between(d, 1000, 1514);
	case 2:
		return diff_between(d, 0, 65550);
	default:
		return diff_one_in(d, 8) ? DQL_MAX_OBJECT : diff_between(d, 0, DQL_MAX_OBJECT);
	}
}

static void make(struct draw *d, u32 mode, struct diff_op *op)
{
	u32 kind = draw_next_below(d, 256);
	u32 rare = mode & 0x40 ? 40 : 8; /* of 256 */

	op->dt = mode & 0x80 ? diff_step(d) : diff_between(d, 0, 4000000);
	if (kind >= rare) {
		kind = draw_next_below(d, mode & 0x20 ? 8 : 3);
		if (kind == 0) {
			op->code = COMPLETED;
			op->x = diff_u32(d);
		} else if (kind == 1 && diff_one_in(d, 2)) {
			op->code = COMPLETED_ALL;
		} else {
			op->code = QUEUED;
			op->x = object_size(d, mode);
		}
		return;
	}

	switch (draw_next_below(d, 5)) {
	case 0:
		op->code = diff_one_in(d, 4) ? INIT : RESET;
		op->x = diff_between(d, 0, 1000);
		break;
	case 1:
		op->code = CONFIG;
		op->x = diff_one_in(d, 2) ? 0 : diff_between(d, 0, 100000);
		op->y = diff_one_in(d, 2) ? DQL_MAX_LIMIT : diff_between(d, 0, 1000000);
		op->z = diff_one_in(d, 4) ? diff_u32(d) : diff_between(d, 0, 500);
		break;
	case 2:
		op->code = WRONG;
		op->x = diff_between(d, 1, 1000);
		op->y = draw_next_below(d, 2);
		break;
	default:
		op->code = POKE;
		op->x = diff_one_in(d, 2) ? diff_u32(d) : 0u - diff_between(d, 0, 10000);
		op->y = mode & 0x100 ? draw_next_below(d, 11) : 10;
		break;
	}
}

static void print(const struct diff_op *op, char *buf, size_t len)
{
	snprintf(buf, len, "%s %u %u %u", op_names[op->code], op->x, op->y, op->z);
}

static void field(u32 i, char *buf, size_t len)
{
	snprintf(buf, len, "%s", i < ARRAY_SIZE(field_names) ? field_names[i] : "?");
}

const struct diff_subject diff_dql = {
	.name = "dql",
	.size = sizeof(struct dql),
	.init = init,
	.apply = apply,
	.record = record,
	.make = make,
	.print = print,
	.field = field,
};
