/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the network builder sees of mac80211: the layer that stands between a Wi-Fi interface and its driver.
 */
#ifndef WLANQ_MAC80211_H
#define WLANQ_MAC80211_H

#include "driver/driver.h"
#include "engine/model.h"
#include "packet/layer.h"

extern const struct model_kind kind_rate_control, kind_mac80211;
extern const struct model_class mac80211_class;

struct wifi_dev;

struct mac80211_env {
	struct driver_env driver; /* .medium is the interface's struct wifi_dev */
	struct object *drv; /* already attached to its medium */
	const struct slot *rate_control;
	const struct slot *mac; /* parameters, of class mac80211 */
};

/*
 * Makes the mac80211 part of the interface at @path ("laptop.wlan0") above env->drv and hands the driver its ops.
 * The object is freed with all others.
 */
struct object *mac80211_new(struct sim *sim, const char *path, const struct mac80211_env *env,
			    struct object *owner);

/* Whether an interface with this rate control can be a member of a wifi link of these parameters. */
void mac80211_check_rates(const struct slot *rate_control, const void *link_params,
			  struct model_check *c);

/* Power save, scans and absences are a station's that has an access point; @why tells that this interface is none. */
void mac80211_check_away(const struct slot *mac, const char *why, struct model_check *c);

/*
 * What of the parameters @mac driver class @drv cannot do, as text for the user; NULL: nothing. AQL needs a driver that tells
 * when the airtime it was let is done with; under one that does not, a station's account would fill and stay full.
 */
const char *mac80211_beyond(const struct slot *mac, const struct model_class *drv);

/* The same of rate control: one that learns needs a driver that sends by its tables (max_rates of softmac_ops). */
const char *mac80211_rates_beyond(const struct slot *rate_control, const struct model_class *drv);

/* What a netdev puts above it; @down is the object that mac80211_new() gave. */
const struct layer_down *mac80211_lower(struct object *mac);

#endif
