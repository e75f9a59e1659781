// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands between an interface and the layer below while a run's time is measured: calls count for the callee. */
#include "net/netdev.h"

#include "engine/profile.h"

struct profiled {
	struct layer_down down; /* as the interface sees what is below */
	const struct layer_down *lower;
	struct object *lower_obj;
	const struct layer_up *up;
	struct netdev *dev;
};

static enum xmit_result profiled_xmit(void *down, u32 queue, struct packet *p)
{
	const struct profiled *m = down;
	enum xmit_result r;

	PROFILED(m->lower_obj, r = m->lower->xmit(m->lower_obj, queue, p));
	return r;
}

static u32 profiled_select_queue(void *down, struct packet *p)
{
	const struct profiled *m = down;

	return m->lower->select_queue(m->lower_obj, p);
}

static void profiled_rx(void *up, struct packet *p)
{
	const struct profiled *m = up;

	PROFILED(&m->dev->obj, m->up->rx(m->dev, p));
}

static void profiled_wake(void *up, u32 queue)
{
	const struct profiled *m = up;

	PROFILED(&m->dev->obj, m->up->wake(m->dev, queue));
}

static void profiled_tx_status(void *up, const struct tx_status *st)
{
	const struct profiled *m = up;

	PROFILED(&m->dev->obj, m->up->tx_status(m->dev, st));
}

static const struct layer_up profiled_up = {
	.rx = profiled_rx,
	.wake = profiled_wake,
	.tx_status = profiled_tx_status,
};

void netdev_profile(struct netdev *dev, const struct layer_up *up)
{
	struct object *obj = dev->lower_obj;
	struct profiled *m = profile_alloc(obj->sim->profile, sizeof(*m));

	profile_object(&dev->obj, "net");
	profile_object(obj, obj->cls->kind->name);
	*m = (struct profiled){
		.down = *dev->lower,
		.lower = dev->lower,
		.lower_obj = obj,
		.up = up,
		.dev = dev,
	};
	m->down.xmit = profiled_xmit;
	if (m->down.select_queue)
		m->down.select_queue = profiled_select_queue;
	dev->lower = &m->down;
	dev->lower_obj = m;
	if (m->lower->set_up)
		m->lower->set_up(obj, &profiled_up, m);
}
