// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The calls of rate-vectors.h before the running kernel's own minstrel_ht: the binary in its mac80211, as it is, behind
 * the shim's rate.c, which is compiled in here. While it is being called jiffies are those of the vectors' clock, and what
 * mac80211 would do with a new rate table is done here (by kprobes). Its table of samples is made the vectors'.
 * A number that is written to the parameter `run` runs that many loss tables. What came out is in the kernel log.
 */
#define pr_fmt(fmt) "wlanq-rate: " fmt

#include <linux/module.h>
#include <net/mac80211.h>

#include "answer.h"
#include "rate.h"
#include "rate-vectors.h"

static struct rvec run;

/* ---- what rate.c finds in a library --------------------------------------------------------------- */

static struct seam_boot boot;
struct seam_boot *seam_boot = &boot;
struct seam_user *seam_user;

void seam_enter(struct seam_user *u)
{
	seam_user = u;
}

static void rates(struct seam_boot *b, void *up, void *station, const struct seam_rate *table,
		  u32 n, u32 amsdu)
{
	rvec_rates(up, table, n, amsdu);
}

/* ---- the vectors' world --------------------------------------------------------------------------- */

static void enter(struct rvec *v)
{
	time_enter(v->now);
}

static void leave(struct rvec *v)
{
	time_leave();
}

static const struct rvec_world world = {&seam_rc_entries, enter, leave};

/* ---- what is answered here ------------------------------------------------------------------------ */

static int on_set_rates(struct kprobe *p, struct pt_regs *regs)
{
	if (!mine())
		return 0;
	return answer(regs,
		      rate_control_set_rates((void *)regs->di, (void *)regs->si, (void *)regs->dx));
}

static int on_aggregates(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, 0) : 0;
}

/* The first only tells where it is. */
static struct kprobe probes[] = {
	{.symbol_name = "kallsyms_lookup_name"},
	{.symbol_name = "mac80211:rate_control_set_rates", .pre_handler = on_set_rates},
	{.symbol_name = "mac80211:ieee80211_sta_recalc_aggregates", .pre_handler = on_aggregates},
};

/* ---- set-up --------------------------------------------------------------------------------------- */

static void fill_samples(u8 table[RVEC_COLUMNS][RVEC_RATES])
{
	u64 rng = RVEC_BOOT;
	u32 c, i, at;

	memset(table, 0xff, RVEC_COLUMNS * RVEC_RATES);
	for (c = 0; c < RVEC_COLUMNS; c++) {
		for (i = 0; i < RVEC_RATES; i++) {
			at = (i + (u8)rvec_random(&rng)) % RVEC_RATES;
			while (table[c][at] != 0xff)
				at = (at + 1) % RVEC_RATES;
			table[c][at] = i;
		}
	}
}

static int run_set(const char *text, const struct kernel_param *kp)
{
	unsigned int number, i;
	int rc = kstrtouint(text, 0, &number);

	for (i = 0; i < number && !rc; i++) {
		if (!rvec_run(&run, i, &world))
			return -ENOENT;
		pr_info("table %u hash %016llx samples %u tables %u\n", i, run.hash, run.samples,
			run.tables);
	}
	return rc;
}

static const struct kernel_param_ops run_ops = {.set = run_set};
module_param_cb(run, &run_ops, NULL, 0200);

static int __init lab_init(void)
{
	unsigned long (*lookup)(const char *name);
	struct rate_control_ops *ops;
	void *table;
	int rc;

	boot.rates = rates;
	rc = probes_set(probes, ARRAY_SIZE(probes));
	if (rc)
		return rc;
	lookup = (void *)probes[0].addr;
	ops = (void *)lookup("mac80211:mac80211_minstrel_ht");
	table = (void *)lookup("mac80211:sample_table");
	if (ops && table) {
		fill_samples(table);
		return ieee80211_rate_control_register(ops);
	}
	probes_drop(probes, ARRAY_SIZE(probes));
	return -ENOENT;
}

static void __exit lab_exit(void)
{
	probes_drop(probes, ARRAY_SIZE(probes));
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("the running kernel's minstrel_ht before the calls of wlanq's lab");
