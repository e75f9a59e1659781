// SPDX-License-Identifier: GPL-3.0-or-later
/* Values in canonical form: for a run's key, for comparison, for the effective configuration. */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/expand.h"
#include "scenario/units.h"

static json_t *scalar_json(const struct param *p, enum param_type type, int64_t value)
{
	char text[UNITS_TEXT_MAX];

	if (value == PARAM_UNSET)
		return json_null();
	if (type == PARAM_BOOL)
		return json_boolean(value);
	if (type == PARAM_INT)
		return json_integer(value);
	if (type == PARAM_ENUM) {
		for (const struct param_enum *e = p->values; e->name; e++)
			if (e->value == value)
				return json_string(e->name);
		return json_integer(value);
	}
	units_format(type, value, text);
	return json_string(text);
}

static json_t *queue_json(const struct queue_size *size)
{
	char text[UNITS_TEXT_MAX];

	if (size->value == PARAM_UNSET || size->unit == QUEUE_PACKETS)
		return scalar_json(NULL, PARAM_INT, size->value);
	units_format_queue(size, text);
	return json_string(text);
}

static json_t *per_ac_json(const struct param *p, const int64_t *v)
{
	json_t *o = json_object();

	json_object_set_new(o, "vo", scalar_json(p, p->element, v[AC_VO]));
	json_object_set_new(o, "vi", scalar_json(p, p->element, v[AC_VI]));
	json_object_set_new(o, "be", scalar_json(p, p->element, v[AC_BE]));
	json_object_set_new(o, "bk", scalar_json(p, p->element, v[AC_BK]));
	return o;
}

static bool is_default(const struct bound_value *v);

/* The values that are not default, by name. */
static json_t *object_json(const struct bound_value *v, uint32_t n)
{
	json_t *o = json_object();

	for (uint32_t i = 0; i < n; i++)
		if (!is_default(&v[i]))
			json_object_set_new(o, v[i].name ? v[i].name : v[i].param->name,
					    value_json(&v[i]));
	return o;
}

static json_t *slot_json(const struct bound *slot)
{
	json_t *o;

	if (!slot)
		return json_null();
	o = object_json(slot->values, slot->n_values);
	json_object_set_new(o, "model", json_string(slot->cls->name));
	return o;
}

json_t *value_json(const struct bound_value *v)
{
	const struct param *p = v->param;
	const char *text;
	json_t *o;

	switch (p->type) {
	case PARAM_STRING:
		text = *(const char *const *)v->ptr;
		return text ? json_string(text) : json_null();
	case PARAM_TABLE:
		text = ((const struct param_table *)v->ptr)->id;
		return text ? json_string(text) : json_null();
	case PARAM_REF:
		return v->node ? json_string(v->node->text) : json_null();
	case PARAM_SLOT:
		return slot_json(v->slot);
	case PARAM_STRUCT:
	case PARAM_MAP:
		return object_json(v->sub, v->n_sub);
	case PARAM_LIST:
		o = json_array();
		for (uint32_t i = 0; i < v->n_sub; i++)
			json_array_append_new(o, value_json(&v->sub[i]));
		return o;
	case PARAM_PER_AC:
		return per_ac_json(p, v->ptr);
	case PARAM_QUEUE_SIZE:
		return queue_json(v->ptr);
	default:
		return scalar_json(p, p->type, *(const int64_t *)v->ptr);
	}
}

/* ---- what differs from the default --------------------------------------------------------- */

static bool same_scalar(const struct param *p, const struct bound_value *v, const char *def)
{
	int64_t value;

	if (p->type == PARAM_BOOL)
		return *(const int64_t *)v->ptr == !strcmp(def, "true");
	if (p->type == PARAM_ENUM) {
		for (const struct param_enum *e = p->values; e->name; e++)
			if (!strcmp(e->name, def))
				return e->value == *(const int64_t *)v->ptr;
		return false;
	}
	return units_parse(p->type, def, &value, NULL) && value == *(const int64_t *)v->ptr;
}

/*
 * True when @v has the value that it would have without being written. A list, a map or a model with keys that
 * is written counts as different; at worst a run is done that was there already.
 */
