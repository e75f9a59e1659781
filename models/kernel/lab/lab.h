/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The two builds of the soak, with our files and with the kernel's own. */
#ifndef WLANQ_LAB_H
#define WLANQ_LAB_H

#include <linux/types.h>

struct dql;

void ours_dql_init(struct dql *d);
void ours_dql_step(struct dql *d, u32 r);
u32 ours_dql_hash(u32 hash, const struct dql *d);
u32 ours_fq_run(void);

void kernel_dql_init(struct dql *d);
void kernel_dql_step(struct dql *d, u32 r);
u32 kernel_dql_hash(u32 hash, const struct dql *d);
u32 kernel_fq_run(void);

#endif
