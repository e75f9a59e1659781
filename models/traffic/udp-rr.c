// SPDX-License-Identifier: GPL-3.0-or-later
/* Requests and responses as single datagrams, one at a time in each flow: netperf's UDP_RR. */
#include <glib.h>

#include "measure/samples.h"
#include "traffic/models.h"
#include "transport/sock.h"

#define UDP_HEADERS 28

struct udp_rr_flow {
	struct udp_rr *rr;
	struct udp_sock *client, *server;
	struct event timer; /* the response is given up, or the next request is due */
	bool waiting;
	bool counts; /* the request was sent in the window */
	u32 seq;
	sim_time began;
};

struct udp_rr {
	struct rr base;
	struct udp_rr_flow *flows;
	struct samples rtt;
	struct anatomy anatomy;
	u64 lost; /* of the window */
};

static const struct udp_rr_params *params_of(const struct udp_rr *rr)
{
	return rr->base.t.obj.params;
}

static void request_send(struct udp_rr_flow *f)
{
	struct udp_rr *rr = f->rr;
	const struct udp_rr_params *par = params_of(rr);
	struct sim *sim = rr->base.t.obj.sim;

	if (traffic_stopped(&rr->base.t))
		return;
	f->waiting = true;
	f->counts = rr->base.t.opened >= 0;
	f->began = sim->now;
	f->seq++;
	event_schedule_in(sim, &f->timer, par->timeout);
	udp_send(f->client, rr->base.t.to->id, udp_port(f->server), (u32)par->rr.request,
		 rr->base.t.tos, rr->base.t.priority, f->seq, (u64)sim->now);
}

static void timer(struct sim *sim, struct event *ev)
{
	struct udp_rr_flow *f = container_of(ev, struct udp_rr_flow, timer);

	if (f->waiting && f->counts)
		f->rr->lost++;
	request_send(f);
}

/* The response takes the request's place, so that its stamps are those of the round trip. */
static void server_rx(void *arg, struct packet *p)
{
	struct udp_rr_flow *f = arg;
	struct udp_rr *rr = f->rr;
	struct host *h = rr->base.t.to;

	rr_work(&rr->base, h);
	udp_reply(f->server, p, (u32)params_of(rr)->rr.response, rr->base.t.tos,
		  rr->base.t.priority);
}

static void client_rx(void *arg, struct packet *p)
{
	struct udp_rr_flow *f = arg;
	struct udp_rr *rr = f->rr;
	struct sim *sim = rr->base.t.obj.sim;
	struct host *h = rr->base.t.from;
	sim_time next = f->began + params_of(rr)->interval;

	if (!f->waiting || p->dgram.seq != f->seq)
		goto out;
	f->waiting = false;
	rr_work(&rr->base, h);
	if (f->counts && traffic_counts(&rr->base.t)) {
		rr->base.transactions++;
		samples_add(&rr->rtt, sim->now, sim->now - p->born);
		packet_enter(p, LAYER_SOCKET, sim->now);
		anatomy_add(&rr->anatomy, p->spent);
	}
	if (next > sim->now) {
		event_schedule(sim, &f->timer, next);
	} else {
		event_cancel(sim, &f->timer);
		request_send(f);
	}
out:
	packet_free(sim, p);
}

static void rr_begin(struct sim *sim, struct event *ev)
{
	struct udp_rr *rr = container_of(ev, struct udp_rr, base.t.begin);

	for (u32 i = 0; i < params_of(rr)->rr.flows; i++)
		request_send(&rr->flows[i]);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void rr_init(struct object *obj)
{
	struct udp_rr *rr = (struct udp_rr *)obj;

	traffic_init(obj);
	anatomy_init(&rr->anatomy, layer_names, LAYER_COUNT);
	rr->flows = g_new0(struct udp_rr_flow, params_of(rr)->rr.flows);
}

static void rr_start(struct object *obj)
{
	struct udp_rr *rr = (struct udp_rr *)obj;
	const struct udp_rr_params *par = params_of(rr);

	traffic_start(&rr->base.t, rr_begin, NULL);
	for (u32 i = 0; i < par->rr.flows; i++) {
		struct udp_rr_flow *f = &rr->flows[i];

		f->rr = rr;
		f->client = udp_open(rr->base.t.from, 0, client_rx, f);
		f->server = udp_open(rr->base.t.to, 0, server_rx, f);
		event_init(&f->timer, timer, RANK_TIMER);
	}
}

static void rr_wired(const struct object *obj, struct model_check *c)
{
	const struct udp_rr_params *par = obj->params;
	const struct traffic_params *way = &par->rr.common;

	traffic_wired(obj, c);
	traffic_check_fits(way->from, way->to, par->rr.request + UDP_HEADERS, "request", c);
	traffic_check_fits(way->to, way->from, par->rr.response + UDP_HEADERS, "response", c);
}

static void rr_window_close(struct object *obj)
{
	struct udp_rr *rr = (struct udp_rr *)obj;

	traffic_window_close(obj);
	rr->rtt.lost = rr->lost;
}

static void rr_fini(struct object *obj)
{
	g_free(((struct udp_rr *)obj)->flows);
}

static const struct param rr_params[] = {
	RR_PARAMS(8972, "pairs of ports"),
	{.name = "interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct udp_rr_params, interval),
	 .def = "0s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "from one request to the next at least; 0: as soon as the response is there",
	 .linux_name = "irtt -i"},
	{.name = "timeout",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct udp_rr_params, timeout),
	 .def = "1s",
	 .min = SIM_US,
	 .max = 1000 * SIM_SEC,
	 .doc = "a response that takes longer is lost, and the next request is sent"},
	PARAM_END,
};

static const struct probe rr_probes[] = {
	RR_PROBES,
	{.name = "rtt_ms",
	 .unit = "ms",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct udp_rr, rtt),
	 .per = SIM_MS,
	 .doc = "time of a transaction, each one kept"},
	{.name = "rtt",
	 .shape = PROBE_ANATOMY,
	 .offset = offsetof(struct udp_rr, anatomy),
	 .per = SIM_MS,
	 .doc = "where requests and responses spent their time"},
	{.name = "lost",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_rr, lost),
	 .doc = "requests without response in time"},
	PROBE_END,
};

static const struct model_ops rr_ops = {
	.init = rr_init,
	.wired = rr_wired,
	.start = rr_start,
	.window_open = traffic_window_open,
	.window_close = rr_window_close,
	.fini = rr_fini,
};

const struct model_class udp_rr_class = {
	.kind = &kind_traffic,
	.name = "udp_rr",
	.doc = "requests and responses as datagrams",
	.source = "netperf UDP_RR; irtt",
	.not_modelled = "netperf hangs at the first loss; here a timeout ends the transaction.",
	.size = sizeof(struct udp_rr),
	.params_size = sizeof(struct udp_rr_params),
	.params = rr_params,
	.probes = rr_probes,
	.ops = &rr_ops,
};
