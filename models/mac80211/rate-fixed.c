// SPDX-License-Identifier: GPL-3.0-or-later
/* A rate that never changes: legacy by its bit rate, HT and VHT by MCS, streams, width and guard interval. */
#include "mac80211/mac80211.h"
#include "mac80211/rate-control.h"

#define STREAMS_MAX 8

struct fixed_params {
	int64_t rate; /* bit/s */
	int64_t mcs, nss, width, sgi;
	int64_t tries;
	int64_t rts;
};

struct fixed {
	struct object obj;
	struct rate_control_env env;
	struct softmac_sta *const *stas;
	u32 n;
};

/* The rate of a BSS about which nothing is said: its standard's highest of one stream. */
static int64_t default_rate(enum wifi_standard standard)
{
	return standard == WIFI_11B ? 11000000 : 54000000;
}

static enum wifi_width width_of(int64_t hz)
{
	return hz <= 20000000	? WIFI_20
	       : hz <= 40000000 ? WIFI_40
	       : hz <= 80000000 ? WIFI_80
				: WIFI_160;
}

static wifi_rate ht_rate(const struct fixed_params *p, enum wifi_standard standard, int64_t hz)
{
	u32 mcs = p->mcs == PARAM_UNSET ? 7 : (u32)p->mcs;
	enum wifi_width width = width_of(p->width == PARAM_UNSET ? hz : p->width);
	u32 nss = p->nss == PARAM_UNSET ? 1 : (u32)p->nss;

	if (standard == WIFI_11AC)
		return wifi_vht(mcs, nss, width, p->sgi);
	if (p->nss != PARAM_UNSET && mcs < WIFI_HT_MCS)
		mcs += (nss - 1) * WIFI_HT_MCS;
	return wifi_ht(mcs, width, p->sgi);
}

/* The rate on an air of @phy and @width; WIFI_RATE_NONE with *@why it is none, and by which key. */
static wifi_rate choose(const struct fixed_params *p, const struct wifi_phy *phy, int64_t width,
			const char **key, const char **why)
{
	enum wifi_standard standard = phy->standard;
	bool ht = standard == WIFI_11N || standard == WIFI_11AC;
	wifi_rate r = WIFI_RATE_NONE;

	*key = p->mcs != PARAM_UNSET ? "mcs" : p->rate != PARAM_UNSET ? "rate" : NULL;
	*why = NULL;
	if (p->width != PARAM_UNSET && p->width > width) {
		*key = "width";
		*why = "frames are no wider than the channel";
	} else if (p->rate == PARAM_UNSET && ht) {
		r = ht_rate(p, standard, width);
		*why = wifi_rate_invalid(r);
	} else if (p->mcs != PARAM_UNSET) {
		*why = "an MCS is a rate of 802.11n and ac; 802.11a, b and g have `rate`";
	} else {
		r = wifi_legacy_rate(p->rate == PARAM_UNSET ? default_rate(standard) : p->rate);
		if (r == WIFI_RATE_NONE)
			*why = "there is no such rate";
		else if (RATE_MODE(r) == WIFI_CCK && phy->band != WIFI_2GHZ)
			*why = "1, 2, 5.5 and 11 Mbit/s are rates of 2.4 GHz";
		else if (RATE_MODE(r) != WIFI_CCK && standard == WIFI_11B)
			*why = "802.11b has 1, 2, 5.5 and 11 Mbit/s";
		else if (RATE_MODE(r) == WIFI_CCK && RATE_INDEX(r) && phy->short_preamble)
			r |= WIFI_SHORT_PREAMBLE;
	}
	return *why ? WIFI_RATE_NONE : r;
}

static void fixed_check_air(const void *params, const struct wifi_phy *phy, int64_t width,
			    struct model_check *c)
{
	const char *key, *why;

	choose(params, phy, width, &key, &why);
	if (why)
		model_check_error(c, key, "%s", why);
}