static bool is_default(const struct bound_value *v)
{
	const struct param *p = v->param;
	struct queue_size size;
	const char *def;

	if (!v->node || v->origin <= ORIGIN_ERA)
		return true;
	def = v->def;
	switch (p->type) {
	case PARAM_STRUCT:
		for (uint32_t i = 0; i < v->n_sub; i++)
			if (!is_default(&v->sub[i]))
				return false;
		return true;
	case PARAM_STRING:
		return def && !g_strcmp0(*(const char *const *)v->ptr, def);
	case PARAM_REF:
		return def && !strcmp(v->node->text, def);
	case PARAM_SLOT:
		if (!def || !v->slot || strcmp(v->slot->cls->name, def))
			return false;
		for (uint32_t i = 0; i < v->slot->n_values; i++)
			if (!is_default(&v->slot->values[i]))
				return false;
		return true;
	case PARAM_LIST:
	case PARAM_MAP:
	case PARAM_TABLE:
	case PARAM_PER_AC:
		return false;
	case PARAM_QUEUE_SIZE:
		return def && units_parse_queue(def, true, &size, NULL) &&
		       !memcmp(&size, v->ptr, sizeof(size));
	default:
		return def && same_scalar(p, v, def);
	}
}

static void put(json_t *o, const char *head, const char *tail, json_t *value)
{
	char *path = g_strconcat(head, ".", tail, NULL);

	json_object_set_new(o, path, value);
	g_free(path);
}

/* Paths flat: "laptop.wlan0.qdisc.limit". */
static void flat(json_t *o, const char *path, const struct bound_value *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *name = v[i].name ? v[i].name : v[i].param->name;
		char *inner;

		if (is_default(&v[i]))
			continue;
		if (v[i].param->type == PARAM_STRUCT || v[i].param->type == PARAM_SLOT) {
			inner = g_strconcat(path, ".", name, NULL);
			if (v[i].slot) {
				json_object_set_new(o, inner, json_string(v[i].slot->cls->name));
				flat(o, inner, v[i].slot->values, v[i].slot->n_values);
			} else {
				flat(o, inner, v[i].sub, v[i].n_sub);
			}
			g_free(inner);
		} else {
			put(o, path, name, value_json(&v[i]));
		}
	}
}

static void flat_bound(json_t *o, const struct bound *b)
{
	flat(o, b->path, b->values, b->n_values);
}

static void node_params(json_t *o, const struct config *c, const struct config_node *node)
{
	json_t *names = json_array();

	if (strcmp(node->kernel, c->kernel))
		put(o, node->name, "kernel", json_string(node->kernel));
	for (uint32_t i = 0; i < node->host->n_values; i++)
		if (strcmp(node->host->cls->params[i].name, "kernel"))
			flat(o, node->name, &node->host->values[i], 1);
	for (uint32_t i = 0; i < node->n_protocols; i++)
		flat_bound(o, node->protocols[i]);
	for (uint32_t i = 0; i < node->n_interfaces; i++) {
		const struct config_interface *iface = &node->interfaces[i];

		json_array_append_new(names, json_string(iface->name));
		put(o, iface->netdev->path, "driver", json_string(iface->driver->cls->name));
		flat_bound(o, iface->netdev);
		flat_bound(o, iface->driver);
	}
	put(o, node->name, "interfaces", names);
}

static json_t *change_json(const struct change *c)
{
	json_t *o = json_object(), *sets;

	json_object_set_new(o, "at", scalar_json(NULL, PARAM_TIME, c->at));
	if (c->kind != CHANGE_SET) {
		json_object_set_new(o, c->kind == CHANGE_LEAVE ? "leave" : "join",
				    json_string(c->node->name));
		return o;
	}
	sets = json_object();
	for (uint32_t i = 0; i < c->n_sets; i++) {
		struct bound_value v = {.param = c->sets[i].param, .ptr = (void *)c->sets[i].value};

		json_object_set_new(sets, c->sets[i].path, value_json(&v));
	}
	json_object_set_new(o, "set", sets);
	return o;
}

static void top_list(json_t *o, const char *key, struct bound *const *list, uint32_t n)
{
	json_t *names = json_array();

	for (uint32_t i = 0; i < n; i++) {
		json_array_append_new(names, json_string(list[i]->path));
		put(o, list[i]->path, "model", json_string(list[i]->cls->name));
		flat_bound(o, list[i]);
	}
	json_object_set_new(o, key, names);
}

json_t *config_params(const struct config *c)
{
	json_t *o = json_object(), *names = json_array(), *changes;

	json_object_set_new(o, "kernel", json_string(c->kernel));
	json_object_set_new(o, "duration", scalar_json(NULL, PARAM_TIME, c->duration));
	if (c->warmup)
		json_object_set_new(o, "warmup", scalar_json(NULL, PARAM_TIME, c->warmup));
	for (uint32_t i = 0; i < c->n_nodes; i++) {
		json_array_append_new(names, json_string(c->nodes[i].name));
		node_params(o, c, &c->nodes[i]);
	}
	json_object_set_new(o, "nodes", names);
	top_list(o, "links", c->links, c->n_links);
	top_list(o, "traffic", c->traffic, c->n_traffic);
	if (c->n_changes) {
		changes = json_array();
		for (uint32_t i = 0; i < c->n_changes; i++)
			json_array_append_new(changes, change_json(&c->changes[i]));
		json_object_set_new(o, "changes", changes);
	}
	return o;
}

