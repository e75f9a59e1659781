// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic/rr.h"

#include "measure/micro.h"

int64_t rr_tps(const struct object *obj, int64_t window)
{
	const struct rr *rr = (const struct rr *)obj;
	sim_time span = traffic_until(&rr->t, SIM_TIME_MAX) - traffic_from(&rr->t);

	return span > 0 ? micro_ratio((__int128)rr->transactions * SIM_SEC, span) : METRIC_ABSENT;
}
