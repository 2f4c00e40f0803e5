/* Safe bounds where rounding noise meets infinite bounds. */
#include <gmp.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/safe/safe_repair.h"
#include "tests/lp/exact_bound.h"
#include "tests/lp/exact_lp.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("repair");

/* The tightest bound of column j that row r implies from one side while the other columns stay
 * within bounds, exactly: false if there is none. */
static bool reference_implied(const lp_model *m, const double *lower, const double *upper, int r,
                              int j, bool from_upper, mpq_t limit)
{
    double own = 0.0;
    const double side = from_upper ? m->row_upper[r] : m->row_lower[r];
    if (isinf(side))
        return false;
    mpq_set_d(limit, side);
    for (int k = 0; k < m->cols; k++) {
        for (int p = m->start[k]; p < m->start[k + 1]; p++) {
            if (m->index[p] != r)
                continue;
            const double v = m->value[p];
            const double end = (v > 0.0) == from_upper ? lower[k] : upper[k];
            if (k == j)
                own = v;
            else if (isinf(end))
                return false;
            else
                exact_add_product(limit, -v, end);
        }
    }
    if (own == 0.0)
        return false;
    mpq_t divisor;
    mpq_init(divisor);
    mpq_set_d(divisor, own);
    mpq_div(limit, limit, divisor);
    mpq_clear(divisor);
    return true;
}

/* True if some row has a finite bound for column j while the others stay within lower and upper:
 * *upper_side says which, and the best is `value`. */
static bool best_reference(const lp_model *m, const double *lower, const double *upper, int j,
                           bool upper_side, mpq_t value)
{
    bool found = false;
    mpq_t limit;
    mpq_init(limit);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const bool from_upper = (m->value[k] > 0.0) == upper_side;
        if (!reference_implied(m, lower, upper, m->index[k], j, from_upper, limit))
            continue;
        const int order = found ? mpq_cmp(limit, value) : 0;
        if (!found || (upper_side ? order < 0 : order > 0))
            mpq_set(value, limit);
        found = true;
    }
    mpq_clear(limit);
    return found;
}

/* A model of a family with entries that are rounded in sums. */
static lp_model *uneven_model(int k)
{
    base_rng rng = {(uint64_t)k + 300};
    lp_model *m = sample_model(&rng, (sample_family)(k % SAMPLE_FAMILIES), 6, 5);
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            m->value[e] *= 1.0 + base_rng_double(&rng);
    return m;
}

/* What is implied is as tight as what the rows imply from the implied bounds of the others, and
 * where there was a bound before it is not given up. */
LOOP_TEST(implied_bounds_are_near, 60)
{
    OWNED(lp_model) *m = uneven_model(_i);
    lp_activity_bounds *activity = lp_activity_bounds_create(m, m->lower, m->upper);
    const double *lower = activity->lower, *upper = activity->upper;
    mpq_t best;
    mpq_init(best);
    for (int j = 0; j < m->cols; j++) {
        double low = -LP_INFINITY, high = LP_INFINITY;
        lp_activity_imply(activity, j, &low, &high);
        ck_assert(lower[j] >= m->lower[j] && upper[j] <= m->upper[j]);
        if (isfinite(m->lower[j]))
            ck_assert_double_eq(lower[j], m->lower[j]);
        if (isfinite(m->upper[j]))
            ck_assert_double_eq(upper[j], m->upper[j]);
        if (best_reference(m, lower, upper, j, true, best)) {
            ck_assert_double_le(high, mpq_get_d(best) + 1e-9 * (1.0 + fabs(mpq_get_d(best))));
            ck_assert(isfinite(upper[j]));
        }
        if (best_reference(m, lower, upper, j, false, best)) {
            ck_assert_double_ge(low, mpq_get_d(best) - 1e-9 * (1.0 + fabs(mpq_get_d(best))));
            ck_assert(isfinite(lower[j]));
        }
    }
    mpq_clear(best);
    lp_activity_bounds_free(activity);
}

/* No point is lost: the exact least and greatest value of each column is within what is implied.
 * Returns whether the model has points. */
