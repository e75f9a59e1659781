// SPDX-License-Identifier: GPL-3.0-or-later
/* The kind of bql.c, apart from it: a loaded core brings its own bql.c, the kind stays this one. */
#include "net/bql.h"

const struct model_kind kind_queue_limit = {
	.name = "queue_limit",
	.doc = "limit of the bytes with a driver",
};

/* Never made: the netdev looks at the class alone. */
const struct model_class no_limit_class = {
	.kind = &kind_queue_limit,
	.name = "none",
	.doc = "no limit but the ring's",
	.source = "Linux before 3.3",
	.size = sizeof(struct object),
};
