// SPDX-License-Identifier: GPL-3.0-or-later
/* Datagrams of one size at a constant rate, or at random times of that rate. */
#include <glib.h>
#include <stdio.h>

#include "engine/draw.h"
#include "measure/micro.h"
#include "traffic/exponential.h"
#include "traffic/models.h"
#include "transport/sock.h"

#define UDP_HEADERS 28

struct cbr_flow {
	struct udp_cbr *cbr;
	struct udp_sock *tx, *rx;
	struct event next;
	struct draw gaps;
	sim_time origin; /* of the clock that counts from @origin_seq */
	u32 seq, origin_seq;
	u32 first; /* sequence number of the first that counts */
	u32 highest; /* received so far, plus 1 */
	u64 received; /* of those that count */
};

struct udp_cbr {
	struct traffic t;
	struct cbr_flow *flows;
	struct traffic_delay delay;
	u64 sent_bytes, received_bytes;
	u64 received, lost, unfinished, reordered, local_drops; /* of the window */
};

static const struct udp_cbr_params *params_of(const struct udp_cbr *c)
{
	return c->t.obj.params;
}

/* When packet @n after the origin is due: no rounding error adds up. */
static sim_time due(const struct udp_cbr *c, const struct cbr_flow *f, u32 n)
{
	const struct udp_cbr_params *par = params_of(c);
	unsigned __int128 bits = (unsigned __int128)n * 8 * par->size * par->flows;

	return f->origin + (sim_time)(bits * SIM_SEC / par->rate);
}

static void cbr_receive(void *arg, struct packet *p)
{
	struct cbr_flow *f = arg;
	struct udp_cbr *c = f->cbr;
	struct sim *sim = c->t.obj.sim;
	u32 seq = p->dgram.seq;

	if (traffic_counts(&c->t)) {
		c->received++;
		c->received_bytes += p->payload;
		if (seq < f->highest)
			c->reordered++;
		traffic_delay_add(&c->delay, p, sim->now);
	}
	if (seq >= f->first)
		f->received++;
	if (seq >= f->highest)
		f->highest = seq + 1;
	packet_free(sim, p);
}

static void cbr_next(struct sim *sim, struct event *ev)
{
	struct cbr_flow *f = container_of(ev, struct cbr_flow, next);
	struct udp_cbr *c = f->cbr;
	const struct udp_cbr_params *par = params_of(c);
	sim_time mean = due(c, f, 1) - f->origin;

	if (traffic_stopped(&c->t))
		return;
	if (udp_send(f->tx, c->t.to->id, udp_port(f->rx), (u32)par->size, c->t.tos, c->t.priority,
		     f->seq, 0))
		c->local_drops++;
	c->sent_bytes += (u64)par->size;
	f->seq++;
	if (par->poisson)
		event_schedule_in(sim, ev, exponential_next(&f->gaps, mean));
	else
		event_schedule(sim, ev, due(c, f, f->seq - f->origin_seq));
}

