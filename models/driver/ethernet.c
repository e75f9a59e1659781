// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A plain Ethernet card: a ring of one descriptor a packet, and an interrupt at most each `itr` for what
 * was sent and received since. For hosts where the card is not the question.
 */
#include "driver/nic.h"

struct ethernet_nic_params {
	int64_t ring; /* packets */
	int64_t rx_ring; /* packets */
	int64_t itr; /* ns between interrupts, 0: one for each event */
};

static const struct ethernet_nic_params *params_of(const struct nic *n)
{
	return n->obj.params;
}

/* The queue opens when a quarter of the ring is free. */
static bool wakes(const struct nic *n)
{
	return n->used + (n->n_descriptors + 3) / 4 <= n->n_descriptors;
}

static const struct nic_rules rules = {.wakes = wakes};

static void ethernet_init(struct object *obj)
{
	struct nic *n = (struct nic *)obj;

	nic_init(n, &rules, (u32)params_of(n)->ring, (u32)params_of(n)->rx_ring);
	n->gap = &params_of(n)->itr;
}

static void ethernet_describe(const struct object *obj, struct model_describe *d)
{
	const struct nic *n = (const struct nic *)obj;

	d->queue(d->arg, "ring", params_of(n)->ring, -1, n->port ? n->port->rate_bps : 0);
}

static const struct param ethernet_params[] = {
	{.name = "ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ethernet_nic_params, ring),
	 .def = "256",
	 .min = 1,
	 .max = 65536,
	 .doc = "packets that the transmit ring takes before the queue stops",
	 .linux_name = "ethtool -G tx"},
	{.name = "rx_ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ethernet_nic_params, rx_ring),
	 .def = "256",
	 .min = 1,
	 .max = 65536,
	 .doc = "packets that may wait for the receive interrupt",
	 .linux_name = "ethtool -G rx"},
	{.name = "itr",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct ethernet_nic_params, itr),
	 .def = "0s",
	 .min = 0,
	 .max = SIM_SEC,
	 .doc = "least time between two interrupts",
	 .linux_name = "ethtool -C rx-usecs"},
	PARAM_END,
};

static const struct probe ethernet_probes[] = {NIC_PROBES(ring.packets), PROBE_END};

static const struct model_ops ethernet_ops = {
	.init = ethernet_init,
	.describe = ethernet_describe,
	.audit = nic_audit,
	.window_open = nic_window_open,
	.fini = nic_fini,
};

static const struct driver_ops ethernet_driver_ops = {
	.medium = "ethernet",
	.down = {.n_queues = 1, .xmit = nic_xmit, .set_up = nic_set_up, .bql = true, .tso = true},
	.attach = nic_attach,
};

const struct model_class ethernet_nic_class = {
	.kind = &kind_driver,
	.name = "ethernet",
	.doc = "a plain Ethernet card: one descriptor a packet, moderated interrupts",
	.source = "the common form of Linux's Ethernet drivers",
	.not_modelled = "Several descriptors a packet: see e1000 and ag71xx.",
	.size = sizeof(struct nic),
	.params_size = sizeof(struct ethernet_nic_params),
	.params = ethernet_params,
	.probes = ethernet_probes,
	.ops = &ethernet_ops,
	.kind_ops = &ethernet_driver_ops,
};
