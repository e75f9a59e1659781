// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Who is in a cell, and its beacons. A beacon is due each interval (TBTT). It has a queue of its own in front of the access
 * categories: AIFSN 1 and no backoff, so that it goes out a PIFS after the medium falls idle, at the lowest basic rate, to
 * all, once.
 *
 * Source: IEEE 802.11-2020 11.1.3; Linux 6.1 drivers/net/wireless/ath/ath9k/beacon.c (ath9k_beaconq_config).
 */
#include "wifi/bss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEACON_AIFSN 1

const struct param_enum bss_modes[] = {
	{"infrastructure", WIFI_INFRASTRUCTURE, "stations send to the access point"},
	{"adhoc", WIFI_ADHOC, "all send to each other"},
	{NULL, 0, NULL},
};

void *bss_join(struct bss *bss, const struct link_member *m, char *err, size_t err_len)
{
	struct air *air = bss->air;
	struct wifi_dev *dev;

	if (air->n == UINT16_MAX) {
		snprintf(err, err_len, "an air takes at most %d stations", UINT16_MAX);
		return NULL;
	}
	if (air->n == air->max) {
		air->max = air->max ? 2 * air->max : 16;
		air->devs = realloc(air->devs, air->max * sizeof(struct wifi_dev *));
		if (!air->devs)
			abort();
	}
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		abort();
	dev->air = air;
	dev->bss = bss;
	dev->path = m->obj->path;
	dev->name = strndup(dev->path, strcspn(dev->path, "."));
	if (!dev->name)
		abort();
	dev->id = m->id;
	dev->station = (u16)air->n;
	dev->host_devs = m->host_devs;
	if (m->id >= air->n_ids) {
		u16 n = (u16)(m->id + 1);

		air->ids = realloc(air->ids, n * sizeof(struct wifi_dev *));
		if (!air->ids)
			abort();
		memset(air->ids + air->n_ids, 0, (n - air->n_ids) * sizeof(struct wifi_dev *));
		air->n_ids = n;
	}
	air->ids[m->id] = dev;
	air->devs[air->n++] = dev;
	return dev;
}

void bss_init(struct bss *bss, struct air *air, const struct object *link, bool adhoc,
	      const struct object *wanted)
{
	bss->air = air;
	bss->link = link;
	bss->adhoc = adhoc;
	bss->wanted = wanted;
	if (bss != &air->bss) {
		bss->next = air->bss.next;
		air->bss.next = bss;
	}
}

/* As told; else the first member whose node has other interfaces; else the last. */
void bss_choose_ap(struct bss *bss)
{
	const struct air *air = bss->air;
	const struct object *ap = bss->wanted;
	struct wifi_dev *last = NULL;

	for (u32 i = 0; i < air->n && !bss->ap && !bss->adhoc; i++) {
		struct wifi_dev *dev = air->devs[i];

		if (dev->bss != bss)
			continue;
		last = dev;
		if (ap ? !strcmp(dev->path, ap->path) : dev->host_devs > 1)
			bss->ap = dev;
	}
	SIM_CHECK(air->obj.sim, bss->link, bss->ap || !ap,
		  "%s is to be the access point, but is no member", ap->path);
	if (!bss->ap)
		bss->ap = last;
	if (bss->ap)
		bss->ap->ap = true;
}

/* ---- beacons ---------------------------------------------------------------------------------------- */

static const struct air_params *params_of(const struct air *air)
{
	return air->obj.params;
}

/* What the beacon says of stations is settled when it is made. */
static void fill_tim(struct bss *bss)
{
	const struct air *air = bss->air;

	for (u32 i = 0; bss->listened && i < air->n; i++)
		if (air->devs[i]->bss == bss)
			air->devs[i]->tim = air->devs[i]->traffic;
}

static void tell(struct wifi_dev *dev)
{
	if (dev->beacon && dev->presence != WIFI_AWAY)
		dev->beacon(dev->beacon_arg, dev->tim);
}

void beacon_heard(struct air *air, const struct transmission *tx, u32 station)
{
	struct wifi_dev *dev = air->devs[station];
	u64 loss;

	if (dev->bss != tx->dev->bss || !dev->beacon)
		return;
	loss = air_loss(air, tx, station, tx->ppdu->bytes, tx->data, POWER_NONE);
	if (loss && draw_chance(dev->beacon_key, dev->bss->sent, loss))
		return;
	tell(dev);
}

static void tbtt(struct sim *sim, struct event *ev)
{
	struct bss *bss = container_of(ev, struct bss, tbtt);
	struct air *air = bss->air;

	event_schedule_in(sim, &bss->tbtt, params_of(air)->beacon_interval);
	if (bss->ap->gone)
		return;
	if (!params_of(air)->beacons) {
		fill_tim(bss);
		for (u32 i = 0; i < air->n; i++)
			if (air->devs[i]->bss == bss)
				tell(air->devs[i]);
		return;
	}
	if (bss->due) /* the one before it has not got out: one beacon is what there is to send */
		return;
	bss->due = true;
	bss->target = sim->now;
	air_kick(bss->ap, EDCA_BEACONS);
}

struct wifi_ppdu *beacon_take(struct wifi_dev *dev)
{
	struct air *air = dev->air;
	struct bss *bss = dev->bss;
	struct wifi_ppdu *ppdu = wifi_ppdu_new(dev);

	ppdu->flags = PPDU_NO_ACK | PPDU_CONTROL | PPDU_BEACON;
	ppdu->n_steps = 1;
	ppdu->steps[0] = (struct wifi_step){.rate = wifi_lowest_basic(&air->phy), .tries = 1};
	ppdu->bytes = (u32)params_of(air)->beacon_bytes;
	fill_tim(bss);
	bss->due = false;
	bss->sent++;
	bss->beacons++;
	histogram_add(&bss->delay, air->obj.sim->now - bss->target, 1);
	return ppdu;
}

static void first_tbtt(struct bss *bss)
{
	struct sim *sim = bss->air->obj.sim;
	u64 key = draw_key(sim->seed, bss->link->path);

	/* Access points know nothing of each other: where their intervals begin is luck. */
	event_schedule(sim, &bss->tbtt,
		       (sim_time)(draw_bits(key, 0) % (u64)params_of(bss->air)->beacon_interval));
}

void bss_start(struct bss *bss)
{
	struct air *air = bss->air;
	const struct air_params *p = params_of(air);
	struct edca_params params = {.aifsn = BEACON_AIFSN};

	if (!bss->ap)
		return;
	event_init(&bss->tbtt, tbtt, RANK_TIMER);
	if (!p->beacons)
		return;
	edca_set(&air->edca, bss->ap->station * EDCA_QUEUES + EDCA_BEACONS, &params, air->phy.sifs,
		 air->obj.sim->seed, bss->ap->path);
	first_tbtt(bss);
}

void wifi_listen(struct wifi_dev *dev, void (*beacon)(void *arg, bool traffic), void *arg)
{
	struct bss *bss = dev->bss;
	char name[512];

	snprintf(name, sizeof(name), "%s.beacon", dev->path);
	dev->beacon_key = draw_key(bss->air->obj.sim->seed, name);
	dev->beacon = beacon;
	dev->beacon_arg = arg;
	bss->listened = true;
	if (!event_pending(&bss->tbtt))
		first_tbtt(bss);
}
