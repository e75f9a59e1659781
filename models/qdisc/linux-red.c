// SPDX-License-Identifier: GPL-3.0-or-later
/* Declaration of Linux's own red. The logarithms and the table that it wants are worked out by tc, and so here. */
#include <math.h>
#include <string.h>

#include "qdisc/linux.h"

#define U32 UINT32_MAX

#define STAB 256

struct red_opts {
	int64_t limit, min, max, avpkt, burst, probability, bandwidth;
	int64_t ecn, harddrop, adaptive, nodrop;
};

struct red_numbers {
	int64_t limit, qth_min, qth_max, avpkt, burst, bandwidth;
	double probability;
	int wlog, plog, scell_log;
	uint8_t stab[STAB];
};

/* log2 of what the probability's slope is below 1; -1: none. */
static int red_plog(const struct red_numbers *r)
{
	int64_t span = r->qth_max - r->qth_min;
	double p;
	int i = 0;

	if (span <= 0)
		return span ? -1 : 0;
	for (p = r->probability / (double)span; i < 32 && p <= 1.0; i++)
		p *= 2;
	return i < 32 ? i : -1;
}

/* log2 of the weight by which an average of @burst packets of avpkt reaches qth_min. */
static int red_wlog(const struct red_numbers *r)
{
	double a = (double)r->burst + 1 - (double)r->qth_min / (double)r->avpkt, w = 0.5;

	if (a < 1.0)
		return -1;
	for (int wlog = 1; wlog < 32; wlog++, w /= 2)
		if (a <= (1 - pow(1 - w, (double)r->burst)) / w)
			return wlog;
	return -1;
}

/* The decay while the queue is idle, by cells of 2^n ticks of 64 ns. */
static int red_idle(struct red_numbers *r)
{
	double ticks = floor((double)r->avpkt * 8e9 / (double)r->bandwidth / 64);
	double lw = -log(1.0 - 1.0 / (1 << r->wlog)) / ticks, longest = 31 / lw;
	int clog = 0;

	while (clog < 32 && longest / (double)(1ll << clog) >= 512)
		clog++;
	if (clog == 32)
		return -1;
	for (int i = 1; i < STAB - 1; i++) {
		double v = (double)((int64_t)i << clog) * lw;

		r->stab[i] = (uint8_t)(v > 31 ? 31 : v);
	}
	r->stab[0] = 0;
	r->stab[STAB - 1] = 31;
	return clog;
}

static int64_t or_else(int64_t value, int64_t other)
{
	return value == PARAM_UNSET ? other : value;
}

/* NULL, or the option that is at fault. */
static const char *red_work_out(const struct red_opts *o, struct red_numbers *r)
{
	*r = (struct red_numbers){.limit = o->limit, .avpkt = o->avpkt};
	r->qth_max = or_else(o->max, o->limit / 4);
	r->qth_min = or_else(o->min, r->qth_max / 3);
	r->burst = or_else(o->burst, (2 * r->qth_min + r->qth_max) / (3 * o->avpkt));
	r->bandwidth = o->bandwidth;
	r->probability = (double)o->probability / (double)PROB_ONE;
	r->wlog = red_wlog(r);
	if (r->wlog < 0)
		return "burst";
	r->plog = red_plog(r);
	if (r->plog < 0)
		return "max";
	r->scell_log = red_idle(r);
	return r->scell_log < 0 ? "bandwidth" : NULL;
}

static void red_options(const void *params, struct linux_options *o)
{
	const struct red_opts *par = params;
	struct red_numbers r;

	red_work_out(par, &r);
	o->n = 0;
	linux_option(o, "limit", r.limit);
	linux_option(o, "qth_min", r.qth_min);
	linux_option(o, "qth_max", r.qth_max);
	linux_option(o, "wlog", r.wlog);
	linux_option(o, "plog", r.plog);
	linux_option(o, "scell_log", r.scell_log);
	linux_option(o, "max_p", par->probability);
	linux_option(o, "ecn", par->ecn == 1);
	linux_option(o, "harddrop", par->harddrop == 1);
	linux_option(o, "adaptive", par->adaptive == 1);
	linux_option(o, "nodrop", par->nodrop == 1);
	memcpy(o->bytes, r.stab, STAB);
	linux_option_data(o, "stab", o->bytes, STAB);
}

static void red_check(const void *params, struct model_check *c)
{
	struct red_numbers r;
	const char *fault = red_work_out(params, &r);

	if (fault)
		model_check_error(c, fault, "tc finds no RED with these thresholds");
}

#define P(member, type, flags, min, max, doc) \
	LINUX_PARAM(struct red_opts, member, type, flags, min, max, doc)
static const struct param red_params[] = {
	{.name = "limit",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE | PARAM_REQUIRED,
	 .offset = offsetof(struct red_opts, limit),
	 .min = 1,
	 .max = U32,
	 .doc = "size of the queue"},
	P(min, PARAM_BYTES, PARAM_LIVE, 1, U32,
	  "average from which on packets are dropped; max / 3"),
	P(max, PARAM_BYTES, PARAM_LIVE, 1, U32,
	  "average at which the probability is reached; limit / 4"),
	{.name = "avpkt",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct red_opts, avpkt),
	 .def = "1000B",
	 .min = 1,
	 .max = 1 << 20,
	 .doc = "average packet"},
	P(burst, PARAM_INT, PARAM_LIVE, 1, 1 << 20,
	  "packets of a burst that is let in; (2 min + max) / (3 avpkt)"),
	{.name = "probability",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct red_opts, probability),
	 .def = "0.02",
	 .min = 1,
	 .max = PROB_ONE - 1,
	 .doc = "of a drop at max"},
	{.name = "bandwidth",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct red_opts, bandwidth),
	 .def = "10Mbit",
	 .min = 8,
	 .max = 400000000000,
	 .doc = "rate that the average decays by while the queue is idle"},
	P(ecn, PARAM_BOOL, PARAM_LIVE, 0, 0, "mark where that is possible"),
	P(harddrop, PARAM_BOOL, PARAM_LIVE, 0, 0, "drop above max though it could be marked"),
	P(adaptive, PARAM_BOOL, PARAM_LIVE, 0, 0, "adapt the probability"),
	P(nodrop, PARAM_BOOL, PARAM_LIVE, 0, 0, "queue what cannot be marked"),
	PARAM_END,
};
#undef P

static const struct linux_qdisc_class red_ops = {.ops = LINUX_QDISC_OPS, .options = red_options};
static const struct model_ops red_model_ops = LINUX_MODEL_OPS(red_check);

const struct model_class linux_red_class = {
	LINUX_QDISC_CLASS(struct red_opts, red_params),
	.name = "linux.red",
	.doc = "RED: Linux's own sch_red.c",
	.source = "net/sched/sch_red.c of the Linux tree that `core` names",
	.not_modelled = LINUX_NOT_MODELLED,
	.ops = &red_model_ops,
	.kind_ops = &red_ops,
	.tree_file = "net/sched/sch_red.c",
};
