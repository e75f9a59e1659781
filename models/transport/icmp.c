// SPDX-License-Identifier: GPL-3.0-or-later
#include "transport/icmp.h"

#include <glib.h>

struct icmp_user {
	icmp_reply fn;
	void *arg;
};

struct icmp {
	struct object obj;
	struct icmp_user *users; /* by identifier */
	u32 n_users;
	u64 requests, replies; /* received, of the window */
};

static struct icmp *icmp_of(struct host *h)
{
	struct object *obj = h->protocols[host_proto_index(PROTO_ICMP)];

	SIM_CHECK(h->obj.sim, &h->obj, obj, "this node has no ICMP");
	return (struct icmp *)obj;
}

static void turn_round(struct host *h, struct packet *p)
{
	u16 src = p->src;

	packet_enter(p, LAYER_HOST, h->obj.sim->now);
	p->src = p->dst;
	p->dst = src;
	p->flags |= PACKET_ECHO_REPLY;
	p->skb.hash = 0;
	p->skb.priority = 0;
	ip_output(h, p);
}

static void icmp_rx(void *arg, struct packet *p)
{
	struct icmp *icmp = arg;
	struct host *h = (struct host *)icmp->obj.owner;

	if (!(p->flags & PACKET_ECHO_REPLY)) {
		icmp->requests++;
		turn_round(h, p);
		return;
	}
	icmp->replies++;
	SIM_CHECK(icmp->obj.sim, &icmp->obj, p->dport < icmp->n_users, "a reply to identifier %u",
		  p->dport);
	icmp->users[p->dport].fn(icmp->users[p->dport].arg, p);
}

u16 icmp_open(struct host *h, icmp_reply fn, void *arg)
{
	struct icmp *icmp = icmp_of(h);

	SIM_CHECK(icmp->obj.sim, &icmp->obj, icmp->n_users < UINT16_MAX, "too many echo users");
	icmp->users = g_renew(struct icmp_user, icmp->users, icmp->n_users + 1);
	icmp->users[icmp->n_users] = (struct icmp_user){.fn = fn, .arg = arg};
	return (u16)icmp->n_users++;
}

int icmp_echo(struct host *h, u16 id, u16 dst, u32 bytes, u8 tos, u32 priority, u32 seq,
	      void (*left)(struct sk_buff *skb), void *owner)
{
	struct packet *p = packet_new(h->obj.sim);

	p->src = h->id;
	p->dst = dst;
	p->sport = id;
	p->dport = id;
	p->proto = PROTO_ICMP;
	p->header = ICMP_HEADERS;
	p->payload = bytes;
	p->skb.len = ETH_HLEN + ICMP_HEADERS + bytes;
	p->skb.truesize = packet_truesize(p->skb.len);
	p->skb.tos = tos;
	p->skb.priority = priority;
	p->skb.sk = owner;
	p->skb.destructor = left;
	p->dgram.seq = seq;
	return ip_output(h, p);
}

static void icmp_init(struct object *obj)
{
	host_register((struct host *)obj->owner, PROTO_ICMP, obj, icmp_rx);
}

static void icmp_fini(struct object *obj)
{
	g_free(((struct icmp *)obj)->users);
}

static const struct probe icmp_probes[] = {
	{.name = "requests",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct icmp, requests),
	 .doc = "echo requests received, each answered at once"},
	{.name = "replies",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct icmp, replies),
	 .doc = "echo replies received"},
	PROBE_END,
};

static const struct model_ops icmp_ops = {.init = icmp_init, .fini = icmp_fini};

const struct model_class icmp_class = {
	.kind = &kind_protocol,
	.name = "icmp",
	.doc = "answers echo requests",
	.source = "Linux 6.1 net/ipv4/icmp.c",
	.not_modelled = "Rate limits, errors, fragments.",
	.size = sizeof(struct icmp),
	.probes = icmp_probes,
	.ops = &icmp_ops,
};
