// SPDX-License-Identifier: GPL-3.0-or-later
/* Nodes of one `count:` differ in their names alone: the first is bound, the others are copies. */
#include "scenario/bind.h"

#include <string.h>

/* The node that is copied and its copy, whose paths begin with the names. */
struct copy {
	struct arena *arena;
	size_t from_len; /* of the first one's name */
	const char *to;
};

static struct bound *copy_bound(const struct copy *c, const struct bound *from);

static const char *copy_path(const struct copy *c, const char *path)
{
	size_t to_len = strlen(c->to), rest = strlen(path + c->from_len);
	char *copy = arena_alloc(c->arena, to_len + rest + 1);

	memcpy(copy, c->to, to_len);
	memcpy(copy + to_len, path + c->from_len, rest);
	return copy;
}

static void *copy_bytes(const struct copy *c, const void *from, size_t size)
{
	void *copy = arena_alloc(c->arena, size);

	if (size)
		memcpy(copy, from, size);
	return copy;
}

/* @shift leads from where a value of the first one lies to where the copy has it; its bytes are there already. */
static struct bound_value *copy_values(const struct copy *c, const struct bound_value *from,
				       uint32_t n, ptrdiff_t shift)
{
	struct bound_value *values = copy_bytes(c, from, n * sizeof(*from));

	for (uint32_t i = 0; i < n; i++) {
		struct bound_value *v = &values[i];
		ptrdiff_t inner = shift;

		v->ptr = (char *)v->ptr + shift;
		if (v->slot) {
			struct slot *slot = v->ptr;

			v->slot = copy_bound(c, v->slot);
			slot->params = v->slot->params;
			slot->path = v->slot->path;
		}
		if (!v->n_sub)
			continue;
		if (v->param->type != PARAM_STRUCT) {
			struct param_list *list = v->ptr;
			struct param_map *map = v->ptr;
			const void **items = v->param->type == PARAM_LIST ? &list->items
									  : &map->items;
			void *copy = copy_bytes(c, *items, v->param->size * v->n_sub);

			inner = (char *)copy - (const char *)*items;
			*items = copy;
		}
		v->sub = copy_values(c, v->sub, v->n_sub, inner);
	}
	return values;
}

static struct bound *copy_bound(const struct copy *c, const struct bound *from)
{
	struct bound *to = copy_bytes(c, from, sizeof(*from));

	to->path = copy_path(c, from->path);
	to->params = copy_bytes(c, from->params, from->cls->params_size);
	to->values = copy_values(c, from->values, from->n_values,
				 (char *)to->params - (char *)from->params);
	return to;
}

void copy_node(struct bind *b, const struct config_node *from, const char *name,
	       struct config_node *to)
{
	const struct copy c = {b->arena, strlen(from->name), name};

	*to = *from;
	to->name = name;
	to->host = copy_bound(&c, from->host);
	to->protocols = ARENA_ARRAY(b->arena, struct bound *, from->n_protocols);
	for (uint32_t i = 0; i < from->n_protocols; i++)
		to->protocols[i] = copy_bound(&c, from->protocols[i]);
	to->interfaces =
		copy_bytes(&c, from->interfaces, from->n_interfaces * sizeof(from->interfaces[0]));
	for (uint32_t i = 0; i < from->n_interfaces; i++) {
		to->interfaces[i].netdev = copy_bound(&c, from->interfaces[i].netdev);
		to->interfaces[i].driver = copy_bound(&c, from->interfaces[i].driver);
	}
}
