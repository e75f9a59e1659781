/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every built-in model class, one line each. */
#ifndef WLANQ_MODELS_REGISTRY_H
#define WLANQ_MODELS_REGISTRY_H

#include "engine/model.h"

extern const struct registry models_builtin;

#endif
