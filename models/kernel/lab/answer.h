/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the modules that put the running kernel's own code before vectors have in common: the time in which nothing else
 * runs, and answers in place of the functions that the code calls meanwhile (by kprobes, on x86). For one file a module.
 */
#ifndef WLANQ_LAB_ANSWER_H
#define WLANQ_LAB_ANSWER_H

#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>

static struct task_struct *caller; /* NULL: nothing is answered here */
static unsigned long enter_flags, real_jiffies;

/* Jiffies when the vectors' clock shows @ns. */
static inline unsigned long jiffies_at(s64 ns)
{
	return INITIAL_JIFFIES + (u64)ns / (NSEC_PER_SEC / HZ);
}

/* Between these nothing else runs, and time is the vectors': @ns. */
static inline void time_enter(s64 ns)
{
	local_bh_disable();
	local_irq_save(enter_flags);
	real_jiffies = jiffies;
	WRITE_ONCE(jiffies_64, jiffies_at(ns));
	caller = current;
}

static inline void time_leave(void)
{
	caller = NULL;
	WRITE_ONCE(jiffies_64, real_jiffies);
	local_irq_restore(enter_flags);
	local_bh_enable();
}

static noinline notrace void returned(void)
{
	asm volatile("");
}

/* Whether a probe was hit by the code that is being called, and not by what interrupted it. */
static inline bool mine(void)
{
	return caller == current && !in_hardirq() && !in_serving_softirq();
}

/* The function that was called is over, and has returned @value. What a pre_handler gives back. */
static inline int answer(struct pt_regs *regs, unsigned long value)
{
	regs->ax = value;
	regs->ip = (unsigned long)returned;
	return 1;
}

/* The first @n of @probes go. */
static inline void probes_drop(struct kprobe *probes, u32 n)
{
	while (n)
		unregister_kprobe(&probes[--n]);
}

/* All @n of @probes, or none of them and an error. */
static inline int probes_set(struct kprobe *probes, u32 n)
{
	u32 i;
	int rc;

	for (i = 0; i < n; i++) {
		rc = register_kprobe(&probes[i]);
		if (rc) {
			probes_drop(probes, i);
			return rc;
		}
	}
	return 0;
}

#endif
