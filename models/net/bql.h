/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Byte queue limits: how many bytes of a tx queue may be with the driver. What stands behind is an
 * object of kind "queue_limit", so that a loaded core can bring its own.
 */
#ifndef WLANQ_NET_BQL_H
#define WLANQ_NET_BQL_H

#include "engine/model.h"
#include "packet/packet.h"

extern const struct model_kind kind_queue_limit;
extern const struct model_class no_limit_class;

struct bql_ops {
	/* Timer ticks a second of the node's kernel; called once, before all else. */
	void (*attach)(struct object *bql, u32 hz);
	/* netdev_tx_sent_queue(): true when the queue must stop now. */
	bool (*sent)(struct object *bql, u32 bytes);
	/* netdev_tx_completed_queue(), once for each round of completions: true when the queue may go on. */
	bool (*completed)(struct object *bql, u32 bytes);
	/* Bytes that may still be sent; 0 is room for one more packet, negative is none. */
	int (*avail)(const struct object *bql);
};

#endif
