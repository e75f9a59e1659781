// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/air.h"

void wifi_dev_attach(struct wifi_dev *dev, const struct wifi_dev_ops *ops, void *arg)
{
	dev->ops = ops;
	dev->arg = arg;
}

const struct wifi_phy *wifi_phy(const struct wifi_dev *dev)
{
	return &dev->air->phy;
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

struct wifi_dev *wifi_ap(const struct wifi_dev *dev)
{
	return dev->air->ap;
}

struct wifi_dev *wifi_receiver(const struct wifi_dev *dev, u16 id)
{
	const struct air *air = dev->air;

	if (id >= air->n_ids || !air->ids[id])
		return NULL;
	return air->ap && air->ap != dev ? air->ap : air->ids[id];
}
