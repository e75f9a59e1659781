/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the files of this folder bind a tree to parameter structs. Not for others: they use scenario.h and
 * config.h.
 */
#ifndef WLANQ_SCENARIO_BIND_H
#define WLANQ_SCENARIO_BIND_H

#include "scenario/scenario.h"
#include "scenario/tree.h"

/* The classes that the format itself names, looked up once. */
struct classes {
	const struct registry *reg;
	const struct model_class *host; /* "host" of kind node */
	const struct model_class *netdev; /* "netdev" of kind interface */
	const struct model_class *def_driver; /* "ethernet" of kind driver */
	const struct model_class **protocols; /* of kind protocol, in registry order */
	uint32_t n_protocols;
};

/* A declared default as it was read: of this parameter, this text. */
struct default_scalar {
	const struct param *param;
	const char *text;
	int64_t value;
};

/* Makes and frees the two caches of defaults. */
struct scenario_priv;
void defaults_init(struct scenario_priv *sp);
void defaults_clear(struct scenario_priv *sp);

struct scenario_priv {
	struct arena *arena;
	struct classes classes;
	struct node *root; /* the document, includes laid under it */
	bool torn; /* parts of it could not be read: what is missing may be there */
	GHashTable *defaults; /* text of a compound default -> its tree */
	GHashTable *scalars; /* struct default_scalar, read once */
	GHashTable *tables; /* parameter and file -> struct param_table, read once */
	const char *folder; /* the scenario's: its files lie under it */
	uint32_t *axis_order; /* axes as they are applied */
	uint32_t n_sets;
	struct override *sets; /* --set, in their order */
	int32_t set_case; /* of --set case=NAME, -1: none */
	struct config *base; /* bound when all was checked, for who asks for it first; NULL: gone */
};

/* Fills @c from @reg; classes that are not there stay NULL. */
void classes_init(struct classes *c, const struct registry *reg, struct arena *a);

/* The class @name of the kind of that name, NULL when there is none. */
const struct model_class *class_find(const struct classes *c, const char *kind, const char *name);

/* Names of all classes of a kind, as "; allowed: ..." for a message about @read. To be freed. */
char *class_allowed(const struct classes *c, const char *kind, const char *read);

/* The entry @name of a parameter table, NULL when there is none. */
const struct param *param_find(const struct param *table, const char *name);
uint32_t param_count(const struct param *table);

/* The default of @p under @kernel as text, and whether the era gave it. NULL: none. */
const char *param_default(const struct param *p, const char *kernel, bool *by_era);

/* "a " or "an ", as @word wants it. */
const char *article(const char *word);

/* "2.6.32" as a number that grows with the kernel; -1 when it is none. Tables may name any kernel. */
int64_t kernel_number(const char *kernel);

/* Index in scenario_eras, -1 when it is none. */
int era_index(const char *kernel);

/* [a-z][a-z0-9_-]* */
bool name_valid(const char *name);

/* ---- one binding --------------------------------------------------------------------------- */

struct pending_ref {
	struct object **where;
	const struct model_kind *kind;
	const char *path;
	struct place place;
	const char *key; /* for messages: "air.members" */
};

struct bind {
	struct scenario_priv *sp;
	struct arena *arena;
	struct errors *errors;
	struct config *config;
	struct node *nodes; /* the map of nodes, counted ones expanded */
	const char **counted; /* for each of them the name it was counted from, or NULL */
	struct node *traffic; /* the map of traffic, that of counted nodes expanded */
	const char **groups; /* for each of it the name that it was expanded from, or NULL */
	const char *kernel; /* of what is being bound */
	struct place here; /* the object being bound: the place of its defaults */
	GArray *refs; /* struct pending_ref */
	bool unsound; /* the network had errors: what is missing may be there */
};

/* Which parameter of which object: "laptop.wlan0" and "qlen", of a nested one "members.0". */
struct at {
	const char *path, *key;
};

