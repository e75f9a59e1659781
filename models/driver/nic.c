// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/nic.h"

#include <glib.h>

#include "engine/follow.h"
#include "measure/micro.h"

/* Packets that one round of a poll receives (NAPI_POLL_WEIGHT). */
#define RX_BUDGET 64

#define SLOTS_FIRST 8u

/* ---- transmit -------------------------------------------------------------------------------- */

static void start(struct nic *n)
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

/* The slot @i places behind the oldest. */
static struct nic_slot *slot_at(const struct nic *n, u32 i)
{
	return &n->slots[(n->head + i) & (n->room - 1)];
}

static __attribute__((cold, noinline)) void slots_grow(struct nic *n)
{
	u32 room = n->room ? 2 * n->room : SLOTS_FIRST;
	struct nic_slot *slots = g_new(struct nic_slot, room);

	for (u32 i = 0; i < n->n_slots; i++)
		slots[i] = *slot_at(n, i);
	g_free(n->slots);
	n->slots = slots;
	n->room = room;
	n->head = 0;
}

/* @rules: n->rules, as in nic_xmit(). */
static inline __attribute__((always_inline)) void
slot_fill(struct nic *n, struct packet *p, u32 descriptors, const struct nic_rules *rules)
{
	sim_time now = n->obj.sim->now;
	struct nic_slot *slot;

	if (__builtin_expect(n->n_slots == n->room, 0))
		slots_grow(n);
	slot = slot_at(n, n->n_slots++);
	*slot = (struct nic_slot){
		.since = now,
		.len = p->skb.len,
		.link_len = rules->polled ? packet_len_on_link(p) : 0,
		.segments = packet_segments(p),
		.descriptors = descriptors,
		.destructor = p->skb.destructor,
		.sk = p->skb.sk,
		.truesize = p->skb.truesize,
	};
	/* The packet goes on to its receiver. */
	p->skb.destructor = NULL;
	n->used += descriptors;
	if (rules->descriptors)
		gauge_set(&n->descriptors, now, n->used);
	queue_stat_in(&n->ring, now, slot->len);
	n->in++;
}

static void account_close(const struct nic_slot *slot)
{
	struct sk_buff account;

	account.sk = slot->sk;
	account.truesize = slot->truesize;
	account.len = slot->len;
	slot->destructor(&account);
}

static inline __attribute__((always_inline)) enum xmit_result xmit(struct nic *n, struct packet *p,
								   const struct nic_rules *rules)
{
	u32 descriptors = rules->descriptors ? rules->descriptors(n, p) : 1;
	bool room = rules->room ? rules->room(n, p, descriptors)
				: n->used + descriptors <= n->n_descriptors;

	if (!room) {
		n->stopped = true;
		return XMIT_BUSY;
	}
	slot_fill(n, p, descriptors, rules);
	if (rules->taken)
		rules->taken(n, p);
	packet_enter(p, LAYER_RING, n->obj.sim->now);
	if (n->port->busy) {
		packet_fifo_push(&n->waiting, p);
	} else {
		n->out++;
		n->port->transmit(n->port, p);
	}
	n->stopped = rules->stops ? rules->stops(n) : n->used == n->n_descriptors;
	return n->stopped ? XMIT_OK_STOP : XMIT_OK;
}

/* What a card without rules of its own for the transmit ring has. */
static const struct nic_rules no_rules = {0};

enum xmit_result nic_xmit(void *down, u32 queue, struct packet *p)
{
	struct nic *n = down;

	/* Compiled twice. */
	return n->no_rules ? xmit(n, p, &no_rules) : xmit(n, p, n->rules);
}

