/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two hosts with TCP over a pipe that the test controls: rate, delay, a queue limit, and a verdict on every packet.
 * Parameters are the declared defaults of an era, which a test then changes by name.
 */
#ifndef WLANQ_TESTS_TCP_LAB_H
#define WLANQ_TESTS_TCP_LAB_H

#include <stdio.h>
#include <stdlib.h>

#include "net-lab.h"
#include "packet/gso.h"
#include "scenario/units.h"
#include "transport/sock.h"
#include "transport/tcp.h"
#include "transport/udp.h"

extern const struct model_class pfifo_fast_class;

/* ---- parameters ---------------------------------------------------------------------------- */

static inline const char *era_default(const struct param *p, const char *era)
{
	const char *def = p->def;

	for (const struct param_era *e = p->eras; e && e->era; e++)
		if (era_number(e->era) <= era_number(era))
			def = e->value;
	return def;
}

static inline int64_t param_parse(const struct param *p, const char *text)
{
	int64_t value = 0;

	if (p->type == PARAM_BOOL)
		return strcmp(text, "true") == 0;
	if (p->type == PARAM_ENUM) {
		for (const struct param_enum *e = p->values; e->name; e++)
			if (strcmp(e->name, text) == 0)
				return e->value;
		fprintf(stderr, "%s: no value %s\n", p->name, text);
		abort();
	}
	if (!units_parse(p->type, text, &value, NULL)) {
		fprintf(stderr, "%s: %s is no value\n", p->name, text);
		abort();
	}
	return value;
}

/* Sets one parameter by name. */
static inline void param_set(const struct model_class *cls, void *params, const char *name,
			     const char *text)
{
	for (const struct param *p = cls->params; p && p->name; p++) {
		if (strcmp(p->name, name) == 0) {
			*(int64_t *)((char *)params + p->offset) = param_parse(p, text);
			return;
		}
	}
	fprintf(stderr, "%s has no parameter %s\n", cls->name, name);
	abort();
}

/* A parameter struct with the declared defaults of @era; slots stay empty. */
static inline void *params_new(const struct model_class *cls, const char *era)
{
	void *params = calloc(1, cls->params_size + 8);

	for (const struct param *p = cls->params; p && p->name; p++)
		if (p->type != PARAM_SLOT && era_default(p, era))
			*(int64_t *)((char *)params + p->offset) =
				param_parse(p, era_default(p, era));
	return params;
}

/* ---- the pipe ------------------------------------------------------------------------------ */

#define PIPE_MAX 16384u

struct tcp_lab;

/* One way: a serialiser with a drop-tail queue, then a delay. */
struct pipe {
	struct tcp_lab *lab;
	struct netdev *to;
	int64_t rate; /* bit/s, 0: no time at all */
	sim_time delay;
	u32 room; /* packets that it takes before it stops; wakes at three quarters */
	struct packet_fifo queue, flight;
	struct packet *on_wire;
	struct event sent, arrive;
	const struct layer_up *up;
	void *up_arg;
	bool stopped;
	u64 n; /* packets seen */
	u64 delivered, dropped, peak;
};

struct tcp_lab {
	struct lab lab;
	struct host_params hp[2];
	struct netdev_params np[2];
	struct tcp_params *tp[2];
	void *cc[2];
	struct host *host[2];
	struct netdev *dev[2];
	struct pipe pipe[2]; /* [0]: from host 0 to host 1 */
	u16 members[2];
	/* Says whether packet number @n (from 1) of a way is lost, and by how much it is late. */
	bool (*verdict)(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late);
	void (*tap)(struct tcp_lab *l, u32 way,
		    const struct packet *p); /* what was put on the pipe */
	void *arg;
	/* A remote bottleneck on the way from host 0: bit/s (0: none), packets it holds. */
	int64_t bottleneck;
	u32 bottleneck_room;
	sim_time bottleneck_free; /* when it has sent all it has */
	u64 bottleneck_drops;
	const struct tcp_user *client_user, *server_user; /* NULL: the lab's own */
	struct tcp_sock *client, *server;
	u64 want, written, received;
	sim_time done_at;
	int closed; /* ends that have said so */
	bool close_after;
};

static inline u64 pipe_bits(const struct packet *p)
{
	return (u64)packet_len_on_link(p) * 8;
}

static inline void pipe_start(struct pipe *w)
{
	struct sim *sim = w->lab->lab.sim;
	sim_time took = 0;

	if (w->on_wire)
		return;
	w->on_wire = packet_fifo_pop(&w->queue);
	if (!w->on_wire)
		return;
	if (w->rate)
		took = (sim_time)(pipe_bits(w->on_wire) * SIM_SEC / (u64)w->rate);
	event_schedule_in(sim, &w->sent, took);
}

