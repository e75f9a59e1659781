/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A YAML document as a tree, each node with its place. Read from libyaml's events, since its document API
 * loses where an alias stood. Aliases are expanded, `<<` merged and `include:` overlaid, so that what is left
 * is maps, sequences and scalars.
 *
 * A tree is not changed once it is read: a new version shares all but the path to what differs.
 */
#ifndef WLANQ_SCENARIO_TREE_H
#define WLANQ_SCENARIO_TREE_H

#include "scenario/arena.h"
#include "scenario/config.h"

#define TREE_DEPTH_MAX	  64
#define TREE_FILE_MAX	  (1u << 20) /* bytes */
#define TREE_NODES_MAX	  100000u /* after expansion of aliases and merges */
#define TREE_INCLUDES_MAX 16

enum node_type { NODE_SCALAR, NODE_SEQ, NODE_MAP };

struct node_pair {
	struct node *key; /* a scalar */
	struct node *value;
};

struct node {
	uint8_t type; /* enum node_type */
	uint8_t origin; /* enum origin */
	bool plain; /* a scalar without quotes */
	bool partial; /* a map that an override made: `model` may be missing */
	bool broken; /* an alias of nothing: told, and left out of its map or list */
	uint32_t n; /* items or pairs */
	struct place place;
	union {
		const char *text; /* NODE_SCALAR */
		struct node **items;
		struct node_pair *pairs;
	};
};

/*
 * Reads a file and what it includes. @folder is the one that includes must stay in. NULL when the file cannot be
 * read or is not YAML at all; other errors leave a tree of what is sound.
 */
struct node *tree_read_file(struct arena *a, const char *file, const char *folder,
			    struct errors *errors);

/* The same from memory; @folder NULL: include is an error. */
struct node *tree_read_text(struct arena *a, const char *text, size_t len, const char *file,
			    const char *folder, struct errors *errors);

/* A single value as it would stand in a flow context (a default, --set); all of its nodes get @origin. */
struct node *tree_read_value(struct arena *a, const char *text, const char *file,
			     enum origin origin, struct errors *errors);

/* The value of a key of a map; NULL when @n is NULL, no map, or has no such key. */
struct node *node_get(const struct node *n, const char *key);

/* New nodes in @a. */
struct node *node_scalar(struct arena *a, const char *text, enum origin origin, struct place place);
struct node *node_map(struct arena *a, enum origin origin, struct place place);

/* A deep copy with another origin. */
struct node *node_copy(struct arena *a, const struct node *n, enum origin origin);

/* A copy of the map @n in which @key has @value; @value NULL: in which it is gone. */
struct node *node_with(struct arena *a, const struct node *n, const char *key, struct node *value);

/*
 * @over laid upon @base: maps key by key, everything else replaced. A map whose `model` differs replaces the
 * whole map, since its keys belong to the other model.
 */
struct node *node_overlay(struct arena *a, struct node *base, struct node *over);

/* Nodes in @n, itself included. */
uint32_t node_count(const struct node *n);

/* What was read, for messages: "'12'", "a list", "a map". The caller frees it. */
char *node_what(const struct node *n);

/* Appends @n in flow style on one line. */
void node_flow(const struct node *n, GString *out);

/* ---- YAML 1.2 core scalars ----------------------------------------------------------------- */

enum scalar_class { SCALAR_NULL, SCALAR_BOOL, SCALAR_NUMBER, SCALAR_STRING };

enum scalar_class scalar_classify(const struct node *n);

/*
 * A hint when @n is a plain scalar that YAML 1.1 and 1.2 read differently (on, yes, True, 010), else NULL.
 */
const char *scalar_trap(const struct node *n);

#endif
