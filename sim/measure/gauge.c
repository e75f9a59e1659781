// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/gauge.h"

void gauge_clear(struct gauge *g)
{
	histogram_clear(&g->over_time);
}

void gauge_window_open(struct gauge *g, sim_time now)
{
	histogram_reset(&g->over_time);
	g->since = now;
}

void gauge_window_close(struct gauge *g, sim_time now)
{
	gauge_settle(g, now);
	g->since = SIM_TIME_MAX;
}
