/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the aggregating card share: firmware.c (turns, completion, set-up), fw-aggr.c (aggregates). */
#ifndef WLANQ_DRIVER_FIRMWARE_IMPL_H
#define WLANQ_DRIVER_FIRMWARE_IMPL_H

#include <stdlib.h>

#include "driver/firmware.h"

/* Most queues of a card are never used: places are made with the first number. */
static inline struct fw_mpdu *fw_place(struct fw_queue *q, u16 seq)
{
	if (__builtin_expect(!q->mpdus, 0)) {
		q->mpdus = calloc(WIFI_MPDUS, sizeof(*q->mpdus));
		if (!q->mpdus)
			abort();
	}
	return &q->mpdus[seq % WIFI_MPDUS];
}

/* MPDU @m is over: @lost are its packets when it did not arrive, NULL when it did; the account of @w goes with it. firmware.c */
void fw_finish_mpdu(struct fw_queue *q, struct fw_mpdu *m, struct wifi_mpdu *w, struct packet *lost,
		    enum fw_cause cause);

/* The oldest packet that was never sent is lost; there is one. firmware.c */
void fw_drop_fresh(struct fw_queue *q, enum fw_cause cause);

/* The window moves to the oldest MPDU that is open. firmware.c */
void fw_move_window(struct fw_queue *q);

/* Once nothing before what was given up for its age is open, the receiver is told not to wait for it. firmware.c */
void fw_tell_hole(struct fw_queue *q);

/* What @q sends now; NULL: nothing, as all that it has is too old or outside the window. fw-aggr.c */
struct wifi_ppdu *fw_build(struct fw_queue *q);

#endif
