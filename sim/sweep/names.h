/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names. */
#ifndef WLANQ_SWEEP_NAMES_H
#define WLANQ_SWEEP_NAMES_H

#include <glib.h>

/* Sorts an array of strings, byte by byte; a NULL at its end is not among them. */
void names_sort(GPtrArray *names);

#endif
