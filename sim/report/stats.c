// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/stats.h"

#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* From mean, its standard error and the degrees of freedom. */
static struct interval from_error(uint32_t n, double mean, double error, double freedom,
				  double level)
{
	struct interval r = {.n = n, .mean = mean, .low = -INFINITY, .high = INFINITY, .p = 1};
	double t;

	if (n < 2)
		return r;
	if (!(error > 0)) {
		/* All equal, as paired runs are that a change did not touch. */
		r.low = r.high = mean;
		r.p = mean == 0 ? 1 : 0;
		return r;
	}
	t = gsl_cdf_tdist_Pinv(0.5 + level / 2, freedom);
	r.low = mean - t * error;
	r.high = mean + t * error;
	r.p = 2 * gsl_cdf_tdist_Q(fabs(mean) / error, freedom);
	return r;
}

struct interval stats_mean(const double *x, uint32_t n, double level)
{
	double mean = gsl_stats_mean(x, 1, n);
	double error = n > 1 ? gsl_stats_sd_m(x, 1, n, mean) / sqrt(n) : 0;

	return from_error(n, mean, error, n - 1.0, level);
}

struct interval stats_paired(const double *a, const double *b, uint32_t n, double level)
{
	double *d = g_new(double, n);
	struct interval r;

	for (uint32_t i = 0; i < n; i++)
		d[i] = b[i] - a[i];
	r = stats_mean(d, n, level);
	g_free(d);
	return r;
}

struct interval stats_welch(const double *a, uint32_t na, const double *b, uint32_t nb,
			    double level)
{
	double diff = gsl_stats_mean(b, 1, nb) - gsl_stats_mean(a, 1, na);
	double va = na > 1 ? gsl_stats_variance(a, 1, na) / na : 0;
	double vb = nb > 1 ? gsl_stats_variance(b, 1, nb) / nb : 0;
	double below = 0;

	if (na > 1)
		below += va * va / (na - 1);
	if (nb > 1)
		below += vb * vb / (nb - 1);
	return from_error(MAX(na, nb), diff, sqrt(va + vb),
			  below > 0 ? (va + vb) * (va + vb) / below : 1, level);
}

void stats_holm(double *p, uint32_t n)
{
	size_t *order = g_new(size_t, n + 1);
	double least = 0;

	gsl_sort_index(order, p, 1, n);
	for (uint32_t i = 0; i < n; i++) {
		double adjusted = MIN(p[order[i]] * (n - i), 1);

		least = MAX(least, adjusted);
		p[order[i]] = least;
	}
	g_free(order);
}

double stats_median(const double *x, uint32_t n)
{
	double *sorted = g_memdup2(x, n * sizeof(*x));
	double median;

	gsl_sort(sorted, 1, n);
	median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	g_free(sorted);
	return median;
}

void stats_batch_means(const double *x, uint32_t n, double *mean, uint32_t batches)
{
	uint32_t size = n / batches;

	for (uint32_t i = 0; i < batches; i++)
		mean[i] = gsl_stats_mean(x + (size_t)i * size, 1,
					 i + 1 < batches ? size : n - (size_t)i * size);
}
