// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/csv.h"
#include "sweep/decimal.h"
#include "sweep/names.h"

static const char *keep(struct results *r, const char *text)
{
	return g_string_chunk_insert_const(r->strings, text ? text : "");
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct result_metric *)a)->name,
		      ((const struct result_metric *)b)->name);
}

static void row_metrics(struct results *r, struct result_row *row, const json_t *metrics)
{
	const char *name;
	json_t *value;
	bool sorted = true;

	row->metrics = g_new(struct result_metric, json_object_size(metrics) + 1);
	json_object_foreach((json_t *)metrics, name, value)
	{
		struct result_metric *m = &row->metrics[row->n_metrics];

		if (!decimal_from_json(value, &m->micro))
			continue;
		m->name = keep(r, name);
		/* they are written in order */
		sorted &= !row->n_metrics || strcmp(m[-1].name, name) < 0;
		row->n_metrics++;
	}
	if (!sorted)
		qsort(row->metrics, row->n_metrics, sizeof(*row->metrics), by_name);
}

static void row_from_run(struct results *r, struct result_row *row)
{
	GError *error = NULL;
	json_t *run = store_read_brief(r->store, row->key, &error);
	const char *why;

	if (!run) {
		row->status = error ? "corrupt" : "missing";
		row->error = error ? keep(r, error->message) : NULL;
		g_clear_error(&error);
		return;
	}
	row->status = keep(r, json_string_value(json_object_get(run, "status")));
	why = json_string_value(json_object_get(run, "error"));
	row->error = why ? keep(r, why) : NULL;
	row_metrics(r, row, json_object_get(run, "metrics"));
	json_decref(run);
}

/* ---- rows of a folder without runs ---------------------------------------------------------- */

static char *row_name(const struct results *r, const char *kase, const char *seed,
		      const char *const *axes)
{
	GString *s = g_string_new(kase);

	g_string_append_printf(s, "\n%s", seed);
	for (uint32_t i = 0; i < r->n_axes; i++)
		g_string_append_printf(s, "\n%s", axes[i]);
	return g_string_free(s, FALSE);
}

static void row_from_fields(struct results *r, struct result_row *row, const GPtrArray *head,
			    const GPtrArray *fields)
{
	guint first = 3 + r->n_axes;

	row->status = keep(r, fields->pdata[2]);
	row->metrics = g_new(struct result_metric, fields->len);
	for (guint i = first; i < fields->len && i < head->len; i++) {
		struct result_metric *m = &row->metrics[row->n_metrics];

		if (!decimal_parse(fields->pdata[i], &m->micro))
			continue;
		m->name = keep(r, head->pdata[i]);
		row->n_metrics++;
	}
	qsort(row->metrics, row->n_metrics, sizeof(*row->metrics), by_name);
}

static bool rows_from_csv(struct results *r, GError **error)
{
	char *path = g_build_filename(r->store->dir, SUMMARY_NAME, NULL);
	GHashTable *by_row = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GPtrArray *lines = NULL, *head = NULL;
	char *text = NULL;
	bool ok = false;

	if (!g_file_get_contents(path, &text, NULL, error))
		goto out;
	lines = csv_parse(text, error);
	if (!lines)
		goto out;
	head = lines->len ? lines->pdata[0] : NULL;
	for (guint i = 1; i < lines->len; i++) {
		GPtrArray *f = lines->pdata[i];

		if (f->len >= 3 + r->n_axes)
			g_hash_table_insert(by_row,
					    row_name(r, f->pdata[0], f->pdata[1],
						     (const char *const *)f->pdata + 3),
					    f);
	}
	for (uint32_t i = 0; i < r->n_rows; i++) {
		struct result_row *row = &r->rows[i];
		char seed[32], *name;
		GPtrArray *f;

		g_snprintf(seed, sizeof(seed), "%" G_GUINT64_FORMAT, row->seed);
		name = row_name(r, row->kase, seed, row->axes);
		f = g_hash_table_lookup(by_row, name);
		g_free(name);
		if (f)
			row_from_fields(r, row, head, f);
		else
			row->status = "missing";
	}
	ok = true;
out:
	if (lines)
		g_ptr_array_unref(lines);
	g_hash_table_unref(by_row);
	g_free(text);
	g_free(path);
	return ok;
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool read_row(struct results *r, struct result_row *row, const json_t *item)
{
	const json_t *axes = json_object_get(item, "axes");
	const char *key = json_string_value(json_object_get(item, "key"));

	if (!key || !json_is_integer(json_object_get(item, "seed")) ||
	    json_array_size(axes) != r->n_axes)
		return false;
	row->kase = keep(r, json_string_value(json_object_get(item, "case")));
	row->seed = (uint64_t)json_integer_value(json_object_get(item, "seed"));
	row->key = keep(r, key);
	row->axes = g_new(const char *, r->n_axes + 1);
	for (uint32_t i = 0; i < r->n_axes; i++)
		row->axes[i] = keep(r, json_string_value(json_array_get(axes, i)));
	return true;
}

static bool read_manifest(struct results *r, const char *path, GError **error)
{
	json_error_t where;
	json_t *axes, *rows;

	r->manifest = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
	if (!r->manifest) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%d: %s", path, where.line,
			    where.text);
		return false;
	}
	axes = json_object_get(r->manifest, "axes");
	rows = json_object_get(r->manifest, "rows");
	if (json_integer_value(json_object_get(r->manifest, "format")) != STORE_FORMAT ||
	    !json_is_array(axes) || !json_is_array(rows))
		goto bad;
	r->name = keep(r, json_string_value(json_object_get(r->manifest, "scenario")));
	r->about = keep(r, json_string_value(json_object_get(r->manifest, "about")));
	r->file = keep(r, json_string_value(json_object_get(r->manifest, "file")));
	r->n_axes = (uint32_t)json_array_size(axes);
	r->axes = g_new(const char *, r->n_axes + 1);
	for (uint32_t i = 0; i < r->n_axes; i++)
		r->axes[i] = keep(r, json_string_value(json_array_get(axes, i)));
	r->rows = g_new0(struct result_row, json_array_size(rows) + 1);
	for (; r->n_rows < json_array_size(rows); r->n_rows++) {
		struct result_row *row = &r->rows[r->n_rows];

		row->index = r->n_rows;
		if (!read_row(r, row, json_array_get(rows, r->n_rows)))
			goto bad;
	}
	return true;
