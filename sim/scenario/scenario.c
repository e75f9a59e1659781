// SPDX-License-Identifier: GPL-3.0-or-later
/* A scenario from file to configurations. */
#include "scenario/scenario.h"

#include <string.h>

#include "scenario/bind.h"
#include "scenario/core.h"
#include "scenario/fields.h"
#include "scenario/metric-names.h"
#include "scenario/units.h"

#define REPEAT_MAX 100000

/* ---- the scenario's own keys --------------------------------------------------------------- */

static const char *const top_keys[] = {"name",	"about",       "kernel",  "duration", "warmup",
				       "seed",	"repeat",      "core",	  "include",  "nodes",
				       "links", "traffic",     "changes", "cases",    "sweep",
				       "plots", "calibration", "expect",  NULL};

static const char *const later_keys[] = {"when", "sample", "plugins", NULL};

static void check_top(struct scenario *s, struct errors *errors)
{
	const struct fields f = {errors, s->priv->root, ""};
	struct node rest = *s->priv->root;
	struct fields g = f;

	/* what is kept for later gets its own words */
	rest.n = 0;
	rest.pairs = ARENA_ARRAY(s->priv->arena, struct node_pair, f.map->n);
	for (uint32_t i = 0; i < f.map->n; i++) {
		const struct node *key = f.map->pairs[i].key;
		bool later = false;

		for (int k = 0; later_keys[k]; k++)
			later |= !strcmp(later_keys[k], key->text);
		if (later)
			errors_add(errors, key->place, "'%s' is reserved for later", key->text);
		else
			rest.pairs[rest.n++] = f.map->pairs[i];
	}
	g.map = &rest;
	fields_check(&g, top_keys);
	s->name = field_string(&f, "name", true);
	s->about = field_string(&f, "about", false);
	if (s->name && !name_valid(s->name))
		errors_add(errors, field(&f, "name", true)->place,
			   "name: read '%s', which is not of the form [a-z][a-z0-9_-]*", s->name);
}

static void bind_top(struct bind *b, const struct node *root)
{
	struct fields f = {b->errors, root, ""};
	const struct node *n = node_get(root, "kernel");
	struct config *c = b->config;
	int64_t seed = 1;

	c->kernel = n ? read_era(b, n, "kernel") : SCENARIO_KERNEL;
	if (!c->kernel)
		c->kernel = SCENARIO_KERNEL;
	if (field_units(&f, "duration", PARAM_TIME, true, &c->duration) && !c->duration)
		errors_add(b->errors, node_get(root, "duration")->place,
			   "duration: expected more than nothing");
	if (field_units(&f, "warmup", PARAM_TIME, false, &c->warmup) && c->warmup >= c->duration)
		errors_add(b->errors, node_get(root, "warmup")->place,
			   "warmup: expected less than the duration");
	field_units(&f, "seed", PARAM_INT, false, &seed);
	c->seed = (uint64_t)seed;
	c->core = node_get(root, "core") ? field_string(&f, "core", false) : "builtin";
	if (c->core && !name_valid(c->core)) {
		errors_add(
			b->errors, node_get(root, "core")->place,
			"core: read '%s', expected a name; files are given with --core NAME=FILE",
			c->core);
	}
	b->kernel = c->kernel;
}

/* ---- binding ------------------------------------------------------------------------------- */

/* Calls @fn for every override of a run, from weak to strong. */
static void each_override(const struct scenario *s, int32_t kase, const uint32_t *values,
			  void (*fn)(const struct override *ov, void *arg), void *arg)
{
	const struct scenario_priv *sp = s->priv;

	if (s->calibration)
		fn(&s->calibration->set, arg);
	if (kase < 0)
		kase = sp->set_case;
	for (uint32_t i = 0; kase >= 0 && i < s->cases[kase].n_overrides; i++)
		fn(&s->cases[kase].overrides[i], arg);
	for (uint32_t i = 0; values && i < s->n_axes; i++) {
		const struct scenario_axis *axis = &s->axes[sp->axis_order[i]];
		uint32_t value = values[sp->axis_order[i]];

		if (value < axis->n_values)
			fn(&axis->values[value], arg);
	}
	for (uint32_t i = 0; i < sp->n_sets; i++)
		fn(&sp->sets[i], arg);
}

static void collect(const struct override *ov, void *arg)
{
	g_ptr_array_add(arg, (gpointer)ov);
}

