/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Takes the place of the tree's own: user-mode Linux finds the preempt count by masking the stack pointer, which here
 * would be somewhere in the caller's frames.
 */
#ifndef WLANQ_TREE_ASM_PREEMPT_H
#define WLANQ_TREE_ASM_PREEMPT_H

#define PREEMPT_ENABLED 0

extern int seam_preempt_count;

static __always_inline int preempt_count(void)
{
	return seam_preempt_count;
}

static __always_inline void preempt_count_set(int count)
{
	seam_preempt_count = count;
}

#define init_task_preempt_count(p)	((void)(p))
#define init_idle_preempt_count(p, cpu) ((void)(p))

static __always_inline void set_preempt_need_resched(void)
{
}

static __always_inline void clear_preempt_need_resched(void)
{
}

static __always_inline bool test_preempt_need_resched(void)
{
	return false;
}

static __always_inline void __preempt_count_add(int n)
{
	seam_preempt_count += n;
}

static __always_inline void __preempt_count_sub(int n)
{
	seam_preempt_count -= n;
}

static __always_inline bool __preempt_count_dec_and_test(void)
{
	seam_preempt_count--;
	return false;
}

static __always_inline bool should_resched(int offset)
{
	return false;
}

#endif
