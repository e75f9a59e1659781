// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One way of a telephone call with G.711: 160 bytes of sound each 20 ms in RTP. What does not arrive before it is
 * to be played is as good as lost.
 *
 * The opinion of it is the E-model's (ITU-T G.107) with all but delay and loss at its defaults: R = 93.2 - Id - Ie,eff.
 * Id is that of Cole and Rosenbluth (Voice over IP performance monitoring, ACM CCR 31(2), 2001), Ie,eff of G.107
 * 7.4 with G.711's Ie = 0, the opinion score MOS of G.107 annex B.
 */
#include <glib.h>
#include <string.h>

#include "measure/micro.h"
#include "traffic/dgram.h"

struct voice_params {
	struct traffic_params common;
	int64_t flows;
	int64_t interval; /* ns */
	int64_t size; /* bytes of payload */
	int64_t playout; /* ns */
	int64_t bpl; /* 10^-6 */
};

struct voice {
	struct dgram d;
	u64 late; /* of the window */
	u64 *flow_late; /* the same of each call */
	struct samples r, mos; /* of each call, 10^-6 */
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
	if (delay > f->origin + params_of(f)->playout) {
		((struct voice *)f->d)->late++;
		((struct voice *)f->d)->flow_late[f->index]++;
	}
}

/* ---- what one thinks of it ------------------------------------------------------------------- */

#define R_DEFAULT  93200000 /* 10^-6 */
#define DELAY_KNEE (177300 * SIM_US)

/* Impairment by a delay from mouth to ear, ns, in 10^-6: 0.024 d + 0.11 (d - 177.3)+, d in ms. */
static int64_t impairment_by_delay(sim_time d)
{
	int64_t id = d * 24 / 1000;

	return d > DELAY_KNEE ? id + (d - DELAY_KNEE) * 11 / 100 : id;
}

/* 95 Ppl / (Ppl + Bpl), Ppl being @useless of @all in per cent. */
static int64_t impairment_by_loss(u64 useless, u64 all, int64_t bpl)
{
	__int128 ppl = (__int128)useless * 100 * MICRO;

	return (int64_t)(95 * MICRO * ppl / (ppl + (__int128)bpl * all));
}

/* 1 + 0.035 R + R (R - 60) (100 - R) 7e-6, at least 1, in 10^-6. */
static int64_t opinion(int64_t r)
{
	__int128 cubic = (__int128)r * (r - 60 * MICRO) * (100 * MICRO - r) * 7 / 1000000 /
			 ((__int128)MICRO * MICRO);
	int64_t mos = MICRO + r * 35 / 1000 + (int64_t)cubic;

	return r <= 0 || mos < MICRO ? MICRO : mos;
}

static void voice_window_close(struct object *obj)
{
	struct voice *v = (struct voice *)obj;

	dgram_window_close(obj);
	for (u32 i = 0; i < v->d.n_flows; i++) {
		const struct dgram_flow *f = &v->d.flows[i];
		const struct voice_params *par = params_of(f);
		u64 all = f->received + f->lost;
		int64_t r = R_DEFAULT;

		if (f->seq == f->first)
			continue;
		if (all && f->origin != SIM_TIME_MAX) {
			/* The first sound of a packet waits for the last; what is played waits for its time. */
			r -= impairment_by_delay(par->interval + f->origin + par->playout);
			r -= impairment_by_loss(f->lost + v->flow_late[i], all, par->bpl);
		}
		if (!all || f->origin == SIM_TIME_MAX || r < 0)
			r = 0;
		samples_add(&v->r, obj->sim->now, r);
		samples_add(&v->mos, obj->sim->now, opinion(r));
	}
}

static void voice_window_open(struct object *obj)
{
	struct voice *v = (struct voice *)obj;

	dgram_window_open(obj);
	memset(v->flow_late, 0, v->d.n_flows * sizeof(*v->flow_late));
}

static const struct dgram_rules rules = {
	.begin = voice_begin,
	.next = voice_next,
	.size = voice_size,
	.received = voice_received,
};

static void voice_init(struct object *obj)
{
	u32 flows = (u32)((const struct voice_params *)obj->params)->flows;

	dgram_init((struct dgram *)obj, &rules, flows);
	((struct voice *)obj)->flow_late = g_new0(u64, flows);
}

static void voice_fini(struct object *obj)
{
	g_free(((struct voice *)obj)->flow_late);
	dgram_fini(obj);
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
	{.name = "bpl",
	 .type = PARAM_DECIMAL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct voice_params, bpl),
	 .def = "25.1",
	 .min = MICRO / 10,
	 .max = 100 * MICRO,
	 .doc = "robustness against loss, Bpl of ITU-T G.113: 25.1 with G.711's concealment, 4.3 without"},
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
	{.name = "r",
	 .unit = "",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct voice, r),
	 .per = MICRO,
	 .doc = "transmission rating of each call by the E-model, 0 to 93.2"},
	{.name = "mos",
	 .unit = "",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct voice, mos),
	 .per = MICRO,
	 .doc = "mean opinion score of each call by the E-model, 1 to 4.5"},
	PROBE_END,
};

static const struct model_ops voice_ops = {
	.init = voice_init,
	.wired = dgram_wired,
	.start = dgram_start,
	.window_open = voice_window_open,
	.window_close = voice_window_close,
	.fini = voice_fini,
};

const struct model_class voice_class = {
	.kind = &kind_traffic,
	.name = "voice",
	.doc = "one way of telephone calls with G.711",
	.source =
		"RFC 3551 section 4.5.14; ITU-T G.711; E-model: ITU-T G.107, G.113, Cole and Rosenbluth 2001",
	.not_modelled =
		"Silence suppression; the other way, which is a traffic of its own; RTCP.\n"
		"Of the E-model: echo, noise, loss in bursts; the playout buffer is of fixed length.",
	.size = sizeof(struct voice),
	.params_size = sizeof(struct voice_params),
	.params = voice_params,
	.probes = voice_probes,
	.ops = &voice_ops,
};
