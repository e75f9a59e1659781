/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The same drawn calls of minstrel_ht for two worlds: the library, and the module before the running kernel's own. Loss
 * tables, each with its own radio and station: frames that ask for a rate, PPDUs with what arrived of them, time that
 * passes. Each world brings a struct rvec_world.
 */
#ifndef WLANQ_LAB_RATE_VECTORS_H
#define WLANQ_LAB_RATE_VECTORS_H

#include "seam.h"

#define RVEC_TABLES  100u
#define RVEC_CALLS   4000u /* of each */
#define RVEC_COLUMNS 10u
#define RVEC_RATES   10u

struct rvec {
	u64 rng;
	u32 calls, samples, tables;
	u64 hash;
	s64 now;
	u64 losses; /* the table's key */
	u32 slope;
	struct seam_rate table[SEAM_RATES]; /* the station's */
	u32 n, amsdu;
};

struct rvec_world {
	const struct seam_rc *ops;
	/* Around each call: the clock stands at v->now. */
	void (*enter)(struct rvec *v);
	void (*leave)(struct rvec *v);
};

static inline u32 rvec_random(u64 *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return (u32)(*s * 0x2545f4914f6cdd1dull >> 32);
}

static inline u32 rvec_below(struct rvec *v, u32 n)
{
	return (u32)((u64)rvec_random(&v->rng) * n >> 32);
}

/* What the machine draws when it boots: byte by byte the rows of the table of samples. */
#define RVEC_BOOT 0x5bd1e995c4a3d7f1ull

static inline void rvec_word(struct rvec *v, u64 word)
{
	v->hash = (v->hash ^ word) * 0x100000001b3ull;
	v->hash ^= v->hash >> 29;
}

static inline u64 rvec_pack(const struct seam_rate *r)
{
	return r->mode | r->index << 4 | r->streams << 8 | r->width << 12 | r->sgi << 16 |
	       r->short_preamble << 17 | r->rts << 18 | (u64)r->tries << 24;
}

/* Word of a new rate table. */
static inline void rvec_rates(struct rvec *v, const struct seam_rate *table, u32 n, u32 amsdu)
{
	u32 i;

	v->tables++;
	v->n = n;
	v->amsdu = amsdu;
	for (i = 0; i < n; i++) {
		v->table[i] = table[i];
		rvec_word(v, rvec_pack(&table[i]));
	}
	rvec_word(v, (u64)n << 32 | amsdu);
}

/* Of 4096: worse for what carries more, some of no use at all. */
static inline u32 rvec_success(const struct rvec *v, const struct seam_rate *r)
{
	static const u32 load[4][10] = {
		{1, 2, 5, 11},
		{6, 9, 12, 18, 24, 36, 48, 54},
		{6, 13, 19, 26, 39, 52, 58, 65},
		{6, 13, 19, 26, 39, 52, 58, 65, 78, 86},
	};
	u64 key = v->losses ^ rvec_pack(r) << 20;
	u32 noise, down;

	key &= ~(0xffull << 44); /* whatever the number of tries */
	key ^= key >> 33;
	key *= 0xff51afd7ed558ccdull;
	noise = rvec_random(&key) >> 22;
	down = load[r->mode & 3][r->index % 10] * r->streams * (1u << r->width) * v->slope / 4 +
	       noise;
	if (rvec_random(&key) % 12 == 0)
		return 0;
	return down < 4096 ? 4096 - down : 0;
}

static inline void rvec_begin(struct rvec *v, u32 number, struct seam_radio *radio,
			      struct seam_station *sta)
{
	u32 kind = number % 6;

