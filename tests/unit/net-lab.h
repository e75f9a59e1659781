/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network made by hand, for tests of models: hosts, interfaces and a lower layer that does as told. */
#ifndef WLANQ_TESTS_NET_LAB_H
#define WLANQ_TESTS_NET_LAB_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "engine/pool.h"
#include "measure/metrics.h"
#include "net/netdev.h"
#include "qdisc/qdisc.h"

#define LAB_DEVS 8

struct lab {
	struct sim *sim;
	struct network *net;
	const struct model_class *driver; /* of lab_link(); NULL: the plain card */
	u32 n_devs;
	struct netdev_params params[LAB_DEVS]; /* of each interface */
	char paths[LAB_DEVS][2][64]; /* of its qdisc and its byte queue limits */
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

	metrics_clear(l->sim);
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

/* @par is copied. */
static inline struct netdev *lab_dev(struct lab *l, struct host *h, const char *path,
				     const struct netdev_params *par)
{
	u32 i = l->n_devs++;
	struct netdev_params *own = &l->params[i];
	struct netdev *dev;

	*own = *par;
	if (!own->mtu)
		own->mtu = 1500;
	snprintf(l->paths[i][0], sizeof(l->paths[i][0]), "%s.qdisc", path);
	snprintf(l->paths[i][1], sizeof(l->paths[i][1]), "%s.bql", path);
	own->qdisc.path = l->paths[i][0];
	own->bql.path = l->paths[i][1];
	dev = (struct netdev *)object_new(l->sim, &netdev_class, path, own, &h->obj);
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

extern const struct model_class ethernet_class, ethernet_nic_class;

/* As models/net/ethernet.c and models/driver/ethernet.c have them. */
struct lab_link_params {
	struct param_list members;
	int64_t rate, delay, loss, queue;
};

struct lab_nic_params {
	int64_t ring, rx_ring, itr;
};

static inline void lab_join(struct object *link, struct netdev *dev, const struct model_class *cls,
			    void *nic)
{
	const struct driver_ops *ops = cls->kind_ops;
	struct object *drv = object_new(dev->obj.sim, cls, dev->obj.path, nic, &dev->obj);
	struct driver_env env = {
		.hz = 250, .era = dev->host->era, .mtu = 1500, .cpu = &dev->host->cpu};
	char err[64];

	dev->link = link;
	env.medium = link_join(link, dev, err, sizeof(err));
	ops->attach(drv, &env);
	netdev_set_lower(dev, &ops->down, drv);
}

/* Puts @devs on one new link with a card each, whose parameters @nic are. Routes are the caller's to work out. */
static inline struct object *lab_link(struct lab *l, const char *path, struct lab_link_params *par,
				      void *nic, struct netdev **devs, u32 n)
{
	struct object *link = object_new(l->sim, &ethernet_class, path, par, NULL);

	for (u32 i = 0; i < n; i++)
		lab_join(link, devs[i], l->driver ? l->driver : &ethernet_nic_class, nic);
	for (u32 i = 0; i < n; i++) {
		devs[i]->members = calloc(n, sizeof(u16));
		devs[i]->n_members = n;
		for (u32 k = 0; k < n; k++)
			devs[i]->members[k] = devs[k]->id;
	}
	((const struct link_ops *)ethernet_class.kind_ops)->ready(link);
	return link;
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
