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

/* A mean and the interval that holds the true one with 95 % confidence. */
typedef struct bench_interval {
    double mean, low, high; /* of less than two values: infinite ends */
} bench_interval;

/* Student's interval of count independent values. NAN for none. */
bench_interval bench_confidence(const double *value, int count);

#endif
