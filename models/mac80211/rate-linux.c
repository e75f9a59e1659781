// SPDX-License-Identifier: GPL-3.0-or-later
/* Rate control that is a file of a Linux tree, run as it stands (kernel/shim/seam.h); `core` names the tree. */
#include <stdlib.h>
#include <string.h>

#include "kernel/shim/loader.h"
#include "mac80211/mac80211.h"
#include "mac80211/rate-control.h"

struct rate_linux_params {
	int64_t streams, sgi;
};

struct rate_linux {
	struct object obj;
	struct rate_control_env env;
	struct linux_client client;
	void *radio; /* at the seam; NULL: none yet */
	bool renewed; /* the present call has set a rate table */
	struct rate_linux_sta {
		struct softmac_sta *soft;
		void *sta; /* at the seam */
	} * stas;
	u32 n;
	u64 probes, total, sampled, tables; /* of the window */
};

static const struct seam_rc *enter(struct rate_linux *l)
{
	return linux_enter(&l->client)->rate;
}

/* ---- rates across the seam ------------------------------------------------------------------------ */

_Static_assert((int)WIFI_CCK == SEAM_RATE_CCK && (int)WIFI_OFDM == SEAM_RATE_OFDM &&
		       (int)WIFI_HT == SEAM_RATE_HT && (int)WIFI_VHT == SEAM_RATE_VHT,
	       "modes as at the seam");

static struct seam_rate to_seam(wifi_rate r, u32 tries)
{
	return (struct seam_rate){
		.mode = (u8)RATE_MODE(r),
		.index = (u8)RATE_INDEX(r),
		.streams = RATE_LEGACY(r) ? 1 : (u8)RATE_NSS(r),
		.width = RATE_LEGACY(r) ? 0 : (u8)RATE_WIDTH(r),
		.sgi = !RATE_LEGACY(r) && RATE_SGI(r),
		.short_preamble = RATE_MODE(r) == WIFI_CCK && RATE_SHORT(r),
		.tries = (u8)tries,
	};
}

static wifi_rate of_seam(const struct rate_linux *l, const struct seam_rate *s)
{
	bool brief = wifi_phy(l->env.dev)->short_preamble && s->index;
	u32 k = s->streams - 1u;

	switch (s->mode) {
	case SEAM_RATE_CCK:
		return (wifi_rate)(wifi_cck(s->index) | (brief ? WIFI_SHORT_PREAMBLE : 0));
	case SEAM_RATE_OFDM:
		return wifi_ofdm(s->index);
	case SEAM_RATE_HT:
		return wifi_ht(s->index + k * 8, (enum wifi_width)s->width, s->sgi);
	default:
		return wifi_vht(s->index, s->streams, (enum wifi_width)s->width, s->sgi);
	}
}

static void rates(struct linux_client *c, void *station, const struct seam_rate *table, u32 n,
		  u32 amsdu)
{
	struct rate_linux *l = container_of(c, struct rate_linux, client);
	struct softmac_sta *soft = station;

	soft->n_steps = n < WIFI_STEPS ? n : WIFI_STEPS;
	for (u32 i = 0; i < soft->n_steps; i++)
		soft->steps[i] = (struct wifi_step){
			.rate = of_seam(l, &table[i]),
			.tries = table[i].tries,
			.protect = table[i].rts ? PROTECT_RTS : PROTECT_NONE,
		};
	soft->amsdu = amsdu;
	l->renewed = true;
	l->tables++;
}

static const struct linux_client_ops client_ops = {
	.rates = rates,
};

/* Tells of a rate table that the call before has set. */
static void settle(struct rate_linux *l, struct softmac_sta *soft)
{
	const struct rate_linux_sta *s = soft->rc;

	if (!l->renewed)
		return;
	l->renewed = false;
	l->env.updated(l->env.arg, soft, enter(l)->expected_kbit(s->sta));
}

/* ---- what mac80211 calls -------------------------------------------------------------------------- */

static void get_rate(struct object *rc, struct softmac_sta *soft, struct packet *p)
{
	struct rate_linux *l = (struct rate_linux *)rc;
	const struct rate_linux_sta *s = soft->rc;
	struct seam_rate rate;

	if (!enter(l)->get_rate(s->sta, &rate))
		return;
	p->mac.flags |= SOFTMAC_PROBE;
	p->mac.rate = of_seam(l, &rate);
	l->probes++;
}

static void tx_status(struct object *rc, const struct softmac_status *st)
{
	struct rate_linux *l = (struct rate_linux *)rc;
	const struct rate_linux_sta *s = st->sta->rc;
	const struct wifi_ppdu *ppdu = st->ppdu;
	struct seam_tx_status out = {.len = ppdu->n, .acked = st->acked};

	if (ppdu->flags & PPDU_NO_ACK)
		return;
	out.probe = !!(ppdu->flags & PPDU_PROBE);
	for (u32 i = 0; i <= ppdu->step && i < SEAM_RATES; i++)
		out.rates[out.n++] = to_seam(ppdu->steps[i].rate, ppdu->used[i]);
	l->total += ppdu->n;
	l->sampled += out.probe ? ppdu->n : 0;
	enter(l)->tx_status(s->sta, &out);
	settle(l, st->sta);
}

