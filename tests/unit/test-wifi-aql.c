// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the airtime that AQL has let go is never negative, never beyond its limits, and all given back in the end.
 *
 * Set-up: an access point with each driver that declares AQL, and three stations at one rate, to each of which it sends
 * more than fits, on air that loses nothing and a third; each account is looked at every 500 us. Expected (net/mac80211/tx.c, ieee80211_txq_airtime_check()): a frame goes while less than the low limit is
 * pending, or less than the high one while all together are below the threshold, so that no account is above the high limit
 * by more than a frame's charge, 4092 us; sums agree; everything sent was received or dropped, and then nothing is pending.
 * Tolerance: none.
 */
#include "check-main.h"

#include "mac80211/internal.h"
#include "wifi-lab.h"

#define STATIONS   3
#define PACKETS	   700
#define CHARGE_MAX 4092

/* The greatest account; each is checked, and the sums. */
static s32 look(const struct mac80211 *mac)
{
	s32 by_ac[AC_COUNT] = {0}, total = 0, most = 0;

	for (u32 i = 0; i < mac->n_stas; i++)
		for (u32 ac = 0; mac->stas[i] && ac < AC_COUNT; ac++) {
			const struct sched_account *a = &mac->stas[i]->airtime[ac];

			ck_assert_int_ge(a->pending, 0);
			ck_assert_int_le(a->pending, (s32)a->limit_high + CHARGE_MAX);
			if (a->pending > most)
				most = a->pending;
			by_ac[ac] += a->pending;
			total += a->pending;
		}
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		ck_assert_int_eq(mac->sched.pending[ac], by_ac[ac]);
	ck_assert_int_eq(mac->sched.pending_total, total);
	return most;
}

static void saturate(const char *driver, double loss)
{
	const struct mac80211 *mac;
	struct wifi_end *ap = NULL;
	struct wifi_lab lab;
	u64 received = 0;
	char yaml[768];
	s32 most = 0;

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"6.1\"\nduration: 1s\nnodes:\n"
		"  ap: {interfaces: {wlan0: &i {driver: %s, rate_control: {model: fixed, mcs: 1},\n"
		"    mac80211: {model: mac80211, aql: true, txq: {model: fq, codel: false}}}}}\n"
		"  sta: {count: %u, interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11n, loss: %g, ap: ap.wlan0,\n"
		"    members: [ap.wlan0, sta*.wlan0]}\n",
		driver, STATIONS, loss);
	lab_open(&lab, yaml);
	for (u32 i = 0; i < lab.n; i++)
		if (!strcmp(lab.ends[i].dev->obj.path, "ap.wlan0"))
			ap = &lab.ends[i];
	mac = (const struct mac80211 *)ap->mac;
	ck_assert(mac->sched.aql);
	for (u32 i = 0; i < lab.n; i++) {
		if (&lab.ends[i] == ap)
			continue;
		ap->to = &lab.ends[i];
		ap->left = PACKETS;
		lab_run(&lab, lab.sim->now);
	}
	for (u32 i = 0; i < 400; i++) {
		s32 now;

		lab_run(&lab, lab.sim->now + 500 * SIM_US);
		now = look(mac);
		most = now > most ? now : most;
	}
	/* it was put to the test: accounts have been at their limit */
	ck_assert_int_ge(most, (s32)mac->sched.limit_low);
	lab_run(&lab, 60 * SIM_SEC);
	lab_audit(&lab);
	ck_assert_int_eq(look(mac), 0);
	ck_assert_uint_eq(lab.sim->packets->live, 0);
	for (u32 i = 0; i < lab.n; i++)
		received += lab.ends[i].received;
	ck_assert_uint_eq(ap->given, STATIONS * PACKETS);
	if (loss == 0)
		ck_assert_uint_eq(received, STATIONS * PACKETS);
	lab_close(&lab);
}

START_TEST(pending_airtime)
{
	u32 n = 0;

	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		const struct softmac_ops *ops = (*c)->kind_ops;

		if ((*c)->kind != &kind_driver || strcmp(ops->driver.medium, "wifi") || !ops->pulls)
			continue;
		if (!ops->aql) {
			struct mac80211_params p = {.aql = true};

			ck_assert_ptr_nonnull(mac80211_beyond(
				&(struct slot){.cls = &mac80211_class, .params = &p}, *c));
			continue;
		}
		n++;
		saturate((*c)->name, 0);
		saturate((*c)->name, 0.33);
	}
	ck_assert_uint_ge(n, 1);
}
END_TEST

CHECK_MAIN("wifi-aql", pending_airtime)