/* Flows share the rate evenly, so they also share the interval. */
static void cbr_begin(struct sim *sim, struct event *ev)
{
	struct udp_cbr *c = container_of(ev, struct udp_cbr, t.begin);
	const struct udp_cbr_params *par = params_of(c);
	u32 mtu = ip_mtu(c->t.from, c->t.to->id);

	SIM_CHECK(sim, &c->t.obj, par->size + UDP_HEADERS <= mtu,
		  "a datagram of %lld bytes does not fit the MTU of %u, and none is fragmented",
		  (long long)par->size, mtu);
	for (u32 i = 0; i < par->flows; i++) {
		struct cbr_flow *f = &c->flows[i];

		f->origin = sim->now;
		if (par->poisson)
			event_schedule_in(sim, &f->next,
					  exponential_next(&f->gaps, due(c, f, 1) - sim->now));
		else
			event_schedule_in(sim, &f->next,
					  (due(c, f, 1) - sim->now) * i / par->flows);
		f->origin = par->poisson ? sim->now : event_due(&f->next);
	}
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void cbr_init(struct object *obj)
{
	struct udp_cbr *c = (struct udp_cbr *)obj;

	traffic_init(obj);
	traffic_delay_init(&c->delay);
	c->flows = g_new0(struct cbr_flow, params_of(c)->flows);
}

static void cbr_start(struct object *obj)
{
	struct udp_cbr *c = (struct udp_cbr *)obj;
	char domain[32];

	traffic_start(&c->t, cbr_begin, NULL);
	for (u32 i = 0; i < params_of(c)->flows; i++) {
		struct cbr_flow *f = &c->flows[i];

		f->cbr = c;
		f->tx = udp_open(c->t.from, 0, NULL, NULL);
		f->rx = udp_open(c->t.to, 0, cbr_receive, f);
		event_init(&f->next, cbr_next, RANK_TIMER);
		snprintf(domain, sizeof(domain), "gaps.%u", i);
		draw_init(&f->gaps, obj->sim->seed, obj->path, domain);
	}
}

/* The clock starts anew with the new rate or size. */
static void cbr_changed(struct object *obj, const struct param *p)
{
	struct udp_cbr *c = (struct udp_cbr *)obj;

	for (u32 i = 0; i < params_of(c)->flows; i++) {
		struct cbr_flow *f = &c->flows[i];

		f->origin = obj->sim->now;
		f->origin_seq = f->seq;
		if (event_pending(&f->next) && event_due(&f->next) > due(c, f, 1))
			event_schedule(obj->sim, &f->next, due(c, f, 1));
	}
}

static void cbr_window_open(struct object *obj)
{
	struct udp_cbr *c = (struct udp_cbr *)obj;

	traffic_window_open(obj);
	c->sent_bytes = 0;
	c->received_bytes = 0;
	for (u32 i = 0; i < params_of(c)->flows; i++) {
		c->flows[i].first = c->flows[i].seq;
		c->flows[i].received = 0;
	}
}

static void cbr_window_close(struct object *obj)
{
	struct udp_cbr *c = (struct udp_cbr *)obj;

	traffic_window_close(obj);
	for (u32 i = 0; i < params_of(c)->flows; i++) {
		struct cbr_flow *f = &c->flows[i];
		u32 known = f->highest > f->first ? f->highest - f->first : 0;

		c->lost += known > f->received ? known - f->received : 0;
		c->unfinished += f->seq - f->first - known;
	}
}

static int64_t cbr_goodput(const struct object *obj, int64_t window)
{
	const struct udp_cbr *c = (const struct udp_cbr *)obj;

	return traffic_mbit(c->received_bytes,
			    traffic_until(&c->t, SIM_TIME_MAX) - traffic_from(&c->t));
}

static int64_t cbr_sent(const struct object *obj, int64_t window)
{
	const struct udp_cbr *c = (const struct udp_cbr *)obj;

	return traffic_mbit(c->sent_bytes,
			    traffic_until(&c->t, SIM_TIME_MAX) - traffic_from(&c->t));
}

static void cbr_fini(struct object *obj)
{
	g_free(((struct udp_cbr *)obj)->flows);
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

static const struct probe cbr_probes[] = {
	{.name = "goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = cbr_goodput,
	 .doc = "payload that arrived"},
	{.name = "sent_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = cbr_sent,
	 .doc = "payload that was sent"},
	TRAFFIC_DELAY_PROBES(struct udp_cbr, delay),
	{.name = "received_bytes",
	 .unit = "bytes",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, received_bytes),
	 .doc = "payload that arrived"},
	{.name = "received",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, received),
	 .doc = "datagrams that arrived"},
	{.name = "lost",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, lost),
	 .doc = "missing before the last that arrived"},
	{.name = "unfinished",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, unfinished),
	 .doc = "sent after the last that arrived"},
	{.name = "reordered",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, reordered),
	 .doc = "arrived after one that was sent later"},
	{.name = "local_drops",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct udp_cbr, local_drops),
	 .doc = "dropped by the sender's own qdisc"},
	PROBE_END,
};

static const struct model_ops cbr_ops = {
	.init = cbr_init,
	.start = cbr_start,
	.changed = cbr_changed,
	.window_open = cbr_window_open,
	.window_close = cbr_window_close,
	.fini = cbr_fini,
};

const struct model_class udp_cbr_class = {
	.kind = &kind_traffic,
	.name = "udp_cbr",
	.doc = "datagrams at a constant or random rate",
	.source = "iperf 2 in UDP mode",
	.not_modelled = "The receiver's socket buffer: it reads at once. Fragmented datagrams.",
	.size = sizeof(struct udp_cbr),
	.params_size = sizeof(struct udp_cbr_params),
	.params = cbr_params,
	.probes = cbr_probes,
	.ops = &cbr_ops,
};
