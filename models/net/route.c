// SPDX-License-Identifier: GPL-3.0-or-later
/* Routes: breadth-first from every host, links in the order of its interfaces, members in theirs. */
#include <glib.h>

#include "net/netdev.h"

struct search {
	struct network *net;
	struct host *from;
	u16 *queue; /* host ids, in the order in which they were reached */
	u32 n_queue;
	bool *reached; /* by host id */
	bool *crossed; /* by object id of links */
};

static bool passes_on(const struct host *h)
{
	return ((const struct host_params *)h->obj.params)->forward != FORWARD_NONE;
}

/* All members of the link of @dev are one hop from @via, which stands @first hop away. */
static void search_link(struct search *s, const struct host *via, struct netdev *dev)
{
	for (u32 i = 0; i < dev->n_members; i++) {
		struct netdev *to = s->net->devs[dev->members[i]];
		struct route *r = &s->from->routes[to->host->id];

		if (s->reached[to->host->id])
			continue;
		s->reached[to->host->id] = true;
		s->queue[s->n_queue++] = to->host->id;
		if (via == s->from) {
			r->dev = dev;
			r->next_hop = to->id;
		} else {
			*r = s->from->routes[via->id];
		}
	}
}

static void search_from(struct search *s, struct host *from)
{
	struct network *net = s->net;

	s->from = from;
	s->n_queue = 0;
	memset(s->reached, 0, net->n_hosts * sizeof(*s->reached));
	memset(s->crossed, 0, net->sim->n_objects * sizeof(*s->crossed));
	s->reached[from->id] = true;
	s->queue[s->n_queue++] = from->id;
	for (u32 i = 0; i < s->n_queue; i++) {
		struct host *via = net->hosts[s->queue[i]];

		if (via != from && !passes_on(via))
			continue;
		for (u32 k = 0; k < via->n_devs; k++) {
			struct netdev *dev = via->devs[k];

			if (!dev->link || s->crossed[dev->link->id])
				continue;
			s->crossed[dev->link->id] = true;
			search_link(s, via, dev);
		}
	}
}

void network_route(struct network *net)
{
	struct search s = {
		.net = net,
		.queue = g_new(u16, net->n_hosts),
		.reached = g_new(bool, net->n_hosts),
		.crossed = g_new(bool, net->sim->n_objects),
	};

	for (u32 i = 0; i < net->n_hosts; i++) {
		struct host *h = net->hosts[i];

		g_free(h->routes);
		h->routes = g_new0(struct route, net->n_hosts);
		search_from(&s, h);
	}
	g_free(s.queue);
	g_free(s.reached);
	g_free(s.crossed);
}
