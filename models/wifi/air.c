// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/air.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wifi/airtime.h"
#include "wifi/bss.h"
#include "wifi/stations.h"
#include "wifi/tap.h"

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		abort();
	return p;
}

static void *air_join(struct object *link, const struct link_member *m, char *err, size_t err_len)
{
	return bss_join(&((struct air *)link)->bss, m, err, err_len);
}

static void override(u32 *to, int64_t station, int64_t ap, bool is_ap)
{
	if (is_ap && ap != PARAM_UNSET)
		*to = (u32)ap;
	else if (station != PARAM_UNSET)
		*to = (u32)station;
}

static void set_contenders(struct air *air, const struct air_params *p, struct wifi_dev *dev)
{
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		struct edca_params ep;

		edca_defaults(&ep, &air->phy, ac, dev->ap, air->wmm);
		override(&ep.aifsn, p->aifsn[ac], p->ap_aifsn[ac], dev->ap);
		override(&ep.cwmin, p->cwmin[ac], p->ap_cwmin[ac], dev->ap);
		override(&ep.cwmax, p->cwmax[ac], p->ap_cwmax[ac], dev->ap);
		override(&ep.txop, p->txop[ac], p->ap_txop[ac], dev->ap);
		if (ep.cwmax < ep.cwmin)
			ep.cwmax = ep.cwmin;
		edca_set(&air->edca, dev->station * EDCA_QUEUES + EDCA_AC(ac), &ep, air->phy.sifs,
			 air->obj.sim->seed, dev->path);
		dev->contends[ac] =
			&air_contender(air, dev->station * EDCA_QUEUES + EDCA_AC(ac))->ready;
	}
}

static void set_lifetimes(struct air *air)
{
	const struct air_params *p = air->obj.params;

	for (u32 i = 0; i < air->n; i++)
		for (u32 ac = 0; ac < AC_COUNT; ac++) {
			int64_t own = p->ap_lifetime[ac];

			if (!air->devs[i]->ap || own == PARAM_UNSET)
				own = p->lifetime[ac];
			air->devs[i]->lifetime[ac] = own == PARAM_UNSET ? 0 : own;
		}
}

static void air_changed(struct object *obj, const struct param *p)
{
	set_lifetimes((struct air *)obj);
}

static void set_channel(struct air *air, const struct air_params *p)
{
	struct channel_env env = {.n = air->n, .band_2ghz = air->phy.band == WIFI_2GHZ};
	u32 *aps = zeroed(air->n, sizeof(*aps));
	struct object **both[] = {&air->channel, &air->interferer};
	const struct slot *slots[] = {&p->channel, &p->interferer};

	air->names = zeroed(air->n, sizeof(*air->names));
	air->aps = aps;
	for (u32 i = 0; i < air->n; i++) {
		const struct wifi_dev *ap = air->devs[i]->bss->ap;

		air->names[i] = air->devs[i]->name;
		aps[i] = ap ? ap->station : UINT32_MAX;
	}
	env.names = air->names;
	env.aps = aps;
	for (u32 i = 0; i < 2; i++) {
		const struct channel_ops *cops;

		if (!slots[i]->cls || slots[i]->cls == &ideal_class)
			continue;
		*both[i] = object_from_slot(air->obj.sim, slots[i], &air->obj);
		cops = slots[i]->cls->kind_ops;
		cops->attach(*both[i], &env);
	}
	if (air->channel)
		air->channel_ops = air->channel->cls->kind_ops;
	if (air->interferer)
		air->interferer_ops = air->interferer->cls->kind_ops;
	stations_init(air);
}

static void air_ready(struct object *link)
{
	struct air *air = (struct air *)link;
	const struct air_params *p = link->params;
	struct sim *sim = link->sim;
	char name[512];

	/* what it refers to has been made by now */
	air->bss.wanted = p->ap;
	for (struct bss *bss = &air->bss; bss; bss = bss->next)
		bss_choose_ap(bss);
	edca_init(&air->edca, air->n, air->phy.slot, !air->wmm);
	air->waiting = zeroed(air->n * EDCA_QUEUES, sizeof(*air->waiting));
	air->served = zeroed(air->n * EDCA_QUEUES, sizeof(*air->served));
	air->txop_end = zeroed(air->n * EDCA_QUEUES, sizeof(*air->txop_end));
	air->who = zeroed(air->n * EDCA_QUEUES, sizeof(*air->who));
	air->lost = zeroed(air->n * EDCA_QUEUES, sizeof(*air->lost));
	air->start = zeroed(air->n * EDCA_QUEUES, sizeof(*air->start));
	air->now = zeroed(air->n, sizeof(*air->now));
	set_channel(air, p);
	for (u32 i = 0; i < air->n; i++) {
		struct wifi_dev *dev = air->devs[i];

		snprintf(name, sizeof(name), "%s.loss", dev->path);
		dev->loss_key = draw_key(sim->seed, name);
		set_contenders(air, p, dev);
	}
	set_lifetimes(air);
	for (struct bss *bss = &air->bss; bss; bss = bss->next)
		bss_start(bss);
	stations_start(air);
}

static void air_capture(struct object *link, struct capture *out)
{
	struct air *air = (struct air *)link;

	air->tap = air_tap_new(air, out);
}

