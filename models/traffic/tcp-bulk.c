// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Bulk transfers over TCP, as nttcp and iperf make them: so many bytes, or as much as there is time for. The
 * rate is the receiver's. With bytes it is counted from a flow's start to the arrival of its last byte, as
 * nttcp does.
 */
#include <glib.h>
#include <stdio.h>

#include "measure/micro.h"
#include "measure/samples.h"
#include "traffic/models.h"
#include "transport/sock.h"
#include "transport/tcp_cong.h"

/* What a sender without end offers at a time: more than any send buffer takes. */
#define OFFER (1ull << 30)

struct bulk_flow {
	struct tcp_bulk *bulk;
	struct tcp_sock *sk;
	struct event start;
	char name[80];
	sim_time started;
	u64 written, received; /* bytes, from the start */
	u64 received_before; /* of them before the window */
	struct tcp_info before; /* when the window opened */
	sim_time handed_over; /* when the last byte was written; SIM_TIME_MAX: not yet */
	sim_time done; /* when the last byte had arrived; SIM_TIME_MAX: not yet */
	u64 left; /* bytes in the socket when the last one was written */
};

struct tcp_bulk {
	struct traffic t;
	struct bulk_flow *flows;
	struct traffic_delay delay;
	u64 received_bytes; /* of the window, as they come */

	/* of the window; worked out when it closes */
	struct samples flow_goodput; /* bit/s */
	u64 received, sent;
	sim_time until; /* the last flow's end, or the window's */
	u64 retransmits, sacks, reordered, timeouts, local_drops, spurious, unfinished;
	u64 left;
};

static const struct tcp_bulk_params *params_of(const struct tcp_bulk *b)
{
	return b->t.obj.params;
}

static bool endless(const struct tcp_bulk *b)
{
	return params_of(b)->bytes == PARAM_UNSET;
}

/* ---- the sender ------------------------------------------------------------------------------ */

static void bulk_write(struct bulk_flow *f)
{
	struct tcp_bulk *b = f->bulk;
	struct tcp_info info;
	u64 want;

	if (f->handed_over != SIM_TIME_MAX)
		return;
	want = endless(b) ? OFFER : (u64)params_of(b)->bytes - f->written;
	f->written += tcp_write(f->sk, want);
	if (endless(b) || f->written < (u64)params_of(b)->bytes)
		return;
	f->handed_over = b->t.obj.sim->now;
	tcp_get_info(f->sk, &info);
	f->left = info.unsent + info.unacked;
	tcp_close(f->sk);
}

static void bulk_writable(void *arg, struct tcp_sock *sk)
{
	struct bulk_flow *f = arg;

	f->sk = sk;
	bulk_write(f);
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static void bulk_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct bulk_flow *f = arg;
	struct tcp_bulk *b = f->bulk;
	sim_time now = b->t.obj.sim->now;

	if (traffic_stopped(&b->t))
		return;
	f->received += bytes;
	b->received_bytes += bytes;
	if (!endless(b) && f->received >= (u64)params_of(b)->bytes)
		f->done = now;
	if (p && traffic_counts(&b->t))
		traffic_delay_add(&b->delay, p, now);
}

static const struct tcp_user client = {.established = bulk_writable, .writable = bulk_writable};
static const struct tcp_user server = {.readable = bulk_readable};

static void bulk_connect(struct sim *sim, struct event *ev)
{
	struct bulk_flow *f = container_of(ev, struct bulk_flow, start);
	struct tcp_bulk *b = f->bulk;
	struct tcp_open open = {
		.from = b->t.from,
		.to = b->t.to,
		.client = &client,
		.server = &server,
		.client_arg = f,
		.server_arg = f,
		.tos = b->t.tos,
		.priority = b->t.priority,
		.congestion = params_of(b)->congestion,
		.name = f->name,
	};

	if (traffic_stopped(&b->t))
		return;
	f->started = sim->now;
	f->sk = tcp_connect(&open);
}

static void bulk_begin(struct sim *sim, struct event *ev)
{
	struct tcp_bulk *b = container_of(ev, struct tcp_bulk, t.begin);

	for (u32 i = 0; i < params_of(b)->flows; i++)
		event_schedule_in(sim, &b->flows[i].start, i * params_of(b)->stagger);
}

