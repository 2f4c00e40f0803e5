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
