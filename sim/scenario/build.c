// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/build.h"

#include <string.h>

#include "driver/driver.h"
#include "engine/lazy.h"
#include "mac80211/mac80211.h"
#include "net/netdev.h"

static struct object *make(struct build *b, struct bound *bound, struct object *owner)
{
	bound->obj = object_new(b->sim, bound->cls, bound->path, bound->params, owner);
	return bound->obj;
}

static void build_node(struct build *b, struct config_node *n)
{
	struct host_params *hp = n->host->params;
	struct host *host;

	hp->kernel = n->kernel;
	host = (struct host *)make(b, n->host, NULL);
	network_add_host(b->net, host);
	for (uint32_t i = 0; i < n->n_protocols; i++)
		make(b, n->protocols[i], &host->obj);
	for (uint32_t i = 0; i < n->n_interfaces; i++) {
		struct config_interface *ci = &n->interfaces[i];

		make(b, ci->netdev, &host->obj);
		netdev_register(host, (struct netdev *)ci->netdev->obj);
		make(b, ci->driver, ci->netdev->obj);
	}
}

/* The interface of a netdev object, found again by its path. */
static struct config_interface *interface_of(const struct build *b, const struct object *netdev)
{
	for (uint32_t i = 0; i < b->config->n_nodes; i++)
		for (uint32_t k = 0; k < b->config->nodes[i].n_interfaces; k++)
			if (b->config->nodes[i].interfaces[k].netdev->obj == netdev)
				return &b->config->nodes[i].interfaces[k];
	return NULL;
}

/* Puts the driver on its medium, and the netdev on the driver or on mac80211. */
static void build_below(struct netdev *dev, struct bound *driver, void *medium)
{
	const struct driver_ops *ops = driver->cls->kind_ops;
	struct mac80211_env env = {
		.driver = {.hz = dev->host->hz,
			   .era = dev->host->era,
			   .mtu = dev->mtu,
			   .cpu = &dev->host->cpu,
			   .medium = medium},
		.drv = driver->obj,
		.rate_control = &((struct netdev_params *)dev->obj.params)->rate_control,
		.mac = &((struct netdev_params *)dev->obj.params)->mac80211,
	};

	ops->attach(driver->obj, &env.driver);
	if (!strcmp(ops->medium, "wifi")) {
		struct object *mac = mac80211_new(dev->obj.sim, dev->obj.path, &env, &dev->obj);

		netdev_set_lower(dev, mac80211_lower(mac), mac);
	} else {
		netdev_set_lower(dev, &ops->down, driver->obj);
	}
}

/* What stands in the interface's mac80211 and rate control that its driver cannot do. */
static bool check_driver(const struct config_interface *ci, const struct netdev *dev,
			 struct errors *errors)
{
	const struct netdev_params *np = dev->obj.params;
	const char *beyond = mac80211_beyond(&np->mac80211, ci->driver->cls);
	const char *rates = mac80211_rates_beyond(&np->rate_control, ci->driver->cls);

	if (beyond)
		errors_add(errors, ci->netdev->place, "%s.mac80211: driver '%s': %s", dev->obj.path,
			   ci->driver->cls->name, beyond);
	if (rates)
		errors_add(errors, bound_place(ci->netdev, "rate_control"),
			   "%s.rate_control: read '%s' under driver '%s': %s", dev->obj.path,
			   np->rate_control.cls->name, ci->driver->cls->name, rates);
	return !beyond && !rates;
}

static bool build_member(struct build *b, struct bound *link, struct object *member,
			 struct errors *errors)
{
	const struct link_ops *lops = link->cls->kind_ops;
	struct netdev *dev = (struct netdev *)member;
	struct config_interface *ci = interface_of(b, member);
	const struct driver_ops *dops = ci->driver->cls->kind_ops;
	char err[256] = "";
	void *medium;

	if (dev->link) {
		errors_add(errors, link->place, "%s is a member of two links, %s and %s",
			   member->path, dev->link->path, link->path);
		return false;
	}
	if (strcmp(lops->medium, dops->medium)) {
		errors_add(errors, link->place,
			   "%s cannot join %s: driver '%s' is for %s, the link is %s", member->path,
			   link->path, ci->driver->cls->name, dops->medium, lops->medium);
		return false;
	}
	dev->link = link->obj;
	medium = link_join(link->obj, dev, err, sizeof(err));
	if (!medium) {
		errors_add(errors, link->place, "%s cannot join %s: %s", member->path, link->path,
			   err);
		return false;
	}
	build_below(dev, ci->driver, medium);
	return strcmp(dops->medium, "wifi") || check_driver(ci, dev, errors);
}

/* Every link has the key `members`, a list of references to interfaces. */
static const struct param_list *link_members(const struct bound *link)
{
	for (const struct param *p = link->cls->params; p->name; p++)
		if (!strcmp(p->name, "members"))
			return (const struct param_list *)((char *)link->params + p->offset);
	return NULL;
}

static bool join_link(struct build *b, struct bound *link, struct errors *errors)
{
	const struct param_list *members = link_members(link);
	struct object *const *objs = members->items;
	bool ok = true;

	for (uint32_t i = 0; i < members->n; i++) {
		struct netdev *dev = (struct netdev *)objs[i];

		ok = build_member(b, link, objs[i], errors) && ok;
		dev->members = g_new(u16, members->n);
		dev->n_members = members->n;
		for (uint32_t k = 0; k < members->n; k++)
			dev->members[k] = ((struct netdev *)objs[k])->id;
	}
	return ok;
}

