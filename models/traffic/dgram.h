/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Flows of datagrams from one host to another: what all UDP traffic shares. A model is a rule that says when
 * the next datagram of a flow goes and how large it is.
 */
#ifndef WLANQ_TRAFFIC_DGRAM_H
#define WLANQ_TRAFFIC_DGRAM_H

#include "engine/draw.h"
#include "measure/samples.h"
#include "traffic/traffic.h"
#include "transport/sock.h"

/* IP and UDP header. */
#define UDP_HEADERS 28

struct dgram;

struct dgram_flow {
	struct dgram *d;
	u32 index;
	struct udp_sock *tx, *rx;
	struct event next;
	struct lazy *lazy; /* where the next one was put off, if it ever was */
	struct draw draw; /* the rule's */
	u32 seq; /* of the next datagram; so many were sent */
	u32 first; /* the first that counts */
	u32 highest; /* received so far, plus 1 */
	u64 received; /* of those that count */
	u64 received_bytes; /* payload of those that arrived in the window */
	u64 lost; /* of the window, known at its close */
	sim_time last_delay; /* of the last one received, -1: none yet */

	/* the rule's own */
	sim_time origin;
	sim_time interval; /* ns, and so much of another one: */
	u64 rest, rests; /* of one interval; those that have added up to no ns yet */
};

struct dgram_rules {
	bool alone; /* Next, size and TOS depend on the flow's past and its parameters alone; TOS never changes. */
	/* When the first datagram goes, not before now. */
	sim_time (*begin)(struct dgram_flow *f);
	/* The one with sequence number f->seq - 1 went out now: when does the next? SIM_TIME_MAX: never. */
	sim_time (*next)(struct dgram_flow *f);
	/* Bytes of payload of datagram f->seq; NULL: d->size, of all. */
	u32 (*size)(const struct dgram_flow *f);
	/* Its TOS byte; NULL: the traffic's. */
	u8 (*tos)(const struct dgram_flow *f);
	/* Bytes of payload of the largest there will be; NULL: all are like the first. */
	u32 (*largest)(const struct dgram *d);
	/* One has arrived that counts, after @delay ns; NULL: not of interest. */
	void (*received)(struct dgram_flow *f, sim_time delay);
};

/* First member of every datagram traffic's instance. */
struct dgram {
	struct traffic t;
	const struct dgram_rules *rules;
	struct dgram_flow *flows;
	u32 n_flows;
	u32 size; /* of datagrams, where no rule says */
	struct traffic_delay delay;
	struct histogram jitter; /* ns, from one delay to the next */

	/* of the window */
	struct samples flow_goodput; /* bit/s */
	u64 sent_bytes, received_bytes;
	u64 received, lost, unfinished, reordered, local_drops;
};

/* Called by the class's init. */
void dgram_init(struct dgram *d, const struct dgram_rules *rules, u32 flows);

void dgram_start(struct object *obj);
void dgram_wired(const struct object *obj, struct model_check *c);
/* After a live change that may be one of sizes. */
void dgram_fits(struct dgram *d);
void dgram_window_open(struct object *obj);
void dgram_window_close(struct object *obj);
void dgram_fini(struct object *obj);

int64_t dgram_goodput(const struct object *obj, int64_t window);
int64_t dgram_sent(const struct object *obj, int64_t window);
int64_t dgram_lost_share(const struct object *obj, int64_t window);

#define DGRAM_COUNTER(field, text)                                         \
	{                                                                  \
		.name = #field, .unit = "packets", .shape = PROBE_COUNTER, \
		.offset = offsetof(struct dgram, field), .doc = text,      \
	}

#define DGRAM_PROBES                                                                               \
	{.name = "goodput_mbit",                                                                   \
	 .unit = "Mbit/s",                                                                         \
	 .shape = PROBE_VALUE,                                                                     \
	 .value = dgram_goodput,                                                                   \
	 .over = PROBE_OVER_SUM,                                                                   \
	 .doc = "payload that arrived"},                                                           \
		{.name = "sent_mbit",                                                              \
		 .unit = "Mbit/s",                                                                 \
		 .shape = PROBE_VALUE,                                                             \
		 .value = dgram_sent,                                                              \
		 .over = PROBE_OVER_SUM,                                                           \
		 .doc = "payload that was sent"},                                                  \
		{.name = "flow_goodput_mbit",                                                      \
		 .unit = "Mbit/s",                                                                 \
		 .shape = PROBE_SAMPLES,                                                           \
		 .offset = offsetof(struct dgram, flow_goodput),                                   \
		 .per = 1000000,                                                                   \
		 .doc = "goodput of each flow"},                                                   \
		{.name = "jain",                                                                   \
		 .unit = "",                                                                       \
		 .shape = PROBE_JAIN,                                                              \
		 .offset = offsetof(struct dgram, flow_goodput),                                   \
		 .doc = "Jain's fairness index of the flows"},                                     \
		{.name = "received_bytes",                                                         \
		 .unit = "bytes",                                                                  \
		 .shape = PROBE_COUNTER,                                                           \
		 .offset = offsetof(struct dgram, received_bytes),                                 \
		 .doc = "payload that arrived"},                                                   \
		TRAFFIC_DELAY_PROBES(struct dgram, delay),                                         \
		{.name = "jitter_ms",                                                              \
		 .unit = "ms",                                                                     \
		 .shape = PROBE_HISTOGRAM,                                                         \
		 .offset = offsetof(struct dgram, jitter),                                         \
		 .per = SIM_MS,                                                                    \
		 .doc = "difference of the delays of one datagram and the next to arrive"},        \
		DGRAM_COUNTER(received, "datagrams that arrived"),                                 \
		DGRAM_COUNTER(lost, "missing before the last that arrived"),                       \
		DGRAM_COUNTER(unfinished, "sent after the last that arrived"),                     \
		DGRAM_COUNTER(reordered, "arrived after one that was sent later"),                 \
		DGRAM_COUNTER(local_drops, "dropped by the sender's own qdisc"),                   \
	{                                                                                          \
		.name = "lost_share", .unit = "", .shape = PROBE_VALUE, .value = dgram_lost_share, \
		.over = PROBE_OVER_MEAN, .doc = "lost of lost and received"                        \
	}

#endif
