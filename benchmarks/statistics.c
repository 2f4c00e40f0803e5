/* Medians, shifted geometric means, and confidence intervals by Student's distribution. */
#include "benchmarks/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *value, int count)
{
    if (count <= 0)
        return NAN;
    qsort(value, (size_t)count, sizeof *value, ascending);
    return count % 2 ? value[count / 2] : 0.5 * (value[count / 2 - 1] + value[count / 2]);
}

double bench_shifted_mean(const double *value, int count, double shift)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += log(value[k] + shift);
    return count > 0 ? exp(sum / count) - shift : NAN;
}

/* The 97.5 % quantile of Student's distribution, between the entries by the larger one. */
static double student(int freedom)
{
    static const double first[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                   2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                   2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                   2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    const int count = sizeof first / sizeof *first;
    return freedom <= count ? first[freedom - 1] : freedom <= 60 ? 2.042 : 2.000;
}

bench_interval bench_confidence(const double *value, int count)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < count; k++)
        sum += value[k];
    if (count < 2)
        return (bench_interval){count > 0 ? sum : NAN, -INFINITY, INFINITY};
    const double mean = sum / count;
    for (int k = 0; k < count; k++)
        squares += (value[k] - mean) * (value[k] - mean);
    const double half = student(count - 1) * sqrt(squares / (count - 1) / count);
    return (bench_interval){mean, mean - half, mean + half};
}