static void air_init(struct object *obj)
{
	struct air *air = (struct air *)obj;
	const struct air_params *p = obj->params;
	enum wifi_standard standard = (enum wifi_standard)p->standard;

	wifi_link_phy(p, &air->phy, NULL);
	air->wmm = p->wmm == PARAM_UNSET ? standard == WIFI_11N || standard == WIFI_11AC : p->wmm;
	bss_init(&air->bss, air, obj, p->mode == WIFI_ADHOC, NULL);
	air->response.of = WIFI_RATE_NONE;
	event_init(&air->contend, air_contend, RANK_XMIT);
	event_init(&air->medium, air_medium, RANK_MEDIUM);
	air->ppdus = pool_new(sizeof(struct wifi_ppdu), 16);
	air->accounts = pool_new(sizeof(struct sk_buff), 128);
}

void air_drop(struct air *air, struct wifi_ppdu *ppdu)
{
	struct packet *p, *next;

	for (u32 i = 0; ppdu && i < ppdu->n; i++)
		for (p = ppdu->mpdus[i].p; p; p = next) {
			next = p->skb.next ? packet_of(p->skb.next) : NULL;
			packet_free(air->obj.sim, p);
		}
}

static void air_fini(struct object *obj)
{
	struct air *air = (struct air *)obj;

	for (u32 i = 0; i < air->n_now; i++)
		air_drop(air, air->now[i].ppdu);
	for (u32 i = 0; air->waiting && i < air->n * EDCA_QUEUES; i++)
		if (air->waiting[i])
			air_drop(air, air->waiting[i]);
	stations_drop(air);
}

/* Drivers hold PPDUs of the pool, and senders' accounts lead to them by their device. */
static void air_release(struct object *obj)
{
	struct air *air = (struct air *)obj;

	for (u32 i = 0; i < air->n; i++) {
		free((char *)air->devs[i]->name);
		free(air->devs[i]);
	}
	free(air->devs);
	free(air->ids);
	edca_clear(&air->edca);
	free(air->waiting);
	free(air->served);
	free(air->txop_end);
	free(air->who);
	free(air->start);
	free(air->lost);
	free(air->now);
	stations_clear(air);
	free(air->names);
	air_tap_free(air->tap);
	free(air->aps);
	pool_free(air->ppdus);
	pool_free(air->accounts);
}

u64 air_count(const struct wifi_ppdu *ppdu)
{
	u64 n = 0;

	for (u32 i = 0; ppdu && i < ppdu->n; i++)
		n += ppdu->mpdus[i].p ? ppdu->mpdus[i].n : 0;
	return n;
}

static void air_audit(const struct object *obj, struct model_audit *a)
{
	const struct air *air = (const struct air *)obj;
	u64 held = 0;

	for (u32 i = 0; i < air->n_now; i++)
		held += air_count(air->now[i].ppdu);
	for (u32 i = 0; i < air->n * EDCA_QUEUES; i++)
		held += air_count(air->waiting[i]);
	held += stations_held(air);
	a->queue(a->arg, "air", air->taken, air->handed + air->returned, 0, held);
}

static void air_window_open(struct object *obj)
{
	struct air *air = (struct air *)obj;

	air->busy_since = obj->sim->now;
	air->busy_ns = 0;
	air->attempts = 0;
	air->collided = 0;
	for (u32 i = 0; i < air->n; i++)
		air->devs[i]->airtime = 0;
}

static void air_window_close(struct object *obj)
{
	struct air *air = (struct air *)obj;

	if (air->busy && obj->sim->now > air->busy_since)
		air->busy_ns += (u64)(obj->sim->now - air->busy_since);
}

static int64_t busy_share(const struct object *obj, int64_t window)
{
	const struct air *air = (const struct air *)obj;

	return window ? (int64_t)((__int128)air->busy_ns * 1000000 / window) : METRIC_ABSENT;
}

static int64_t collision_share(const struct object *obj, int64_t window)
{
	const struct air *air = (const struct air *)obj;

	return air->attempts ? (int64_t)(air->collided * 1000000 / air->attempts) : METRIC_ABSENT;
}

static const struct probe probes[] = {
	{.name = "collisions",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct air, collisions),
	 .doc = "accesses at which more than one station transmitted"},
	{.name = "exchanges",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct air, exchanges),
	 .doc = "accesses to the medium, collisions included"},
	{.name = "collision_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = collision_share,
	 .doc = "share of PPDUs that met another one"},
	{.name = "busy_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = busy_share,
	 .doc = "share of time with an exchange under way, SIFS and responses included"},
	BSS_PROBES(struct air),
	PROBE_END,
};

static const struct model_ops ops = {
	.check = air_check,
	.init = air_init,
	.changed = air_changed,
	.audit = air_audit,
	.window_open = air_window_open,
	.window_close = air_window_close,
	.fini = air_fini,
	.release = air_release,
};

static const struct link_ops link_ops = {
	.medium = "wifi",
	.join = air_join,
	.ready = air_ready,
	.capture_type = CAPTURE_RADIOTAP,
	.capture = air_capture,
};

const struct model_class wifi_class = {
	.kind = &kind_link,
	.name = "wifi",
	.doc = "an 802.11 channel with all its stations: EDCA, retries, responses",
	.source = "IEEE 802.11-2020 clauses 10 and 15 to 21",
	.not_modelled =
		"Association, and other management frames but beacons, nullfunc and those of block-ack sessions: who joins\n"
		"is there at once. Multicast. Beacons of ad-hoc networks; TXOPs are not cut short for a beacon that falls\n"
		"due.\n"
		"Greenfield, RIFS, LDPC, STBC. Block-ack scoreboards of partial state (10.25.6.4). Control frames are lost only to\n"
		"other frames. On the shared medium a frame behind a CTS to itself that met another one is lost, though what the CTS met\n"
		"were over before it.",
	.size = sizeof(struct air),
	.params_size = sizeof(struct air_params),
	.params = air_param_table,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &link_ops,
};
