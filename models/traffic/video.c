// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Video in chunks over HTTP, as MPEG-DASH and HLS do it: chunks of some seconds, each at one of several rates, are asked
 * for one after the other on a TCP connection that stays open; what has arrived is played, and when nothing is left the
 * picture stands still. The rate of the next chunk follows what the last ones had (rate-based adaptation).
 */
#include <glib.h>
#include <stdio.h>

#include "measure/micro.h"
#include "measure/samples.h"
#include "traffic/traffic.h"
#include "transport/sock.h"

struct video_params {
	struct traffic_params common;
	struct param_list rates; /* of int64_t, bit/s, from low to high */
	int64_t chunk; /* ns of film */
	int64_t startup, resume, buffer; /* ns of film */
	int64_t safety; /* 10^-6 */
	int64_t request; /* bytes */
};

struct video {
	struct traffic t;
	struct tcp_sock *client, *server;
	struct event ask; /* there is room for a chunk */
	struct event dry; /* all that is there has been played */
	u32 level; /* of the chunk that is asked for */
	u64 want, got, sent,
		asked; /* bytes: of the chunk, arrived, written by the server; of the request */
	sim_time asked_at;
	int64_t throughput; /* bit/s, smoothed; 0: none yet */
	sim_time film, since; /* what was there to be played at .since */
	bool playing, begun;
	sim_time began; /* the first request */
	sim_time still_since; /* the picture stands still, SIM_TIME_MAX: it moves */

	/* of the window */
	struct histogram left; /* ns of film when a chunk arrived */
	struct samples rate; /* bit/s of each chunk */
	struct histogram chunk_time; /* ns from request to the last byte */
	u64 chunks, stalls, switches;
	sim_time still; /* stood still, ns */
	sim_time startup; /* to the first picture; -1: not yet */
};

static const struct video_params *params_of(const struct video *v)
{
	return v->t.obj.params;
}

static int64_t rate_of(const struct video *v, u32 level)
{
	return ((const int64_t *)params_of(v)->rates.items)[level];
}

/* ---- the player ------------------------------------------------------------------------------ */

/* Film that is left at @now. */
static sim_time film_left(const struct video *v, sim_time now)
{
	sim_time played = v->playing ? now - v->since : 0;

	return v->film > played ? v->film - played : 0;
}

static void film_add(struct video *v, sim_time now, sim_time more)
{
	v->film = film_left(v, now) + more;
	v->since = now;
}

static void stand_still(struct sim *sim, struct event *ev)
{
	struct video *v = container_of(ev, struct video, dry);

	film_add(v, sim->now, 0);
	v->playing = false;
	/* At the end of the film nobody waits for more. */
	if (traffic_stopped(&v->t))
		return;
	v->still_since = sim->now;
	if (traffic_counts(&v->t))
		v->stalls++;
}

/* Time that the picture stood still since the window opened or since it stopped. */
static void count_still(struct video *v, sim_time now)
{
	sim_time from = v->still_since;

	if (from == SIM_TIME_MAX)
		return;
	if (v->t.opened >= 0 && now > v->t.opened)
		v->still += now - (from > v->t.opened ? from : v->t.opened);
}

static void play(struct video *v, sim_time now)
{
	if (!v->begun) {
		v->begun = true;
		v->startup = now - v->began;
	} else {
		count_still(v, now);
	}
	v->still_since = SIM_TIME_MAX;
	v->playing = true;
	v->since = now;
}

static void chunk_arrived(struct video *v)
{
	const struct video_params *par = params_of(v);
	struct sim *sim = v->t.obj.sim;

	if (traffic_counts(&v->t))
		histogram_add(&v->left, film_left(v, sim->now), 1);
	film_add(v, sim->now, par->chunk);
	if (!v->playing && v->film >= (v->begun ? par->resume : par->startup))
		play(v, sim->now);
	if (v->playing)
		event_schedule(sim, &v->dry, sim->now + v->film);
}

/* ---- the rate -------------------------------------------------------------------------------- */

/* The highest that a share of the throughput carries; the first chunk is of the lowest. */
static u32 choose(const struct video *v)
{
	const struct video_params *par = params_of(v);
	int64_t limit = (int64_t)((__int128)v->throughput * par->safety / MICRO);
	u32 level = 0;

	while (level + 1 < par->rates.n && rate_of(v, level + 1) <= limit)
		level++;
	return level;
}

/* ---- the connection -------------------------------------------------------------------------- */

