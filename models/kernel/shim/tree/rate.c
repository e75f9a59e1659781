// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Rate control: a radio with its bitrates, and for each station of the simulator a sta_info, as mac80211 has them; the
 * algorithm's functions are called as mac80211 calls them.
 */
#include <linux/slab.h>
#include <net/cfg80211.h>
#include <net/mac80211.h>

#include "../net/mac80211/ieee80211_i.h"
#include "../net/mac80211/sta_info.h"
#include "rate.h"

/* ---- a radio --------------------------------------------------------------------------------------- */

static const u16 bitrates[] = {10, 20, 55, 110, 60, 90, 120, 180, 240, 360, 480, 540};
#define CCK_RATES  4
#define OFDM_RATES 8

struct radio {
	struct seam_user user;
	struct seam_radio caps;
	const struct rate_control_ops *ops;
	void *priv;
	struct ieee80211_hw hw;
	struct ieee80211_supported_band band;
	struct ieee80211_channel channel;
	struct ieee80211_rate rates[CCK_RATES + OFDM_RATES];
	struct ieee80211_sub_if_data *sdata;
	struct sk_buff *skb; /* which get_rate() is asked about */
};

struct station {
	struct radio *radio;
	void *cookie;
	void *priv;
	struct sta_info *info;
};

static const struct rate_control_ops *registered;

int ieee80211_rate_control_register(const struct rate_control_ops *ops)
{
	registered = ops;
	return 0;
}

void ieee80211_rate_control_unregister(const struct rate_control_ops *ops)
{
	registered = NULL;
}

static enum nl80211_chan_width chan_width(u32 width)
{
	return width == 2 ? NL80211_CHAN_WIDTH_80
	       : width	  ? NL80211_CHAN_WIDTH_40
			  : NL80211_CHAN_WIDTH_20;
}

static void radio_bitrates(struct radio *r)
{
	u32 n = 0;

	for (u32 i = r->caps.band_5ghz ? CCK_RATES : 0;
	     i < (r->caps.cck_only ? CCK_RATES : ARRAY_SIZE(bitrates)); i++, n++) {
		r->rates[n].bitrate = bitrates[i];
		r->rates[n].hw_value = i;
		if (i > 0 && i < CCK_RATES)
			r->rates[n].flags |= IEEE80211_RATE_SHORT_PREAMBLE;
		if (i >= CCK_RATES && !r->caps.band_5ghz)
			r->rates[n].flags |= IEEE80211_RATE_ERP_G;
	}
	r->band.band = r->caps.band_5ghz ? NL80211_BAND_5GHZ : NL80211_BAND_2GHZ;
	r->band.bitrates = r->rates;
	r->band.n_bitrates = n;
}

static void rate_destroy(void *rc)
{
	struct radio *r = rc;

	seam_enter(&r->user);
	if (r->priv)
		r->ops->free(r->priv);
	seam_user = NULL;
	kfree(r->hw.wiphy);
	kfree(r->sdata);
	kfree(r->skb);
	kfree(r);
}

static void *rate_create(const char *name, void *up, const struct seam_radio *caps)
{
	struct radio *r;

	if (!registered || strcmp(registered->name, name))
		return NULL;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return NULL;
	r->user.up = up;
	r->caps = *caps;
	r->ops = registered;
	seam_enter(&r->user);
	r->hw.wiphy = kzalloc(sizeof(*r->hw.wiphy), GFP_KERNEL);
	r->sdata = kzalloc(sizeof(*r->sdata), GFP_KERNEL);
	r->skb = kzalloc(sizeof(*r->skb), GFP_KERNEL);
	if (!r->hw.wiphy || !r->sdata || !r->skb)
		panic("no memory");
	r->sdata->vif.bss_conf.use_short_preamble = caps->short_preamble;
	radio_bitrates(r);
	r->hw.wiphy->bands[r->band.band] = &r->band;
	r->channel.band = r->band.band;
	r->hw.conf.chandef.chan = &r->channel;
	r->hw.conf.chandef.width = chan_width(caps->width);
	r->hw.max_rates = caps->max_rates;
	r->hw.max_rate_tries = caps->max_tries;
	if (caps->ht_cck)
		__set_bit(IEEE80211_HW_SUPPORTS_HT_CCK_RATES, r->hw.flags);
	r->priv = r->ops->alloc(&r->hw);
	if (!r->priv)
		panic("no memory");
#ifdef CONFIG_MAC80211_DEBUGFS
	/* It also says there that no rate is fixed. */
	r->ops->add_debugfs(&r->hw, r->priv, NULL);
#endif
	return r;
}

/* ---- rates across the seam ------------------------------------------------------------------------ */

