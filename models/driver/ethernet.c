// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A plain Ethernet card: a ring of one descriptor a packet, and an interrupt at most each `itr` for what
 * was sent and received since. For hosts where the card is not the question.
 */
#include <glib.h>

#include "driver/driver.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"
#include "packet/gso.h"
#include "packet/port.h"

struct ethernet_nic_params {
	int64_t ring; /* packets */
	int64_t rx_ring; /* packets */
	int64_t itr; /* ns between interrupts, 0: one for each event */
};

/* A descriptor from xmit to clean-up: what the stack wants to know of a packet that has gone on. */
struct tx_slot {
	u32 len;
	sim_time since;
	struct sk_buff account; /* .destructor NULL when nobody asks */
};

struct ethernet_nic {
	struct object obj;
	struct port *port;
	const struct layer_up *up;
	void *up_arg;

	struct packet_fifo waiting; /* in the ring, not yet on the wire */
	struct tx_slot *slots; /* of the ring, packets sent and not cleaned up included */
	u32 head, used; /* the oldest; how many */
	u32 sent; /* of them are out */
	bool stopped;

	struct packet_fifo received;
	struct event interrupt;
	sim_time last_interrupt;

	struct queue_stat ring;
	u64 in, out; /* packets into the ring and onto the wire, for the audit */
	u64 rx_in, rx_out, rx_dropped; /* the same of the receive ring */
	u64 interrupts, packets, missed; /* of the window */
};

static const struct ethernet_nic_params *params_of(const struct ethernet_nic *n)
{
	return n->obj.params;
}

/* The queue opens when a quarter of the ring is free. */
static bool room_to_wake(const struct ethernet_nic *n)
{
	u32 ring = (u32)params_of(n)->ring;

	return n->used + (ring + 3) / 4 <= ring;
}

/* ---- transmit -------------------------------------------------------------------------------- */

static void start(struct ethernet_nic *n)
{
	struct packet *p;

	if (n->port->busy)
		return;
	p = packet_fifo_pop(&n->waiting);
	if (!p)
		return;
	n->out++;
	n->port->transmit(n->port, p);
}

static enum xmit_result nic_xmit(void *down, u32 queue, struct packet *p)
{
	struct ethernet_nic *n = down;
	u32 ring = (u32)params_of(n)->ring;
	sim_time now = n->obj.sim->now;
	struct tx_slot *slot;

	if (n->used == ring) {
		n->stopped = true;
		return XMIT_BUSY;
	}
	slot = &n->slots[(n->head + n->used) % ring];
	n->used++;
	slot->len = p->skb.len;
	slot->since = now;
	slot->account.destructor = p->skb.destructor;
	if (p->skb.destructor) {
		slot->account = p->skb;
		p->skb.destructor = NULL;
	}
	queue_stat_in(&n->ring, now, p->skb.len);
	n->in++;
	packet_enter(p, LAYER_RING, now);
	packet_fifo_push(&n->waiting, p);
	start(n);
	n->stopped = n->used == ring;
	return n->stopped ? XMIT_OK_STOP : XMIT_OK;
}

/* Frees the descriptors of what is out. */
static void clean(struct ethernet_nic *n)
{
	struct tx_status st = {0};
	u32 ring = (u32)params_of(n)->ring;
	sim_time now = n->obj.sim->now;

	while (n->sent) {
		struct tx_slot *slot = &n->slots[n->head];

		n->head = (n->head + 1) % ring;
		n->sent--;
		n->used--;
		st.packets++;
		st.bytes += slot->len;
		queue_stat_out(&n->ring, now, slot->len, now - slot->since);
		if (slot->account.destructor)
			slot->account.destructor(&slot->account);
	}
	if (!st.packets)
		return;
	n->packets += st.packets;
	n->up->tx_status(n->up_arg, &st);
	if (n->stopped && room_to_wake(n)) {
		n->stopped = false;
		n->up->wake(n->up_arg, 0);
	}
}

/* ---- interrupts and receive ------------------------------------------------------------------ */

static void deliver(struct ethernet_nic *n)
{
	struct sim *sim = n->obj.sim;
	struct packet *p;

	while ((p = packet_fifo_pop(&n->received))) {
		n->rx_out++;
		n->packets++;
		sim->n_packets++;
		p->skb.priority = 0;
		n->up->rx(n->up_arg, p);
	}
}

static void interrupt(struct sim *sim, struct event *ev)
{
	struct ethernet_nic *n = container_of(ev, struct ethernet_nic, interrupt);

	n->interrupts++;
	n->last_interrupt = sim->now;
	clean(n);
	deliver(n);
}

static void raise_interrupt(struct ethernet_nic *n)
{
	struct sim *sim = n->obj.sim;
	sim_time at = n->last_interrupt + params_of(n)->itr;

	if (!event_pending(&n->interrupt))
		event_schedule(sim, &n->interrupt, at > sim->now ? at : sim->now);
}