static void ask(struct video *v)
{
	const struct video_params *par = params_of(v);
	u32 level = choose(v);

	if (traffic_stopped(&v->t))
		return;
	if (v->throughput && level != v->level && traffic_counts(&v->t))
		v->switches++;
	v->level = level;
	v->want = (u64)((__int128)rate_of(v, level) * par->chunk / SIM_SEC / 8);
	if (!v->want)
		v->want = 1;
	v->got = v->sent = v->asked = 0;
	v->asked_at = v->t.obj.sim->now;
	/* A request fits the smallest send buffer. */
	tcp_write(v->client, (u64)par->request);
}

static void ask_event(struct sim *sim, struct event *ev)
{
	ask(container_of(ev, struct video, ask));
}

/* At once while the buffer has room for a chunk more, else when it has. */
static void ask_next(struct video *v)
{
	const struct video_params *par = params_of(v);
	sim_time now = v->t.obj.sim->now, room = par->buffer - film_left(v, now);

	if (room >= par->chunk)
		ask(v);
	else
		event_schedule(v->t.obj.sim, &v->ask, now + par->chunk - room);
}

static void client_established(void *arg, struct tcp_sock *sk)
{
	struct video *v = arg;

	v->client = sk;
	ask(v);
}

static void client_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct video *v = arg;
	sim_time took, now = v->t.obj.sim->now;
	int64_t rate;

	v->got += bytes;
	if (v->got < v->want)
		return;
	took = now - v->asked_at;
	rate = (int64_t)((__int128)v->want * 8 * SIM_SEC / (took > 0 ? took : 1));
	v->throughput = v->throughput ? v->throughput + (rate - v->throughput) / 4 : rate;
	/* What is slower than the mean counts at once. */
	if (rate < v->throughput)
		v->throughput = rate;
	if (traffic_counts(&v->t)) {
		v->chunks++;
		samples_add(&v->rate, now, rate_of(v, v->level));
		histogram_add(&v->chunk_time, took, 1);
	}
	chunk_arrived(v);
	if (traffic_stopped(&v->t))
		tcp_close(sk);
	else
		ask_next(v);
}

static void response_write(struct video *v)
{
	v->sent += tcp_write(v->server, v->want - v->sent);
}

static void server_readable(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	struct video *v = arg;

	v->server = sk;
	v->asked += bytes;
	if (v->asked == (u64)params_of(v)->request)
		response_write(v);
}

static void server_writable(void *arg, struct tcp_sock *sk)
{
	struct video *v = arg;

	if (v->asked == (u64)params_of(v)->request && v->sent < v->want)
		response_write(v);
}

static const struct tcp_user client = {.established = client_established,
				       .readable = client_readable};
static const struct tcp_user server = {.readable = server_readable, .writable = server_writable};