/* Frees the descriptors of what is out. */
static inline __attribute__((always_inline)) void reclaim(struct nic *n, struct tx_status *st)
{
	sim_time now = n->obj.sim->now;

	for (; n->sent; n->sent--) {
		struct nic_slot *slot = slot_at(n, 0);

		n->head++;
		n->n_slots--;
		n->used -= slot->descriptors;
		st->packets++;
		st->bytes += slot->len;
		if (n->rules->polled) {
			n->work.tx_packets += slot->segments;
			n->work.tx_bytes += slot->link_len;
		}
		n->packets += slot->segments;
		queue_stat_out(&n->ring, now, slot->len, now - slot->since);
		if (slot->destructor)
			account_close(slot);
	}
	if (n->rules->descriptors)
		gauge_set(&n->descriptors, now, n->used);
}

/* Says what was reclaimed, once, and wakes the queue. */
static void report(struct nic *n, const struct tx_status *st)
{
	n->up->tx_status(n->up_arg, st);
	if (n->stopped && n->rules->wakes(n)) {
		n->stopped = false;
		n->up->wake(n->up_arg, 0);
	}
}

static __attribute__((noinline)) void clean(struct nic *n)
{
	struct tx_status st = {0};

	if (!n->sent)
		return;
	reclaim(n, &st);
	report(n, &st);
}

/* ---- interrupts and receive ------------------------------------------------------------------ */

static void deliver(struct nic *n, struct packet *p)
{
	n->rx_out++;
	n->packets++;
	if (n->rules->polled) {
		n->work.rx_packets++;
		n->work.rx_bytes += p->skb.len;
	}
	n->obj.sim->n_packets++;
	p->skb.priority = 0;
	n->up->rx(n->up_arg, p);
}

static void raise_interrupt(struct nic *n, bool tx)
{
	sim_time now = n->obj.sim->now, at;

	if (n->gap) {
		at = n->last_interrupt + *n->gap;
		at = at > now ? at : now;
	} else {
		at = n->rules->interrupt_at(n, tx);
	}
	/* Masked: it comes when the poll is over. */
	if (n->polling)
		return;
	if (event_pending(&n->interrupt)) {
		if (event_due(&n->interrupt) != at)
			event_schedule(n->obj.sim, &n->interrupt, at);
	} else if (at == now) {
		event_follow(n->obj.sim, &n->interrupt);
	} else {
		event_schedule(n->obj.sim, &n->interrupt, at);
	}
}

/*
 * A poll ends when it finds no more to receive, so NAPI's budget only says how often it cleans the transmit
 * ring on the way.
 */
static inline __attribute__((always_inline)) void poll_end(struct nic *n)
{
	if (n->rules->polled)
		n->rules->polled(n, &n->work);
	n->polling = false;
	if (n->sent)
		raise_interrupt(n, true);
}

/* One packet after the other, each when the processor has done with the last. */
static void poll_step(struct sim *sim, struct event *ev)
{
	struct nic *n = container_of(ev, struct nic, step);
	struct packet *p = n->taken;

	n->taken = NULL;
	if (p)
		deliver(n, p);
	if (n->budget-- == 0) {
		clean(n);
		n->budget = RX_BUDGET;
	}
	n->taken = packet_fifo_pop(&n->received);
	if (n->taken)
		cpu_charge(n->cpu, sim->now, n->cpu->per_packet);
	else if (n->cpu->free <= sim->now) {
		poll_end(n);
		return;
	}
	event_schedule(sim, ev, n->cpu->free);
}

/* Nothing but frames that are out, as clean() and poll_end(); what the report leads to may follow at once. */
static __attribute__((noinline)) void poll_sent(struct nic *n)
{
	struct tx_status st = {.last = !n->stopped};

	reclaim(n, &st);
	poll_end(n);
	report(n, &st);
}

static void poll_begin(struct nic *n)
{
	n->interrupts++;
	n->last_interrupt = n->obj.sim->now;
	n->polling = true;
	if (n->rules->polled)
		n->work = (struct nic_work){0};
}

