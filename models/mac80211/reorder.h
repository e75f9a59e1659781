/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The receive reorder buffer of one block-ack session: frames wait here until the holes before them are filled, given up
 * by the sender (window, BAR), or 100 ms old.
 *
 * Source: Linux 6.1 net/mac80211/rx.c (ieee80211_sta_manage_reorder_buf, ieee80211_sta_reorder_release), kernel/time/timer.c
 * for when the timer comes.
 */
#ifndef WLANQ_MAC80211_REORDER_H
#define WLANQ_MAC80211_REORDER_H

#include "measure/histogram.h"
#include "measure/queue-stat.h"
#include "packet/fifo.h"
#include "wifi/seq.h"
#include "wifi/wifi.h"

#define REORDER_SLOTS 64 /* the largest window of HT and VHT */

/* What all buffers of an interface count together. */
struct reorder_stat {
	struct queue_stat queue;
	u64 early; /* holes given up because a frame lay beyond the window */
	u64 timeouts; /* holes given up after 100 ms */
	struct histogram stall; /* ns from the first frame held to the last one let go */
};

enum { REORDER_OLD, REORDER_DUPLICATE, REORDER_TORN_DOWN };
extern const char *const reorder_causes[];

struct reorder {
	struct sim *sim;
	struct reorder_stat *stat;
	void (*deliver)(void *arg, struct packet *p);
	void *arg;
	u32 hz;
	bool old_wheel; /* timers come at their very tick (before Linux 4.8) */

	u16 head; /* next sequence number in order */
	u16 size; /* of the window */
	bool started;
	u32 stored; /* complete MPDUs held */
	struct packet_fifo slots[REORDER_SLOTS]; /* by sequence number modulo size */
	int64_t time[REORDER_SLOTS]; /* jiffy at which the MPDU was complete */
	sim_time stalled; /* since when something is held */
	struct event timer;
	int64_t expires; /* jiffy that the timer was asked for */
};

/* @r is zeroed, but for .deliver, .arg, .stat, .hz and .old_wheel. */
void reorder_init(struct reorder *r, struct sim *sim, u16 start, u16 size);

/* Drops what is held. */
void reorder_clear(struct reorder *r);

/*
 * A frame with p->mac.seq. It, and others, may be delivered before this returns. True: it was taken. False: it is not
 * for the buffer and goes on as it is.
 */
bool reorder_rx(struct reorder *r, struct packet *p);

/* Nothing is held: a frame that is the next in order, and not of an A-MSDU, moves .head on and passes. */
static inline bool reorder_empty(const struct reorder *r)
{
	return r->started && !r->stored;
}

/* A block ack request: the sender has given up all before @start. */
void reorder_bar(struct reorder *r, u16 start);

#endif