static void video_begin(struct sim *sim, struct event *ev)
{
	struct video *v = container_of(ev, struct video, t.begin);
	struct tcp_open open = {
		.from = v->t.from,
		.to = v->t.to,
		.client = &client,
		.server = &server,
		.client_arg = v,
		.server_arg = v,
		.tos = v->t.tos,
		.priority = v->t.priority,
		.name = v->t.obj.path,
	};

	v->began = sim->now;
	v->client = tcp_connect(&open);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void video_init(struct object *obj)
{
	struct video *v = (struct video *)obj;

	traffic_init(obj);
	v->still_since = SIM_TIME_MAX;
	v->startup = -1;
}

static void video_start(struct object *obj)
{
	struct video *v = (struct video *)obj;

	event_init(&v->ask, ask_event, RANK_TIMER);
	event_init(&v->dry, stand_still, RANK_TIMER);
	traffic_start(&v->t, video_begin, NULL);
}

static void video_window_open(struct object *obj)
{
	struct video *v = (struct video *)obj;

	traffic_window_open(obj);
	film_add(v, obj->sim->now, 0);
	v->still = 0;
}

static void video_window_close(struct object *obj)
{
	struct video *v = (struct video *)obj;

	traffic_window_close(obj);
	film_add(v, obj->sim->now, 0);
	count_still(v, obj->sim->now);
}

static int64_t startup_ms(const struct object *obj, int64_t window)
{
	const struct video *v = (const struct video *)obj;

	return v->startup < 0 ? METRIC_ABSENT : v->startup;
}

static int64_t still_share(const struct object *obj, int64_t window)
{
	const struct video *v = (const struct video *)obj;
	sim_time from = v->began + (v->startup > 0 ? v->startup : 0), to = v->t.closed, span;

	if (from < v->t.opened)
		from = v->t.opened;
	span = to - from;
	return v->begun && span > 0 ? micro_ratio(v->still, span) : METRIC_ABSENT;
}

static void video_check(const void *params, struct model_check *c)
{
	const struct video_params *par = params;
	const int64_t *rates = par->rates.items;
	char where[24];

	if (!par->rates.n)
		model_check_error(c, "rates", "are none");
	for (u32 i = 1; i < par->rates.n; i++) {
		if (rates[i] > rates[i - 1])
			continue;
		snprintf(where, sizeof(where), "rates.%u", i);
		model_check_error(c, where, "is not above the one before");
	}
	if (par->startup > par->buffer)
		model_check_error(c, "startup", "is more than the buffer holds");
	if (par->resume > par->buffer)
		model_check_error(c, "resume", "is more than the buffer holds");
	if (par->chunk > par->buffer)
		model_check_error(c, "chunk", "is more than the buffer holds");
}

static const struct param rate_field[] = {
	{.name = "rate",
	 .type = PARAM_RATE,
	 .min = 1000,
	 .max = 10000000000,
	 .doc = "of the film, sound included"},
	PARAM_END,
};

#define FILM(field, text, most, default_)                                                       \
	{                                                                                       \
		.name = #field, .type = PARAM_TIME, .flags = PARAM_STRUCTURAL,                  \
		.offset = offsetof(struct video_params, field), .def = default_, .min = SIM_MS, \
		.max = (most), .doc = text,                                                     \
	}

static const struct param video_params[] = {
	TRAFFIC_PARAMS,
	{.name = "rates",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct video_params, rates),
	 .def = "[500kbit, 1Mbit, 2500kbit, 5Mbit, 8Mbit, 16Mbit]",
	 .doc = "at which the film is there, from low to high",
	 .fields = rate_field,
	 .size = sizeof(int64_t)},
	FILM(chunk, "film in a chunk", 100 * SIM_SEC, "4s"),
	FILM(startup, "film that must be there before the first picture", 1000 * SIM_SEC, "4s"),
	FILM(resume, "film that must be there before it goes on after a stall", 1000 * SIM_SEC,
	     "8s"),
	FILM(buffer, "film that is kept ahead at the most", 10000 * SIM_SEC, "30s"),
	{.name = "safety",
	 .type = PARAM_DECIMAL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct video_params, safety),
	 .def = "0.8",
	 .min = MICRO / 100,
	 .max = 10 * MICRO,
	 .doc = "share of the throughput that the next chunk's rate may be"},
	{.name = "request",
	 .type = PARAM_BYTES,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct video_params, request),
	 .def = "400B",
	 .min = 1,
	 .max = 1400,
	 .doc = "bytes of a request"},
	PARAM_END,
};

#define OF(field) .offset = offsetof(struct video, field)

static const struct probe video_probes[] = {
	{.name = "stalls",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 OF(stalls),
	 .doc = "times that the picture stood still"},
	{.name = "still_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = still_share,
	 .over = PROBE_OVER_MEAN,
	 .doc = "time that it stood still, of all since the first picture"},
	{.name = "startup_ms",
	 .unit = "ms",
	 .shape = PROBE_VALUE,
	 .value = startup_ms,
	 .over = PROBE_OVER_MEAN,
	 .doc = "from the start to the first picture, in the window or before"},
	{.name = "rate_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_SAMPLES,
	 OF(rate),
	 .per = 1000000,
	 .doc = "rate of each chunk that arrived"},
	{.name = "chunk_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 OF(chunk_time),
	 .per = SIM_MS,
	 .doc = "from the request of a chunk to its last byte"},
	{.name = "buffer_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 OF(left),
	 .per = SIM_MS,
	 .doc = "film that was left when a chunk arrived"},
	{.name = "chunks", .unit = "", .shape = PROBE_COUNTER, OF(chunks), .doc = "that arrived"},
	{.name = "switches",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 OF(switches),
	 .doc = "times that the next chunk was of another rate"},
	PROBE_END,
};

static const struct model_ops video_ops = {
	.check = video_check,
	.init = video_init,
	.wired = traffic_wired,
	.start = video_start,
	.window_open = video_window_open,
	.window_close = video_window_close,
};

const struct model_class video_class = {
	.kind = &kind_traffic,
	.name = "video",
	.doc = "video in chunks over HTTP, with a buffer and a rate that follows the throughput",
	.source =
		"ISO/IEC 23009-1 (MPEG-DASH); RFC 8216 (HLS); rate-based adaptation as in Jiang et al., FESTIVE (2012)",
	.not_modelled =
		"Chunks of one rate are all of one size. Manifests, a sound of its own, several connections,\n"
		"adaptation by the buffer, a viewer who leaves.",
	.size = sizeof(struct video),
	.params_size = sizeof(struct video_params),
	.params = video_params,
	.probes = video_probes,
	.ops = &video_ops,
};
