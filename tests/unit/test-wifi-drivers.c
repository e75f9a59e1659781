// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: every Wi-Fi driver that is registered keeps the rules of a driver.
 *
 * Set-up: two nodes with the driver at its defaults, 6000 packets each way, so that sequence numbers wrap, as fast as
 * they are taken, with three kernels, on air that loses nothing, a third, or nearly all. Expected: at any time each
 * packet is in exactly one place; in the end each was delivered once or dropped with a cause, each sender's account
 * is closed, every stop was followed by a wake, no wake came without a stop, and what arrives is in order.
 * Tolerance: none, all are counts.
 *
 * Claim: a frame of which only an RTS was on the air has no retry bit. Set-up: both send behind RTS, nothing is lost, so that only RTS
 * fail, and no more often than a retry chain allows (behind that ath9k's software sets the bit, whatever the reason). Tolerance: none.
 *
 * Claim: no driver sends what is older than its lifetime. Set-up: as much each way as the air carries twice, of which a third
 * is lost; lifetimes of 20 ms, or none. Expected: without, packets wait for longer than 100 ms and nearly all arrive; with
 * them, none comes older, and each one in order; receivers, which are told of what will not come, never wait 100 ms for it; both
 * media agree. Tolerance: 12 ms on top of 20: ath9k forms aggregates of 4 ms while up to two others are before them. With
 * lifetimes 1 % between the media: where two collide, one medium asks the second a CCA time earlier than the other does.
 */
#include "check-main.h"

#include "engine/pool.h"
#include "mac80211/internal.h"
#include "wifi-lab.h"

#define PACKETS 6000

/* It has no traffic from above. */
extern const struct model_class saturated_class;

static const char *standard_of(const struct model_class *cls)
{
	return strstr(cls->doc, "802.11n") || strstr(cls->doc, "802.11ac") ? "11n" : "11g";
}

static void saturate(const struct model_class *cls, const char *kernel, double loss)
{
	struct wifi_lab lab;
	u64 lost = 0, arrived = 0;
	char yaml[512];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {driver: %s, mac80211: {model: mac80211, "
		"txq: {model: fq, codel: false}}}}}\n"
		"  b: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: %s, loss: %g, members: [a.wlan0, b.wlan0]}\n",
		kernel, cls->name, standard_of(cls), loss);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < 2; i++) {
		lab.ends[i].to = &lab.ends[1 - i];
		lab.ends[i].left = 1;
		lab.ends[i].accounts = true;
	}
	/* the first one has a block-ack session set up; what comes meanwhile is held, and the oldest dropped */
	lab_run(&lab, 100 * SIM_MS);
	for (u32 i = 0; i < 2; i++)
		lab.ends[i].left = PACKETS - 1;
	for (u32 i = 1; i <= 40; i++) {
		lab_run(&lab, 100 * SIM_MS + i * 7 * SIM_MS + i * 1234);
		lab_audit(&lab);
	}
	lab_run(&lab, 600 * SIM_SEC);
	lab_audit(&lab);
	ck_assert_uint_eq(lab.sim->packets->live, 0);
	for (u32 i = 0; i < 2; i++) {
		const struct wifi_end *e = &lab.ends[i];

		ck_assert_uint_eq(e->given, PACKETS);
		ck_assert_uint_eq(e->closed, PACKETS);
		ck_assert_uint_eq(e->busy, 0);
		ck_assert_uint_eq(e->dropped, 0);
		ck_assert_uint_eq(e->idle_wakes, 0);
		ck_assert_uint_eq(e->stops, e->wakes);
		if (!e->down->no_queue && loss < 0.9)
			ck_assert_uint_gt(e->stops, 0);
		ck_assert(!e->disordered);
		arrived += e->received;
	}
	lost = 2 * PACKETS - arrived;
	if (loss < 0.1)
		ck_assert_uint_eq(lost, 0);
	if (loss > 0.9)
		ck_assert_uint_gt(lost, 0);
	lab_close(&lab);
}

START_TEST(rules)
{
	static const char *const kernels[] = {"2.6.32", "3.6", "6.1"};
	u32 n = 0;

	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct driver_ops *ops = (*c)->kind_ops;

		if ((*c)->kind != &kind_driver || *c == &saturated_class ||
		    strcmp(ops->medium, "wifi"))
			continue;
		n++;
		for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
			saturate(*c, kernels[k], 0);
			saturate(*c, kernels[k], 0.33);
			saturate(*c, kernels[k], 0.95);
		}
	}
	ck_assert_uint_ge(n, 2);
}
END_TEST

#define LIFETIME (20 * SIM_MS)
#define STEPS	 800

/* Stands between the air and a driver: the oldest frame that came. */
struct gate {
	const struct wifi_dev_ops *ops;
	struct wifi_dev_ops own;
	void *arg;
	sim_time oldest;
	u64 repeats; /* frames with the retry bit */
};

static void gate_rx(struct gate *g, struct packet *p)
{
	const struct object *drv = g->arg;
	sim_time age = drv->sim->now - *wifi_entered(p);

	if (p->proto != PROTO_WIFI_MGMT && age > g->oldest)
		g->oldest = age;
	g->repeats += p->mac.retries;
	g->ops->rx(g->arg, p);
}

static struct gate gates[2];

static void first_rx(void *arg, struct packet *p)
{
	gate_rx(&gates[0], p);
}

static void second_rx(void *arg, struct packet *p)
{
	gate_rx(&gates[1], p);
}

