/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a comparison rests on: means with intervals of Student's t, paired and unpaired, and Holm's
 * correction for looking at many of them. Distributions are GSL's.
 */
#ifndef WLANQ_REPORT_STATS_H
#define WLANQ_REPORT_STATS_H

#include <stdint.h>

struct interval {
	uint32_t n;
	double mean;
	double low, high; /* infinite when one value is all there is */
	double p; /* of a mean at least that far from 0, both sides, if the true one is 0 */
};

/* The mean of @x[0 .. n-1], n >= 1, with its interval at @level (0.95). */
struct interval stats_mean(const double *x, uint32_t n, double level);

/* The mean of b[i] - a[i]. */
struct interval stats_paired(const double *a, const double *b, uint32_t n, double level);

/*
 * mean(b) - mean(a) of independent values with unequal variances (Welch, Satterthwaite); .n is the larger of
 * both. A single value on one side counts as exact.
 */
struct interval stats_welch(const double *a, uint32_t na, const double *b, uint32_t nb,
			    double level);

/* Replaces each of @p[0 .. n-1] by its value adjusted by Holm's step-down method. */
void stats_holm(double *p, uint32_t n);

/* The mean of the two middle ones when @n is even; n >= 1. @x is not changed. */
double stats_median(const double *x, uint32_t n);

/*
 * Means of @batches equal parts of a series, whose values depend on each other: far enough apart, the means
 * do not. @n >= @batches; what is left over goes to the last.
 */
void stats_batch_means(const double *x, uint32_t n, double *mean, uint32_t batches);

#endif
