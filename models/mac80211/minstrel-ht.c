// SPDX-License-Identifier: GPL-3.0-or-later
/* minstrel_ht: retry chains, samples, results. */
#include "mac80211/minstrel-ht.h"

#include <stdlib.h>
#include <string.h>

#include "mac80211/jiffies.h"

#define SEGMENT 6000u /* us that the tries of one rate may take */
#define CW_MIN	15u
#define CW_MAX	1023u
#define SLOT	9u

void mh_retries(const struct mh_table *t, struct mh_sta *s, u32 id, u32 max_tries)
{
	bool legacy = MH_LEGACY(MH_GROUP(id));
	u32 overhead = legacy ? s->overhead_legacy : s->overhead;
	u32 overhead_rts = legacy ? s->overhead_legacy_rts : s->overhead_rts;
	u32 data = mh_duration(t, id) * mh_avg_ampdu(t, s) / 1000;
	u32 cw = 4 * CW_MIN + 3, wait = (SLOT * CW_MIN >> 1) + (SLOT * (2 * CW_MIN + 1) >> 1);
	u32 time = wait + 2 * (overhead + data), time_rts = wait + 2 * (overhead_rts + data);
	struct mh_rate *r = mh_rate(s, id);

	if (r->prob < MH_FRAC(1, 10)) {
		r->retries = r->retries_rts = 1;
		return;
	}
	r->retries = r->retries_rts = 2;
	r->retries_known = true;
	do {
		wait = SLOT * cw >> 1;
		cw = 2 * cw + 1 < CW_MAX ? 2 * cw + 1 : CW_MAX;
		time += wait + overhead + data;
		time_rts += wait + overhead_rts + data;
		if (time_rts < SEGMENT)
			r->retries_rts++;
	} while (time < SEGMENT && ++r->retries < max_tries);
}

static void set_step(struct mh *m, struct mh_sta *s, u32 at, u32 id)
{
	struct mh_rate *r = mh_rate(s, id);
	bool rts = at > 0;
	u32 tries = 2;

	if (!r->retries_known)
		mh_retries(&m->table, s, id, m->max_tries);
	if (r->prob >= MH_FRAC(20, 100) && r->retries)
		tries = rts ? r->retries_rts : r->retries;
	s->soft->steps[at] = (struct wifi_step){
		.rate = mh_wifi_rate(id, wifi_phy(m->env.dev)->short_preamble),
		.tries = (u8)tries,
		.protect = rts ? PROTECT_RTS : PROTECT_NONE,
	};
}

/* Bytes of the longest A-MSDU: rates that are slow or unsure get short ones. */
static u32 amsdu_limit(struct mh *m, struct mh_sta *s)
{
	const u32 *reference = m->table.duration[0];
	u32 ns = mh_duration(&m->table, s->max_prob);

	if (mh_rate(s, s->max_prob)->prob < MH_FRAC(50, 100))
		return 1;
	if (ns > reference[1])
		return 500;
	if (ns > reference[3])
		return 1600;
	if (ns > reference[7] || mh_rate(s, s->max_tp[0])->prob < MH_FRAC(75, 100))
		return 3200;
	return wifi_phy(m->env.dev)->standard == WIFI_11AC ? 0 : 4095;
}

static void set_rates(struct mh *m, struct mh_sta *s)
{
	u32 n = 0, tp = mh_throughput(&m->table, s, s->max_tp[0], mh_rate(s, s->max_tp[0])->prob);

	set_step(m, s, n++, s->max_tp[0]);
	for (; n + 1 < m->max_rates; n++)
		set_step(m, s, n, s->max_tp[n]);
	if (n < m->max_rates)
		set_step(m, s, n++, s->max_prob);
	s->soft->n_steps = n;
	s->soft->amsdu = amsdu_limit(m, s);
	m->env.updated(m->env.arg, s->soft, tp * 10 * 1200 * 8 / 1024);
}

static bool is_ht(const struct mh *m)
{
	enum wifi_standard standard = wifi_phy(m->env.dev)->standard;

	return standard == WIFI_11N || standard == WIFI_11AC;
}

static void update(struct mh *m, struct mh_sta *s, int64_t now)
{
	mh_update(&m->table, s, is_ht(m));
	s->updated = s->next_sample = now;
	m->updates++;
}