static inline void pipe_fly(struct pipe *w, struct packet *p, sim_time at)
{
	struct sim *sim = w->lab->lab.sim;
	struct packet *prev = NULL, *q = w->flight.head;

	p->mac.word = (u64)at;
	/* In order of arrival: a late packet is overtaken. */
	while (q && (sim_time)q->mac.word <= at) {
		prev = q;
		q = q->skb.next ? packet_of(q->skb.next) : NULL;
	}
	if (!q) {
		packet_fifo_push(&w->flight, p);
	} else {
		p->skb.next = &q->skb;
		if (prev)
			prev->skb.next = &p->skb;
		else
			w->flight.head = p;
		w->flight.n++;
	}
	event_schedule(sim, &w->arrive, (sim_time)w->flight.head->mac.word);
}

/* The remote queue: false when it is full, else how long @p is in it and on its wire. */
static inline bool bottleneck_pass(struct tcp_lab *l, const struct packet *p, sim_time *late)
{
	sim_time now = l->lab.sim->now;
	sim_time frame = (sim_time)(pipe_bits(p) * SIM_SEC / (u64)l->bottleneck);
	sim_time full = (sim_time)(1514ull * 8 * SIM_SEC / (u64)l->bottleneck);

	if (l->bottleneck_free < now)
		l->bottleneck_free = now;
	if (l->bottleneck_free - now > full * l->bottleneck_room) {
		l->bottleneck_drops++;
		return false;
	}
	l->bottleneck_free += frame;
	*late += l->bottleneck_free - now;
	return true;
}

static inline void pipe_sent(struct sim *sim, struct event *ev)
{
	struct pipe *w = container_of(ev, struct pipe, sent);
	struct packet *p = w->on_wire;
	sim_time late = 0;
	u32 way = (u32)(w - w->lab->pipe);
	struct packet_fifo segs = {0};

	w->on_wire = NULL;
	packet_orphan(p);
	if (packet_is_gso(p))
		packet_segment(sim, p, &segs);
	else
		packet_fifo_push(&segs, p);
	while ((p = packet_fifo_pop(&segs))) {
		w->n++;
		late = 0;
		if (w->lab->tap)
			w->lab->tap(w->lab, way, p);
		if (w->lab->verdict && w->lab->verdict(w->lab, way, p, &late)) {
			w->dropped++;
			packet_free(sim, p);
			continue;
		}
		if (way == 0 && w->lab->bottleneck && !bottleneck_pass(w->lab, p, &late)) {
			packet_free(sim, p);
			continue;
		}
		w->delivered++;
		pipe_fly(w, p, sim->now + w->delay + late);
	}
	pipe_start(w);
	if (w->stopped && w->queue.n < w->room - w->room / 4) {
		w->stopped = false;
		w->up->wake(w->up_arg, 0);
	}
}

static inline u32 way_back(const struct pipe *w)
{
	return !(w - w->lab->pipe);
}

static inline void pipe_arrive(struct sim *sim, struct event *ev)
{
	struct pipe *w = container_of(ev, struct pipe, arrive);
	struct packet *p = packet_fifo_pop(&w->flight);

	if (w->flight.head)
		event_schedule(sim, ev, (sim_time)w->flight.head->mac.word);
	w->lab->pipe[way_back(w)].up->rx(w->lab->pipe[way_back(w)].up_arg, p);
}

static inline enum xmit_result pipe_xmit(void *down, u32 queue, struct packet *p)
{
	struct pipe *w = down;

	if (w->stopped)
		return XMIT_BUSY;
	packet_enter(p, LAYER_RING, w->lab->lab.sim->now);
	/* Without a rate it is as a tunnel device: the sender's account ends here. */
	if (!w->rate)
		packet_orphan(p);
	packet_fifo_push(&w->queue, p);
	pipe_start(w);
	if (w->queue.n > w->peak)
		w->peak = w->queue.n;
	if (w->room && w->queue.n >= w->room) {
		w->stopped = true;
		return XMIT_OK_STOP;
	}
	return XMIT_OK;
}

static inline void pipe_set_up(void *down, const struct layer_up *ops, void *up)
{
	struct pipe *w = down;

	w->up = ops;
	w->up_arg = up;
}

static const struct layer_down pipe_down = {
	.n_queues = 1, .xmit = pipe_xmit, .set_up = pipe_set_up, .tso = true};

/* ---- the lab ------------------------------------------------------------------------------- */

