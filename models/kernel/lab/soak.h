/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Long pseudo-random runs of DQL, and of fq with CoDel on its flows, that give a hash. The same source runs in user
 * space, in a kernel module with our files, and there with the kernel's own: all hashes must be equal. To be included
 * after the headers under test; CoDel's clock is soak_now.
 */
#ifndef WLANQ_LAB_SOAK_H
#define WLANQ_LAB_SOAK_H

#define SOAK_DQL_STEPS 100000
#define SOAK_FQ_STEPS  200000
#define SOAK_PACKETS   600
#define SOAK_FLOWS     64
#define SOAK_TINS      3

static inline u32 soak_random(u32 *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static inline u32 soak_hash(u32 hash, u32 word)
{
	int i;

	/* FNV-1a, byte by byte */
	for (i = 0; i < 4; i++)
		hash = (hash ^ (word >> 8 * i & 0xff)) * 16777619u;
	return hash;
}

/* One step: @r says which. Time passes by moving the start of the slack window back. */
static inline void soak_dql_step(struct dql *d, u32 r)
{
	u32 in_flight = d->num_queued - d->num_completed;
	u32 x = r >> 5;

	switch (r & 31) {
	case 0:
		d->slack_start_time -= x % 400;
		break;
	case 1:
		if (x % 64 == 0)
			dql_reset(d);
		break;
	case 2:
		if (x % 16 == 0)
			d->min_limit = x % 3000;
		break;
	case 3:
		/* all counters move on, what is in flight stays: they wrap now and then */
		d->num_queued += x << 8;
		d->num_completed += x << 8;
		d->prev_num_queued += x << 8;
		d->adj_limit += x << 8;
		break;
	case 4:
	case 5:
	case 6:
		dql_completed(d, in_flight);
		break;
	case 7:
	case 8:
	case 9:
	case 10:
	case 11:
	case 12:
	case 13:
	case 14:
		dql_completed(d, (u32)((u64)in_flight * (x & 0xffff) >> 16));
		break;
	default:
		if (dql_avail(d) >= 0)
			dql_queued(d, x % 8 ? 1514 : x % 65536);
		break;
	}
}

static inline u32 soak_dql_hash(u32 hash, const struct dql *d, unsigned long now)
{
	hash = soak_hash(hash, d->num_queued);
	hash = soak_hash(hash, d->num_completed);
	hash = soak_hash(hash, d->limit);
	hash = soak_hash(hash, d->adj_limit);
	hash = soak_hash(hash, d->prev_ovlimit);
	hash = soak_hash(hash, d->lowest_slack);
	return soak_hash(hash, (u32)(now - d->slack_start_time));
}

#endif
