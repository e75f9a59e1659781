// SPDX-License-Identifier: GPL-3.0-or-later
/* Datagrams of one size at a constant rate, or at random times of that rate. */
#include "traffic/dgram.h"
#include "traffic/exponential.h"
#include "traffic/models.h"

static const struct udp_cbr_params *params_of(const struct dgram_flow *f)
{
	return f->d->t.obj.params;
}

/* The clock of the flow starts anew. Flows share the rate evenly, so they also share the interval. */
static void start_clock(struct dgram_flow *f)
{
	const struct udp_cbr_params *par = params_of(f);
	u64 bits = (u64)par->size * 8 * (u64)par->flows * SIM_SEC;

	f->origin = f->d->t.obj.sim->now;
	f->interval = (sim_time)(bits / (u64)par->rate);
	f->rest = bits % (u64)par->rate;
	f->rests = 0;
}

/* When the next datagram is due: no rounding error adds up. */
static sim_time tick(struct dgram_flow *f)
{
	u64 rate = (u64)params_of(f)->rate;

	f->origin += f->interval;
	f->rests += f->rest;
	if (f->rests >= rate) {
		f->rests -= rate;
		f->origin++;
	}
	return f->origin;
}

static sim_time cbr_begin(struct dgram_flow *f)
{
	start_clock(f);
	if (params_of(f)->poisson)
		return f->origin + exponential_next(&f->draw, f->interval);
	f->origin += f->interval * f->index / params_of(f)->flows;
	return f->origin;
}

static sim_time cbr_next(struct dgram_flow *f)
{
	if (params_of(f)->poisson)
		return f->d->t.obj.sim->now + exponential_next(&f->draw, f->interval);
	return tick(f);
}

static const struct dgram_rules rules = {.alone = true, .begin = cbr_begin, .next = cbr_next};

static void cbr_init(struct object *obj)
{
	const struct udp_cbr_params *par = obj->params;
	struct dgram *d = (struct dgram *)obj;

	dgram_init(d, &rules, (u32)par->flows);
	d->size = (u32)par->size;
}

/* The clock starts anew with the new rate or size. */
static void cbr_changed(struct object *obj, const struct param *p)
{
	struct dgram *d = (struct dgram *)obj;

	d->size = (u32)((const struct udp_cbr_params *)obj->params)->size;
	dgram_fits(d);
	for (u32 i = 0; i < d->n_flows; i++) {
		struct dgram_flow *f = &d->flows[i];
		sim_time first;

		if (!event_pending(&f->next))
			continue;
		start_clock(f);
		first = tick(f);
		if (event_due(&f->next) > first)
			event_arrive(obj->sim, &f->next, first);
	}
}

static const struct param cbr_params[] = {
	TRAFFIC_PARAMS,
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE | PARAM_REQUIRED,
	 .offset = offsetof(struct udp_cbr_params, rate),
	 .min = 1,
	 .max = 400000000000,
	 .doc = "payload, of all flows together",
	 .linux_name = "iperf -b"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct udp_cbr_params, size),
	 .def = "1470B",
	 .min = 1,
	 .max = 8972,
	 .doc = "payload of a datagram, beside 28 bytes of IP and UDP headers",
	 .linux_name = "iperf -l"},
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct udp_cbr_params, flows),
	 .def = "1",
	 .min = 1,
	 .max = 10000,
	 .doc = "flows, each with ports of its own, evenly spaced"},
	{.name = "poisson",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct udp_cbr_params, poisson),
	 .def = "false",
	 .doc = "exponential gaps of that mean"},
	PARAM_END,
};

static const struct probe cbr_probes[] = {DGRAM_PROBES, PROBE_END};

static const struct model_ops cbr_ops = {
	.init = cbr_init,
	.wired = dgram_wired,
	.start = dgram_start,
	.changed = cbr_changed,
	.window_open = dgram_window_open,
	.window_close = dgram_window_close,
	.fini = dgram_fini,
};

const struct model_class udp_cbr_class = {
	.kind = &kind_traffic,
	.name = "udp_cbr",
	.doc = "datagrams at a constant or random rate",
	.source = "iperf 2 in UDP mode",
	.not_modelled = "The receiver's socket buffer: it reads at once. Fragmented datagrams.",
	.size = sizeof(struct dgram),
	.params_size = sizeof(struct udp_cbr_params),
	.params = cbr_params,
	.probes = cbr_probes,
	.ops = &cbr_ops,
};
