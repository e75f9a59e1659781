// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/show-param.h"

#include "scenario/units.h"

static const char *const type_names[] = {
	[PARAM_BOOL] = "true or false",	 [PARAM_INT] = "count",
	[PARAM_TIME] = "time",		 [PARAM_RATE] = "rate",
	[PARAM_BYTES] = "bytes",	 [PARAM_HZ] = "frequency",
	[PARAM_DBM] = "power",		 [PARAM_DB] = "gain",
	[PARAM_METRES] = "distance",	 [PARAM_PROB] = "probability",
	[PARAM_DECIMAL] = "number",	 [PARAM_STRING] = "string",
	[PARAM_ENUM] = "one of",	 [PARAM_REF] = "name of",
	[PARAM_SLOT] = "model of kind",	 [PARAM_STRUCT] = "map",
	[PARAM_LIST] = "list",		 [PARAM_MAP] = "map by name",
	[PARAM_PER_AC] = "per category", [PARAM_QUEUE_SIZE] = "queue size",
	[PARAM_TABLE] = "CSV file",
};

static void type_text(const struct param *p, GString *out)
{
	const char *units = units_allowed(p->type);

	g_string_append(out, type_names[p->type]);
	switch (p->type) {
	case PARAM_ENUM:
		for (const struct param_enum *e = p->values; e->name; e++)
			g_string_append_printf(out, "%s %s", e == p->values ? "" : ",", e->name);
		break;
	case PARAM_REF:
	case PARAM_SLOT:
		g_string_append_printf(out, " %s", p->kind->name);
		break;
	case PARAM_LIST:
	case PARAM_MAP:
		g_string_append(out, " of ");
		type_text(&p->fields[0], out);
		break;
	case PARAM_PER_AC:
		g_string_append_printf(out, " (vo vi be bk): %s", type_names[p->element]);
		units = units_allowed(p->element);
		if (*units)
			g_string_append_printf(out, " in %s", units);
		break;
	case PARAM_QUEUE_SIZE:
		g_string_append(out, p->flags & PARAM_UNIT_ANY ? " in packets, bytes or time"
							       : " in packets");
		break;
	default:
		if (p->type == PARAM_PROB)
			g_string_append(out, ", 0 to 1 or in %");
		else if (*units)
			g_string_append_printf(out, " in %s", units);
	}
}

char *param_default_text(const struct param *p)
{
	GString *out = g_string_new(NULL);

	if (p->flags & PARAM_REQUIRED)
		return g_string_free(g_string_append(out, "required"), FALSE);
	if (p->def)
		g_string_append(out, p->def);
	for (const struct param_era *e = p->eras; e && e->era; e++)
		g_string_append_printf(out, "%s%s from %s", out->len ? "; " : "", e->value, e->era);
	return g_string_free(out, FALSE);
}

static char *range_text(const struct param *p)
{
	enum param_type type = p->type == PARAM_PER_AC ? p->element : p->type;
	char lo[UNITS_TEXT_MAX], hi[UNITS_TEXT_MAX];

	if (type == PARAM_QUEUE_SIZE)
		type = PARAM_INT;
	if ((!p->min && !p->max) || type < PARAM_INT || type > PARAM_DECIMAL)
		return g_strdup("");
	units_format(type, p->min, lo);
	units_format(type, p->max, hi);
	if (p->max == INT64_MAX)
		return g_strdup_printf("at least %s", lo);
	return g_strdup_printf("%s .. %s", lo, hi);
}

static char *notes_text(const struct param *p)
{
	GString *out = g_string_new(NULL);

	if (p->flags & PARAM_LIVE)
		g_string_append(out, "live");
	if (p->linux_name)
		g_string_append_printf(out, "%sin Linux: %s", out->len ? ", " : "", p->linux_name);
	return g_string_free(out, FALSE);
}

static void clear_text(gpointer data)
{
	struct param_text *t = data;

	g_free(t->key);
	g_free(t->type);
	g_free(t->def);
	g_free(t->range);
	g_free(t->notes);
}

static void add(GArray *list, const struct param *p, const char *head, const char *tail);

static void add_table(GArray *list, const struct param *table, const char *head)
{
	for (const struct param *p = table; p && p->name; p++)
		add(list, p, head, p->name);
}

static void add(GArray *list, const struct param *p, const char *head, const char *tail)
{
	struct param_text t = {.doc = p->doc ? p->doc : ""};
	GString *type = g_string_new(NULL);
	const char *key;

	type_text(p, type);
	t.key = *head ? g_strdup_printf("%s.%s", head, tail) : g_strdup(tail);
	t.type = g_string_free(type, FALSE);
	t.def = param_default_text(p);
	t.range = range_text(p);
	t.notes = notes_text(p);
	key = t.key;
	g_array_append_val(list, t);
	if (p->type == PARAM_STRUCT) {
		add_table(list, p->fields, key);
	} else if ((p->type == PARAM_LIST || p->type == PARAM_MAP || p->type == PARAM_TABLE) &&
		   p->fields[0].type == PARAM_STRUCT) {
		char *inner = g_strconcat(key,
					  p->type == PARAM_MAP	   ? ".NAME"
					  : p->type == PARAM_TABLE ? ":"
								   : "[]",
					  NULL);

		add_table(list, p->fields[0].fields, inner);
		g_free(inner);
	}
}

GArray *param_texts(const struct param *table)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct param_text));

	g_array_set_clear_func(list, clear_text);
	add_table(list, table, "");
	return list;
}

/* ---- probes -------------------------------------------------------------------------------- */

char *probe_metrics(const struct probe *p)
{
	static const char *const stats = "{min,mean,p50,p90,p95,p99,max}";
	bool by_ac = p->scope == PROBE_AC || (p->scope == PROBE_STATION && p->stride);
	GString *out = g_string_new(p->scope == PROBE_STATION ? "sta.NAME" : "");

	if (*p->name)
		g_string_append_printf(out, "%s%s", out->len ? "." : "", p->name);
	if (by_ac)
		g_string_append(out, ".{vo,vi,be,bk}");
	switch (p->shape) {
	case PROBE_GAUGE:
	case PROBE_HISTOGRAM:
		g_string_append_printf(out, ".%s", stats);
		break;
	case PROBE_SAMPLES:
		g_string_append(out, ".{min,mean,p50,p90,p95,p99,max,mdev}");
		break;
	case PROBE_QUEUE:
		g_string_append_printf(out, "%s{packets,bytes,sojourn_ms}.%s", out->len ? "." : "",
				       stats);
		break;
	default:
		break;
	}
	return g_string_free(out, FALSE);
}

char *probe_kind(const struct probe *p)
{
	static const char *const shapes[] = {
		[PROBE_COUNTER] = "counter",
		[PROBE_GAUGE] = "gauge, weighted by time",
		[PROBE_SAMPLES] = "samples",
		[PROBE_HISTOGRAM] = "histogram",
		[PROBE_VALUE] = "value",
		[PROBE_QUEUE] = "queue",
		[PROBE_ANATOMY] = "anatomy (--anatomy)",
		[PROBE_JAIN] = "value",
		[PROBE_SHARES] = "shares of the whole",
	};
	static const char *const scopes[] = {[PROBE_INSTANCE] = "",
					     [PROBE_STATION] = ", by station",
					     [PROBE_AC] = ", by category"};

	return g_strdup_printf("%s%s", shapes[p->shape], scopes[p->scope]);
}
