/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main() of a unit test: runs the cases that `cases` names. */
#ifndef WLANQ_TESTS_CHECK_MAIN_H
#define WLANQ_TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

#define CHECK_MAIN(name, ...)                                                 \
	int main(void)                                                        \
	{                                                                     \
		const TTest *cases[] = {__VA_ARGS__};                         \
		Suite *s = suite_create(name);                                \
		TCase *tc = tcase_create(name);                               \
		SRunner *sr;                                                  \
		int failed;                                                   \
                                                                              \
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) \
			tcase_add_test(tc, cases[i]);                         \
		tcase_set_timeout(tc, 60);                                    \
		suite_add_tcase(s, tc);                                       \
		sr = srunner_create(s);                                       \
		srunner_run_all(sr, CK_NORMAL);                               \
		failed = srunner_ntests_failed(sr);                           \
		srunner_free(sr);                                             \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;                  \
	}

#endif