bad:
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: not the plan of a sweep", path);
	return false;
}

struct results *results_open(const char *dir, GError **error)
{
	struct results *r = g_new0(struct results, 1);
	char *path = g_build_filename(dir, MANIFEST_NAME, NULL);
	bool ok = false;

	r->strings = g_string_chunk_new(4096);
	r->store = store_open(dir, false, error);
	if (!r->store)
		goto out;
	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "%s is no result folder: it has no " MANIFEST_NAME
			    "; `wlanq sweep FILE -o %s` makes one",
			    dir, dir);
		goto out;
	}
	if (!read_manifest(r, path, error))
		goto out;
	if (g_file_test(r->store->runs, G_FILE_TEST_IS_DIR)) {
		for (uint32_t i = 0; i < r->n_rows; i++)
			row_from_run(r, &r->rows[i]);
		ok = true;
	} else {
		ok = rows_from_csv(r, error);
	}
out:
	g_free(path);
	if (!ok)
		g_clear_pointer(&r, results_free);
	return r;
}

void results_free(struct results *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->rows && i <= r->n_rows; i++) {
		g_free(r->rows[i].axes);
		g_free(r->rows[i].metrics);
		if (i == r->n_rows)
			break;
	}
	g_free(r->rows);
	g_free(r->axes);
	store_close(r->store);
	json_decref(r->manifest);
	g_string_chunk_free(r->strings);
	g_free(r);
}

/* ---- looking things up ---------------------------------------------------------------------- */

bool row_ok(const struct result_row *row)
{
	return strcmp(row->status, "ok") == 0;
}

bool row_metric(const struct result_row *row, const char *name, int64_t *micro)
{
	struct result_metric wanted = {.name = name};
	const struct result_metric *m;

	m = row->n_metrics ? bsearch(&wanted, row->metrics, row->n_metrics, sizeof(wanted), by_name)
			   : NULL;
	if (m)
		*micro = m->micro;
	return m != NULL;
}

int results_axis(const struct results *r, const char *path)
{
	for (uint32_t i = 0; i < r->n_axes; i++) {
		if (strcmp(r->axes[i], path) == 0)
			return (int)i;
	}
	return -1;
}

GPtrArray *results_metric_names(const struct results *r)
{
	/* Names are interned: one address a name. */
	GHashTable *seen = g_hash_table_new(g_direct_hash, g_direct_equal);
	GPtrArray *names = g_ptr_array_new();

	for (uint32_t i = 0; i < r->n_rows; i++) {
		for (uint32_t j = 0; j < r->rows[i].n_metrics; j++) {
			gpointer name = (gpointer)r->rows[i].metrics[j].name;

			if (g_hash_table_add(seen, name))
				g_ptr_array_add(names, name);
		}
	}
	g_hash_table_unref(seen);
	names_sort(names);
	return names;
}

GString *results_csv(const struct results *r)
{
	GPtrArray *names = results_metric_names(r);
	GString *out = g_string_new(NULL);
	char text[32];

	csv_append(out, "case", ',');
	csv_append(out, "seed", ',');
	csv_append(out, "status", r->n_axes + names->len ? ',' : '\n');
	for (uint32_t i = 0; i < r->n_axes; i++)
		csv_append(out, r->axes[i], i + 1 < r->n_axes || names->len ? ',' : '\n');
	for (guint i = 0; i < names->len; i++)
		csv_append(out, names->pdata[i], i + 1 < names->len ? ',' : '\n');
	for (uint32_t i = 0; i < r->n_rows; i++) {
		const struct result_row *row = &r->rows[i];
		uint32_t next = 0;

		if (strcmp(row->status, "missing") == 0)
			continue;
		csv_append(out, row->kase, ',');
		g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, row->seed);
		csv_append(out, text, ',');
		csv_append(out, row->status, r->n_axes + names->len ? ',' : '\n');
		for (uint32_t j = 0; j < r->n_axes; j++)
			csv_append(out, row->axes[j], j + 1 < r->n_axes || names->len ? ',' : '\n');
		for (guint j = 0; j < names->len; j++) {
			/* Both are sorted, and the names hold every one of the row's. */
			bool has = next < row->n_metrics &&
				   row->metrics[next].name == names->pdata[j];

			csv_append(out, has ? micro_format(text, row->metrics[next++].micro) : "",
				   j + 1 < names->len ? ',' : '\n');
		}
	}
	g_ptr_array_unref(names);
	return out;
}

json_t *results_run(const struct results *r, const struct result_row *row, GError **error)
{
	GError *why = NULL;
	json_t *run = store_read(r->store, row->key, &why);

	if (why)
		g_propagate_error(error, why);
	else if (!run)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "there is no run %s in %s",
			    row->key, r->store->runs);
	return run;
}
