// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A recorded link that is played back: at each time the losses of each rate, or a signal-to-noise ratio from which they
 * follow. The record stands in the scenario or in a CSV file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "wifi/channel.h"
#include "wifi/error.h"

/* One line of the record: from then on, of one rate or of all, either losses or a signal-to-noise ratio. */
struct playback_point {
	int64_t at; /* ns */
	int64_t loss, delivery; /* 2^-32, PARAM_UNSET: none */
	int64_t snr; /* 0.001 dB, PARAM_UNSET: none */
	int64_t rate; /* bit/s, PARAM_UNSET: all */
};

struct playback_params {
	struct param_list points; /* of struct playback_point */
	struct param_table file; /* the same */
	int64_t period; /* ns, PARAM_UNSET: it does not repeat */
};

/* The points of one rate, in order of time. */
struct playback_rate {
	int64_t rate;
	u32 first, n; /* in order[] */
};

struct playback {
	struct object obj;
	const struct playback_point *points;
	u32 *order; /* indices of points, rate by rate */
	struct playback_rate *rates; /* ascending; PARAM_UNSET is the lowest */
	u32 n_rates;
};

static const struct param_list *points_of(const struct playback_params *p)
{
	return p->file.file ? &p->file.rows : &p->points;
}

static int by_rate_and_place(const void *a, const void *b, void *points)
{
	const struct playback_point *pts = points;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	if (pts[x].rate != pts[y].rate)
		return pts[x].rate < pts[y].rate ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void playback_init(struct object *obj)
{
	struct playback *pb = (struct playback *)obj;
	const struct param_list *list = points_of(obj->params);
	u32 n = list->n;

	pb->points = list->items;
	pb->order = calloc(n, sizeof(*pb->order));
	pb->rates = calloc(n, sizeof(*pb->rates));
	if (!pb->order || !pb->rates)
		abort();
	for (u32 i = 0; i < n; i++)
		pb->order[i] = i;
	qsort_r(pb->order, n, sizeof(*pb->order), by_rate_and_place, (void *)list->items);
	for (u32 i = 0; i < n; i++) {
		int64_t rate = pb->points[pb->order[i]].rate;

		if (!i || rate != pb->rates[pb->n_rates - 1].rate)
			pb->rates[pb->n_rates++] = (struct playback_rate){.rate = rate, .first = i};
		pb->rates[pb->n_rates - 1].n++;
	}
}

static void playback_fini(struct object *obj)
{
	struct playback *pb = (struct playback *)obj;

	free(pb->order);
	free(pb->rates);
}

static void playback_attach(struct object *ch, const struct channel_env *env)
{
}

static const struct playback_rate *find_rate(const struct playback *pb, int64_t rate)
{
	u32 low = 0, high = pb->n_rates;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (pb->rates[mid].rate == rate)
			return &pb->rates[mid];
		if (pb->rates[mid].rate < rate)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* The last point of @rate that is not later than @now; its index plus 1, 0: there is none. */
static u32 last_point(const struct playback *pb, int64_t rate, sim_time now)
{
	const struct playback_rate *r = find_rate(pb, rate);
	u32 low, high;

	if (!r)
		return 0;
	low = r->first;
	high = r->first + r->n;
	while (low < high) {
		u32 mid = (low + high) / 2;

		if (pb->points[pb->order[mid]].at <= now)
			low = mid + 1;
		else
			high = mid;
	}
	return low == r->first ? 0 : pb->order[low - 1] + 1;
}

static u64 playback_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes, sim_time now,
			 s32 noise)
{
	const struct playback *pb = (const struct playback *)ch;
	const struct playback_params *p = ch->params;
	int64_t bps = wifi_bps(r), shown = bps / 100000 * 100000; /* 6.5, 7.2, 14.4 Mbit/s */
	u32 last, other;

	if (p->period != PARAM_UNSET)
		now %= p->period;
	last = last_point(pb, PARAM_UNSET, now);
	other = last_point(pb, bps, now);
	last = other > last ? other : last;
	other = shown != bps ? last_point(pb, shown, now) : 0;
	last = other > last ? other : last;
	if (!last--)
		return 0;
	if (pb->points[last].snr != PARAM_UNSET)
		return error_threshold(r, (s32)pb->points[last].snr, bytes);
	if (pb->points[last].loss != PARAM_UNSET)
		return (u64)pb->points[last].loss;
	return (u64)(PROB_ONE - pb->points[last].delivery);
}

static void playback_check(const void *params, struct model_check *c)
{
	const struct playback_params *p = params;
	const struct param_list *list = points_of(p);
	const struct playback_point *pts = list->items;
	const char *name = p->file.file ? "file" : "points";
	char where[32];

	if (p->file.file && p->points.n) {
		model_check_error(c, "file", "points are given as well; one of the two");
		return;
	}
	if (!list->n) {
		model_check_error(c, "points", "are none; give them here or in a file");
		return;
	}
	for (u32 i = 0; i < list->n; i++) {
		int given = (pts[i].loss != PARAM_UNSET) + (pts[i].delivery != PARAM_UNSET) +
			    (pts[i].snr != PARAM_UNSET);

		snprintf(where, sizeof(where), "%s.%u", name, i);
		if (i && pts[i].at < pts[i - 1].at)
			model_check_error(c, where, "is earlier than the one before");
		if (given != 1)
			model_check_error(c, where,
					  "has %s of loss, delivery and snr; one is to be given",
					  given ? "more than one" : "none");
	}
	if (p->period != PARAM_UNSET && p->period < pts[list->n - 1].at)
		model_check_error(c, "period", "ends before the last point");
}

#define T(field) offsetof(struct playback_point, field)

static const struct param playback_fields[] = {
	{.name = "at",
	 .type = PARAM_TIME,
	 .flags = PARAM_REQUIRED,
	 .offset = T(at),
	 .min = 0,
	 .max = 1000000 * SIM_SEC,
	 .doc = "from then on, in the run's time; before the first line nothing is lost"},
	{.name = "loss", .type = PARAM_PROB, .offset = T(loss), .doc = "share of MPDUs lost"},
	{.name = "delivery",
	 .type = PARAM_PROB,
	 .offset = T(delivery),
	 .doc = "in place of loss, the share that arrives"},
	{.name = "snr",
	 .type = PARAM_DB,
	 .offset = T(snr),
	 .min = -50000,
	 .max = 100000,
	 .doc = "signal-to-noise ratio, from which losses follow by rate and size: of the whole signal to the noise in its band, whatever its width; streams share the power"},
	{.name = "rate",
	 .type = PARAM_RATE,
	 .offset = T(rate),
	 .min = 1000000,
	 .max = 10000000000,
	 .doc = "the rate that the line is of; without it of all. A rate that no line is of loses nothing"},
	PARAM_END,
};

static const struct param playback_element[] = {
	{.name = "point",
	 .type = PARAM_STRUCT,
	 .fields = playback_fields,
	 .size = sizeof(struct playback_point),
	 .doc = "a line of the record"},
	PARAM_END,
};

static const struct param playback_param_table[] = {
	{.name = "points",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct playback_params, points),
	 .fields = playback_element,
	 .size = sizeof(struct playback_point),
	 .doc = "the record, in order of time"},
	{.name = "file",
	 .type = PARAM_TABLE,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct playback_params, file),
	 .fields = playback_element,
	 .size = sizeof(struct playback_point),
	 .doc = "in place of points, a CSV file with these columns, up to 1,000,000 rows"},
	{.name = "period",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct playback_params, period),
	 .min = 1,
	 .max = 1000000 * SIM_SEC,
	 .doc = "the record is played again after this; without it its last line stands"},
	PARAM_END,
};

static const struct model_ops playback_model_ops = {
	.check = playback_check,
	.init = playback_init,
	.fini = playback_fini,
};

static const struct channel_ops playback_ops = {
	.attach = playback_attach,
	.loss = playback_loss,
};

const struct model_class playback_class = {
	.kind = &kind_channel,
	.name = "playback",
	.doc = "a recorded link: delivery by time and rate, or a signal-to-noise ratio by time",
	.source = "a measurement of the user's",
	.not_modelled = "Links that differ: all pairs of stations have the record.",
	.size = sizeof(struct playback),
	.params_size = sizeof(struct playback_params),
	.params = playback_param_table,
	.ops = &playback_model_ops,
	.kind_ops = &playback_ops,
};
