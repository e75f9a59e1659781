// SPDX-License-Identifier: GPL-3.0-or-later
/* A bound configuration: looking things up in it, and its references. */
#include "scenario/config.h"

#include <string.h>

#include "scenario/bind.h"

void config_free(struct config *c)
{
	if (c)
		arena_free(c->arena);
}

/* Whether @path is @head, or goes on after it with a dot; *@rest is what follows. */
static bool path_head(const char *path, const char *head, const char **rest)
{
	size_t n = strlen(head);

	if (strncmp(path, head, n) || (path[n] && path[n] != '.'))
		return false;
	*rest = path[n] ? path + n + 1 : path + n;
	return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static const struct bound_value *in_values(const struct bound_value *v, uint32_t n,
					   const char *path, const struct bound **owner)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *name = v[i].name ? v[i].name : v[i].param ? v[i].param->name : NULL;
		const struct bound_value *found;
		const char *rest;

		if (!name || !path_head(path, name, &rest))
			continue;
		if (!*rest || (v[i].param->type == PARAM_SLOT && !strcmp(rest, "model")))
			return &v[i];
		if (v[i].slot) {
			found = in_values(v[i].slot->values, v[i].slot->n_values, rest, owner);
			if (found && !*owner)
				*owner = v[i].slot;
			return found;
		}
		return in_values(v[i].sub, v[i].n_sub, rest, owner);
	}
	return NULL;
}

static const struct bound_value *in_bound(const struct bound *b, const char *path,
					  const struct bound **owner)
{
	const struct bound *inner = NULL;
	const struct bound_value *v;

	if (!b)
		return NULL;
	v = in_values(b->values, b->n_values, path, &inner);
	if (v && owner)
		*owner = inner ? inner : b;
	return v;
}

static const struct bound_value *in_node(const struct config_node *node, const char *path,
					 const struct bound **owner)
{
	const struct bound_value *v;
	const char *rest;

	for (uint32_t i = 0; i < node->n_interfaces; i++) {
		const struct config_interface *iface = &node->interfaces[i];

		if (!path_head(path, iface->name, &rest))
			continue;
		v = in_bound(iface->netdev, rest, owner);
		return v ? v : in_bound(iface->driver, rest, owner);
	}
	for (uint32_t i = 0; i < node->n_protocols; i++)
		if (path_head(path, node->protocols[i]->cls->name, &rest))
			return in_bound(node->protocols[i], rest, owner);
	return in_bound(node->host, path, owner);
}

static const struct config_node *node_at(const struct config *c, const char *path,
					 const char **rest)
{
	for (uint32_t i = 0; i < c->n_nodes; i++)
		if (path_head(path, c->nodes[i].name, rest))
			return &c->nodes[i];
	return NULL;
}

static struct bound *top_at(const struct config *c, const char *path, const char **rest)
{
	for (uint32_t i = 0; i < c->n_links; i++)
		if (path_head(path, c->links[i]->path, rest))
			return c->links[i];
	for (uint32_t i = 0; i < c->n_traffic; i++)
		if (path_head(path, c->traffic[i]->path, rest))
			return c->traffic[i];
	/* a whole group is as its first member */
	for (uint32_t i = 0; i < c->n_traffic; i++)
		if (c->traffic[i]->group && path_head(path, c->traffic[i]->group, rest))
			return c->traffic[i];
	return NULL;
}

const struct bound_value *config_value(const struct config *c, const char *path,
				       const struct bound **owner)
{
	const struct config_node *node;
	const struct bound *top;
	const char *rest;

	node = node_at(c, path, &rest);
	if (node)
		return in_node(node, rest, owner);
	top = top_at(c, path, &rest);
	return top ? in_bound(top, rest, owner) : NULL;
}

/* ---- objects ------------------------------------------------------------------------------- */

static struct bound *of_kind(struct bound *b, const char *kind)
{
	return b && (!kind || !strcmp(b->cls->kind->name, kind)) ? b : NULL;
}

static struct bound *find_in_node(const struct config_node *node, const char *rest,
				  const char *kind)
{
	const char *after;

	if (!*rest)
		return of_kind(node->host, kind);
	for (uint32_t i = 0; i < node->n_interfaces; i++) {
		struct config_interface *iface = &node->interfaces[i];

		if (!path_head(rest, iface->name, &after) || *after)
			continue;
		return of_kind(iface->netdev, kind) ? iface->netdev : of_kind(iface->driver, kind);
	}
	for (uint32_t i = 0; i < node->n_protocols; i++)
		if (!strcmp(rest, node->protocols[i]->cls->name))
			return of_kind(node->protocols[i], kind);
	return NULL;
}

