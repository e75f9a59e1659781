// SPDX-License-Identifier: GPL-3.0-or-later
/* What minstrel_ht makes of the results: estimates, and the rates that are best by them. */
#include "mac80211/minstrel-ht.h"

#include <string.h>

#define FRAC_PERCENT(p) ((u32)MH_FRAC((p), 100))

u16 mh_filter(u16 *last, u16 *before, s32 in)
{
	s32 p1 = *last, p2 = *before, out;

	if (!in)
		in = 1;
	if (!p1) {
		out = p1 = in;
	} else {
		out = (1173 * in + 5273 * p1 - 2350 * p2) >> 12;
		out = out > 4096 ? 4096 : out < 0 ? 1 : out;
	}
	*before = (u16)p1;
	*last = (u16)out;
	return (u16)out;
}

u32 mh_avg_ampdu(const struct mh_table *t, const struct mh_sta *s)
{
	u32 ns;

	if (s->avg_ampdu)
		return MH_TRUNC(s->avg_ampdu);
	if (MH_LEGACY(MH_GROUP(s->max_tp[0])))
		return 1;
	ns = mh_duration(t, s->max_tp[0]);
	return ns > 400000 ? 2 : ns > 250000 ? 4 : ns > 150000 ? 8 : 16;
}

u32 mh_throughput(const struct mh_table *t, const struct mh_sta *s, u32 id, u32 prob)
{
	bool legacy = MH_LEGACY(MH_GROUP(id));
	u32 ns;

	if (prob < FRAC_PERCENT(10))
		return 0;
	ns = legacy ? 1000 * s->overhead_legacy : 1000 * s->overhead / mh_avg_ampdu(t, s);
	ns += mh_duration(t, id);
	if (prob > FRAC_PERCENT(90))
		prob = FRAC_PERCENT(90);
	return MH_TRUNC(100 * (prob * 1000000 / ns));
}

static u32 now_tp(struct mh_sta *s, u32 id)
{
	return mh_rate(s, id)->tp;
}

/* Rates that are not supported have no probability, and 0. */
static void reckon(const struct mh_table *t, struct mh_sta *s, u32 id)
{
	struct mh_rate *r = mh_rate(s, id);

	r->tp = mh_throughput(t, s, id, r->prob);
}

static void reckon_all(const struct mh_table *t, struct mh_sta *s)
{
	for (u32 g = 0; g < MH_GROUPS; g++)
		for (u32 i = 0; i < MH_RATES; i++)
			if (s->supported[g] >> i & 1)
				reckon(t, s, MH_ID(g, i));
}

/* Puts @id into its place among the best, behind those that are as good. */
static void sort_in(struct mh_sta *s, u32 id, u16 *list)
{
	u32 tp = now_tp(s, id), prob = mh_rate(s, id)->prob, at = MH_TP_RATES;

	while (at > 0) {
		u32 other = list[at - 1], other_tp = now_tp(s, other);

		if (tp < other_tp || (tp == other_tp && prob <= mh_rate(s, other)->prob))
			break;
		at--;
	}
	if (at + 1 < MH_TP_RATES)
		memmove(&list[at + 1], &list[at], (MH_TP_RATES - at - 1) * sizeof(*list));
	if (at < MH_TP_RATES)
		list[at] = (u16)id;
}

static void count(struct mh_rate *r)
{
	r->retries_known = false;
	if (r->attempts) {
		mh_filter(&r->prob, &r->prob_before, MH_FRAC(r->success, r->attempts));
		r->all_attempts += r->attempts;
		r->all_success += r->success;
	}
	r->last_success = r->success;
	r->last_attempts = r->attempts;
	r->success = r->attempts = 0;
}

static void update_group(const struct mh_table *t, struct mh_sta *s, u32 g, u16 *list)
{
	struct mh_group *mg = &s->groups[g];
	u16 last = 0, best[MH_TP_RATES];

	for (u32 j = 0; j < MH_TP_RATES; j++)
		best[j] = MH_ID(g, 0);
	for (u32 i = MH_RATES; i-- > 0;) {
		struct mh_rate *r = &mg->rates[i];

		if (!(s->supported[g] >> i & 1))
			continue;
		count(r);
		/* what was never tried is taken to do as well as a faster one */
		if (r->all_attempts)
			last = r->prob > last ? r->prob : last;
		else
			r->prob = r->prob > last ? r->prob : last;
		reckon(t, s, MH_ID(g, i));
		if (!now_tp(s, MH_ID(g, i)))
			continue;
		sort_in(s, MH_ID(g, i), list);
		sort_in(s, MH_ID(g, i), best);
	}
	memcpy(mg->best_tp, best, sizeof(best));
}

