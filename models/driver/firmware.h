/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A card that aggregates by itself: a queue a station and TID, of which the one whose turn it is becomes a PPDU when the
 * medium is won, out of what is there at that moment. The drivers of such cards fill the queues.
 */
#ifndef WLANQ_DRIVER_FIRMWARE_H
#define WLANQ_DRIVER_FIRMWARE_H

#include "driver/softmac.h"
#include "engine/draw.h"
#include "packet/fifo.h"
#include "packet/row.h"

/* Order of the frames of an aggregate. */
enum fw_order {
	FW_SEQUENCE, /* by sequence number, so repeats come first */
	FW_RETRIES_LAST,
	FW_SHUFFLED, /* Intel's parts of 2011 */
};

/* What the card does; the driver sets it, and may change it during the run. */
struct fw_rules {
	u32 frames; /* MPDUs of an aggregate */
	sim_time time; /* longest aggregate */
	u32 amsdu_frames; /* packets of an A-MSDU, 1: none */
	u32 amsdu_bytes;
	enum fw_order order;
	bool any_window; /* does not keep to the window that the receiver granted */
	u32 retry_limit; /* attempts at an MPDU */
	u32 alone_after; /* an MPDU that failed so often is sent alone; 0: none is */
};

struct fw;
struct fw_queue;

/* Why packets were lost: the retry limit; their station is gone; they were older than their lifetime. */
enum fw_cause { FW_RETRY_LIMIT, FW_FLUSHED, FW_LIFETIME };

/* What became of the packets of one MPDU, or of several that the driver got at one instant and that all arrived. */
struct fw_done {
	struct fw_queue *queue; /* NULL: a control frame */
	u32 n; /* packets */
	u32 len; /* skb.len, all of them */
	u32 charged; /* by AQL, us */
	u32 ac;
	sim_time since; /* when the driver got the first of an MPDU's */
	struct sk_buff *accounts; /* of those that arrived */
	enum fw_cause cause; /* of those that did not */
	struct packet *lost; /* those that did not, linked by skb.next */
};

/* An MPDU between its first attempt and its end, or a free place. */
struct fw_mpdu {
	struct packet *p; /* first of its packets; NULL while it is on the air, or done */
	sim_time since;
	u32 bytes;
	u32 charged; /* by AQL, us, all its packets */
	u16 len; /* skb.len, all its packets */
	u8 n; /* packets */
	u8 tries;
	bool sent; /* it was on the air: some tries got no further than their RTS */
	bool open;
};

struct fw_queue {
	struct fw *fw;
	struct softmac_tid *tid;
	struct fw_queue *next_all; /* of the card */
	struct fw_queue *next; /* in turn */
	bool listed;
	struct packet_row fresh; /* never sent */
	u16 start, next_seq; /* the oldest open MPDU; the next one */
	u32 open; /* MPDUs */
	bool hole; /* of a session: hole_seq was given up for its age, and the receiver may wait for it */
	u16 hole_seq; /* the last such one */
	struct fw_mpdu
		*mpdus; /* WIFI_MPDUS, by sequence number modulo that; NULL: it had none yet */
};

struct fw {
	struct object *obj; /* the driver */
	struct wifi_dev *dev;
	struct fw_rules rules;
	struct fw_queue *all;
	struct {
		struct fw_queue *first, *last;
	} turns[AC_COUNT];
	struct packet_fifo
		control[AC_COUNT]; /* management frames and block-ack requests go first */
	struct draw draw; /* of shuffled orders */
	u64 taken, given; /* packets to the air and back from it, since 0 */

	/* Packets are done: where that is to be noted. Their accounts, and those that were lost, are the driver's to end. */
	struct fw_done *(*done)(struct fw *fw);
	/* MPDUs before @start will not be sent again, though they were not all received. */
	void (*gap)(struct fw *fw, struct fw_queue *q, u16 start);
	/* The same of MPDUs that were too old. */
	void (*hole)(struct fw *fw, struct fw_queue *q, u16 start);
};

void fw_init(struct fw *fw, struct object *obj, struct wifi_dev *dev);
void fw_clear(struct fw *fw);

struct fw_queue *fw_queue_new(struct fw *fw, struct softmac_tid *tid);

/* A data packet; packet_driver(p)->since is set. */
void fw_queue_push(struct fw_queue *q, struct packet *p);
void fw_control_push(struct fw *fw, struct packet *p);

/* The block-ack session of @q: *@start is where its numbers go on. */
void fw_queue_ampdu(struct fw_queue *q, enum softmac_ampdu action, u16 *start);

/* Packets that a ring of one slot an MPDU still holds: waiting, open, or done behind one that is open. */
static inline u32 fw_queue_slots(const struct fw_queue *q)
{
	return q->fresh.n + ((q->next_seq - q->start) & 0xfff);
}

/* The card's ends of wifi_dev_ops; tx_status tells mac80211 first. */
struct wifi_ppdu *fw_pull(struct fw *fw, u32 ac);
bool fw_status(struct fw *fw, struct wifi_ppdu *ppdu);

/* A station sleeps, or is awake; as softmac_ops.sleep. */
bool fw_sleep(struct fw *fw, struct softmac_sta *sta, bool asleep);

/* The peer is gone; as softmac_ops.forget. */
void fw_forget(struct fw *fw, struct softmac_sta *sta);

/* Packets that it holds, for audits. */
u64 fw_held(const struct fw *fw);

#endif