static bool check_extremes(lp_model *m, int j, double low, double high)
{
    bool feasible = true;
    for (int sign = -1; sign <= 1; sign += 2) {
        m->cost[j] = sign;
        exact_lp_answer a = exact_lp_solve(m);
        feasible = a.status != LP_INFEASIBLE;
        ck_assert(a.status != LP_UNSOLVED);
        if (a.status == LP_OPTIMAL) { /* values are rounded towards zero */
            ck_assert_double_le(low, nextafter(a.x[j], INFINITY));
            ck_assert_double_ge(high, nextafter(a.x[j], -INFINITY));
        } else if (a.status == LP_UNBOUNDED) {
            ck_assert(isinf(sign > 0 ? low : high));
        }
        exact_lp_clear(&a);
    }
    m->cost[j] = 0.0;
    return feasible;
}

LOOP_TEST(implied_bounds_are_outward, 60)
{
    OWNED(lp_model) *m = uneven_model(_i);
    memset(m->cost, 0, (size_t)m->cols * sizeof *m->cost);
    lp_activity_bounds *activity = lp_activity_bounds_create(m, m->lower, m->upper);
    for (int j = 0; j < m->cols; j++) {
        double low = m->lower[j], high = m->upper[j];
        lp_activity_imply(activity, j, &low, &high);
        if (!check_extremes(m, j, low, high))
            break;
    }
    lp_activity_bounds_free(activity);
}

/* x0 in [0,1], x1 = 2 x0 and so on: each bound follows from the one before it. */
TEST(implied_bounds_imply_others)
{
    enum { LENGTH = 30 };
    OWNED(lp_model) *m = lp_model_create();
    const double entries[2] = {2.0, -1.0};
    for (int r = 0; r < LENGTH; r++)
        lp_model_add_row(m, 0.0, 0.0, NULL);
    for (int i = LENGTH; i >= 0; i--) { /* the last first, so that one pass does not do */
        const int rows[2] = {i, i - 1}, from = i == LENGTH ? 1 : 0, to = i == 0 ? 1 : 2;
        lp_model_add_col(m, 0.0, i == 0 ? 0.0 : -LP_INFINITY, i == 0 ? 1.0 : LP_INFINITY, false,
                         to - from, rows + from, entries + from, NULL);
    }
    lp_activity_bounds *activity = lp_activity_bounds_create(m, m->lower, m->upper);
    const double largest = ldexp(1.0, LENGTH);
    ck_assert_double_ge(activity->upper[0], largest);
    ck_assert_double_le(activity->upper[0], largest * (1.0 + 1e-9));
    ck_assert_double_le(activity->lower[0], 0.0);
    ck_assert_double_ge(activity->lower[0], -1e-6);
    lp_activity_bounds_free(activity);
}

/* min 0.1 x0, 1 <= 3 x0 + x1 <= 4, x0 free, x1 in [0,5]: noise in d0 meets infinity on
 * both sides, and no shift makes it exactly 0. */
TEST(noise_of_a_free_column_is_met_by_its_implied_bound)
{
    const int rows[1] = {0};
    const double three[1] = {3.0}, one[1] = {1.0};
    const double y[1] = {0.1 / 3.0};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 1.0, 4.0, NULL);
    lp_model_add_col(m, 0.1, -LP_INFINITY, LP_INFINITY, false, 1, rows, three, NULL);
    lp_model_add_col(m, 0.0, 0.0, 5.0, false, 1, rows, one, NULL);
    const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
    ck_assert_double_le(bound, 0.1 * (1.0 - 5.0) / 3.0 + 1e-15);
    ck_assert_double_ge(bound, 0.1 * (1.0 - 5.0) / 3.0 - 1e-15);
    m->upper[1] = LP_INFINITY; /* now nothing bounds x0 from below */
    ck_assert(isinf(lp_safe_bound(m, NULL, NULL, y, NULL)));
}

/* y = 1/3 cannot be written in binary: d of both columns is tiny, and either sign
 * would meet an infinite bound. The shift has to find a usable multiplier. */
