// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A station that always has a frame for the access point, or is the access point and takes them: what the theory of
 * saturated medium access looks at. Its frames have no layers above.
 */
#include "driver/softmac.h"

#define ENDLESS 255 /* attempts; more are made as a new frame */

struct saturated_params {
	int64_t frame; /* bytes of an MPDU, FCS included */
	int64_t payload; /* bytes of it that count */
	int64_t retry_limit; /* PARAM_UNSET: none */
	int64_t ac;
};

struct saturated {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	struct softmac_sta *to; /* NULL: it sends nothing */
	struct event start;
	u64 received, delivered; /* in the window: frames that it took; its own that arrived */
};

static const struct saturated_params *params_of(const struct saturated *s)
{
	return s->obj.params;
}

static struct wifi_ppdu *saturated_pull(void *arg, u32 ac)
{
	struct saturated *s = arg;
	const struct saturated_params *p = params_of(s);
	struct wifi_ppdu *ppdu = wifi_ppdu_new(s->dev);
	struct packet *packet = packet_new(s->obj.sim);

	packet->skb.len = (u32)p->frame;
	*wifi_entered(packet) = s->obj.sim->now;
	ppdu->to = s->to->dev;
	ppdu->cookie = s->to;
	ppdu->n_steps = 1;
	ppdu->steps[0] = s->to->steps[0];
	ppdu->steps[0].tries = p->retry_limit == PARAM_UNSET ? ENDLESS : (u8)p->retry_limit;
	ppdu->bytes = (u32)p->frame;
	wifi_ppdu_add(ppdu, packet, ppdu->bytes, 0, 0, s->obj.sim->now);
	return ppdu;
}

static bool saturated_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct saturated *s = arg;

	if (ppdu->mpdus[0].flags & MPDU_ACKED)
		s->delivered++;
	softmac_report(s->up, s->up_arg, ppdu);
	wifi_mpdu_end(s->dev, &ppdu->mpdus[0]);
	return true;
}

static void saturated_rx(void *arg, struct packet *p)
{
	struct saturated *s = arg;

	s->received++;
	packet_free(s->obj.sim, p);
}

static const struct wifi_dev_ops dev_ops = {
	.pull = saturated_pull,
	.tx_status = saturated_status,
	.rx = saturated_rx,
};

static void begin(struct sim *sim, struct event *ev)
{
	struct saturated *s = container_of(ev, struct saturated, start);

	wifi_kick(s->dev, (u32)params_of(s)->ac);
}

static void saturated_attach(struct object *drv, const struct driver_env *env)
{
	struct saturated *s = (struct saturated *)drv;

	s->dev = env->medium;
	wifi_dev_attach(s->dev, &dev_ops, s);
}

static void saturated_sta_add(struct object *drv, struct softmac_sta *sta)
{
	struct saturated *s = (struct saturated *)drv;

	if (!sta->dev->ap || s->to)
		return;
	s->to = sta;
	event_schedule(drv->sim, &s->start, drv->sim->now);
}

/* Nothing comes from above. */
static enum xmit_result saturated_xmit(void *down, u32 queue, struct packet *p)
{
	packet_free(((struct saturated *)down)->obj.sim, p);
	return XMIT_DROP;
}

static u32 saturated_queues(struct object *drv)
{
	return 1;
}

static u32 saturated_queue_of(struct object *drv, const struct packet *p)
{
	return 0;
}

static void saturated_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	struct saturated *s = (struct saturated *)drv;

	s->up = ops;
	s->up_arg = up;
}

static void saturated_init(struct object *obj)
{
	event_init(&((struct saturated *)obj)->start, begin, RANK_TIMER);
}

static void saturated_window_open(struct object *obj)
{
	struct saturated *s = (struct saturated *)obj;

	s->received = 0;
	s->delivered = 0;
}

/* Mbit/s of @frames frames' payload, in 10^-6. */
static int64_t mbit(const struct saturated *s, u64 frames, int64_t window)
{
	__int128 bits = (__int128)frames * (u64)params_of(s)->payload * 8;

	return window ? (int64_t)(bits * SIM_SEC / window) : METRIC_ABSENT;
}

static int64_t received_mbit(const struct object *obj, int64_t window)
{
	const struct saturated *s = (const struct saturated *)obj;

	return s->to ? METRIC_ABSENT : mbit(s, s->received, window);
}

static int64_t sent_mbit(const struct object *obj, int64_t window)
{
	const struct saturated *s = (const struct saturated *)obj;

	return s->to ? mbit(s, s->delivered, window) : METRIC_ABSENT;
}

static void saturated_check(const void *params, struct model_check *c)
{
	const struct saturated_params *p = params;

	if (p->payload > p->frame)
		model_check_error(c, "payload", "is more than the frame has");
}

static const struct param_enum acs[] = {{"vo", AC_VO, NULL},
					{"vi", AC_VI, NULL},
					{"be", AC_BE, NULL},
					{"bk", AC_BK, NULL},
					{NULL, 0, NULL}};

#define P(field) offsetof(struct saturated_params, field)

static const struct param params[] = {
	{.name = "frame",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = P(frame),
	 .def = "1536B",
	 .min = 14,
	 .max = 4095,
	 .doc = "frames that it sends, headers and FCS included"},
	{.name = "payload",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = P(payload),
	 .def = "1500B",
	 .min = 1,
	 .max = 4095,
	 .doc = "of them that count as goodput; at the access point of those it takes"},
	{.name = "retry_limit",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(retry_limit),
	 .min = 1,
	 .max = 255,
	 .doc = "attempts at a frame; without it no end"},
	{.name = "ac",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(ac),
	 .def = "be",
	 .values = acs,
	 .doc = "access category"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "received_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = received_mbit,
	 .doc = "payload that the access point took"},
	{.name = "delivered_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = sent_mbit,
	 .doc = "payload of a station that arrived"},
	PROBE_END,
};

static const struct model_ops ops = {
	.check = saturated_check,
	.init = saturated_init,
	.window_open = saturated_window_open,
};

static const struct softmac_ops driver_ops = {
	.driver = {.medium = "wifi",
		   .down = {.n_queues = 1, .xmit = saturated_xmit},
		   .attach = saturated_attach},
	.queues = saturated_queues,
	.queue_of = saturated_queue_of,
	.set_up = saturated_set_up,
	.sta_add = saturated_sta_add,
};

const struct model_class saturated_class = {
	.kind = &kind_driver,
	.name = "saturated",
	.doc = "raw Wi-Fi frames without end to the access point, for comparison with theory",
	.source = "Bianchi, Performance analysis of the IEEE 802.11 DCF, JSAC 2000",
	.not_modelled = "Layers above: traffic to and from its node is lost.",
	.size = sizeof(struct saturated),
	.params_size = sizeof(struct saturated_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &driver_ops,
};
