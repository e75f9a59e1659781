/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rate control is here: it keeps the rate table of each peer, which drivers read at every PPDU, and learns from
 * what became of them. (The kind is declared in mac80211/mac80211.h.)
 */
#ifndef WLANQ_MAC80211_RATE_CONTROL_H
#define WLANQ_MAC80211_RATE_CONTROL_H

#include "driver/softmac.h"

/* What rate control may count on; filled by mac80211 before the run. */
struct rate_control_env {
	struct wifi_dev *dev; /* the interface's own end of the air */
	u32 hz;
	u32 era;
};

struct rate_control_ops {
	/* All peers, which stay where they are; each gets a rate table here. */
	void (*start)(struct object *rc, const struct rate_control_env *env,
		      struct softmac_sta *const *stas, u32 n);
	/* A PPDU is through. NULL: not of interest. */
	void (*tx_status)(struct object *rc, const struct softmac_status *st);
};

#endif
