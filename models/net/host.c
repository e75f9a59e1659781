// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/host.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/draw.h"
#include "engine/profile.h"
#include "measure/micro.h"
#include "net/netdev.h"

const struct model_kind kind_node = {.name = "node", .doc = "a computer"};
const struct model_kind kind_protocol = {.name = "protocol", .doc = "a transport of every node"};

#define FIRST_PORT 32768

struct network *network_new(struct sim *sim)
{
	struct network *net = g_new0(struct network, 1);

	net->sim = sim;
	return net;
}

void network_free(struct network *net)
{
	g_free(net->hosts);
	g_free(net->devs);
	g_free(net);
}

void network_add_host(struct network *net, struct host *h)
{
	if (net->n_hosts == net->max_hosts) {
		net->max_hosts = net->max_hosts ? 2 * net->max_hosts : 16;
		net->hosts = g_renew(struct host *, net->hosts, net->max_hosts);
	}
	SIM_CHECK(net->sim, &h->obj, net->n_hosts < UINT16_MAX, "there are too many hosts");
	h->net = net;
	h->id = (u16)net->n_hosts;
	net->hosts[net->n_hosts++] = h;
}

u32 host_proto_index(u8 proto)
{
	switch (proto) {
	case PROTO_ICMP:
		return 0;
	case PROTO_TCP:
		return 1;
	default:
		return 2;
	}
}

/* While the run's time is measured: what a transport gets counts for it. */
struct profiled_rx {
	struct object *obj;
	proto_rx rx;
};

static void profiled_rx(void *arg, struct packet *p)
{
	const struct profiled_rx *m = arg;

	PROFILED(m->obj, m->rx(m->obj, p));
}

void host_register(struct host *h, u8 proto, struct object *obj, proto_rx rx)
{
	u32 i = host_proto_index(proto);

	h->protos[i].rx = rx;
	h->protos[i].arg = obj;
	h->protocols[i] = obj;
	if (obj->sim->profile) {
		struct profiled_rx *m = profile_alloc(obj->sim->profile, sizeof(*m));

		profile_object(obj, "transport");
		*m = (struct profiled_rx){obj, rx};
		h->protos[i].rx = profiled_rx;
		h->protos[i].arg = m;
	}
}

u16 host_port(struct host *h)
{
	u16 port = h->next_port++;

	if (!h->next_port)
		h->next_port = FIRST_PORT;
	return port;
}

u32 era_number(const char *era)
{
	u32 part[3] = {0};
	char *end;

	for (int i = 0; i < 3; i++) {
		part[i] = (u32)strtoul(era, &end, 10);
		if (end == era || part[i] > 99)
			return 0;
		if (!*end)
			break;
		if (*end != '.' || i == 2)
			return 0;
		era = end + 1;
	}
	return part[0] * 10000 + part[1] * 100 + part[2];
}

u32 tos_priority(u8 tos)
{
	/* ip_tos2prio: besteffort, bulk, interactive, interactive bulk; the four of each are alike. */
	static const u8 priority[] = {0, 2, 6, 4};

	return priority[(tos & 0x1e) >> 3];
}

/*
 * The flow dissector's hash: keyed by host, and the same for both directions of a flow
 * (net/core/flow_dissector.c: __flow_hash_consistentify()).
 */
static u32 flow_hash(const struct host *h, const struct packet *p)
{
	bool swap = p->dst < p->src || (p->dst == p->src && p->dport < p->sport);
	u64 a = (u64)p->src << 16 | p->sport, b = (u64)p->dst << 16 | p->dport;
	u32 hash =
		(u32)(draw_bits(h->hash_key ^ (swap ? b << 32 | a : a << 32 | b), p->proto) >> 32);

	return hash ? hash : 1;
}

/* The hop's addresses and the flow's hash. The interface; NULL: there is no route. */
static struct netdev *find_way(const struct host *h, struct packet *p)
{
	const struct route *r = &h->routes[p->dst];

