/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture by gnuplot: PNG, SVG or PDF by the end of its name. The script (NAME.gp) and the data (NAME.dat)
 * stay beside it, for editing: `cd FOLDER && gnuplot NAME.gp` draws it again.
 */
#ifndef WLANQ_REPORT_PICTURE_H
#define WLANQ_REPORT_PICTURE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct curve {
	char *label;
	uint32_t n;
	double *x, *y;
	bool steps; /* x stands until the next one; else straight lines between points */
	bool real; /* measured, not simulated: drawn black and thick */
};

struct picture {
	const char *title, *subtitle; /* subtitle may be NULL */
	char *x_label, *y_label;
	bool log_x;
	double x_low, x_high; /* the range of x; gnuplot's own choice when both are 0 */
	bool unit_y; /* y runs from 0 to 1 */
	GPtrArray *curves; /* struct curve */
};

void picture_init(struct picture *p);
void picture_clear(struct picture *p);

/* A curve with room for @n points; the picture owns it. */
struct curve *picture_add(struct picture *p, const char *label, uint32_t n);

/* Whether gnuplot can make a file of this name; else @error says which can be. */
bool picture_known(const char *file, GError **error);

/* Draws. False with @error (gnuplot's own words where it has any); no picture is then left. */
bool picture_write(const struct picture *p, const char *file, GError **error);

#endif
