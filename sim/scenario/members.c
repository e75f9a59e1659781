// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What links and their members must agree on, where neither's own check can see it: rates of a Wi-Fi interface, who is the access
 * point, what an access point cannot do, and whom a channel names.
 */
#include <string.h>

#include "mac80211/mac80211.h"
#include "scenario/bind.h"
#include "wifi/channel.h"
#include "wifi/wifi.h"

static const struct bound_value *value_of(const struct bound *b, const char *name)
{
	for (uint32_t i = 0; i < b->n_values; i++)
		if (!strcmp(b->values[i].param->name, name))
			return &b->values[i];
	return NULL;
}

/* The link whose channel @link is on: its own, or that which a reference to a link names. */
static const struct bound *channel_of(const struct config *c, const struct bound *link)
{
	const char *begin = link->params, *end = begin + link->cls->params_size;

	for (uint32_t i = 0; i < c->n_refs; i++) {
		const char *where = (const char *)c->refs[i].where;

		if (where >= begin && where < end &&
		    c->refs[i].target->cls->kind == link->cls->kind)
			return c->refs[i].target;
	}
	return link;
}

/* A link with a Wi-Fi channel, and those on it. */
struct cell {
	const struct bound *link;
	const struct bound *channel; /* its own link, or that which it shares the channel of */
	const struct config_ref *ap_ref; /* NULL: none was named */
	struct bound *ap; /* NULL: it has none */
	bool adhoc;
};

typedef void (*member_fn)(struct bind *b, const struct cell *cell, struct bound *interface,
			  void *arg);

/* Place of a reference in a list of members; UINT32_MAX: it is none of it. */
static uint32_t place_in(const struct param_list *list, const struct config_ref *ref)
{
	struct object *const *begin = list->items, *const *where =
							   (struct object *const *)ref->where;

	return begin && where >= begin && where < begin + list->n ? (uint32_t)(where - begin)
								  : UINT32_MAX;
}

/* The member at @place, or which is @interface: its reference. */
static const struct config_ref *find_member(const struct config *c, const struct param_list *list,
					    uint32_t place, const struct bound *interface)
{
	for (uint32_t i = 0; i < c->n_refs; i++) {
		uint32_t at = place_in(list, &c->refs[i]);

		if (at != UINT32_MAX && (at == place || c->refs[i].target == interface))
			return &c->refs[i];
	}
	return NULL;
}

/* The first member whose node has further interfaces; else the last. */
static struct bound *default_ap(const struct config *c, const struct param_list *list)
{
	const struct config_ref *best = NULL;

	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct config_node *node = &c->nodes[i];

		for (uint32_t k = 0; k < node->n_interfaces && node->n_interfaces > 1; k++) {
			const struct config_ref *ref =
				find_member(c, list, UINT32_MAX - 1, node->interfaces[k].netdev);

			if (ref && (!best || place_in(list, ref) < place_in(list, best)))
				best = ref;
		}
	}
	if (!best && list->n)
		best = find_member(c, list, list->n - 1, NULL);
	return best ? best->target : NULL;
}

static void choose_ap(const struct config *c, const struct param_list *list, struct cell *cell)
{
	const int64_t *mode = value_of(cell->link, "mode")->ptr;
	const void *ap = value_of(cell->link, "ap")->ptr;

	cell->adhoc = *mode == WIFI_ADHOC;
	for (uint32_t i = 0; i < c->n_refs; i++)
		if ((const void *)c->refs[i].where == ap)
			cell->ap_ref = &c->refs[i];
	if (cell->adhoc)
		return;
	if (!cell->ap_ref)
		cell->ap = default_ap(c, list);
	else if (find_member(c, list, UINT32_MAX - 1, cell->ap_ref->target))
		cell->ap = cell->ap_ref->target;
}

static const struct param_list *cell_of(const struct config *c, const struct bound *link,
					struct cell *cell)
{
	const struct bound_value *members = value_of(link, "members");

	*cell = (struct cell){.link = link, .channel = channel_of(c, link)};
	if (!members || cell->channel->cls != &wifi_class)
		return NULL;
	choose_ap(c, members->ptr, cell);
	return members->ptr;
}