struct bound *config_find(const struct config *c, const char *path, const char *kind)
{
	const struct config_node *node;
	const struct bound_value *v;
	struct bound *found = NULL;
	const char *rest;

	node = node_at(c, path, &rest);
	if (node) {
		found = find_in_node(node, rest, kind);
	} else {
		found = top_at(c, path, &rest);
		found = found && !*rest ? of_kind(found, kind) : NULL;
	}
	if (found)
		return found;
	v = config_value(c, path, NULL);
	return v ? of_kind(v->slot, kind) : NULL;
}

static int each_value(const struct bound_value *v, uint32_t n,
		      int (*fn)(struct bound *b, void *arg), void *arg)
{
	int r = 0;

	for (uint32_t i = 0; i < n && !r; i++) {
		if (v[i].slot) {
			r = fn(v[i].slot, arg);
			if (!r)
				r = each_value(v[i].slot->values, v[i].slot->n_values, fn, arg);
		}
		if (!r)
			r = each_value(v[i].sub, v[i].n_sub, fn, arg);
	}
	return r;
}

static int each_bound(struct bound *b, int (*fn)(struct bound *b, void *arg), void *arg)
{
	int r = b ? fn(b, arg) : 0;

	return r || !b ? r : each_value(b->values, b->n_values, fn, arg);
}

int config_foreach(const struct config *c, int (*fn)(struct bound *b, void *arg), void *arg)
{
	int r = 0;

	for (uint32_t i = 0; i < c->n_nodes && !r; i++) {
		const struct config_node *node = &c->nodes[i];

		r = each_bound(node->host, fn, arg);
		for (uint32_t k = 0; k < node->n_protocols && !r; k++)
			r = each_bound(node->protocols[k], fn, arg);
		for (uint32_t k = 0; k < node->n_interfaces && !r; k++) {
			r = each_bound(node->interfaces[k].netdev, fn, arg);
			if (!r)
				r = each_bound(node->interfaces[k].driver, fn, arg);
		}
	}
	for (uint32_t i = 0; i < c->n_links && !r; i++)
		r = each_bound(c->links[i], fn, arg);
	for (uint32_t i = 0; i < c->n_traffic && !r; i++)
		r = each_bound(c->traffic[i], fn, arg);
	return r;
}

/* ---- references ---------------------------------------------------------------------------- */

struct names {
	GPtrArray *paths;
	const char *kind;
};

static int collect_path(struct bound *b, void *arg)
{
	struct names *names = arg;

	if (!strcmp(b->cls->kind->name, names->kind))
		g_ptr_array_add(names->paths, (gpointer)b->path);
	return 0;
}

static void unknown_ref(struct bind *b, const struct pending_ref *ref)
{
	struct names names = {g_ptr_array_new(), ref->kind->name};
	const struct bound *other = config_find(b->config, ref->path, NULL);
	char *allowed;

	if (errors_full(b->errors)) {
		g_ptr_array_free(names.paths, TRUE);
		return;
	}
	config_foreach(b->config, collect_path, &names);
	allowed =
		allowed_names(ref->path, (const char *const *)names.paths->pdata, names.paths->len);
	if (other)
		errors_add(b->errors, ref->place, "%s: '%s' is %s%s, expected %s%s%s", ref->key,
			   ref->path, article(other->cls->kind->name), other->cls->kind->name,
			   article(ref->kind->name), ref->kind->name, allowed);
	else
		errors_add(b->errors, ref->place, "%s: there is no %s '%s'%s", ref->key,
			   ref->kind->name, ref->path, allowed);
	g_free(allowed);
	g_ptr_array_free(names.paths, TRUE);
}

void bind_refs(struct bind *b)
{
	struct config *c = b->config;

	c->refs = ARENA_ARRAY(b->arena, struct config_ref, b->refs->len);
	for (guint i = 0; i < b->refs->len; i++) {
		const struct pending_ref *ref = &g_array_index(b->refs, struct pending_ref, i);
		struct config_ref *out = &c->refs[c->n_refs];

		out->where = ref->where;
		out->path = ref->path;
		out->place = ref->place;
		out->target = config_find(c, ref->path, ref->kind->name);
		if (out->target)
			c->n_refs++;
		else
			unknown_ref(b, ref);
	}
}

const struct config_ref *config_patch_refs(struct config *c)
{
	for (uint32_t i = 0; i < c->n_refs; i++) {
		const struct config_ref *ref = &c->refs[i];

		if (!ref->target->obj)
			return ref;
		*ref->where = ref->target->obj;
	}
	return NULL;
}
