/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame taps: captures of what goes over links, as pcap files with times in nanoseconds. A link gets one when the run
 * is made and puts frames into it; without one it does nothing. What the bytes of a frame are is the link's to know.
 */
#ifndef WLANQ_MEASURE_CAPTURE_H
#define WLANQ_MEASURE_CAPTURE_H

#include "engine/sim.h"

/* How much of a frame is kept, in place of a number of bytes: what the link says are headers. */
#define CAPTURE_HEADERS 0
#define CAPTURE_MAX	262144 /* bytes of a frame, as tcpdump has it */

/* What stands in the file (tcpdump.org/linktypes.html): Ethernet without FCS, or radiotap and 802.11. */
enum capture_type { CAPTURE_ETHERNET = 1, CAPTURE_RADIOTAP = 127 };

struct capture;

/*
 * Makes the file at @path; one that is there is overwritten. @snaplen: bytes kept
 * of a frame, or CAPTURE_HEADERS. NULL when it cannot be written, errno says why; ELIBACC when libpcap is not there.
 */
struct capture *capture_open(struct sim *sim, const char *path, enum capture_type type,
			     uint32_t snaplen);

/* How many bytes are kept of a frame of @len bytes, the first @headers of which are headers. */
uint32_t capture_length(const struct capture *c, uint32_t headers, uint32_t len);

/*
 * A frame of @len bytes went out at @at; @bytes has the first @kept of them. Times may go back as long as none lies before
 * what capture_settle() was told last.
 */
void capture_put(struct capture *c, sim_time at, const uint8_t *bytes, uint32_t kept, uint32_t len);

/* No frame from before @until comes any more: the others are written. Fails the run when they cannot be. */
void capture_settle(struct capture *c, sim_time until);

/* Writes the rest. Returns 0, or -1 with errno when something could not be written; @c is gone in any case. */
int capture_close(struct capture *c);

#endif