	if (!r->dev)
		return NULL;
	p->l2_src = r->dev->id;
	p->l2_dst = r->next_hop;
	if (!p->skb.hash)
		p->skb.hash = flow_hash(h, p);
	return r->dev;
}

static void charge(struct host *h)
{
	if (h->cpu.per_packet)
		cpu_charge(&h->cpu, h->obj.sim->now, h->cpu.per_packet);
}

static int host_output(struct host *h, struct packet *p)
{
	struct netdev *dev = find_way(h, p);

	if (!dev) {
		h->unreachable++;
		packet_drop(h->obj.sim, p);
		return -ENETUNREACH;
	}
	charge(h);
	return dev_queue_xmit(dev, p);
}

static void from_here(struct packet *p)
{
	p->flags = (u16)((p->flags % PACKET_HOP) | PACKET_LOCAL);
	/* An echo reply has its request's TOS but the priority of the kernel's own socket, 0. */
	if (!p->skb.priority && !(p->flags & PACKET_ECHO_REPLY))
		p->skb.priority = tos_priority(p->skb.tos);
}

int ip_output(struct host *h, struct packet *p)
{
	from_here(p);
	h->tx_packets++;
	return host_output(h, p);
}

struct netdev_queue *ip_prepare(const struct host *h, struct packet *p)
{
	struct netdev *dev;

	from_here(p);
	dev = find_way(h, p);
	return dev ? dev_select_queue(dev, p) : NULL;
}

int ip_output_like(struct host *h, struct netdev_queue *q, struct packet *p)
{
	h->tx_packets++;
	charge(h);
	return dev_queue_give(q, p);
}

void ip_refused(struct host *h, u16 dst, u32 n)
{
	h->tx_packets += n;
	packets_passed(h->obj.sim, n);
	netdev_refused(ip_dev(h, dst), n);
}

u32 ip_mtu(const struct host *h, u16 dst)
{
	struct netdev *dev = ip_dev(h, dst);

	return dev ? dev->mtu : 0;
}

struct netdev *ip_dev(const struct host *h, u16 dst)
{
	return h->routes[dst].dev;
}

/* Hosts and ports. */
static inline u64 packet_ends(const struct packet *p)
{
	return (u64)p->dport << 48 | (u64)p->sport << 32 | (u64)p->dst << 16 | p->src;
}

static struct way *way_slot(const struct host *h, u64 ends)
{
	return &h->ways[ends * 0x9e3779b97f4a7c15ULL >> 60 & (HOST_WAYS - 1)];
}

/* The flow's first packet, or the first since another one took its slot. */
static __attribute__((noinline)) void forward_first(struct host *h, struct packet *p)
{
	struct netdev *dev;
	struct netdev_queue *q;

	p->skb.hash = 0;
	dev = find_way(h, p);
	if (!dev) {
		h->unreachable++;
		packet_drop(h->obj.sim, p);
		return;
	}
	charge(h);
	q = dev_select_queue(dev, p);
	if (!h->ways)
		h->ways = g_new0(struct way, HOST_WAYS);
	*way_slot(h, packet_ends(p)) = (struct way){
		.ends = packet_ends(p),
		.priority = p->skb.priority,
		.hash = p->skb.hash,
		.queue = q,
		.l2_src = p->l2_src,
		.l2_dst = p->l2_dst,
		.proto = p->proto,
		.tos = p->skb.tos,
		.tid = p->tid,
		.ac = p->ac,
	};
	dev_queue_give(q, p);
}

static void forward_like(struct host *h, const struct way *w, struct packet *p)
{
	charge(h);
	p->skb.hash = w->hash;
	p->l2_src = w->l2_src;
	p->l2_dst = w->l2_dst;
	p->tid = w->tid;
	p->ac = w->ac;
	p->queue = (u8)w->queue->index;
	dev_queue_give(w->queue, p);
}

