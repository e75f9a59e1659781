/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What soak-ours.c and soak-kernel.c both are; NAME(x) gives their functions different names. */
#include "soak-clock.h"

#include <linux/dynamic_queue_limits.h>
#include <net/codel.h>
#include <net/codel_impl.h>
#include <net/fq.h>
#include <net/fq_impl.h>

#include "soak.h"
#include "soak-fq.h"
#include "lab.h"

void NAME(dql_init)(struct dql *d)
{
	dql_init(d, 100);
}

void NAME(dql_step)(struct dql *d, u32 r)
{
	soak_dql_step(d, r);
}

u32 NAME(dql_hash)(u32 hash, const struct dql *d)
{
	return soak_dql_hash(hash, d, jiffies);
}

u32 NAME(fq_run)(void)
{
	struct soak_fq *s = kvcalloc(1, sizeof(*s), GFP_KERNEL);
	u32 hash = 0;

	if (s)
		s->skbs = kvcalloc(SOAK_PACKETS, sizeof(*s->skbs), GFP_KERNEL);
	if (s && s->skbs) {
		spin_lock_init(&s->fq.lock);
		hash = soak_fq_run(s);
	}
	if (s)
		kvfree(s->skbs);
	kvfree(s);
	return hash;
}
