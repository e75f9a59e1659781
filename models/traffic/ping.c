// SPDX-License-Identifier: GPL-3.0-or-later
/* ping: ICMP echo requests at a fixed interval; each round trip is kept. */
#include <errno.h>
#include <glib.h>

#include "measure/micro.h"
#include "measure/samples.h"
#include "net/netdev.h"
#include "qdisc/qdisc.h"
#include "traffic/models.h"
#include "transport/icmp.h"

struct ping {
	struct traffic t;
	u16 id;
	struct event next;
	sim_time begun; /* when ping began to send the latest request */
	u32 in_host; /* requests that have not left the host */
	bool blocked; /* the next waits for room in the send buffer */
	sim_time *sent; /* by sequence number; SIM_TIME_MAX once answered */
	u32 n_sent, max_sent;
	u32 first; /* sequence number of the first that counts */

	struct samples rtt;
	struct anatomy anatomy;
	u64 lost, unfinished, received, no_buffers; /* of the window */
};

static const struct ping_params *params_of(const struct ping *ping)
{
	return ping->t.obj.params;
}

static void ping_reply(void *arg, struct packet *p)
{
	struct ping *ping = arg;
	struct sim *sim = ping->t.obj.sim;
	u32 seq = p->dgram.seq;

	/* A second reply to a request that was sent twice below. */
	if (ping->sent[seq] == SIM_TIME_MAX)
		goto out;
	ping->sent[seq] = SIM_TIME_MAX;
	if (seq < ping->first || sim->now > ping->t.closed)
		goto out;
	ping->received++;
	samples_add(&ping->rtt, sim->now, sim->now - p->born);
	packet_enter(p, LAYER_SOCKET, sim->now);
	anatomy_add(&ping->anatomy, p->spent);
out:
	packet_free(sim, p);
}

/* A request has left the host. */
static void ping_left(struct sk_buff *skb)
{
	struct ping *ping = (void *)skb->sk;

	ping->in_host--;
	if (ping->blocked && !event_pending(&ping->next))
		event_schedule(ping->t.obj.sim, &ping->next, ping->t.obj.sim->now);
}

/* True: it is on its way, or lost where ping cannot see it. */
static bool ping_send(struct ping *ping)
{
	const struct ping_params *par = params_of(ping);
	int rc;

	if (ping->n_sent == ping->max_sent) {
		ping->max_sent = ping->max_sent ? 2 * ping->max_sent : 64;
		ping->sent = g_renew(sim_time, ping->sent, ping->max_sent);
	}
	ping->sent[ping->n_sent] = ping->t.obj.sim->now;
	ping->in_host++;
	rc = icmp_echo(ping->t.from, ping->id, ping->t.to->id, (u32)par->size, ping->t.tos,
		       ping->t.priority, ping->n_sent, ping_left, ping);
	if (rc == NET_XMIT_DROP) {
		ping->no_buffers++;
		if (par->resend)
			return false;
	}
	ping->n_sent++;
	return true;
}

static void ping_next(struct sim *sim, struct event *ev)
{
	struct ping *ping = container_of(ev, struct ping, next);
	const struct ping_params *par = params_of(ping);

	if (traffic_stopped(&ping->t))
		return;
	if (!ping->blocked)
		ping->begun = sim->now;
	ping->blocked = par->sndbuf != PARAM_UNSET && ping->in_host >= par->sndbuf;
	if (ping->blocked)
		return;
	/*
	 * After a send that failed for want of buffers pinger() comes back in half an interval, finds that it has
	 * spent its tokens all the same, and waits for the other half.
	 */
	if (!ping_send(ping) || par->count == PARAM_UNSET || ping->n_sent < par->count) {
		sim_time at = ping->begun + par->interval;

		event_schedule(sim, ev, at > sim->now ? at : sim->now);
	}
}

static void ping_begin(struct sim *sim, struct event *ev)
{
	struct ping *ping = container_of(ev, struct ping, t.begin);

	ping_next(sim, &ping->next);
}

/* ---- the declaration ------------------------------------------------------------------------- */

static void ping_init(struct object *obj)
{
	struct ping *ping = (struct ping *)obj;

	traffic_init(obj);
	event_init(&ping->next, ping_next, RANK_TIMER);
	anatomy_init(&ping->anatomy, layer_names, LAYER_COUNT);
}

static void ping_start(struct object *obj)
{
	struct ping *ping = (struct ping *)obj;

	traffic_start(&ping->t, ping_begin, NULL);
	ping->id = icmp_open(ping->t.from, ping_reply, ping);
}

static void ping_wired(const struct object *obj, struct model_check *c)
{
	const struct ping_params *par = obj->params;

	traffic_wired(obj, c);
	traffic_check_fits(par->common.from, par->common.to, par->size + ICMP_HEADERS, "size", c);
}

