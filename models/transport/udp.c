// SPDX-License-Identifier: GPL-3.0-or-later
/* UDP: datagrams up to the MTU, by port. */
#include "transport/udp.h"

#include <errno.h>
#include <stdlib.h>

#include "transport/sock.h"

#define HEADERS	 28u /* IP 20, UDP 8 */
#define TRUESIZE 768u /* SKB_TRUESIZE() of a small head */
#define BUCKETS	 64u

/* What the datagrams of one flow have in common, as long as they go the same way with the same marks. */
struct udp_flow {
	u16 dst_host, dport;
	u8 tos;
	u32 priority; /* as given, before the TOS's takes its place */
	u32 mtu;
	struct netdev_queue *queue; /* NULL: none has been sent */
	struct packet like;
};

struct udp_sock {
	struct udp *udp;
	struct udp_sock *next;
	udp_rx rx;
	void *arg;
	u16 port;
	struct udp_flow flow; /* of the last datagram sent */
};

struct udp {
	struct object obj;
	struct host *host;
	struct udp_sock *socks[BUCKETS];
	u64 rx_datagrams, rx_no_port; /* delivered; nobody listens */
	u64 tx_errors; /* refused by the interface or its qdisc */
};

static struct udp_sock *find(const struct udp *u, u16 port)
{
	struct udp_sock *sk = u->socks[port % BUCKETS];

	while (sk && sk->port != port)
		sk = sk->next;
	return sk;
}

static void udp_receive(void *arg, struct packet *p)
{
	struct udp *u = arg;
	const struct udp_sock *sk = find(u, p->dport);

	if (!sk) {
		u->rx_no_port++;
		packet_drop(u->obj.sim, p);
		return;
	}
	u->rx_datagrams++;
	sk->rx(sk->arg, p);
}

struct udp_sock *udp_open(struct host *h, u16 port, udp_rx rx, void *arg)
{
	struct udp *u = (struct udp *)h->protocols[host_proto_index(PROTO_UDP)];
	struct udp_sock *sk;

	if (!port) {
		do
			port = host_port(h);
		while (find(u, port));
	}
	SIM_CHECK(u->obj.sim, &u->obj, !find(u, port), "port %u is open twice", port);
	sk = calloc(1, sizeof(*sk));
	if (!sk)
		abort();
	sk->udp = u;
	sk->port = port;
	sk->rx = rx;
	sk->arg = arg;
	sk->next = u->socks[port % BUCKETS];
	u->socks[port % BUCKETS] = sk;
	return sk;
}

u16 udp_port(const struct udp_sock *sk)
{
	return sk->port;
}

static bool is_flow(const struct udp_flow *f, u16 dst_host, u16 dport, u8 tos, u32 priority)
{
	return f->queue && f->dport == dport && f->dst_host == dst_host && f->tos == tos &&
	       f->priority == priority;
}

/* False: there is no route. */
static __attribute__((cold, noinline)) bool begin_flow(struct udp_sock *sk, u16 dst_host, u16 dport,
						       u8 tos, u32 priority)
{
	const struct host *h = sk->udp->host;
	struct packet *p = &sk->flow.like;

	sk->flow = (struct udp_flow){
		.dst_host = dst_host,
		.dport = dport,
		.tos = tos,
		.priority = priority,
		.mtu = ip_mtu(h, dst_host),
	};
	p->layer = LAYER_SOCKET;
	p->src = h->id;
	p->dst = dst_host;
	p->sport = sk->port;
	p->dport = dport;
	p->proto = PROTO_UDP;
	p->header = HEADERS;
	p->skb.tos = tos;
	p->skb.priority = priority;
	sk->flow.queue = ip_prepare(h, p);
	return sk->flow.queue;
}

