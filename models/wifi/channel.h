/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kind "channel": how strongly stations hear each other and what of a frame is lost on the way. An air may have two, one
 * for the link and one for interference; what either loses is lost.
 */
#ifndef WLANQ_WIFI_CHANNEL_H
#define WLANQ_WIFI_CHANNEL_H

#include "engine/model.h"
#include "wifi/rate.h"

extern const struct model_kind kind_channel;
extern const struct model_class ideal_class;

/* Where a frame is not disturbed by any other, or the model knows no power: 0.001 dBm. */
#define POWER_NONE INT32_MIN
#define POWER_FULL 0

/* Filled by the air when all stations are known; the names stay where they are. */
struct channel_env {
	u32 n; /* stations */
	const char *const *names;
	const u32 *aps; /* of each: the access point of its cell, itself too; UINT32_MAX: none */
	bool band_2ghz;
};

struct channel_ops {
	/*
	 * Before anything is made: whether the stations that @params name are there; @names: the nodes with an interface on the
	 * air. NULL: they name none.
	 */
	void (*check_names)(const void *params, const char *const *names, u32 n,
			    struct model_check *c);
	void (*attach)(struct object *ch, const struct channel_env *env);
	/*
	 * At what power @to receives @from, 0.001 dBm, without fading; it changes only when a parameter does. NULL: all
	 * receive each other at POWER_FULL.
	 */
	s32 (*power)(struct object *ch, u32 from, u32 to);
	/* Changes with the powers. With .power only. */
	u32 (*version)(struct object *ch);
	/* Below this a station does not hear another: 0.001 dBm. With .power only. */
	s32 (*threshold)(struct object *ch);
	/*
	 * 2^-32 of the probability that an MPDU of @bytes at @r is lost, that is sent at @now; @noise: the power of other
	 * stations' frames at the receiver, POWER_NONE without any.
	 */
	u64 (*loss)(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes, sim_time now,
		    s32 noise);
};

#endif
