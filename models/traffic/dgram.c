// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic/dgram.h"

#include <glib.h>
#include <stdio.h>

#include "engine/lazy.h"
#include "measure/micro.h"
#include "net/netdev.h"

/* With all its measures in one, as it is called for each packet: the registers are saved once. */
static __attribute__((flatten)) void receive(void *arg, struct packet *p)
{
	struct dgram_flow *f = arg;
	struct dgram *d = f->d;
	struct sim *sim = d->t.obj.sim;
	sim_time delay = sim->now - p->born;
	u32 seq = p->dgram.seq;

	if (traffic_counts(&d->t)) {
		d->received++;
		d->received_bytes += p->payload;
		f->received_bytes += p->payload;
		if (seq < f->highest)
			d->reordered++;
		traffic_delay_add(&d->delay, p, sim->now);
		if (f->last_delay >= 0)
			histogram_add(&d->jitter, llabs(delay - f->last_delay), 1);
		if (d->rules->received)
			d->rules->received(f, delay);
	}
	f->last_delay = delay;
	if (seq >= f->first)
		f->received++;
	if (seq >= f->highest)
		f->highest = seq + 1;
	packet_free(sim, p);
}

static u32 size_of(const struct dgram_flow *f)
{
	return f->d->rules->size ? f->d->rules->size(f) : f->d->size;
}

/*
 * When the datagram just sent only waits behind a stopped queue (or was dropped from it), so will the next: it need not run
 * at its own time.
 */
static struct lazy *waits(const struct dgram_flow *f, sim_time next)
{
	const struct dgram *d = f->d;
	struct sim *sim = d->t.obj.sim;
	const struct host *h = d->t.from;

	if (!d->rules->alone || next <= sim->now || lazy_never(sim) || h->cpu.per_packet)
		return NULL;
	return netdev_waits(ip_dev(h, d->t.to->id));
}

static sim_time sent(struct dgram_flow *f, u32 size)
{
	f->d->sent_bytes += size;
	f->seq++;
	return f->d->rules->next(f);
}

/*
 * A datagram that was put off met a full queue, and so do the next that are like it. Returns when the first is due that may
 * not.
 */
static sim_time refuse(struct dgram_flow *f, u32 size, sim_time next)
{
	struct dgram *d = f->d;
	u32 n = 0;

	if (!netdev_refuses(ip_dev(d->t.from, d->t.to->id)))
		return next;
	while (!traffic_stops(&d->t, next) && size_of(f) == size && lazy_goes_on(f->lazy, next)) {
		next = sent(f, size);
		n++;
	}
	d->local_drops += n;
	udp_refused(f->tx, d->t.to->id, n);
	return next;
}

static int send_one(struct dgram_flow *f, u32 size)
{
	const struct dgram *d = f->d;
	u8 tos = d->t.tos;

	if (d->rules->tos)
		tos = d->rules->tos(f);
	else if (f->seq) /* all go where the first went */
		return udp_send_again(f->tx, size, f->seq);
	return udp_send(f->tx, d->t.to->id, udp_port(f->rx), size, tos, d->t.priority, f->seq, 0);
}

static void send_next(struct sim *sim, struct event *ev)
{
	struct dgram_flow *f = container_of(ev, struct dgram_flow, next);
	struct dgram *d = f->d;
	sim_time next;

	do {
		u32 size = size_of(f);
		int err;

		if (traffic_stopped(&d->t))
			return;
		err = send_one(f, size);
		next = sent(f, size);
		if (__builtin_expect(err, 0)) {
			d->local_drops++;
			if (err == NET_XMIT_DROP && f->lazy && f->lazy->running)
				next = refuse(f, size, next);
		}
	} while (f->lazy && lazy_goes_on(f->lazy, next));
	if (next == SIM_TIME_MAX)
		return;
	if (!f->lazy || !f->lazy->running)
		f->lazy = waits(f, next);
	if (f->lazy)
		lazy_defer(f->lazy, ev, next);
	else
		event_arrive(sim, ev, next);
}

