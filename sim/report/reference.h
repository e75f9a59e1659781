/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reference pages of docs/reference/: Markdown made from the models' declarations, one page for each
 * kind of model and an index. The text depends on the registry alone.
 */
#ifndef WLANQ_REPORT_REFERENCE_H
#define WLANQ_REPORT_REFERENCE_H

#include <glib.h>
#include <stdbool.h>

#include "engine/model.h"

/* The page of all models of @kind in @reg, in order of the registry. The caller frees it. */
GString *reference_page(const struct registry *reg, const struct model_kind *kind);

/* The index of all kinds and models. The caller frees it. */
GString *reference_index(const struct registry *reg);

/* Writes README.md and KIND.md of each kind into the folder @dir, which is made if need be. */
bool reference_write(const struct registry *reg, const char *dir, GError **error);

#endif