static inline int send(struct udp_sock *sk, u32 bytes, u32 seq, u64 stamp)
{
	struct udp *u = sk->udp;
	struct packet *p;
	int err;

	if (bytes + HEADERS > sk->flow.mtu)
		return -EMSGSIZE;
	p = packet_new_like(u->obj.sim, &sk->flow.like);
	p->payload = bytes;
	p->skb.len = ETH_HLEN + HEADERS + bytes;
	p->skb.truesize = TRUESIZE + bytes;
	p->dgram.seq = seq;
	p->dgram.stamp = stamp;
	err = ip_output_like(u->host, sk->flow.queue, p);
	if (err)
		u->tx_errors++;
	return err;
}

int udp_send(struct udp_sock *sk, u16 dst_host, u16 dport, u32 bytes, u8 tos, u32 priority, u32 seq,
	     u64 stamp)
{
	if (!is_flow(&sk->flow, dst_host, dport, tos, priority) &&
	    !begin_flow(sk, dst_host, dport, tos, priority))
		return -ENETUNREACH;
	return send(sk, bytes, seq, stamp);
}

int udp_send_again(struct udp_sock *sk, u32 bytes, u32 seq)
{
	return send(sk, bytes, seq, 0);
}

void udp_refused(struct udp_sock *sk, u16 dst_host, u32 n)
{
	sk->udp->tx_errors += n;
	ip_refused(sk->udp->host, dst_host, n);
}

int udp_reply(struct udp_sock *sk, struct packet *p, u32 bytes, u8 tos, u32 priority)
{
	struct udp *u = sk->udp;
	u16 peer = p->src, port = p->sport;
	int err;

	packet_enter(p, LAYER_SOCKET, u->obj.sim->now);
	p->src = u->host->id;
	p->dst = peer;
	p->sport = sk->port;
	p->dport = port;
	p->payload = bytes;
	p->skb.len = ETH_HLEN + HEADERS + bytes;
	p->skb.truesize = TRUESIZE + bytes;
	p->skb.tos = tos;
	p->skb.priority = priority;
	p->skb.hash = 0;
	err = ip_output(u->host, p);
	if (err)
		u->tx_errors++;
	return err;
}

void udp_close(struct udp_sock *sk)
{
	struct udp_sock **at = &sk->udp->socks[sk->port % BUCKETS];

	while (*at != sk)
		at = &(*at)->next;
	*at = sk->next;
	free(sk);
}

static void udp_init(struct object *obj)
{
	struct udp *u = (struct udp *)obj;

	u->host = (struct host *)obj->owner;
	host_register(u->host, PROTO_UDP, obj, udp_receive);
}

static void udp_fini(struct object *obj)
{
	struct udp *u = (struct udp *)obj;

	for (u32 i = 0; i < BUCKETS; i++)
		while (u->socks[i])
			udp_close(u->socks[i]);
}

/* clang-format off */
static const struct probe udp_probes[] = {
	{"rx_datagrams", "packets", PROBE_COUNTER, PROBE_INSTANCE, offsetof(struct udp, rx_datagrams),
	 .doc = "delivered to sockets"},
	{"rx_no_port", "packets", PROBE_COUNTER, PROBE_INSTANCE, offsetof(struct udp, rx_no_port),
	 .doc = "dropped: no socket has the port"},
	{"tx_errors", "packets", PROBE_COUNTER, PROBE_INSTANCE, offsetof(struct udp, tx_errors),
	 .doc = "refused by the interface or its queueing discipline"},
	PROBE_END,
};
/* clang-format on */

static const struct model_ops udp_ops = {
	.init = udp_init,
	.fini = udp_fini,
};

const struct model_class udp_class = {
	.kind = &kind_protocol,
	.name = "udp",
	.doc = "UDP",
	.source = "RFC 768; Linux 6.1 net/ipv4/udp.c",
	.not_modelled =
		"Fragmentation: a datagram beyond the MTU is refused.\n"
		"Send and receive buffers: a sender paces itself, a receiver reads at once.",
	.size = sizeof(struct udp),
	.probes = udp_probes,
	.ops = &udp_ops,
};
