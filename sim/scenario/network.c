// SPDX-License-Identifier: GPL-3.0-or-later
/* Nodes, links and traffic of a document. */
#include "scenario/bind.h"

#include <string.h>

static const char *const reserved_names[] = {"run", "case", "seed", "core"};

static const struct node *section(struct bind *b, const struct node *root, const char *name)
{
	static const struct node none = {.type = NODE_MAP};
	const struct node *n = node_get(root, name);
	char *what;

	if (!n)
		return &none;
	if (n->type == NODE_MAP)
		return n;
	what = node_what(n);
	errors_add(b->errors, n->place, "%s: read %s, expected a map: name -> keys", name, what);
	g_free(what);
	return &none;
}

static void check_name(struct bind *b, const struct node *key, GHashTable *seen)
{
	const struct node *first;

	if (!name_valid(key->text))
		errors_add(b->errors, key->place,
			   "the name '%s' is not of the form [a-z][a-z0-9_-]*", key->text);
	for (size_t i = 0; i < G_N_ELEMENTS(reserved_names); i++)
		if (!strcmp(key->text, reserved_names[i]))
			errors_add(b->errors, key->place,
				   "the name '%s' is reserved (run, case, seed, core are)",
				   key->text);
	if (!seen)
		return;
	first = g_hash_table_lookup(seen, key->text);
	if (first)
		errors_add(
			b->errors, key->place,
			"the name '%s' is taken at line %u; nodes, links and traffic share one set "
			"of names",
			key->text, first->place.at.line);
	g_hash_table_insert(seen, (gpointer)key->text, (gpointer)key);
}

