// SPDX-License-Identifier: GPL-3.0-or-later
/* Look-ups in the declarations: classes by the name of their kind, parameters, defaults by era. */
#include "scenario/bind.h"

#include <string.h>

const char *const scenario_eras[] = {"2.6.32", "3.2", "3.6", "4.6", "6.1", "6.18", NULL};

const char *const origin_names[ORIGIN_COUNT] = {
	[ORIGIN_DECLARED] = "declared",
	[ORIGIN_ERA] = "era",
	[ORIGIN_INCLUDE] = "include",
	[ORIGIN_FILE] = "file",
	[ORIGIN_CASE] = "case",
	[ORIGIN_AXIS] = "axis",
	[ORIGIN_CALIBRATION] = "calibration",
	[ORIGIN_SET] = "set",
};

int era_index(const char *kernel)
{
	for (int i = 0; scenario_eras[i]; i++)
		if (!strcmp(scenario_eras[i], kernel))
			return i;
	return -1;
}

const char *article(const char *word)
{
	return strchr("aeiou", *word) ? "an " : "a ";
}

int64_t kernel_number(const char *kernel)
{
	int64_t number = 0;
	int parts = 0;

	for (const char *p = kernel; parts < 3; parts++) {
		int64_t part = 0;

		if (!g_ascii_isdigit(*p))
			return -1;
		while (g_ascii_isdigit(*p) && part <= 999)
			part = part * 10 + (*p++ - '0');
		if (part > 999)
			return -1;
		number = number * 1000 + part;
		if (!*p)
			return parts == 0 ? number * 1000000 : parts == 1 ? number * 1000 : number;
		if (*p++ != '.')
			return -1;
	}
	return -1;
}

bool name_valid(const char *name)
{
	if (!g_ascii_islower(*name))
		return false;
	for (; *name; name++)
		if (!g_ascii_islower(*name) && !g_ascii_isdigit(*name) && *name != '_' &&
		    *name != '-')
			return false;
	return true;
}

static bool kind_is(const struct model_class *cls, const char *kind)
{
	return !strcmp(cls->kind->name, kind);
}

const struct model_class *class_find(const struct classes *c, const char *kind, const char *name)
{
	for (const struct model_class *const *p = c->reg->classes; *p; p++)
		if (!strcmp((*p)->name, name) && kind_is(*p, kind))
			return *p;
	return NULL;
}

char *class_allowed(const struct classes *c, const char *kind, const char *read)
{
	GPtrArray *names = g_ptr_array_new();
	char *text;

	for (const struct model_class *const *p = c->reg->classes; *p; p++)
		if (kind_is(*p, kind))
			g_ptr_array_add(names, (gpointer)(*p)->name);
	text = allowed_names(read, (const char *const *)names->pdata, names->len);
	g_ptr_array_free(names, TRUE);
	return text;
}

void classes_init(struct classes *c, const struct registry *reg, struct arena *a)
{
	uint32_t n = 0;

	memset(c, 0, sizeof(*c));
	c->reg = reg;
	for (const struct model_class *const *p = reg->classes; *p; p++)
		n += kind_is(*p, "protocol");
	c->protocols = ARENA_ARRAY(a, const struct model_class *, n);
	for (const struct model_class *const *p = reg->classes; *p; p++)
		if (kind_is(*p, "protocol"))
			c->protocols[c->n_protocols++] = *p;
	c->host = class_find(c, "node", "host");
	c->netdev = class_find(c, "interface", "netdev");
	c->def_driver = class_find(c, "driver", "ethernet");
}

const struct param *param_find(const struct param *table, const char *name)
{
	for (; table && table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

uint32_t param_count(const struct param *table)
{
	uint32_t n = 0;

	while (table && table[n].name)
		n++;
	return n;
}

const char *param_default(const struct param *p, const char *kernel, bool *by_era)
{
	const char *def = NULL;
	int64_t now = kernel && p->eras ? kernel_number(kernel) : -1;

	*by_era = false;
	for (const struct param_era *e = p->eras; e && e->era; e++) {
		if (kernel_number(e->era) > now)
			break;
		def = e->value;
		*by_era = true;
	}
	return def ? def : p->def;
}