/* Time is up: nothing more is written; what was, drains. */
static void bulk_end(struct sim *sim, struct event *ev)
{
	struct tcp_bulk *b = container_of(ev, struct tcp_bulk, t.end);

	for (u32 i = 0; i < params_of(b)->flows; i++) {
		struct bulk_flow *f = &b->flows[i];

		event_cancel(sim, &f->start);
		if (!f->sk || f->handed_over != SIM_TIME_MAX)
			continue;
		f->handed_over = sim->now;
		tcp_close(f->sk);
	}
}

/* ---- the window ------------------------------------------------------------------------------ */

static void bulk_window_open(struct object *obj)
{
	struct tcp_bulk *b = (struct tcp_bulk *)obj;

	traffic_window_open(obj);
	b->received_bytes = 0;
	for (u32 i = 0; i < params_of(b)->flows; i++) {
		struct bulk_flow *f = &b->flows[i];

		f->received_before = f->received;
		if (f->sk)
			tcp_get_info(f->sk, &f->before);
	}
}

static void flow_close(struct tcp_bulk *b, struct bulk_flow *f)
{
	sim_time from = traffic_from(&b->t), until = traffic_until(&b->t, f->done);
	u64 bytes = f->received - f->received_before;
	struct tcp_info info;

	if (until > b->until)
		b->until = until;
	if (f->done == SIM_TIME_MAX && (!endless(b) || !f->sk))
		b->unfinished++;
	if (!f->sk)
		return;
	if (f->started > from)
		from = f->started;
	if (until > from)
		samples_add(&b->flow_goodput, b->t.obj.sim->now,
			    (int64_t)((__int128)bytes * 8 * SIM_SEC / (until - from)));
	tcp_get_info(f->sk, &info);
	b->received += bytes;
	b->sent += info.bytes_sent - f->before.bytes_sent;
	b->retransmits += info.retransmits - f->before.retransmits;
	b->sacks += info.sacks - f->before.sacks;
	b->reordered += info.reordered - f->before.reordered;
	b->timeouts += info.timeouts - f->before.timeouts;
	b->local_drops += info.local_drops - f->before.local_drops;
	b->spurious += info.spurious - f->before.spurious;
	b->left += f->handed_over == SIM_TIME_MAX ? info.unsent + info.unacked : f->left;
}

static void bulk_window_close(struct object *obj)
{
	struct tcp_bulk *b = (struct tcp_bulk *)obj;

	traffic_window_close(obj);
	for (u32 i = 0; i < params_of(b)->flows; i++)
		flow_close(b, &b->flows[i]);
}

int64_t tcp_bulk_goodput(const struct object *obj, int64_t window)
{
	const struct tcp_bulk *b = (const struct tcp_bulk *)obj;

	return traffic_mbit(b->received, b->until - traffic_from(&b->t));
}

static int64_t bulk_sent(const struct object *obj, int64_t window)
{
	const struct tcp_bulk *b = (const struct tcp_bulk *)obj;

	return traffic_mbit(b->sent, b->until - traffic_from(&b->t));
}

/* When the last flow had handed over or delivered all its bytes, from its start; absent when one has not. */
static int64_t bulk_seconds(const struct tcp_bulk *b, size_t offset)
{
	sim_time most = 0;

	for (u32 i = 0; i < params_of(b)->flows; i++) {
		const struct bulk_flow *f = &b->flows[i];
		sim_time end = *(const sim_time *)((const char *)f + offset);

		if (end == SIM_TIME_MAX || endless(b))
			return METRIC_ABSENT;
		if (end - f->started > most)
			most = end - f->started;
	}
	return micro_ratio(most, SIM_SEC);
}

static int64_t bulk_sender_seconds(const struct object *obj, int64_t window)
{
	return bulk_seconds((const struct tcp_bulk *)obj, offsetof(struct bulk_flow, handed_over));
}

