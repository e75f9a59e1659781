/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network made by hand, for tests of models: hosts, interfaces and a lower layer that does as told. */
#ifndef WLANQ_TESTS_NET_LAB_H
#define WLANQ_TESTS_NET_LAB_H

#include <string.h>

#include "driver/driver.h"
#include "engine/pool.h"
#include "net/netdev.h"
#include "qdisc/qdisc.h"

struct lab {
	struct sim *sim;
	struct network *net;
};

static inline struct lab lab_new(void)
{
	struct lab l = {.sim = sim_new(1)};

	l.net = network_new(l.sim);
	return l;
}

static inline void lab_free(struct lab *l)
{
	struct network *net = l->net;

	objects_free(l->sim);
	network_free(net);
	sim_free(l->sim);
}

static inline struct host *lab_host(struct lab *l, const char *path, struct host_params *par)
{
	struct host *h = (struct host *)object_new(l->sim, &host_class, path, par, NULL);

	network_add_host(l->net, h);
	return h;
}

static inline struct netdev *lab_dev(struct host *h, const char *path, struct netdev_params *par)
{
	struct netdev *dev;

	if (!par->mtu)
		par->mtu = 1500;
	par->qdisc.path = "qdisc";
	par->bql.path = "bql";
	dev = (struct netdev *)object_new(h->obj.sim, &netdev_class, path, par, &h->obj);
	netdev_register(h, dev);
	return dev;
}

static inline struct packet *lab_packet(struct sim *sim, u16 src, u16 dst, u32 len)
{
	struct packet *p = packet_new(sim);

	p->src = src;
	p->dst = dst;
	p->proto = PROTO_UDP;
	p->skb.len = len;
	p->skb.truesize = len + 768;
	p->header = 28;
	p->payload = len - ETH_HLEN - 28;
	return p;
}

/* A lower layer with room for .room packets; it keeps what it takes until told to complete. */
struct lab_lower {
	const struct layer_up *up;
	void *up_arg;
	u32 room;
	struct packet_fifo taken;
	u64 order[256]; /* ids of what was taken */
	u32 n_taken;
};

static inline enum xmit_result lab_xmit(void *down, u32 queue, struct packet *p)
{
	struct lab_lower *l = down;

	if (!l->room)
		return XMIT_BUSY;
	l->order[l->n_taken++ % 256] = p->id;
	packet_fifo_push(&l->taken, p);
	return --l->room ? XMIT_OK : XMIT_OK_STOP;
}

static inline void lab_set_up(void *down, const struct layer_up *ops, void *up)
{
	struct lab_lower *l = down;

	l->up = ops;
	l->up_arg = up;
}

/* @n packets are done: one completion round, then the queue is woken. */
static inline void lab_complete(struct sim *sim, struct lab_lower *l, u32 queue, u32 n)
{
	struct tx_status st = {.queue = queue};

	while (n--) {
		struct packet *p = packet_fifo_pop(&l->taken);

		st.packets++;
		st.bytes += p->skb.len;
		packet_free(sim, p);
		l->room++;
	}
	l->up->tx_status(l->up_arg, &st);
	l->up->wake(l->up_arg, queue);
}

#endif
