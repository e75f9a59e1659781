/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wi-Fi interfaces without network layers above: a scenario's nodes and air are built, and each interface's mac80211 gets
 * an upper layer that counts and keeps feeding it.
 */
#ifndef WLANQ_TESTS_WIFI_LAB_H
#define WLANQ_TESTS_WIFI_LAB_H

#include <string.h>

#include "driver/softmac.h"
#include "mac80211/mac80211.h"
#include "measure/metrics.h"
#include "net/netdev.h"
#include "registry.h"
#include "scenario/build.h"
#include "scenario/scenario.h"
#include "wifi/air.h"

extern const struct model_class mac80211_class;

#define LAB_ENDS 16

struct wifi_lab;

struct wifi_end {
	struct wifi_lab *lab;
	struct object *mac;
	const struct layer_down *down;
	struct netdev *dev;
	bool stopped[NETDEV_QUEUES_MAX];
	u64 stops, wakes, idle_wakes; /* idle: without a stop before it */

	/* what it sends: @left packets of @len bytes to @to, as long as it is not stopped */
	struct wifi_end *to;
	u32 len; /* IP bytes */
	u64 left;
	u8 tos;
	u32 priority;
	bool accounts; /* packets have a destructor */

	u64 given, busy, dropped; /* to the layer below; what it answered */
	u64 closed; /* destructors called */
	u64 received, bytes;
	u64 last_id; /* of what was received, for order */
	bool disordered;
	sim_time received_at;
};

struct wifi_lab {
	struct sim *sim;
	struct scenario *scenario;
	struct config *config;
	struct build *build;
	struct errors errors;
	struct air *air;
	struct wifi_end ends[LAB_ENDS];
	u32 n;
};

static inline void lab_closed(struct sk_buff *skb)
{
	((struct wifi_end *)skb->sk)->closed++;
}

static inline void lab_feed(struct wifi_end *e)
{
	struct sim *sim = e->lab->sim;

	while (e->left) {
		struct packet *p = packet_new(sim);
		u32 queue;

		p->skb.len = e->len + ETH_HLEN;
		p->skb.tos = e->tos;
		p->skb.priority = e->priority;
		p->l2_src = e->dev->id;
		p->l2_dst = e->to->dev->id;
		if (e->accounts) {
			p->skb.sk = e;
			p->skb.destructor = lab_closed;
		}
		queue = e->down->select_queue ? e->down->select_queue(e->mac, p) : 0;
		if (e->stopped[queue]) {
			p->skb.destructor = NULL;
			packet_free(sim, p);
			return;
		}
		e->left--;
		e->given++;
		switch (e->down->xmit(e->mac, queue, p)) {
		case XMIT_OK:
			break;
		case XMIT_OK_STOP:
			e->stops++;
			e->stopped[queue] = true;
			break;
		case XMIT_BUSY:
			e->busy++;
			e->given--;
			e->left++;
			e->stops++;
			e->stopped[queue] = true;
			p->skb.destructor = NULL;
			packet_free(sim, p);
			return;
		case XMIT_DROP:
			e->dropped++;
			return;
		}
	}
}

static inline void lab_rx(void *up, struct packet *p)
{
	struct wifi_end *e = up;

	if (p->id <= e->last_id)
		e->disordered = true;
	e->last_id = p->id;
	e->received++;
	e->bytes += packet_ip_len(p);
	e->received_at = e->lab->sim->now;
	packet_free(e->lab->sim, p);
}

static inline void lab_wake(void *up, u32 queue)
{
	struct wifi_end *e = up;

	e->wakes++;
	if (!e->stopped[queue])
		e->idle_wakes++;
	e->stopped[queue] = false;
	lab_feed(e);
}

static inline void lab_status(void *up, const struct tx_status *st)
{
}

static inline struct packet *lab_pull(void *up, u32 queue)
{
	return NULL;
}

static const struct layer_up lab_upper = {
	.rx = lab_rx, .wake = lab_wake, .tx_status = lab_status, .pull = lab_pull};

static inline void lab_fail(struct wifi_lab *lab)
{
	ck_abort_msg("%s%s", errors_text(&lab->errors)->str, lab->sim ? lab->sim->error : "");
}

static inline void lab_build(struct sim *sim, void *arg)
{
	struct wifi_lab *lab = arg;

	lab->build = build_network(sim, lab->config, &lab->errors);
	if (!lab->build)
		return;
	for (u32 i = 0; i < sim->n_objects; i++) {
		struct object *obj = sim->objects[i];
		struct wifi_end *e;

		if (!strcmp(obj->cls->name, "wifi") && !strcmp(obj->cls->kind->name, "link"))
			lab->air = (struct air *)obj;
		if (obj->cls != &mac80211_class)
			continue;
		e = &lab->ends[lab->n++];
		e->lab = lab;
		e->mac = obj;
		e->dev = (struct netdev *)obj->owner;
		e->down = mac80211_lower(obj);
		e->down->set_up(obj, &lab_upper, e);
		e->len = 1500;
	}
	objects_start(sim);
}

/* Ends are in the order of the links' members. */
static inline void lab_open(struct wifi_lab *lab, const char *yaml)
{
	memset(lab, 0, sizeof(*lab));
	errors_init(&lab->errors);
	lab->scenario = scenario_load_text(yaml, strlen(yaml), "lab.yaml", &models_builtin, NULL, 0,
					   &lab->errors);
	if (!lab->scenario)
		lab_fail(lab);
	lab->config = scenario_bind(lab->scenario, -1, NULL, &lab->errors);
	if (!lab->config)
		lab_fail(lab);
	lab->sim = sim_new(lab->config->seed);
	if (sim_call(lab->sim, lab_build, lab) || !lab->build)
		lab_fail(lab);
}

static inline void lab_run(struct wifi_lab *lab, sim_time until)
{
	for (u32 i = 0; i < lab->n; i++)
		lab_feed(&lab->ends[i]);
	if (sim_run(lab->sim, until))
		lab_fail(lab);
}

static inline void lab_audit_call(struct sim *sim, void *arg)
{
	*(uint64_t *)arg = objects_audit(sim);
}

/* Every packet in being is in one queue. */
static inline void lab_audit(struct wifi_lab *lab)
{
	uint64_t held;

	if (sim_call(lab->sim, lab_audit_call, &held))
		lab_fail(lab);
	ck_assert_uint_eq(held, lab->sim->packets->live);
}

static inline void lab_close(struct wifi_lab *lab)
{
	metrics_clear(lab->sim);
	sim_free(lab->sim);
	build_free(lab->build);
	config_free(lab->config);
	scenario_free(lab->scenario);
	errors_clear(&lab->errors);
}

#endif
