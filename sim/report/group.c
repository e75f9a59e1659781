// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/group.h"

#include <string.h>

#include "measure/micro.h"
#include "scenario/error.h"

/* Keys are the axes by number, then these. */
#define KEY_CASE(r) ((int)(r)->n_axes)
#define KEY_SEED(r) ((int)(r)->n_axes + 1)

const char *axis_short(const struct results *r, uint32_t axis)
{
	const char *path = r->axes[axis], *end = path + strlen(path);

	for (;;) {
		bool shared = false;

		while (end > path && end[-1] != '.')
			end--;
		for (uint32_t i = 0; i < r->n_axes; i++)
			shared |= i != axis && g_str_has_suffix(r->axes[i], end);
		if (!shared || end == path)
			return end;
		end--;
	}
}

static bool has_cases(const struct results *r)
{
	return r->n_rows > 0 && *r->rows[0].kase;
}

static int find_key(const struct results *r, const char *by, GError **error)
{
	const char **names = g_new0(const char *, 2 * r->n_axes + 2);
	uint32_t n = 0;
	int key = -1;
	char *allowed;

	for (uint32_t i = 0; i < r->n_axes; i++) {
		names[n++] = r->axes[i];
		if (strcmp(by, r->axes[i]) == 0 || strcmp(by, axis_short(r, i)) == 0)
			key = (int)i;
	}
	if (has_cases(r))
		names[n++] = "case";
	names[n++] = "seed";
	if (strcmp(by, "seed") == 0)
		key = KEY_SEED(r);
	if (strcmp(by, "case") == 0 && has_cases(r))
		key = KEY_CASE(r);
	if (key < 0) {
		allowed = allowed_names(by, names, n);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "there is no key %s%s", by,
			    allowed);
		g_free(allowed);
	}
	g_free(names);
	return key;
}

static void append_part(GString *s, const char *name, const char *value)
{
	if (s->len > 0)
		g_string_append(s, ", ");
	if (name)
		g_string_append_printf(s, "%s = ", name);
	g_string_append(s, value);
}

static char *row_label(const struct results *r, const struct result_row *row, int key)
{
	GString *s = g_string_new(NULL);
	char seed[32];

	g_snprintf(seed, sizeof(seed), "%" G_GUINT64_FORMAT, row->seed);
	if (key == KEY_SEED(r))
		append_part(s, "seed", seed);
	if (*row->kase && (key < 0 || key == KEY_CASE(r)))
		append_part(s, NULL, row->kase);
	for (uint32_t i = 0; i < r->n_axes; i++) {
		if (key < 0 || key == (int)i)
			append_part(s, axis_short(r, i), row->axes[i]);
	}
	return g_string_free(s, FALSE);
}

/* Notes in @differs (an entry an axis, then the case) what is not the same in all rows of a group. */
static void group_differences(const struct results *r, const struct group *g, bool *differs)
{
	const struct result_row *first = g->rows->pdata[0];

	for (guint i = 1; i < g->rows->len; i++) {
		const struct result_row *row = g->rows->pdata[i];

		for (uint32_t axis = 0; axis < r->n_axes; axis++)
			differs[axis] |= strcmp(row->axes[axis], first->axes[axis]) != 0;
		differs[r->n_axes] |= strcmp(row->kase, first->kase) != 0;
	}
}

static char *find_pooled(const struct results *r, const struct groups *g)
{
	bool *differs = g_new0(bool, r->n_axes + 1);
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < g->list->len; i++)
		group_differences(r, g->list->pdata[i], differs);
	for (uint32_t i = 0; i <= r->n_axes; i++) {
		if (differs[i])
			append_part(s, NULL, i < r->n_axes ? axis_short(r, i) : "case");
	}
	g_free(differs);
	return g_string_free(s, s->len == 0);
}

static void group_free(void *p)
{
	struct group *g = p;

	g_free(g->label);
	g_ptr_array_unref(g->rows);
	g_free(g);
}

struct groups *groups_new(const struct results *r, const char *by, GError **error)
{
	int key = by ? find_key(r, by, error) : -1;
	GHashTable *known;
	struct groups *g;

	if (by && key < 0)
		return NULL;
	known = g_hash_table_new(g_str_hash, g_str_equal);
	g = g_new0(struct groups, 1);
	g->list = g_ptr_array_new_with_free_func(group_free);
	for (uint32_t i = 0; i < r->n_rows; i++) {
		char *label = row_label(r, &r->rows[i], key);
		struct group *group = g_hash_table_lookup(known, label);

		if (!group) {
			group = g_new0(struct group, 1);
			group->label = g_strdup(label);
			group->rows = g_ptr_array_new();
			g_ptr_array_add(g->list, group);
			g_hash_table_insert(known, group->label, group);
		}
		g_ptr_array_add(group->rows, &r->rows[i]);
		g_free(label);
	}
	g_hash_table_unref(known);
	g->pooled = find_pooled(r, g);
	return g;
}

void groups_free(struct groups *g)
{
	if (!g)
		return;
	g_ptr_array_unref(g->list);
	g_free(g->pooled);
	g_free(g);
}

uint32_t group_values(const struct group *g, const char *metric, double *out)
{
	uint32_t n = 0;

	for (guint i = 0; i < g->rows->len; i++) {
		int64_t micro;

		if (row_metric(g->rows->pdata[i], metric, &micro))
			out[n++] = (double)micro / 1e6;
	}
	return n;
}

int64_t group_mean(const struct group *g, const char *metric)
{
	__int128 sum = 0;
	int64_t n = 0, micro;

	for (guint i = 0; i < g->rows->len; i++) {
		if (!row_metric(g->rows->pdata[i], metric, &micro))
			continue;
		sum += micro;
		n++;
	}
	return micro_ratio(sum, (__int128)n * MICRO);
}

uint32_t group_ok(const struct group *g)
{
	uint32_t n = 0;

	for (guint i = 0; i < g->rows->len; i++)
		n += row_ok(g->rows->pdata[i]);
	return n;
}
