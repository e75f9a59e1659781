/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `wlanq core build` ends with: the files of the tree are run, each for some seconds, in small networks. */
#ifndef WLANQ_CLI_CORE_SELF_H
#define WLANQ_CLI_CORE_SELF_H

#include "scenario/core.h"

/*
 * Runs what is in the libraries of the core in @file, a line a family in @told. Returns how many files failed: a bug or a
 * function that is not supplied was met, packets are missing, or next to nothing got through.
 */
unsigned core_self_test(const char *file, GString *told);

#endif
