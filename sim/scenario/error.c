// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/error.h"

#include <string.h>

#define NAME_MAX_LEN 64 /* longer names are compared by their first letters */
#define LIST_MAX     24 /* names shown in a message */

static void entry_free(gpointer data)
{
	struct error_entry *e = data;

	g_free(e->file);
	g_free(e->via_file);
	g_free(e->message);
	g_free(e);
}

void errors_init(struct errors *e)
{
	e->list = g_ptr_array_new_with_free_func(entry_free);
	e->n_told = 0;
	e->n_more = 0;
	e->no_core = false;
}

void errors_clear(struct errors *e)
{
	g_ptr_array_free(e->list, TRUE);
	e->list = NULL;
}

/* A message without the object it is about: "sta1.wlan0.ring: read ..." */
static const char *message_core(const char *message)
{
	const char *colon = strstr(message, ": ");

	return colon && strcspn(message, " '") > (size_t)(colon - message) ? colon : message;
}

static bool entry_same(const struct error_entry *e, const struct place *p, const char *message)
{
	return e->place.at.line == p->at.line && e->place.at.col == p->at.col &&
	       e->place.via.line == p->via.line && e->place.via.col == p->via.col &&
	       !g_strcmp0(e->file, p->at.file) &&
	       !strcmp(message_core(e->message), message_core(message));
}

void errors_add(struct errors *e, struct place p, const char *fmt, ...)
{
	struct error_entry *entry;
	char *message;
	va_list ap;

	va_start(ap, fmt);
	message = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	e->n_told++;
	for (guint i = 0; i < e->list->len; i++) {
		if (entry_same(e->list->pdata[i], &p, message)) {
			g_free(message);
			return;
		}
	}
	if (e->list->len >= ERRORS_MAX) {
		e->n_more++;
		g_free(message);
		return;
	}
	entry = g_new0(struct error_entry, 1);
	entry->file = g_strdup(p.at.file);
	entry->via_file = g_strdup(p.via.file);
	entry->message = message;
	entry->place = p;
	entry->place.at.file = entry->file;
	entry->place.via.file = entry->via_file;
	g_ptr_array_add(e->list, entry);
}

bool errors_full(struct errors *e)
{
	if (e->list->len < ERRORS_MAX)
		return false;
	e->n_told++;
	e->n_more++;
	return true;
}

/* By file in order of first appearance would need a second pass; names sort well enough. */
static gint entry_compare(gconstpointer pa, gconstpointer pb)
{
	const struct error_entry *a = *(struct error_entry *const *)pa;
	const struct error_entry *b = *(struct error_entry *const *)pb;
	int c = g_strcmp0(a->file, b->file);

	if (c)
		return c;
	if (a->place.at.line != b->place.at.line)
		return a->place.at.line < b->place.at.line ? -1 : 1;
	if (a->place.at.col != b->place.at.col)
		return a->place.at.col < b->place.at.col ? -1 : 1;
	return strcmp(a->message, b->message);
}

static void text_mark(GString *out, const struct mark *m)
{
	g_string_append(out, m->file ? m->file : "scenario");
	if (m->line)
		g_string_append_printf(out, ":%u:%u", m->line, m->col);
}

GString *errors_text(const struct errors *e)
{
	GString *out = g_string_new(NULL);

	g_ptr_array_sort(e->list, entry_compare);
	for (guint i = 0; i < e->list->len; i++) {
		const struct error_entry *entry = e->list->pdata[i];

		text_mark(out, &entry->place.at);
		g_string_append_printf(out, ": %s", entry->message);
		if (entry->via_file) {
			g_string_append(out, " (used at ");
			text_mark(out, &entry->place.via);
			g_string_append_c(out, ')');
		}
		g_string_append_c(out, '\n');
	}
	if (e->n_more)
		g_string_append_printf(out, "and %u more errors\n", e->n_more);
	return out;
}

static json_t *json_mark(const struct mark *m)
{
	json_t *o = json_object();

	json_object_set_new(o, "file", json_string(m->file ? m->file : "scenario"));
	json_object_set_new(o, "line", json_integer(m->line));
	json_object_set_new(o, "col", json_integer(m->col));
	return o;
}

json_t *errors_json(const struct errors *e)
{
	json_t *list = json_array();

	g_ptr_array_sort(e->list, entry_compare);
	for (guint i = 0; i < e->list->len; i++) {
		const struct error_entry *entry = e->list->pdata[i];
		json_t *o = json_mark(&entry->place.at);

		json_object_set_new(o, "message", json_string(entry->message));
		if (entry->via_file)
			json_object_set_new(o, "via", json_mark(&entry->place.via));
		json_array_append_new(list, o);
	}
	return list;
}

/* Edit distance: insertions, deletions, substitutions. */
static uint32_t distance(const char *a, const char *b)
{
	uint32_t row[NAME_MAX_LEN + 1];
	size_t na = MIN(strlen(a), NAME_MAX_LEN), nb = MIN(strlen(b), NAME_MAX_LEN);

	for (size_t j = 0; j <= nb; j++)
		row[j] = (uint32_t)j;
	for (size_t i = 1; i <= na; i++) {
		uint32_t diagonal = row[0];

		row[0] = (uint32_t)i;
		for (size_t j = 1; j <= nb; j++) {
			uint32_t up = row[j];
			uint32_t change = diagonal + (a[i - 1] != b[j - 1]);

			row[j] = MIN(change, MIN(up, row[j - 1]) + 1);
			diagonal = up;
		}
	}
	return row[nb];
}

const char *nearest_name(const char *read, const char *const *names, uint32_t n)
{
	const char *best = NULL;
	uint32_t best_distance = UINT32_MAX;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t d, limit;

		if (!names[i] || !strcmp(names[i], read))
			continue;
		d = g_ascii_strcasecmp(read, names[i]) ? distance(read, names[i]) : 0;
		limit = (uint32_t)MAX(1, MAX(strlen(read), strlen(names[i])) / 3);
		if (d <= limit && d < best_distance) {
			best = names[i];
			best_distance = d;
		}
	}
	return best;
}

char *allowed_names(const char *read, const char *const *names, uint32_t n)
{
	const char *near = nearest_name(read, names, n);
	GString *out = g_string_new(NULL);
	uint32_t shown = 0, present = 0;

	for (uint32_t i = 0; i < n; i++)
		present += names[i] != NULL;
	if (present && (present <= LIST_MAX || !near)) {
		g_string_append(out, "; allowed: ");
		for (uint32_t i = 0; i < n && shown < LIST_MAX; i++) {
			if (!names[i])
				continue;
			g_string_append_printf(out, "%s%s", shown ? ", " : "", names[i]);
			shown++;
		}
		if (present > shown)
			g_string_append(out, ", ...");
	}
	if (near)
		g_string_append_printf(out, "; did you mean '%s'?", near);
	return g_string_free(out, FALSE);
}
