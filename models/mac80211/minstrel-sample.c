// SPDX-License-Identifier: GPL-3.0-or-later
/* Which rates minstrel_ht tries out: the next faster ones, random faster ones, and some that are slower. */
#include "mac80211/minstrel-ht.h"

static const u8 sequence[] = {MH_INC, MH_JUMP, MH_INC, MH_JUMP, MH_INC, MH_SLOW};

u16 mh_next_sample(struct mh_sta *s, bool chain)
{
	u32 type = MH_INC;
	u16 *list, id;

	if (chain) {
		type = sequence[s->sequence];
		s->sequence = (u8)((s->sequence + 1) % sizeof(sequence));
	}
	list = s->samples[type];
	for (u32 i = 0; i < MH_SAMPLES; i++) {
		id = list[i];
		list[i] = 0;
		if (id)
			return id;
	}
	return 0;
}

static bool listed(const struct mh_sta *s, u32 type, u32 id)
{
	for (u32 i = 0; i < MH_SAMPLES; i++) {
		if (s->samples[type][i] == id)
			return true;
		if (!s->samples[type][i])
			break;
	}
	return false;
}

/*
 * Drops what has become too slow or too fast and closes the gaps; tells how many are left. As in Linux the first one is
 * not counted where it stands in its place already: the next takes that place.
 */
static u32 prune(const struct mh_table *t, struct mh_sta *s, u32 type, u32 fast, u32 slow)
{
	u16 *list = s->samples[type];
	u32 n = 0;

	for (u32 i = 0; i < MH_SAMPLES; i++) {
		u16 id = list[i];
		u32 ns = id ? mh_duration(t, id) : 0;

		if (!id)
			continue;
		if (type == MH_SLOW ? ns <= fast || ns >= slow : ns >= fast) {
			list[i] = 0;
		} else if (i != n) {
			list[n++] = id;
			list[i] = 0;
		}
	}
	return n;
}

/* The lowest index of the group that takes less than @limit; -1: none. */
static s32 least_index(const struct mh_table *t, const struct mh_sta *s, u32 g, u32 limit)
{
	for (u32 i = 0; i < MH_RATES; i++)
		if (s->supported[g] >> i & 1 && mh_duration(t, MH_ID(g, i)) < limit)
			return (s32)i;
	return -1;
}

static u16 next_inc(const struct mh_table *t, struct mh_sta *s, u32 fast)
{
	u32 g = s->walk[MH_INC];
	u16 id = 0;

	for (u32 n = 0; n < MH_GROUPS; n++) {
		s32 i;

		g = (g + 1) % MH_GROUPS;
		i = least_index(t, s, g, fast);
		if (i < 0)
			continue;
		if (!listed(s, MH_INC, MH_ID(g, i))) {
			id = MH_ID(g, i);
			break;
		}
	}
	s->walk[MH_INC] = (u8)g;
	return id;
}

/* The next index of the group by the random table, not below @least; -1: none. */
static s32 random_index(const struct mh_table *t, struct mh_sta *s, u32 g, s32 least)
{
	struct mh_group *mg = &s->groups[g];

	for (u32 n = 0; n < MH_RATES; n++) {
		s32 i = t->sample[mg->column][mg->index];

		if (++mg->index >= MH_RATES) {
			mg->index = 0;
			mg->column = (u8)((mg->column + 1) % MH_COLUMNS);
		}
		if (i >= least && s->supported[g] >> i & 1)
			return i;
	}
	return -1;
}

/* A random rate that is faster; those between fast and slow that are met go to the slow list. */
static u16 next_jump(const struct mh_table *t, struct mh_sta *s, u32 fast, u32 slow, u32 *n_slow)
{
	u32 limit = *n_slow < MH_SAMPLES ? slow : fast, g = s->walk[MH_JUMP];
	u16 found = 0;

	for (u32 n = 0; n < MH_GROUPS; n++) {
		s32 i;
		u32 ns;
		u16 id;

		g = (g + 1) % MH_GROUPS;
		i = s->supported[g] ? least_index(t, s, g, limit) : -1;
		if (i >= 0)
			i = random_index(t, s, g, i);
		if (i < 0)
			continue;
		id = MH_ID(g, i);
		ns = mh_duration(t, id);
		if (listed(s, ns < fast ? MH_JUMP : MH_SLOW, id))
			continue;
		if (ns < fast) {
			found = id;
			break;
		}
		if (*n_slow >= MH_SAMPLES || ns >= slow || mh_rate(s, id)->prob > MH_FRAC(95, 100))
			continue;
		s->samples[MH_SLOW][(*n_slow)++] = id;
		if (*n_slow >= MH_SAMPLES)
			limit = fast;
	}
	s->walk[MH_JUMP] = (u8)g;
	return found;
}

void mh_refill(const struct mh_table *t, struct mh_sta *s)
{
	u32 tp = mh_duration(t, s->max_tp[0]), tp2 = mh_duration(t, s->max_tp[1]);
	u32 fast = mh_duration(t, s->max_prob), slow = fast, n, n_slow;

	fast = tp < fast ? tp : fast;
	fast = tp2 < fast ? tp2 : fast;
	slow = tp > slow ? tp : slow;
	slow = tp2 > slow ? tp2 : slow;
	for (n = prune(t, s, MH_INC, fast, slow); n < MH_SAMPLES; n++) {
		s->samples[MH_INC][n] = next_inc(t, s, tp);
		if (!s->samples[MH_INC][n])
			break;
	}
	n = prune(t, s, MH_JUMP, fast, slow);
	n_slow = prune(t, s, MH_SLOW, fast, slow);
	for (; n < MH_SAMPLES; n++) {
		s->samples[MH_JUMP][n] = next_jump(t, s, fast, slow, &n_slow);
		if (!s->samples[MH_JUMP][n])
			break;
	}
}