/* "air.members: ..." at @n, of a default at the object. */
void bind_bad(struct bind *b, const struct node *n, struct at at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* "air.members: read WHAT, expected @expected" */
void bind_bad_type(struct bind *b, const struct node *n, struct at at, const char *expected);

/* Binds a parameter of one value (scalar, string, reference, per category, queue size); false: it is another. */
bool bind_plain(struct bind *b, const struct param *p, void *ptr, const struct node *n,
		struct at at);

/* Binds the parameter @p from @n (NULL: its default) into @ptr. */
void bind_value(struct bind *b, const struct param *p, void *ptr, const struct node *n,
		struct at at, struct bound_value *v);

/* A bound for @cls with its params allocated, values not yet bound. */
struct bound *bound_new(struct bind *b, const struct model_class *cls, const char *path,
			struct place place);

/*
 * Binds one map to the tables of @n_bounds objects that share it (an interface: netdev and driver). Keys of
 * @reserved are someone else's. Unknown keys are errors. @map may be NULL: all defaults. @what names such an
 * object in messages. False when there were errors.
 */
bool bind_map(struct bind *b, const struct node *map, struct bound *const *bounds,
	      uint32_t n_bounds, const char *const *reserved, uint32_t n_reserved,
	      const char *what);

/*
 * Calls the class's cross-checks; all values are there and in range. Their errors get the places of the parameters.
 */
void bind_check(struct bind *b, struct bound *bound);

/* What a check of @arg->bound tells its errors to. */
struct check_arg {
	struct bind *b;
	const struct bound *bound;
};
struct model_check bind_checker(struct check_arg *arg);

/* Whether the members of links can be such; references are known. members.c */
void bind_members(struct bind *b);
/* The same of a timed change that gives @target these parameters. */
void bind_member_changed(struct bind *b, const struct bound *target, const void *params,
			 struct model_check *check);

/* Nodes, links and traffic of @root into b->config; counted nodes are expanded already. */
void bind_network(struct bind *b, const struct node *root);

/* @to becomes node @name, bound as @from is; @from has no references. */
void copy_node(struct bind *b, const struct config_node *from, const char *name,
	       struct config_node *to);

/* Checks the pending references and makes config->refs of them. */
void bind_refs(struct bind *b);

/* `changes:` of @root; after bind_network(). */
void bind_changes(struct bind *b, const struct node *root);

/* Checks the name of an era; NULL and an error when it is none. */
const char *read_era(struct bind *b, const struct node *n, const char *path);

/* ---- overrides ----------------------------------------------------------------------------- */

/* What overrides of all levels are applied to. */
struct overlay {
	struct bind *b;
	struct node *root;
};

/* `count:` of the nodes, with overrides "NAME.count" among @list applied first; sets b->nodes. */
void overlay_counts(struct overlay *o, const struct override *const *list, uint32_t n);

/*
 * Traffic from or to "sta*" becomes one for each node that it stands for, with overrides of `from` and `to` among
 * @list applied first; sets b->traffic. After overlay_counts().
 */
void overlay_groups(struct overlay *o, const struct override *const *list, uint32_t n);

/* Names of the nodes that "sta*" stands for: those counted from sta, else those whose names begin so. To be freed. */
GPtrArray *star_nodes(const struct bind *b, const char *text);

/*
 * Tells that @n, "sta*" or "sta*.wlan0" at @where, stands for no node, with the nearest that it may be; not so when
 * that is because of a count of 0.
 */
void star_unmatched(struct bind *b, const struct node *n, const char *where);

/* Applies one override with its @value's origin; "NAME.count" is passed over. */
void overlay_apply(struct overlay *o, const struct override *ov);

/* Sorts so that what selects a model comes before that model's keys, else in the given order. */
void overrides_sort(struct override *list, uint32_t n);

/* ---- values -------------------------------------------------------------------------------- */

/*
 * The paths that @path stands for: "sta*.wlan0.ring" is that of each station, "up.rate" and "up*.rate" that of each
 * member of a group of traffic; any other is itself. Empty when nothing matches. To be freed.
 */
GPtrArray *config_paths(const struct config *c, const char *path);

/* The value at a dotted path, and the object it belongs to. */
const struct bound_value *config_value(const struct config *c, const char *path,
				       const struct bound **owner);

/*
 * A value in canonical form: integers, booleans and names as such, what has a unit as text, lists as arrays,
 * structs, maps and models as objects of what is not default. A new reference.
 */
json_t *value_json(const struct bound_value *v);

/* What @n would be as the value of the parameter at @path, in the same form; NULL when it cannot be. */
json_t *value_json_of(const struct config *c, const struct scenario_priv *sp, const char *path,
		      const struct node *n);

/* ---- the parts of the file that are not the network ---------------------------------------- */

/* cases, sweep, plots, calibration and expect of the document into @s. */
void read_plan(struct scenario *s, struct errors *errors);
void read_expects(struct scenario *s, struct errors *errors);

/* Scenario-wide list of override paths for messages: axes and the keys of cases. To be freed. */
GPtrArray *plan_paths(const struct scenario *s);

/* "50%" as 10^-6; an error at @n otherwise. */
bool node_share(struct errors *errors, const struct node *n, const char *what, int64_t *share);

/* "12.5" as 10^-6, ".inf" and "-.inf" as the int64 limits; an error at @n otherwise. */
bool node_micro(struct errors *errors, const struct node *n, const char *what, int64_t *micro);

#endif
