// SPDX-License-Identifier: GPL-3.0-or-later
/* Datagrams at the times and of the sizes of a recorded trace, which stands in the scenario or in a CSV file. */
#include <glib.h>

#include "traffic/dgram.h"

#define FLOWS_MAX 256

struct replay_packet {
	int64_t at; /* ns from the start */
	int64_t size; /* bytes of payload */
	int64_t dscp; /* PARAM_UNSET: the traffic's */
	int64_t flow; /* 0 .. FLOWS_MAX - 1 */
};

struct replay_params {
	struct traffic_params common;
	struct param_list packets; /* of struct replay_packet */
	struct param_table file; /* the same */
	int64_t period; /* ns; PARAM_UNSET: once */
};

struct replay {
	struct dgram d;
	const struct replay_packet *packets;
	u32 *order; /* indices of packets, flow by flow, each in order of time */
	u32 first[FLOWS_MAX +
		  1]; /* where each flow's begin in it; numbers that no packet has are left out */
};

static const struct replay_params *params_of(const struct dgram_flow *f)
{
	return f->d->t.obj.params;
}

static const struct param_list *packets_of(const struct replay_params *par)
{
	return par->file.file ? &par->file.rows : &par->packets;
}

static const struct replay *replay_of(const struct dgram_flow *f)
{
	return (const struct replay *)f->d;
}

/* Packets of the flow in one pass of the trace. */
static u32 flow_length(const struct dgram_flow *f)
{
	return replay_of(f)->first[f->index + 1] - replay_of(f)->first[f->index];
}

static const struct replay_packet *packet_at(const struct dgram_flow *f)
{
	const struct replay *r = replay_of(f);

	return &r->packets[r->order[r->first[f->index] + f->seq % flow_length(f)]];
}

static sim_time replay_next(struct dgram_flow *f)
{
	const struct replay_params *par = params_of(f);
	u32 round = f->seq / flow_length(f);

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

static u8 replay_tos(const struct dgram_flow *f)
{
	int64_t dscp = packet_at(f)->dscp;

	return dscp == PARAM_UNSET ? f->d->t.tos : (u8)(dscp << 2);
}

static u32 replay_largest(const struct dgram *d)
{
	const struct param_list *list = packets_of(d->t.obj.params);
	const struct replay_packet *p = list->items;
	int64_t most = 0;

	for (u32 i = 0; i < list->n; i++)
		most = p[i].size > most ? p[i].size : most;
	return (u32)most;
}

static const struct dgram_rules rules = {.begin = replay_begin,
					 .next = replay_next,
					 .size = replay_size,
					 .tos = replay_tos,
					 .largest = replay_largest};

static void replay_init(struct object *obj)
{
	struct replay *r = (struct replay *)obj;
	const struct param_list *list = packets_of(obj->params);
	u32 n[FLOWS_MAX] = {0}, at[FLOWS_MAX], flows = 0;

	r->packets = list->items;
	r->order = g_new(u32, list->n);
	for (u32 i = 0; i < list->n; i++)
		n[r->packets[i].flow]++;
	for (u32 i = 0; i < FLOWS_MAX; i++) {
		if (!n[i])
			continue;
		at[i] = r->first[flows];
		r->first[flows + 1] = at[i] + n[i];
		flows++;
	}
	for (u32 i = 0; i < list->n; i++)
		r->order[at[r->packets[i].flow]++] = i;
	dgram_init(&r->d, &rules, flows);
}

static void replay_fini(struct object *obj)
{
	g_free(((struct replay *)obj)->order);
	dgram_fini(obj);
}

static void replay_check(const void *params, struct model_check *c)
{
	const struct replay_params *par = params;
	const struct param_list *list = packets_of(par);
	const char *name = par->file.file ? "file" : "packets";
	const struct replay_packet *p = list->items;
	char where[32];

	if (par->file.file && par->packets.n) {
		model_check_error(c, "file", "packets are given as well; one of the two");
		return;
	}
	if (!list->n) {
		model_check_error(c, "packets", "are none; give them here or in a file");
		return;
	}
	for (u32 i = 1; i < list->n; i++) {
		if (p[i].at >= p[i - 1].at)
			continue;
		g_snprintf(where, sizeof(where), "%s.%u", name, i);
		model_check_error(c, where, "is earlier than the one before");
	}
	if (par->period != PARAM_UNSET && par->period < p[list->n - 1].at)
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
	{.name = "dscp",
	 .type = PARAM_INT,
	 .offset = offsetof(struct replay_packet, dscp),
	 .min = 0,
	 .max = 63,
	 .doc = "DS field of this packet; without it the traffic's"},
	{.name = "flow",
	 .type = PARAM_INT,
	 .offset = offsetof(struct replay_packet, flow),
	 .def = "0",
	 .min = 0,
	 .max = FLOWS_MAX - 1,
	 .doc = "which flow it is of: each has ports of its own"},
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
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct replay_params, packets),
	 .doc = "the trace, in order of time",
	 .fields = packet_field,
	 .size = sizeof(struct replay_packet)},
	{.name = "file",
	 .type = PARAM_TABLE,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct replay_params, file),
	 .doc = "in place of packets, a CSV file with these columns, up to 1,000,000 rows",
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
	.wired = dgram_wired,
	.start = dgram_start,
	.window_open = dgram_window_open,
	.window_close = dgram_window_close,
	.fini = replay_fini,
};

const struct model_class replay_class = {
	.kind = &kind_traffic,
	.name = "replay",
	.doc = "datagrams of a recorded trace",
	.source = "trace replay without reaction: what was sent is sent again",
	.not_modelled = "The reaction of the application to what the network does now.",
	.size = sizeof(struct replay),
	.params_size = sizeof(struct replay_params),
	.params = replay_params,
	.probes = replay_probes,
	.ops = &replay_ops,
};
