// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/flent.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* What a file may grow to when unpacked: an hour at 50 ms has some 10 MB. */
#define FLENT_MAX (256u << 20)

bool flent_is(const char *path)
{
	return g_str_has_suffix(path, ".flent.gz") || g_str_has_suffix(path, ".flent");
}

static char *unpack(const char *path, size_t *len, GError **error)
{
	gzFile f = gzopen(path, "rbe");
	GByteArray *out = g_byte_array_new();
	guint8 buf[65536];
	int n = 0, code;

	if (!f) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", path,
			    g_strerror(errno));
		g_byte_array_unref(out);
		return NULL;
	}
	while (out->len <= FLENT_MAX && (n = gzread(f, buf, sizeof(buf))) > 0)
		g_byte_array_append(out, buf, (guint)n);
	if (n < 0 || out->len > FLENT_MAX) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: %s", path,
			    n < 0 ? gzerror(f, &code) : "too large");
		gzclose(f);
		g_byte_array_unref(out);
		return NULL;
	}
	gzclose(f);
	*len = out->len;
	g_byte_array_append(out, (const guint8 *)"", 1);
	return (char *)g_byte_array_free(out, FALSE);
}

/* The series that flent computes of others; they have no raw values. */
static bool is_computed(const char *name)
{
	static const char *const ends[] = {" avg", " sum", " fairness", " totals"};

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		if (g_str_has_suffix(name, ends[i]))
			return true;
	}
	return false;
}

/* UNIX seconds of "2016-10-13T03:35:25.042287Z". */
static bool parse_time(const char *text, double *t)
{
	GDateTime *dt = text ? g_date_time_new_from_iso8601(text, NULL) : NULL;

	if (!dt)
		return false;
	*t = (double)g_date_time_to_unix(dt) + g_date_time_get_microsecond(dt) / 1e6;
	g_date_time_unref(dt);
	return true;
}

static void read_raw(struct flent_series *s, const json_t *raw, double t0, bool has_t0)
{
	const json_t *entry;
	size_t i;

	s->t = g_new(double, json_array_size(raw) + 1);
	s->value = g_new(double, json_array_size(raw) + 1);
	json_array_foreach(raw, i, entry)
	{
		const json_t *t = json_object_get(entry, "t"), *val = json_object_get(entry, "val");

		if (!json_is_number(t) || !json_is_number(val))
			continue;
		if (!has_t0) {
			t0 = json_number_value(t);
			has_t0 = true;
		}
		s->t[s->n] = json_number_value(t) - t0;
		s->value[s->n++] = json_number_value(val);
	}
}

static void read_binned(struct flent_series *s, const json_t *values, const json_t *x)
{
	size_t n = MIN(json_array_size(values), json_array_size(x));

	s->t = g_new(double, n + 1);
	s->value = g_new(double, n + 1);
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_array_get(values, i);

		if (!json_is_number(v)) {
			s->lost += s->n > 0 && json_is_null(v);
			continue;
		}
		s->t[s->n] = json_number_value(json_array_get(x, i));
		s->value[s->n++] = json_number_value(v);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct flent_series *)a)->name,
		      ((const struct flent_series *)b)->name);
}

static void read_series(struct flent *f, const json_t *doc)
{
	const json_t *raw = json_object_get(doc, "raw_values");
	const json_t *meta = json_object_get(doc, "metadata");
	json_t *results = json_object_get(doc, "results"), *values;
	const char *name;
	double t0 = 0;
	bool has_t0 = parse_time(json_string_value(json_object_get(meta, "T0")), &t0);

	f->series = g_new0(struct flent_series, json_object_size(results) + 1);
	json_object_foreach(results, name, values)
	{
		struct flent_series *s = &f->series[f->n_series];
		const json_t *entries = json_object_get(raw, name);

		if (is_computed(name) || !json_is_array(values))
			continue;
		if (json_array_size(entries) > 0)
			read_raw(s, entries, t0, has_t0);
		else
			read_binned(s, values, json_object_get(doc, "x_values"));
		s->name = g_strdup(name);
		f->n_series++;
	}
	qsort(f->series, f->n_series, sizeof(*f->series), by_name);
}

struct flent *flent_read(const char *path, GError **error)
{
	size_t len = 0;
	char *text = unpack(path, &len, error);
	const json_t *meta;
	struct flent *f;
	json_error_t where;
	json_t *doc;

	if (!text)
		return NULL;
	doc = json_loadb(text, len, 0, &where);
	g_free(text);
	meta = json_object_get(doc, "metadata");
	if (!doc || !json_is_object(meta) || !json_is_object(json_object_get(doc, "results")) ||
	    !json_is_integer(json_object_get(doc, "version"))) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is no file of flent: %s",
			    path, doc ? "version, metadata or results are not there" : where.text);
		json_decref(doc);
		return NULL;
	}
	f = g_new0(struct flent, 1);
	f->path = g_strdup(path);
	f->test = g_strdup(json_string_value(json_object_get(meta, "NAME")));
	f->title = g_strdup(json_string_value(json_object_get(meta, "TITLE")));
	f->host = g_strdup(json_string_value(json_object_get(meta, "HOST")));
	f->local_host = g_strdup(json_string_value(json_object_get(meta, "LOCAL_HOST")));
	f->length = json_number_value(json_object_get(meta, "LENGTH"));
	read_series(f, doc);
	json_decref(doc);
	return f;
}

void flent_free(struct flent *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->n_series; i++) {
		g_free(f->series[i].name);
		g_free(f->series[i].t);
		g_free(f->series[i].value);
	}
	g_free(f->series);
	g_free(f->path);
	g_free(f->test);
	g_free(f->title);
	g_free(f->host);
	g_free(f->local_host);
	g_free(f);
}

bool flent_is_ping(const struct flent_series *s)
{
	return g_str_has_prefix(s->name, "Ping (ms)");
}

bool flent_is_tcp(const struct flent_series *s)
{
	return g_str_has_prefix(s->name, "TCP ");
}

bool flent_write(const char *path, const json_t *doc, GError **error)
{
	char *text = json_dumps(doc, JSON_REAL_PRECISION(15) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
	char *temp = g_strdup_printf("%s.tmp", path);
	/* No name and no time of the machine get into the header. */
	gzFile f = gzopen(temp, "wb9e");
	size_t len = strlen(text);
	bool ok = f && gzwrite(f, text, (unsigned)len) == (int)len;

	if (f && gzclose(f) != Z_OK)
		ok = false;
	if (ok && rename(temp, path) < 0)
		ok = false;
	if (!ok) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "cannot write %s: %s", path, g_strerror(errno));
		g_unlink(temp);
	}
	g_free(temp);
	free(text);
	return ok;
}
