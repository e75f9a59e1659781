/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a model declares itself, once. From this declaration come YAML keys and their checks, the output
 * of `wlanq models`, the reference pages, the JSON Schema, the axes that a sweep may name and the
 * metrics. Nothing is listed a second time anywhere.
 *
 * A model never reads YAML: it is given a filled parameter struct. It never prints: it counts into its
 * own instance, and the probe table says where.
 */
#ifndef WLANQ_ENGINE_MODEL_H
#define WLANQ_ENGINE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

/* ---- parameters ---------------------------------------------------------------------------- */

/*
 * Every scalar (bool and enum too) is stored as int64_t in the base unit named here. The unit is
 * written in YAML ("10ms"); a bare number where a unit is needed is an error, and the reverse.
 */
enum param_type {
	PARAM_BOOL, /* 0, 1 */
	PARAM_INT, /* a count, no unit */
	PARAM_TIME, /* ns: ns us ms s min */
	PARAM_RATE, /* bit/s: bit kbit Mbit Gbit */
	PARAM_BYTES, /* B kB MB GB KiB MiB GiB */
	PARAM_HZ, /* Hz: Hz kHz MHz GHz */
	PARAM_DBM, /* 0.001 dBm */
	PARAM_DB, /* 0.001 dB */
	PARAM_METRES, /* mm: m km */
	PARAM_PROB, /* 2^-32, 0 .. 2^32: a bare 0..1, or percent ("13%") */
	PARAM_DECIMAL, /* 10^-6: a bare number with a fraction */
	PARAM_STRING, /* const char *, owned by the scenario */
	PARAM_ENUM, /* the value of one of .values */
	PARAM_REF, /* struct object *, another object of kind .kind, by its path */
	PARAM_SLOT, /* struct slot: NAME or {model: NAME, ...} of kind .kind */
	PARAM_STRUCT, /* a struct in place, described by .fields */
	PARAM_LIST, /* struct param_list of .fields[0] */
	PARAM_MAP, /* struct param_map, name -> .fields[0] */
	PARAM_PER_AC, /* int64_t[4] of the scalar .element, in the order vo vi be bk */
	PARAM_QUEUE_SIZE, /* struct queue_size: a bare count is packets; bytes or time by unit */
	PARAM_TABLE, /* struct param_table: the name of a CSV file, .fields[0] a PARAM_STRUCT of its columns */
};

/* A scalar that has no value: not given, and no default. */
#define PARAM_UNSET INT64_MIN

#define PROB_ONE (1LL << 32)

struct linux_library;

struct slot {
	const struct model_class *cls; /* NULL: nothing chosen */
	const void *params; /* of cls->params_size bytes, owned by the scenario */
	const char *path; /* where it stands, "laptop.wlan0.qdisc" */
};

struct param_list {
	uint32_t n;
	const void *items; /* n times the element's size */
};

/* .file NULL: none was named. */
struct param_table {
	const char *file; /* as it was opened */
	const char *id; /* its name and the hash of its content: what it is in a result's key */
	const uint32_t *lines; /* of each row, for messages */
	struct param_list rows;
};

struct param_map {
	uint32_t n;
	const char *const *names;
	const void *items;
};

enum queue_unit { QUEUE_PACKETS, QUEUE_BYTES, QUEUE_TIME };

struct queue_size {
	int64_t value; /* packets, bytes or ns; PARAM_UNSET when not given */
	int64_t unit; /* enum queue_unit */
};

/* Linux's order of access categories. */
enum { AC_VO, AC_VI, AC_BE, AC_BK, AC_COUNT };

struct param_enum {
	const char *name;
	int64_t value;
	const char *doc;
};

/* The default from this kernel on; a table ends with .era NULL and runs from old to new. */
struct param_era {
	const char *era;
	const char *value;
};

#define PARAM_LIVE	 0x1u /* `changes:` may set it while the run goes */
#define PARAM_STRUCTURAL 0x2u /* shapes the network (counts, members, models): never live */
#define PARAM_REQUIRED	 0x4u /* no default: the scenario must give it */
#define PARAM_UNIT_ANY	 0x8u /* PARAM_QUEUE_SIZE: all three units; without it packets only */

