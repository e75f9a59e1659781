// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Web pages: a document, then all that it refers to. Each object is a DNS look-up and a TCP connection of its own
 * with one request and one response; only so many connections are open at a time.
 */
#include <glib.h>
#include <stdio.h>

#include "measure/samples.h"
#include "traffic/exponential.h"
#include "traffic/traffic.h"
#include "transport/sock.h"

/* glibc's resolver asks again after this. */
#define DNS_TIMEOUT  (5 * SIM_SEC)
#define DNS_QUESTION 40 /* bytes of payload */
#define DNS_ANSWER   120

struct web_params {
	struct traffic_params common;
	struct object *dns; /* host, NULL: the server */
	int64_t lookups, streams; /* of a page */
	int64_t connections; /* at a time */
	int64_t request, size; /* bytes; size is a mean */
	int64_t exponential; /* bool */
	int64_t pause; /* ns from one page to the next */
	int64_t pages; /* PARAM_UNSET: as many as there is time for */
};

struct web_stream {
	struct web *web;
	u32 index; /* in the page */
	char name[80];
	struct event dns_timer; /* pending: a look-up is under way */
	sim_time asked; /* the first time */
	bool resolved;
	struct tcp_sock *client, *server;
	u64 size, sent, got,
		asked_got; /* bytes: of the response, written, arrived; of the request */
};

struct web {
	struct traffic t;
	struct udp_sock *resolver, *name_server;
	struct web_stream *streams;
	struct event next; /* page */
	struct draw sizes;
	u32 page; /* from 0 */
	u32 waiting; /* the next stream that waits for a free connection */
	u32 open, done; /* connections; objects of the page */
	sim_time began; /* the page; SIM_TIME_MAX: none is under way */

	struct samples plt;
	struct histogram dns;
	u64 dns_retries, unfinished;
};

static const struct web_params *params_of(const struct web *w)
{
	return w->t.obj.params;
}

static void page_go_on(struct web *w);

/* ---- an object's connection ------------------------------------------------------------------ */

static void client_established(void *arg, struct tcp_sock *sk)
{
	struct web_stream *s = arg;

	/* A request fits the smallest send buffer. */
	tcp_write(sk, (u64)params_of(s->web)->request);
}

static void client_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct web_stream *s = arg;
	struct web *w = s->web;

	s->got += bytes;
	if (s->got < s->size)
		return;
	tcp_close(sk);
	w->open--;
	w->done++;
	page_go_on(w);
}

static void response_write(struct web_stream *s)
{
	s->sent += tcp_write(s->server, s->size - s->sent);
	if (s->sent == s->size)
		tcp_close(s->server);
}

static void server_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct web_stream *s = arg;

	s->server = sk;
	s->asked_got += bytes;
	if (s->asked_got == (u64)params_of(s->web)->request)
		response_write(s);
}

static void server_writable(void *arg, struct tcp_sock *sk)
{
	struct web_stream *s = arg;

	if (s->sent < s->size && s->asked_got == (u64)params_of(s->web)->request)
		response_write(s);
}

static const struct tcp_user client = {.established = client_established,
				       .readable = client_readable};
static const struct tcp_user server = {.readable = server_readable, .writable = server_writable};

static void stream_connect(struct web_stream *s)
{
	struct web *w = s->web;
	struct tcp_open open = {
		.from = w->t.from,
		.to = w->t.to,
		.client = &client,
		.server = &server,
		.client_arg = s,
		.server_arg = s,
		.tos = w->t.tos,
		.priority = w->t.priority,
		.name = s->name,
	};

	w->open++;
	s->client = tcp_connect(&open);
}

/* ---- look-ups -------------------------------------------------------------------------------- */

static void ask(struct web_stream *s)
{
	struct web *w = s->web;
	const struct host *dns = params_of(w)->dns ? (struct host *)params_of(w)->dns : w->t.to;

	event_schedule_in(w->t.obj.sim, &s->dns_timer, DNS_TIMEOUT);
	udp_send(w->resolver, dns->id, udp_port(w->name_server), DNS_QUESTION, w->t.tos,
		 w->t.priority, s->index, w->page);
}