static const struct node *map_or_error(struct bind *b, const struct node *n, const char *path)
{
	char *what;

	if (n->type == NODE_MAP)
		return n;
	what = node_what(n);
	errors_add(b->errors, n->place, "%s: read %s, expected a map", path, what);
	g_free(what);
	return NULL;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static const struct model_class *driver_class(struct bind *b, const struct node *map,
					      const char *path)
{
	const struct node *name = node_get(map, "driver");
	const struct model_class *cls;
	char *allowed, *what;

	if (!name) {
		if (!b->sp->classes.def_driver)
			errors_add(b->errors, map->place, "%s: missing key 'driver'", path);
		return b->sp->classes.def_driver;
	}
	if (name->type != NODE_SCALAR) {
		what = node_what(name);
		errors_add(b->errors, name->place,
			   "%s.driver: read %s, expected a name; the driver's keys lie in the "
			   "interface itself",
			   path, what);
		g_free(what);
		return NULL;
	}
	cls = class_find(&b->sp->classes, "driver", name->text);
	if (cls)
		return cls;
	allowed = class_allowed(&b->sp->classes, "driver", name->text);
	errors_add(b->errors, name->place, "%s.driver: read '%s', no driver of that name%s", path,
		   name->text, allowed);
	g_free(allowed);
	return NULL;
}

static void bind_interface(struct bind *b, const char *node, const struct node_pair *pair,
			   struct config_interface *iface)
{
	static const char *const reserved[] = {"driver"};
	const char *path = arena_path(b->arena, node, pair->key->text);
	const struct node *map = map_or_error(b, pair->value, path);
	const struct model_class *cls;
	struct bound *both[2];
	char *what;

	iface->name = pair->key->text;
	check_name(b, pair->key, NULL);
	if (!map)
		return;
	cls = driver_class(b, map, path);
	if (!cls || !b->sp->classes.netdev)
		return;
	iface->netdev = both[0] = bound_new(b, b->sp->classes.netdev, path, pair->key->place);
	iface->driver = both[1] = bound_new(b, cls, path, pair->key->place);
	both[1]->chosen = node_get(map, "driver");
	what = g_strdup_printf("an interface with driver %s", cls->name);
	if (bind_map(b, map, both, 2, reserved, 1, what)) {
		bind_check(b, both[0]);
		bind_check(b, both[1]);
	}
	g_free(what);
}

static void bind_interfaces(struct bind *b, const struct node *map, struct config_node *node)
{
	const struct node *list = node_get(map, "interfaces");
	const struct classes *c = &b->sp->classes;

	list = list ? map_or_error(b, list, arena_path(b->arena, node->name, "interfaces")) : NULL;
	if (!list)
		return;
	node->interfaces = ARENA_ARRAY(b->arena, struct config_interface, list->n);
	for (uint32_t i = 0; i < list->n; i++) {
		const struct node *key = list->pairs[i].key;
		bool taken = !strcmp(key->text, "interfaces") || !strcmp(key->text, "kernel") ||
			     !strcmp(key->text, "count") ||
			     param_find(c->host->params, key->text) ||
			     class_find(c, "protocol", key->text);

		if (taken)
			errors_add(b->errors, key->place,
				   "an interface may not be called '%s': that is a key of the node",
				   key->text);
		bind_interface(b, node->name, &list->pairs[i], &node->interfaces[i]);
	}
	node->n_interfaces = list->n;
}

static void bind_protocols(struct bind *b, const struct node *map, struct config_node *node,
			   struct place place)
{
	const struct classes *c = &b->sp->classes;

	node->n_protocols = c->n_protocols;
	node->protocols = ARENA_ARRAY(b->arena, struct bound *, c->n_protocols);
	for (uint32_t i = 0; i < c->n_protocols; i++) {
		const struct model_class *cls = c->protocols[i];
		const char *path = arena_path(b->arena, node->name, cls->name);
		const struct node *keys = node_get(map, cls->name);

		keys = keys ? map_or_error(b, keys, path) : NULL;
		node->protocols[i] = bound_new(b, cls, path, keys ? keys->place : place);
		if (bind_map(b, keys, &node->protocols[i], 1, NULL, 0, cls->name))
			bind_check(b, node->protocols[i]);
	}
}

const char *read_era(struct bind *b, const struct node *n, const char *path)
{
	uint32_t count = 0;
	char *allowed, *what;

	if (n->type == NODE_SCALAR && era_index(n->text) >= 0)
		return n->text;
	while (scenario_eras[count])
		count++;
	what = node_what(n);
	allowed = allowed_names(n->type == NODE_SCALAR ? n->text : "", scenario_eras, count);
	errors_add(b->errors, n->place, "%s: read %s, no kernel that defaults are known for%s",
		   path, what, allowed);
	g_free(allowed);
	g_free(what);
	return NULL;
}

/* The host's own parameter `kernel`, where it has one, is the era in effect. */
static void host_kernel(struct bind *b, const struct node *root, const struct node *map,
			struct config_node *node)
{
	const struct param *p = param_find(node->host->cls->params, "kernel");
	const struct node *own = node_get(map, "kernel"), *top = node_get(root, "kernel");
	struct bound_value *v;

	if (!p || p->type != PARAM_STRING)
		return;
	v = &node->host->values[p - node->host->cls->params];
	*(const char **)v->ptr = node->kernel;
	v->node = own ? own : top;
	v->origin = v->node ? v->node->origin : ORIGIN_DECLARED;
}

static void bind_one_node(struct bind *b, const struct node *root, const struct node_pair *pair,
			  struct config_node *node)
{
	const struct classes *c = &b->sp->classes;
	const char *outer = b->kernel, **reserved;
	const struct node *map, *kernel;
	uint32_t n = 0;

	node->name = pair->key->text;
	map = map_or_error(b, pair->value, node->name);
	kernel = node_get(map, "kernel");
	if (kernel) {
		const char *era = read_era(b, kernel, arena_path(b->arena, node->name, "kernel"));

		b->kernel = era ? era : b->kernel;
	}
	node->kernel = b->kernel;
	reserved = g_new(const char *, c->n_protocols + 3);
	reserved[n++] = "interfaces";
	reserved[n++] = "kernel";
	reserved[n++] = "count";
	for (uint32_t i = 0; i < c->n_protocols; i++)
		reserved[n++] = c->protocols[i]->name;
	node->host = bound_new(b, c->host, node->name, pair->key->place);
	if (map) {
		struct node *rest = node_with(b->arena, map, "kernel", NULL);

		bool sound = bind_map(b, rest, &node->host, 1, reserved, n, "a node");

		host_kernel(b, root, map, node);
		bind_protocols(b, map, node, pair->key->place);
		bind_interfaces(b, map, node);
		if (sound)
			bind_check(b, node->host);
	}
	g_free(reserved);
	b->kernel = outer;
}

/* One by one, but for those that were counted from one map: these are copies, where that is sound. */
static void bind_nodes(struct bind *b, const struct node *root)
{
	struct config *c = b->config;
	const struct config_node *like = NULL; /* bound from @map, and can be copied */
	const struct node *map = NULL;

	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct node_pair *pair = &b->nodes->pairs[i];
		uint32_t told = b->errors->n_told;
		guint refs = b->refs->len;

		if (like && pair->value == map) {
			copy_node(b, like, pair->key->text, &c->nodes[i]);
			continue;
		}
		c->nodes[i].counted = b->counted[i];
		bind_one_node(b, root, pair, &c->nodes[i]);
		/* errors name the node, and references are kept by where they stand */
		map = pair->value;
		like = b->counted[i] && b->errors->n_told == told && b->refs->len == refs
			       ? &c->nodes[i]
			       : NULL;
	}
}

