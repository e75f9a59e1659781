// SPDX-License-Identifier: GPL-3.0-or-later
/* Requests and responses over TCP connections that stay open, one at a time on each: netperf's TCP_RR. */
#include <glib.h>
#include <stdio.h>

#include "traffic/models.h"
#include "transport/sock.h"

struct rr_flow {
	struct tcp_rr *rr;
	struct event start;
	char name[80];
	struct tcp_sock *client, *server;
	sim_time began; /* of the transaction */
	u64 request_left, response_left; /* bytes that the send buffer has not taken yet */
	u64 request_got, response_got; /* bytes of the transaction that arrived */
};

struct tcp_rr {
	struct rr base;
	struct rr_flow *flows;
	struct histogram rtt; /* ns */
};

static const struct tcp_rr_params *params_of(const struct tcp_rr *rr)
{
	return rr->base.t.obj.params;
}

/* ---- the client ------------------------------------------------------------------------------ */

static void request_write(struct rr_flow *f)
{
	f->request_left -= tcp_write(f->client, f->request_left);
}

static void request_send(struct rr_flow *f)
{
	f->began = f->rr->base.t.obj.sim->now;
	f->request_left = (u64)params_of(f->rr)->rr.request;
	request_write(f);
}

static void client_established(void *arg, struct tcp_sock *sk)
{
	struct rr_flow *f = arg;

	f->client = sk;
	request_send(f);
}

static void client_writable(void *arg, struct tcp_sock *sk)
{
	struct rr_flow *f = arg;

	if (f->request_left)
		request_write(f);
}

static void client_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct rr_flow *f = arg;
	struct tcp_rr *rr = f->rr;
	struct host *h = rr->base.t.from;
	sim_time now = rr->base.t.obj.sim->now;

	f->response_got += bytes;
	if (f->response_got < (u64)params_of(rr)->rr.response)
		return;
	f->response_got = 0;
	rr_work(&rr->base, h);
	if (traffic_stopped(&rr->base.t)) {
		tcp_close(sk);
		return;
	}
	if (traffic_counts(&rr->base.t)) {
		rr->base.transactions++;
		histogram_add(&rr->rtt, now - f->began, 1);
	}
	request_send(f);
}

/* ---- the server ------------------------------------------------------------------------------ */

static void response_write(struct rr_flow *f)
{
	f->response_left -= tcp_write(f->server, f->response_left);
}

static void server_writable(void *arg, struct tcp_sock *sk)
{
	struct rr_flow *f = arg;

	if (f->response_left)
		response_write(f);
}

static void server_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct rr_flow *f = arg;
	struct host *h = f->rr->base.t.to;

	f->server = sk;
	f->request_got += bytes;
	if (f->request_got < (u64)params_of(f->rr)->rr.request)
		return;
	f->request_got = 0;
	rr_work(&f->rr->base, h);
	f->response_left = (u64)params_of(f->rr)->rr.response;
	response_write(f);
}

static const struct tcp_user client = {.established = client_established,
				       .writable = client_writable,
				       .readable = client_readable};
static const struct tcp_user server = {.writable = server_writable, .readable = server_readable};

static void rr_connect(struct sim *sim, struct event *ev)
{
	struct rr_flow *f = container_of(ev, struct rr_flow, start);
	struct tcp_rr *rr = f->rr;
	struct tcp_open open = {
		.from = rr->base.t.from,
		.to = rr->base.t.to,
		.client = &client,
		.server = &server,
		.client_arg = f,
		.server_arg = f,
		.tos = rr->base.t.tos,
		.priority = rr->base.t.priority,
		.name = f->name,
	};

	f->client = tcp_connect(&open);
}

static void rr_begin(struct sim *sim, struct event *ev)
{
	struct tcp_rr *rr = container_of(ev, struct tcp_rr, base.t.begin);

	for (u32 i = 0; i < params_of(rr)->rr.flows; i++)
		event_schedule_in(sim, &rr->flows[i].start, i * params_of(rr)->stagger);
}

static void rr_end(struct sim *sim, struct event *ev)
{
	struct tcp_rr *rr = container_of(ev, struct tcp_rr, base.t.end);

	for (u32 i = 0; i < params_of(rr)->rr.flows; i++)
		event_cancel(sim, &rr->flows[i].start);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void rr_init(struct object *obj)
{
	struct tcp_rr *rr = (struct tcp_rr *)obj;

	traffic_init(obj);
	rr->flows = g_new0(struct rr_flow, params_of(rr)->rr.flows);
}

static void rr_start(struct object *obj)
{
	struct tcp_rr *rr = (struct tcp_rr *)obj;

	traffic_start(&rr->base.t, rr_begin, rr_end);
	for (u32 i = 0; i < params_of(rr)->rr.flows; i++) {
		struct rr_flow *f = &rr->flows[i];

		f->rr = rr;
		event_init(&f->start, rr_connect, RANK_TIMER);
		snprintf(f->name, sizeof(f->name), "%s.%u", obj->path, i);
	}
}

static void rr_fini(struct object *obj)
{
	g_free(((struct tcp_rr *)obj)->flows);
}

static const struct param rr_params[] = {
	RR_PARAMS(1 << 30, "connections"),
	{.name = "stagger",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tcp_rr_params, stagger),
	 .def = "0s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "from the start of one flow to that of the next"},
	PARAM_END,
};

static const struct probe rr_probes[] = {
	RR_PROBES,
	{.name = "rtt_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 .offset = offsetof(struct tcp_rr, rtt),
	 .per = SIM_MS,
	 .doc = "time of a transaction"},
	PROBE_END,
};

static const struct model_ops rr_ops = {
	.init = rr_init,
	.wired = traffic_wired,
	.start = rr_start,
	.window_open = traffic_window_open,
	.window_close = traffic_window_close,
	.fini = rr_fini,
};

const struct model_class tcp_rr_class = {
	.kind = &kind_traffic,
	.name = "tcp_rr",
	.doc = "requests and responses over open TCP connections",
	.source = "netperf TCP_RR",
	.size = sizeof(struct tcp_rr),
	.params_size = sizeof(struct tcp_rr_params),
	.params = rr_params,
	.probes = rr_probes,
	.ops = &rr_ops,
};
