/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A transmitter on a medium that serialises one frame after the other: what an Ethernet link gives to a
 * driver. The link owns the port; the driver fills in the client part.
 */
#ifndef WLANQ_PACKET_PORT_H
#define WLANQ_PACKET_PORT_H

#include "packet/packet.h"

struct port;

struct port_client {
	/* The last bit of the frame given to transmit() is out; the port is free. */
	void (*sent)(void *arg);
	/* A frame has arrived from the medium; the client owns it. */
	void (*rx)(void *arg, struct packet *p);
	/* The medium's rate has changed; NULL: not of interest. */
	void (*rate_changed)(void *arg, int64_t rate_bps);
};

struct port {
	/*
	 * Starts sending @p now; the port must be free. The link owns @p from here on. A GSO packet goes
	 * out as its segments, back to back, and arrives as such.
	 */
	void (*transmit)(struct port *port, struct packet *p);
	int64_t rate_bps;
	bool busy;

	const struct port_client *client;
	void *client_arg;
};

#endif