static __attribute__((noinline)) void host_forward(struct host *h, struct packet *p)
{
	const struct host_params *par = h->obj.params;
	u64 ends = packet_ends(p);
	const struct way *w = h->ways ? way_slot(h, ends) : NULL;

	h->forwarded++;
	p->flags &= (u16)~PACKET_LOCAL;
	if (par->forward == FORWARD_ROUTE) {
		p->skb.priority = tos_priority(p->skb.tos);
		p->flags += PACKET_HOP;
	}
	if (__builtin_expect(w && w->queue && w->ends == ends && w->priority == p->skb.priority &&
				     w->proto == p->proto && w->tos == p->skb.tos,
			     1))
		forward_like(h, w, p);
	else
		forward_first(h, p);
}

/* Seldom: most that brought it here have closed its sender's account. */
static __attribute__((noinline)) void rx_orphaned(struct host *h, struct netdev *dev,
						  struct packet *p)
{
	packet_orphan(p);
	host_rx(h, dev, p);
}

static __attribute__((noinline)) void rx_drop(struct host *h, u64 *count, struct packet *p)
{
	(*count)++;
	packet_drop(h->obj.sim, p);
}

/* All that it calls it calls last, so that it has no registers to save: each packet comes by here, at each host. */
void host_rx(struct host *h, struct netdev *dev, struct packet *p)
{
	u32 i = host_proto_index(p->proto);

	if (__builtin_expect(p->skb.destructor != NULL, 0)) {
		rx_orphaned(h, dev, p);
	} else if (p->dst != h->id) {
		if (((const struct host_params *)h->obj.params)->forward == FORWARD_NONE)
			rx_drop(h, &h->not_ours, p);
		else
			host_forward(h, p);
	} else if (__builtin_expect(!h->protos[i].rx, 0)) {
		rx_drop(h, &h->rx_unknown, p);
	} else {
		h->rx_packets++;
		h->protos[i].rx(h->protos[i].arg, p);
	}
}

static void host_changed(struct object *obj, const struct param *p)
{
	struct host *h = (struct host *)obj;
	const struct host_params *par = obj->params;

	h->cpu.per_packet = par->cpu_packet;
	h->cpu.per_transaction = par->cpu_transaction;
}

static void host_init(struct object *obj)
{
	struct host *h = (struct host *)obj;
	const struct host_params *par = obj->params;
	char *name = g_strconcat(obj->path, ".hash", NULL);

	h->era = era_number(par->kernel);
	h->hz = (u32)par->hz;
	late_init(&h->timer_late, par->timer_lateness, 0, 0, obj->sim->seed, obj->path);
	late_init(&h->wakeup, par->wakeup, par->wakeup_stall_interval, par->wakeup_stall,
		  obj->sim->seed, obj->path);
	h->send_time = par->send_time;
	host_changed(obj, NULL);
	h->next_port = FIRST_PORT;
	h->hash_key = draw_key(obj->sim->seed, name);
	g_free(name);
}

static void host_window_open(struct object *obj)
{
	((struct host *)obj)->cpu.busy = 0;
}

static int64_t cpu_share(const struct object *obj, int64_t window)
{
	return micro_ratio(((const struct host *)obj)->cpu.busy, window);
}

static void host_fini(struct object *obj)
{
	struct host *h = (struct host *)obj;

	g_free(h->devs);
	g_free(h->routes);
	g_free(h->ways);
	late_clear(&h->timer_late);
	late_clear(&h->wakeup);
}

static void host_check(const void *params, struct model_check *c)
{
	const struct host_params *par = params;

	if (par->kernel && !era_number(par->kernel))
		model_check_error(c, "kernel", "'%s' is no kernel version, such as 6.1",
				  par->kernel);
}

