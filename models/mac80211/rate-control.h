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
	u8 max_rates, max_tries; /* of the driver: struct softmac_ops */
	bool ht_cck;
	/* The rate table of @sta has changed, and a throughput of @kbit is expected; 0: not known. */
	void (*updated)(void *arg, struct softmac_sta *sta, u32 kbit);
	/* A block-ack session on the TID is to be asked for, unless there is one: see .triggers. */
	void (*aggregate)(void *arg, struct softmac_sta *sta, u8 tid);
	void *arg;
};

struct rate_control_ops {
	/*
	 * Whether rate control of these parameters can be on an air of @phy and @width (Hz), before anything is built.
	 * NULL: on any.
	 */
	void (*check)(const void *params, const struct wifi_phy *phy, int64_t width,
		      struct model_check *c);
	/* The rate that full frames go at there, or the highest of several (*@highest is set): bit/s. NULL: not known. */
	int64_t (*bps)(const void *params, const struct wifi_phy *phy, int64_t width,
		       bool *highest);
	/* All peers, which stay where they are; each gets a rate table here. */
	void (*start)(struct object *rc, const struct rate_control_env *env,
		      struct softmac_sta *const *stas, u32 n);
	/*
	 * A data frame goes to the driver: rate control may make it a sample or give it a chain (SOFTMAC_PROBE, _CHAIN in
	 * p->mac.flags, which has neither yet). NULL: all go by the table.
	 */
	void (*get_rate)(struct object *rc, struct softmac_sta *sta, struct packet *p);
	/* After start: it tells itself when a block-ack session is to be asked for (Linux 3). NULL: it does not. */
	bool (*triggers)(const struct object *rc);
	/* A PPDU is through. NULL: not of interest. */
	void (*tx_status)(struct object *rc, const struct softmac_status *st);
};

#endif