/* ---- what mac80211 calls ------------------------------------------------------------------------ */

static int64_t jiffies_now(const struct mh *m)
{
	return jiffies_at(m->env.hz, m->obj.sim->now);
}

static void mh_get_rate(struct object *rc, struct softmac_sta *sta, struct packet *p)
{
	struct mh *m = (struct mh *)rc;
	struct mh_sta *s = sta->rc;
	int64_t now = jiffies_now(m);
	bool short_preamble = wifi_phy(m->env.dev)->short_preamble;
	u16 id;

	if (s->next_sample > now)
		return;
	s->next_sample = now + m->env.hz / 50;
	id = mh_next_sample(s, m->max_rates > 1);
	if (!id || (MH_GROUP(id) == MH_CCK && (MH_INDEX(id) >= 4) != short_preamble))
		return;
	p->mac.flags |= SOFTMAC_PROBE;
	p->mac.rate = mh_wifi_rate(id, short_preamble);
	m->probes++;
}

/* Many failures at once: a group of no more streams, the next one down. True: there is one. */
static bool sudden_death(struct mh *m, struct mh_sta *s, u32 which)
{
	const struct mh_rate *r = mh_rate(s, s->max_tp[which]);
	u32 from = MH_GROUP(s->max_tp[which]);

	if (r->attempts <= 30 || r->success >= r->attempts / 4)
		return false;
	for (u32 g = from; g-- > 0;) {
		if (!s->supported[g] || m->table.streams[g] > m->table.streams[from])
			continue;
		s->max_tp[which] = s->groups[g].best_tp[which];
		break;
	}
	return true;
}

static void mh_tx_status(struct object *rc, const struct softmac_status *st)
{
	struct mh *m = (struct mh *)rc;
	struct mh_sta *s = st->sta->rc;
	const struct wifi_ppdu *ppdu = st->ppdu;
	int64_t now = jiffies_now(m);
	bool changed = false;

	if (ppdu->flags & PPDU_NO_ACK)
		return;
	m->total += ppdu->n;
	m->sampled += ppdu->flags & PPDU_PROBE ? ppdu->n : 0;
	s->ampdu_packets++;
	s->ampdu_len += ppdu->n;
	for (u32 i = 0; i <= ppdu->step; i++) {
		struct mh_rate *r = mh_rate(s, mh_id(s, ppdu->steps[i].rate));

		r->attempts = (u16)(r->attempts + ppdu->used[i] * ppdu->n);
		if (i == ppdu->step)
			r->success = (u16)(r->success + st->acked);
	}
	if (m->max_rates > 1) {
		changed = sudden_death(m, s, 0);
		changed = sudden_death(m, s, 1) || changed;
	}
	if (now > s->updated + m->env.hz / 20) {
		update(m, s, now);
		changed = true;
	}
	if (changed)
		set_rates(m, s);
}

/* ---- set-up ------------------------------------------------------------------------------------- */

static void set_supported(const struct mh *m, struct mh_sta *s)
{
	const struct mh_params *p = m->obj.params;
	const struct wifi_phy *phy = wifi_phy(m->env.dev);
	u32 width = (u32)(wifi_channel_width(m->env.dev) / 40000000);
	bool vht = phy->standard == WIFI_11AC, ht = is_ht(m);

	for (u32 g = 0; g < MH_GROUPS && ht; g++) {
		u32 k = g < MH_CCK ? g : g - MH_VHT;

		if (MH_LEGACY(g) || vht != (g >= MH_VHT) || k / 8 > (width > 2 ? 2 : width) ||
		    (k / 4 % 2 && !p->sgi) || m->table.streams[g] > p->streams)
			continue;
		for (u32 i = 0; i < (vht ? MH_RATES : 8); i++)
			if (!wifi_rate_invalid(mh_wifi_rate(MH_ID(g, i), false)))
				s->supported[g] |= (u16)(1u << i);
	}
	if (phy->band == WIFI_2GHZ && (!ht || m->env.ht_cck))
		s->supported[MH_CCK] = 0xef; /* 1 Mbit/s has no short preamble */
	if (!ht && phy->standard != WIFI_11B)
		s->supported[MH_OFDM] = 0xff;
}