static void ask_again(struct sim *sim, struct event *ev)
{
	struct web_stream *s = container_of(ev, struct web_stream, dns_timer);

	s->web->dns_retries++;
	ask(s);
}

static void answer(void *arg, struct packet *p)
{
	struct web *w = arg;

	udp_reply(w->name_server, p, DNS_ANSWER, w->t.tos, w->t.priority);
}

static void answered(void *arg, struct packet *p)
{
	struct web *w = arg;
	struct sim *sim = w->t.obj.sim;
	struct web_stream *s = &w->streams[p->dgram.seq];

	/* Not one to a question that was asked again, or of an earlier page. */
	if (p->dgram.stamp == w->page && event_pending(&s->dns_timer)) {
		event_cancel(sim, &s->dns_timer);
		s->resolved = true;
		if (traffic_counts(&w->t))
			histogram_add(&w->dns, sim->now - s->asked, 1);
		page_go_on(w);
	}
	packet_free(sim, p);
}

static void stream_begin(struct web_stream *s)
{
	s->asked = s->web->t.obj.sim->now;
	if (s->index < params_of(s->web)->lookups)
		ask(s);
	else
		s->resolved = true;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static u64 draw_size(struct web *w)
{
	const struct web_params *par = params_of(w);
	u64 size = (u64)par->size;

	if (par->exponential)
		size = (u64)exponential_next(&w->sizes, par->size);
	return size ? size : 1;
}

/* The sockets of the last page are given back, then its document is asked for. */
static void page_begin(struct sim *sim, struct event *ev)
{
	struct web *w = container_of(ev, struct web, next);

	if (traffic_stopped(&w->t))
		return;
	for (u32 i = 0; i < params_of(w)->streams; i++) {
		struct web_stream *s = &w->streams[i];

		if (s->client)
			tcp_free(s->client);
		*s = (struct web_stream){.web = w, .index = i, .size = draw_size(w)};
		event_init(&s->dns_timer, ask_again, RANK_TIMER);
		snprintf(s->name, sizeof(s->name), "%s.%u.%u", w->t.obj.path, w->page, i);
	}
	w->waiting = 0;
	w->done = 0;
	w->began = sim->now;
	stream_begin(&w->streams[0]);
	page_go_on(w);
}

static void page_end(struct web *w)
{
	const struct web_params *par = params_of(w);
	struct sim *sim = w->t.obj.sim;

	if (w->began >= w->t.opened && traffic_counts(&w->t))
		samples_add(&w->plt, sim->now, sim->now - w->began);
	w->began = SIM_TIME_MAX;
	w->page++;
	if (par->pages == PARAM_UNSET || w->page < par->pages)
		event_schedule_in(sim, &w->next, par->pause);
}

/* Something has come to its end: look-ups, connections and the page go on as they can. */
static void page_go_on(struct web *w)
{
	const struct web_params *par = params_of(w);

	/* The document has come: now it is known what else is needed. */
	if (w->done == 1 && w->waiting == 1 && par->streams > 1 && !w->streams[1].asked)
		for (u32 i = 1; i < par->streams; i++)
			stream_begin(&w->streams[i]);
	if (w->done == par->streams) {
		page_end(w);
		return;
	}
	for (u32 i = w->waiting; i < par->streams && w->open < par->connections; i++) {
		struct web_stream *s = &w->streams[i];

		if (s->resolved && !s->client)
			stream_connect(s);
	}
	while (w->waiting < par->streams && w->streams[w->waiting].client)
		w->waiting++;
}

static void web_begin(struct sim *sim, struct event *ev)
{
	struct web *w = container_of(ev, struct web, t.begin);

	event_schedule(sim, &w->next, sim->now);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void web_init(struct object *obj)
{
	struct web *w = (struct web *)obj;

	traffic_init(obj);
	w->began = SIM_TIME_MAX;
	w->streams = g_new0(struct web_stream, params_of(w)->streams);
	draw_init(&w->sizes, obj->sim->seed, obj->path, "sizes");
	event_init(&w->next, page_begin, RANK_TIMER);
}

static void web_start(struct object *obj)
{
	struct web *w = (struct web *)obj;
	struct host *dns = (struct host *)params_of(w)->dns;

	traffic_start(&w->t, web_begin, NULL);
	w->resolver = udp_open(w->t.from, 0, answered, w);
	w->name_server = udp_open(dns ? dns : w->t.to, 0, answer, w);
}

static void web_window_close(struct object *obj)
{
	struct web *w = (struct web *)obj;

	traffic_window_close(obj);
	w->unfinished = w->began != SIM_TIME_MAX;
	w->plt.lost = w->unfinished;
}

static void web_fini(struct object *obj)
{
	g_free(((struct web *)obj)->streams);
}

static void web_wired(const struct object *obj, struct model_check *c)
{
	const struct web_params *par = obj->params;

	traffic_wired(obj, c);
	if (par->dns)
		traffic_check_way(par->common.from, par->dns, "dns", c);
}

static void web_check(const void *params, struct model_check *c)
{
	const struct web_params *par = params;

	if (par->lookups > par->streams)
		model_check_error(c, "lookups", "are more than streams (%lld)",
				  (long long)par->streams);
}

static const struct param web_params[] = {
	TRAFFIC_PARAMS,
	{.name = "dns",
	 .type = PARAM_REF,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, dns),
	 .doc = "node that answers look-ups; without it the server",
	 .kind = &kind_node},
	{.name = "lookups",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, lookups),
	 .def = "70",
	 .min = 0,
	 .max = 10000,
	 .doc = "DNS look-ups of a page, one before each of the first streams"},
	{.name = "streams",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, streams),
	 .def = "70",
	 .min = 1,
	 .max = 10000,
	 .doc = "objects of a page, the document first"},
	{.name = "connections",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, connections),
	 .def = "30",
	 .min = 1,
	 .max = 10000,
	 .doc = "connections at a time"},
	{.name = "request",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, request),
	 .def = "400B",
	 .min = 1,
	 .max = 4096,
	 .doc = "bytes of a request"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, size),
	 .def = "16kB",
	 .min = 1,
	 .max = 1 << 30,
	 .doc = "mean bytes of a response"},
	{.name = "exponential",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, exponential),
	 .def = "true",
	 .doc = "sizes are drawn from an exponential distribution; else all are equal"},
	{.name = "pause",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, pause),
	 .def = "5s",
	 .min = 0,
	 .max = 100000 * SIM_SEC,
	 .doc = "from the end of a page to the next"},
	{.name = "pages",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct web_params, pages),
	 .min = 1,
	 .max = 1000000,
	 .doc = "pages; without it as many as there is time for"},
	PARAM_END,
};