static void set_all(struct fixed *f)
{
	const struct fixed_params *p = f->obj.params;
	struct wifi_step step = {.tries = (u8)p->tries,
				 .protect = p->rts ? PROTECT_RTS : PROTECT_NONE};
	const char *key, *why;

	/* a timed change may still ask for what there is not */
	step.rate = choose(p, wifi_phy(f->env.dev), wifi_channel_width(f->env.dev), &key, &why);
	SIM_CHECK(f->obj.sim, &f->obj, !why, "%s", why);

	for (u32 i = 0; i < f->n; i++) {
		f->stas[i]->n_steps = 1;
		f->stas[i]->steps[0] = step;
	}
}

static void fixed_start(struct object *rc, const struct rate_control_env *env,
			struct softmac_sta *const *stas, u32 n)
{
	struct fixed *f = (struct fixed *)rc;

	f->env = *env;
	f->stas = stas;
	f->n = n;
	set_all(f);
}

static void fixed_changed(struct object *obj, const struct param *p)
{
	set_all((struct fixed *)obj);
}

static int64_t fixed_bps(const void *params, const struct wifi_phy *phy, int64_t width,
			 bool *highest)
{
	const char *key, *why;
	wifi_rate r = choose(params, phy, width, &key, &why);

	return why ? -1 : wifi_bps(r);
}

static void fixed_check(const void *params, struct model_check *c)
{
	const struct fixed_params *p = params;

	if (p->rate != PARAM_UNSET && p->mcs != PARAM_UNSET)
		model_check_error(c, "mcs", "either rate (802.11a, b, g) or mcs (n, ac)");
	if (p->rate != PARAM_UNSET && wifi_legacy_rate(p->rate) == WIFI_RATE_NONE)
		model_check_error(
			c, "rate",
			"one of 1, 2, 5.5, 11 (802.11b), 6, 9, 12, 18, 24, 36, 48 and 54 Mbit");
}

#define P(field) offsetof(struct fixed_params, field)

static const struct param params[] = {
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_LIVE,
	 .offset = P(rate),
	 .min = 1000000,
	 .max = 54000000,
	 .doc = "legacy rate; without it and mcs the highest of one stream"},
	{.name = "mcs",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(mcs),
	 .min = 0,
	 .max = 31,
	 .doc = "HT MCS 0 to 31, or VHT MCS 0 to 9"},
	{.name = "nss",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(nss),
	 .min = 1,
	 .max = STREAMS_MAX,
	 .doc = "spatial streams; of HT only with MCS 0 to 7"},
	{.name = "width",
	 .type = PARAM_HZ,
	 .flags = PARAM_LIVE,
	 .offset = P(width),
	 .min = 20000000,
	 .max = 160000000,
	 .doc = "width of the frames; without it the channel's"},
	{.name = "sgi",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = P(sgi),
	 .def = "false",
	 .doc = "short guard interval"},
	{.name = "tries",
	 .type = PARAM_INT,
	 .flags = PARAM_LIVE,
	 .offset = P(tries),
	 .def = "7",
	 .min = 1,
	 .max = 255,
	 .doc = "attempts at this rate, where the driver does not count them itself"},
	{.name = "rts",
	 .type = PARAM_BOOL,
	 .flags = PARAM_LIVE,
	 .offset = P(rts),
	 .def = "false",
	 .doc = "RTS and CTS before every frame"},
	PARAM_END,
};

static const struct model_ops ops = {
	.check = fixed_check,
	.changed = fixed_changed,
};

static const struct rate_control_ops rc_ops = {
	.check = fixed_check_air,
	.bps = fixed_bps,
	.start = fixed_start,
};

const struct model_class rate_fixed_class = {
	.kind = &kind_rate_control,
	.name = "fixed",
	.doc = "one rate for all peers",
	.source = "iw set bitrates, or debugfs fixed_rate_idx of minstrel",
	.size = sizeof(struct fixed),
	.params_size = sizeof(struct fixed_params),
	.params = params,
	.ops = &ops,
	.kind_ops = &rc_ops,
};
