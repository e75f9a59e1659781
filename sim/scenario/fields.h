/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format's own maps (a change, a plot, an expectation): their keys and plain values. */
#ifndef WLANQ_SCENARIO_FIELDS_H
#define WLANQ_SCENARIO_FIELDS_H

#include "scenario/tree.h"

/* A map being read; @what names it in messages ("expect"), "" is the scenario itself. */
struct fields {
	struct errors *errors;
	const struct node *map;
	const char *what;
};

/* True when @f->map is a map. Keys that are not in @names (NULL at the end) are errors. */
bool fields_check(const struct fields *f, const char *const *names);

/* The value of @key; an error when it is missing and @required. */
const struct node *field(const struct fields *f, const char *key, bool required);

/* A string, NULL when missing or bad. Numbers are taken as they are written. */
const char *field_string(const struct fields *f, const char *key, bool required);

/* One of @names: its index, or @missing. */
int field_choice(const struct fields *f, const char *key, const char *const *names, int missing);

/* A scalar with a unit; false when missing (no error unless @required) or bad. */
bool field_units(const struct fields *f, const char *key, enum param_type type, bool required,
		 int64_t *value);

/* A scalar node as a number of @type, with an error at it otherwise. */
bool node_units(struct errors *errors, const struct node *n, const char *what, enum param_type type,
		int64_t *value);

/* An error unless @n is a list; NULL then, and when @n is NULL. */
const struct node *node_list(struct errors *errors, const struct node *n, const char *what);
const struct node *node_named(struct errors *errors, const struct node *n, const char *what);

#endif
