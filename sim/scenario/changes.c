// SPDX-License-Identifier: GPL-3.0-or-later
/* `changes:`: parameters that are set, stations that leave or join while the run goes. */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/fields.h"
#include "scenario/units.h"

/* Parameter structs as they will be after the changes so far, for the cross-checks. */
struct shadows {
	GHashTable *of; /* struct bound * -> its copy */
};

static void *shadow(struct bind *b, struct shadows *s, const struct bound *bound)
{
	void *copy = g_hash_table_lookup(s->of, bound);

	if (!copy) {
		copy = arena_alloc(b->arena, bound->cls->params_size);
		memcpy(copy, bound->params, bound->cls->params_size);
		g_hash_table_insert(s->of, (gpointer)bound, copy);
	}
	return copy;
}

static size_t value_size(const struct param *p)
{
	switch (p->type) {
	case PARAM_PER_AC:
		return AC_COUNT * sizeof(int64_t);
	case PARAM_QUEUE_SIZE:
		return sizeof(struct queue_size);
	case PARAM_STRING:
	case PARAM_REF:
	case PARAM_SLOT:
	case PARAM_STRUCT:
	case PARAM_LIST:
	case PARAM_MAP:
	case PARAM_TABLE:
		return 0; /* shapes the network or holds memory */
	default:
		return sizeof(int64_t);
	}
}

/* The live parameters of all objects, for "did you mean". */
static int live_names(struct bound *bound, void *arg)
{
	GPtrArray *names = arg;

	for (uint32_t i = 0; i < bound->n_values; i++)
		if (bound->cls->params[i].flags & PARAM_LIVE)
			g_ptr_array_add(names, g_strdup_printf("%s.%s", bound->path,
							       bound->cls->params[i].name));
	return 0;
}

static void no_such(struct bind *b, const struct node *key, const char *path)
{
	GPtrArray *names;
	char *allowed;

	/* what could not be bound cannot be found */
	if (b->unsound || errors_full(b->errors))
		return;
	names = g_ptr_array_new_with_free_func(g_free);
	config_foreach(b->config, live_names, names);
	allowed = allowed_names(path, (const char *const *)names->pdata, names->len);
	errors_add(b->errors, key->place, "changes: no parameter '%s'%s", path, allowed);
	g_free(allowed);
	g_ptr_array_free(names, TRUE);
}

struct shadow_check {
	struct bind *b;
	const struct bound *bound;
	const struct node *value;
};

static void shadow_error(void *arg, const char *param, const char *msg)
{
	const struct shadow_check *c = arg;

	errors_add(c->b->errors, c->value->place, "%s%s%s: after this change: %s", c->bound->path,
		   param ? "." : "", param ? param : "", msg);
}

static void check_after(struct bind *b, struct shadows *shadows, const struct change_set *set,
			const struct node *value)
{
	struct shadow_check arg = {b, set->target, value};
	struct model_check check = {
		.arg = &arg, .error = shadow_error, .kernel = b->config->kernel};
	size_t offset = (size_t)((char *)set->where - (char *)set->target->params);
	const struct model_class *cls = set->target->cls;
	char *copy = shadow(b, shadows, set->target);

	memcpy(copy + offset, set->value, set->size);
	if (cls->ops && cls->ops->check)
		cls->ops->check(copy, &check);
	if (!b->unsound)
		bind_member_changed(b, set->target, copy, &check);
}

static void set_one(struct bind *b, struct shadows *shadows, const struct node_pair *pair,
		    const char *path, GArray *out)
{
	const struct bound *owner = NULL;
	const struct bound_value *v = config_value(b->config, path, &owner);
	struct bound_value unused = {0};
	struct change_set set = {.path = path};
	uint32_t told = b->errors->n_told;
	void *value;

	if (!v) {
		no_such(b, pair->key, path);
		return;
	}
	set.size = value_size(v->param);
	if (!(v->param->flags & PARAM_LIVE) || !set.size) {
		errors_add(b->errors, pair->key->place,
			   "changes: '%s' cannot be changed while the run goes", path);
		return;
	}
	value = arena_alloc(b->arena, set.size);
	bind_value(b, v->param, value, pair->value, (struct at){owner->path, v->param->name},
		   &unused);
	if (b->errors->n_told != told)
		return;
	set.value = value;
	set.target = (struct bound *)owner;
	set.param = v->param;
	set.where = v->ptr;
	g_array_append_val(out, set);
	check_after(b, shadows, &set, pair->value);
}

