// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/bql.h"

#include <linux/dynamic_queue_limits.h>

#include "engine/clock.h"
#include "measure/gauge.h"

struct bql_params {
	int64_t limit_min, limit_max; /* bytes */
	int64_t hold_time; /* ns */
};

struct bql {
	struct object obj;
	struct dql dql;
	u32 hz;
	struct gauge limit, inflight;
};

/* What the kernel code reads beside its arguments. */
static void enter_kernel(const struct bql *b)
{
	kernel_clock.hz = b->hz;
}

static void bql_configure(struct bql *b)
{
	const struct bql_params *par = b->obj.params;

	b->dql.min_limit = (unsigned int)par->limit_min;
	b->dql.max_limit = par->limit_max == PARAM_UNSET ? DQL_MAX_LIMIT
							 : (unsigned int)par->limit_max;
	b->dql.slack_hold_time = (unsigned int)(par->hold_time * b->hz / SIM_SEC);
}

static void bql_attach(struct object *obj, u32 hz)
{
	struct bql *b = (struct bql *)obj;

	b->hz = hz;
	enter_kernel(b);
	dql_init(&b->dql, hz);
	bql_configure(b);
}

static void bql_measure(struct bql *b)
{
	sim_time now = b->obj.sim->now;

	gauge_set(&b->limit, now, b->dql.limit);
	gauge_set(&b->inflight, now, b->dql.num_queued - b->dql.num_completed);
}

static bool bql_sent(struct object *obj, u32 bytes)
{
	struct bql *b = (struct bql *)obj;

	dql_queued(&b->dql, bytes);
	bql_measure(b);
	return dql_avail(&b->dql) < 0;
}

static bool bql_completed(struct object *obj, u32 bytes)
{
	struct bql *b = (struct bql *)obj;

	if (!bytes)
		return false;
	enter_kernel(b);
	dql_completed(&b->dql, bytes);
	bql_measure(b);
	return dql_avail(&b->dql) >= 0;
}

static int bql_avail(const struct object *obj)
{
	return dql_avail(&((const struct bql *)obj)->dql);
}

static void bql_changed(struct object *obj, const struct param *p)
{
	bql_configure((struct bql *)obj);
}

static void bql_check(const void *params, struct model_check *c)
{
	const struct bql_params *par = params;

	if (par->limit_max != PARAM_UNSET && par->limit_max < par->limit_min)
		model_check_error(c, "limit_max", "is below limit_min");
}

static const struct param bql_param_table[] = {
	{.name = "limit_min",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct bql_params, limit_min),
	 .def = "0B",
	 .min = 0,
	 .max = DQL_MAX_LIMIT,
	 .doc = "the limit never falls below this",
	 .linux_name = "byte_queue_limits/limit_min"},
	{.name = "limit_max",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct bql_params, limit_max),
	 .min = 0,
	 .max = DQL_MAX_LIMIT,
	 .doc = "the limit never exceeds this; without it 1879048192 bytes",
	 .linux_name = "byte_queue_limits/limit_max"},
	{.name = "hold_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct bql_params, hold_time),
	 .def = "1s",
	 .min = 0,
	 .max = 3600 * SIM_SEC,
	 .doc = "slack must have been there for this long before the limit is cut",
	 .linux_name = "byte_queue_limits/hold_time"},
	PARAM_END,
};

static const struct probe bql_probes[] = {
	{.name = "limit",
	 .unit = "bytes",
	 .shape = PROBE_GAUGE,
	 .offset = offsetof(struct bql, limit),
	 .doc = "the limit"},
	{.name = "inflight",
	 .unit = "bytes",
	 .shape = PROBE_GAUGE,
	 .offset = offsetof(struct bql, inflight),
	 .doc = "bytes with the driver"},
	PROBE_END,
};

static const struct model_ops bql_model_ops = {
	.check = bql_check,
	.changed = bql_changed,
};

static const struct bql_ops bql_ops = {
	.attach = bql_attach,
	.sent = bql_sent,
	.completed = bql_completed,
	.avail = bql_avail,
};

const struct model_class bql_class = {
	.kind = &kind_queue_limit,
	.name = "dql",
	.doc = "byte queue limits by dynamic queue limits",
	.source = "Linux 6.1 include/linux/netdevice.h, lib/dynamic_queue_limits.c",
	.size = sizeof(struct bql),
	.params_size = sizeof(struct bql_params),
	.params = bql_param_table,
	.probes = bql_probes,
	.ops = &bql_model_ops,
	.kind_ops = &bql_ops,
};
