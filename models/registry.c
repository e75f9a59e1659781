// SPDX-License-Identifier: GPL-3.0-or-later
#include "registry.h"

/* clang-format off */
#define MODELS(X) \
	X(wifi_class)

/* clang-format on */
#define DECLARE(m) extern const struct model_class m;
#define ENTRY(m)   &m,

MODELS(DECLARE)

static const struct model_class *const classes[] = {MODELS(ENTRY) NULL};

const struct registry models_builtin = {.classes = classes};
