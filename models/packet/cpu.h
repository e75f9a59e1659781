/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processor that runs a host's network softirqs, as a server with two costs: for each packet that passes the stack,
 * and for each transaction of an application. Without costs it takes no time and nothing waits for it.
 */
#ifndef WLANQ_PACKET_CPU_H
#define WLANQ_PACKET_CPU_H

#include "engine/sim.h"

struct cpu {
	sim_time per_packet, per_transaction; /* ns */
	sim_time free; /* when what it has been given is done */
	sim_time busy; /* ns of work given to it in the window */
};

static inline void cpu_charge(struct cpu *c, sim_time now, sim_time cost)
{
	if (c->free < now)
		c->free = now;
	c->free += cost;
	c->busy += cost;
}

static inline sim_time cpu_when_free(const struct cpu *c, sim_time now)
{
	return c->free > now ? c->free : now;
}

#endif
