/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all traffic has in common: where it goes, when it runs, how its packets are marked, and over what
 * time its rates are counted: from max(start, opening of the window) to min(stop, its close).
 */
#ifndef WLANQ_TRAFFIC_H
#define WLANQ_TRAFFIC_H

#include "engine/model.h"
#include "measure/anatomy.h"
#include "measure/histogram.h"
#include "net/host.h"

extern const struct model_kind kind_traffic;

/* First member of every traffic's parameters. */
struct traffic_params {
	struct object *from, *to; /* hosts */
	int64_t start, stop; /* ns; stop PARAM_UNSET: to the end */
	int64_t spread; /* ns */
	int64_t dscp; /* 0 .. 63 */
	int64_t tos; /* the whole byte, PARAM_UNSET: from dscp */
	int64_t priority; /* SO_PRIORITY, PARAM_UNSET: from the TOS */
};

/* First member of every traffic. */
struct traffic {
	struct object obj;
	struct host *from, *to;
	u8 tos;
	u32 priority; /* 0: from the TOS */
	sim_time start; /* the parameter's, and of a group's member its share of the spread */
	sim_time stop; /* the parameter's; SIM_TIME_MAX: never */
	sim_time opened, closed; /* the measuring window; closed is SIM_TIME_MAX before its end */
	struct event begin, end;
};

static inline const struct traffic_params *traffic_params(const struct traffic *t)
{
	return t->obj.params;
}

/* Fills in what follows from the parameters; @begin is called at start, @end at stop (may be NULL). */
void traffic_start(struct traffic *t, event_fn begin, event_fn end);

/* Ops that do for those who need no more; others call them. */
void traffic_init(struct object *obj);
void traffic_wired(const struct object *obj, struct model_check *c);
void traffic_window_open(struct object *obj);
void traffic_window_close(struct object *obj);

/* An error at @param unless there is a way from @from to @to and back. */
void traffic_check_way(const struct object *from, const struct object *to, const char *param,
		       struct model_check *c);

/* An error at @param (NULL: at the traffic) unless datagrams of @bytes, headers included, go from @from to @to whole. */
void traffic_check_fits(const struct object *from, const struct object *to, int64_t bytes,
			const char *param, struct model_check *c);

/* The same of a size that was changed during the run, which fails. */
void traffic_still_fits(const struct traffic *t, int64_t bytes);

/* @at is not before stop. */
static inline bool traffic_stops(const struct traffic *t, sim_time at)
{
	return at >= t->stop;
}

static inline bool traffic_stopped(const struct traffic *t)
{
	return traffic_stops(t, t->obj.sim->now);
}

/* When counting begins and ends in this window; @end: when the traffic was done, SIM_TIME_MAX: it was not. */
sim_time traffic_from(const struct traffic *t);
sim_time traffic_until(const struct traffic *t, sim_time end);

/* Is the present moment one that counts? */
static inline bool traffic_counts(const struct traffic *t)
{
	return t->opened >= 0 && !traffic_stopped(t);
}

/* @bytes over @span ns, in 10^-6 Mbit/s. */
int64_t traffic_mbit(u64 bytes, sim_time span);

/* Delay of packets, whole and by layers. */
struct traffic_delay {
	struct histogram ns;
	struct anatomy anatomy;
};

void traffic_delay_init(struct traffic_delay *d);

/* @p has arrived; its time in the layer that it is in counts too. */
static inline void traffic_delay_add(struct traffic_delay *d, const struct packet *p, sim_time now)
{
	sim_time delay = now - p->born;

	histogram_add(&d->ns, delay, 1);
	anatomy_add_last(&d->anatomy, LAYER_COUNT, p->spent, p->layer, now - p->since,
			 (uint64_t)delay);
}

/* ---- declarations ---------------------------------------------------------------------------- */

#define TRAFFIC_PARAMS                                                                    \
	{.name = "from",                                                                  \
	 .type = PARAM_REF,                                                               \
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,                                      \
	 .offset = offsetof(struct traffic_params, from),                                 \
	 .doc = "node that sends",                                                        \
	 .kind = &kind_node},                                                             \
		{.name = "to",                                                            \
		 .type = PARAM_REF,                                                       \
		 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,                              \
		 .offset = offsetof(struct traffic_params, to),                           \
		 .doc = "node that receives",                                             \
		 .kind = &kind_node},                                                     \
		{.name = "start",                                                         \
		 .type = PARAM_TIME,                                                      \
		 .flags = PARAM_STRUCTURAL,                                               \
		 .offset = offsetof(struct traffic_params, start),                        \
		 .def = "0s",                                                             \
		 .min = 0,                                                                \
		 .max = 1000000 * SIM_SEC,                                                \
		 .doc = "when it begins"},                                                \
		{.name = "spread",                                                        \
		 .type = PARAM_TIME,                                                      \
		 .flags = PARAM_STRUCTURAL,                                               \
		 .offset = offsetof(struct traffic_params, spread),                       \
		 .def = "100ms",                                                          \
		 .min = 0,                                                                \
		 .max = 1000 * SIM_SEC,                                                   \
		 .doc = "of counted traffic: each begins at a random time of this span "  \
			"after start"},                                                   \
		{.name = "stop",                                                          \
		 .type = PARAM_TIME,                                                      \
		 .flags = PARAM_STRUCTURAL,                                               \
		 .offset = offsetof(struct traffic_params, stop),                         \
		 .min = 0,                                                                \
		 .max = 1000000 * SIM_SEC,                                                \
		 .doc = "when it ends; without it at the end of the run"},                \
		{.name = "dscp",                                                          \
		 .type = PARAM_INT,                                                       \
		 .flags = PARAM_STRUCTURAL,                                               \
		 .offset = offsetof(struct traffic_params, dscp),                         \
		 .def = "0",                                                              \
		 .min = 0,                                                                \
		 .max = 63,                                                               \
		 .doc = "DS field of its packets, without the ECN bits",                  \
		 .linux_name = "IP_TOS"},                                                 \
		{.name = "tos",                                                           \
		 .type = PARAM_INT,                                                       \
		 .flags = PARAM_STRUCTURAL,                                               \
		 .offset = offsetof(struct traffic_params, tos),                          \
		 .min = 0,                                                                \
		 .max = 255,                                                              \
		 .doc = "the whole TOS byte, in place of dscp",                           \
		 .linux_name = "IP_TOS"},                                                 \
	{                                                                                 \
		.name = "priority", .type = PARAM_INT, .flags = PARAM_STRUCTURAL,         \
		.offset = offsetof(struct traffic_params, priority), .min = 0, .max = 15, \
		.doc = "of its packets in the host's qdiscs; without it from the TOS",    \
		.linux_name = "SO_PRIORITY",                                              \
	}

#define TRAFFIC_DELAY_PROBES(type, field)                                                         \
	{.name = "delay_ms",                                                                      \
	 .unit = "ms",                                                                            \
	 .shape = PROBE_HISTOGRAM,                                                                \
	 .offset = offsetof(type, field.ns),                                                      \
	 .per = SIM_MS,                                                                           \
	 .doc = "one-way delay of packets, from the socket to the socket"},                       \
	{                                                                                         \
		.name = "delay", .shape = PROBE_ANATOMY, .offset = offsetof(type, field.anatomy), \
		.per = SIM_MS, .doc = "where packets spent their time",                           \
	}

#endif
