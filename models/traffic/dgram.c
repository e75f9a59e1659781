// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic/dgram.h"

#include <glib.h>
#include <stdio.h>

#include "measure/micro.h"

static void receive(void *arg, struct packet *p)
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

static void send_next(struct sim *sim, struct event *ev)
{
	struct dgram_flow *f = container_of(ev, struct dgram_flow, next);
	struct dgram *d = f->d;
	u32 size = d->rules->size(f);
	u8 tos = d->rules->tos ? d->rules->tos(f) : d->t.tos;
	sim_time next;

	if (traffic_stopped(&d->t))
		return;
	if (udp_send(f->tx, d->t.to->id, udp_port(f->rx), size, tos, d->t.priority, f->seq, 0))
		d->local_drops++;
	d->sent_bytes += size;
	f->seq++;
	next = d->rules->next(f);
	if (next != SIM_TIME_MAX)
		event_schedule(sim, ev, next);
}

static void begin(struct sim *sim, struct event *ev)
{
	struct dgram *d = container_of(ev, struct dgram, t.begin);

	for (u32 i = 0; i < d->n_flows; i++) {
		struct dgram_flow *f = &d->flows[i];
		sim_time first = d->rules->begin(f);

		if (first != SIM_TIME_MAX)
			event_schedule(sim, &f->next, first);
	}
}

/* The largest datagram with its headers. */
static int64_t largest(const struct dgram *d)
{
	return (d->rules->largest ? d->rules->largest(d) : d->rules->size(&d->flows[0])) +
	       UDP_HEADERS;
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
		event_init(&f->next, send_next, RANK_TIMER);
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
