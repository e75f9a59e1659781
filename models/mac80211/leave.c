// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Stations that leave and join while the run goes: both ends forget each other, what was queued is dropped and counted,
 * block-ack sessions are over without a frame about it. The records stay for the measures.
 *
 * Source: Linux 6.1 net/mac80211/sta_info.c (__sta_info_destroy_part1, _part2), mlme.c (ieee80211_set_disassoc).
 */
#include "mac80211/internal.h"

#include <string.h>

static void drop_all(struct mac80211 *mac, struct packet_fifo *f)
{
	struct packet *p;

	while ((p = packet_fifo_pop(f))) {
		mac->left_dropped++;
		mac->left_lost++;
		packet_free(mac->obj.sim, p);
	}
}

/* Of frames that wait for stopped queues, those for @sta. */
static void drop_pending(struct mac80211 *mac, const struct sta *sta)
{
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++) {
		struct packet_fifo all = mac->pending[q], gone = {0};
		struct packet *p;

		mac->pending[q] = (struct packet_fifo){0};
		while ((p = packet_fifo_pop(&all)))
			packet_fifo_push(packet_sta(p) == &sta->soft ? &gone : &mac->pending[q], p);
		drop_all(mac, &gone);
	}
}

static void forget(struct mac80211 *mac, struct sta *sta)
{
	sta->soft.gone = true;
	sta->soft.asleep = false;
	wifi_tim(sta->soft.dev, false);
	ba_forget(mac, sta);
	if (mac->pulls)
		pull_flush_sta(mac, sta);
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		mac->ps_buffered -= sta->ps_buffer[ac].n + sta->filtered[ac].n;
		drop_all(mac, &sta->ps_buffer[ac]);
		drop_all(mac, &sta->filtered[ac]);
	}
	drop_pending(mac, sta);
	if (mac->ops->forget)
		mac->ops->forget(mac->drv, &sta->soft);
	memset(sta->next_seq, 0, sizeof(sta->next_seq));
	for (u32 i = 0; i < STA_SEQS; i++)
		sta->last_seq[i] = -1;
}

static struct sta *sta_of(const struct mac80211 *mac, const struct object *station)
{
	for (u32 i = 0; i < mac->n_peers; i++)
		if (!strcmp(mac->peers[i]->dev->path, station->path))
			return container_of(mac->peers[i], struct sta, soft);
	return NULL;
}

void mac_station_remove(struct object *obj, struct object *station)
{
	struct mac80211 *mac = (struct mac80211 *)obj;
	struct sta *sta;

	if (obj->owner != station) {
		sta = sta_of(mac, station);
		if (sta && !sta->soft.gone)
			forget(mac, sta);
		return;
	}
	if (mac->dev->gone)
		return;
	away_stop(mac);
	for (u32 i = 0; i < mac->n_peers; i++)
		forget(mac, container_of(mac->peers[i], struct sta, soft));
	wifi_leave(mac->dev);
}

void mac_station_add(struct object *obj, struct object *station)
{
	struct mac80211 *mac = (struct mac80211 *)obj;
	struct sta *sta;

	if (obj->owner != station) {
		sta = sta_of(mac, station);
		if (sta)
			sta->soft.gone = false;
		return;
	}
	if (!mac->dev->gone)
		return;
	for (u32 i = 0; i < mac->n_peers; i++)
		mac->peers[i]->gone = mac->peers[i]->dev->gone;
	wifi_join(mac->dev);
	away_start(mac);
}
