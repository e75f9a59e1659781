/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a driver is here: it takes packets from the layer above (netdev, or mac80211 for Wi-Fi), holds them in its
 * ring or queues, and puts them on its medium. A driver's parameters lie in the interface's own map.
 */
#ifndef WLANQ_DRIVER_H
#define WLANQ_DRIVER_H

#include "engine/model.h"
#include "packet/cpu.h"
#include "packet/layer.h"

extern const struct model_kind kind_driver;

/* What a driver stands on and in; filled by the builder. */
struct driver_env {
	u32 hz;
	u32 era;
	u32 mtu;
	struct cpu *cpu; /* the host's */
	/*
	 * The medium's end: struct port * for an Ethernet driver, struct wifi_dev * for a Wi-Fi one; which it is
	 * follows from driver_ops.medium and has been checked against the link.
	 */
	void *medium;
};

struct driver_ops {
	const char *medium; /* "ethernet" or "wifi" */
	struct layer_down down; /* what the layer above calls; @down is the driver's object */
	void (*attach)(struct object *drv, const struct driver_env *env);
};

#endif
