// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Ethernet, full duplex. Two members are joined by a cable; more by a store-and-forward switch with a
 * queue of its own for each output.
 */
#include <glib.h>
#include <stdio.h>

#include "engine/draw.h"
#include "net/ethernet-tap.h"
#include "packet/fifo.h"
#include "packet/gso.h"
#include "packet/link.h"
#include "packet/port.h"

#define ETH_FRAME_MIN 60 /* bytes without FCS; shorter frames are padded */
#define ETH_OVERHEAD  24 /* preamble and SFD 8, FCS 4, inter-frame gap 12 */

#define FLIGHT_FIRST 16u /* frames under way that there is room for at first */

struct ethernet_params {
	struct param_list members; /* of struct object *, interfaces */
	int64_t rate; /* bit/s */
	int64_t delay; /* ns, one way */
	int64_t loss; /* 2^-32 a frame */
	int64_t queue; /* packets of a switch's output */
};

/*
 * A frame under way. Its time does not lie in the packet: that has gone from the near caches until it arrives, and is
 * fetched back a frame ahead.
 */
struct flight {
	sim_time arrival;
	struct packet *p;
};

/* A stretch of wire that delivers in order: to the peer, to the switch, or from it. */
struct wire {
	struct ethernet *link;
	struct ethernet_port *to; /* whom it ends at; on the way to a switch, whom it comes from */
	struct flight *flight; /* a ring of .room, a power of two or 0 */
	u32 room, first, n;
	sim_time last; /* arrival of the last frame sent */
	struct event arrive;
	/* What a frame took the last time: the next one is most often as long. */
	u32 timed_len;
	int64_t timed_rate;
	sim_time timed;
};

struct ethernet_port {
	struct port port; /* what the driver sees */
	struct ethernet *link;
	u16 dev; /* interface id */
	struct event sent; /* the frame is out */
	struct wire up; /* from the member */
	sim_time busy; /* ns of transmission in the window, less what lies behind it */
	sim_time busy_until;
	struct draw loss;

	/* the switch's output towards the member */
	struct packet_fifo queue;
	struct event out_sent;
	bool out_busy;
	struct wire down;
};

struct ethernet {
	struct object obj;
	struct ethernet_port **ports;
	u32 n_ports;
	u16 n_port_of; /* entries of .port_of */
	u16 *port_of; /* interface id -> index in .ports */
	struct ethernet_tap *tap; /* NULL: nobody listens */
	u64 in, out, lost, tail; /* frames, for the audit */
	u64 delivered, losses, queue_drops; /* of the window */
};

static const struct ethernet_params *params_of(const struct ethernet *e)
{
	return e->obj.params;
}

/* ---- wires ----------------------------------------------------------------------------------- */

static sim_time frame_time(u32 len, u64 rate)
{
	u64 bits = 8ull * ((len > ETH_FRAME_MIN ? len : ETH_FRAME_MIN) + ETH_OVERHEAD);

	return (sim_time)((bits * SIM_SEC + rate / 2) / rate);
}

/* How long @p is being sent onto @w. */
static sim_time wire_time(struct wire *w, const struct packet *p)
{
	int64_t rate = params_of(w->link)->rate;

	if (p->skb.len != w->timed_len || rate != w->timed_rate) {
		w->timed_len = p->skb.len;
		w->timed_rate = rate;
		w->timed = frame_time(p->skb.len, (u64)rate);
	}
	return w->timed;
}

static struct flight *flight_at(const struct wire *w, u32 i)
{
	return &w->flight[(w->first + i) & (w->room - 1)];
}

static __attribute__((cold, noinline)) void flight_grow(struct wire *w)
{
	u32 room = w->room ? 2 * w->room : FLIGHT_FIRST;
	struct flight *ring = g_new(struct flight, room);

	for (u32 i = 0; i < w->n; i++)
		ring[i] = *flight_at(w, i);
	g_free(w->flight);
	w->flight = ring;
	w->room = room;
	w->first = 0;
}

/* What an arrival touches: headers, hop, times, and the sums of the last layers. */
static void flight_fetch(const struct wire *w, u32 i)
{
	const struct packet *p;

	if (i >= w->n)
		return;
	p = flight_at(w, i)->p;
	__builtin_prefetch(p, 1);
	__builtin_prefetch(&p->src, 1);
	__builtin_prefetch(&p->since, 1);
	__builtin_prefetch(&p->spent[LAYER_WIRE], 1);
}

