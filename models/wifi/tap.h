/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The air's frame tap: frames of each exchange, with a radiotap header, into a capture. It hears all of the channel, each
 * frame as its receiver got it: what that one lost, to errors or to other frames, has a wrong FCS and is marked so.
 */
#ifndef WLANQ_WIFI_TAP_H
#define WLANQ_WIFI_TAP_H

#include "measure/capture.h"
#include "wifi/air.h"

/* The tap of @air into @out, which stays the caller's. */
struct air_tap *air_tap_new(struct air *air, struct capture *out);
/* NULL is well. */
void air_tap_free(struct air_tap *tap);

/* An exchange that nothing disturbs starts; what of it arrives is known. */
void air_tap_exchange(struct air_tap *tap, const struct transmission *tx);

/* Several stations transmit at once, and none of it is received: air->now. */
void air_tap_collision(struct air_tap *tap);

/* The frames of an exchange one by one, each told when it ends, with its start; @good: it arrived whole. */
void air_tap_rts(struct air_tap *tap, const struct transmission *tx, sim_time start, bool good);
void air_tap_cts(struct air_tap *tap, const struct transmission *tx, sim_time start, bool good);
/* What of it arrived is in its MPDUs' flags; @lost: nothing, whatever they say. */
void air_tap_data(struct air_tap *tap, const struct transmission *tx, bool lost);
void air_tap_response(struct air_tap *tap, const struct transmission *tx, sim_time start,
		      bool good);

/* No frame that started before @until is told of any more. */
void air_tap_settle(struct air_tap *tap, sim_time until);

#endif