static void each_member(struct bind *b, member_fn fn, void *arg)
{
	const struct config *c = b->config;
	struct cell cell;

	for (uint32_t i = 0; i < c->n_links; i++) {
		const struct param_list *list = cell_of(c, c->links[i], &cell);

		for (uint32_t k = 0; list && k < c->n_refs; k++)
			if (place_in(list, &c->refs[k]) != UINT32_MAX)
				fn(b, &cell, c->refs[k].target, arg);
	}
}

static void check_rates(struct bind *b, const struct cell *cell, struct bound *interface)
{
	const struct bound_value *rc = value_of(interface, "rate_control");
	struct check_arg arg = {b, rc ? rc->slot : NULL};
	struct model_check check;

	if (!arg.bound)
		return;
	check = bind_checker(&arg);
	mac80211_check_rates(rc->ptr, cell->channel->params, &check);
}

static void check_away(struct bind *b, const struct cell *cell, struct bound *interface)
{
	const struct bound_value *mac = value_of(interface, "mac80211");
	struct check_arg arg = {b, mac ? mac->slot : NULL};
	struct model_check check;

	if (!arg.bound || (interface != cell->ap && !cell->adhoc))
		return;
	check = bind_checker(&arg);
	mac80211_check_away(mac->ptr,
			    cell->adhoc ? "its network is ad hoc" : "it is the access point itself",
			    &check);
}

static void check_member(struct bind *b, const struct cell *cell, struct bound *interface,
			 void *none)
{
	check_rates(b, cell, interface);
	check_away(b, cell, interface);
}

/* The access point that was named. */
static void check_ap(struct bind *b, const struct bound *link)
{
	struct check_arg arg = {b, link};
	struct model_check check = bind_checker(&arg);
	struct cell cell;

	if (!cell_of(b->config, link, &cell) || !cell.ap_ref)
		return;
	if (cell.adhoc)
		model_check_error(&check, "ap", "an ad-hoc network has no access point");
	else if (!cell.ap)
		model_check_error(&check, "ap", "%s is no member of it", cell.ap_ref->path);
}

struct names {
	const struct bound *channel; /* whose stations they are */
	GPtrArray *all;
};

static void add_name(struct bind *b, const struct cell *cell, struct bound *interface, void *arg)
{
	struct names *names = arg;

	if (cell->channel == names->channel)
		g_ptr_array_add(names->all,
				g_strndup(interface->path, strcspn(interface->path, ".")));
}

/* Whom a model of a Wi-Fi link's channel names. */
static void check_channel(struct bind *b, const struct bound *link, const char *slot)
{
	struct check_arg arg = {b, value_of(link, slot)->slot};
	struct model_check check = bind_checker(&arg);
	const struct channel_ops *ops = arg.bound ? arg.bound->cls->kind_ops : NULL;
	struct names names = {.channel = link};

	if (!ops || !ops->check_names)
		return;
	names.all = g_ptr_array_new_with_free_func(g_free);
	each_member(b, add_name, &names);
	ops->check_names(arg.bound->params, (const char *const *)names.all->pdata, names.all->len,
			 &check);
	g_ptr_array_free(names.all, TRUE);
}

void bind_members(struct bind *b)
{
	for (uint32_t i = 0; i < b->config->n_links; i++) {
		const struct bound *link = b->config->links[i];

		check_ap(b, link);
		if (link->cls != &wifi_class)
			continue;
		check_channel(b, link, "channel");
		check_channel(b, link, "interferer");
	}
	each_member(b, check_member, NULL);
}

struct changed {
	const struct bound *target;
	const void *params;
	struct model_check *check;
};

static void check_changed(struct bind *b, const struct cell *cell, struct bound *interface,
			  void *arg)
{
	const struct changed *c = arg;
	const struct bound_value *rc = value_of(interface, "rate_control");
	struct slot slot = {.cls = c->target->cls, .params = c->params};

	if (rc && rc->slot == c->target)
		mac80211_check_rates(&slot, cell->channel->params, c->check);
}

void bind_member_changed(struct bind *b, const struct bound *target, const void *params,
			 struct model_check *check)
{
	struct changed c = {target, params, check};

	if (target->cls->kind == &kind_rate_control)
		each_member(b, check_changed, &c);
}