static void wire_put(struct wire *w, struct packet *p, sim_time arrival)
{
	struct sim *sim = w->link->obj.sim;

	/* A delay that was shortened does not let a frame overtake. */
	if (arrival < w->last)
		arrival = w->last;
	w->last = arrival;
	if (__builtin_expect(w->n == w->room, 0))
		flight_grow(w);
	*flight_at(w, w->n++) = (struct flight){arrival, p};
	if (!event_pending(&w->arrive))
		event_schedule(sim, &w->arrive, arrival);
}

static struct packet *wire_get(struct sim *sim, struct event *ev, struct wire **wire)
{
	struct wire *w = container_of(ev, struct wire, arrive);
	struct packet *p = flight_at(w, 0)->p;

	w->first++;
	if (--w->n) {
		event_schedule(sim, ev, flight_at(w, 0)->arrival);
		flight_fetch(w, 1);
	}
	*wire = w;
	return p;
}

static void arrive_at_member(struct sim *sim, struct event *ev)
{
	struct wire *w;
	struct packet *p = wire_get(sim, ev, &w);
	struct port *port = &w->to->port;

	w->link->out++;
	w->link->delivered++;
	port->client->rx(port->client_arg, p);
}

/* @where: the name of @fn, see event_setup(). */
static void wire_init(struct wire *w, struct ethernet *e, struct ethernet_port *to, event_fn fn,
		      const char *where)
{
	w->link = e;
	w->to = to;
	event_setup(&w->arrive, fn, RANK_DELIVER, where);
}

/* ---- the switch ------------------------------------------------------------------------------ */

static void output_next(struct ethernet_port *out)
{
	struct ethernet *e = out->link;
	struct sim *sim = e->obj.sim;
	struct packet *p = packet_fifo_pop(&out->queue);
	sim_time end;

	out->out_busy = p != NULL;
	if (!p)
		return;
	end = sim->now + wire_time(&out->down, p);
	event_schedule(sim, &out->out_sent, end);
	wire_put(&out->down, p, end + params_of(e)->delay);
}

static void output_sent(struct sim *sim, struct event *ev)
{
	output_next(container_of(ev, struct ethernet_port, out_sent));
}

static void arrive_at_switch(struct sim *sim, struct event *ev)
{
	struct wire *w;
	struct packet *p = wire_get(sim, ev, &w);
	struct ethernet *e = w->link;
	struct ethernet_port *out = e->ports[e->port_of[p->l2_dst]];

	if (out->queue.n >= params_of(e)->queue) {
		e->tail++;
		e->queue_drops++;
		packet_drop(sim, p);
		return;
	}
	packet_fifo_push(&out->queue, p);
	if (!out->out_busy)
		output_next(out);
}

/* ---- the member's transmitter ---------------------------------------------------------------- */

static bool frame_lost(struct ethernet_port *ep)
{
	u64 loss = (u64)params_of(ep->link)->loss;

	/* A draw that cannot hit is counted all the same. */
	if (!loss) {
		ep->loss.index++;
		return false;
	}
	return draw_next_chance(&ep->loss, loss);
}

/* Sends @p from @start on. Returns when it is out. */
static inline __attribute__((always_inline)) sim_time
transmit_frame(struct ethernet_port *ep, struct packet *p, sim_time start)
{
	struct ethernet *e = ep->link;
	sim_time end = start + wire_time(&ep->up, p);

	if (__builtin_expect(e->tap != NULL, 0))
		ethernet_tap_frame(e->tap, p, start, e->obj.sim->now);
	e->in++;
	if (__builtin_expect(frame_lost(ep), 0)) {
		e->lost++;
		e->losses++;
		packet_drop(e->obj.sim, p);
	} else {
		/* Before a switch there is no delay: the whole of it lies behind. */
		wire_put(&ep->up, p, end + (e->n_ports == 2 ? params_of(e)->delay : 0));
	}
	return end;
}

static __attribute__((noinline)) sim_time transmit_segments(struct ethernet_port *ep,
							    struct packet *gso, sim_time start)
{
	struct packet_fifo list = {0};
	struct packet *p;

