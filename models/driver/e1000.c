// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * e1000: what a packet takes of the ring depends on how its memory lies, and the interrupt is moderated by two
 * delays for each direction under a throttle that follows the traffic.
 */
#include "driver/nic.h"

#define DESCRIPTOR_MAX 4096 /* bytes of one */
#define GAP	       3 /* descriptors kept between tail and head: 2, and one of the ring itself */
#define DELAY_UNIT     1024 /* ns, of TIDV, TADV, RDTR, RADV */
#define THROTTLE_UNIT  256 /* ns, of ITR */

/* After a packet the queue stops when the next one's worst case would not fit. */
#define ERA_STOP_24 40500
#define STOP_OLD    20
#define STOP	    24
#define WAKE	    32

/* Sockets fill pages of 4 KiB before 3.7, of 32 KiB since (sk_page_frag). */
#define ERA_PAGE_FRAG 30700
#define PAGE_OLD      4096
#define PAGE_FRAG     32768

/* InterruptThrottleRate */
enum { ITR_OFF = 0, ITR_DYNAMIC = 1, ITR_CONSERVATIVE = 3, ITR_FIXED_MIN = 100 };

/* Of e1000_update_itr(), in interrupts a second. */
enum latency { LATENCY_LOWEST, LATENCY_LOW, LATENCY_BULK };

static const u32 latency_rate[] = {70000, 20000, 4000};

struct e1000_params {
	int64_t ring, rx_ring; /* descriptors */
	int64_t itr; /* ITR_*, or interrupts a second */
	int64_t tx_delay, tx_abs_delay, rx_delay, rx_abs_delay; /* DELAY_UNIT */
};

struct e1000 {
	struct nic n;
	bool after_tso; /* the last packet was TSO: a linear one behind it takes one more */
	sim_time tx_at, tx_abs_at, rx_at,
		rx_abs_at; /* when the delays run out, SIM_TIME_MAX: idle */
	u32 itr; /* interrupts a second, 0: no throttle */
	sim_time gap; /* least time between two that follows from it */
	enum latency tx_latency, rx_latency;
};

