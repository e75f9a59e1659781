/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of a run: a folder with LINK.pcap for each link, and the names that go with the addresses in them, as hosts
 * and ethers, two files that Wireshark reads.
 */
#ifndef WLANQ_SCENARIO_CAPTURES_H
#define WLANQ_SCENARIO_CAPTURES_H

#include "measure/capture.h"
#include "scenario/build.h"

struct captures;

/*
 * Makes the folder if need be and the files, and taps the links of @b. NULL when something cannot be written; the reason
 * is then in @errors. @snaplen as in capture_open().
 */
struct captures *captures_open(struct build *b, const char *folder, uint32_t snaplen,
			       struct errors *errors);

/* Ends them; no link is used afterwards. 0, or -1 with the first reason in @error, of @len bytes. NULL is well. */
int captures_close(struct captures *c, char *error, size_t len);

#endif
