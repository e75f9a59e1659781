// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: every Wi-Fi driver that is registered keeps the rules of a driver.
 *
 * Set-up: two nodes with the driver at its defaults, 2000 packets each way as fast as they are taken, on air that
 * loses nothing, a third, or nearly all. Expected: at any time each packet is in exactly one place; in the end each was
 * delivered once or dropped with a cause, each sender's account is closed, every stop was followed by a wake, no
 * wake came without a stop, and what arrives is in order. Tolerance: none, all are counts.
 */
#include "check-main.h"

#include "engine/pool.h"
#include "wifi-lab.h"

#define PACKETS 2000

static const char *standard_of(const struct model_class *cls)
{
	return strstr(cls->doc, "802.11n") || strstr(cls->doc, "802.11ac") ? "11n" : "11g";
}

static void saturate(const struct model_class *cls, double loss)
{
	struct wifi_lab lab;
	u64 lost = 0, arrived = 0;
	char yaml[512];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: %s}}}\n"
		"  b: {interfaces: {wlan0: {driver: %s}}}\n"
		"links:\n  air: {model: wifi, standard: %s, loss: %g, members: [a.wlan0, b.wlan0]}\n",
		cls->name, cls->name, standard_of(cls), loss);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < 2; i++) {
		lab.ends[i].to = &lab.ends[1 - i];
		lab.ends[i].left = PACKETS;
		lab.ends[i].accounts = true;
	}
	for (u32 i = 1; i <= 40; i++) {
		lab_run(&lab, i * 7 * SIM_MS + i * 1234);
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
	u32 n = 0;

	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct driver_ops *ops = (*c)->kind_ops;

		if ((*c)->kind != &kind_driver || strcmp(ops->medium, "wifi"))
			continue;
		n++;
		saturate(*c, 0);
		saturate(*c, 0.33);
		saturate(*c, 0.95);
	}
	ck_assert_uint_ge(n, 2);
}
END_TEST

CHECK_MAIN("wifi-drivers", rules)
