// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/expand.h"

#include <string.h>

#include "measure/metrics.h"
#include "scenario/bind.h"
#include "scenario/build.h"

/* "case a, laptop.wlan0.ring 8": the combination an error is about. */
static char *combo_name(const struct scenario *s, const struct combo *c)
{
	GString *text = g_string_new(NULL);

	if (c->kase >= 0)
		g_string_append_printf(text, "case %s", s->cases[c->kase].name);
	for (uint32_t i = 0; i < s->n_axes; i++)
		g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", s->axes[i].path,
				       s->axes[i].text[c->values[i]]);
	return g_string_free(text, FALSE);
}

static bool key_matches(const struct scenario *s, const struct config *c,
			const struct selector_key *key)
{
	json_t *is = config_param(c, key->path);
	bool match = false;

	for (uint32_t i = 0; is && i < key->n_values && !match; i++) {
		json_t *value = value_json_of(c, s->priv, key->path, key->values[i]);

		match = value && json_equal(is, value);
		json_decref(value);
	}
	json_decref(is);
	return match;
}

static void match_selectors(const struct scenario *s, const struct config *c, struct combo *combo)
{
	combo->matches = g_new0(bool, s->n_selectors + 1);
	for (uint32_t i = 0; i < s->n_selectors; i++) {
		const struct selector *sel = s->selectors[i];
		bool match = true;

		if (sel->case_name)
			match = combo->kase >= 0 &&
				!strcmp(s->cases[combo->kase].name, sel->case_name);
		for (uint32_t k = 0; k < sel->n_keys && match; k++)
			match = key_matches(s, c, &sel->keys[k]);
		combo->matches[i] = match;
	}
}

/* Adds what @own has against @combo, with the combination named where there are several. */
static void tell_combo(const struct scenario *s, const struct combo *combo,
		       const struct errors *own, struct errors *errors)
{
	char *name = combo_name(s, combo);

	for (guint i = 0; i < own->list->len; i++) {
		const struct error_entry *e = own->list->pdata[i];

		if (*name)
			errors_add(errors, e->place, "%s (with %s)", e->message, name);
		else
			errors_add(errors, e->place, "%s", e->message);
	}
	g_free(name);
}

static void bind_combo(const struct scenario *s, struct combo *combo, struct errors *errors)
{
	struct errors own;
	struct config *c;
	json_t *params;

	errors_init(&own);
	c = scenario_bind(s, combo->kase, combo->values, &own);
	if (!c) {
		tell_combo(s, combo, &own, errors);
		errors_clear(&own);
		return;
	}
	errors_clear(&own);
	params = config_params(c);
	combo->params = json_dumps(params, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(params);
	combo->core = g_strdup(c->core);
	match_selectors(s, c, combo);
	config_free(c);
}

/* How many combinations; 0 and an error when there are too many. */
static uint32_t count_combos(const struct scenario *s, struct errors *errors)
{
	uint64_t n = MAX(s->n_cases, 1);
	struct place place = {.at = {s->file, 0, 0}};

	if (s->priv->set_case >= 0)
		n = 1;
	for (uint32_t i = 0; i < s->n_axes && n <= EXPAND_MAX; i++)
		n *= s->axes[i].n_values;
	if (n && n * s->repeat <= EXPAND_MAX)
		return (uint32_t)n;
	errors_add(errors, place, "the sweep has more than %u runs", EXPAND_MAX);
	return 0;
}

struct expansion *scenario_expand(const struct scenario *s, struct errors *errors)
{
	uint32_t told = errors->n_told, n = count_combos(s, errors);
	struct expansion *x = g_new0(struct expansion, 1);

	x->scenario = s;
	x->n_combos = n;
	x->combos = g_new0(struct combo, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		struct combo *c = &x->combos[i];
		uint32_t rest = i;

		c->values = g_new0(uint32_t, s->n_axes + 1);
		for (uint32_t k = s->n_axes; k-- > 0;) {
			c->values[k] = rest % s->axes[k].n_values;
			rest /= s->axes[k].n_values;
		}
		c->kase = s->priv->set_case >= 0 ? s->priv->set_case
			  : s->n_cases		 ? (int32_t)rest
						 : -1;
		bind_combo(s, c, errors);
	}
	x->n_points = n * s->repeat;
	x->points = g_new0(struct point, x->n_points + 1);
	for (uint32_t i = 0; i < x->n_points; i++) {
		x->points[i].combo = i / s->repeat;
		x->points[i].seed = s->seed + i % s->repeat;
	}
	if (errors->n_told == told)
		return x;
	expansion_free(x);
	return NULL;
}

/* A network that is made only to see that it can be. */
struct trial {
	struct config *config;
	struct build *build;
	struct errors errors;
};

static void do_build(struct sim *sim, void *arg)
{
	struct trial *t = arg;

	t->build = build_network(sim, t->config, &t->errors);
}

/* False: it has been told. A simulator's own failure is the run's to tell. */
static bool try_combo(const struct scenario *s, const struct combo *combo, struct errors *errors)
{
	struct trial t = {0};
	bool well;

	errors_init(&t.errors);
	t.config = scenario_bind(s, combo->kase, combo->values, &t.errors);
	if (t.config) {
		struct sim *sim = sim_new(t.config->seed);

		(void)sim_call(sim, do_build, &t);
		metrics_clear(sim);
		objects_free(sim);
		build_free(t.build);
		sim_free(sim);
		config_free(t.config);
	}
	well = !errors_any(&t.errors);
	tell_combo(s, combo, &t.errors, errors);
	errors_clear(&t.errors);
	return well;
}

bool expansion_try(const struct expansion *x, struct errors *errors)
{
	const struct scenario *s = x->scenario;

	for (uint32_t i = 0; i < x->n_combos; i++) {
		uint32_t n_other = 0;

		for (uint32_t k = 0; k < s->n_axes; k++)
			n_other += x->combos[i].values[k] != 0;
		if (n_other <= 1 && !try_combo(s, &x->combos[i], errors))
			return false;
	}
	return true;
}

void expansion_free(struct expansion *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->n_combos; i++) {
		g_free(x->combos[i].values);
		g_free(x->combos[i].core);
		g_free(x->combos[i].matches);
		free(x->combos[i].params);
	}
	g_free(x->combos);
	g_free(x->points);
	g_free(x);
}

struct config *point_bind(const struct expansion *x, uint32_t point, struct errors *errors)
{
	const struct combo *combo = &x->combos[x->points[point].combo];
	struct config *c = scenario_bind(x->scenario, combo->kase, combo->values, errors);

	if (c)
		c->seed = x->points[point].seed;
	return c;
}

bool combo_matches(const struct expansion *x, uint32_t combo, const struct selector *sel)
{
	return x->combos[combo].matches[sel->id];
}
