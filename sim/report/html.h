/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `wlanq report`: one HTML file of a result folder that needs nothing else, neither network nor script: the
 * table of all cases, pictures as SVG, and for each case its traffic, queues and anatomy.
 */
#ifndef WLANQ_REPORT_HTML_H
#define WLANQ_REPORT_HTML_H

#include "sweep/results.h"

/* NULL with @error when there is no place for the pictures in the making. The caller frees it. */
GString *html_report(const struct results *r, GError **error);

#endif
