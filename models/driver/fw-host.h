/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's side of a card with firmware: completions and received packets wait for an interrupt, of which there is at
 * most one each so many microseconds.
 */
#ifndef WLANQ_DRIVER_FW_HOST_H
#define WLANQ_DRIVER_FW_HOST_H

#include "driver/firmware.h"

struct fw_host {
	struct sim *sim;
	sim_time interval; /* least time between interrupts */
	sim_time last; /* when the last one came */
	struct event interrupt;
	struct lazy *lazy; /* what the driver would be given meanwhile; NULL: nothing was put off */
	struct packet_fifo received;
	struct fw_done *done;
	u32 n_done, max_done;
	bool busy; /* the interrupt is being handled */
	u64 rx_in, rx_out; /* packets, since 0 */
	u64 interrupts; /* in the window */

	/* Packets of the interrupt, all of @list; its completions, of which there may be more behind each that is ended; its end. */
	void (*rx)(struct fw_host *h, struct packet_fifo *list);
	void (*complete)(struct fw_host *h);
	void (*end)(struct fw_host *h);
};

/* @h is zeroed but for its ops and interval. */
void fw_host_init(struct fw_host *h, struct sim *sim);
void fw_host_clear(struct fw_host *h);

/* They wait for the interrupt; @list is empty then. */
void fw_host_received(struct fw_host *h, struct packet_fifo *list);
struct fw_done *fw_host_done(struct fw_host *h); /* to be filled in */

/* Packets lost by the card that wait for the interrupt, for audits. */
u64 fw_host_lost(const struct fw_host *h);

#endif
