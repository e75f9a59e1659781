// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A kernel that has nothing but rate control. */
#include <net/mac80211.h>

#include "../net/mac80211/ieee80211_i.h"
#include "../net/mac80211/rate.h"
#include "rate.h"

/* mac80211's own initialisation calls it. */
static void rate_boot(struct seam_boot *b)
{
	seam_boot = b;
	seam_enter(NULL);
	rc80211_minstrel_init();
}

const struct seam_core wlanq_linux = {
	.abi = SEAM_ABI,
	.hz = HZ,
	.family = "rate",
	.version = seam_version,
	.compiler = __VERSION__,
	.files = seam_files,
	.traps = seam_traps,
	.boot = rate_boot,
	.halt = seam_halt,
	.fired = seam_fired,
	.rate = &seam_rc_entries,
};