static const struct e1000_params *params_of(const struct nic *n)
{
	return n->obj.params;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* A local TCP stream lies in pages behind its headers; all else in one piece. */
static bool in_pages(const struct packet *p)
{
	return p->proto == PROTO_TCP && p->payload && (p->flags & PACKET_LOCAL);
}

/* Chunks of at most @max bytes that the payload's pages come to. */
static u32 page_chunks(const struct packet *p, u32 page, u32 max)
{
	u32 offset = p->tcp.seq % page, left = p->payload, chunks = 0;

	while (left) {
		u32 piece = page - offset < left ? page - offset : left;

		chunks += (piece + max - 1) / max;
		left -= piece;
		offset = 0;
	}
	return chunks;
}

static u32 descriptors(const struct nic *n, const struct packet *p)
{
	const struct e1000 *e = (const struct e1000 *)n;
	u32 max = DESCRIPTOR_MAX, count = 0;

	if (packet_is_gso(p) && 4u * p->gso_size < max)
		max = 4 * p->gso_size;
	/* The context of TSO or of the checksum, which the host leaves to the card for TCP and UDP. */
	if ((p->flags & PACKET_LOCAL) && p->proto != PROTO_ICMP)
		count++;
	if (in_pages(p))
		count += 1 + page_chunks(p, n->era < ERA_PAGE_FRAG ? PAGE_OLD : PAGE_FRAG, max);
	else
		count += (p->skb.len + max - 1) / max;
	/* Errata: the last 4 bytes of a TSO packet, and of a linear one behind it, go alone. */
	if (packet_is_gso(p) || (!in_pages(p) && e->after_tso))
		count++;
	return count;
}

static u32 unused(const struct nic *n)
{
	return n->n_descriptors - 1 - n->used;
}

/* The driver's own reckoning before it looks closer: one more than is used without TSO. */
static bool room(const struct nic *n, const struct packet *p, u32 descriptors)
{
	return unused(n) >= descriptors + !packet_is_gso(p) + GAP - 1;
}

static void taken(struct nic *n, const struct packet *p)
{
	struct e1000 *e = (struct e1000 *)n;

	if (packet_is_gso(p))
		e->after_tso = true;
	else if (!in_pages(p))
		e->after_tso = false;
}

static bool stops(const struct nic *n)
{
	return unused(n) < (n->era < ERA_STOP_24 ? STOP_OLD : STOP);
}

static bool wakes(const struct nic *n)
{
	return unused(n) >= WAKE;
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static sim_time earlier(sim_time a, sim_time b)
{
	return a < b ? a : b;
}

/* A delay that each packet starts anew, and one that only the first does. */
static void delays_start(sim_time now, sim_time *at, int64_t delay, sim_time *abs_at, int64_t abs)
{
	*at = now + delay * DELAY_UNIT;
	if (*abs_at == SIM_TIME_MAX && delay && abs)
		*abs_at = now + abs * DELAY_UNIT;
}

static sim_time interrupt_at(struct nic *n, bool tx)
{
	struct e1000 *e = (struct e1000 *)n;
	const struct e1000_params *par = params_of(n);
	sim_time now = n->obj.sim->now, at, next = n->last_interrupt + e->gap;

	if (tx)
		delays_start(now, &e->tx_at, par->tx_delay, &e->tx_abs_at, par->tx_abs_delay);
	else
		delays_start(now, &e->rx_at, par->rx_delay, &e->rx_abs_at, par->rx_abs_delay);
	at = earlier(earlier(e->tx_at, e->tx_abs_at), earlier(e->rx_at, e->rx_abs_at));
	return at > next ? at : next;
}

static void throttle(struct e1000 *e, u32 itr)
{
	if (itr == e->itr)
		return;
	e->itr = itr;
	e->gap = itr ? SIM_SEC / (itr * THROTTLE_UNIT) * THROTTLE_UNIT : 0;
}

static void delays_stop(struct e1000 *e)
{
	e->tx_at = SIM_TIME_MAX;
	e->tx_abs_at = SIM_TIME_MAX;
	e->rx_at = SIM_TIME_MAX;
	e->rx_abs_at = SIM_TIME_MAX;
}

/* e1000_update_itr() */
static enum latency next_latency(enum latency now, u32 packets, u32 bytes)
{
	if (!packets)
		return now;
	switch (now) {
	case LATENCY_LOWEST:
		if (bytes / packets > 8000)
			return LATENCY_BULK;
		return packets < 5 && bytes > 512 ? LATENCY_LOW : now;
	case LATENCY_LOW:
		if (bytes > 10000) {
			if (packets < 10 || bytes / packets > 1200)
				return LATENCY_BULK;
			return packets > 35 ? LATENCY_LOWEST : now;
		}
		if (bytes / packets > 2000)
			return LATENCY_BULK;
		return packets <= 2 && bytes < 512 ? LATENCY_LOWEST : now;
	case LATENCY_BULK:
		if (bytes > 25000)
			return packets > 35 ? LATENCY_LOW : now;
		return bytes < 6000 ? LATENCY_LOW : now;
	}
	return now;
}

static enum latency settled_latency(struct e1000 *e, enum latency now, u32 packets, u32 bytes)
{
	enum latency next = next_latency(now, packets, bytes);

	if (params_of(&e->n)->itr == ITR_CONSERVATIVE && next == LATENCY_LOWEST)
		next = LATENCY_LOW;
	return next;
}

/* e1000_set_itr(): down at once, up by quarters of the aim. */
static void polled(struct nic *n, const struct nic_work *w)
{
	struct e1000 *e = (struct e1000 *)n;
	u32 aim = latency_rate[LATENCY_BULK], step;

	delays_stop(e);
	if (params_of(n)->itr != ITR_DYNAMIC && params_of(n)->itr != ITR_CONSERVATIVE)
		return;
	if (n->port->rate_bps == 1000000000) {
		e->tx_latency = settled_latency(e, e->tx_latency, w->tx_packets, w->tx_bytes);
		e->rx_latency = settled_latency(e, e->rx_latency, w->rx_packets, w->rx_bytes);
		aim = latency_rate[e->rx_latency > e->tx_latency ? e->rx_latency : e->tx_latency];
	}
	step = e->itr + aim / 4;
	throttle(e, aim > e->itr && step < aim ? step : aim);
}

static const struct nic_rules rules = {
	.descriptors = descriptors,
	.room = room,
	.taken = taken,
	.stops = stops,
	.wakes = wakes,
	.interrupt_at = interrupt_at,
	.polled = polled,
};

/* ---- the declaration ------------------------------------------------------------------------- */

static void e1000_init(struct object *obj)
{
	struct e1000 *e = (struct e1000 *)obj;
	const struct e1000_params *par = params_of(&e->n);

	nic_init(&e->n, &rules, (u32)par->ring, (u32)par->rx_ring);
	delays_stop(e);
	throttle(e,
		 par->itr == ITR_DYNAMIC || par->itr == ITR_CONSERVATIVE ? 20000 : (u32)par->itr);
}

static void e1000_check(const void *params, struct model_check *c)
{
	int64_t itr = ((const struct e1000_params *)params)->itr;

	if (itr != ITR_OFF && itr != ITR_DYNAMIC && itr != ITR_CONSERVATIVE && itr < ITR_FIXED_MIN)
		model_check_error(c, "itr",
				  "is 0 (off), 1 (dynamic), 3 (dynamic, conservative) or "
				  "100 and more interrupts a second");
}

static void e1000_describe(const struct object *obj, struct model_describe *d)
{
	const struct nic *n = (const struct nic *)obj;

	/* Packets in one piece with a checksum: a context and a descriptor each. */
	d->queue(d->arg, "ring", (params_of(n)->ring - STOP) / 2, -1,
		 n->port ? n->port->rate_bps : 0);
}

#define DELAY_PARAM(key, field, value, linux, text)                                     \
	{                                                                               \
		.name = key, .type = PARAM_INT, .flags = PARAM_LIVE,                    \
		.offset = offsetof(struct e1000_params, field), .def = value, .min = 0, \
		.max = 65535, .doc = text, .linux_name = linux,                         \
	}

static const struct param e1000_params[] = {
	{.name = "ring_descriptors",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct e1000_params, ring),
	 .def = "256",
	 .min = 48,
	 .max = 4096,
	 .doc = "descriptors of the transmit ring; a packet takes two or more",
	 .linux_name = "TxDescriptors"},
	{.name = "rx_ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct e1000_params, rx_ring),
	 .def = "256",
	 .min = 48,
	 .max = 4096,
	 .doc = "descriptors of the receive ring, one a packet",
	 .linux_name = "RxDescriptors"},
	{.name = "itr",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct e1000_params, itr),
	 .def = "3",
	 .min = 0,
	 .max = 100000,
	 .doc = "interrupt throttle: 0 off, 1 dynamic, 3 dynamic but never above 20000 a second, else "
		"interrupts a second; at other speeds than 1 Gbit/s a dynamic one is 4000",
	 .linux_name = "InterruptThrottleRate"},
	DELAY_PARAM("tx_int_delay", tx_delay, "8", "TxIntDelay",
		    "from the last packet sent to the interrupt, in 1.024 us"),
	DELAY_PARAM("tx_abs_int_delay", tx_abs_delay, "32", "TxAbsIntDelay",
		    "from the first packet sent to the interrupt at most, in 1.024 us"),
	DELAY_PARAM("rx_int_delay", rx_delay, "0", "RxIntDelay",
		    "from the last packet received to the interrupt, in 1.024 us"),
	DELAY_PARAM("rx_abs_int_delay", rx_abs_delay, "8", "RxAbsIntDelay",
		    "from the first packet received to the interrupt at most, in 1.024 us"),
	PARAM_END,
};

