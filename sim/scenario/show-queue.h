/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a built network's queues, as the models describe them. */
#ifndef WLANQ_SCENARIO_SHOW_QUEUE_H
#define WLANQ_SCENARIO_SHOW_QUEUE_H

#include <glib.h>
#include <jansson.h>

#include "engine/model.h"

/* What a measure that the model does not bound is reckoned with: a full Ethernet frame. */
#define QUEUE_FRAME_BYTES 1514

/* Appends a table: queue, packets, bytes, ms. */
void queues_text(struct sim *sim, GString *out);

/* [{"queue", "packets", "bytes", "ms", "rate_bps"}, {"object", "note"}]; what is not bounded is null. */
json_t *queues_json(struct sim *sim);

#endif
