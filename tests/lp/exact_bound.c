/* Sums up the bound of given multipliers in rational numbers, and compares it with what was
 * claimed. */
#include "tests/lp/exact_bound.h"

/* A multiplier that points at a finite side counts, another one is 0. */
static double side_of(const lp_model *m, int r, double y)
{
    return y > 0.0 ? m->row_lower[r] : m->row_upper[r];
}

static bool counts(const lp_model *m, int r, double y)
{
    return y != 0.0 && isfinite(y) && isfinite(side_of(m, r, y));
}

void exact_add_product(mpq_t sum, double a, double b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, a);
    mpq_set_d(y, b);
    mpq_mul(x, x, y);
    mpq_add(sum, sum, x);
    mpq_clears(x, y, NULL);
}

/* Adds min over [lower, upper] of d_j x to total; d is room for d_j. False when that is
 * -infinity. */
static bool add_column(mpq_t total, mpq_t d, const lp_model *m, int j, double lower, double upper,
                       const double *y, double cost)
{
    mpq_set_d(d, cost);
    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        if (counts(m, m->index[k], y[m->index[k]]))
            exact_add_product(d, -m->value[k], y[m->index[k]]);
    const int sign = mpq_sgn(d);
    const double x = sign > 0 ? lower : upper;
    if (sign == 0)
        return true;
    if (!isfinite(x))
        return false;
    mpq_t bound;
    mpq_init(bound);
    mpq_set_d(bound, x);
    mpq_mul(d, d, bound);
    mpq_add(total, total, d);
    mpq_clear(bound);
    return true;
}

bool exact_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                 const double *cost, double offset, mpq_t total)
{
    mpq_t d;
    bool finite = true;
    mpq_init(d);
    mpq_set_d(total, offset);
    for (int r = 0; r < m->rows; r++)
        if (counts(m, r, y[r]))
            exact_add_product(total, y[r], side_of(m, r, y[r]));
    for (int j = 0; j < m->cols && finite; j++)
        finite = add_column(total, d, m, j, (lower ? lower : m->lower)[j],
                            (upper ? upper : m->upper)[j], y, cost ? cost[j] : 0.0);
    mpq_clear(d);
    return finite;
}

/* Sign of (the bound that y proves) - minus, for costs (NULL: zeros) and offset; -1
 * also when the bound is -infinity. */
static int bound_sign(const lp_model *m, const double *lower, const double *upper, const double *y,
                      const double *cost, double offset, double minus)
{
    mpq_t total;
    mpq_init(total);
    int sign = -1;
    if (exact_bound(m, lower, upper, y, cost, offset, total)) {
        exact_add_product(total, minus, -1.0);
        sign = mpq_sgn(total);
    }
    mpq_clear(total);
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