static void consider_prob(const struct mh_table *t, struct mh_sta *s, u32 id, u16 *most)
{
	struct mh_group *mg = &s->groups[MH_GROUP(id)];
	u32 prob = mh_rate(s, id)->prob, top = s->max_tp[0];

	if (MH_LEGACY(MH_GROUP(id)) && !MH_LEGACY(MH_GROUP(top)))
		return;
	if (mh_duration(t, top) > mh_duration(t, id) && prob < mh_rate(s, top)->prob)
		return;
	if (prob > FRAC_PERCENT(75)) {
		u32 tp = now_tp(s, id);

		if (tp > now_tp(s, *most))
			*most = (u16)id;
		if (tp > now_tp(s, mg->best_prob))
			mg->best_prob = (u16)id;
	} else {
		if (prob > mh_rate(s, *most)->prob)
			*most = (u16)id;
		if (prob > mh_rate(s, mg->best_prob)->prob)
			mg->best_prob = (u16)id;
	}
}

/* The fallback has fewer streams than the best rate, where such a group has one that works. */
static void reduce_streams(const struct mh_table *t, struct mh_sta *s)
{
	u32 streams = t->streams[MH_GROUP(s->max_tp[0])], most = 0;

	for (u32 g = 0; g < MH_GROUPS; g++) {
		u32 id = s->groups[g].best_prob, tp;

		if (!s->supported[g] || g == MH_CCK)
			continue;
		tp = now_tp(s, id);
		if (most < tp && t->streams[g] < streams) {
			s->max_prob = (u16)id;
			most = tp;
		}
	}
}

void mh_update(const struct mh_table *t, struct mh_sta *s, bool ht)
{
	u32 first = s->supported[MH_CCK] ? MH_CCK : s->supported[MH_OFDM] ? MH_OFDM : 0;
	u16 best[MH_TP_RATES], legacy[MH_TP_RATES], most;

	if (s->ampdu_packets) {
		s32 diff = (s32)MH_FRAC(s->ampdu_len, s->ampdu_packets) - (s32)s->avg_ampdu;

		s->avg_ampdu = (u32)((s32)s->avg_ampdu + 32 * diff / 128);
		s->ampdu_len = s->ampdu_packets = 0;
	}
	reckon_all(t, s);
	for (u32 j = 0; j < MH_TP_RATES; j++)
		legacy[j] = MH_ID(first, 0);
	first = s->supported[MH_VHT] ? MH_VHT : ht ? 0 : s->supported[MH_CCK] ? MH_CCK : MH_OFDM;
	most = MH_ID(first, 0);
	for (u32 j = 0; j < MH_TP_RATES; j++)
		best[j] = most;
	for (u32 g = 0; g < MH_GROUPS; g++)
		if (s->supported[g])
			update_group(t, s, g, g == MH_CCK && ht ? legacy : best);
	/* CCK does not aggregate: all of it, or none */
	if (now_tp(s, legacy[0]) > now_tp(s, best[0]))
		for (u32 j = 0; j < MH_TP_RATES; j++)
			sort_in(s, legacy[j], best);
	memcpy(s->max_tp, best, sizeof(best));
	/* Before there was an aggregate its length is guessed from the best rate. */
	if (!s->avg_ampdu)
		reckon_all(t, s);
	for (u32 g = 0; g < MH_GROUPS; g++) {
		if (!s->supported[g])
			continue;
		s->groups[g].best_prob = MH_ID(g, 0);
		for (u32 i = 0; i < MH_RATES; i++)
			if (s->supported[g] >> i & 1)
				consider_prob(t, s, MH_ID(g, i), &most);
	}
	s->max_prob = most;
	if (ht)
		reduce_streams(t, s);
	mh_refill(t, s);
}
