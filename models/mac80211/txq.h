/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What holds the packets of mac80211's station queues: one pool a radio, one tin in it a station and TID. Kind "txq";
 * its models use the kernel files (core) and are part of what a loaded core replaces.
 */
#ifndef WLANQ_MAC80211_TXQ_H
#define WLANQ_MAC80211_TXQ_H

#include "engine/model.h"
#include "packet/packet.h"

extern const struct model_kind kind_txq;
extern const struct model_class txq_fq_class;

struct txq_tin;

struct txq_ops {
	/* The radio is known: @vht lets it have more memory. */
	void (*attach)(struct object *obj, u32 hz, bool vht);
	/* A tin for packets of @ac; freed with the object. */
	struct txq_tin *(*tin_new)(struct object *obj, u32 ac);
	/* Takes @p, always; what is dropped for it is counted and ended. */
	void (*enqueue)(struct object *obj, struct txq_tin *tin, struct packet *p);
	/* The next packet, NULL when there is none. @slow: the station's CoDel is that for slow links. */
	struct packet *(*dequeue)(struct object *obj, struct txq_tin *tin, bool slow);
	u32 (*packets)(const struct txq_tin *tin);
	/* Ends all packets of the tin, counted as "flushed". */
	void (*flush)(struct object *obj, struct txq_tin *tin);
};

#endif