static void set_gate(struct wifi_lab *lab, u32 i)
{
	struct wifi_dev *dev = lab->air->devs[i];

	gates[i] = (struct gate){.ops = dev->ops, .own = *dev->ops, .arg = dev->arg};
	gates[i].own.rx = i ? second_rx : first_rx;
	gates[i].own.rx_all = NULL;
	dev->ops = &gates[i].own;
}

/* Returns how many packets arrived. */
static u64 outlive(const struct model_class *cls, const char *kernel, const char *medium,
		   bool lifetime)
{
	bool ht = !strcmp(standard_of(cls), "11n");
	u64 given = 0, arrived = 0;
	struct wifi_lab lab;
	char yaml[512];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {driver: %s, rate_control: {model: fixed, %s}, "
		"mac80211: {model: mac80211, txq: {model: fq, codel: false}}}}}\n"
		"  b: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: %s, loss: 0.33, medium: %s, %s members: [a.wlan0, b.wlan0]}\n",
		kernel, cls->name, ht ? "mcs: 3" : "rate: 24Mbit", standard_of(cls), medium,
		lifetime ? "lifetime: 20ms," : "");
	lab_open(&lab, yaml);
	for (u32 i = 0; i < 2; i++) {
		set_gate(&lab, i);
		lab.ends[i].to = &lab.ends[1 - i];
		lab.ends[i].accounts = true;
	}
	for (u32 i = 1; i <= STEPS; i++) {
		lab.ends[0].left += 4;
		lab.ends[1].left += 4;
		lab_run(&lab, i * 1234567);
		if (i % 20 == 0)
			lab_audit(&lab);
	}
	lab_run(&lab, 600 * SIM_SEC);
	lab_audit(&lab);
	ck_assert_uint_eq(lab.sim->packets->live, 0);
	for (u32 i = 0; i < 2; i++) {
		const struct wifi_end *e = &lab.ends[i];
		const struct mac80211 *mac = (const struct mac80211 *)e->mac;

		ck_assert_uint_eq(e->closed, e->given);
		ck_assert_uint_eq(e->stops, e->wakes);
		/* what the other medium delivers are copies, which have numbers of their own */
		if (!lab.air->stations)
			ck_assert(!e->disordered);
		given += e->given;
		arrived += e->received;
		if (!lifetime) {
			ck_assert_int_gt(gates[i].oldest, 5 * LIFETIME);
			continue;
		}
		ck_assert_int_le(gates[i].oldest, LIFETIME + 12 * SIM_MS);
		ck_assert_uint_eq(mac->reorder.timeouts, 0);
	}
	ck_assert_uint_eq(given, 2 * 4 * STEPS);
	if (lifetime)
		ck_assert_uint_lt(arrived, given * 3 / 4);
	else
		ck_assert_uint_gt(arrived, given * 9 / 10);
	ck_assert_uint_gt(arrived, given / 10);
	lab_close(&lab);
	return arrived;
}

static void outlive_all(bool lifetime)
{
	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct driver_ops *ops = (*c)->kind_ops;
		u64 shared, stations;

		if ((*c)->kind != &kind_driver || *c == &saturated_class ||
		    strcmp(ops->medium, "wifi"))
			continue;
		outlive(*c, "3.6", "shared", lifetime);
		shared = outlive(*c, "6.1", "shared", lifetime);
		stations = outlive(*c, "6.1", "stations", lifetime);
		ck_assert_uint_le(shared > stations ? shared - stations : stations - shared,
				  lifetime ? shared / 100 : 0);
	}
}

/* Two that contend behind RTS: what fails is RTS that meet. Returns frames with the retry bit. */
static u64 repeats(const struct model_class *cls, const char *kernel)
{
	struct wifi_lab lab;
	char yaml[512];
	u64 n;

	snprintf(yaml, sizeof(yaml),
		 "name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		 "  a: {interfaces: {wlan0: &i {driver: %s, mac80211: {model: mac80211, "
		 "txq: {model: fq, codel: false}}}}}\n  b: {interfaces: {wlan0: *i}}\n"
		 "links:\n  air: {model: wifi, standard: %s, rts_threshold: 0B, "
		 "members: [a.wlan0, b.wlan0]}\n",
		 kernel, cls->name, standard_of(cls));
	lab_open(&lab, yaml);
	for (u32 i = 0; i < 2; i++) {
		set_gate(&lab, i);
		lab.ends[i].to = &lab.ends[1 - i];
		lab.ends[i].left = 1;
	}
	lab_run(&lab, 100 * SIM_MS);
	lab.ends[0].left = lab.ends[1].left = PACKETS / 2;
	lab_run(&lab, 60 * SIM_SEC);
	ck_assert_uint_gt(lab.air->collisions, 2);
	ck_assert_uint_gt(lab.ends[0].received, PACKETS / 3);
	n = gates[0].repeats + gates[1].repeats;
	lab_close(&lab);
	return n;
}

START_TEST(retry_bits)
{
	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct driver_ops *ops = (*c)->kind_ops;

		if ((*c)->kind != &kind_driver || *c == &saturated_class ||
		    strcmp(ops->medium, "wifi"))
			continue;
		ck_assert_uint_eq(repeats(*c, "3.6") + repeats(*c, "6.1"), 0);
	}
}
END_TEST

START_TEST(without_lifetimes)
{
	outlive_all(false);
}
END_TEST

START_TEST(lifetimes)
{
	outlive_all(true);
}
END_TEST

CHECK_MAIN("wifi-drivers", rules, retry_bits, without_lifetimes, lifetimes)
