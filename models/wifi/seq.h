/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequence numbers of 802.11: 12 bits, modulo 4096 (ieee80211_sn_less() and others of Linux). */
#ifndef WLANQ_WIFI_SEQ_H
#define WLANQ_WIFI_SEQ_H

#include <stdbool.h>

#include <linux/types.h>

#define SEQ_MASK 0xfffu

/* @a lies before @b. A distance of exactly 2048 is before neither way. */
static inline bool seq_less(u32 a, u32 b)
{
	return ((a - b) & SEQ_MASK) > (SEQ_MASK + 1) / 2;
}

static inline u16 seq_add(u32 a, u32 n)
{
	return (u16)((a + n) & SEQ_MASK);
}

static inline u16 seq_sub(u32 a, u32 b)
{
	return (u16)((a - b) & SEQ_MASK);
}

#endif
