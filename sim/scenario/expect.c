// SPDX-License-Identifier: GPL-3.0-or-later
/* `expect:`: what must come out. */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/fields.h"
#include "scenario/units.h"

#define MICRO 1000000

bool node_micro(struct errors *errors, const struct node *n, const char *what, int64_t *micro)
{
	if (n->type == NODE_SCALAR && !strcmp(n->text, ".inf")) {
		*micro = EXPECT_OPEN_HIGH;
		return true;
	}
	if (n->type == NODE_SCALAR && !strcmp(n->text, "-.inf")) {
		*micro = EXPECT_OPEN_LOW;
		return true;
	}
	return node_units(errors, n, what, PARAM_DECIMAL, micro);
}

/* ---- selectors ----------------------------------------------------------------------------- */

static void select_case(struct scenario *s, const struct node *n, struct selector *sel,
			const char *what, struct errors *errors)
{
	const char **names = g_new0(const char *, s->n_cases + 1);
	char *allowed, *read;

	for (uint32_t i = 0; i < s->n_cases; i++) {
		names[i] = s->cases[i].name;
		if (n->type == NODE_SCALAR && !strcmp(names[i], n->text))
			sel->case_name = names[i];
	}
	if (!sel->case_name) {
		read = node_what(n);
		allowed = allowed_names(n->type == NODE_SCALAR ? n->text : "", names, s->n_cases);
		errors_add(errors, n->place, "%s.case: there is no case %s%s", what, read, allowed);
		g_free(allowed);
		g_free(read);
	}
	g_free(names);
}

static void select_key(struct scenario *s, const struct node_pair *pair, struct selector_key *key,
		       const char *what, GPtrArray *paths, struct errors *errors)
{
	const struct node *v = pair->value;
	const struct node **values;
	bool known = false;
	char *allowed;

	key->path = pair->key->text;
	key->place = pair->key->place;
	key->n_values = v->type == NODE_SEQ ? v->n : 1;
	values = ARENA_ARRAY(s->priv->arena, const struct node *, key->n_values);
	for (uint32_t i = 0; i < key->n_values; i++)
		values[i] = v->type == NODE_SEQ ? v->items[i] : v;
	key->values = values;
	for (guint i = 0; i < paths->len && !known; i++)
		known = !strcmp(paths->pdata[i], key->path);
	if (known)
		return;
	allowed = allowed_names(key->path, (const char *const *)paths->pdata, paths->len);
	errors_add(errors, key->place, "%s.where: '%s' is varied by no axis and no case%s", what,
		   key->path, allowed);
	g_free(allowed);
}

static void read_selector(struct scenario *s, const struct node *map, struct selector *sel,
			  const char *what, struct errors *errors)
{
	const struct node *kase = node_get(map, "case"), *where = node_get(map, "where");
	char *inner = g_strdup_printf("%s.where", what);
	GPtrArray *paths;

	sel->id = s->n_selectors++;
	if (kase)
		select_case(s, kase, sel, what, errors);
	where = node_named(errors, where, inner);
	g_free(inner);
	if (!where)
		return;
	paths = plan_paths(s);
	sel->keys = ARENA_ARRAY(s->priv->arena, struct selector_key, where->n);
	for (uint32_t i = 0; i < where->n; i++)
		select_key(s, &where->pairs[i], &sel->keys[sel->n_keys++], what, paths, errors);
	g_ptr_array_free(paths, TRUE);
}

/* ---- bands --------------------------------------------------------------------------------- */

static void read_between(const struct fields *f, const struct node *n, struct expect *e)
{
	if (n->type != NODE_SEQ || n->n != 2) {
		errors_add(f->errors, n->place, "expect.between: expected [low, high]");
		return;
	}
	if (!node_micro(f->errors, n->items[0], "expect.between", &e->low) ||
	    !node_micro(f->errors, n->items[1], "expect.between", &e->high))
		return;
	if (e->low > e->high)
		errors_add(f->errors, n->place, "expect.between: the low end '%s' is above '%s'",
			   n->items[0]->text, n->items[1]->text);
}

