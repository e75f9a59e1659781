// SPDX-License-Identifier: GPL-3.0-or-later
/* A further cell on the channel of an air: its own members and access point, the air's everything else. */
#include "wifi/bss.h"

#include <stdio.h>

struct cell_params {
	struct param_list members; /* of struct object * */
	struct object *air;
	int64_t mode; /* enum wifi_bss_mode */
	struct object *ap;
};

struct cell {
	struct object obj;
	struct bss bss;
};

static void *cell_join(struct object *link, const struct link_member *m, char *err, size_t err_len)
{
	struct cell *cell = (struct cell *)link;
	const struct cell_params *p = link->params;
	struct air *air = (struct air *)p->air;

	if (p->air->cls != &wifi_class) {
		snprintf(err, err_len, "%s is a link of model %s, not wifi", p->air->path,
			 p->air->cls->name);
		return NULL;
	}
	if (!cell->bss.air)
		bss_init(&cell->bss, air, link, p->mode == WIFI_ADHOC, p->ap);
	return bss_join(&cell->bss, m, err, err_len);
}

#define P(field) offsetof(struct cell_params, field)

static const struct param params[] = {
	{.name = "members",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = P(members),
	 .fields = air_member_element,
	 .size = sizeof(struct object *),
	 .doc = "the interfaces in it"},
	{.name = "air",
	 .type = PARAM_REF,
	 .kind = &kind_link,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = P(air),
	 .doc = "the link of model wifi whose channel and settings it shares"},
	BSS_PARAMS(struct cell_params),
	PARAM_END,
};

static const struct probe probes[] = {BSS_PROBES(struct cell), PROBE_END};

static const struct link_ops link_ops = {
	.medium = "wifi",
	.join = cell_join,
};

const struct model_class wifi_cell_class = {
	.kind = &kind_link,
	.name = "wifi_cell",
	.doc = "a further cell, with an access point of its own, on the channel of a wifi link",
	.source = "IEEE 802.11-2020 4.3 (overlapping basic service sets)",
	.not_modelled =
		"Cells on neighbouring channels; settings other than those of the link whose channel it is on.",
	.size = sizeof(struct cell),
	.params_size = sizeof(struct cell_params),
	.params = params,
	.probes = probes,
	.kind_ops = &link_ops,
};
