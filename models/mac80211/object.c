// SPDX-License-Identifier: GPL-3.0-or-later
/* The object mac80211: its parameters, its peers, its measures. */
#include "mac80211/mac80211.h"

#include <glib.h>
#include <stdio.h>

#include "mac80211/internal.h"
#include "mac80211/rate-control.h"

const struct model_kind kind_rate_control = {.name = "rate_control",
					     .doc = "what chooses the rates of a Wi-Fi interface"};
const struct model_kind kind_mac80211 = {
	.name = "mac80211", .doc = "the layer between a Wi-Fi interface and its driver"};

static char *rate_name(u32 key, char *buf, size_t len)
{
	return wifi_rate_name((wifi_rate)key, buf, len);
}

static struct sta *sta_new(struct mac80211 *mac, struct wifi_dev *peer)
{
	struct sta *sta = g_new0(struct sta, 1);

	sta->soft.dev = peer;
	sta->soft.caps = *(const struct softmac_caps *)peer->caps;
	for (u8 tid = 0; tid < SOFTMAC_TIDS; tid++)
		sta->soft.tids[tid] =
			(struct softmac_tid){.sta = &sta->soft, .tid = tid, .ac = up_to_ac[tid]};
	for (u32 i = 0; i < STA_SEQS; i++)
		sta->last_seq[i] = -1;
	sta->last_rate = WIFI_RATE_NONE;
	sta->rates.name = rate_name;
	ba_init_sta(mac, sta);
	if (mac->pulls)
		pull_init_sta(mac, sta);
	return sta;
}

static void mac_start(struct object *obj)
{
	struct mac80211 *mac = (struct mac80211 *)obj;
	struct rate_control_env env = {
		.dev = mac->dev,
		.hz = mac->hz,
		.era = mac->era,
		.max_rates = mac->ops->max_rates,
		.max_tries = mac->ops->max_tries,
		.ht_cck = mac->ops->ht_cck,
		.updated = mac_rates_updated,
		.aggregate = mac_aggregate,
		.arg = mac,
	};

	mac->n_stas = wifi_stations(mac->dev);
	mac->stas = g_new0(struct sta *, mac->n_stas);
	mac->peers = g_new0(struct softmac_sta *, mac->n_stas);
	for (u32 i = 0; i < mac->n_stas; i++) {
		struct wifi_dev *peer = wifi_station(mac->dev, i);

		if (!wifi_peers(mac->dev, peer))
			continue;
		mac->stas[i] = sta_new(mac, peer);
		mac->peers[mac->n_peers++] = &mac->stas[i]->soft;
		if (mac->ops->sta_add)
			mac->ops->sta_add(mac->drv, &mac->stas[i]->soft);
	}
	mac->rc_ops->start(mac->rc, &env, mac->peers, mac->n_peers);
	mac->rc_triggers = mac->rc_ops->triggers && mac->rc_ops->triggers(mac->rc);
	mac->plain = mac->qos && !mac->pulls && !mac->ciphers && !mac->rc_ops->get_rate;
	mac->queue_by_ac = mac->ops->queue_of == softmac_queue_of;
	away_start(mac);
}

static void *mac_station(const struct object *obj, u32 i, const char **name)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;

	if (i >= mac->n_peers)
		return NULL;
	*name = mac->peers[i]->dev->name;
	return container_of(mac->peers[i], struct sta, soft);
}

static int64_t airtime_share(const struct object *obj, int64_t window)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;

	return window ? (int64_t)((__int128)mac->dev->airtime * 1000000 / window) : METRIC_ABSENT;
}

static void mac_init(struct object *obj)
{
	queue_stat_init(&((struct mac80211 *)obj)->reorder.queue, reorder_causes);
}

static void mac_window_open(struct object *obj)
{
	away_window_open((struct mac80211 *)obj);
}

/* Queues that nothing bounds in time drain at this. */
static void mac_describe(const struct object *obj, struct model_describe *d)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;
	bool highest = false;
	char rate[32], text[128];
	int64_t bps = -1;

	if (mac->rc_ops->bps)
		bps = mac->rc_ops->bps(mac->rc->params, wifi_phy(mac->dev),
				       wifi_channel_width(mac->dev), &highest);
	if (bps <= 0)
		return;
	d->queue(d->arg, "", -1, -1, bps);
	if (!highest)
		return;
	snprintf(rate, sizeof(rate), "%d.%d", (int)(bps / 1000000), (int)(bps / 100000 % 10));
	snprintf(
		text, sizeof(text),
		"times are those at the highest of its rates, %s Mbit/s; at others they are longer",
		rate);
	d->note(d->arg, text);
}