/* "X of Y": what stands before and after " of ". */
static bool split_of(struct scenario *s, const struct node *n, struct node *head, struct node *tail)
{
	const char *of = n->type == NODE_SCALAR ? strstr(n->text, " of ") : NULL;

	*head = *n;
	*tail = *n;
	if (!of)
		return false;
	head->text = arena_strndup(s->priv->arena, n->text, (size_t)(of - n->text));
	tail->text = of + 4;
	return true;
}

static void read_reference(struct scenario *s, const struct fields *f, const struct node *n,
			   struct expect *e, const char *what)
{
	struct node head, tail;

	e->has_reference = split_of(s, n, &head, &tail);
	if (e->form == EXPECT_WITHIN)
		node_share(f->errors, &head, what, &e->tolerance);
	else if (node_units(f->errors, &head, what, PARAM_DECIMAL, &e->factor) && e->factor < MICRO)
		errors_add(f->errors, n->place, "%s: read '%s', expected a factor of at least 1",
			   what, head.text);
	if (e->has_reference)
		node_units(f->errors, &tail, what, PARAM_DECIMAL, &e->reference);
	if (e->has_reference == e->has_versus)
		errors_add(f->errors, n->place, "%s: read '%s', expected %s", what,
			   n->type == NODE_SCALAR ? n->text : "?",
			   e->has_versus ? "no 'of' beside versus: the other side is what it names"
					 : "'... of NUMBER', or versus to compare with");
}

static void read_window(const struct fields *f, const struct node *n, struct expect *e)
{
	if (n->type != NODE_SEQ || n->n != 2) {
		errors_add(f->errors, n->place, "expect.window: expected [from, to]");
		return;
	}
	if (!node_units(f->errors, n->items[0], "expect.window", PARAM_TIME, &e->window_from) ||
	    !node_units(f->errors, n->items[1], "expect.window", PARAM_TIME, &e->window_to))
		return;
	e->has_window = true;
	if (e->window_from >= e->window_to)
		errors_add(f->errors, n->place, "expect.window: it ends before it begins");
}

static void read_versus(struct scenario *s, const struct fields *f, struct expect *e)
{
	static const char *const names[] = {"case", "where", "metric", NULL};
	static const char *const as[] = {"value", "ratio", "difference", NULL};
	const struct node *n = field(f, "versus", false);
	struct fields v = {f->errors, n, "expect.versus"};

	e->as = (enum expect_as)field_choice(f, "as", as, AS_VALUE);
	if (!n) {
		if (e->as != AS_VALUE)
			errors_add(f->errors, f->map->place, "expect: 'as' without versus");
		return;
	}
	e->has_versus = true;
	if (!fields_check(&v, names))
		return;
	e->versus_metric = field_string(&v, "metric", false);
	read_selector(s, n, &e->versus, "expect.versus", f->errors);
	if (!e->versus_metric)
		e->versus_metric = e->metric;
	if (e->form == EXPECT_BETWEEN && e->as == AS_VALUE)
		errors_add(f->errors, n->place,
			   "expect: between beside versus needs 'as: ratio' or 'as: difference'");
	if (e->form != EXPECT_BETWEEN && e->as != AS_VALUE)
		errors_add(f->errors, n->place, "expect: 'as' goes with between only");
}

static void read_spread(const struct fields *f, struct expect *e)
{
	static const char *const others[] = {"between", "within", "factor", "versus", "as", "case"};
	const struct node *most = field(f, "at_most", true);

	if (most)
		node_share(f->errors, most, "expect.at_most", &e->tolerance);
	if (!e->at.n_keys)
		errors_add(f->errors, f->map->place,
			   "expect: spread needs 'where' with the rows that it is taken over");
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (node_get(f->map, others[i]))
			errors_add(f->errors, node_get(f->map, others[i])->place,
				   "expect: '%s' does not go with spread", others[i]);
}

