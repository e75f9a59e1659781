// SPDX-License-Identifier: GPL-3.0-or-later
/* Datagrams at a constant rate while a source is on, and none while it is off. */
#include "traffic/dgram.h"
#include "traffic/exponential.h"

struct onoff_params {
	struct traffic_params common;
	int64_t rate; /* bit/s of payload of each flow, while on */
	int64_t size; /* bytes of payload */
	int64_t flows;
	int64_t on, off; /* ns, means */
	int64_t exponential; /* bool */
};

static const struct onoff_params *params_of(const struct dgram_flow *f)
{
	return f->d->t.obj.params;
}

static sim_time period(struct dgram_flow *f, sim_time mean)
{
	return params_of(f)->exponential ? exponential_next(&f->draw, mean) : mean;
}

static sim_time interval(const struct dgram_flow *f)
{
	const struct onoff_params *par = params_of(f);

	sim_time ns = (sim_time)((unsigned __int128)par->size * 8 * SIM_SEC / par->rate);

	/* The clock must go on. */
	return ns ? ns : 1;
}

/* f->origin: when the source goes off. */
static sim_time onoff_begin(struct dgram_flow *f)
{
	sim_time now = f->d->t.obj.sim->now;

	f->origin = now + period(f, params_of(f)->on);
	return now;
}

static sim_time onoff_next(struct dgram_flow *f)
{
	sim_time next = f->d->t.obj.sim->now + interval(f);

	while (next >= f->origin) {
		next = f->origin + period(f, params_of(f)->off);
		f->origin = next + period(f, params_of(f)->on);
	}
	return next;
}

static u32 onoff_size(const struct dgram_flow *f)
{
	return (u32)params_of(f)->size;
}

static const struct dgram_rules rules = {
	.begin = onoff_begin, .next = onoff_next, .size = onoff_size};

static void onoff_init(struct object *obj)
{
	dgram_init((struct dgram *)obj, &rules,
		   (u32)((const struct onoff_params *)obj->params)->flows);
}

static void onoff_changed(struct object *obj, const struct param *p)
{
	dgram_fits((struct dgram *)obj);
}

static const struct param onoff_params[] = {
	TRAFFIC_PARAMS,
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE | PARAM_REQUIRED,
	 .offset = offsetof(struct onoff_params, rate),
	 .min = 1,
	 .max = 400000000000,
	 .doc = "payload of each flow while it is on"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct onoff_params, size),
	 .def = "1470B",
	 .min = 1,
	 .max = 8972,
	 .doc = "payload of a datagram, beside 28 bytes of IP and UDP headers"},
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct onoff_params, flows),
	 .def = "1",
	 .min = 1,
	 .max = 10000,
	 .doc = "sources"},
	{.name = "on",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct onoff_params, on),
	 .def = "1s",
	 .min = SIM_US,
	 .max = 10000 * SIM_SEC,
	 .doc = "mean time on"},
	{.name = "off",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct onoff_params, off),
	 .def = "1s",
	 .min = SIM_US,
	 .max = 10000 * SIM_SEC,
	 .doc = "mean time off"},
	{.name = "exponential",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct onoff_params, exponential),
	 .def = "true",
	 .doc = "times are drawn from exponential distributions; else all are equal"},
	PARAM_END,
};

static const struct probe onoff_probes[] = {DGRAM_PROBES, PROBE_END};

static const struct model_ops onoff_ops = {
	.init = onoff_init,
	.changed = onoff_changed,
	.wired = dgram_wired,
	.start = dgram_start,
	.window_open = dgram_window_open,
	.window_close = dgram_window_close,
	.fini = dgram_fini,
};

const struct model_class onoff_class = {
	.kind = &kind_traffic,
	.name = "onoff",
	.doc = "datagrams in bursts",
	.source = "ns-3 OnOffApplication, the common model",
	.size = sizeof(struct dgram),
	.params_size = sizeof(struct onoff_params),
	.params = onoff_params,
	.probes = onoff_probes,
	.ops = &onoff_ops,
};