static void ping_changed(struct object *obj, const struct param *p)
{
	const struct ping *ping = (const struct ping *)obj;

	traffic_still_fits(&ping->t, params_of(ping)->size + ICMP_HEADERS);
}

static void ping_window_open(struct object *obj)
{
	struct ping *ping = (struct ping *)obj;

	traffic_window_open(obj);
	ping->first = ping->n_sent;
	/* What was sent at this very instant counts. */
	while (ping->first && ping->sent[ping->first - 1] == obj->sim->now)
		ping->first--;
}

static void ping_window_close(struct object *obj)
{
	struct ping *ping = (struct ping *)obj;

	traffic_window_close(obj);
	for (u32 i = ping->first; i < ping->n_sent; i++) {
		if (ping->sent[i] == SIM_TIME_MAX)
			continue;
		if (obj->sim->now - ping->sent[i] >= params_of(ping)->timeout)
			ping->lost++;
		else
			ping->unfinished++;
	}
	ping->rtt.lost = ping->lost + ping->unfinished;
}

static int64_t ping_lost_share(const struct object *obj, int64_t window)
{
	const struct ping *ping = (const struct ping *)obj;

	return micro_ratio(ping->lost, ping->lost + ping->received);
}

static void ping_fini(struct object *obj)
{
	g_free(((struct ping *)obj)->sent);
}

static const struct param ping_params[] = {
	TRAFFIC_PARAMS,
	{.name = "interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ping_params, interval),
	 .def = "1s",
	 .min = SIM_US,
	 .max = 1000 * SIM_SEC,
	 .doc = "from one request to the next",
	 .linux_name = "ping -i"},
	{.name = "count",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ping_params, count),
	 .min = 1,
	 .max = 1000000000,
	 .doc = "requests; without it as many as there is time for",
	 .linux_name = "ping -c"},
	{.name = "size",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ping_params, size),
	 .def = "56B",
	 .min = 0,
	 .max = 8972,
	 .doc = "data of a request, beside 28 bytes of IP and ICMP headers",
	 .linux_name = "ping -s"},
	{.name = "timeout",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ping_params, timeout),
	 .def = "10s",
	 .min = 0,
	 .max = 1000 * SIM_SEC,
	 .doc = "a request without reply that is younger at the end counts as unfinished, not as lost",
	 .linux_name = "ping -W"},
	{.name = "resend",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ping_params, resend),
	 .def = "false",
	 .doc = "as ping: a request that the host's own qdisc drops (ENOBUFS) is tried again after an "
		"interval, and is not lost"},
	{.name = "sndbuf",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ping_params, sndbuf),
	 .min = 1,
	 .max = 1000000,
	 .doc = "requests that may be in this host's queues at a time; the next waits for one to leave. ping's own buffer "
		"of 4608 bytes takes 12 of 384 bytes each. Without it as many as there are",
	 .linux_name = "ping -S"},
	PARAM_END,
};

static const struct probe ping_probes[] = {
	{.name = "rtt_ms",
	 .unit = "ms",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct ping, rtt),
	 .per = SIM_MS,
	 .doc = "round trip, each one kept"},
	{.name = "rtt",
	 .shape = PROBE_ANATOMY,
	 .offset = offsetof(struct ping, anatomy),
	 .per = SIM_MS,
	 .doc = "where requests and replies spent their time"},
	{.name = "received",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ping, received),
	 .doc = "replies"},
	{.name = "lost",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ping, lost),
	 .doc = "requests without reply for longer than timeout"},
	{.name = "unfinished",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ping, unfinished),
	 .doc = "requests without reply at the end, younger than timeout"},
	{.name = "lost_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = ping_lost_share,
	 .over = PROBE_OVER_MEAN,
	 .doc = "lost of lost and received"},
	{.name = "no_buffers",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct ping, no_buffers),
	 .doc = "requests that the host's own qdisc dropped"},
	PROBE_END,
};

static const struct model_ops ping_ops = {
	.init = ping_init,
	.wired = ping_wired,
	.changed = ping_changed,
	.start = ping_start,
	.window_open = ping_window_open,
	.window_close = ping_window_close,
	.fini = ping_fini,
};

const struct model_class ping_class = {
	.kind = &kind_traffic,
	.name = "ping",
	.doc = "ICMP echo requests at a fixed interval",
	.source = "iputils ping; RFC 792",
	.not_modelled = "Fragmented requests.",
	.size = sizeof(struct ping),
	.params_size = sizeof(struct ping_params),
	.params = ping_params,
	.probes = ping_probes,
	.ops = &ping_ops,
};