/* "sta*.wlan0.rate" is one assignment for each of the nodes. */
static void set_path(struct bind *b, struct shadows *shadows, const struct node_pair *pair,
		     GArray *out)
{
	GPtrArray *paths = config_paths(b->config, pair->key->text);

	for (guint i = 0; i < paths->len; i++)
		set_one(b, shadows, pair, arena_strdup(b->arena, paths->pdata[i]), out);
	if (!paths->len)
		no_such(b, pair->key, pair->key->text);
	g_ptr_array_free(paths, TRUE);
}

static struct config_node *change_node(struct bind *b, const struct node *n)
{
	const char **names;
	char *allowed;

	for (uint32_t i = 0; n->type == NODE_SCALAR && i < b->config->n_nodes; i++)
		if (!strcmp(b->config->nodes[i].name, n->text))
			return &b->config->nodes[i];
	names = g_new0(const char *, b->config->n_nodes + 1);
	for (uint32_t i = 0; i < b->config->n_nodes; i++)
		names[i] = b->config->nodes[i].name;
	allowed = allowed_names(n->type == NODE_SCALAR ? n->text : "", names, b->config->n_nodes);
	errors_add(b->errors, n->place, "changes: no node '%s'%s",
		   n->type == NODE_SCALAR ? n->text : "?", allowed);
	g_free(allowed);
	g_free(names);
	return NULL;
}

static bool read_at(struct bind *b, const struct fields *f, struct change *c)
{
	char text[UNITS_TEXT_MAX];

	if (!field_units(f, "at", PARAM_TIME, true, &c->at))
		return false;
	if (c->at <= b->config->duration)
		return true;
	units_format(PARAM_TIME, b->config->duration, text);
	errors_add(b->errors, node_get(f->map, "at")->place,
		   "changes.at: read '%s', expected at most the duration of %s",
		   node_get(f->map, "at")->text, text);
	return false;
}

static bool read_change(struct bind *b, const struct node *n, struct change *c)
{
	static const char *const names[] = {"at", "set", "leave", "join", NULL};
	struct fields f = {b->errors, n, "changes"};
	const struct node *set, *leave, *join;
	bool good;

	if (!fields_check(&f, names))
		return false;
	c->place = n->place;
	good = read_at(b, &f, c);
	set = field(&f, "set", false);
	leave = field(&f, "leave", false);
	join = field(&f, "join", false);
	if (!set + !leave + !join != 2) {
		errors_add(b->errors, n->place, "changes: expected one of set, leave, join");
		return false;
	}
	c->kind = set ? CHANGE_SET : leave ? CHANGE_LEAVE : CHANGE_JOIN;
	if (set)
		return good && node_named(b->errors, set, "changes.set");
	c->node = change_node(b, leave ? leave : join);
	return good && c->node;
}

static void fill_sets(struct bind *b, struct shadows *shadows, const struct node *n,
		      struct change *c)
{
	GArray *sets = g_array_new(FALSE, FALSE, sizeof(struct change_set));
	const struct node *map = node_get(n, "set");

	for (uint32_t i = 0; i < map->n; i++)
		set_path(b, shadows, &map->pairs[i], sets);
	c->n_sets = sets->len;
	c->sets = ARENA_ARRAY(b->arena, struct change_set, sets->len);
	if (sets->len)
		memcpy(c->sets, sets->data, sets->len * sizeof(c->sets[0]));
	g_array_free(sets, TRUE);
}

void bind_changes(struct bind *b, const struct node *root)
{
	const struct node *list = node_list(b->errors, node_get(root, "changes"), "changes");
	struct shadows shadows = {g_hash_table_new(NULL, NULL)};
	struct config *c = b->config;
	const struct node **nodes;

	c->changes = ARENA_ARRAY(b->arena, struct change, list ? list->n : 0);
	nodes = ARENA_ARRAY(b->arena, const struct node *, list ? list->n : 0);
	for (uint32_t i = 0; list && i < list->n; i++) {
		struct change change = {0};
		uint32_t k = c->n_changes;

		if (!read_change(b, list->items[i], &change))
			continue;
		/* by time; equal times as they are written */
		for (; k && c->changes[k - 1].at > change.at; k--) {
			c->changes[k] = c->changes[k - 1];
			nodes[k] = nodes[k - 1];
		}
		c->changes[k] = change;
		nodes[k] = list->items[i];
		c->n_changes++;
	}
	for (uint32_t i = 0; i < c->n_changes; i++)
		if (c->changes[i].kind == CHANGE_SET)
			fill_sets(b, &shadows, nodes[i], &c->changes[i]);
	g_hash_table_destroy(shadows.of);
}
