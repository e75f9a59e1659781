// SPDX-License-Identifier: GPL-3.0-or-later
/* cases, sweep, plots and calibration of the document. */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/fields.h"
#include "scenario/units.h"

GPtrArray *plan_paths(const struct scenario *s)
{
	GPtrArray *paths = g_ptr_array_new();

	for (uint32_t i = 0; i < s->n_axes; i++)
		g_ptr_array_add(paths, (gpointer)s->axes[i].path);
	for (uint32_t i = 0; i < s->n_cases; i++)
		for (uint32_t k = 0; k < s->cases[i].n_overrides; k++)
			g_ptr_array_add(paths, (gpointer)s->cases[i].overrides[k].path);
	return paths;
}

static void read_case(struct scenario *s, const struct node_pair *pair, struct scenario_case *c,
		      struct errors *errors)
{
	struct arena *a = s->priv->arena;
	const struct node *map = node_named(errors, pair->value, "cases");

	c->name = pair->key->text;
	c->place = pair->key->place;
	if (!name_valid(c->name))
		errors_add(errors, c->place,
			   "cases: the name '%s' is not of the form [a-z][a-z0-9_-]*", c->name);
	if (!map)
		return;
	c->overrides = ARENA_ARRAY(a, struct override, map->n);
	for (uint32_t i = 0; i < map->n; i++) {
		struct override *ov = &c->overrides[c->n_overrides++];

		ov->path = map->pairs[i].key->text;
		ov->place = map->pairs[i].key->place;
		ov->value = node_copy(a, map->pairs[i].value, ORIGIN_CASE);
	}
	overrides_sort(c->overrides, c->n_overrides);
}

static const char *flow_text(struct arena *a, const struct node *n)
{
	GString *text = g_string_new(NULL);
	const char *kept;

	if (n->type == NODE_SCALAR)
		g_string_append(text, n->text);
	else
		node_flow(n, text);
	kept = arena_strdup(a, text->str);
	g_string_free(text, TRUE);
	return kept;
}

static void read_axis(struct scenario *s, const struct node_pair *pair, struct scenario_axis *axis,
		      struct errors *errors)
{
	struct arena *a = s->priv->arena;
	const struct node *list;
	char *what = g_strdup_printf("sweep of %s", pair->key->text);

	axis->path = pair->key->text;
	axis->place = pair->key->place;
	list = node_list(errors, pair->value, what);
	g_free(what);
	if (!list)
		return;
	if (!list->n)
		errors_add(errors, list->place, "sweep of %s: no values", axis->path);
	axis->values = ARENA_ARRAY(a, struct override, list->n);
	axis->text = ARENA_ARRAY(a, const char *, list->n);
	for (uint32_t i = 0; i < list->n; i++) {
		struct override *ov = &axis->values[i];

		ov->path = axis->path;
		ov->place = axis->place;
		ov->value = node_copy(a, list->items[i], ORIGIN_AXIS);
		axis->text[i] = flow_text(a, list->items[i]);
		for (uint32_t k = 0; k < i && list->n <= 1000; k++)
			if (!strcmp(axis->text[k], axis->text[i]))
				errors_add(errors, list->items[i]->place,
					   "sweep of %s: '%s' stands twice", axis->path,
					   axis->text[i]);
	}
	axis->n_values = list->n;
}

/* ---- plots --------------------------------------------------------------------------------- */

static bool known_by(const struct scenario *s, const char *by)
{
	GPtrArray *paths;
	bool known = !strcmp(by, "case");

	for (uint32_t i = 0; i < s->n_axes && !known; i++)
		known = !strcmp(s->axes[i].path, by);
	if (known)
		return true;
	/* what only cases set can still tell curves apart */
	paths = plan_paths(s);
	for (guint i = 0; i < paths->len && !known; i++)
		known = !strcmp(paths->pdata[i], by);
	g_ptr_array_free(paths, TRUE);
	return known;
}

static void read_plot(const struct scenario *s, const struct node *n, struct scenario_plot *p,
		      struct errors *errors)
{
	static const char *const names[] = {"cdf", "series", "by", "title", NULL};
	struct fields f = {errors, n, "plots"};
	bool cdf, series;

	p->place = n->place;
	if (!fields_check(&f, names))
		return;
	cdf = field(&f, "cdf", false);
	series = field(&f, "series", false);
	if (cdf == series)
		errors_add(errors, n->place, "plots: expected one of cdf, series");
	p->kind = cdf ? PLOT_CDF : PLOT_SERIES;
	p->metric = field_string(&f, cdf ? "cdf" : "series", false);
	p->title = field_string(&f, "title", false);
	p->by = field_string(&f, "by", false);
	if (p->by && !known_by(s, p->by)) {
		GPtrArray *paths = plan_paths(s);
		char *allowed;

		g_ptr_array_add(paths, (gpointer) "case");
		allowed = allowed_names(p->by, (const char *const *)paths->pdata, paths->len);
		errors_add(errors, node_get(n, "by")->place, "plots.by: '%s' is not varied here%s",
			   p->by, allowed);
		g_free(allowed);
		g_ptr_array_free(paths, TRUE);
	}
}

