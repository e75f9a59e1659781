// SPDX-License-Identifier: GPL-3.0-or-later
#include "mac80211/mac80211.h"

#include <glib.h>
#include <string.h>

#include "driver/softmac.h"
#include "mac80211/internal.h"
#include "mac80211/rate-control.h"

const struct model_kind kind_rate_control = {.name = "rate_control",
					     .doc = "What chooses the rates of a Wi-Fi interface."};
static const struct model_kind kind_mac80211 = {
	.name = "mac80211", .doc = "The layer between a Wi-Fi interface and its driver."};

/* 802.1D user priority to access category (IEEE 802.11-2020 table 10-1). */
static const u8 up_to_ac[8] = {AC_BE, AC_BK, AC_BK, AC_BE, AC_VI, AC_VI, AC_VO, AC_VO};

/* User priority of an IP packet: the precedence bits (cfg80211_classify8021d()). */
static u8 user_priority(const struct packet *p)
{
	return p->skb.tos >> 5;
}

static u32 mac_select_queue(void *down, struct packet *p)
{
	struct mac80211 *mac = down;

	/* Without QoS frames there is one category. skb.priority stays: qdiscs look at it. */
	p->tid = mac->qos ? user_priority(p) : 0;
	p->ac = mac->qos ? up_to_ac[p->tid] : AC_BE;
	return mac->ops->queue_of(mac->drv, p);
}

static struct sta *sta_of(const struct mac80211 *mac, const struct packet *p)
{
	struct wifi_dev *to = wifi_receiver(mac->dev, p->l2_dst);

	return to && to != mac->dev ? mac->stas[to->station] : NULL;
}

static enum xmit_result mac_xmit(void *down, u32 queue, struct packet *p)
{
	struct mac80211 *mac = down;
	struct sta *sta = sta_of(mac, p);

	mac->tx++;
	if (!sta) {
		mac->no_station++;
		packet_free(mac->obj.sim, p);
		return XMIT_DROP;
	}
	p->mac.seq = mac->qos ? sta->next_seq[p->tid]++ & 0xfff : mac->next_seq++ & 0xfff;
	packet_set_sta(p, &sta->soft);
	return mac->ops->driver.down.xmit(mac->drv, queue, p);
}

static void mac_set_up(void *down, const struct layer_up *ops, void *up)
{
	struct mac80211 *mac = down;

	mac->up = ops;
	mac->up_arg = up;
}

/* ---- from the driver -------------------------------------------------------------------------- */

/* A repeat of the frame before it: the sender missed our response (802.11-2020 10.3.2.14). */
static bool duplicate(struct sta *sta, const struct packet *p)
{
	s32 *last = &sta->last_seq[p->tid];

	if (p->mac.retries && *last == p->mac.seq)
		return true;
	*last = p->mac.seq;
	return false;
}

static void mac_rx(void *up, struct packet *p)
{
	struct mac80211 *mac = up;
	struct sta *sta = mac->stas[p->mac.word];

	mac->rx++;
	if (duplicate(sta, p)) {
		mac->duplicates++;
		packet_free(mac->obj.sim, p);
		return;
	}
	mac->obj.sim->n_packets++;
	mac->up->rx(mac->up_arg, p);
}

static void mac_wake(void *up, u32 queue)
{
	struct mac80211 *mac = up;

	mac->up->wake(mac->up_arg, queue);
}

static void mac_tx_status(void *up, const struct softmac_status *st)
{
	struct mac80211 *mac = up;
	struct sta *sta = container_of(st->sta, struct sta, soft);

	sta->attempts += st->ppdu->attempts;
	sta->airtime += (u64)st->ppdu->airtime;
	sta->soft.retries += st->ppdu->attempts - 1;
	if (mac->rc_ops->tx_status)
		mac->rc_ops->tx_status(mac->rc, st);
}

static const struct softmac_up mac_up = {
	.rx = mac_rx,
	.wake = mac_wake,
	.tx_status = mac_tx_status,
};