	packet_segment(ep->link->obj.sim, gso, &list);
	while ((p = packet_fifo_pop(&list)))
		start = transmit_frame(ep, p, start);
	return start;
}

static void ethernet_transmit(struct port *port, struct packet *p)
{
	struct ethernet_port *ep = container_of(port, struct ethernet_port, port);
	struct ethernet *e = ep->link;
	struct sim *sim = e->obj.sim;
	sim_time now = sim->now, end;

	SIM_CHECK(sim, &e->obj, !port->busy, "a port was given a frame while it sends one");
	port->busy = true;
	packet_enter(p, LAYER_WIRE, now);
	end = packet_is_gso(p) ? transmit_segments(ep, p, now) : transmit_frame(ep, p, now);
	ep->busy += end - now;
	ep->busy_until = end;
	event_schedule(sim, &ep->sent, end);
}

static void frame_sent(struct sim *sim, struct event *ev)
{
	struct ethernet_port *ep = container_of(ev, struct ethernet_port, sent);

	ep->port.busy = false;
	ep->port.client->sent(ep->port.client_arg);
}

/* ---- members --------------------------------------------------------------------------------- */

static void *ethernet_join(struct object *link, const struct link_member *m, char *err, size_t len)
{
	struct ethernet *e = (struct ethernet *)link;
	struct ethernet_port *ep = g_new0(struct ethernet_port, 1);

	ep->port.transmit = ethernet_transmit;
	ep->port.rate_bps = params_of(e)->rate;
	ep->link = e;
	ep->dev = m->id;
	draw_init(&ep->loss, link->sim->seed, m->obj->path, "wire.loss");
	event_init(&ep->sent, frame_sent, RANK_MEDIUM);
	event_init(&ep->out_sent, output_sent, RANK_MEDIUM);
	wire_init(&ep->down, e, ep, arrive_at_member, __FILE__ ":arrive_at_member");
	e->ports = g_renew(struct ethernet_port *, e->ports, e->n_ports + 1);
	if (m->id >= e->n_port_of) {
		e->port_of = g_renew(u16, e->port_of, m->id + 1);
		e->n_port_of = m->id + 1;
	}
	e->port_of[m->id] = (u16)e->n_ports;
	e->ports[e->n_ports++] = ep;
	return &ep->port;
}

static void ethernet_ready(struct object *link)
{
	struct ethernet *e = (struct ethernet *)link;

	for (u32 i = 0; i < e->n_ports; i++) {
		struct ethernet_port *ep = e->ports[i];

		if (e->n_ports == 2)
			wire_init(&ep->up, e, e->ports[1 - i], arrive_at_member,
				  __FILE__ ":arrive_at_member");
		else
			wire_init(&ep->up, e, ep, arrive_at_switch, __FILE__ ":arrive_at_switch");
	}
}