static int64_t bulk_receiver_seconds(const struct object *obj, int64_t window)
{
	return bulk_seconds((const struct tcp_bulk *)obj, offsetof(struct bulk_flow, done));
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void bulk_init(struct object *obj)
{
	struct tcp_bulk *b = (struct tcp_bulk *)obj;

	traffic_init(obj);
	traffic_delay_init(&b->delay);
	b->flows = g_new0(struct bulk_flow, params_of(b)->flows);
}

static void bulk_start(struct object *obj)
{
	struct tcp_bulk *b = (struct tcp_bulk *)obj;

	traffic_start(&b->t, bulk_begin, bulk_end);
	for (u32 i = 0; i < params_of(b)->flows; i++) {
		struct bulk_flow *f = &b->flows[i];

		f->bulk = b;
		f->handed_over = SIM_TIME_MAX;
		f->done = SIM_TIME_MAX;
		event_init(&f->start, bulk_connect, RANK_TIMER);
		snprintf(f->name, sizeof(f->name), "%s.%u", obj->path, i);
	}
}

static void bulk_fini(struct object *obj)
{
	g_free(((struct tcp_bulk *)obj)->flows);
}

static const struct param bulk_params[] = {
	TRAFFIC_PARAMS,
	{.name = "bytes",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tcp_bulk_params, bytes),
	 .min = 1,
	 .max = INT64_MAX / 2,
	 .doc = "bytes of each flow; without it as many as there is time for"},
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tcp_bulk_params, flows),
	 .def = "1",
	 .min = 1,
	 .max = 10000,
	 .doc = "connections"},
	{.name = "stagger",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tcp_bulk_params, stagger),
	 .def = "0s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "from the start of one flow to that of the next"},
	{.name = "congestion",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct tcp_bulk_params, congestion),
	 .doc = "congestion control of these flows; without it the sending node's",
	 .linux_name = "TCP_CONGESTION",
	 .kind = &kind_congestion},
	PARAM_END,
};

#define BULK_COUNTER(field, u, text)                                     \
	{                                                                \
		.name = #field, .unit = u, .shape = PROBE_COUNTER,       \
		.offset = offsetof(struct tcp_bulk, field), .doc = text, \
	}

static const struct probe bulk_probes[] = {
	{.name = "goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = tcp_bulk_goodput,
	 .over = PROBE_OVER_SUM,
	 .doc = "payload that arrived in order; with bytes to the arrival of the last one"},
	{.name = "sent_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = bulk_sent,
	 .over = PROBE_OVER_SUM,
	 .doc = "payload that was sent, each byte once"},
	TRAFFIC_DELAY_PROBES(struct tcp_bulk, delay),
	{.name = "flow_goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct tcp_bulk, flow_goodput),
	 .per = 1000000,
	 .doc = "goodput of each flow"},
	{.name = "jain",
	 .unit = "",
	 .shape = PROBE_JAIN,
	 .offset = offsetof(struct tcp_bulk, flow_goodput),
	 .doc = "Jain's fairness index of the flows"},
	{.name = "sender_s",
	 .unit = "s",
	 .shape = PROBE_VALUE,
	 .value = bulk_sender_seconds,
	 .over = PROBE_OVER_MAX,
	 .doc = "with bytes: until the last one was written to the socket"},
	{.name = "receiver_s",
	 .unit = "s",
	 .shape = PROBE_VALUE,
	 .value = bulk_receiver_seconds,
	 .over = PROBE_OVER_MAX,
	 .doc = "with bytes: until the last one had arrived"},
	BULK_COUNTER(received_bytes, "bytes", "payload that arrived in order"),
	BULK_COUNTER(left, "bytes",
		     "in the sockets when the last byte was written, or at the end of the window"),
	BULK_COUNTER(retransmits, "packets", "segments sent again"),
	BULK_COUNTER(sacks, "packets", "ACKs with SACK blocks"),
	BULK_COUNTER(reordered, "", "reordering seen by the senders"),
	BULK_COUNTER(timeouts, "", "retransmission timeouts"),
	BULK_COUNTER(local_drops, "", "segments that the sender's own qdisc refused"),
	BULK_COUNTER(spurious, "", "recoveries that were undone"),
	BULK_COUNTER(unfinished, "", "flows that did not deliver all their bytes, or never began"),
	PROBE_END,
};

static const struct model_ops bulk_ops = {
	.init = bulk_init,
	.wired = traffic_wired,
	.start = bulk_start,
	.window_open = bulk_window_open,
	.window_close = bulk_window_close,
	.fini = bulk_fini,
};

const struct model_class tcp_bulk_class = {
	.kind = &kind_traffic,
	.name = "tcp_bulk",
	.doc = "bulk transfers over TCP",
	.source = "nttcp -t -T -D; iperf 2 -c -t, -n, -P",
	.not_modelled = "Applications that read or write slower than the socket.",
	.size = sizeof(struct tcp_bulk),
	.params_size = sizeof(struct tcp_bulk_params),
	.params = bulk_params,
	.probes = bulk_probes,
	.ops = &bulk_ops,
};
