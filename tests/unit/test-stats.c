// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: means, intervals, p values, Holm's correction and medians are those of textbooks; what cannot be
 * known is infinite, not a number made up.
 * Set-up: values worked out by hand, and corner cases; with "--dump" as the only argument the program prints
 * a thousand seeded cases and its results, which tests/oracle/stats.py compares with scipy.
 * Expected: exact where the arithmetic is, else 1e-9 relative, which is floating point's and GSL's own error.
 */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "engine/draw.h"
#include "report/stats.h"

START_TEST(known)
{
	/* Student 1908, extra hours of sleep by two drugs: t = -4.0621, 9 degrees, p = 0.002833. */
	static const double a[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
	static const double b[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
	struct interval r = stats_paired(a, b, 10, 0.95);

	ck_assert_double_eq_tol(r.mean, 1.58, 1e-12);
	ck_assert_double_eq_tol(r.low, 0.7001142, 1e-7);
	ck_assert_double_eq_tol(r.high, 2.4598858, 1e-7);
	ck_assert_double_eq_tol(r.p, 0.00283289, 1e-8);
	r = stats_welch(a, 10, b, 10, 0.95);
	ck_assert_double_eq_tol(r.p, 0.07939414, 1e-8);
	ck_assert_double_eq_tol(r.low, -0.2054832, 1e-7);
	ck_assert_double_eq_tol(r.high, 3.3654832, 1e-7);
}
END_TEST

START_TEST(corners)
{
	static const double one[] = {3}, same[] = {2, 2, 2}, zero[] = {0, 0};
	struct interval r = stats_mean(one, 1, 0.95);

	ck_assert_double_eq(r.mean, 3);
	ck_assert(isinf(r.low) && r.low < 0 && isinf(r.high) && r.high > 0);
	ck_assert_double_eq(r.p, 1);
	r = stats_mean(same, 3, 0.95);
	ck_assert_double_eq(r.low, 2);
	ck_assert_double_eq(r.high, 2);
	ck_assert_double_eq(r.p, 0);
	r = stats_mean(zero, 2, 0.95);
	ck_assert_double_eq(r.p, 1);
	ck_assert_double_eq(stats_median(same, 3), 2);
}
END_TEST

START_TEST(holm)
{
	double p[] = {0.01, 0.04, 0.03, 0.005}, many[] = {0.5, 0.6};

	/* Sorted 0.005 0.01 0.03 0.04 times 4 3 2 1, and never falling. */
	stats_holm(p, 4);
	ck_assert_double_eq_tol(p[3], 0.02, 1e-15);
	ck_assert_double_eq_tol(p[0], 0.03, 1e-15);
	ck_assert_double_eq_tol(p[2], 0.06, 1e-15);
	ck_assert_double_eq_tol(p[1], 0.06, 1e-15);
	stats_holm(many, 2);
	ck_assert_double_eq(many[0], 1);
	stats_holm(many, 0);
}
END_TEST

START_TEST(medians)
{
	static const double x[] = {5, 1, 4, 2, 3, 100, 7};
	double mean[3];

	ck_assert_double_eq(stats_median(x, 5), 3);
	ck_assert_double_eq(stats_median(x, 6), 3.5);
	stats_batch_means(x, 7, mean, 3);
	ck_assert_double_eq(mean[0], 3);
	ck_assert_double_eq(mean[1], 3);
	ck_assert_double_eq(mean[2], 110.0 / 3);
}
END_TEST

static void print_values(const char *name, const double *x, uint32_t n)
{
	printf("\"%s\": [", name);
	for (uint32_t i = 0; i < n; i++)
		printf("%s%.17g", i ? ", " : "", x[i]);
	printf("]");
}

static void print_interval(const char *name, struct interval r)
{
	double v[] = {r.mean, r.low, r.high, r.p};

	printf(", ");
	print_values(name, v, 4);
}

/* One JSON object a line. */
static int dump(void)
{
	struct draw d;

	draw_init(&d, 1, "test", "stats");
	for (int k = 0; k < 1000; k++) {
		uint32_t na = 2 + draw_next_below(&d, 12), nb = 2 + draw_next_below(&d, 12);
		uint32_t n = MIN(na, nb);
		double a[16], b[16], p[16];
		double level = 0.5 + draw_next_below(&d, 499) / 1000.0;

		for (uint32_t i = 0; i < 16; i++) {
			a[i] = draw_next_below(&d, 1000000) / 1000.0;
			b[i] = a[i] + draw_next_below(&d, 100000) / 1000.0 - 20;
			p[i] = draw_next_below(&d, 1000000) / 1e7;
		}
		printf("{\"level\": %.17g, ", level);
		print_values("a", a, na);
		printf(", ");
		print_values("b", b, nb);
		printf(", ");
		print_values("p", p, n);
		print_interval("mean", stats_mean(a, na, level));
		print_interval("paired", stats_paired(a, b, n, level));
		print_interval("welch", stats_welch(a, na, b, nb, level));
		stats_holm(p, n);
		printf(", ");
		print_values("holm", p, n);
		printf(", \"median\": %.17g}\n", stats_median(a, na));
	}
	return 0;
}

int main(int argc, char **argv)
{
	Suite *s;
	TCase *tc;
	SRunner *sr;
	int failed;

	if (argc == 2 && strcmp(argv[1], "--dump") == 0)
		return dump();
	s = suite_create("stats");
	tc = tcase_create("stats");
	tcase_add_test(tc, known);
	tcase_add_test(tc, corners);
	tcase_add_test(tc, holm);
	tcase_add_test(tc, medians);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
