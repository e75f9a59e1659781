// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * iperf3 -c -t -P: a control connection is opened first, then the flows, on each of which the client sends the test's
 * cookie (from which BBR takes its first bandwidth). Only then it asks for the congestion control of -C: the cookie's
 * ACK is the host's own algorithm's, and so is what that leaves in the socket. When both ends have set up all flows, one
 * after the other, the server says so on the control connection, and the flows start together. At stop the client says
 * so there, and the word waits in the queues like all else. When it has arrived the server closes the flows with what
 * is still on its way in them; the rate is what it had read, over the time until then.
 */
#include <glib.h>
#include <stdio.h>

#include "measure/samples.h"
#include "traffic/models.h"
#include "transport/sock.h"
#include "transport/tcp_cong.h"

/* What a flow offers at a time: more than any send buffer takes. */
#define OFFER (1ull << 30)

#define COOKIE 37 /* bytes, COOKIE_SIZE */

/*
 * Both ends fill a buffer of 128 kB with random bytes for each flow. In traces of 3.12 with both on one processor
 * setsockopt(TCP_CONGESTION) comes 0.7 ms behind the cookie, and the first data or the next flow 0.7 ms behind that, if
 * nothing else runs.
 */
#define SET_UP (700 * SIM_US)

struct iperf3_params {
	struct traffic_params common;
	int64_t flows;
	struct slot congestion; /* empty: the host's */
};

struct iperf3_flow {
	struct iperf3 *test;
	struct tcp_sock *sk; /* NULL when the server has closed it */
	struct event chosen, ready; /* -C is in force; the client is done with it */
	char name[80];
	u64 received; /* bytes, from the start */
	u64 received_before; /* of them before the window */
	struct tcp_info info; /* when it was closed */
	struct tcp_info before; /* when the window opened */
};

struct iperf3 {
	struct traffic t;
	struct tcp_sock *control; /* the client's end */
	struct tcp_sock *server; /* the other */
	char name[80];
	struct iperf3_flow *flows;
	u32 n_cookies; /* flows that the server knows */
	u32 n_ready; /* and that the client has set up */
	bool running; /* the client writes */
	sim_time started, done; /* SIM_TIME_MAX: not yet */

	/* of the window; worked out when it closes */
	struct samples flow_goodput; /* bit/s */
	u64 received;
	sim_time span;
	u64 retransmits, timeouts, local_drops, spurious;
};

static const struct iperf3_params *params_of(const struct iperf3 *test)
{
	return test->t.obj.params;
}

/* ---- flows ----------------------------------------------------------------------------------- */

static void flow_writable(void *arg, struct tcp_sock *sk)
{
	struct iperf3_flow *f = arg;

	f->sk = sk;
	if (f->test->running)
		tcp_write(sk, OFFER);
}

static void flow_established(void *arg, struct tcp_sock *sk)
{
	struct iperf3_flow *f = arg;

	f->sk = sk;
	tcp_write(sk, COOKIE);
	event_schedule_in(f->test->t.obj.sim, &f->chosen, SET_UP);
}

/*
 * The server knows all flows and the control connection, whose last ACK a flow's packets can overtake, and is ready when
 * the client is.
 */
static void tell_to_begin(struct iperf3 *test)
{
	if (test->server && test->n_ready == params_of(test)->flows &&
	    test->n_cookies == params_of(test)->flows)
		tcp_write(test->server, 1);
}

static void flow_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct iperf3_flow *f = arg;
	struct iperf3 *test = f->test;

	f->received += bytes;
	if (test->running || f->received != COOKIE)
		return;
	test->n_cookies++;
	tell_to_begin(test);
}

static const struct tcp_user flow_client = {.established = flow_established,
					    .writable = flow_writable};
static const struct tcp_user flow_server = {.readable = flow_readable};

/* ---- the control connection ------------------------------------------------------------------ */

