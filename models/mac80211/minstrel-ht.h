/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * minstrel_ht of Linux 6.1, for its own files: what it knows of a station, and the steps that it goes through.
 *
 * A rate is named by group << 4 | index. Groups 0 .. 15 are HT (width, guard interval, streams), 16 CCK (long preamble
 * 0 .. 3, short 4 .. 7), 17 OFDM, 18 .. 41 VHT. Probabilities have 12 bits of fraction.
 *
 * Source: net/mac80211/rc80211_minstrel_ht.c and .h of Linux 6.1.
 */
#ifndef WLANQ_MAC80211_MINSTREL_HT_H
#define WLANQ_MAC80211_MINSTREL_HT_H

#include "mac80211/mac80211.h"
#include "mac80211/rate-control.h"

#define MH_GROUPS     42u
#define MH_CCK	      16u
#define MH_OFDM	      17u
#define MH_VHT	      18u
#define MH_RATES      10u
#define MH_TP_RATES   4u
#define MH_COLUMNS    10u
#define MH_SAMPLES    5u
#define MH_FRAC(a, b) (((a) << 12) / (b))
#define MH_TRUNC(x)   ((x) >> 12)
#define MH_ID(g, i)   ((u16)((g) << 4 | (i)))
#define MH_GROUP(id)  ((u32)(id) >> 4)
#define MH_INDEX(id)  ((u32)(id)&0xfu)
#define MH_LEGACY(g)  ((g) == MH_CCK || (g) == MH_OFDM)

enum mh_sample { MH_INC, MH_JUMP, MH_SLOW, MH_SAMPLE_TYPES };

/* Reference durations, ns: of a sixteenth of an aggregate of 16 packets of 1200 bytes; legacy: of a packet. */
struct mh_table {
	u32 duration[MH_GROUPS][MH_RATES];
	u8 streams[MH_GROUPS];
	u8 sample[MH_COLUMNS][MH_RATES]; /* random permutations */
};

struct mh_rate {
	u16 attempts, success; /* since the last update */
	u16 last_attempts, last_success;
	u32 all_attempts, all_success;
	u16 prob, prob_before; /* the filter's last two values */
	u32 tp; /* throughput with .prob, kept while an update compares rates */
	u8 retries, retries_rts;
	bool retries_known;
};

struct mh_group {
	u8 index, column; /* of the sample table */
	u16 best_tp[MH_TP_RATES], best_prob;
	struct mh_rate rates[MH_RATES];
};

struct mh_sta {
	struct softmac_sta *soft;
	u32 ampdu_len, ampdu_packets; /* since the last update */
	u32 avg_ampdu; /* 12 bits of fraction */
	u16 max_tp[MH_TP_RATES], max_prob;
	u32 overhead, overhead_rts, overhead_legacy, overhead_legacy_rts; /* us */
	int64_t updated, next_sample; /* jiffies */
	u8 sequence; /* of sample types */
	u8 walk[MH_SAMPLE_TYPES]; /* group that was looked at last */
	u16 samples[MH_SAMPLE_TYPES][MH_SAMPLES];
	u16 supported[MH_GROUPS];
	struct mh_group groups[MH_GROUPS];
};

struct mh_params {
	int64_t streams, sgi;
};

struct mh {
	struct object obj;
	struct rate_control_env env;
	struct mh_table table;
	u32 max_rates, max_tries;
	struct mh_sta *stas;
	u32 n;
	u64 probes, total, sampled,
		updates; /* of the window: frames marked; MPDUs sent, those of samples */
};

/* ---- minstrel-rates.c --------------------------------------------------------------------------- */

void mh_table_init(struct mh_table *t, u64 seed, const char *path);

/* us, SIFS or signal extension included: of a frame of @len bytes without FCS at @rate (100 kbit/s). */
u32 mh_frame_duration(bool ofdm, u32 len, u32 rate);

wifi_rate mh_wifi_rate(u32 id, bool short_preamble);
u32 mh_id(const struct mh_sta *s, wifi_rate r);

static inline u32 mh_duration(const struct mh_table *t, u32 id)
{
	return t->duration[MH_GROUP(id)][MH_INDEX(id)];
}

/* ---- minstrel-stats.c ---------------------------------------------------------------------------- */

/* The estimate after @in, 0 .. 4096. */
u16 mh_filter(u16 *last, u16 *before, s32 in);
u32 mh_avg_ampdu(const struct mh_table *t, const struct mh_sta *s);
/* Throughput in 10 packets/s. */
u32 mh_throughput(const struct mh_table *t, const struct mh_sta *s, u32 id, u32 prob);
void mh_update(const struct mh_table *t, struct mh_sta *s, bool ht);

static inline struct mh_rate *mh_rate(struct mh_sta *s, u32 id)
{
	return &s->groups[MH_GROUP(id)].rates[MH_INDEX(id)];
}

/* ---- minstrel-sample.c --------------------------------------------------------------------------- */

void mh_refill(const struct mh_table *t, struct mh_sta *s);
/* The next rate to be sampled, 0: none. */
u16 mh_next_sample(struct mh_sta *s, bool chain);

/* ---- minstrel-ht.c ------------------------------------------------------------------------------- */

/* How often a rate may be tried in a row, without and with RTS, so that it takes no more than 6 ms. */
void mh_retries(const struct mh_table *t, struct mh_sta *s, u32 id, u32 max_tries);

#endif