	*v = (struct rvec){
		.rng = 0x9e3779b97f4a7c15ull * (number + 1),
		.hash = 0xcbf29ce484222325ull,
		.now = 1000000000,
	};
	rvec_random(&v->rng);
	v->losses = (u64)rvec_random(&v->rng) << 32 | rvec_random(&v->rng);
	v->slope = 1 + rvec_below(v, 80);
	/* n, ac, n, ac, g or a, b */
	*sta = (struct seam_station){
		.ht = kind < 4,
		.vht = kind == 1 || kind == 3,
		.streams = (u8)(1 + rvec_below(v, 4)),
		.sgi = rvec_below(v, 3) > 0,
	};
	sta->width = (u8)rvec_below(v, sta->vht ? 3 : sta->ht ? 2 : 1);
	*radio = (struct seam_radio){
		.max_rates = rvec_below(v, 5) ? 4 : (u8)(1 + rvec_below(v, 3)),
		.max_tries = rvec_below(v, 2) ? 10 : 4,
		.band_5ghz = sta->vht || (kind != 5 && rvec_below(v, 2)),
		.cck_only = kind == 5,
		.ht_cck = rvec_below(v, 2),
		.width = sta->width,
	};
	radio->short_preamble = !radio->band_5ghz && rvec_below(v, 2);
}

/* What a PPDU comes to: each rate is tried until an MPDU arrives. */
static inline void rvec_transmit(struct rvec *v, const struct seam_rate *sample,
				 struct seam_tx_status *st)
{
	struct seam_rate chain[SEAM_RATES];
	u32 n = 0, i, k, tries;

	if (sample)
		chain[n++] = *sample;
	for (i = 0; i < v->n && n < SEAM_RATES; i++)
		chain[n++] = v->table[i];
	*st = (struct seam_tx_status){.probe = sample, .len = 1};
	if (!sample && chain[0].mode >= SEAM_RATE_HT)
		st->len = 1 + rvec_below(v, 32);
	for (i = 0; i < n && !st->acked; i++) {
		u32 p = rvec_success(v, &chain[i]);

		tries = 0;
		while (!st->acked && tries < chain[i].tries) {
			tries++;
			for (k = 0; k < st->len; k++)
				st->acked += rvec_below(v, 4096) < p;
		}
		if (!tries)
			break;
		st->rates[st->n] = chain[i];
		st->rates[st->n].rts = false;
		st->rates[st->n++].tries = (u8)tries;
	}
}

static inline void rvec_step(struct rvec *v, const struct rvec_world *w, void *sta)
{
	struct seam_tx_status st;
	struct seam_rate sample;
	u32 kbit;
	bool is_sample;

	if (!rvec_below(v, 1500))
		v->losses += 0x1234567;
	v->now += rvec_below(v, rvec_below(v, 8) ? 600000 : 8000000);
	if (!rvec_below(v, 1000))
		v->now += (s64)rvec_below(v, 2000000000) * (1 + rvec_below(v, 20));
	w->enter(v);
	is_sample = w->ops->get_rate(sta, &sample);
	w->leave(v);
	v->samples += is_sample;
	rvec_word(v, is_sample ? rvec_pack(&sample) : 0);
	rvec_transmit(v, is_sample ? &sample : 0, &st);
	v->now += rvec_below(v, 2000000);
	w->enter(v);
	w->ops->tx_status(sta, &st);
	kbit = w->ops->expected_kbit(sta);
	w->leave(v);
	rvec_word(v, kbit);
	v->calls += 2;
}

/* All calls of one loss table; false: there is no minstrel_ht. */
static inline bool rvec_run(struct rvec *v, u32 number, const struct rvec_world *w)
{
	struct seam_radio radio;
	struct seam_station caps;
	void *rc, *sta;

	rvec_begin(v, number, &radio, &caps);
	rc = w->ops->create("minstrel_ht", v, &radio);
	if (!rc)
		return false;
	w->enter(v);
	sta = w->ops->station_add(rc, v, &caps);
	w->leave(v);
	while (v->calls < RVEC_CALLS)
		rvec_step(v, w, sta);
	w->ops->station_remove(sta);
	w->ops->destroy(rc);
	return true;
}

#endif
