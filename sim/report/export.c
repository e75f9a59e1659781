// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export.h"

#include <string.h>

#include "report/group.h"
#include "sweep/csv.h"
#include "sweep/decimal.h"

/* What the lines of one row begin with. */
static char *row_prefix(const struct results *r, const struct result_row *row)
{
	GString *s = g_string_new(NULL);
	char seed[32];

	g_snprintf(seed, sizeof(seed), "%" G_GUINT64_FORMAT, row->seed);
	csv_append(s, row->kase, ',');
	csv_append(s, seed, ',');
	for (uint32_t i = 0; i < r->n_axes; i++)
		csv_append(s, row->axes[i], ',');
	return g_string_free(s, FALSE);
}

static void csv_line(GString *out, const char *prefix, const char *name, const json_t *value,
		     const json_t *weight)
{
	char text[MICRO_TEXT];
	int64_t micro;

	g_string_append(out, prefix);
	csv_append(out, name, ',');
	csv_append(out, decimal_from_json(value, &micro) ? micro_format(text, micro) : "", ',');
	g_string_append_printf(out, "%" JSON_INTEGER_FORMAT "\n",
			       weight ? json_integer_value(weight) : 1);
}

static void csv_run(GString *out, const char *prefix, const json_t *run)
{
	const char *name;
	json_t *d, *item;
	size_t i;

	json_object_foreach(json_object_get(run, "distributions"), name, d)
	{
		json_array_foreach(json_object_get(d, "samples"), i, item)
			csv_line(out, prefix, name, item, NULL);
		json_array_foreach(json_object_get(d, "buckets"), i, item) csv_line(
			out, prefix, name, json_array_get(item, 0), json_array_get(item, 1));
		if (json_integer_value(json_object_get(d, "lost")) > 0)
			csv_line(out, prefix, name, NULL, json_object_get(d, "lost"));
	}
}

GString *export_csv(const struct results *r, GError **error)
{
	GString *out = g_string_new("case,seed,");
	size_t head;

	for (uint32_t i = 0; i < r->n_axes; i++)
		csv_append(out, r->axes[i], ',');
	g_string_append(out, "distribution,value,weight\n");
	head = out->len;
	for (uint32_t i = 0; i < r->n_rows; i++) {
		char *prefix;
		json_t *run;

		if (!row_ok(&r->rows[i]))
			continue;
		run = results_run(r, &r->rows[i], error);
		if (!run) {
			g_string_free(out, TRUE);
			return NULL;
		}
		prefix = row_prefix(r, &r->rows[i]);
		csv_run(out, prefix, run);
		g_free(prefix);
		json_decref(run);
	}
	if (out->len == head) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "no run in %s has any sample",
			    r->store->dir);
		g_string_free(out, TRUE);
		return NULL;
	}
	return out;
}
