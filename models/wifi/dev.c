// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/air.h"

#include <string.h>

#include "engine/profile.h"
#include "wifi/airtime.h"

/* ---- while the run's time is measured: what a driver is told counts for it -------------------- */

struct profiled {
	const struct wifi_dev_ops *ops;
	struct object *driver;
};

static struct wifi_ppdu *profiled_pull(void *arg, u32 ac)
{
	const struct profiled *m = arg;
	struct wifi_ppdu *ppdu;

	PROFILED(m->driver, ppdu = m->ops->pull(m->driver, ac));
	return ppdu;
}

static bool profiled_tx_status(void *arg, struct wifi_ppdu *ppdu)
{
	const struct profiled *m = arg;
	bool more;

	PROFILED(m->driver, more = m->ops->tx_status(m->driver, ppdu));
	return more;
}

static void profiled_rx(void *arg, struct packet *p)
{
	const struct profiled *m = arg;

	PROFILED(m->driver, m->ops->rx(m->driver, p));
}

static void profiled_rx_all(void *arg, struct packet_fifo *list)
{
	const struct profiled *m = arg;

	if (m->ops->rx_all)
		PROFILED(m->driver, m->ops->rx_all(m->driver, list));
}

static void profiled_rx_end(void *arg)
{
	const struct profiled *m = arg;

	if (m->ops->rx_end)
		PROFILED(m->driver, m->ops->rx_end(m->driver));
}

static const struct wifi_dev_ops profiled_ops = {
	.pull = profiled_pull,
	.tx_status = profiled_tx_status,
	.rx = profiled_rx,
	.rx_all = profiled_rx_all,
	.rx_end = profiled_rx_end,
};

/* ---- set-up ----------------------------------------------------------------------------------- */

void wifi_dev_attach(struct wifi_dev *dev, const struct wifi_dev_ops *ops, void *arg)
{
	struct profile *profile = dev->air->obj.sim->profile;

	dev->ops = ops;
	dev->arg = arg;
	if (profile) {
		struct profiled *m = profile_alloc(profile, sizeof(*m));

		profile_object(arg, "driver");
		*m = (struct profiled){ops, arg};
		dev->ops = &profiled_ops;
		dev->arg = m;
	}
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
	bool was = dev->presence == WIFI_PRESENT, is = presence == WIFI_PRESENT;
	u8 held;

	dev->presence = (u8)presence;
	if (was && !is)
		air_stop(dev);
	if (!was && is)
		air_resume(dev);
	if (!is)
		return;
	held = dev->held;
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