static void poll(struct sim *sim, struct event *ev)
{
	struct nic *n = container_of(ev, struct nic, interrupt);
	struct packet *p;

	poll_begin(n);
	if (n->cpu && n->cpu->per_packet) {
		n->budget = 0;
		event_schedule(sim, &n->step, cpu_when_free(n->cpu, sim->now));
		return;
	}
	if (n->sent && !n->received.head) {
		poll_sent(n);
		return;
	}
	clean(n);
	while ((p = packet_fifo_pop(&n->received)))
		deliver(n, p);
	poll_end(n);
}

/*
 * The interrupt of a plain card comes at once, nothing goes before it, and there is nothing for its poll but the one frame
 * that it comes for: raise_interrupt() without the event, which counts as one.
 */
static bool polled_at_once(struct nic *n)
{
	struct sim *sim = n->obj.sim;

	if (!n->gap || n->last_interrupt + *n->gap > sim->now || n->received.head || n->polling ||
	    event_pending(&n->interrupt) || (n->cpu && n->cpu->per_packet) ||
	    !event_may_follow(sim))
		return false;
	event_followed(sim);
	poll_begin(n);
	return true;
}

static void port_sent(void *arg)
{
	struct nic *n = arg;

	n->sent++;
	start(n);
	if (polled_at_once(n))
		poll_sent(n);
	else
		raise_interrupt(n, true);
}

static void port_rx(void *arg, struct packet *p)
{
	struct nic *n = arg;
	struct sim *sim = n->obj.sim;

	n->rx_in++;
	packet_enter(p, LAYER_HOST, sim->now);
	if (!n->sent && polled_at_once(n)) {
		deliver(n, p);
		poll_end(n);
		return;
	}
	if (n->received.n >= n->rx_ring) {
		n->rx_dropped++;
		n->missed++;
		packet_drop(sim, p);
		return;
	}
	packet_fifo_push(&n->received, p);
	raise_interrupt(n, false);
}

static const struct port_client client = {.sent = port_sent, .rx = port_rx};

/* ---- what a driver's declaration is made of ---------------------------------------------------- */

void nic_init(struct nic *n, const struct nic_rules *rules, u32 descriptors, u32 rx_ring)
{
	n->rules = rules;
	n->no_rules = !rules->descriptors && !rules->room && !rules->taken && !rules->stops &&
		      !rules->polled;
	n->n_descriptors = descriptors;
	n->rx_ring = rx_ring;
	n->last_interrupt = -SIM_SEC;
	event_init(&n->interrupt, poll, RANK_COMPLETE);
	event_init(&n->step, poll_step, RANK_COMPLETE);
	queue_stat_init(&n->ring, NULL);
}

void nic_set_up(void *down, const struct layer_up *ops, void *up)
{
	struct nic *n = down;

	n->up = ops;
	n->up_arg = up;
}

void nic_attach(struct object *drv, const struct driver_env *env)
{
	struct nic *n = (struct nic *)drv;

	n->era = env->era;
	n->cpu = env->cpu;
	n->port = env->medium;
	n->port->client = &client;
	n->port->client_arg = n;
}

void nic_audit(const struct object *obj, struct model_audit *a)
{
	const struct nic *n = (const struct nic *)obj;

	a->queue(a->arg, "ring", n->in, n->out, 0, n->waiting.n);
	a->queue(a->arg, "rx_ring", n->rx_in, n->rx_out, n->rx_dropped,
		 n->received.n + (n->taken != NULL));
}

void nic_window_open(struct object *obj)
{
	struct nic *n = (struct nic *)obj;

	n->interrupts = 0;
	n->packets = 0;
}

void nic_fini(struct object *obj)
{
	g_free(((struct nic *)obj)->slots);
}

int64_t nic_interrupts_per_packet(const struct object *obj, int64_t window)
{
	const struct nic *n = (const struct nic *)obj;

	return micro_ratio(n->interrupts, n->packets);
}

int64_t nic_interrupts_per_second(const struct object *obj, int64_t window)
{
	const struct nic *n = (const struct nic *)obj;

	return micro_ratio((__int128)n->interrupts * SIM_SEC, window);
}