static void flow_open(struct iperf3 *test, u32 i)
{
	struct iperf3_flow *f = &test->flows[i];
	struct tcp_open open = {
		.from = test->t.from,
		.to = test->t.to,
		.client = &flow_client,
		.server = &flow_server,
		.client_arg = f,
		.server_arg = f,
		.tos = test->t.tos,
		.priority = test->t.priority,
		.name = f->name,
	};

	f->sk = tcp_connect(&open);
}

static void flow_chosen(struct sim *sim, struct event *ev)
{
	struct iperf3_flow *f = container_of(ev, struct iperf3_flow, chosen);
	const struct slot *congestion = &params_of(f->test)->congestion;

	if (congestion->cls)
		tcp_set_congestion(f->sk, congestion);
	event_schedule_in(sim, &f->ready, SET_UP);
}

static void flow_ready(struct sim *sim, struct event *ev)
{
	struct iperf3 *test = container_of(ev, struct iperf3_flow, ready)->test;

	if (++test->n_ready < params_of(test)->flows)
		flow_open(test, test->n_ready);
	tell_to_begin(test);
}

static void control_established(void *arg, struct tcp_sock *sk)
{
	flow_open(arg, 0);
}

static void control_accepted(void *arg, struct tcp_sock *sk)
{
	struct iperf3 *test = arg;

	test->server = sk;
	tell_to_begin(test);
}

/* The client has heard that the test begins. */
static void control_begins(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct iperf3 *test = arg;

	test->running = true;
	test->started = test->t.obj.sim->now;
	for (u32 i = 0; i < params_of(test)->flows; i++)
		tcp_write(test->flows[i].sk, OFFER);
}

/* The server has heard that the test is over. */
static void control_ends(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct iperf3 *test = arg;

	test->done = test->t.obj.sim->now;
	for (u32 i = 0; i < params_of(test)->flows; i++) {
		struct iperf3_flow *f = &test->flows[i];

		tcp_get_info(f->sk, &f->info);
		tcp_free(f->sk);
		f->sk = NULL;
	}
}

static const struct tcp_user control_client = {.established = control_established,
					       .readable = control_begins};
static const struct tcp_user control_server = {.established = control_accepted,
					       .readable = control_ends};

static void iperf3_begin(struct sim *sim, struct event *ev)
{
	struct iperf3 *test = container_of(ev, struct iperf3, t.begin);
	struct tcp_open open = {
		.from = test->t.from,
		.to = test->t.to,
		.client = &control_client,
		.server = &control_server,
		.client_arg = test,
		.server_arg = test,
		.name = test->name,
	};

	test->control = tcp_connect(&open);
}

static void iperf3_end(struct sim *sim, struct event *ev)
{
	struct iperf3 *test = container_of(ev, struct iperf3, t.end);

	if (!test->running)
		return;
	test->running = false;
	tcp_write(test->control, 1);
}

/* ---- the window ------------------------------------------------------------------------------ */

static void flow_info(const struct iperf3_flow *f, struct tcp_info *info)
{
	*info = f->info;
	if (f->sk)
		tcp_get_info(f->sk, info);
}

static void iperf3_window_open(struct object *obj)
{
	struct iperf3 *test = (struct iperf3 *)obj;

	traffic_window_open(obj);
	for (u32 i = 0; i < params_of(test)->flows; i++) {
		struct iperf3_flow *f = &test->flows[i];

		f->received_before = f->received;
		flow_info(f, &f->before);
	}
}

static void iperf3_window_close(struct object *obj)
{
	struct iperf3 *test = (struct iperf3 *)obj;
	sim_time from, until;

	traffic_window_close(obj);
	from = test->started > test->t.opened ? test->started : test->t.opened;
	until = test->done < test->t.closed ? test->done : test->t.closed;
	test->span = until > from ? until - from : 0;
	for (u32 i = 0; i < params_of(test)->flows; i++) {
		const struct iperf3_flow *f = &test->flows[i];
		u64 bytes = f->received - f->received_before;
		struct tcp_info info;

		flow_info(f, &info);
		test->received += bytes;
		test->retransmits += info.retransmits - f->before.retransmits;
		test->timeouts += info.timeouts - f->before.timeouts;
		test->local_drops += info.local_drops - f->before.local_drops;
		test->spurious += info.spurious - f->before.spurious;
		if (test->span)
			samples_add(&test->flow_goodput, obj->sim->now,
				    (int64_t)((__int128)bytes * 8 * SIM_SEC / test->span));
	}
}

