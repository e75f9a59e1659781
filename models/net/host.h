/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A host: its interfaces, its routes, the transports on it. Forwarding between interfaces is part of it, as a
 * bridge or as a router.
 */
#ifndef WLANQ_NET_HOST_H
#define WLANQ_NET_HOST_H

#include "engine/late.h"
#include "engine/model.h"
#include "packet/cpu.h"
#include "packet/link.h"
#include "packet/packet.h"

struct netdev;
struct netdev_queue;
struct host;

/* kind_interface and kind_link: packet/link.h */
extern const struct model_kind kind_node, kind_protocol;
extern const struct model_class host_class;

enum { FORWARD_NONE, FORWARD_BRIDGE, FORWARD_ROUTE };

struct host_params {
	const char *kernel; /* the node's era, "2.6.32" */
	int64_t hz;
	int64_t forward; /* FORWARD_*; default: bridge */
	int64_t cpu_packet, cpu_transaction; /* ns */
	int64_t timer_lateness, wakeup; /* ns, medians */
	int64_t send_time; /* ns */
	int64_t wakeup_stall_interval, wakeup_stall; /* ns */
};

/* All hosts and interfaces of a run; made by the builder, reached from every host. */
struct network {
	struct sim *sim;
	struct host **hosts; /* by host id */
	u32 n_hosts, max_hosts;
	struct netdev **devs; /* by interface id */
	u32 n_devs, max_devs;
};

/* Where packets for one destination go. */
struct route {
	struct netdev *dev; /* NULL: unreachable */
	u16 next_hop; /* interface id on that link */
};

/* Of a flow that a host forwards: what is the same for all its packets, from the start of the run to its end. */
struct way {
	u64 ends; /* packet_ends() */
	u32 priority;
	u32 hash;
	struct netdev_queue *queue; /* NULL: the slot is free */
	u16 l2_src, l2_dst;
	u8 proto, tos, tid, ac;
};

#define HOST_WAYS 16u

typedef void (*proto_rx)(void *arg, struct packet *p);

struct host {
	struct object obj;
	struct network *net;
	u16 id;
	u32 era; /* era_number() */
	u32 hz;
	struct netdev **devs;
	u32 n_devs, max_devs;
	struct route *routes; /* by destination host id */
	struct {
		proto_rx rx;
		void *arg;
	} protos[3]; /* ICMP, TCP, UDP */
	struct object *protocols[3]; /* the protocol objects of this host, same order */
	struct way *
		ways; /* HOST_WAYS slots, each with the last flow that fell into it; NULL: it has forwarded none */
	u16 next_port;
	u64 hash_key; /* of the flow dissector */
	struct cpu cpu;
	struct late timer_late; /* high-resolution timers: qdisc watchdogs, TCP's pacing */
	struct late wakeup; /* processes */
	sim_time send_time; /* ns a segment that a process sends */
	u64 tx_packets, rx_packets; /* of its own transports */
	u64 forwarded, unreachable, rx_unknown, not_ours;
};

struct network *network_new(struct sim *sim);
void network_free(struct network *net);

/* Gives the host its id. Called by the builder, once, in document order. */
void network_add_host(struct network *net, struct host *h);

/*
 * Works out every route: shortest path in hops over the links, first member wins ties. Called by the builder when
 * all links are made.
 */
void network_route(struct network *net);

/* Which index a protocol number has in host.protos: ICMP 0, TCP 1, UDP 2. */
u32 host_proto_index(u8 proto);
void host_register(struct host *h, u8 proto, struct object *obj, proto_rx rx);

/* A free local port, counting up from 32768. */
u16 host_port(struct host *h);

/*
 * Sends a packet of this host: src, dst, ports, proto, skb.len, tos and payload are set. Fills in addresses of the
 * hop, the flow hash when it is 0, skb.priority from the TOS when it is 0, and gives it to the interface.
 * Takes @p. Returns NET_XMIT_* or a negative errno (-ENETDOWN: noqueue device that is stopped, -ENETUNREACH).
 */
int ip_output(struct host *h, struct packet *p);

/*
 * What ip_output() does to a packet is the same for all of a flow of one TOS and priority, as long as the run lasts: this
 * does it to @p, which is not sent but is what the flow's packets begin as (packet_new_like()). Returns the tx queue to
 * give to ip_output_like(); NULL: there is no route.
 */
struct netdev_queue *ip_prepare(const struct host *h, struct packet *p);

/* ip_output() of a packet that is like one that was prepared. */
int ip_output_like(struct host *h, struct netdev_queue *q, struct packet *p);

/* @n packets more, as udp_refused(). */
void ip_refused(struct host *h, u16 dst, u32 n);

/* MTU of the interface towards @dst, bytes of IP packet; 0 when there is no route. */
u32 ip_mtu(const struct host *h, u16 dst);
/* The interface towards @dst, NULL when there is none. */
struct netdev *ip_dev(const struct host *h, u16 dst);

/* A packet from an interface (netif_receive_skb): delivered, forwarded or dropped with a cause. */
void host_rx(struct host *h, struct netdev *dev, struct packet *p);

/* "2.6.32" -> 20632, "6.18" -> 61800: version * 10000 + patch level * 100 + sublevel; 0 when it is none. */
u32 era_number(const char *era);

/* Linux rt_tos2priority(): skb.priority for a TOS byte. */
u32 tos_priority(u8 tos);

#endif
