/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structs of the ath9k driver, for its own files. */
#ifndef WLANQ_DRIVER_ATH9K_H
#define WLANQ_DRIVER_ATH9K_H

#include "driver/softmac.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"

struct ath9k_params {
	int64_t qlen[AC_COUNT];
	int64_t edma;
	int64_t rx_first, rx_last; /* ns, PARAM_UNSET: the chip's */
};

struct ath9k_txq;

struct ath9k_tid {
	struct softmac_tid *tid;
	struct ath9k_txq *txq;
	struct packet_fifo buf; /* before Linux 4.10: waits for the hardware */
	struct packet_fifo retry; /* later: was not acknowledged, or did not fit */
	u16 start; /* of the block-ack window: the oldest that is open */
	u64 open; /* bit i: start + i was sent and is not done */
	u16 span; /* from start to behind the last that was sent */
	u16 size; /* of the window, 0 until the session stands */
	bool active; /* a session was asked for or stands */
	bool paused, listed;
	s32 bar; /* window offset below which frames are given up */
	bool hole; /* hole_seq was given up for its age, and the receiver may wait for it */
	u16 hole_seq; /* the last such one */
	struct ath9k_tid *next; /* in txq's list */
};

/* A hardware queue: PPDUs that are ready, the first of them on the air. */
struct ath9k_txq {
	struct wifi_ppdu *head, *tail;
	u32 depth, ampdu_depth; /* PPDUs not yet completed; of them from aggregating TIDs */
	struct ath9k_tid *first, *last; /* TIDs in turn, before Linux 4.10 */
	u32 pending; /* frames in the driver, all stations' */
	bool stopped;
};

struct ath9k_sta {
	struct ath9k_sta *next;
	struct ath9k_tid tids[SOFTMAC_TIDS];
};

struct ath9k {
	struct object obj;
	struct wifi_dev *dev;
	const struct softmac_up *up;
	void *up_arg;
	u32 era;
	bool pulls; /* from mac80211's station queues: Linux 4.10 and later */
	struct ath9k_txq txqs[AC_COUNT];
	struct ath9k_sta *stas;

	struct packet_fifo received; /* until the interrupt */
	struct event rx_interrupt;
	sim_time rx_first; /* when it must come at the latest */

	struct queue_stat stat[AC_COUNT];
	u64 pulled, returned; /* packets given to the air and got back; since 0 */
	u64 filtered; /* given back to mac80211 unsent; since 0 */
	u64 rx_in, rx_out;
	struct histogram ampdu; /* MPDUs of a PPDU */
	u64 retries, ppdus, interrupts, packets; /* of the window */
};

enum { DROP_RETRY_LIMIT, DROP_FLUSHED, DROP_LIFETIME };

static inline const struct ath9k_params *ath9k_params(const struct ath9k *d)
{
	return d->obj.params;
}

/* ---- ath9k-aggr.c: the block-ack window, aggregates, what becomes of them ----------------------- */

bool ath9k_in_window(const struct ath9k_tid *t, u16 seq);
void ath9k_window_add(struct ath9k *d, struct ath9k_tid *t, u16 seq);
void ath9k_window_done(struct ath9k_tid *t, u16 seq);

/*
 * True: @p, a numbered frame that is inside of the window and not with the hardware, is too old and was given up. Once nothing before
 * it is open, ath9k_tell_hole() has the receiver told not to wait for it.
 */
bool ath9k_expire(struct ath9k *d, struct ath9k_tid *t, struct packet *p);
void ath9k_tell_hole(struct ath9k *d, struct ath9k_tid *t);

/* Bytes that an aggregate of these steps may have; 0: none. */
u32 ath9k_aggr_limit(const struct ath9k *d, const struct ath9k_tid *t,
		     const struct wifi_ppdu *ppdu);

/* Empty delimiters behind a frame of @len bytes. */
u32 ath9k_delimiters(const struct ath9k *d, const struct ath9k_tid *t, const struct wifi_ppdu *ppdu,
		     u32 len);

/* The next frame of the TID that may be sent, NULL: none. *@aggregate: it is under a session. */
typedef struct packet *(*ath9k_next)(struct ath9k *d, struct ath9k_tid *t, bool *aggregate);

/* An aggregate that starts with @p; what does not fit is given to @back. */
struct wifi_ppdu *ath9k_form(struct ath9k *d, struct ath9k_tid *t, struct packet *p,
			     ath9k_next next, void (*back)(struct ath9k_tid *t, struct packet *p));

/* The PPDU is through: each frame of it is done, given up or sent again. */
void ath9k_complete(struct ath9k *d, struct ath9k_tid *t, struct wifi_ppdu *ppdu);

/* ---- ath9k.c ------------------------------------------------------------------------------------- */

extern const struct wifi_dev_ops ath9k_dev_ops;

enum xmit_result ath9k_xmit(void *down, u32 queue, struct packet *p);
void ath9k_wake_txq(struct object *drv, struct softmac_tid *tid);
void ath9k_ampdu(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action,
		 u16 *start);
void ath9k_forget(struct object *drv, struct softmac_sta *sta);
bool ath9k_sleep(struct object *drv, struct softmac_sta *sta, bool asleep);
void ath9k_rx_interrupt(struct sim *sim, struct event *ev);

/* @ppdu goes to the hardware. */
void ath9k_send(struct ath9k *d, struct ath9k_txq *q, struct wifi_ppdu *ppdu);

/* A frame leaves the driver. */
void ath9k_frame_done(struct ath9k *d, u32 ac, u32 len, sim_time since);
void ath9k_frame_drop(struct ath9k *d, u32 ac, struct packet *p, u32 cause);

/* Frames that were not acknowledged, in order, are to be sent again. */
void ath9k_requeue(struct ath9k *d, struct ath9k_tid *t, struct packet_fifo *frames);

static inline u32 ath9k_ac(const struct ath9k *d, const struct ath9k_txq *q)
{
	return (u32)(q - d->txqs);
}

#endif
