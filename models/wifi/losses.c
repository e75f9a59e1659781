// SPDX-License-Identifier: GPL-3.0-or-later
/* Channels without geometry: losses in bursts (Gilbert and Elliott), and an interferer with a duty cycle. */
#include <stdlib.h>
#include <string.h>

#include "engine/draw.h"
#include "wifi/channel.h"
#include "wifi/error.h"

/* ---- Gilbert and Elliott --------------------------------------------------------------------------- */

struct gilbert_params {
	int64_t good_loss, bad_loss; /* 2^-32 */
	int64_t good_time, bad_time; /* ns, means */
};

/* One link, both ways. */
struct gilbert_link {
	sim_time until;
	u64 turns; /* states passed through: even ones are good */
};

struct gilbert {
	struct object obj;
	struct gilbert_link *links; /* n x n, the lower station first */
	u32 n;
};

/* An exponential time of mean @mean: -ln of a uniform draw, by the table of logarithms. */
static sim_time exponential(u64 key, u64 index, sim_time mean)
{
	u64 u = (draw_bits(key, index) >> 32) + 1; /* 1 .. 2^32 */
	/* -log2(u / 2^32) in 0.001 dB is 3.0103 times a bit; ln is 0.6931 a bit: 0.230259 a 0.001 dB / 1000 */
	int64_t milli_db = error_db(1ULL << 32) - error_db(u);
	sim_time t = (sim_time)((__int128)mean * milli_db * 230259 / 1000000000);

	return t > 0 ? t : 1;
}

static void gilbert_attach(struct object *ch, const struct channel_env *env)
{
	struct gilbert *g = (struct gilbert *)ch;

	g->n = env->n;
	g->links = calloc((size_t)g->n * g->n + 1, sizeof(*g->links));
	if (!g->links)
		abort();
}

static u64 gilbert_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes, sim_time now,
			s32 noise)
{
	struct gilbert *g = (struct gilbert *)ch;
	const struct gilbert_params *p = ch->params;
	u32 low = from < to ? from : to, high = from < to ? to : from;
	struct gilbert_link *l = &g->links[low * g->n + high];
	u64 key = draw_key(ch->sim->seed, ch->path) ^ ((u64)low << 32 | high);

	if (!l->until) /* it begins good */
		l->until = exponential(key, 0, p->good_time);
	while (l->until <= now) {
		l->turns++;
		l->until += exponential(key, l->turns, l->turns & 1 ? p->bad_time : p->good_time);
	}
	return (u64)(l->turns & 1 ? p->bad_loss : p->good_loss);
}

static void gilbert_fini(struct object *obj)
{
	free(((struct gilbert *)obj)->links);
}

#define G(field) offsetof(struct gilbert_params, field)

static const struct param gilbert_param_table[] = {
	{.name = "good_loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = G(good_loss),
	 .def = "0",
	 .doc = "share of MPDUs lost while the link is good"},
	{.name = "bad_loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = G(bad_loss),
	 .def = "0.5",
	 .doc = "share of MPDUs lost while the link is bad"},
	{.name = "good_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = G(good_time),
	 .def = "1s",
	 .min = 1000,
	 .max = 10000 * SIM_SEC,
	 .doc = "mean time that a link stays good, exponential"},
	{.name = "bad_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = G(bad_time),
	 .def = "100ms",
	 .min = 1000,
	 .max = 10000 * SIM_SEC,
	 .doc = "mean time that a link stays bad, exponential"},
	PARAM_END,
};

static const struct model_ops gilbert_model_ops = {.fini = gilbert_fini};

static const struct channel_ops gilbert_ops = {
	.attach = gilbert_attach,
	.loss = gilbert_loss,
};

const struct model_class gilbert_class = {
	.kind = &kind_channel,
	.name = "gilbert",
	.doc = "links that are good or bad for a while, each by itself",
	.source =
		"E. N. Gilbert, Capacity of a burst-noise channel, BSTJ 1960; E. O. Elliott, BSTJ 1963",
	.size = sizeof(struct gilbert),
	.params_size = sizeof(struct gilbert_params),
	.params = gilbert_param_table,
	.ops = &gilbert_model_ops,
	.kind_ops = &gilbert_ops,
};

/* ---- an interferer ---------------------------------------------------------------------------------- */

struct interferer_params {
	int64_t on, off; /* ns */
	int64_t start;
	int64_t loss; /* 2^-32 */
};

struct interferer {
	struct object obj;
};

static void interferer_attach(struct object *ch, const struct channel_env *env)
{
}

static u64 interferer_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes,
			   sim_time now, s32 noise)
{
	const struct interferer_params *p = ch->params;

	if (now < p->start || (now - p->start) % (p->on + p->off) >= p->on)
		return 0;
	return (u64)p->loss;
}

#define I(field) offsetof(struct interferer_params, field)

static const struct param interferer_param_table[] = {
	{.name = "on",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = I(on),
	 .def = "8ms",
	 .min = 1,
	 .max = 10000 * SIM_SEC,
	 .doc = "how long it disturbs"},
	{.name = "off",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = I(off),
	 .def = "12ms",
	 .min = 0,
	 .max = 10000 * SIM_SEC,
	 .doc = "how long it then is silent"},
	{.name = "start",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = I(start),
	 .def = "0s",
	 .min = 0,
	 .max = 100000 * SIM_SEC,
	 .doc = "when it is turned on"},
	{.name = "loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = I(loss),
	 .def = "1",
	 .doc = "share of the MPDUs lost that begin while it disturbs"},
	PARAM_END,
};

static const struct channel_ops interferer_ops = {
	.attach = interferer_attach,
	.loss = interferer_loss,
};

const struct model_class interferer_class = {
	.kind = &kind_channel,
	.name = "interferer",
	.doc = "something with a duty cycle, as a microwave oven, that stations do not defer to",
	.source =
		"A. Kamerman, N. Erkocevic, Microwave oven interference on wireless LANs, PIMRC 1997",
	.size = sizeof(struct interferer),
	.params_size = sizeof(struct interferer_params),
	.params = interferer_param_table,
	.kind_ops = &interferer_ops,
};

/* ---- none ------------------------------------------------------------------------------------------- */

const struct model_kind kind_channel = {
	.name = "channel", .doc = "how stations hear each other, and what is lost on the way"};

struct ideal {
	struct object obj;
};

static u64 ideal_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes, sim_time now,
		      s32 noise)
{
	return 0;
}

static const struct channel_ops ideal_ops = {
	.attach = interferer_attach,
	.loss = ideal_loss,
};

const struct model_class ideal_class = {
	.kind = &kind_channel,
	.name = "ideal",
	.doc = "all hear each other, nothing is lost",
	.source = "",
	.size = sizeof(struct ideal),
	.kind_ops = &ideal_ops,
};