static void rate_to_seam(const struct radio *r, s8 idx, u16 flags, struct seam_rate *out)
{
	*out = (struct seam_rate){
		.streams = 1,
		.width = flags & IEEE80211_TX_RC_80_MHZ_WIDTH
				 ? 2
				 : !!(flags & IEEE80211_TX_RC_40_MHZ_WIDTH),
		.sgi = !!(flags & IEEE80211_TX_RC_SHORT_GI),
		.short_preamble = !!(flags & IEEE80211_TX_RC_USE_SHORT_PREAMBLE),
		.rts = !!(flags & IEEE80211_TX_RC_USE_RTS_CTS),
	};
	if (flags & IEEE80211_TX_RC_VHT_MCS) {
		out->mode = SEAM_RATE_VHT;
		out->index = idx & 0xf;
		out->streams = (idx >> 4) + 1;
	} else if (flags & IEEE80211_TX_RC_MCS) {
		out->mode = SEAM_RATE_HT;
		out->index = idx & 7;
		out->streams = (idx >> 3) + 1;
	} else {
		u32 i = r->rates[idx].hw_value;

		out->mode = i < CCK_RATES ? SEAM_RATE_CCK : SEAM_RATE_OFDM;
		out->index = i < CCK_RATES ? i : i - CCK_RATES;
	}
}

static void rate_of_seam(const struct radio *r, const struct seam_rate *in,
			 struct ieee80211_tx_rate *out)
{
	out->flags = 0;
	out->count = in->tries;
	if (in->width)
		out->flags |= in->width == 2 ? IEEE80211_TX_RC_80_MHZ_WIDTH
					     : IEEE80211_TX_RC_40_MHZ_WIDTH;
	if (in->sgi)
		out->flags |= IEEE80211_TX_RC_SHORT_GI;
	if (in->short_preamble)
		out->flags |= IEEE80211_TX_RC_USE_SHORT_PREAMBLE;
	if (in->rts)
		out->flags |= IEEE80211_TX_RC_USE_RTS_CTS;
	switch (in->mode) {
	case SEAM_RATE_VHT:
		out->idx = (in->streams - 1) << 4 | in->index;
		out->flags |= IEEE80211_TX_RC_VHT_MCS;
		break;
	case SEAM_RATE_HT:
		out->idx = (in->streams - 1) << 3 | in->index;
		out->flags |= IEEE80211_TX_RC_MCS;
		break;
	case SEAM_RATE_CCK:
		out->idx = in->index;
		break;
	default:
		out->idx = in->index + (r->caps.band_5ghz ? 0 : CCK_RATES);
		break;
	}
}

/* ---- what the algorithm calls ---------------------------------------------------------------------- */

/* The limit has been put into the station; nothing else follows from it here. */
void ieee80211_sta_recalc_aggregates(struct ieee80211_sta *sta)
{
}

/* As of the station that is being entered; it is not known to mac80211 before it is made. */
static struct station *entered;

int rate_control_set_rates(struct ieee80211_hw *hw, struct ieee80211_sta *sta,
			   struct ieee80211_sta_rates *rates)
{
	struct station *s = entered;
	struct seam_rate table[SEAM_RATES];
	u32 n;

	for (n = 0; n < SEAM_RATES && n < IEEE80211_TX_RATE_TABLE_SIZE; n++) {
		if (rates->rate[n].idx < 0 || !rates->rate[n].count)
			break;
		rate_to_seam(s->radio, rates->rate[n].idx, rates->rate[n].flags, &table[n]);
		table[n].tries = rates->rate[n].count;
	}
	kfree(rates);
	seam_boot->rates(seam_boot, s->radio->user.up, s->cookie, table, n,
			 sta->deflink.agg.max_rc_amsdu_len);
	return 0;
}

/* ---- stations ---------------------------------------------------------------------------------------- */

static void enter(struct station *s)
{
	entered = s;
	seam_enter(&s->radio->user);
}

static void ht_caps(struct ieee80211_sta *sta, const struct seam_station *caps)
{
	struct ieee80211_sta_ht_cap *ht = &sta->deflink.ht_cap;

	ht->ht_supported = true;
	if (caps->sgi)
		ht->cap |= IEEE80211_HT_CAP_SGI_20 | IEEE80211_HT_CAP_SGI_40;
	for (u32 i = 0; i < caps->streams && i < 4; i++)
		ht->mcs.rx_mask[i] = 0xff;
}

