// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/air.h"

#include <string.h>

#include "wifi/airtime.h"

void wifi_dev_attach(struct wifi_dev *dev, const struct wifi_dev_ops *ops, void *arg)
{
	dev->ops = ops;
	dev->arg = arg;
}

struct wifi_ppdu *wifi_ppdu_new(struct wifi_dev *dev)
{
	struct wifi_ppdu *ppdu = pool_get(dev->air->ppdus);

	memset(ppdu, 0, offsetof(struct wifi_ppdu, mpdus));
	return ppdu;
}

void wifi_ppdu_free(struct wifi_dev *dev, struct wifi_ppdu *ppdu)
{
	pool_put(dev->air->ppdus, ppdu);
}

const struct wifi_phy *wifi_phy(const struct wifi_dev *dev)
{
	return &dev->air->phy;
}

int64_t wifi_channel_width(const struct wifi_dev *dev)
{
	return ((struct air_params *)dev->air->obj.params)->width;
}

bool wifi_qos(const struct wifi_dev *dev)
{
	return dev->air->wmm;
}

u32 wifi_stations(const struct wifi_dev *dev)
{
	return dev->air->n;
}

struct wifi_dev *wifi_station(const struct wifi_dev *dev, u32 station)
{
	return dev->air->devs[station];
}

bool wifi_peers(const struct wifi_dev *a, const struct wifi_dev *b)
{
	return a != b && a->bss == b->bss && (!a->bss->ap || a->ap || b->ap);
}

struct wifi_dev *wifi_receiver(const struct wifi_dev *dev, u16 id)
{
	const struct air *air = dev->air;
	struct wifi_dev *ap = dev->bss->ap;

	if (id >= air->n_ids || !air->ids[id])
		return NULL;
	return ap && ap != dev ? ap : air->ids[id];
}

void wifi_set_presence(struct wifi_dev *dev, enum wifi_presence presence)
{
	u8 held = dev->held;

	dev->presence = (u8)presence;
	if (presence != WIFI_PRESENT)
		return;
	dev->held = 0;
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		if (held & 1u << ac)
			wifi_kick(dev, ac);
}

void wifi_leave(struct wifi_dev *dev)
{
	struct air *air = dev->air;

	dev->gone = true;
	wifi_set_presence(dev, WIFI_AWAY);
	for (u32 q = 0; q < EDCA_QUEUES; q++) {
		u32 c = dev->station * EDCA_QUEUES + q;
		struct transmission tx = {.dev = dev, .contender = c, .ppdu = air->waiting[c]};

		air->waiting[c] = NULL;
		if (tx.ppdu)
			transmission_conclude(air, &tx);
	}
}

void wifi_join(struct wifi_dev *dev)
{
	dev->gone = false;
	wifi_set_presence(dev, WIFI_PRESENT);
}

void wifi_may_be_absent(struct wifi_dev *dev)
{
	dev->may_be_absent = true;
}

void wifi_tim(struct wifi_dev *station, bool traffic)
{
	station->traffic = traffic;
}

bool wifi_has_ap(const struct wifi_dev *dev)
{
	return dev->bss->ap && dev->bss->ap != dev;
}

u32 wifi_frame(const struct wifi_dev *dev, u32 ip_len)
{
	return wifi_mpdu_bytes(ip_len, dev->air->wmm,
			       ((struct air_params *)dev->air->obj.params)->ccmp);
}

bool wifi_encrypted(const struct wifi_dev *dev)
{
	return ((struct air_params *)dev->air->obj.params)->ccmp;
}

sim_time wifi_txop(const struct wifi_dev *dev, u32 ac)
{
	return air_contender(dev->air, dev->station * EDCA_QUEUES + EDCA_AC(ac))->params.txop;
}

sim_time wifi_access(const struct wifi_dev *dev, u32 ac)
{
	const struct contender *c =
		air_contender(dev->air, dev->station * EDCA_QUEUES + EDCA_AC(ac));

	return c->aifs + (sim_time)c->params.cwmin * dev->air->phy.slot / 2;
}
