/* stats.c -- order statistics for the benches. */
#include "bench/stats.h"

#include <stdlib.h>
#include <string.h>

#define RESAMPLINGS 2000

uint64_t stats_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* of values that are sorted already */
static double quantile_sorted(const double v[], size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;
	double part = at - (double)i;

	return i + 1 < n ? v[i] * (1 - part) + v[i + 1] * part : v[n - 1];
}

double stats_quantile(const double v[], size_t n, double q)
{
	double *copy = malloc(n * sizeof *copy);
	double out;

	if (copy == NULL)
		abort();
	memcpy(copy, v, n * sizeof *copy);
	qsort(copy, n, sizeof *copy, compare);
	out = quantile_sorted(copy, n, q);
	free(copy);
	return out;
}

struct stats_ratio stats_paired_ratio(const double a[], const double b[],
				      size_t n, uint64_t *state)
{
	double *ratio = malloc(n * sizeof *ratio);
	double *drawn = malloc(n * sizeof *drawn);
	double *medians = malloc(RESAMPLINGS * sizeof *medians);
	struct stats_ratio out;

	if (ratio == NULL || drawn == NULL || medians == NULL)
		abort();
	for (size_t i = 0; i < n; i++)
		ratio[i] = a[i] / b[i];
	for (size_t k = 0; k < RESAMPLINGS; k++) {
		for (size_t i = 0; i < n; i++)
			drawn[i] = ratio[stats_random(state) % n];
		qsort(drawn, n, sizeof *drawn, compare);
		medians[k] = quantile_sorted(drawn, n, 0.5);
	}
	out.median = stats_quantile(ratio, n, 0.5);
	out.low = stats_quantile(medians, RESAMPLINGS, 0.025);
	out.high = stats_quantile(medians, RESAMPLINGS, 0.975);
	free(ratio);
	free(drawn);
	free(medians);
	return out;
}