/* ---- calibration --------------------------------------------------------------------------- */

/* "50%" as 10^-6; an error otherwise. */
bool node_share(struct errors *errors, const struct node *n, const char *what, int64_t *share)
{
	char *text = n->type == NODE_SCALAR ? g_strdup(n->text) : NULL;
	size_t len = text ? strlen(text) : 0;
	int64_t value;
	bool good = false;

	if (len > 1 && text[len - 1] == '%') {
		text[len - 1] = '\0';
		good = units_parse(PARAM_DECIMAL, text, &value, NULL) && value >= 0 &&
		       value % 100 == 0;
	}
	if (good)
		*share = value / 100;
	else
		errors_add(errors, n->place, "%s: read '%s', expected a percentage such as 8%%",
			   what, text ? text : "?");
	g_free(text);
	return good;
}

/* The case that "case NAME, goodput 2.80" speaks of. */
static void calibrated_case(const struct scenario *s, const struct node *n,
			    struct scenario_calibration *c, struct errors *errors)
{
	const char **names;
	char *name, *allowed;

	if (strncmp(c->on, "case ", 5))
		return;
	name = g_strndup(c->on + 5, strcspn(c->on + 5, ", "));
	names = g_new0(const char *, s->n_cases + 1);
	for (uint32_t i = 0; i < s->n_cases; i++) {
		names[i] = s->cases[i].name;
		if (!strcmp(names[i], name))
			c->on_case = names[i];
	}
	if (!c->on_case) {
		allowed = allowed_names(name, names, s->n_cases);
		errors_add(errors, node_get(n, "on")->place, "calibration.on: no case '%s'%s", name,
			   allowed);
		g_free(allowed);
	}
	g_free(names);
	g_free(name);
}

static void read_calibration(struct scenario *s, const struct node *list, struct errors *errors)
{
	static const char *const names[] = {"set", "value", "on", "because", "sensitivity", NULL};
	struct scenario_calibration *c = arena_alloc(s->priv->arena, sizeof(*c));
	struct fields f = {errors, NULL, "calibration"};
	const struct node *value, *sensitivity;

	if (list->n > 1)
		errors_add(errors, list->items[1]->place,
			   "calibration: %u parameters, at most one may be fitted", list->n);
	if (!list->n)
		return;
	f.map = list->items[0];
	if (!fields_check(&f, names))
		return;
	c->set.path = field_string(&f, "set", true);
	value = field(&f, "value", true);
	c->on = field_string(&f, "on", true);
	c->because = field_string(&f, "because", true);
	sensitivity = field(&f, "sensitivity", false);
	if (sensitivity)
		node_share(errors, sensitivity, "calibration.sensitivity", &c->sensitivity);
	if (!c->set.path || !value || !c->on)
		return;
	c->set.place = field(&f, "set", true)->place;
	c->set.value = node_copy(s->priv->arena, value, ORIGIN_CALIBRATION);
	calibrated_case(s, f.map, c, errors);
	s->calibration = c;
}

/* ---- all of it ----------------------------------------------------------------------------- */

void read_plan(struct scenario *s, struct errors *errors)
{
	const struct node *root = s->priv->root, *n;
	struct arena *a = s->priv->arena;

	n = node_named(errors, node_get(root, "cases"), "cases");
	s->cases = ARENA_ARRAY(a, struct scenario_case, n ? n->n : 0);
	for (uint32_t i = 0; n && i < n->n; i++)
		read_case(s, &n->pairs[i], &s->cases[s->n_cases++], errors);

	n = node_named(errors, node_get(root, "sweep"), "sweep");
	s->axes = ARENA_ARRAY(a, struct scenario_axis, n ? n->n : 0);
	for (uint32_t i = 0; n && i < n->n; i++)
		read_axis(s, &n->pairs[i], &s->axes[s->n_axes++], errors);

	n = node_list(errors, node_get(root, "plots"), "plots");
	s->plots = ARENA_ARRAY(a, struct scenario_plot, n ? n->n : 0);
	for (uint32_t i = 0; n && i < n->n; i++)
		read_plot(s, n->items[i], &s->plots[s->n_plots++], errors);

	n = node_list(errors, node_get(root, "calibration"), "calibration");
	if (n)
		read_calibration(s, n, errors);
}
