// SPDX-License-Identifier: GPL-3.0-or-later
/* Datagrams at the times and of the sizes of a recorded trace. */
#include "traffic/dgram.h"

struct replay_packet {
	int64_t at; /* ns from the start */
	int64_t size; /* bytes of payload */
};

struct replay_params {
	struct traffic_params common;
	struct param_list packets; /* of struct replay_packet */
	int64_t period; /* ns; PARAM_UNSET: once */
};

static const struct replay_params *params_of(const struct dgram_flow *f)
{
	return f->d->t.obj.params;
}

static const struct replay_packet *packet_at(const struct dgram_flow *f)
{
	const struct param_list *list = &params_of(f)->packets;

	return (const struct replay_packet *)list->items + f->seq % list->n;
}

static sim_time replay_next(struct dgram_flow *f)
{
	const struct replay_params *par = params_of(f);
	u32 round = f->seq / par->packets.n;

	if (!round)
		return f->origin + packet_at(f)->at;
	return par->period == PARAM_UNSET ? SIM_TIME_MAX
					  : f->origin + round * par->period + packet_at(f)->at;
}

static sim_time replay_begin(struct dgram_flow *f)
{
	f->origin = f->d->t.obj.sim->now;
	return replay_next(f);
}

static u32 replay_size(const struct dgram_flow *f)
{
	return (u32)packet_at(f)->size;
}

static const struct dgram_rules rules = {
	.begin = replay_begin, .next = replay_next, .size = replay_size};

static void replay_init(struct object *obj)
{
	dgram_init((struct dgram *)obj, &rules, 1);
}

static void replay_check(const void *params, struct model_check *c)
{
	const struct replay_params *par = params;
	const struct replay_packet *p = par->packets.items;

	if (!par->packets.n) {
		model_check_error(c, "packets", "are none");
		return;
	}
	for (u32 i = 1; i < par->packets.n; i++)
		if (p[i].at < p[i - 1].at)
			model_check_error(c, "packets", "packet %u is earlier than the one before",
					  i);
	if (par->period != PARAM_UNSET && par->period < p[par->packets.n - 1].at)
		model_check_error(c, "period", "ends before the last packet");
}

static const struct param packet_fields[] = {
	{.name = "at",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct replay_packet, at),
	 .flags = PARAM_REQUIRED,
	 .min = 0,
	 .max = 1000000 * SIM_SEC,
	 .doc = "time from the start"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .offset = offsetof(struct replay_packet, size),
	 .flags = PARAM_REQUIRED,
	 .min = 1,
	 .max = 8972,
	 .doc = "payload, beside 28 bytes of IP and UDP headers"},
	PARAM_END,
};

static const struct param packet_field[] = {
	{.name = "packet",
	 .type = PARAM_STRUCT,
	 .fields = packet_fields,
	 .size = sizeof(struct replay_packet),
	 .doc = "one datagram"},
	PARAM_END,
};

static const struct param replay_params[] = {
	TRAFFIC_PARAMS,
	{.name = "packets",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = offsetof(struct replay_params, packets),
	 .doc = "the trace, in order of time",
	 .fields = packet_field,
	 .size = sizeof(struct replay_packet)},
	{.name = "period",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct replay_params, period),
	 .min = 1,
	 .max = 1000000 * SIM_SEC,
	 .doc = "the trace is repeated each; without it it is sent once"},
	PARAM_END,
};

static const struct probe replay_probes[] = {DGRAM_PROBES, PROBE_END};

static const struct model_ops replay_ops = {
	.check = replay_check,
	.init = replay_init,
	.start = dgram_start,
	.window_open = dgram_window_open,
	.window_close = dgram_window_close,
	.fini = dgram_fini,
};

const struct model_class replay_class = {
	.kind = &kind_traffic,
	.name = "replay",
	.doc = "datagrams of a recorded trace",
	.source = "trace replay without reaction: what was sent is sent again",
	.not_modelled = "The reaction of the application to what the network does now.",
	.size = sizeof(struct dgram),
	.params_size = sizeof(struct replay_params),
	.params = replay_params,
	.probes = replay_probes,
	.ops = &replay_ops,
};