TEST(rounding_noise_at_infinite_bounds_is_repaired)
{
    const int rows[2] = {0, 1};
    const double a[2] = {3.0, 0.1}, b[2] = {0.7, 3.0};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 6.0, LP_INFINITY, NULL);
    lp_model_add_row(m, 5.0, LP_INFINITY, NULL);
    lp_model_add_col(m, 1.0, 0.0, LP_INFINITY, false, 2, rows, a, NULL);
    lp_model_add_col(m, 1.0, 0.0, LP_INFINITY, false, 2, rows, b, NULL);
    const double det = a[0] * b[1] - a[1] * b[0];
    const double y[2] = {(b[1] - a[1]) / det, (a[0] - b[0]) / det};
    const double optimum = 6.0 * y[0] + 5.0 * y[1];
    for (int k = -3; k <= 3; k++) {
        const double near[2] = {y[0] + k * 0x1p-53, y[1]};
        const double bound = lp_safe_bound(m, NULL, NULL, near, NULL);
        ck_assert_double_ge(bound, optimum - 1e-12);
        ck_assert_double_le(bound, optimum + 1e-15);
    }
}

#define FAR 1e3 /* distance of a bound */

/* A model with a known optimal pair: x and y of small dyadic numbers, basic columns away from their
 * bounds, the others at one. All is exact in double. */
static lp_model *model_with_optimum(base_rng *rng, double *y, double *optimum)
{
    const int rows = 3 + (int)base_rng_below(rng, 10), cols = 3 + (int)base_rng_below(rng, 12);
    double activity[16] = {0.0}, value[16];
    int index[16];
    lp_model *m = lp_model_create();
    m->offset = 0.5;
    *optimum = m->offset;
    for (int r = 0; r < rows; r++) {
        y[r] = ((double)base_rng_below(rng, 65) - 32.0) / 8.0;
        lp_model_add_row(m, 0.0, 0.0, NULL);
    }
    for (int j = 0; j < cols; j++) {
        const double x = (double)base_rng_below(rng, 41) / 4.0 - 5.0;
        const int kind = (int)base_rng_below(rng, 4); /* 0: basic free, 1, 2: basic, 3: not */
        double cost = kind == 3 ? 1.0 + (double)base_rng_below(rng, 4) : 0.0;
        int count = 0;
        for (int r = 0; r < rows; r++) {
            if (base_rng_below(rng, 3))
                continue;
            index[count] = r;
            value[count] = ((double)base_rng_below(rng, 127) - 63.0) / 16.0;
            cost += y[r] * value[count];
            activity[r] += x * value[count++];
        }
        lp_model_add_col(m, cost,
                         kind == 0 || kind == 2 ? x - FAR
                         : kind == 1            ? x - 1.0
                                                : x,
                         kind == 2 ? x + 1.0 : x + FAR, false, count, index, value, NULL);
        *optimum += cost * x;
    }
    for (int r = 0; r < rows; r++) {
        const bool equal = base_rng_below(rng, 3) == 0;
        m->row_lower[r] = equal || y[r] > 0.0 ? activity[r] : activity[r] - 1.0;
        m->row_upper[r] = equal || y[r] < 0.0 ? activity[r] : LP_INFINITY;
        if (!equal && y[r] < 0.0)
            m->row_lower[r] = -LP_INFINITY;
    }
    return m;
}

/* Multipliers off by rounding: the bound has to be finite, below the optimum, and near. */
LOOP_TEST(noise_at_far_bounds_costs_little, 5)
{
    base_rng rng = {(uint64_t)_i + 4000};
    mpq_t exact, safe;
    mpq_inits(exact, safe, NULL);
    for (int trial = 0; trial < 40; trial++) {
        double y[16] = {0.0}, optimum;
        OWNED(lp_model) *m = model_with_optimum(&rng, y, &optimum);
        for (int r = 0; r < m->rows; r++)
            y[r] *= 1.0 + (base_rng_double(&rng) - 0.5) * 0x1p-48;
        const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
        ck_assert_msg(bound <= optimum, "%.17g is above the optimum %.17g", bound, optimum);
        ck_assert_double_gt(bound, optimum - 1e-8);
        /* An offset beside which the rest falls between two doubles. */
        mpq_set_d(exact, -0x1p50);
        mpq_set_d(safe, optimum - m->offset);
        mpq_add(exact, exact, safe);
        m->offset = -0x1p50;
        const double rounded = lp_safe_bound(m, NULL, NULL, y, NULL);
        mpq_set_d(safe, rounded);
        ck_assert(mpq_cmp(safe, exact) <= 0);
    }
    mpq_clears(exact, safe, NULL);
}