static const struct probe web_probes[] = {
	{.name = "plt_ms",
	 .unit = "ms",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct web, plt),
	 .per = SIM_MS,
	 .doc = "page load time, from the first look-up to the last byte; each one kept"},
	{.name = "dns_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 .offset = offsetof(struct web, dns),
	 .per = SIM_MS,
	 .doc = "time of a look-up, with what it took to ask again"},
	{.name = "dns_retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct web, dns_retries),
	 .doc = "look-ups asked again after 5 s"},
	{.name = "unfinished",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct web, unfinished),
	 .doc = "pages under way at the end"},
	PROBE_END,
};

static const struct model_ops web_ops = {
	.check = web_check,
	.init = web_init,
	.wired = web_wired,
	.start = web_start,
	.window_open = traffic_window_open,
	.window_close = web_window_close,
	.fini = web_fini,
};

const struct model_class web_class = {
	.kind = &kind_traffic,
	.name = "web",
	.doc = "web pages: look-ups and short streams, and how long a page takes",
	.source = "70 look-ups and 70 streams: bufferbloat list, August 2012; resolver: glibc",
	.not_modelled = "Rendering, keep-alive, TLS, HTTP/2; caches of names.",
	.size = sizeof(struct web),
	.params_size = sizeof(struct web_params),
	.params = web_params,
	.probes = web_probes,
	.ops = &web_ops,
};
