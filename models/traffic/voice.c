// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One way of a telephone call with G.711: 160 bytes of sound each 20 ms in RTP. What does not arrive before it is
 * to be played is as good as lost.
 */
#include "measure/micro.h"
#include "traffic/dgram.h"

struct voice_params {
	struct traffic_params common;
	int64_t flows;
	int64_t interval; /* ns */
	int64_t size; /* bytes of payload */
	int64_t playout; /* ns */
};

struct voice {
	struct dgram d;
	u64 late; /* of the window */
};

static const struct voice_params *params_of(const struct dgram_flow *f)
{
	return f->d->t.obj.params;
}

/* Calls begin at different times of the interval. */
static sim_time voice_begin(struct dgram_flow *f)
{
	const struct voice_params *par = params_of(f);

	f->origin = SIM_TIME_MAX;
	return f->d->t.obj.sim->now + par->interval * f->index / par->flows;
}

static sim_time voice_next(struct dgram_flow *f)
{
	return f->d->t.obj.sim->now + params_of(f)->interval;
}

static u32 voice_size(const struct dgram_flow *f)
{
	return (u32)params_of(f)->size;
}

/* f->origin: the least delay so far, from which the buffer at the receiver counts. */
static void voice_received(struct dgram_flow *f, sim_time delay)
{
	if (delay < f->origin)
		f->origin = delay;
	if (delay > f->origin + params_of(f)->playout)
		((struct voice *)f->d)->late++;
}

static const struct dgram_rules rules = {
	.begin = voice_begin,
	.next = voice_next,
	.size = voice_size,
	.received = voice_received,
};

static void voice_init(struct object *obj)
{
	dgram_init((struct dgram *)obj, &rules,
		   (u32)((const struct voice_params *)obj->params)->flows);
}

static int64_t useless_share(const struct object *obj, int64_t window)
{
	const struct voice *v = (const struct voice *)obj;

	return micro_ratio(v->d.lost + v->late, v->d.lost + v->d.received);
}

static const struct param voice_params[] = {
	TRAFFIC_PARAMS,
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct voice_params, flows),
	 .def = "1",
	 .min = 1,
	 .max = 10000,
	 .doc = "calls"},
	{.name = "interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct voice_params, interval),
	 .def = "20ms",
	 .min = SIM_MS,
	 .max = SIM_SEC,
	 .doc = "sound of a packet"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct voice_params, size),
	 .def = "172B",
	 .min = 1,
	 .max = 1472,
	 .doc = "payload of a packet: 12 bytes of RTP header and 64 kbit/s of sound"},
	{.name = "playout",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct voice_params, playout),
	 .def = "60ms",
	 .min = 0,
	 .max = 10 * SIM_SEC,
	 .doc = "a packet is late when its delay exceeds the least one by more than this"},
	PARAM_END,
};

static const struct probe voice_probes[] = {
	DGRAM_PROBES,
	{.name = "late",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct voice, late),
	 .doc = "arrived, but too late to be played"},
	{.name = "useless_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = useless_share,
	 .over = PROBE_OVER_MEAN,
	 .doc = "lost and late of all"},
	PROBE_END,
};

static const struct model_ops voice_ops = {
	.init = voice_init,
	.start = dgram_start,
	.window_open = dgram_window_open,
	.window_close = dgram_window_close,
	.fini = dgram_fini,
};

const struct model_class voice_class = {
	.kind = &kind_traffic,
	.name = "voice",
	.doc = "one way of telephone calls with G.711",
	.source = "RFC 3551 section 4.5.14; ITU-T G.711",
	.not_modelled = "Silence suppression; the other way, which is a traffic of its own; RTCP.",
	.size = sizeof(struct voice),
	.params_size = sizeof(struct voice_params),
	.params = voice_params,
	.probes = voice_probes,
	.ops = &voice_ops,
};