/* ---- set-up --------------------------------------------------------------------------------------- */

static struct seam_station caps_of(const struct rate_linux *l)
{
	const struct rate_linux_params *p = l->obj.params;
	enum wifi_standard standard = wifi_phy(l->env.dev)->standard;
	u32 width = (u32)(wifi_channel_width(l->env.dev) / 40000000);

	return (struct seam_station){
		.ht = standard == WIFI_11N || standard == WIFI_11AC,
		.vht = standard == WIFI_11AC,
		.streams = (u8)p->streams,
		.width = (u8)(width > 2 ? 2 : width),
		.sgi = p->sgi,
	};
}

static void start(struct object *rc, const struct rate_control_env *env,
		  struct softmac_sta *const *stas, u32 n)
{
	struct rate_linux *l = (struct rate_linux *)rc;
	const struct wifi_phy *phy = wifi_phy(env->dev);
	const struct seam_core *core;
	struct seam_station caps;
	struct seam_radio radio = {
		.max_rates = env->max_rates < SEAM_RATES ? env->max_rates : SEAM_RATES,
		.max_tries = env->max_tries,
		.band_5ghz = phy->band != WIFI_2GHZ,
		.cck_only = phy->standard == WIFI_11B,
		.ht_cck = env->ht_cck,
		.short_preamble = phy->short_preamble,
	};

	SIM_CHECK(rc->sim, rc, env->max_rates, "this driver chooses rates itself: use `fixed`");
	l->env = *env;
	linux_client_init(&l->client, rc, rc->cls->library, &client_ops, true);
	core = linux_enter(&l->client);
	SIM_CHECK(
		rc->sim, rc, core->hz == env->hz,
		"its core was built for an HZ of %u and the node has %u: set hz of the node, or build a "
		"core with --hz",
		core->hz, env->hz);
	caps = caps_of(l);
	radio.width = caps.width;
	l->stas = calloc(n ? n : 1, sizeof(*l->stas));
	l->radio = core->rate->create(rc->cls->name + strlen("linux."), &l->client, &radio);
	SIM_CHECK(rc->sim, rc, l->stas && l->radio, "%s of Linux %s does not register %s",
		  rc->cls->tree_file, core->version, rc->cls->name);
	for (; l->n < n; l->n++) {
		struct rate_linux_sta *s = &l->stas[l->n];

		s->soft = stas[l->n];
		s->soft->rc = s;
		s->sta = enter(l)->station_add(l->radio, s->soft, &caps);
		settle(l, s->soft);
	}
}

static void fini(struct object *obj)
{
	struct rate_linux *l = (struct rate_linux *)obj;

	if (linux_alive(&l->client) && l->radio) {
		for (u32 i = 0; i < l->n; i++)
			enter(l)->station_remove(l->stas[i].sta);
		enter(l)->destroy(l->radio);
	}
	linux_client_fini(&l->client);
	free(l->stas);
}

/* ---- the declaration ------------------------------------------------------------------------------- */

static int64_t sample_share(const struct object *obj, int64_t window)
{
	const struct rate_linux *l = (const struct rate_linux *)obj;

	return l->total ? (int64_t)(l->sampled * 1000000 / l->total) : METRIC_ABSENT;
}

static const struct param params[] = {
	{.name = "streams",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct rate_linux_params, streams),
	 .def = "2",
	 .min = 1,
	 .max = 4,
	 .doc = "spatial streams that both ends have"},
	{.name = "sgi",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct rate_linux_params, sgi),
	 .def = "true",
	 .doc = "both ends have the short guard interval"},
	PARAM_END,
};

#define COUNTER(member, probe_unit, probe_doc)                                   \
	{                                                                        \
		.name = #member, .unit = probe_unit, .shape = PROBE_COUNTER,     \
		.offset = offsetof(struct rate_linux, member), .doc = probe_doc, \
	}

static const struct probe probes[] = {
	COUNTER(probes, "packets", "frames that were made samples"),
	{.name = "sample_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = sample_share,
	 .doc = "MPDUs sent as samples, of all"},
	{.name = "mpdus",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct rate_linux, total),
	 .doc = "MPDUs whose results it was told"},
	COUNTER(sampled, "packets", "of them those of samples"),
	COUNTER(tables, "", "rate tables set, all stations'"),
	PROBE_END,
};

static const struct model_ops ops = {
	.fini = fini,
};

static const struct rate_control_ops rc_ops = {
	.start = start,
	.get_rate = get_rate,
	.tx_status = tx_status,
};

const struct model_class linux_minstrel_ht_class = {
	.kind = &kind_rate_control,
	.name = "linux.minstrel_ht",
	.doc = "minstrel_ht: Linux's own rc80211_minstrel_ht.c",
	.source = "net/mac80211/rc80211_minstrel_ht.c of the Linux tree that `core` names",
	.not_modelled =
		"Spatial multiplexing power save, a fixed rate by debugfs, updates of a station's "
		"capabilities.",
	.size = sizeof(struct rate_linux),
	.params_size = sizeof(struct rate_linux_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &rc_ops,
	.tree_file = "net/mac80211/rc80211_minstrel_ht.c",
};
