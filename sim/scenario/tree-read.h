/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the two halves of the reader: one text (tree-read.c), and files with what they include (tree-file.c). */
#ifndef WLANQ_SCENARIO_TREE_READ_H
#define WLANQ_SCENARIO_TREE_READ_H

#include "scenario/tree.h"

/* What all files of one scenario share. */
struct limits {
	struct arena *arena;
	struct errors *errors;
	char *folder; /* real path that includes must lie under; NULL: no includes */
	char *written; /* the same as it was given, made absolute */
	uint32_t n_nodes, n_includes;
	bool stopped; /* a limit was hit: what follows is not read */
};

/*
 * One YAML document of one text, aliases and merges done. NULL when it is empty, or with @lim->stopped when it is not
 * YAML or beyond a limit. @no_lines: places have no line, since the text stands in no file.
 */
struct node *tree_parse(struct limits *lim, const char *text, size_t len, const char *file,
			enum origin origin, bool no_lines);

/* At most @max bytes of a file; NULL and an error at @p otherwise. */
char *tree_slurp(const char *file, size_t max, size_t *len, struct place p, struct errors *errors);

/*
 * The file @name, given in the file @from (NULL: in none) of a scenario whose folder is @folder (NULL: it stands in no
 * file). NULL and an error at @p when there is none or it lies outside of the folder. To be freed.
 */
char *tree_inner_file(const char *from, const char *name, const char *folder, struct place p,
		      struct errors *errors);

#endif