/* ---- one value ----------------------------------------------------------------------------- */

/* Of a path that stands for several the first. */
static char *first_of(const struct config *c, const char *path)
{
	GPtrArray *paths = config_paths(c, path);
	char *first = g_strdup(paths->len ? paths->pdata[0] : path);

	g_ptr_array_free(paths, TRUE);
	return first;
}

/* What is no parameter of a model: the scenario's own keys, counts, eras, models, drivers. */
static json_t *format_json(const struct config *c, const char *path)
{
	const char *dot = strrchr(path, '.');
	size_t len = dot ? (size_t)(dot - path) : 0;
	struct bound *bound = NULL;
	char *head;
	int64_t n = 0;

	if (!strcmp(path, "kernel"))
		return json_string(c->kernel);
	if (!strcmp(path, "core"))
		return json_string(c->core);
	if (!strcmp(path, "duration"))
		return scalar_json(NULL, PARAM_TIME, c->duration);
	if (!strcmp(path, "warmup"))
		return scalar_json(NULL, PARAM_TIME, c->warmup);
	if (!dot)
		return NULL;
	if (!strcmp(dot, ".count")) {
		for (uint32_t i = 0; i < c->n_nodes; i++)
			n += c->nodes[i].counted && strlen(c->nodes[i].counted) == len &&
			     !strncmp(c->nodes[i].counted, path, len);
		return json_integer(n);
	}
	head = g_strndup(path, len);
	if (!strcmp(dot, ".driver"))
		bound = config_find(c, head, "driver");
	else if (!strcmp(dot, ".model"))
		bound = config_find(c, head, NULL);
	if (!strcmp(dot, ".kernel"))
		for (uint32_t i = 0; i < c->n_nodes; i++)
			if (!strcmp(c->nodes[i].name, head)) {
				g_free(head);
				return json_string(c->nodes[i].kernel);
			}
	g_free(head);
	return bound ? json_string(bound->cls->name) : NULL;
}

json_t *config_param(const struct config *c, const char *path)
{
	char *one = first_of(c, path);
	const struct bound_value *v;
	json_t *value;

	v = config_value(c, one, NULL);
	if (v && v->param->type == PARAM_SLOT)
		value = v->slot ? json_string(v->slot->cls->name) : json_null();
	else
		value = v ? value_json(v) : format_json(c, one);
	g_free(one);
	return value;
}

static json_t *text_json(const char *path, const struct node *n)
{
	int64_t value;

	if ((!strcmp(path, "duration") || !strcmp(path, "warmup")) &&
	    units_parse(PARAM_TIME, n->text, &value, NULL))
		return scalar_json(NULL, PARAM_TIME, value);
	if (g_str_has_suffix(path, ".count") && units_parse(PARAM_INT, n->text, &value, NULL))
		return json_integer(value);
	return json_string(n->text);
}

json_t *value_json_of(const struct config *c, const struct scenario_priv *sp, const char *path,
		      const struct node *n)
{
	struct bind b = {.sp = (struct scenario_priv *)sp, .kernel = c->kernel};
	const struct bound_value *v;
	struct bound_value out = {0};
	struct errors errors;
	json_t *value = NULL;
	char *one = first_of(c, path);

	v = config_value(c, one, NULL);
	if (!v || v->param->type == PARAM_SLOT) {
		if (n->type == NODE_SCALAR)
			value = text_json(one, n);
		else if (node_get(n, "model") && node_get(n, "model")->type == NODE_SCALAR)
			value = json_string(node_get(n, "model")->text);
		g_free(one);
		return value;
	}
	errors_init(&errors);
	b.errors = &errors;
	b.arena = arena_new();
	b.nodes = node_map(b.arena, ORIGIN_FILE, (struct place){0});
	b.refs = g_array_new(FALSE, FALSE, sizeof(struct pending_ref));
	bind_value(&b, v->param, arena_alloc(b.arena, MAX(v->param->size, 64)), n,
		   (struct at){path, v->param->name}, &out);
	if (!errors_any(&errors))
		value = value_json(&out);
	g_array_free(b.refs, TRUE);
	arena_free(b.arena);
	errors_clear(&errors);
	g_free(one);
	return value;
}
