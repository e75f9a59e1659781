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
	bool last; /* the event's callback does nothing more behind it: what follows may do so at once */
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
	XMIT_OK, /* taken */
	XMIT_OK_STOP, /* taken; no more for this queue until wake */
	XMIT_BUSY, /* not taken, the queue is stopped: the caller keeps it */
	XMIT_DROP, /* taken and dropped, counted by the driver */
};

/* What a layer offers to the one above; the object behind it is passed as @down. */
struct layer_down {
	u32 n_queues; /* hardware queues, 1 .. NETDEV_QUEUES_MAX */
	enum xmit_result (*xmit)(void *down, u32 queue, struct packet *p);
	/*
	 * Which queue @p belongs to; NULL: always 0. May set p->tid, p->ac, skb.priority. By the packet's headers, so
	 * that it is the same for all of a flow, from the start of the run to its end.
	 */
	u32 (*select_queue)(void *down, struct packet *p);
	/*
	 * Whether a packet like the one just given would, if it came now, change what this layer holds and nothing else. If so
	 * it calls lazy_catch_up(l) before it does anything else, and lazy_end(l) before that stops to be true. NULL: never.
	 */
	bool (*absorbs)(void *down, struct lazy *l);
	/* Hands the upper layer's ops down, before the run starts. */
	void (*set_up)(void *down, const struct layer_up *ops, void *up);
	bool bql; /* tx_status is given once per completion round: byte queue limits may be used */
	bool tso; /* xmit takes GSO packets; else the netdev segments them */
	u8 pacing_shift; /* what it sets sk_pacing_shift of local sockets to; 0: it leaves that alone */
	bool no_queue; /* it has queues of its own and is never stopped (IFF_NO_QUEUE) */
};

#define NETDEV_QUEUES_MAX 4

#endif