static void mac_audit(const struct object *obj, struct model_audit *a)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;
	u64 tx = 0, rx = 0, in;

	for (u32 i = 0; i < mac->n_stas; i++) {
		if (!mac->stas[i])
			continue;
		tx += ba_tx_held(mac->stas[i]) + ps_held(mac->stas[i]);
		rx += ba_rx_held(mac->stas[i]);
	}
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
		tx += mac->pending[q].n;
	/* what waits in station queues is told of by them */
	a->queue(a->arg, "tx", mac->tx + mac->mgmt_made, mac->given + mac->queued,
		 mac->no_station + mac->pending_dropped + mac->ps_dropped + mac->left_dropped +
			 mac->expired,
		 tx);
	in = mac->rx - mac->duplicates - mac->mgmt_ended - mac->strangers;
	a->queue(a->arg, "rx", in, mac->delivered, mac->reorder.queue.dropped + mac->rx_dropped,
		 rx + mac->deciphering.n);
}

static void mac_fini(struct object *obj)
{
	struct mac80211 *mac = (struct mac80211 *)obj;
	struct packet *p;

	for (u32 i = 0; mac->stas && i < mac->n_stas; i++) {
		if (!mac->stas[i])
			continue;
		ba_clear_sta(mac, mac->stas[i]);
		ps_clear_sta(mac, mac->stas[i]);
	}
	for (u32 i = 0; mac->stas && i < mac->n_stas; i++)
		g_free(mac->stas[i]);
	cipher_fini(mac);
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
		while ((p = packet_fifo_pop(&mac->pending[q])))
			packet_free(obj->sim, p);
	g_free(mac->stas);
	g_free(mac->peers);
}

static const struct probe probes[] = {
	{.name = "airtime_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = airtime_share,
	 .doc = "share of time that this interface's exchanges took, failed ones included"},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .scope = PROBE_STATION,
	 .offset = offsetof(struct sta, soft.retries),
	 .doc = "further attempts of whole PPDUs to this peer, without a response; an MPDU that a block ack "
		"left out goes in a later one and is not counted"},
	{.name = "rate_share",
	 .unit = "",
	 .shape = PROBE_SHARES,
	 .scope = PROBE_STATION,
	 .offset = offsetof(struct sta, rates),
	 .doc = "transmissions of MPDUs to this peer by rate, retries included"},
	{.name = "addba",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, addba_sent),
	 .doc = "block-ack sessions asked for"},
	{.name = "delba",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, delba_sent),
	 .doc = "sessions ended or denied by this station"},
	{.name = "away_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = away_share,
	 .doc = "share of time that the station dozes or is off the channel"},
	{.name = "absences",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, away.times),
	 .doc = "how often it went"},
	{.name = "cipher.rx_dropped",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, rx_lost),
	 .doc = "received packets that found 256 waiting to be deciphered"},
	{.name = "left.dropped",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, left_lost),
	 .doc = "packets for, or at, a station that has left, beside those that its queues count as flushed"},
	{.name = "lifetime.dropped",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, expired_lost),
	 .doc = "packets that were older than their lifetime (see the link) before the driver got them; its queues count "
		"those that it had"},
	{.name = "session.dropped",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, pending_lost),
	 .doc = "packets that had to make room while a block-ack session was asked for, which 64 wait for"},
	{.name = "ps.dropped",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, ps_lost),
	 .doc = "frames kept for sleeping stations that had to make room: 64 a station and category, 512 in all"},
	{.name = "ps.filtered",
	 .unit = "packets",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, ps_filtered),
	 .doc = "frames that came back from the hardware, as their station sleeps"},
	{.name = "reorder",
	 .unit = "packets",
	 .shape = PROBE_QUEUE,
	 .offset = offsetof(struct mac80211, reorder.queue),
	 .doc = "frames that wait in reorder buffers for those before them"},
	{.name = "reorder.early_releases",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, reorder.early),
	 .doc = "missing frames given up because the window moved on"},
	{.name = "reorder.timeouts",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct mac80211, reorder.timeouts),
	 .doc = "missing frames given up after 100 ms"},
	{.name = "reorder.stall_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 .per = SIM_MS,
	 .offset = offsetof(struct mac80211, reorder.stall),
	 .doc = "from the first frame that is held to the last that is let go"},
	PROBE_END,
};