static void vht_caps(struct ieee80211_sta *sta, const struct seam_station *caps)
{
	struct ieee80211_sta_vht_cap *vht = &sta->deflink.vht_cap;
	u16 map = 0;

	for (u32 i = 0; i < 8; i++)
		map |= (i < caps->streams ? IEEE80211_VHT_MCS_SUPPORT_0_9
					  : IEEE80211_VHT_MCS_NOT_SUPPORTED)
		       << (2 * i);
	vht->vht_supported = true;
	if (caps->sgi)
		vht->cap |= IEEE80211_VHT_CAP_SHORT_GI_80;
	vht->vht_mcs.rx_mcs_map = cpu_to_le16(map);
	vht->vht_mcs.tx_mcs_map = cpu_to_le16(map);
}

static void *rate_station_add(void *rc, void *cookie, const struct seam_station *caps)
{
	struct radio *r = rc;
	struct station *s = kzalloc(sizeof(*s), GFP_KERNEL);
	struct sta_info *info = kzalloc(sizeof(*info), GFP_KERNEL);
	struct ieee80211_sta *sta;

	if (!s || !info)
		panic("no memory");
	s->radio = r;
	s->cookie = cookie;
	s->info = info;
	info->sdata = r->sdata;
	if (r->caps.short_preamble)
		set_bit(WLAN_STA_SHORT_PREAMBLE, &info->_flags);
	sta = &info->sta;
	sta->deflink.supp_rates[r->band.band] = (1u << r->band.n_bitrates) - 1;
	sta->deflink.bandwidth = caps->width == 2 ? IEEE80211_STA_RX_BW_80
				 : caps->width	  ? IEEE80211_STA_RX_BW_40
						  : IEEE80211_STA_RX_BW_20;
	sta->deflink.smps_mode = IEEE80211_SMPS_OFF;
	if (caps->ht)
		ht_caps(sta, caps);
	if (caps->vht)
		vht_caps(sta, caps);
	enter(s);
	s->priv = r->ops->alloc_sta(r->priv, sta, GFP_KERNEL);
	if (!s->priv)
		panic("no memory");
	r->ops->rate_init(r->priv, &r->band, &r->hw.conf.chandef, sta, s->priv);
	return s;
}

static void rate_station_remove(void *station)
{
	struct station *s = station;

	enter(s);
	s->radio->ops->free_sta(s->radio->priv, &s->info->sta, s->priv);
	entered = NULL;
	seam_user = NULL;
	kfree(s->info);
	kfree(s);
}

static bool rate_get_rate(void *station, struct seam_rate *out)
{
	struct station *s = station;
	struct radio *r = s->radio;
	struct ieee80211_tx_info *info = IEEE80211_SKB_CB(r->skb);
	struct ieee80211_tx_rate_control txrc = {
		.hw = &r->hw,
		.sband = &r->band,
		.bss_conf = &r->sdata->vif.bss_conf,
		.skb = r->skb,
		.short_preamble = r->caps.short_preamble,
	};

	enter(s);
	memset(info, 0, sizeof(*info));
	r->ops->get_rate(r->priv, &s->info->sta, s->priv, &txrc);
	if (!(info->flags & IEEE80211_TX_CTL_RATE_CTRL_PROBE))
		return false;
	rate_to_seam(r, info->control.rates[0].idx, info->control.rates[0].flags, out);
	out->tries = info->control.rates[0].count;
	return true;
}

static void rate_tx_status(void *station, const struct seam_tx_status *in)
{
	struct station *s = station;
	struct radio *r = s->radio;
	struct ieee80211_tx_info info = {.band = r->band.band};
	struct ieee80211_tx_status st = {.sta = &s->info->sta, .info = &info};

	enter(s);
	info.flags = IEEE80211_TX_CTL_AMPDU | IEEE80211_TX_STAT_AMPDU;
	if (in->acked)
		info.flags |= IEEE80211_TX_STAT_ACK;
	if (in->probe)
		info.flags |= IEEE80211_TX_CTL_RATE_CTRL_PROBE;
	info.status.ampdu_len = in->len;
	info.status.ampdu_ack_len = in->acked;
	for (u32 i = 0; i < IEEE80211_TX_MAX_RATES; i++) {
		if (i < in->n)
			rate_of_seam(r, &in->rates[i], &info.status.rates[i]);
		else
			info.status.rates[i].idx = -1;
	}
	r->ops->tx_status_ext(r->priv, &r->band, s->priv, &st);
}

static u32 rate_expected_kbit(void *station)
{
	struct station *s = station;

	enter(s);
	return s->radio->ops->get_expected_throughput(s->priv);
}

const struct seam_rc seam_rc_entries = {
	.create = rate_create,
	.destroy = rate_destroy,
	.station_add = rate_station_add,
	.station_remove = rate_station_remove,
	.get_rate = rate_get_rate,
	.tx_status = rate_tx_status,
	.expected_kbit = rate_expected_kbit,
};