static int64_t iperf3_goodput(const struct object *obj, int64_t window)
{
	const struct iperf3 *test = (const struct iperf3 *)obj;

	return traffic_mbit(test->received, test->span);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void iperf3_init(struct object *obj)
{
	struct iperf3 *test = (struct iperf3 *)obj;

	traffic_init(obj);
	test->started = SIM_TIME_MAX;
	test->done = SIM_TIME_MAX;
	test->flows = g_new0(struct iperf3_flow, params_of(test)->flows);
	snprintf(test->name, sizeof(test->name), "%s.control", obj->path);
	for (u32 i = 0; i < params_of(test)->flows; i++) {
		test->flows[i].test = test;
		event_init(&test->flows[i].chosen, flow_chosen, RANK_TIMER);
		event_init(&test->flows[i].ready, flow_ready, RANK_TIMER);
		snprintf(test->flows[i].name, sizeof(test->flows[i].name), "%s.%u", obj->path, i);
	}
}

static void iperf3_start(struct object *obj)
{
	traffic_start(&((struct iperf3 *)obj)->t, iperf3_begin, iperf3_end);
}

static void iperf3_fini(struct object *obj)
{
	g_free(((struct iperf3 *)obj)->flows);
}

static const struct param iperf3_param_table[] = {
	TRAFFIC_PARAMS,
	{.name = "flows",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct iperf3_params, flows),
	 .def = "1",
	 .min = 1,
	 .max = 128,
	 .doc = "connections beside the control connection",
	 .linux_name = "iperf3 -P"},
	{.name = "congestion",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct iperf3_params, congestion),
	 .doc = "congestion control of the flows once their cookie is sent; until then, and for the control "
		"connection, it is the sending node's",
	 .linux_name = "iperf3 -C",
	 .kind = &kind_congestion},
	PARAM_END,
};

#define COUNTER(field, text)                                                                      \
	{                                                                                         \
		.name = #field, .shape = PROBE_COUNTER, .offset = offsetof(struct iperf3, field), \
		.unit = "", .doc = text                                                           \
	}

static const struct probe iperf3_probes[] = {
	{.name = "goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = iperf3_goodput,
	 .over = PROBE_OVER_SUM,
	 .doc = "what the server read, until it heard of the end"},
	{.name = "flow_goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct iperf3, flow_goodput),
	 .per = 1000000,
	 .doc = "goodput of each flow"},
	{.name = "jain",
	 .unit = "",
	 .shape = PROBE_JAIN,
	 .offset = offsetof(struct iperf3, flow_goodput),
	 .doc = "Jain's fairness index of the flows"},
	COUNTER(retransmits, "segments sent again"),
	COUNTER(timeouts, "retransmission timeouts"),
	COUNTER(local_drops, "segments that the sender's own qdisc refused"),
	COUNTER(spurious, "recoveries that were undone"),
	PROBE_END,
};

static const struct model_ops iperf3_ops = {
	.init = iperf3_init,
	.wired = traffic_wired,
	.start = iperf3_start,
	.window_open = iperf3_window_open,
	.window_close = iperf3_window_close,
	.fini = iperf3_fini,
};

const struct model_class iperf3_class = {
	.kind = &kind_traffic,
	.name = "iperf3",
	.doc = "an iperf3 test over TCP, with its control connection",
	.source = "iperf3 3.12 -c -t -P -C, as its JSON's sum_received counts",
	.not_modelled =
		"The messages before the test and the exchange of results after it. That one process\n"
		"serves all connections of an end.",
	.size = sizeof(struct iperf3),
	.params_size = sizeof(struct iperf3_params),
	.params = iperf3_param_table,
	.probes = iperf3_probes,
	.ops = &iperf3_ops,
};