static const struct model_ops ops = {
	.check = mac_check,
	.init = mac_init,
	.start = mac_start,
	.station_add = mac_station_add,
	.station_remove = mac_station_remove,
	.station = mac_station,
	.window_open = mac_window_open,
	.describe = mac_describe,
	.audit = mac_audit,
	.fini = mac_fini,
};

const struct model_class mac80211_class = {
	.kind = &kind_mac80211,
	.name = "mac80211",
	.doc = "Linux's 802.11 stack: stations, priorities, block-ack sessions, reordering",
	.source = "Linux 6.1 net/mac80211: tx.c, rx.c, wme.c, agg-tx.c, agg-rx.c",
	.not_modelled =
		"Association and what its frames take: who joins is there at once, and rate control goes on with what it\n"
		"knew. Keys and their exchange, TKIP and WEP, fragments, management frames other than ADDBA, DELBA and nullfunc. Of power save:\n"
		"PS-Poll and U-APSD, listen intervals above one beacon, the 10 s after which kept frames are dropped,\n"
		"multicast behind a DTIM (there is no multicast). Probe requests and responses on other channels.",
	.size = sizeof(struct mac80211),
	.params_size = sizeof(struct mac80211_params),
	.params = mac_param_table,
	.probes = probes,
	.ops = &ops,
};

/* What this station tells others of itself. */
static void set_caps(struct mac80211 *mac)
{
	const struct mac80211_params *p = mac_params(mac);
	bool vht = wifi_phy(mac->dev)->standard == WIFI_11AC;

	mac->caps = (struct softmac_caps){
		.ht = mac->ht,
		.ampdu = vht ? 1048575 : 65535,
		.density = (u32)p->ampdu_density,
		.amsdu = vht ? 11454 : 7935,
		.mpdu = vht ? 11454 : 4095,
	};
	if (p->max_ampdu != PARAM_UNSET)
		mac->caps.ampdu = (u32)p->max_ampdu;
	if (p->max_amsdu != PARAM_UNSET)
		mac->caps.amsdu = (u32)p->max_amsdu;
	if (!mac->ht)
		mac->caps.ampdu = mac->caps.amsdu = 0;
	mac->dev->caps = &mac->caps;
}

static void mac_set_up(void *down, const struct layer_up *ops_up, void *up)
{
	struct mac80211 *mac = down;

	mac->up = ops_up;
	mac->up_arg = up;
}

struct object *mac80211_new(struct sim *sim, const char *path, const struct mac80211_env *env,
			    struct object *owner)
{
	struct object *obj =
		object_new(sim, &mac80211_class, path, (void *)env->mac->params, owner);
	struct mac80211 *mac = (struct mac80211 *)obj;
	enum wifi_standard standard;

	mac->dev = env->driver.medium;
	standard = wifi_phy(mac->dev)->standard;
	mac->hz = env->driver.hz;
	mac->era = env->driver.era;
	mac->qos = wifi_qos(mac->dev);
	mac->ht = mac->qos && (standard == WIFI_11N || standard == WIFI_11AC);
	set_caps(mac);
	mac->drv = env->drv;
	mac->ops = softmac_ops(env->drv);
	mac->rc = object_from_slot(sim, env->rate_control, &mac->obj);
	mac->rc_ops = mac->rc->cls->kind_ops;
	mac->ops->set_up(mac->drv, sim->profile ? mac_profiled_up(sim->profile) : &mac_up, mac);
	mac->pulls = mac->ops->pulls && mac->ops->pulls(mac->drv);
	if (mac->pulls)
		pull_init(mac, &mac_params(mac)->txq);
	away_init(mac);
	cipher_init(mac, env->driver.cpu);
	if (sim->profile)
		mac_profile(mac);
	mac->down = (struct layer_down){
		.n_queues = mac->pulls ? 1 : mac->ops->queues(mac->drv),
		.no_queue = mac->pulls,
		.xmit = mac_xmit,
		.select_queue = mac_select_queue,
		.absorbs = mac_absorbs,
		.pacing_shift = (u8)mac_params(mac)->tx_sk_pacing_shift,
		.set_up = mac_set_up,
	};
	return &mac->obj;
}

void mac80211_check_rates(const struct slot *rate_control, const void *link_params,
			  struct model_check *c)
{
	const struct rate_control_ops *ops = rate_control->cls ? rate_control->cls->kind_ops : NULL;
	struct wifi_phy phy;
	int64_t width;

	if (!ops || !ops->check)
		return;
	wifi_link_phy(link_params, &phy, &width);
	ops->check(rate_control->params, &phy, width, c);
}

const struct layer_down *mac80211_lower(struct object *mac)
{
	return &((struct mac80211 *)mac)->down;
}
