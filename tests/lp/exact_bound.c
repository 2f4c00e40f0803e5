/* Sums up the bound of given multipliers in dyadic numbers, and compares it with what was
 * claimed. */
#include "tests/lp/exact_bound.h"

#include "lp/safe/dyadic.h"

/* A multiplier that points at a finite side counts, another one is 0. */
static double side_of(const lp_model *m, int r, double y)
{
    return y > 0.0 ? m->row_lower[r] : m->row_upper[r];
}

static bool counts(const lp_model *m, int r, double y)
{
    return y != 0.0 && isfinite(y) && isfinite(side_of(m, r, y));
}

/* Adds min over [lower, upper] of d_j x to total; d is room for d_j. False when that is
 * -infinity. */
static bool add_column(dyadic *total, dyadic *d, const lp_model *m, int j, double lower,
                       double upper, const double *y, double cost)
{
    dyadic_set_zero(d);
    dyadic_add_product(d, cost, 1.0);
    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        if (counts(m, m->index[k], y[m->index[k]]))
            dyadic_add_product(d, -m->value[k], y[m->index[k]]);
    const int sign = dyadic_sign(d);
    const double x = sign > 0 ? lower : upper;
    if (sign == 0)
        return true;
    if (!isfinite(x))
        return false;
    dyadic_add_scaled(total, d, x, NULL);
    return true;
}

/* Sign of (the bound that y proves) - minus, for costs (NULL: zeros) and offset; -1
 * also when the bound is -infinity. */
static int bound_sign(const lp_model *m, const double *lower, const double *upper, const double *y,
                      const double *cost, double offset, double minus)
{
    dyadic total, d;
    bool finite = true;
    dyadic_init(&total);
    dyadic_init(&d);
    dyadic_add_product(&total, offset, 1.0);
    dyadic_add_product(&total, minus, -1.0);
    for (int r = 0; r < m->rows; r++)
        if (counts(m, r, y[r]))
            dyadic_add_product(&total, y[r], side_of(m, r, y[r]));
    for (int j = 0; j < m->cols && finite; j++)
        finite = add_column(&total, &d, m, j, (lower ? lower : m->lower)[j],
                            (upper ? upper : m->upper)[j], y, cost ? cost[j] : 0.0);
    const int sign = finite ? dyadic_sign(&total) : -1;
    dyadic_clear(&total);
    dyadic_clear(&d);
    return sign;
}

bool exact_bound_at_least(const lp_model *m, const double *lower, const double *upper,
                          const double *y, double bound)
{
    if (!isfinite(bound))
        return bound == -LP_INFINITY;
    return bound_sign(m, lower, upper, y, m->cost, m->offset, bound) >= 0;
}

bool exact_farkas(const lp_model *m, const double *lower, const double *upper, const double *y)
{
    for (int j = 0; j < m->cols; j++)
        if ((lower ? lower : m->lower)[j] > (upper ? upper : m->upper)[j])
            return true;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r])
            return true;
    return bound_sign(m, lower, upper, y, NULL, 0.0, 0.0) > 0;
}
