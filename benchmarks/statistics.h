/* benchmarks/statistics: what sums up measured times. */
#ifndef BENCHMARKS_STATISTICS_H
#define BENCHMARKS_STATISTICS_H

/* The median of count values, the mean of the middle two when count is even; NAN for none.
 * Sorts the values. */
double bench_median(double *value, int count);

/* Shifted geometric mean: exp(mean of log(value + shift)) - shift; NAN for none. The shift, in the
 * values' unit, keeps the smallest ones from ruling the mean (Achterberg, Constraint integer
 * programming, 2007, appendix A). */
double bench_shifted_mean(const double *value, int count, double shift);

#endif
