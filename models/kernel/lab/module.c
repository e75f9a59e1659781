// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Our DQL in lockstep with the running kernel's, then fq with CoDel built from our headers and from the kernel's.
 * What came out is in the kernel log, one line each.
 */
#define pr_fmt(fmt) "wlanq-lab: " fmt

#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
/* The kernel's own asks for what stands before it. */
#include <linux/dynamic_queue_limits.h>

#include "lab.h"
#include "soak.h"

static bool dql_equal(const struct dql *a, const struct dql *b)
{
	return a->num_queued == b->num_queued && a->adj_limit == b->adj_limit &&
	       a->last_obj_cnt == b->last_obj_cnt && a->limit == b->limit &&
	       a->num_completed == b->num_completed && a->prev_ovlimit == b->prev_ovlimit &&
	       a->prev_num_queued == b->prev_num_queued &&
	       a->prev_last_obj_cnt == b->prev_last_obj_cnt && a->lowest_slack == b->lowest_slack &&
	       a->slack_start_time == b->slack_start_time;
}

/* The tick is held off, so that both see the same jiffies. */
static void lockstep(void)
{
	u32 rng = 1, hash = 2166136261u, kernel_hash = hash, same = 0, i;
	struct dql ours = {}, kernel = {};
	unsigned long flags;

	local_irq_save(flags);
	ours_dql_init(&ours);
	kernel_dql_init(&kernel);
	for (i = 0; i < SOAK_DQL_STEPS; i++) {
		u32 r = soak_random(&rng);

		ours_dql_step(&ours, r);
		kernel_dql_step(&kernel, r);
		same += dql_equal(&ours, &kernel);
		hash = ours_dql_hash(hash, &ours);
		kernel_hash = kernel_dql_hash(kernel_hash, &kernel);
	}
	local_irq_restore(flags);
	pr_info("dql steps %u equal %u ours %08x kernel %08x\n", i, same, hash, kernel_hash);
}

static int __init lab_init(void)
{
	lockstep();
	pr_info("fq steps %u ours %08x kernel %08x\n", SOAK_FQ_STEPS, ours_fq_run(),
		kernel_fq_run());
	return 0;
}

static void __exit lab_exit(void)
{
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("wlanq's queueing core against the running kernel's");