static void port_sent(void *arg)
{
	struct ethernet_nic *n = arg;

	n->sent++;
	start(n);
	raise_interrupt(n);
}

static void port_rx(void *arg, struct packet *p)
{
	struct ethernet_nic *n = arg;
	struct sim *sim = n->obj.sim;

	n->rx_in++;
	packet_enter(p, LAYER_HOST, sim->now);
	if (n->received.n >= params_of(n)->rx_ring) {
		n->rx_dropped++;
		n->missed++;
		packet_drop(sim, p);
		return;
	}
	packet_fifo_push(&n->received, p);
	raise_interrupt(n);
}

static const struct port_client client = {.sent = port_sent, .rx = port_rx};

/* ---- the declaration ------------------------------------------------------------------------- */

static void nic_set_up(void *down, const struct layer_up *ops, void *up)
{
	struct ethernet_nic *n = down;

	n->up = ops;
	n->up_arg = up;
}

static void nic_attach(struct object *drv, const struct driver_env *env)
{
	struct ethernet_nic *n = (struct ethernet_nic *)drv;

	n->port = env->medium;
	n->port->client = &client;
	n->port->client_arg = n;
}

static void nic_init(struct object *obj)
{
	struct ethernet_nic *n = (struct ethernet_nic *)obj;

	n->slots = g_new0(struct tx_slot, params_of(n)->ring);
	n->last_interrupt = -params_of(n)->itr;
	event_init(&n->interrupt, interrupt, RANK_COMPLETE);
	queue_stat_init(&n->ring, NULL);
}

static void nic_describe(const struct object *obj, struct model_describe *d)
{
	const struct ethernet_nic *n = (const struct ethernet_nic *)obj;

	d->queue(d->arg, "ring", params_of(n)->ring, -1, n->port ? n->port->rate_bps : 0);
}

static void nic_audit(const struct object *obj, struct model_audit *a)
{
	const struct ethernet_nic *n = (const struct ethernet_nic *)obj;

	a->queue(a->arg, "ring", n->in, n->out, 0, n->waiting.n);
	a->queue(a->arg, "rx_ring", n->rx_in, n->rx_out, n->rx_dropped, n->received.n);
}

static int64_t interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct ethernet_nic *n = (const struct ethernet_nic *)obj;

	return n->packets ? (int64_t)((__int128)n->interrupts * 1000000 / n->packets)
			  : METRIC_ABSENT;
}

static void nic_window_open(struct object *obj)
{
	struct ethernet_nic *n = (struct ethernet_nic *)obj;

	n->interrupts = 0;
	n->packets = 0;
}

static void nic_fini(struct object *obj)
{
	g_free(((struct ethernet_nic *)obj)->slots);
}

static const struct param nic_params[] = {
	{.name = "ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ethernet_nic_params, ring),
	 .def = "256",
	 .min = 1,
	 .max = 65536,
	 .doc = "packets that the transmit ring takes before the queue stops",
	 .linux_name = "ethtool -G tx"},
	{.name = "rx_ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ethernet_nic_params, rx_ring),
	 .def = "256",
	 .min = 1,
	 .max = 65536,
	 .doc = "packets that may wait for the receive interrupt",
	 .linux_name = "ethtool -G rx"},
	{.name = "itr",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_nic_params, itr),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "least time between two interrupts",
	 .linux_name = "ethtool -C rx-usecs"},
	PARAM_END,
};

static const struct probe nic_probes[] = {
	{.name = "ring",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .offset = offsetof(struct ethernet_nic, ring),
	 .doc = "transmit ring, until the descriptor is cleaned up"},
	{.name = "missed",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ethernet_nic, missed),
	 .doc = "dropped for want of a receive descriptor"},
	{.name = "interrupts_per_packet",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = interrupts_per_packet,
	 .doc = "interrupts for each packet sent or received"},
	PROBE_END,
};

static const struct model_ops nic_ops = {
	.init = nic_init,
	.describe = nic_describe,
	.audit = nic_audit,
	.window_open = nic_window_open,
	.fini = nic_fini,
};

static const struct driver_ops nic_driver_ops = {
	.medium = "ethernet",
	.down = {.n_queues = 1, .xmit = nic_xmit, .set_up = nic_set_up, .bql = true, .tso = true},
	.attach = nic_attach,
};

const struct model_class ethernet_nic_class = {
	.kind = &kind_driver,
	.name = "ethernet",
	.doc = "a plain Ethernet card: one descriptor a packet, moderated interrupts",
	.source = "the common form of Linux's Ethernet drivers",
	.not_modelled = "Several descriptors a packet (see e1000 and ag71xx), NAPI's budget.",
	.size = sizeof(struct ethernet_nic),
	.params_size = sizeof(struct ethernet_nic_params),
	.params = nic_params,
	.probes = nic_probes,
	.ops = &nic_ops,
	.kind_ops = &nic_driver_ops,
};
