/* stats.h -- medians, and how sure one may be of a ratio of two of them. */
#ifndef CUPEL_TESTS_BENCH_STATS_H
#define CUPEL_TESTS_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

struct stats_ratio {
	double median, low, high; /* low to high: 95% of the resamplings */
};

/* stats_random -- the next of a sequence (xorshift64*); *state is not 0. */
uint64_t stats_random(uint64_t *state);

/* stats_quantile -- the q-quantile (0 to 1) of v[0..n-1], n > 0; v is left as
 * it is. */
double stats_quantile(const double v[], size_t n, double q);

/* stats_paired_ratio -- the median of a[i] / b[i], with the percentile
 * interval of 2000 bootstrap resamplings of the pairs. */
struct stats_ratio stats_paired_ratio(const double a[], const double b[],
				      size_t n, uint64_t *state);

#endif
