/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all Ethernet cards share: a transmit ring of descriptors, of which a packet takes one or more; a
 * receive ring; one interrupt for both, whose poll cleans the one and empties the other. A driver is a set
 * of rules over this.
 */
#ifndef WLANQ_DRIVER_NIC_H
#define WLANQ_DRIVER_NIC_H

#include "driver/driver.h"
#include "measure/gauge.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"
#include "packet/gso.h"
#include "packet/port.h"

/* A packet in the transmit ring, from xmit to clean-up: what the stack wants to know when it has gone on. */
struct nic_slot {
	sim_time since;
	u32 len; /* skb.len */
	u32 link_len; /* with the headers of all segments; of rules with .polled */
	u32 segments;
	u32 descriptors;
	/* Its sender's account, which stays open until the clean-up. */
	void (*destructor)(struct sk_buff *skb); /* NULL: nobody asks */
	void *sk;
	u32 truesize;
};

/* What one poll did. */
struct nic_work {
	u32 tx_packets, tx_bytes; /* segments; bytes with all headers */
	u32 rx_packets, rx_bytes;
};

struct nic;

struct nic_rules {
	/* Descriptors that @p takes; NULL: one. */
	u32 (*descriptors)(const struct nic *n, const struct packet *p);
	/* May a packet of so many descriptors go in? Otherwise the queue stops. NULL: while they fit. */
	bool (*room)(const struct nic *n, const struct packet *p, u32 descriptors);
	/* It went in; NULL: not of interest. */
	void (*taken)(struct nic *n, const struct packet *p);
	bool (*stops)(
		const struct nic *n); /* after a packet went in; NULL: when the ring is full */
	bool (*wakes)(const struct nic *n); /* after a clean-up */
	/*
	 * A packet was just sent (@tx) or received: when the interrupt for all that is new will come. NULL: at once, but
	 * n->gap after the last.
	 */
	sim_time (*interrupt_at)(struct nic *n, bool tx);
	/* A poll is over; NULL: not of interest. */
	void (*polled)(struct nic *n, const struct nic_work *w);
};

struct nic {
	struct object obj;
	const struct nic_rules *rules;
	bool no_rules; /* for the transmit ring, but for .wakes */
	struct port *port;
	const struct layer_up *up;
	void *up_arg;
	u32 era;

	struct packet_fifo waiting; /* in the transmit ring, not yet on the wire */
	/*
	 * A ring of .room, a power of two or 0: as many as were ever in use, so that those which are stay in the near
	 * caches.
	 */
	struct nic_slot *slots;
	u32 room;
	u32 head, n_slots; /* the oldest packet; how many */
	u32 n_descriptors;
	u32 sent; /* of them are out and not cleaned up */
	u32 used; /* descriptors */
	bool stopped;

	struct packet_fifo received;
	u32 rx_ring; /* packets */
	struct cpu *cpu; /* the host's; NULL: it takes no time */
	struct event interrupt;
	sim_time last_interrupt;
	const int64_t *gap; /* least ns between two, for rules without interrupt_at */
	bool polling; /* a poll runs, interrupts are masked */
	u32 budget; /* packets until the poll cleans the transmit ring again */
	struct event step; /* the next packet of a poll, or its end */
	struct packet *taken; /* the packet that the processor is at */
	struct nic_work work; /* of the poll that runs; of rules with .polled */

	struct queue_stat ring;
	struct gauge descriptors; /* in use; of rules with .descriptors */
	u64 in, out; /* packets into the ring and onto the wire, for the audit */
	u64 rx_in, rx_out, rx_dropped; /* the same of the receive ring */
	u64 interrupts, packets, missed; /* of the window */
};

/* Called by the driver's init with the sizes of its rings. */
void nic_init(struct nic *n, const struct nic_rules *rules, u32 descriptors, u32 rx_ring);

/* ---- what a driver's declaration is made of ---------------------------------------------------- */

enum xmit_result nic_xmit(void *down, u32 queue, struct packet *p);
void nic_set_up(void *down, const struct layer_up *ops, void *up);
void nic_attach(struct object *drv, const struct driver_env *env);
void nic_audit(const struct object *obj, struct model_audit *a);
void nic_window_open(struct object *obj);
void nic_fini(struct object *obj);
int64_t nic_interrupts_per_packet(const struct object *obj, int64_t window);
int64_t nic_interrupts_per_second(const struct object *obj, int64_t window);

/* @in_use: the gauge of descriptors; where each packet takes one, they are the ring's packets. */
#define NIC_PROBES(in_use)                                                       \
	{.name = "ring",                                                         \
	 .unit = "packets",                                                      \
	 .shape = PROBE_QUEUE,                                                   \
	 .offset = offsetof(struct nic, ring),                                   \
	 .doc = "transmit ring, until the packet is cleaned up"},                \
		{.name = "descriptors",                                          \
		 .unit = "",                                                     \
		 .shape = PROBE_GAUGE,                                           \
		 .offset = offsetof(struct nic, in_use),                         \
		 .doc = "descriptors in use in the transmit ring"},              \
		{.name = "missed",                                               \
		 .unit = "packets",                                              \
		 .shape = PROBE_COUNTER,                                         \
		 .offset = offsetof(struct nic, missed),                         \
		 .doc = "dropped for want of a receive descriptor"},             \
		{.name = "interrupts_per_packet",                                \
		 .unit = "",                                                     \
		 .shape = PROBE_VALUE,                                           \
		 .value = nic_interrupts_per_packet,                             \
		 .doc = "interrupts for each packet sent or received"},          \
	{                                                                        \
		.name = "interrupts_per_s", .unit = "1/s", .shape = PROBE_VALUE, \
		.value = nic_interrupts_per_second, .doc = "rate of interrupts"  \
	}

#endif
