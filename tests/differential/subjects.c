// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff.h"

extern const struct diff_subject diff_dql, diff_codel, diff_fq;

const struct diff_subject *const diff_subjects[] = {&diff_dql, &diff_codel, &diff_fq, NULL};
