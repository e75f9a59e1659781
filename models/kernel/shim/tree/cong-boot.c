// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A kernel that has nothing but congestion controls. */
#include <net/tcp.h>

#include "cong.h"

struct net init_net;

extern struct tcp_congestion_ops tcp_reno;

static void cong_boot(struct seam_boot *b)
{
	seam_boot = b;
	seam_enter(NULL);
	/* Events are counted, though nobody asks for the counts. */
	init_net.mib.net_statistics = alloc_percpu(struct linux_mib);
	if (!init_net.mib.net_statistics)
		panic("no memory");
	tcp_register_congestion_control(&tcp_reno);
	seam_run_initcalls();
}

const struct seam_core wlanq_linux = {
	.abi = SEAM_ABI,
	.hz = HZ,
	.family = "cong",
	.version = seam_version,
	.compiler = __VERSION__,
	.files = seam_files,
	.traps = seam_traps,
	.boot = cong_boot,
	.halt = seam_halt,
	.fired = seam_fired,
	.cong = &seam_cong_entries,
};
