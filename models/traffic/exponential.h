/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential draws in integers, the same on every machine. */
#ifndef WLANQ_TRAFFIC_EXPONENTIAL_H
#define WLANQ_TRAFFIC_EXPONENTIAL_H

#include "engine/draw.h"
#include "engine/sim.h"

/* -ln((bits + 1) / 2^64) in 2^-32, within 2^-30. */
uint64_t exponential_q32(uint64_t bits);

/* The next draw with mean @mean ns, rounded down. */
sim_time exponential_next(struct draw *d, sim_time mean);

#endif
