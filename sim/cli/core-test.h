/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wlanq core test`: does a core keep the rules, and does it do what the built-in one does? */
#ifndef WLANQ_CLI_CORE_TEST_H
#define WLANQ_CLI_CORE_TEST_H

#include "scenario/core.h"

#define CORE_TEST_CALLS 200000

struct core_test_result {
	const char *kind, *name; /* of the model */
	uint32_t calls;
	uint32_t
		differs_at; /* the first call whose answer is another one; .calls when there is none */
	char error[512]; /* the rule that it broke; empty when none */
};

/*
 * Drives each model of a core, and the built-in one of that name, with the same CORE_TEST_CALLS drawn calls, checking
 * after each that no packet is lost or made up. One result a model, an array of struct core_test_result.
 */
GArray *core_test(struct cores *cores, const struct core *core);

#endif