struct param {
	const char *name; /* YAML key */
	enum param_type type;
	uint32_t flags;
	size_t offset; /* in the parameter struct */
	const char *def; /* default as it would be written in YAML, NULL: none */
	int64_t min, max; /* range in base units; both 0: the type's own */
	const char *doc; /* one line */
	const char *linux_name; /* its name in Linux, NULL when there is none */
	const struct param_era *eras; /* defaults by kernel, they win over .def */
	const struct param_enum *values; /* PARAM_ENUM, ends with name NULL */
	const struct model_kind *kind; /* PARAM_REF, PARAM_SLOT */
	const struct param
		*fields; /* PARAM_STRUCT; first entry is the element for LIST, MAP and TABLE */
	size_t size; /* of a PARAM_STRUCT, or of one element of LIST, MAP and TABLE */
	enum param_type element; /* PARAM_PER_AC */
};

#define PARAM_END            \
	{                    \
		.name = NULL \
	}

/* ---- probes -------------------------------------------------------------------------------- */

enum probe_shape {
	PROBE_COUNTER, /* uint64_t, counted since the start of the window */
	PROBE_GAUGE, /* struct gauge: time-weighted, .{min,mean,p50,p90,p95,p99,max} */
	PROBE_SAMPLES, /* struct samples: each value kept, the same and .mdev */
	PROBE_HISTOGRAM, /* struct histogram, .{min,mean,p50,p90,p95,p99,max} within 1/64 */
	PROBE_VALUE, /* computed by .value() at the end */
	PROBE_QUEUE, /* struct queue_stat: packets.* bytes.* sojourn_ms.* and drops */
	PROBE_ANATOMY, /* struct anatomy: what a delay is made of; no metric, see --anatomy */
	PROBE_SHARES, /* struct shares: NAME.KEY is the part of the whole that KEY is */
	PROBE_JAIN, /* struct samples, those of another probe: Jain's index of them */
};

/* What a PROBE_VALUE is of a group of objects (struct object: group); other shapes are added up or merged. */
enum probe_over { PROBE_OVER_NONE, PROBE_OVER_SUM, PROBE_OVER_MEAN, PROBE_OVER_MAX };

/*
 * What a probe table names is opened, closed and freed with the window by measure/metrics.h; a model
 * need not. A counter starts the window from 0, so a model must not reckon with it.
 */
enum probe_scope {
	PROBE_INSTANCE,
	PROBE_STATION, /* one in each record that ops->station gives; with .stride four, as PROBE_AC */
	PROBE_AC, /* four, for vo vi be bk; not for PROBE_VALUE */
};

/* What has no value (no sample, no time): the metric is absent. */
#define METRIC_ABSENT INT64_MIN

struct probe {
	/* "retransmits", "rtt_ms", "ring"; a queue's may be "": then the object's path names it */
	const char *name;
	const char *unit; /* printed unit: "ms", "Mbit/s", "packets", "" */
	enum probe_shape shape;
	enum probe_scope scope;
	size_t offset; /* in the instance or the station's record; of the first category */
	size_t stride; /* from one category to the next */
	int64_t per; /* base units in one printed unit: 1000000 for ns shown as ms; 0 is 1 */
	const char *doc;
	/* PROBE_VALUE: in 10^-6 of the printed unit over @window ns; METRIC_ABSENT when undefined. */
	int64_t (*value)(const struct object *obj, int64_t window);
	enum probe_over over; /* PROBE_VALUE */
};

#define PROBE_END            \
	{                    \
		.name = NULL \
	}

/* ---- classes and objects ------------------------------------------------------------------- */

/* What a slot can hold; defined once by the layer that owns the kind. */
struct model_kind {
	const char *name; /* "qdisc" */
	const char *doc;
};

/* Collects the errors of `check`; @param is a key of the table, dotted when nested. */
struct model_check {
	void *arg;
	void (*error)(void *arg, const char *param, const char *msg);
	const char *kernel; /* the node's era */
};