static void sta_init(struct mh *m, struct mh_sta *s, struct softmac_sta *soft)
{
	bool cck = wifi_phy(m->env.dev)->band == WIFI_2GHZ;
	u32 ack = mh_frame_duration(true, 10, 60);

	s->soft = soft;
	soft->rc = s;
	s->overhead = mh_frame_duration(true, 0, 60) + ack;
	s->overhead_rts = s->overhead + 2 * ack;
	ack = cck ? mh_frame_duration(false, 10, 10) : ack;
	s->overhead_legacy = ack;
	s->overhead_legacy_rts = 3 * ack;
	s->avg_ampdu = MH_FRAC(1, 1);
	set_supported(m, s);
	update(m, s, jiffies_now(m));
	set_rates(m, s);
}

static void mh_start(struct object *rc, const struct rate_control_env *env,
		     struct softmac_sta *const *stas, u32 n)
{
	struct mh *m = (struct mh *)rc;

	m->env = *env;
	m->n = n;
	SIM_CHECK(rc->sim, rc, env->max_rates, "this driver chooses rates itself: use `fixed`");
	m->max_rates = env->max_rates < WIFI_STEPS ? env->max_rates : WIFI_STEPS;
	m->max_tries = env->max_tries ? env->max_tries : 7;
	mh_table_init(&m->table, rc->sim->seed, rc->path);
	m->stas = calloc(n ? n : 1, sizeof(*m->stas));
	if (!m->stas)
		abort();
	for (u32 i = 0; i < n; i++)
		sta_init(m, &m->stas[i], stas[i]);
}

static void mh_fini(struct object *obj)
{
	free(((struct mh *)obj)->stas);
}

static int64_t mh_bps(const void *params, const struct wifi_phy *phy, int64_t width, bool *highest)
{
	const struct mh_params *p = params;
	enum wifi_width w = width >= 80000000 ? WIFI_80 : width >= 40000000 ? WIFI_40 : WIFI_20;
	u32 nss = (u32)p->streams, mcs = 9;

	*highest = true;
	if (phy->standard == WIFI_11B)
		return wifi_bps(wifi_cck(3));
	if (phy->standard == WIFI_11N)
		return wifi_bps(wifi_ht(nss * 8 - 1, w > WIFI_40 ? WIFI_40 : w, p->sgi));
	if (phy->standard != WIFI_11AC)
		return wifi_bps(wifi_ofdm(7));
	while (wifi_rate_invalid(wifi_vht(mcs, nss, w, p->sgi)))
		mcs--;
	return wifi_bps(wifi_vht(mcs, nss, w, p->sgi));
}

static int64_t sample_share(const struct object *obj, int64_t window)
{
	const struct mh *m = (const struct mh *)obj;

	return m->total ? (int64_t)(m->sampled * 1000000 / m->total) : METRIC_ABSENT;
}

static const struct param params[] = {
	{.name = "streams",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct mh_params, streams),
	 .def = "2",
	 .min = 1,
	 .max = 4,
	 .doc = "spatial streams that both ends have"},
	{.name = "sgi",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct mh_params, sgi),
	 .def = "true",
	 .doc = "both ends have the short guard interval"},
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "probes",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mh, probes),
	 .doc = "frames that were made samples"},
	{.name = "sample_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = sample_share,
	 .doc = "MPDUs sent as samples, of all"},
	{.name = "mpdus",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mh, total),
	 .doc = "MPDUs whose results it was told"},
	{.name = "sampled",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mh, sampled),
	 .doc = "of them those of samples"},
	{.name = "updates",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mh, updates),
	 .doc = "updates of statistics, all stations'"},
	PROBE_END,
};

static const struct model_ops ops = {
	.fini = mh_fini,
};

static const struct rate_control_ops rc_ops = {
	.bps = mh_bps,
	.start = mh_start,
	.get_rate = mh_get_rate,
	.tx_status = mh_tx_status,
};

const struct model_class minstrel_ht_class = {
	.kind = &kind_rate_control,
	.name = "minstrel_ht",
	.doc = "Linux's rate control, by measured probability of success",
	.source = "Linux 6.1 net/mac80211/rc80211_minstrel_ht.c",
	.not_modelled =
		"The algorithm of kernels before 5.12, whatever the era; spatial multiplexing power save; a "
		"fixed rate by debugfs.",
	.size = sizeof(struct mh),
	.params_size = sizeof(struct mh_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &rc_ops,
};