static const struct param_enum forward_values[] = {
	{.name = "none", .value = FORWARD_NONE, .doc = "what is for others is dropped"},
	{.name = "bridge", .value = FORWARD_BRIDGE, .doc = "as an AP's br-lan: priority stays"},
	{.name = "route", .value = FORWARD_ROUTE, .doc = "as a router: priority from the TOS"},
	{.name = NULL},
};

static const struct param host_params[] = {
	{.name = "kernel",
	 .type = PARAM_STRING,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct host_params, kernel),
	 .doc = "era of the node's kernel; without it the scenario's"},
	{.name = "hz",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct host_params, hz),
	 .def = "250",
	 .min = 100,
	 .max = 1000,
	 .doc = "timer ticks a second",
	 .linux_name = "CONFIG_HZ"},
	{.name = "forward",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct host_params, forward),
	 .def = "bridge",
	 .doc = "what happens to packets for others",
	 .values = forward_values},
	{.name = "cpu_packet",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct host_params, cpu_packet),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "time of the one processor that runs the stack, for each packet in or out"},
	{.name = "cpu_transaction",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct host_params, cpu_transaction),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "the same for each transaction of a request and response application"},
	{.name = "timer_lateness",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct host_params, timer_lateness),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "by how much high-resolution timers (those of qdiscs and of TCP's pacing) run late: the median of "
		"a distribution with a long tail",
	 .linux_name = "hrtimer"},
	{.name = "send_time",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct host_params, send_time),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "for each segment that an application's write to TCP sends, its socket stays locked so long, and ACKs "
		"that arrive meanwhile are merged in its backlog",
	 .linux_name = "sk_backlog"},
	{.name = "wakeup",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct host_params, wakeup),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "from the arrival of TCP's data until the application, woken up, reads what is there by then: the "
		"median, as above. With 0s it reads each segment at once; otherwise no one-way delays are measured"},
	{.name = "wakeup_stall_interval",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct host_params, wakeup_stall_interval),
	 .def = "1s",
	 .min = SIM_MS,
	 .max = 1000 * SIM_SEC,
	 .doc = "once in each such interval, at a random time, no process wakes up for a while"},
	{.name = "wakeup_stall",
	 .type = PARAM_TIME,
	 .offset = offsetof(struct host_params, wakeup_stall),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "mean length of that while, exponentially distributed"},
	PARAM_END,
};

#define HOST_COUNTER(field, text)                                          \
	{                                                                  \
		.name = #field, .unit = "packets", .shape = PROBE_COUNTER, \
		.offset = offsetof(struct host, field), .doc = text,       \
	}

static const struct probe host_probes[] = {
	HOST_COUNTER(tx_packets, "sent by its transports"),
	HOST_COUNTER(rx_packets, "delivered to its transports"),
	HOST_COUNTER(forwarded, "passed on between its interfaces"),
	HOST_COUNTER(rx_unknown, "dropped: nothing takes the protocol"),
	HOST_COUNTER(not_ours, "dropped: for others, and forwarding is off"),
	HOST_COUNTER(unreachable, "dropped: no route"),
	{.name = "cpu_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = cpu_share,
	 .doc = "work given to the processor over time; above 1: it does not keep up"},
	PROBE_END,
};

static const struct model_ops host_ops = {
	.check = host_check,
	.init = host_init,
	.changed = host_changed,
	.window_open = host_window_open,
	.fini = host_fini,
};

const struct model_class host_class = {
	.kind = &kind_node,
	.name = "host",
	.doc = "a computer with its interfaces and transports",
	.source = "Linux 6.1 net/ipv4/ip_output.c, ip_forward.c, net/bridge/br_forward.c",
	.not_modelled = "Addresses and neighbour discovery: routes are known from the start.\n"
			"More than one processor; how the cost of a packet depends on its size.",
	.size = sizeof(struct host),
	.params_size = sizeof(struct host_params),
	.params = host_params,
	.probes = host_probes,
	.ops = &host_ops,
};