static void read_form(struct scenario *s, const struct fields *f, struct expect *e)
{
	const struct node *between = field(f, "between", false),
			  *within = field(f, "within", false);
	const struct node *factor = field(f, "factor", false);
	int n = (between != NULL) + (within != NULL) + (factor != NULL);

	if (node_get(f->map, "at_most"))
		errors_add(f->errors, node_get(f->map, "at_most")->place,
			   "expect: 'at_most' goes with spread only");
	e->form = within ? EXPECT_WITHIN : factor ? EXPECT_FACTOR : EXPECT_BETWEEN;
	if (n != 1)
		errors_add(f->errors, f->map->place,
			   "expect: expected one of between, within, factor");
	read_versus(s, f, e);
	if (between)
		read_between(f, between, e);
	if (within)
		read_reference(s, f, within, e, "expect.within");
	if (factor)
		read_reference(s, f, factor, e, "expect.factor");
}

/* A row that a parameter was fitted to tells nothing about the model. */
static void check_calibrated(const struct scenario *s, const struct fields *f,
			     const struct expect *e)
{
	const struct scenario_calibration *c = s->calibration;
	const char *word;
	char *metric;

	if (!c || !c->on_case || e->has_versus || !e->metric ||
	    g_strcmp0(e->at.case_name, c->on_case))
		return;
	word = strchr(c->on, ',');
	if (!word)
		return;
	word += 1 + strspn(word + 1, " ");
	metric = g_strndup(word, strcspn(word, " "));
	if (*metric && strstr(e->metric, metric))
		errors_add(f->errors, f->map->place,
			   "expect: %s of case %s is what '%s' was fitted to, so it cannot be an "
			   "expectation",
			   e->metric, c->on_case, c->set.path);
	g_free(metric);
}

static void read_expect(struct scenario *s, const struct node *n, struct expect *e,
			struct errors *errors)
{
	static const char *const names[] = {"metric",  "spread", "case",    "where",  "over",
					    "versus",  "as",	 "between", "within", "factor",
					    "at_most", "window", "source",  NULL};
	static const char *const over[] = {"mean", "each", "median", NULL};
	struct fields f = {errors, n, "expect"};
	const struct node *window;
	GString *text;
	bool spread;

	e->place = n->place;
	if (!fields_check(&f, names))
		return;
	spread = field(&f, "spread", false);
	if (spread == (field(&f, "metric", false) != NULL))
		errors_add(errors, n->place, "expect: expected one of metric, spread");
	e->metric = field_string(&f, spread ? "spread" : "metric", false);
	e->over = (enum expect_over)field_choice(&f, "over", over, OVER_MEAN);
	e->source = field_string(&f, "source", false);
	window = field(&f, "window", false);
	if (window)
		read_window(&f, window, e);
	read_selector(s, n, &e->at, "expect", errors);
	if (spread) {
		e->form = EXPECT_SPREAD;
		read_spread(&f, e);
	} else {
		read_form(s, &f, e);
	}
	check_calibrated(s, &f, e);
	text = g_string_new(NULL);
	node_flow(n, text);
	e->text = arena_strdup(s->priv->arena, text->str);
	g_string_free(text, TRUE);
}

void read_expects(struct scenario *s, struct errors *errors)
{
	const struct node *list = node_list(errors, node_get(s->priv->root, "expect"), "expect");
	struct arena *a = s->priv->arena;

	s->expects = ARENA_ARRAY(a, struct expect, list ? list->n : 0);
	for (uint32_t i = 0; list && i < list->n; i++)
		read_expect(s, list->items[i], &s->expects[s->n_expects++], errors);
	s->selectors = ARENA_ARRAY(a, const struct selector *, s->n_selectors + 1);
	for (uint32_t i = 0; i < s->n_expects; i++) {
		const struct expect *e = &s->expects[i];

		s->selectors[e->at.id] = &e->at;
		if (e->has_versus)
			s->selectors[e->versus.id] = &e->versus;
	}
}