/* ---- links, traffic ------------------------------------------------------------------------ */

static struct bound *bind_modelled(struct bind *b, const char *kind, const struct node_pair *pair)
{
	static const char *const reserved[] = {"model"};
	const char *path = pair->key->text;
	const struct node *map = map_or_error(b, pair->value, path), *name;
	const struct model_class *cls = NULL;
	struct bound *bound;
	char *allowed;

	if (!map)
		return NULL;
	name = node_get(map, "model");
	if (name && name->type == NODE_SCALAR)
		cls = class_find(&b->sp->classes, kind, name->text);
	if (!cls) {
		allowed = class_allowed(&b->sp->classes, kind,
					name && name->type == NODE_SCALAR ? name->text : "");
		if (name) {
			char *what = node_what(name);

			errors_add(b->errors, name->place,
				   "%s.model: read %s, no %s of that name%s", path, what, kind,
				   allowed);
			g_free(what);
		} else {
			errors_add(b->errors, pair->key->place, "%s: missing key 'model'%s", path,
				   allowed);
		}
		g_free(allowed);
		return NULL;
	}
	bound = bound_new(b, cls, path, pair->key->place);
	bound->chosen = name;
	if (bind_map(b, map, &bound, 1, reserved, 1, cls->name))
		bind_check(b, bound);
	return bound;
}

/* @groups: of each entry, NULL: there are none. */
static struct bound **bind_section(struct bind *b, const struct node *list, const char *kind,
				   const char *const *groups, uint32_t *n)
{
	struct bound **bounds = ARENA_ARRAY(b->arena, struct bound *, list->n);

	*n = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		struct bound *bound = bind_modelled(b, kind, &list->pairs[i]);

		if (!bound)
			continue;
		bound->group = groups ? groups[i] : NULL;
		bounds[(*n)++] = bound;
	}
	return bounds;
}

void bind_network(struct bind *b, const struct node *root)
{
	const struct node *links = section(b, root, "links");
	const struct node *traffic = section(b, root, "traffic");
	struct config *c = b->config;
	GHashTable *seen;

	if (!b->sp->classes.host || !b->sp->classes.netdev) {
		struct place place = {.at = {"the models", 0, 0}};

		errors_add(b->errors, place,
			   "no class 'host' of kind node or 'netdev' of kind interface");
		return;
	}
	seen = g_hash_table_new(g_str_hash, g_str_equal);
	for (uint32_t i = 0; i < b->nodes->n; i++)
		check_name(b, b->nodes->pairs[i].key, seen);
	for (uint32_t i = 0; i < links->n; i++)
		check_name(b, links->pairs[i].key, seen);
	for (uint32_t i = 0; i < traffic->n; i++)
		check_name(b, traffic->pairs[i].key, seen);
	for (uint32_t i = 0; i < b->traffic->n; i++)
		if (b->groups[i])
			check_name(b, b->traffic->pairs[i].key, seen);
	g_hash_table_destroy(seen);

	c->n_nodes = b->nodes->n;
	c->nodes = ARENA_ARRAY(b->arena, struct config_node, c->n_nodes);
	bind_nodes(b, root);
	b->kernel = c->kernel;
	c->links = bind_section(b, links, "link", NULL, &c->n_links);
	c->traffic = bind_section(b, b->traffic, "traffic", b->groups, &c->n_traffic);
}