/* Hosts, interfaces and parameters; change what you like, then tcp_lab_start(). */
static inline struct tcp_lab *tcp_lab_new(const char *era, const struct model_class *cc)
{
	static const char *const names[2] = {"a", "b"};
	struct tcp_lab *l = calloc(1, sizeof(*l));

	l->lab = lab_new();
	for (u32 i = 0; i < 2; i++) {
		l->hp[i] = (struct host_params){.kernel = era, .hz = 250};
		l->host[i] = lab_host(&l->lab, names[i], &l->hp[i]);
		l->tp[i] = params_new(&tcp_class, era);
		l->cc[i] = params_new(cc, era);
		l->tp[i]->congestion =
			(struct slot){.cls = cc, .params = l->cc[i], .path = "congestion"};
		l->np[i].qdisc.cls = &pfifo_fast_class;
		l->np[i].txqueuelen = 1000;
		l->np[i].tso = true;
		l->pipe[i].lab = l;
		l->pipe[i].room = 64;
		event_init(&l->pipe[i].sent, pipe_sent, RANK_MEDIUM);
		event_init(&l->pipe[i].arrive, pipe_arrive, RANK_DELIVER);
	}
	return l;
}

static inline void lab_write(struct tcp_lab *l)
{
	if (l->written < l->want)
		l->written += tcp_write(l->client, l->want - l->written);
	if (l->written == l->want && l->close_after)
		tcp_close(l->client);
}

static inline void lab_established(void *arg, struct tcp_sock *sk)
{
	lab_write(arg);
}

static inline void lab_server_established(void *arg, struct tcp_sock *sk)
{
	((struct tcp_lab *)arg)->server = sk;
}

static inline void lab_writable(void *arg, struct tcp_sock *sk)
{
	lab_write(arg);
}

static inline void lab_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct tcp_lab *l = arg;

	l->received += bytes;
	if (l->received == l->want)
		l->done_at = l->lab.sim->now;
}

static inline void lab_closed(void *arg, struct tcp_sock *sk, int error)
{
	struct tcp_lab *l = arg;

	l->closed += error ? 100 : 1;
}

static inline void lab_peer_closed(void *arg, struct tcp_sock *sk)
{
	tcp_close(sk);
}

static const struct tcp_user lab_client = {
	.established = lab_established, .writable = lab_writable, .closed = lab_closed};
static const struct tcp_user lab_server = {.established = lab_server_established,
					   .readable = lab_readable,
					   .peer_closed = lab_peer_closed,
					   .closed = lab_closed};

/* Interfaces, routes, protocols, and a connection from host 0 that offers l->want bytes. */
static inline void tcp_lab_start(struct tcp_lab *l)
{
	static const char *const devs[2] = {"a.eth0", "b.eth0"};
	static const char *const tcps[2] = {"a.tcp", "b.tcp"};
	struct tcp_open open = {.client = &lab_client, .server = &lab_server, .name = "lab"};

	for (u32 i = 0; i < 2; i++)
		l->dev[i] = lab_dev(&l->lab, l->host[i], devs[i], &l->np[i]);
	for (u32 i = 0; i < 2; i++) {
		l->members[i] = l->dev[i]->id;
		l->dev[i]->n_members = 2;
		l->dev[i]->link = &l->host[0]->obj; /* any object: routes ask which link it is */
		l->dev[i]->members = g_malloc(sizeof(l->members));
		l->pipe[i].to = l->dev[!i];
		netdev_set_lower(l->dev[i], &pipe_down, &l->pipe[i]);
		object_new(l->lab.sim, &tcp_class, tcps[i], l->tp[i], &l->host[i]->obj);
	}
	for (u32 i = 0; i < 2; i++)
		memcpy(l->dev[i]->members, l->members, sizeof(l->members));
	network_route(l->lab.net);
	open.from = l->host[0];
	open.to = l->host[1];
	open.client_arg = l;
	open.server_arg = l;
	if (l->client_user) {
		open.client = l->client_user;
		open.server = l->server_user;
		open.client_arg = open.server_arg = l->arg;
	}
	l->client = tcp_connect(&open);
}

static inline void tcp_lab_run(struct tcp_lab *l, sim_time until)
{
	if (sim_run(l->lab.sim, until)) {
		fprintf(stderr, "%s\n", l->lab.sim->error);
		abort();
	}
}

static inline void tcp_lab_free(struct tcp_lab *l)
{
	struct packet *p;

	for (u32 i = 0; i < 2; i++) {
		while ((p = packet_fifo_pop(&l->pipe[i].queue)))
			packet_free(l->lab.sim, p);
		while ((p = packet_fifo_pop(&l->pipe[i].flight)))
			packet_free(l->lab.sim, p);
		if (l->pipe[i].on_wire)
			packet_free(l->lab.sim, l->pipe[i].on_wire);
		free(l->cc[i]);
		free(l->tp[i]);
	}
	lab_free(&l->lab);
	free(l);
}

#endif
