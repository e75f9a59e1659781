/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structs of mac80211, for its own files. */
#ifndef WLANQ_MAC80211_INTERNAL_H
#define WLANQ_MAC80211_INTERNAL_H

#include "driver/softmac.h"
#include "packet/layer.h"

#define STA_TIDS 8

struct sta {
	struct softmac_sta soft;
	u16 next_seq[STA_TIDS];
	s32 last_seq[STA_TIDS]; /* the last one received, -1: none */
	u64 attempts, airtime;
};

struct mac80211 {
	struct object obj;
	struct wifi_dev *dev;
	u32 hz, era;
	bool qos;
	struct object *drv;
	const struct softmac_ops *ops;
	struct object *rc;
	const struct rate_control_ops *rc_ops;
	const struct layer_up *up;
	void *up_arg;
	struct layer_down down;

	struct sta **stas; /* by the air's index; NULL: no peer */
	u32 n_stas;
	struct softmac_sta **peers; /* packed, in the air's order */
	u32 n_peers;
	u16 next_seq; /* of frames without QoS */
	u64 rx, duplicates; /* since 0, as are the next */
	u64 tx, no_station;
};

#endif
