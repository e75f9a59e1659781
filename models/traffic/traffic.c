// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic/traffic.h"

#include "engine/draw.h"
#include "measure/micro.h"

const struct model_kind kind_traffic = {.name = "traffic", .doc = "what the nodes send"};

void traffic_init(struct object *obj)
{
	struct traffic *t = (struct traffic *)obj;

	t->stop = traffic_params(t)->stop;
	if (t->stop == PARAM_UNSET)
		t->stop = SIM_TIME_MAX;
	t->opened = -1;
	t->closed = SIM_TIME_MAX;
}

void traffic_check_way(const struct object *from, const struct object *to, const char *param,
		       struct model_check *c)
{
	const struct host *a = (const struct host *)from, *b = (const struct host *)to;

	if (a == b)
		model_check_error(c, param, "is the sender itself, %s", from->path);
	else if (!ip_mtu(a, b->id) || !ip_mtu(b, a->id))
		model_check_error(
			c, param,
			"there is no way from %s to %s and back: a link is missing, or a node "
			"between them that forwards",
			from->path, to->path);
}

void traffic_check_fits(const struct object *from, const struct object *to, int64_t bytes,
			const char *param, struct model_check *c)
{
	u32 mtu = ip_mtu((const struct host *)from, ((const struct host *)to)->id);

	if (mtu && bytes > mtu)
		model_check_error(
			c, param,
			"%lld bytes with IP's headers do not fit the MTU of %u, and none is "
			"fragmented",
			(long long)bytes, mtu);
}

void traffic_still_fits(const struct traffic *t, int64_t bytes)
{
	u32 mtu = ip_mtu(t->from, t->to->id);

	SIM_CHECK(t->obj.sim, &t->obj, bytes <= mtu,
		  "%lld bytes with IP's headers do not fit the MTU of %u, and none is fragmented",
		  (long long)bytes, mtu);
}

void traffic_wired(const struct object *obj, struct model_check *c)
{
	const struct traffic_params *par = obj->params;

	traffic_check_way(par->from, par->to, "to", c);
}

/* Sources that began at the same instant would meet at every packet for ever. */
static sim_time spread(const struct traffic *t)
{
	const struct traffic_params *par = traffic_params(t);
	struct draw d;

	if (!t->obj.group || !par->spread)
		return 0;
	draw_init(&d, t->obj.sim->seed, t->obj.path, "start");
	return (sim_time)(((unsigned __int128)draw_bits(d.key, 0) * (u64)par->spread) >> 64);
}

void traffic_start(struct traffic *t, event_fn begin, event_fn end)
{
	const struct traffic_params *par = traffic_params(t);
	struct sim *sim = t->obj.sim;

	t->from = (struct host *)par->from;
	t->to = (struct host *)par->to;
	t->tos = (u8)(par->tos == PARAM_UNSET ? par->dscp << 2 : par->tos);
	t->priority = par->priority == PARAM_UNSET ? 0 : (u32)par->priority;
	event_init(&t->begin, begin, RANK_TIMER);
	event_init(&t->end, end, RANK_TIMER);
	t->start = par->start + spread(t);
	if (par->stop == PARAM_UNSET || t->start < par->stop)
		event_schedule(sim, &t->begin, t->start);
	if (end && par->stop != PARAM_UNSET)
		event_schedule(sim, &t->end, par->stop);
}

void traffic_window_open(struct object *obj)
{
	((struct traffic *)obj)->opened = obj->sim->now;
}

void traffic_window_close(struct object *obj)
{
	((struct traffic *)obj)->closed = obj->sim->now;
}

sim_time traffic_from(const struct traffic *t)
{
	return t->start > t->opened ? t->start : t->opened;
}

sim_time traffic_until(const struct traffic *t, sim_time end)
{
	int64_t stop = traffic_params(t)->stop;

	if (stop != PARAM_UNSET && stop < end)
		end = stop;
	return t->closed < end ? t->closed : end;
}

int64_t traffic_mbit(u64 bytes, sim_time span)
{
	return span > 0 ? micro_ratio((__int128)bytes * 8000, span) : METRIC_ABSENT;
}

void traffic_delay_init(struct traffic_delay *d)
{
	anatomy_init(&d->anatomy, layer_names, LAYER_COUNT);
}