static void begin(struct sim *sim, struct event *ev)
{
	struct dgram *d = container_of(ev, struct dgram, t.begin);

	for (u32 i = 0; i < d->n_flows; i++) {
		struct dgram_flow *f = &d->flows[i];
		sim_time first = d->rules->begin(f);

		if (first != SIM_TIME_MAX)
			event_arrive(sim, &f->next, first);
	}
}

/* The largest datagram with its headers. */
static int64_t largest(const struct dgram *d)
{
	return (d->rules->largest ? d->rules->largest(d) : size_of(&d->flows[0])) + UDP_HEADERS;
}

void dgram_wired(const struct object *obj, struct model_check *c)
{
	const struct dgram *d = (const struct dgram *)obj;
	const struct traffic_params *par = obj->params;

	traffic_wired(obj, c);
	traffic_check_fits(par->from, par->to, largest(d), d->rules->largest ? NULL : "size", c);
}

void dgram_fits(struct dgram *d)
{
	traffic_still_fits(&d->t, largest(d));
}

void dgram_init(struct dgram *d, const struct dgram_rules *rules, u32 flows)
{
	traffic_init(&d->t.obj);
	traffic_delay_init(&d->delay);
	d->rules = rules;
	d->n_flows = flows;
	d->flows = g_new0(struct dgram_flow, flows);
	for (u32 i = 0; i < flows; i++) {
		d->flows[i].d = d;
		d->flows[i].index = i;
	}
}

void dgram_start(struct object *obj)
{
	struct dgram *d = (struct dgram *)obj;
	char domain[32];

	traffic_start(&d->t, begin, NULL);
	for (u32 i = 0; i < d->n_flows; i++) {
		struct dgram_flow *f = &d->flows[i];

		f->last_delay = -1;
		f->tx = udp_open(d->t.from, 0, NULL, NULL);
		f->rx = udp_open(d->t.to, 0, receive, f);
		event_init_source(obj->sim, &f->next, send_next);
		snprintf(domain, sizeof(domain), "gaps.%u", i);
		draw_init(&f->draw, obj->sim->seed, obj->path, domain);
	}
}

void dgram_window_open(struct object *obj)
{
	struct dgram *d = (struct dgram *)obj;

	traffic_window_open(obj);
	d->sent_bytes = 0;
	d->received_bytes = 0;
	for (u32 i = 0; i < d->n_flows; i++) {
		d->flows[i].first = d->flows[i].seq;
		d->flows[i].received = 0;
		d->flows[i].received_bytes = 0;
	}
}

static sim_time span(const struct dgram *d)
{
	return traffic_until(&d->t, SIM_TIME_MAX) - traffic_from(&d->t);
}

void dgram_window_close(struct object *obj)
{
	struct dgram *d = (struct dgram *)obj;

	traffic_window_close(obj);
	for (u32 i = 0; i < d->n_flows; i++) {
		struct dgram_flow *f = &d->flows[i];
		u32 known = f->highest > f->first ? f->highest - f->first : 0;

		f->lost = known > f->received ? known - f->received : 0;
		d->lost += f->lost;
		d->unfinished += f->seq - f->first - known;
		if (span(d) > 0)
			samples_add(&d->flow_goodput, obj->sim->now,
				    (int64_t)((__int128)f->received_bytes * 8 * SIM_SEC / span(d)));
	}
}

void dgram_fini(struct object *obj)
{
	g_free(((struct dgram *)obj)->flows);
}

int64_t dgram_goodput(const struct object *obj, int64_t window)
{
	const struct dgram *d = (const struct dgram *)obj;

	return traffic_mbit(d->received_bytes, span(d));
}

int64_t dgram_sent(const struct object *obj, int64_t window)
{
	const struct dgram *d = (const struct dgram *)obj;

	return traffic_mbit(d->sent_bytes, span(d));
}

int64_t dgram_lost_share(const struct object *obj, int64_t window)
{
	const struct dgram *d = (const struct dgram *)obj;

	return micro_ratio(d->lost, d->lost + d->received);
}