static void ready_link(struct bound *link)
{
	const struct link_ops *ops = link->cls->kind_ops;

	if (ops->ready)
		ops->ready(link->obj);
}

/* An interface that is on no link has nothing to stand on. */
static bool check_linked(struct build *b, struct errors *errors)
{
	bool ok = true;

	for (uint32_t i = 0; i < b->config->n_nodes; i++) {
		for (uint32_t k = 0; k < b->config->nodes[i].n_interfaces; k++) {
			struct bound *nd = b->config->nodes[i].interfaces[k].netdev;

			if (!((struct netdev *)nd->obj)->link) {
				errors_add(errors, nd->place, "%s is a member of no link",
					   nd->path);
				ok = false;
			}
		}
	}
	return ok;
}

/* Models in slots are made by their owners; an instance is known by its parameter struct. */
static struct object *object_with_params(const struct sim *sim, const void *params)
{
	for (uint32_t i = 0; i < sim->n_objects; i++)
		if (sim->objects[i]->params == params)
			return sim->objects[i];
	return NULL;
}

static void apply_set(struct sim *sim, const struct change_set *s)
{
	struct object *obj = object_with_params(sim, s->target->params);

	SIM_CHECK(sim, NULL, obj, "nothing was made of %s", s->target->path);
	memcpy(s->where, s->value, s->size);
	if (obj->cls->ops && obj->cls->ops->changed)
		obj->cls->ops->changed(obj, s->param);
}

/* A station goes or comes: whoever holds state for it is told, in order of creation. */
static void apply_station(struct build *b, const struct change *c)
{
	struct sim *sim = b->sim;

	for (uint32_t i = 0; i < c->node->n_interfaces; i++) {
		struct object *station = c->node->interfaces[i].netdev->obj;

		for (uint32_t k = 0; k < sim->n_objects; k++) {
			struct object *obj = sim->objects[k];
			const struct model_ops *ops = obj->cls->ops;

			if (ops && c->kind == CHANGE_LEAVE && ops->station_remove)
				ops->station_remove(obj, station);
			else if (ops && c->kind == CHANGE_JOIN && ops->station_add)
				ops->station_add(obj, station);
		}
	}
}

static void change_fire(struct sim *sim, struct event *ev)
{
	struct build_change *bc = container_of(ev, struct build_change, ev);
	const struct change *c = bc->change;

	lazy_end_all(sim);
	if (c->kind == CHANGE_SET)
		for (uint32_t i = 0; i < c->n_sets; i++)
			apply_set(sim, &c->sets[i]);
	else
		apply_station(bc->build, c);
}

static void build_changes(struct build *b)
{
	b->changes = g_new0(struct build_change, b->config->n_changes);
	for (uint32_t i = 0; i < b->config->n_changes; i++) {
		struct build_change *bc = &b->changes[i];

		bc->build = b;
		bc->change = &b->config->changes[i];
		event_init(&bc->ev, change_fire, RANK_MEDIUM);
		event_schedule(b->sim, &bc->ev, bc->change->at);
	}
}

/* ---- what only the whole network tells ------------------------------------------------------ */

struct wired {
	struct errors *errors;
	const struct bound *bound;
};

static void wired_error(void *arg, const char *param, const char *msg)
{
	const struct wired *w = arg;

	errors_add(w->errors, bound_place(w->bound, param), "%s%s%s: %s", w->bound->path,
		   param ? "." : "", param ? param : "", msg);
}

static int wired_check(struct bound *bound, void *arg)
{
	struct wired w = {arg, bound};
	struct model_check check = {.arg = &w, .error = wired_error};

	if (bound->obj && bound->cls->ops && bound->cls->ops->wired)
		bound->cls->ops->wired(bound->obj, &check);
	return 0;
}

static bool check_wired(struct build *b, struct errors *errors)
{
	uint32_t told = errors->n_told;

	config_foreach(b->config, wired_check, errors);
	return errors->n_told == told;
}

struct build *build_network(struct sim *sim, struct config *c, struct errors *errors)
{
	struct build *b = g_new0(struct build, 1);
	bool ok = true;

	b->sim = sim;
	b->config = c;
	b->net = network_new(sim);
	for (uint32_t i = 0; i < c->n_nodes; i++)
		build_node(b, &c->nodes[i]);
	for (uint32_t i = 0; i < c->n_links; i++)
		make(b, c->links[i], NULL);
	/* Traffic is made before references are filled in, as it may be referred to; it starts later. */
	for (uint32_t i = 0; i < c->n_traffic; i++)
		make(b, c->traffic[i], NULL)->group = c->traffic[i]->group;
	if (config_patch_refs(c))
		sim_fail(sim, NULL, "a reference to an object that was not made");
	/* links may share a medium: each is ready when the members of all have joined */
	for (uint32_t i = 0; i < c->n_links; i++)
		ok = join_link(b, c->links[i], errors) && ok;
	for (uint32_t i = 0; ok && i < c->n_links; i++)
		ready_link(c->links[i]);
	ok = check_linked(b, errors) && ok;
	if (ok) {
		network_route(b->net);
		ok = check_wired(b, errors);
	}
	if (!ok) {
		build_free(b);
		return NULL;
	}
	build_changes(b);
	return b;
}

void build_free(struct build *b)
{
	if (!b)
		return;
	network_free(b->net);
	g_free(b->changes);
	g_free(b);
}
