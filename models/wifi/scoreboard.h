/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What recipients of block-ack sessions have received, as their Block Ack frames tell it. The air itself needs none: it
 * notes with each MPDU whether its recipient has it. A capture does.
 *
 * Source: IEEE 802.11-2020 10.25.6.3 (full-state scoreboard), 10.25.6.5 (the bitmap that is sent).
 */
#ifndef WLANQ_WIFI_SCOREBOARD_H
#define WLANQ_WIFI_SCOREBOARD_H

#include <stdbool.h>

#include <linux/types.h>

struct scoreboard {
	u16 start; /* WinStartR */
	u16 size; /* WinSizeR, 1 to 64 */
	u64 bitmap; /* bit i: start + i was received */
};

void scoreboard_begin(struct scoreboard *s, u16 start, u16 size);
/* A data frame of the session was received. */
void scoreboard_take(struct scoreboard *s, u16 seq);
/* A block ack request was received. */
void scoreboard_move(struct scoreboard *s, u16 start);

/* The scoreboards of all recipients, by who sends to whom. */
struct scoreboards;

struct scoreboards *scoreboards_new(void);
void scoreboards_free(struct scoreboards *all);

/* NULL: there is no session, and @make is false. A new one is all zero. */
struct scoreboard *scoreboards_find(struct scoreboards *all, u16 from, u16 to, u8 tid, bool make);
void scoreboards_end(struct scoreboards *all, u16 from, u16 to, u8 tid);

#endif
