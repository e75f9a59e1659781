// SPDX-License-Identifier: GPL-3.0-or-later
/* ag71xx, the Ethernet of Atheros' routers: no segmentation, no moderation, and frames cut into pieces. */
#include "driver/nic.h"

#define SPLIT	     512 /* bytes of a descriptor on chips that need it */
#define SPLIT_FACTOR 4 /* pieces of a frame of 1540 bytes, by which the ring is made longer */
#define STOP	     2 /* frames' worth of descriptors left when the queue stops */

struct ag71xx_params {
	int64_t ring, rx_ring;
	int64_t split; /* bool */
};

static const struct ag71xx_params *params_of(const struct nic *n)
{
	return n->obj.params;
}

/* ag71xx_fill_dma_desc(): the last piece must have more than 4 bytes. */
static u32 descriptors(const struct nic *n, const struct packet *p)
{
	u32 len = p->skb.len, count = 0;

	if (!params_of(n)->split)
		return 1;
	while (len) {
		u32 piece = len;

		if (len > SPLIT)
			piece = len <= SPLIT + 4 ? SPLIT - 4 : SPLIT;
		len -= piece;
		count++;
	}
	return count;
}

static bool stops(const struct nic *n)
{
	return n->used >= n->n_descriptors - STOP * (params_of(n)->split ? SPLIT_FACTOR : 1);
}

static bool wakes(const struct nic *n)
{
	return n->used < n->n_descriptors * 3 / 4;
}

static sim_time interrupt_at(struct nic *n, bool tx)
{
	return n->obj.sim->now;
}

static const struct nic_rules rules = {
	.descriptors = descriptors,
	.stops = stops,
	.wakes = wakes,
	.interrupt_at = interrupt_at,
};

static u32 power_of_two(int64_t n)
{
	return n > 1 ? 1u << (64 - __builtin_clzll((u64)n - 1)) : 1;
}

static void ag71xx_init(struct object *obj)
{
	struct nic *n = (struct nic *)obj;
	const struct ag71xx_params *par = params_of(n);

	nic_init(n, &rules, power_of_two(par->ring * (par->split ? SPLIT_FACTOR : 1)),
		 power_of_two(par->rx_ring));
}

static void ag71xx_describe(const struct object *obj, struct model_describe *d)
{
	const struct nic *n = (const struct nic *)obj;
	bool split = params_of(n)->split;
	u32 stop = n->n_descriptors - STOP * (split ? SPLIT_FACTOR : 1);

	/* A full frame takes three pieces. */
	d->queue(d->arg, "ring", split ? stop / 3 : stop, -1, n->port ? n->port->rate_bps : 0);
}

static const struct param ag71xx_params[] = {
	{.name = "ring_descriptors",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ag71xx_params, ring),
	 .def = "128",
	 .min = 4,
	 .max = 1024,
	 .doc = "entries of the transmit ring, rounded up to a power of two, and four times as many "
		"where frames are split",
	 .linux_name = "AG71XX_TX_RING_SIZE_DEFAULT"},
	{.name = "rx_ring",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ag71xx_params, rx_ring),
	 .def = "256",
	 .min = 4,
	 .max = 1024,
	 .doc = "entries of the receive ring",
	 .linux_name = "AG71XX_RX_RING_SIZE_DEFAULT"},
	{.name = "split",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct ag71xx_params, split),
	 .def = "true",
	 .doc = "frames are cut into 512-byte pieces, as AR71xx and AR913x need it; later chips do not",
	 .linux_name = "desc_split"},
	PARAM_END,
};

static const struct probe ag71xx_probes[] = {NIC_PROBES(descriptors), PROBE_END};

static const struct model_ops ag71xx_ops = {
	.init = ag71xx_init,
	.describe = ag71xx_describe,
	.audit = nic_audit,
	.window_open = nic_window_open,
	.fini = nic_fini,
};

static const struct driver_ops ag71xx_driver_ops = {
	.medium = "ethernet",
	.down = {.n_queues = 1, .xmit = nic_xmit, .set_up = nic_set_up, .bql = true},
	.attach = nic_attach,
};

const struct model_class ag71xx_class = {
	.kind = &kind_driver,
	.name = "ag71xx",
	.doc = "Ethernet of Atheros AR71xx and AR9xxx routers",
	.source = "Linux 6.1 drivers/net/ethernet/atheros/ag71xx.c",
	.not_modelled = "CPU time of the router, which in truth lets packets gather between polls.",
	.size = sizeof(struct nic),
	.params_size = sizeof(struct ag71xx_params),
	.params = ag71xx_params,
	.probes = ag71xx_probes,
	.ops = &ag71xx_ops,
	.kind_ops = &ag71xx_driver_ops,
};
