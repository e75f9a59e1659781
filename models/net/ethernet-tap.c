// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet-tap.h"

#include <glib.h>

#include "packet/bytes.h"
#include "packet/wire.h"

#define FRAME_MIN 60 /* without FCS */

struct ethernet_tap {
	struct capture *out;
	struct wire *wire;
	u8 *bytes; /* of a frame */
	u32 size;
};

struct ethernet_tap *ethernet_tap_new(struct capture *out)
{
	struct ethernet_tap *tap = g_new0(struct ethernet_tap, 1);

	tap->out = out;
	tap->wire = wire_new();
	return tap;
}

void ethernet_tap_free(struct ethernet_tap *tap)
{
	if (!tap)
		return;
	wire_free(tap->wire);
	g_free(tap->bytes);
	g_free(tap);
}

void ethernet_tap_frame(struct ethernet_tap *tap, const struct packet *p, sim_time at, sim_time now)
{
	u32 len = p->skb.len > FRAME_MIN ? p->skb.len : FRAME_MIN, headers;

	if (len > tap->size) {
		tap->bytes = g_realloc(tap->bytes, len);
		tap->size = len;
	}
	memset(tap->bytes, 0, len);
	wire_mac(p->l2_dst, tap->bytes);
	wire_mac(p->l2_src, tap->bytes + WIRE_MAC);
	put_be16(tap->bytes + 2 * WIRE_MAC, wire_ethertype(p));
	headers = ETH_HLEN + wire_headers(tap->wire, p, tap->bytes + ETH_HLEN);
	if (!p->payload)
		headers = len;
	capture_settle(tap->out, now);
	capture_put(tap->out, at, tap->bytes, capture_length(tap->out, headers, len), len);
}