/* Takes the models of the core that is asked for. */
static void bind_core(struct bind *b, const struct node *root)
{
	const struct node *n = node_get(root, "core");
	struct config *c = b->config;
	const struct core *core;
	GError *err = NULL;

	if (!c->core || !name_valid(c->core))
		return;
	core = cores_get(b->sp->classes.reg->cores, c->core, &err);
	if (core) {
		c->core_files = core->sha256;
		core_use(core, c, b->errors);
		return;
	}
	errors_add(b->errors, n ? n->place : root->place, "%s", err->message);
	if (g_error_matches(err, CORE_LOAD_ERROR, CORE_LOAD_ERROR_MISSING))
		b->errors->no_core = true;
	g_error_free(err);
}

static struct config *bind_all(const struct scenario *s, int32_t kase, const uint32_t *values,
			       struct errors *errors)
{
	struct arena *a = arena_new();
	struct bind b = {.sp = s->priv, .arena = a, .errors = errors};
	struct overlay o = {.b = &b, .root = s->priv->root};
	GPtrArray *list = g_ptr_array_new();
	uint32_t told = errors->n_told;

	b.config = arena_alloc(a, sizeof(*b.config));
	b.config->arena = a;
	b.refs = g_array_new(FALSE, FALSE, sizeof(struct pending_ref));
	each_override(s, kase, values, collect, list);
	overlay_counts(&o, (const struct override *const *)list->pdata, list->len);
	overlay_groups(&o, (const struct override *const *)list->pdata, list->len);
	for (guint i = 0; i < list->len; i++)
		overlay_apply(&o, list->pdata[i]);
	g_ptr_array_free(list, TRUE);
	bind_top(&b, o.root);
	bind_network(&b, o.root);
	b.unsound = s->priv->torn || errors->n_told != told;
	if (!b.unsound)
		bind_refs(&b);
	if (!b.unsound && errors->n_told == told)
		bind_members(&b);
	bind_core(&b, o.root);
	bind_changes(&b, o.root);
	g_array_free(b.refs, TRUE);
	return b.config;
}

struct config *scenario_bind(const struct scenario *s, int32_t kase, const uint32_t *values,
			     struct errors *errors)
{
	uint32_t told = errors->n_told;
	struct config *c = s->priv->base;

	if (c && kase < 0 && (!values || !s->n_axes)) {
		s->priv->base = NULL;
		return c;
	}
	c = bind_all(s, kase, values, errors);
	if (errors->n_told == told)
		return c;
	config_free(c);
	return NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void read_set(struct scenario *s, const char *text, struct errors *errors)
{
	struct scenario_priv *sp = s->priv;
	const char *eq = strchr(text, '='), **names;
	struct override *ov = &sp->sets[sp->n_sets];
	char *allowed;

	ov->place.at.file = arena_printf(sp->arena, "--set %s", text);
	if (!eq || eq == text) {
		errors_add(errors, ov->place, "expected PATH=VALUE");
		return;
	}
	ov->path = arena_strndup(sp->arena, text, (size_t)(eq - text));
	ov->value = tree_read_value(sp->arena, eq + 1, ov->place.at.file, ORIGIN_SET, errors);
	if (!ov->value)
		return;
	if (strcmp(ov->path, "case")) {
		sp->n_sets++;
		return;
	}
	names = g_new0(const char *, s->n_cases + 1);
	for (uint32_t i = 0; i < s->n_cases; i++) {
		names[i] = s->cases[i].name;
		if (!strcmp(names[i], eq + 1))
			sp->set_case = (int32_t)i;
	}
	if (sp->set_case < 0) {
		allowed = allowed_names(eq + 1, names, s->n_cases);
		errors_add(errors, ov->place, "there is no case '%s'%s", eq + 1, allowed);
		g_free(allowed);
	}
	g_free(names);
}

/* Axes are applied with those that choose models first; the order of rows stays the document's. */
static void order_axes(struct scenario *s)
{
	struct arena *a = s->priv->arena;
	struct override *list = ARENA_ARRAY(a, struct override, s->n_axes);

	s->priv->axis_order = ARENA_ARRAY(a, uint32_t, s->n_axes);
	for (uint32_t i = 0; i < s->n_axes; i++)
		list[i].path = s->axes[i].path;
	overrides_sort(list, s->n_axes);
	for (uint32_t i = 0; i < s->n_axes; i++)
		for (uint32_t k = 0; k < s->n_axes; k++)
			if (list[i].path == s->axes[k].path)
				s->priv->axis_order[i] = k;
}

static void read_repeat(struct scenario *s, struct errors *errors)
{
	struct node *root = s->priv->root;
	int64_t repeat = 1, seed = 1;
	struct fields f;

	for (uint32_t i = 0; i < s->priv->n_sets; i++) {
		const struct override *ov = &s->priv->sets[i];

		if (!strcmp(ov->path, "seed") || !strcmp(ov->path, "repeat"))
			root = node_with(s->priv->arena, root, ov->path, (struct node *)ov->value);
	}
	f = (struct fields){errors, root, ""};
	if (field_units(&f, "repeat", PARAM_INT, false, &repeat) &&
	    (repeat < 1 || repeat > REPEAT_MAX))
		errors_add(errors, node_get(root, "repeat")->place, "repeat: expected 1 .. %d",
			   REPEAT_MAX);
	field_units(&f, "seed", PARAM_INT, false, &seed);
	s->repeat = (uint32_t)repeat;
	s->seed = (uint64_t)seed;
}

static void check_row(struct scenario *s, int32_t kase, const uint32_t *values, GArray *wanted,
		      struct errors *errors)
{
	uint32_t told = errors->n_told;
	struct config *c = bind_all(s, kase, values, errors);

