// SPDX-License-Identifier: GPL-3.0-or-later
/* The lab's runs in user space, with our files: prints the hashes that the kernel module must print. */
#include <stdio.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/dynamic_queue_limits.h>
#include <linux/jiffies.h>

#include "kernel/lab/lab.h"
#include "kernel/lab/soak.h"

int main(void)
{
	u32 rng = 1, hash = 2166136261u;
	struct dql d;

	memset(&d, 0, sizeof(d));
	ours_dql_init(&d);
	for (u32 i = 0; i < SOAK_DQL_STEPS; i++) {
		ours_dql_step(&d, soak_random(&rng));
		hash = ours_dql_hash(hash, &d);
	}
	printf("dql %08x\n", hash);
	printf("fq %08x\n", ours_fq_run());
	return 0;
}