void model_check_error(struct model_check *c, const char *param, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * `describe`: effective sizes of a queue; -1 where a measure is not bounded or not known. A queue without a
 * rate (0) is taken to drain at that of its owner. With "" and no sizes it is the rate alone, for the
 * queues of the same interface.
 */
struct model_describe {
	void *arg;
	void (*queue)(void *arg, const char *name, int64_t packets, int64_t bytes,
		      int64_t rate_bps);
	void (*note)(void *arg, const char *text);
};

/* `audit`: one call per queue of the object, in packets. in must equal out + dropped + held. */
struct model_audit {
	void *arg;
	void (*queue)(void *arg, const char *name, uint64_t in, uint64_t out, uint64_t dropped,
		      uint64_t held);
};

/* Further metrics under the object's path that a fixed table cannot name (drop causes, stations). */
struct model_emit {
	void *arg;
	/* @micro: in 10^-6 of the printed unit */
	void (*value)(void *arg, const char *name, int64_t micro);
};

/* Ops that every kind has; each may be NULL. The kind's own table stands beside in .kind_ops. */
struct model_ops {
	/* Cross-checks of the parameters before anything is built. */
	void (*check)(const void *params, struct model_check *c);
	/* The instance is zeroed, its params and path are set; draws and events are made here. */
	void (*init)(struct object *obj);
	/* All objects are wired and routes known, nothing runs yet: what only the whole network tells of a parameter. */
	void (*wired)(const struct object *obj, struct model_check *c);
	/* All objects are wired; the clock stands at 0. */
	void (*start)(struct object *obj);
	/* A live parameter has just been changed in obj->params. */
	void (*changed)(struct object *obj, const struct param *p);
	void (*station_add)(struct object *obj, struct object *station);
	void (*station_remove)(struct object *obj, struct object *station);
	void (*describe)(const struct object *obj, struct model_describe *d);
	void (*audit)(const struct object *obj, struct model_audit *a);
	/*
	 * Record @i, from 0, that PROBE_STATION probes lie in, and the name of its station; NULL behind the
	 * last. A station that left keeps its record to the end of the run.
	 */
	void *(*station)(const struct object *obj, uint32_t i, const char **name);
	/*
	 * The measuring window opens: forget what was counted for metrics and is in no probe table, keep
	 * what audit needs. The table's own has been opened.
	 */
	void (*window_open)(struct object *obj);
	/* The window closes: settle what stands in no probe table at sim->now. */
	void (*window_close)(struct object *obj);
	void (*emit)(const struct object *obj, int64_t window, struct model_emit *e);
	/* Gives packets back, and memory that no other object's fini comes to. */
	void (*fini)(struct object *obj);
	/* Every fini has run: gives back what they could still come to, as a pool that others' objects lie in. */
	void (*release)(struct object *obj);
};

struct model_class {
	const struct model_kind *kind;
	const char *name; /* "fq_codel" */
	const char *doc; /* one line */
	const char *source; /* standard and clause, kernel file and version, paper */
	const char *not_modelled; /* what users must know is left out; several lines */
	size_t size; /* of the instance, whose first member is struct object */
	size_t params_size;
	const struct param *params;
	const struct probe *probes;
	const struct model_ops *ops;
	const void *kind_ops;
	/*
	 * Of a model that runs a file of a Linux tree: its path there, and the library that has it, which a core
	 * puts into a copy of the class. Without one it cannot be made.
	 */
	const char *tree_file;
	const struct linux_library *library;
};

/* An instance: the first member of every model's struct. */
struct object {
	const struct model_class *cls;
	struct sim *sim;
	const char *path; /* "laptop.wlan0.qdisc" */
	void *params; /* cls->params_size bytes; the model reads, the scenario writes */
	struct object *owner; /* the object it is a part of, NULL at the top */
	uint32_t id; /* index in sim->objects */
	/*
	 * Set by the scenario between init and start: the name of a group of objects of one class ("up" of up1,
	 * up2, ...), whose instance probes are also told of the whole; NULL: in none. Kept, not copied.
	 */
	const char *group;
	struct profile_part *part; /* whose time is measured; NULL: not, see engine/profile.h */
};

/*
 * Makes an instance of @cls and calls its init. @path is copied; @params is kept, not copied. The object is freed by
 * objects_free() after every fini and release has run, in the reverse order of creation.
 */
struct object *object_new(struct sim *sim, const struct model_class *cls, const char *path,
			  void *params, struct object *owner);

/* The instance that a slot asks for; NULL when the slot is empty. */
struct object *object_from_slot(struct sim *sim, const struct slot *slot, struct object *owner);

void objects_start(struct sim *sim);
void objects_window_open(struct sim *sim);
void objects_window_close(struct sim *sim);
/* Calls every audit; a queue whose sum is off ends the run with its name. Returns packets held. */
uint64_t objects_audit(struct sim *sim);
void objects_free(struct sim *sim);

/* An ordered set of classes, names unique within a kind. */
struct registry {
	const struct model_class *const *classes; /* ends with NULL */
	struct cores *cores; /* loaded ones, see scenario/core.h; NULL: only what is linked in */
};

const struct model_class *registry_find(const struct registry *r, const struct model_kind *kind,
					const char *name);

#endif