	if (errors->n_told == told)
		metrics_look(wanted, c);
	config_free(c);
}

/* Every case and every value of every axis is bound once, so that all errors are told at once. */
static void check_all(struct scenario *s, struct errors *errors)
{
	uint32_t *values = g_new0(uint32_t, s->n_axes + 1);
	GArray *wanted = metrics_wanted(s);
	uint32_t told = errors->n_told;
	struct config *base = bind_all(s, -1, NULL, errors);

	if (errors->n_told == told)
		metrics_look(wanted, base);
	for (uint32_t i = 0; i < s->n_cases; i++)
		check_row(s, (int32_t)i, values, wanted, errors);
	for (uint32_t i = 0; i < s->n_axes; i++) {
		for (values[i] = 0; values[i] < s->axes[i].n_values; values[i]++)
			check_row(s, s->n_cases ? 0 : -1, values, wanted, errors);
		values[i] = 0;
	}
	if (errors->n_told == told)
		metrics_report(wanted, base, errors);
	g_array_free(wanted, TRUE);
	if (errors->n_told == told)
		s->priv->base = base;
	else
		config_free(base);
	g_free(values);
}

static struct scenario *new_scenario(const char *file, const struct registry *reg)
{
	struct arena *a = arena_new();
	struct scenario *s = arena_alloc(a, sizeof(*s));
	char *folder = g_path_get_dirname(file);

	s->priv = arena_alloc(a, sizeof(*s->priv));
	s->priv->arena = a;
	s->priv->set_case = -1;
	defaults_init(s->priv);
	classes_init(&s->priv->classes, reg, a);
	s->file = arena_strdup(a, file);
	s->folder = arena_strdup(a, folder);
	s->priv->folder = s->folder;
	g_free(folder);
	return s;
}

static struct scenario *finish(struct scenario *s, const char *const *sets, uint32_t n_sets,
			       uint32_t told, struct errors *errors)
{
	s->priv->torn = errors->n_told != told;
	if (s->priv->root) {
		check_top(s, errors);
		read_plan(s, errors);
		s->priv->sets = ARENA_ARRAY(s->priv->arena, struct override, n_sets);
		for (uint32_t i = 0; i < n_sets; i++)
			read_set(s, sets[i], errors);
		overrides_sort(s->priv->sets, s->priv->n_sets);
		read_expects(s, errors);
		read_repeat(s, errors);
		order_axes(s);
		check_all(s, errors);
	}
	if (errors->n_told == told)
		return s;
	scenario_free(s);
	return NULL;
}

struct scenario *scenario_load(const char *file, const struct registry *reg,
			       const char *const *sets, uint32_t n_sets, struct errors *errors)
{
	struct scenario *s = new_scenario(file, reg);
	uint32_t told = errors->n_told;

	s->priv->root = tree_read_file(s->priv->arena, s->file, s->folder, errors);
	return finish(s, sets, n_sets, told, errors);
}

struct scenario *scenario_load_text(const char *text, size_t len, const char *file,
				    const struct registry *reg, const char *const *sets,
				    uint32_t n_sets, struct errors *errors)
{
	struct scenario *s = new_scenario(file, reg);
	uint32_t told = errors->n_told;

	s->priv->root = tree_read_text(s->priv->arena, text, len, s->file, s->folder, errors);
	return finish(s, sets, n_sets, told, errors);
}

void scenario_free(struct scenario *s)
{
	struct arena *a;

	if (!s)
		return;
	a = s->priv->arena;
	config_free(s->priv->base);
	defaults_clear(s->priv);
	arena_free(a);
}
