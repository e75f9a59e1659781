// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/plan.h"

#include <string.h>

#include "sweep/names.h"

/* Bytes of queues are followed only where somebody asks for them (measure/metrics.h). */
static bool costs_extra(const char *metric)
{
	const char *p = strstr(metric, ".bytes");

	return p && (p[6] == '\0' || p[6] == '.');
}

static void add_once(GPtrArray *list, const char *name)
{
	for (guint i = 0; i < list->len; i++) {
		if (strcmp(list->pdata[i], name) == 0)
			return;
	}
	g_ptr_array_add(list, (gpointer)name);
}

static void want(struct plan *p, const char *metric)
{
	if (metric && costs_extra(metric))
		add_once(p->wanted, metric);
}

/* What the runs must record beyond the usual: the union over all plots and expectations. */
static void plan_wanted(struct plan *p)
{
	const struct scenario *s = p->x->scenario;
	const char *const *name;

	p->wanted = g_ptr_array_new();
	p->series = g_ptr_array_new();
	for (uint32_t i = 0; i < s->n_plots; i++) {
		if (s->plots[i].kind == PLOT_SERIES)
			add_once(p->series, s->plots[i].metric);
		else
			want(p, s->plots[i].metric);
	}
	for (uint32_t i = 0; i < s->n_expects; i++) {
		want(p, s->expects[i].metric);
		want(p, s->expects[i].versus_metric);
	}
	for (name = p->opt->series; name && *name; name++)
		add_once(p->series, *name);
	names_sort(p->wanted);
	names_sort(p->series);
	p->wanted_json = json_array();
	for (guint i = 0; i < p->series->len; i++)
		json_array_append_new(p->wanted_json,
				      json_sprintf("series %s", (char *)p->series->pdata[i]));
	for (guint i = 0; i < p->wanted->len; i++)
		json_array_append_new(p->wanted_json, json_string(p->wanted->pdata[i]));
	g_ptr_array_add(p->wanted, NULL);
	g_ptr_array_add(p->series, NULL);
}

void plan_init(struct plan *p, const struct expansion *x, const struct sweep_options *opt)
{
	memset(p, 0, sizeof(*p));
	p->x = x;
	p->opt = opt;
	p->keys = g_malloc0((gsize)(x->n_points + 1) * sizeof(*p->keys));
	p->core_files = g_new0(const char *, x->n_combos + 1);
	for (uint32_t i = 0; i < x->n_combos; i++)
		p->core_files[i] = opt->core_files(opt->core_arg, x->combos[i].core);
	for (uint32_t i = 0; i < x->n_points; i++) {
		uint32_t combo = x->points[i].combo;

		store_key(p->keys[i], x->combos[combo].params, p->core_files[combo],
			  x->points[i].seed);
	}
	plan_wanted(p);
}

void plan_clear(struct plan *p)
{
	g_free(p->keys);
	g_free(p->core_files);
	g_ptr_array_unref(p->wanted);
	g_ptr_array_unref(p->series);
	json_decref(p->wanted_json);
}

const char *plan_case(const struct plan *p, uint32_t combo)
{
	int32_t kase = p->x->combos[combo].kase;

	return kase < 0 ? "" : p->x->scenario->cases[kase].name;
}

static json_t *plots_json(const struct scenario *s)
{
	json_t *plots = json_array();

	for (uint32_t i = 0; i < s->n_plots; i++) {
		const struct scenario_plot *sp = &s->plots[i];
		json_t *plot = json_object();

		json_object_set_new(plot, sp->kind == PLOT_CDF ? "cdf" : "series",
				    json_string(sp->metric));
		if (sp->by)
			json_object_set_new(plot, "by", json_string(sp->by));
		if (sp->title)
			json_object_set_new(plot, "title", json_string(sp->title));
		json_array_append_new(plots, plot);
	}
	return plots;
}

static json_t *row_json(const struct plan *p, uint32_t point)
{
	const struct scenario *s = p->x->scenario;
	uint32_t combo = p->x->points[point].combo;
	json_t *axes = json_array();

	for (uint32_t i = 0; i < s->n_axes; i++)
		json_array_append_new(axes,
				      json_string(s->axes[i].text[p->x->combos[combo].values[i]]));
	return json_pack("{s:s, s:o, s:I, s:s}", "case", plan_case(p, combo), "axes", axes, "seed",
			 (json_int_t)p->x->points[point].seed, "key", p->keys[point]);
}

static json_t *strings_json(const char *const *strings)
{
	json_t *list = json_array();

	for (; strings && *strings; strings++)
		json_array_append_new(list, json_string(*strings));
	return list;
}

json_t *plan_manifest(const struct plan *p)
{
	const struct scenario *s = p->x->scenario;
	json_t *axes = json_array(), *rows = json_array();
	json_t *sets = strings_json(p->opt->sets), *cores = strings_json(p->opt->cores);

	for (uint32_t i = 0; i < s->n_axes; i++)
		json_array_append_new(axes, json_string(s->axes[i].path));
	for (uint32_t i = 0; i < p->x->n_points; i++)
		json_array_append_new(rows, row_json(p, i));
	return json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "format", STORE_FORMAT,
			 "scenario", s->name, "about", s->about ? s->about : "", "file",
			 p->opt->file ? p->opt->file : "", "sets", sets, "cores", cores, "axes",
			 axes, "plots", plots_json(s), "rows", rows);
}

uint32_t *plan_jobs(const struct plan *p, uint32_t *n)
{
	uint32_t *jobs = g_new(uint32_t, p->x->n_points + 1);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	uint32_t number = 0;

	*n = 0;
	for (uint32_t i = 0; i < p->x->n_points; i++) {
		if (p->opt->combos && !p->opt->combos[p->x->points[i].combo])
			continue;
		if (!g_hash_table_add(seen, p->keys[i]))
			continue;
		if (number++ % p->opt->n_shards == p->opt->shard - 1)
			jobs[(*n)++] = i;
	}
	g_hash_table_unref(seen);
	return jobs;
}

static bool has_wanted(const struct plan *p, const json_t *run)
{
	const json_t *had = json_object_get(run, "wanted"), *want, *have;
	size_t i, j;

	json_array_foreach(p->wanted_json, i, want)
	{
		bool found = false;

		json_array_foreach(had, j, have) found |= json_equal(want, have);
		if (!found)
			return false;
	}
	return true;
}

bool plan_done(const struct plan *p, const struct store *s, uint32_t point)
{
	json_t *run = store_read_brief(s, p->keys[point], NULL);
	bool done = run &&
		    g_strcmp0(json_string_value(json_object_get(run, "status")), "ok") == 0 &&
		    json_is_object(json_object_get(run, "metrics")) && has_wanted(p, run);

	json_decref(run);
	return done;
}