static const struct probe e1000_probes[] = {NIC_PROBES(descriptors), PROBE_END};

static const struct model_ops e1000_ops = {
	.check = e1000_check,
	.init = e1000_init,
	.describe = e1000_describe,
	.audit = nic_audit,
	.window_open = nic_window_open,
	.fini = nic_fini,
};

static const struct driver_ops e1000_driver_ops = {
	.medium = "ethernet",
	.down = {.n_queues = 1, .xmit = nic_xmit, .set_up = nic_set_up, .bql = true, .tso = true},
	.attach = nic_attach,
};

const struct model_class e1000_class = {
	.kind = &kind_driver,
	.name = "e1000",
	.doc = "Intel 8254x: descriptors by fragments, TSO, moderated interrupts",
	.source =
		"Linux 6.1 drivers/net/ethernet/intel/e1000/e1000_main.c; 2.6.32 to 4.4 for the stop mark",
	.not_modelled =
		"The transmit FIFO on the chip: a packet is done when it has left the wire's end.\n"
		"PCI-X and 82544 errata. Mode 4 of InterruptThrottleRate.",
	.size = sizeof(struct e1000),
	.params_size = sizeof(struct e1000_params),
	.params = e1000_params,
	.probes = e1000_probes,
	.ops = &e1000_ops,
	.kind_ops = &e1000_driver_ops,
};