/* ---- the object ------------------------------------------------------------------------------- */

static void mac_start(struct object *obj)
{
	struct mac80211 *mac = (struct mac80211 *)obj;
	struct rate_control_env env = {.dev = mac->dev, .hz = mac->hz, .era = mac->era};

	mac->n_stas = wifi_stations(mac->dev);
	mac->stas = g_new0(struct sta *, mac->n_stas);
	mac->peers = g_new0(struct softmac_sta *, mac->n_stas);
	for (u32 i = 0; i < mac->n_stas; i++) {
		struct wifi_dev *peer = wifi_station(mac->dev, i);
		struct sta *sta;

		if (peer == mac->dev || (wifi_ap(mac->dev) && !mac->dev->ap && !peer->ap))
			continue;
		sta = g_new0(struct sta, 1);
		sta->soft.dev = peer;
		for (u32 tid = 0; tid < STA_TIDS; tid++)
			sta->last_seq[tid] = -1;
		mac->stas[i] = sta;
		mac->peers[mac->n_peers++] = &sta->soft;
	}
	mac->rc_ops->start(mac->rc, &env, mac->peers, mac->n_peers);
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

static void mac_audit(const struct object *obj, struct model_audit *a)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;

	a->queue(a->arg, "rx", mac->rx, mac->rx - mac->duplicates, mac->duplicates, 0);
	a->queue(a->arg, "tx", mac->tx, mac->tx - mac->no_station, mac->no_station, 0);
}

static void mac_fini(struct object *obj)
{
	struct mac80211 *mac = (struct mac80211 *)obj;

	for (u32 i = 0; mac->stas && i < mac->n_stas; i++)
		g_free(mac->stas[i]);
	g_free(mac->stas);
	g_free(mac->peers);
}

static const struct probe probes[] = {
	{.name = "airtime_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = airtime_share,
	 .doc = "Share of time that this interface's exchanges took, failed ones included."},
	{.name = "retries",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .scope = PROBE_STATION,
	 .offset = offsetof(struct sta, soft.retries),
	 .doc = "Attempts after the first, to this peer."},
	PROBE_END,
};

static const struct model_ops ops = {
	.start = mac_start,
	.station = mac_station,
	.audit = mac_audit,
	.fini = mac_fini,
};

const struct model_class mac80211_class = {
	.kind = &kind_mac80211,
	.name = "mac80211",
	.doc = "Stations, user priorities, sequence numbers, duplicates.",
	.source = "Linux 6.1 net/mac80211: tx.c, rx.c, wme.c, sta_info.h",
	.size = sizeof(struct mac80211),
	.probes = probes,
	.ops = &ops,
};

struct object *mac80211_new(struct sim *sim, const char *path, const struct mac80211_env *env,
			    struct object *owner)
{
	struct mac80211 *mac =
		(struct mac80211 *)object_new(sim, &mac80211_class, path, NULL, owner);
	const struct slot *slot = env->rate_control;

	mac->dev = env->driver.medium;
	mac->hz = env->driver.hz;
	mac->era = env->driver.era;
	mac->qos = wifi_qos(mac->dev);
	mac->drv = env->drv;
	mac->ops = softmac_ops(env->drv);
	mac->rc = object_from_slot(sim, slot, &mac->obj);
	SIM_CHECK(sim, &mac->obj, mac->rc, "a Wi-Fi interface needs a rate_control");
	mac->rc_ops = mac->rc->cls->kind_ops;
	mac->ops->set_up(mac->drv, &mac_up, mac);
	mac->down = (struct layer_down){
		.n_queues = mac->ops->queues(mac->drv),
		.xmit = mac_xmit,
		.select_queue = mac_select_queue,
		.set_up = mac_set_up,
	};
	return &mac->obj;
}

const struct layer_down *mac80211_lower(struct object *mac)
{
	return &((struct mac80211 *)mac)->down;
}
