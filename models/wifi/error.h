/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From signal-to-noise ratio to the probability that an MPDU is lost, by modulation and coding; all in integers, from
 * tables that error-curves.py made.
 */
#ifndef WLANQ_WIFI_ERROR_H
#define WLANQ_WIFI_ERROR_H

#include "wifi/rate.h"

#define ERROR_CURVES	 15 /* CCK by index; then BPSK 1/2 to 256-QAM 5/6 */
#define ERROR_FIRST	 (-10000) /* 0.001 dB */
#define ERROR_STEP	 250
#define ERROR_POINTS	 241
#define ERROR_SCALE_BITS 8

/* log2 of e in 1/256, where n bits arrive with probability 2^(-n e). */
extern const s16 error_curves[ERROR_CURVES][ERROR_POINTS];
extern const u32 error_exp2[1 << ERROR_SCALE_BITS]; /* 2^(i/256) in 2^-30 */
extern const u16 error_log2[1 << ERROR_SCALE_BITS]; /* log2(1 + i/256) in 1/256 */
extern const s16 fading_cos[1024]; /* of a full turn, in 2^-15 */

/* 2^-32 of the probability that @bytes at @r are lost at @snr (0.001 dB of the whole signal to the noise in its band). */
u64 error_threshold(wifi_rate r, s32 snr, u32 bytes);

/* 10 log10 of @x in 0.001 dB, within 0.01 dB; @x > 0. */
s32 error_db(u64 x);

#endif
