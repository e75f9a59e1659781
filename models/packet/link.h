/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a link is to the builder. It stands this low because links are of several layers: the air is Wi-Fi's, the
 * wire is the network's.
 */
#ifndef WLANQ_PACKET_LINK_H
#define WLANQ_PACKET_LINK_H

#include "engine/model.h"
#include "measure/capture.h"
#include "packet/packet.h"

extern const struct model_kind kind_interface, kind_link;

struct netdev;

/* An interface that joins a link; net/netdev.h: link_join() fills it in. */
struct link_member {
	struct netdev *dev;
	struct object *obj; /* the same; its path names the member */
	u16 id; /* interface id, as in packet.l2_src and l2_dst */
	u16 host;
	u32 host_devs; /* interfaces of its node, all of which are known by now */
};

/* Kind "link". */
struct link_ops {
	const char *medium; /* "ethernet" or "wifi" */
	/*
	 * A member joins, in the order of the scenario. Returns what driver_env.medium is to be; NULL with @err set (up
	 * to @err_len bytes) when it cannot.
	 */
	void *(*join)(struct object *link, const struct link_member *m, char *err, size_t err_len);
	/* All members have joined. */
	void (*ready)(struct object *link);
	/* What it carries goes into @out too, which lives as long as the run; once, when it is ready. */
	enum capture_type capture_type;
	void (*capture)(struct object *link, struct capture *out);
};

#endif
