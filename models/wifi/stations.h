/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The medium when not all stations hear each other: each has its own idle and busy times, network allocation and
 * receiver. Several exchanges may be under way at once. Where all hear all it gives what the shared medium gives, event for
 * event of the drivers.
 */
#ifndef WLANQ_WIFI_STATIONS_H
#define WLANQ_WIFI_STATIONS_H

#include "wifi/air.h"

/* Decides whether the air needs it, and sets it up. */
void stations_init(struct air *air);
void stations_start(struct air *air);
/* Gives back the packets that are on the air; stations_clear() then the memory. */
void stations_drop(struct air *air);
void stations_clear(struct air *air);

/*
 * With air->watch, at the start of an access on the shared medium: true if powers have changed so that not all hear all. From
 * then on it is reckoned by station, and what was about to start is scheduled anew.
 */
bool stations_needed_now(struct air *air);

/* Contender @c has something to send. */
void stations_kick(struct air *air, u32 c);

/* Packets of the exchanges under way, for the audit. */
u64 stations_held(const struct air *air);

/* As air_stop() and air_resume(). */
void stations_stop(struct air *air, u32 station);
void stations_resume(struct air *air, u32 station);

#endif