static void ethernet_capture(struct object *link, struct capture *out)
{
	((struct ethernet *)link)->tap = ethernet_tap_new(out);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void ethernet_check(const void *params, struct model_check *c)
{
	if (((const struct ethernet_params *)params)->members.n < 2)
		model_check_error(c, "members", "are fewer than two");
}

static void ethernet_changed(struct object *obj, const struct param *p)
{
	struct ethernet *e = (struct ethernet *)obj;

	for (u32 i = 0; i < e->n_ports; i++) {
		struct port *port = &e->ports[i]->port;

		if (port->rate_bps == params_of(e)->rate)
			continue;
		port->rate_bps = params_of(e)->rate;
		if (port->client->rate_changed)
			port->client->rate_changed(port->client_arg, port->rate_bps);
	}
}

static void ethernet_describe(const struct object *obj, struct model_describe *d)
{
	const struct ethernet *e = (const struct ethernet *)obj;

	if (e->n_ports > 2)
		d->queue(d->arg, "switch", params_of(e)->queue, -1, params_of(e)->rate);
}

static void ethernet_audit(const struct object *obj, struct model_audit *a)
{
	const struct ethernet *e = (const struct ethernet *)obj;
	u64 held = 0;

	for (u32 i = 0; i < e->n_ports; i++) {
		const struct ethernet_port *ep = e->ports[i];

		held += ep->up.n + ep->down.n + ep->queue.n;
	}
	a->queue(a->arg, "wire", e->in, e->out, e->lost + e->tail, held);
}

static sim_time busy_beyond(const struct ethernet_port *ep, sim_time now)
{
	return ep->busy_until > now ? ep->busy_until - now : 0;
}

static void ethernet_window_open(struct object *obj)
{
	struct ethernet *e = (struct ethernet *)obj;

	for (u32 i = 0; i < e->n_ports; i++)
		e->ports[i]->busy = busy_beyond(e->ports[i], obj->sim->now);
}

static void ethernet_window_close(struct object *obj)
{
	struct ethernet *e = (struct ethernet *)obj;

	for (u32 i = 0; i < e->n_ports; i++)
		e->ports[i]->busy -= busy_beyond(e->ports[i], obj->sim->now);
}

static int64_t busy_share(const struct object *obj, int64_t window)
{
	const struct ethernet *e = (const struct ethernet *)obj;
	sim_time most = 0;

	for (u32 i = 0; i < e->n_ports; i++)
		if (e->ports[i]->busy > most)
			most = e->ports[i]->busy;
	return window ? (int64_t)((__int128)most * 1000000 / window) : METRIC_ABSENT;
}

static void ethernet_fini(struct object *obj)
{
	struct ethernet *e = (struct ethernet *)obj;

	for (u32 i = 0; i < e->n_ports; i++) {
		g_free(e->ports[i]->up.flight);
		g_free(e->ports[i]->down.flight);
		g_free(e->ports[i]);
	}
	g_free(e->ports);
	g_free(e->port_of);
	ethernet_tap_free(e->tap);
}

static const struct param member_field[] = {
	{.name = "member", .type = PARAM_REF, .kind = &kind_interface, .doc = "an interface"},
	PARAM_END,
};

static const struct param ethernet_param_table[] = {
	{.name = "members",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = offsetof(struct ethernet_params, members),
	 .doc = "interfaces on it: two on a cable, more on a switch",
	 .fields = member_field,
	 .size = sizeof(struct object *)},
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_params, rate),
	 .def = "1Gbit",
	 .min = 1000,
	 .max = 400000000000,
	 .doc = "rate of every port"},
	{.name = "delay",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_params, delay),
	 .def = "1us",
	 .min = 0,
	 .max = 100 * SIM_SEC,
	 .doc = "one-way delay between two members"},
	{.name = "loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_params, loss),
	 .def = "0",
	 .min = 0,
	 .max = PROB_ONE,
	 .doc = "share of frames that are lost, each by its own draw"},
	{.name = "queue",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_params, queue),
	 .def = "1000",
	 .min = 1,
	 .max = 1000000,
	 .doc = "packets of each output of the switch"},
	PARAM_END,
};

static const struct probe ethernet_probes[] = {
	{.name = "delivered",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ethernet, delivered),
	 .doc = "frames that arrived"},
	{.name = "losses",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ethernet, losses),
	 .doc = "frames lost on the wire"},
	{.name = "queue_drops",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ethernet, queue_drops),
	 .doc = "frames dropped at a full output of the switch"},
	{.name = "busy_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = busy_share,
	 .doc = "time that the busiest member sent for"},
	PROBE_END,
};

static const struct model_ops ethernet_ops = {
	.check = ethernet_check,
	.changed = ethernet_changed,
	.describe = ethernet_describe,
	.audit = ethernet_audit,
	.window_open = ethernet_window_open,
	.window_close = ethernet_window_close,
	.fini = ethernet_fini,
};

static const struct link_ops ethernet_link_ops = {
	.medium = "ethernet",
	.join = ethernet_join,
	.ready = ethernet_ready,
	.capture_type = CAPTURE_ETHERNET,
	.capture = ethernet_capture,
};

const struct model_class ethernet_class = {
	.kind = &kind_link,
	.name = "ethernet",
	.doc = "a full-duplex cable, or a switch",
	.source = "IEEE 802.3-2018 clauses 3 and 4: frame, preamble, inter-frame gap",
	.not_modelled =
		"Flow control, broadcasts, address learning: the switch knows its members.\n"
		"Its outputs are all of one rate and never block each other.",
	.size = sizeof(struct ethernet),
	.params_size = sizeof(struct ethernet_params),
	.params = ethernet_param_table,
	.probes = ethernet_probes,
	.ops = &ethernet_ops,
	.kind_ops = &ethernet_link_ops,
};
