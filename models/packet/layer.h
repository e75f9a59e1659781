/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one layer hands to the next one down. Calls go down through the lower layer's own functions;
 * what must come back up does so by exactly these four, and by the packet's destructor.
 */
#ifndef WLANQ_PACKET_LAYER_H
#define WLANQ_PACKET_LAYER_H

#include "packet/packet.h"

/* One completion round of one queue: what a NAPI poll or a tx tasklet has finished. */
struct tx_status {
	u32 queue;
	u32 packets;
	u32 bytes; /* sum of skb.len as they were at xmit */
};

struct layer_up {
	/* A packet for the layer above; it owns it now. */
	void (*rx)(void *up, struct packet *p);
	/* Queue @queue takes packets again; called only after a stop. */
	void (*wake)(void *up, u32 queue);
	/* Transmissions are over, delivered or not; the packets themselves are already gone. */
	void (*tx_status)(void *up, const struct tx_status *st);
	/* The next packet for @queue, NULL when there is none or it may not go yet. */
	struct packet *(*pull)(void *up, u32 queue);
};

/*
 * What a lower layer says to a packet given to it. A driver that stops its queue says so with the
 * packet that filled it; it later calls wake.
 */
enum xmit_result {
	XMIT_OK,      /* taken */
	XMIT_OK_STOP, /* taken; no more for this queue until wake */
	XMIT_BUSY,    /* not taken, the queue is stopped: the caller keeps it */
	XMIT_DROP,    /* taken and dropped, counted by the driver */
};

#endif
