// SPDX-License-Identifier: GPL-3.0-or-later
/* What links and their members must agree on, where neither's own check can see it: rates of a Wi-Fi interface. */
#include <string.h>

#include "mac80211/mac80211.h"
#include "scenario/bind.h"
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

static void check_member(struct bind *b, const struct bound *channel, struct bound *interface,
			 void *none)
{
	const struct bound_value *rc = value_of(interface, "rate_control");
	struct check_arg arg = {b, rc ? rc->slot : NULL};
	struct model_check check;

	if (!arg.bound)
		return;
	check = bind_checker(&arg);
	mac80211_check_rates(rc->ptr, channel->params, &check);
}

typedef void (*member_fn)(struct bind *b, const struct bound *channel, struct bound *interface,
			  void *arg);

static void each_member(struct bind *b, member_fn fn, void *arg)
{
	const struct config *c = b->config;

	for (uint32_t i = 0; i < c->n_links; i++) {
		const struct bound *link = c->links[i], *channel = channel_of(c, link);
		const struct bound_value *members = value_of(link, "members");
		const struct param_list *list = members ? members->ptr : NULL;
		struct object *const *begin = list ? list->items : NULL;

		if (!begin || channel->cls != &wifi_class)
			continue;
		for (uint32_t k = 0; k < c->n_refs; k++)
			if (c->refs[k].where >= (struct object **)begin &&
			    c->refs[k].where < (struct object **)begin + list->n)
				fn(b, channel, c->refs[k].target, arg);
	}
}

void bind_members(struct bind *b)
{
	each_member(b, check_member, NULL);
}

struct changed {
	const struct bound *target;
	const void *params;
	struct model_check *check;
};

static void check_changed(struct bind *b, const struct bound *channel, struct bound *interface,
			  void *arg)
{
	const struct changed *c = arg;
	const struct bound_value *rc = value_of(interface, "rate_control");
	struct slot slot = {.cls = c->target->cls, .params = c->params};

	if (rc && rc->slot == c->target)
		mac80211_check_rates(&slot, channel->params, c->check);
}

void bind_member_changed(struct bind *b, const struct bound *target, const void *params,
			 struct model_check *check)
{
	struct changed c = {target, params, check};

	if (target->cls->kind == &kind_rate_control)
		each_member(b, check_changed, &c);
}
