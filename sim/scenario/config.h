/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run's configuration: what a scenario, one of its cases, one value of each axis and the command
 * line's --set come to, checked and bound to the parameter structs of the models. The network builder
 * reads this and nothing else.
 *
 * Everything hangs off the config's arena and is freed with config_free(). A config belongs to one run: the
 * run writes changes into the parameter structs.
 */
#ifndef WLANQ_SCENARIO_CONFIG_H
#define WLANQ_SCENARIO_CONFIG_H

#include "engine/model.h"
#include "scenario/error.h"

struct arena;
struct node;

/* Where a value came from, from weak to strong. */
enum origin {
	ORIGIN_DECLARED, /* the model's default */
	ORIGIN_ERA, /* the model's default for the node's kernel */
	ORIGIN_INCLUDE,
	ORIGIN_FILE,
	ORIGIN_CALIBRATION, /* the file's `calibration:` */
	ORIGIN_CASE,
	ORIGIN_AXIS,
	ORIGIN_SET,
	ORIGIN_COUNT
};

extern const char *const origin_names[ORIGIN_COUNT];

/* One parameter as it was bound. */
struct bound_value {
	const struct param *param;
	void *ptr; /* where it lies in the parameter struct */
	const struct node *node; /* what was read; NULL: a default */
	const char *name; /* key or index of an entry of a MAP or LIST; else NULL */
	const char *def; /* the declared default in effect as text, NULL: none */
	enum origin origin;
	uint32_t n_sub;
	struct bound_value *sub; /* fields of a STRUCT, entries of a LIST or MAP */
	struct bound *slot; /* PARAM_SLOT that holds a model */
};

/* A model with its filled parameter struct. */
struct bound {
	const struct model_class *cls;
	const char *path; /* "laptop", "laptop.wlan0", "laptop.wlan0.qdisc", "air", "bulk" */
	const char *group; /* "up" of up1, up2, ..., traffic of counted nodes; else NULL */
	void *params; /* cls->params_size bytes, writable, for object_new() */
	struct place place; /* of its mapping or name in the file */
	uint32_t n_values;
	struct bound_value *values; /* one an entry of cls->params, in its order */
	const struct node
		*chosen; /* the name that chose the class; NULL: a default, or no choice */
	struct object *obj; /* set by the builder when it has made the instance */
};

struct config_interface {
	const char *name; /* "wlan0" */
	struct bound *netdev; /* class netdev of kind interface */
	struct bound *driver; /* a class of kind driver; the same path as .netdev */
};

struct config_node {
	const char *name; /* "laptop", "sta3" */
	const char *counted; /* "sta" when it was made by `count`, else NULL */
	const char *kernel; /* its era */
	struct bound *host; /* class host of kind node */
	uint32_t n_protocols;
	struct bound **protocols; /* one a registered class of kind protocol, in registry order */
	uint32_t n_interfaces;
	struct config_interface *interfaces; /* in the order of the document */
};

/* A PARAM_REF to be filled in once the objects exist. */
struct config_ref {
	struct object **where;
	struct bound *target;
	const char *path; /* as it was resolved, "sta3.wlan0" */
	struct place place;
};

/* One assignment of a timed change. */
struct change_set {
	const char *path; /* "air.loss" */
	struct bound *target; /* whose parameter it is */
	const struct param *param; /* the entry of the class's table, for ops->changed() */
	void *where; /* in target->params */
	const void *value; /* to be copied there */
	size_t size;
};

enum change_kind { CHANGE_SET, CHANGE_LEAVE, CHANGE_JOIN };

/* `changes:`, in order of time, then of the document. */
struct change {
	sim_time at;
	enum change_kind kind;
	uint32_t n_sets;
	struct change_set *sets; /* CHANGE_SET */
	struct config_node *node; /* CHANGE_LEAVE, CHANGE_JOIN */
	struct place place;
};

struct config {
	struct arena *arena;
	const char *kernel;
	sim_time duration, warmup;
	uint64_t seed; /* of this run */
	const char *core; /* a name, never a path */
	const char *core_files; /* the hash that names it in results */

	uint32_t n_nodes, n_links, n_traffic, n_changes, n_refs;
	struct config_node *nodes; /* all in the order of the document, counted ones in a row */
	struct bound **links;
	struct bound **traffic;
	struct change *changes;
	struct config_ref *refs;
};

void config_free(struct config *c);

/*
 * The bound model at a dotted path, of a kind of this name (NULL: the first of any; at an interface's path
 * that is the netdev). NULL when there is none.
 */
struct bound *config_find(const struct config *c, const char *path, const char *kind);

/* The place of a parameter named with dots, of the deepest part that was given; NULL: of the object. */
struct place bound_place(const struct bound *bound, const char *param);

/*
 * Fills in every PARAM_REF from target->obj, which the builder has set. Returns NULL, or the first reference
 * whose object was not made.
 */
const struct config_ref *config_patch_refs(struct config *c);

/*
 * Calls @fn for every bound model: per node the host, its protocols, its interfaces (netdev, driver), each
 * followed by what its slots hold; then links, then traffic. Stops when @fn gives non-zero and gives that
 * back.
 */
int config_foreach(const struct config *c, int (*fn)(struct bound *b, void *arg), void *arg);

#endif
