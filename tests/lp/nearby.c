/* Complementary slackness with bounds, sides and costs moved within the tolerance, decided in
 * rational arithmetic. */
#include "tests/lp/nearby.h"

#include <gmp.h>

/* True if value differs from the bound by at most tolerance (1 + |bound|). */
static bool is_at(const mpq_t value, double bound, double tolerance)
{
    mpq_t room, size;
    if (isinf(bound))
        return false;
    mpq_inits(room, size, NULL);
    mpq_set_d(size, fabs(bound));
    mpq_set_ui(room, 1, 1);
    mpq_add(size, size, room);
    mpq_set_d(room, tolerance);
    mpq_mul(room, room, size);
    mpq_set_d(size, bound);
    mpq_sub(size, value, size);
    mpq_abs(size, size);
    const bool at = mpq_cmp(size, room) <= 0;
    mpq_clears(room, size, NULL);
    return at;
}

/* True if value is within the bounds, moved if need be. */
static bool is_within(const mpq_t value, double lower, double upper, double tolerance)
{
    mpq_t bound;
    bool within = true;
    mpq_init(bound);
    if (isfinite(lower)) {
        mpq_set_d(bound, lower);
        within = mpq_cmp(value, bound) >= 0 || is_at(value, lower, tolerance);
    }
    if (within && isfinite(upper)) {
        mpq_set_d(bound, upper);
        within = mpq_cmp(value, bound) <= 0 || is_at(value, upper, tolerance);
    }
    mpq_clear(bound);
    return within;
}

/* True if a reduced cost or multiplier of this sign belongs to the value: a lower bound, moved if
 * need be, is there to be paid for, or an upper one. */
static bool suits(int sign, const mpq_t value, double lower, double upper, double tolerance)
{
    return sign == 0 || is_at(value, sign > 0 ? lower : upper, tolerance);
}

/* The activities of all rows, which are 0 on entry; a and b are scratch. */
static void add_up_rows(mpq_t *activity, const lp_model *m, const double *x, mpq_t a, mpq_t b)
{
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            mpq_set_d(a, m->value[e]);
            mpq_set_d(b, x[j]);
            mpq_mul(a, a, b);
            mpq_add(activity[m->index[e]], activity[m->index[e]], a);
        }
}

/* d := c_j - sum of y_r a_rj over the rows that count. */
static void reduced_cost(mpq_t d, const lp_model *m, int j, const double *y, const bool *counts,
                         mpq_t a, mpq_t b)
{
    mpq_set_d(d, m->cost[j]);
    for (int e = m->start[j]; e < m->start[j + 1]; e++) {
        if (!counts[m->index[e]])
            continue;
        mpq_set_d(a, m->value[e]);
        mpq_set_d(b, y[m->index[e]]);
        mpq_mul(a, a, b);
        mpq_sub(d, d, a);
    }
}

bool is_optimum_nearby(const lp_model *m, const double *x, const double *y, double tolerance)
{
    bool optimal = true, *counts = base_calloc((size_t)m->rows + 1, sizeof *counts);
    mpq_t *activity = base_malloc((size_t)m->rows + 1, sizeof *activity), a, b, d;
    mpq_inits(a, b, d, NULL);
    for (int r = 0; r < m->rows; r++)
        mpq_init(activity[r]);
    add_up_rows(activity, m, x, a, b);
    for (int r = 0; r < m->rows; r++) {
        const double lower = m->row_lower[r], upper = m->row_upper[r];
        optimal = optimal && is_within(activity[r], lower, upper, tolerance);
        counts[r] = suits((y[r] > 0.0) - (y[r] < 0.0), activity[r], lower, upper, tolerance);
    }
    for (int j = 0; optimal && j < m->cols; j++) {
        reduced_cost(d, m, j, y, counts, a, b);
        const int sign = mpq_sgn(d);
        mpq_abs(d, d);
        mpq_set_d(a, tolerance);
        mpq_set_d(b, x[j]);
        optimal = is_within(b, m->lower[j], m->upper[j], tolerance) &&
                  (mpq_cmp(d, a) <= 0 || suits(sign, b, m->lower[j], m->upper[j], tolerance));
    }
    for (int r = 0; r < m->rows; r++)
        mpq_clear(activity[r]);
    mpq_clears(a, b, d, NULL);
    base_free_all(activity, counts);
    return optimal;
}
