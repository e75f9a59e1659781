/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values over time: the part of plot.h that is not a distribution. */
#ifndef WLANQ_REPORT_PLOT_SERIES_H
#define WLANQ_REPORT_PLOT_SERIES_H

#include "report/group.h"
#include "report/plot.h"

/* One curve a group, of its first run that ended well. */
bool plot_draw_series(const struct results *r, const struct plot_request *q,
		      const struct groups *groups, const char *file, GError **error);

/* False with @error when there are more curves than can be told apart. */
bool plot_check_curves(const struct picture *p, GError **error);

#endif
