// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: every Wi-Fi driver that is registered keeps the rules of a driver.
 *
 * Set-up: two nodes with the driver at its defaults, 6000 packets each way, so that sequence numbers wrap, as fast as
 * they are taken, with three kernels, on air that loses nothing, a third, or nearly all. Expected: at any time each
 * packet is in exactly one place; in the end each was delivered once or dropped with a cause, each sender's account
 * is closed, every stop was followed by a wake, no wake came without a stop, and what arrives is in order.
 * Tolerance: none, all are counts.
 */
#include "check-main.h"

#include "engine/pool.h"
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

CHECK_MAIN("wifi-drivers", rules)
