/* Safe bounds against a plain reference in rational arithmetic. */
#include <gmp.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/simplex.h"
#include "tests/lp/certify.h"
#include "tests/lp/compare.h"
#include "tests/lp/exact_bound.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("safe");

/* Multipliers of some spread: random, dyadic, or tiny against the costs. */
static double *random_duals(base_rng *rng, const lp_model *m)
{
    double *y = base_malloc((size_t)m->rows, sizeof *y);
    const int kind = (int)base_rng_below(rng, 4);
    for (int r = 0; r < m->rows; r++) {
        y[r] = 4.0 * base_rng_double(rng) - 2.0;
        if (kind == 1)
            y[r] = floor(y[r] * 8.0) / 8.0;
        else if (kind == 2)
            y[r] *= ldexp(1.0, (int)base_rng_below(rng, 60) - 40);
        if (base_rng_below(rng, 4) == 0)
            y[r] = 0.0;
    }
    return y;
}

/* Bounds all columns, so that bounds are finite. */
static void box(base_rng *rng, lp_model *m)
{
    for (int j = 0; j < m->cols; j++) {
        if (isinf(m->lower[j]))
            m->lower[j] = fmin(m->upper[j], 0.0) - 100.0 * base_rng_double(rng);
        if (isinf(m->upper[j]))
            m->upper[j] = m->lower[j] + 1000.0 * base_rng_double(rng);
    }
}

LOOP_TEST(bound_is_below_the_exact_one_and_near_it, 30)
{
    base_rng rng = {(uint64_t)_i};
    OWNED(lp_model) *m = sample_model(&rng, (sample_family)(_i % SAMPLE_FAMILIES), 25, 25);
    box(&rng, m);
    mpq_t exact, safe, slack;
    mpq_inits(exact, safe, slack, NULL);
    for (int trial = 0; trial < 10; trial++) {
        OWNED(double) *y = random_duals(&rng, m);
        const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
        ck_assert(isfinite(bound));
        ck_assert(exact_bound(m, NULL, NULL, y, m->cost, m->offset, exact));
        mpq_set_d(safe, bound);
        ck_assert_msg(mpq_cmp(safe, exact) <= 0, "%.17g is above the exact %.17g", bound,
                      mpq_get_d(exact));
        /* Nearness: the sum of absolute terms times a few hundred units of 2^-64. */
        long double size = fabs(m->offset);
        for (int r = 0; r < m->rows; r++) {
            const double side = y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r];
            size += isfinite(side) ? fabsl((long double)side * y[r]) : 0.0L;
        }
        for (int j = 0; j < m->cols; j++) {
            const double reach = fmax(fabs(m->lower[j]), fabs(m->upper[j]));
            long double terms = fabs(m->cost[j]);
            for (int k = m->start[j]; k < m->start[j + 1]; k++)
                terms += fabsl((long double)m->value[k] * y[m->index[k]]);
            size += terms * reach;
        }
        mpq_sub(slack, exact, safe);
        const double allowed = (double)(size * 0x1p-56L) + fabs(bound) * 0x1p-52;
        ck_assert_msg(mpq_get_d(slack) <= allowed, "%g below the exact bound, allowed %g",
                      mpq_get_d(slack), allowed);
        /* The exact checker agrees with the reference on both sides of it. */
        ck_assert(exact_bound_at_least(m, NULL, NULL, y, bound));
        const double above = nextafter(mpq_get_d(exact), LP_INFINITY);
        mpq_set_d(safe, above);
        ck_assert(mpq_cmp(safe, exact) <= 0 || !exact_bound_at_least(m, NULL, NULL, y, above));
        /* Once more with an offset that cancels the bound: the rounding of the result
         * to double no longer hides the errors of the sum. */
        const double offset = m->offset;
        m->offset -= bound;
        if (m->offset + bound == offset) {
            mpq_set_d(safe, lp_safe_bound(m, NULL, NULL, y, NULL));
            ck_assert(exact_bound(m, NULL, NULL, y, m->cost, m->offset, exact));
            ck_assert(mpq_cmp(safe, exact) <= 0);
        }
        m->offset = offset;
    }
    mpq_clears(exact, safe, slack, NULL);
}

/* Costs that y cancels up to rounding, and wide bounds: the error of the reduced
 * costs, and nothing else, decides. */
LOOP_TEST(error_of_cancelled_reduced_costs_is_allowed_for, 4)
{
    base_rng rng = {(uint64_t)_i + 500};
    mpq_t exact, safe;
    mpq_inits(exact, safe, NULL);
    for (int trial = 0; trial < 50; trial++) {
        double y[3];
        OWNED(lp_model) *m = lp_model_create();
        for (int r = 0; r < 3; r++) {
            lp_model_add_row(m, 0.0, LP_INFINITY, NULL);
            y[r] = base_rng_double(&rng);
        }
        for (int j = 0; j < 3; j++) {
            const int rows[3] = {0, 1, 2};
            double a[3], cost = 0.0;
            for (int r = 0; r < 3; r++) {
                a[r] = base_rng_double(&rng) - 0.5;
                cost += a[r] * y[r];
            }
            lp_model_add_col(m, cost, -1e15, 1e15, false, 3, rows, a, NULL);
        }
        mpq_set_d(safe, lp_safe_bound(m, NULL, NULL, y, NULL));
        ck_assert(exact_bound(m, NULL, NULL, y, m->cost, m->offset, exact));
        ck_assert(mpq_cmp(safe, exact) <= 0);
        ck_assert(mpq_get_d(safe) > mpq_get_d(exact) - 1e-2);
    }
    mpq_clears(exact, safe, NULL);
}

/* With infinite bounds a finite answer may come from implied bounds or shifted
 * multipliers: it has to hold at every feasible point. Points are made by fitting the
 * rows to them. */
LOOP_TEST(bound_holds_at_feasible_points_of_unbounded_columns, 30)
{
    base_rng rng = {(uint64_t)_i + 1000};
    OWNED(lp_model) *m = sample_model(&rng, (sample_family)(_i % SAMPLE_FAMILIES), 8, 8);
    OWNED(double) *x = base_malloc((size_t)m->cols, sizeof *x);
    OWNED(double) *activity = base_calloc((size_t)m->rows, sizeof *activity);
    for (int j = 0; j < m->cols; j++) {
        x[j] = floor(fmax(m->lower[j], fmin(m->upper[j], 0.0)) * 4.0) / 4.0 +
               (double)base_rng_below(&rng, 50) / 4.0;
        m->lower[j] = fmin(m->lower[j], x[j]);
        m->upper[j] = fmax(m->upper[j], x[j]);
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            activity[m->index[k]] += m->value[k] * x[j];
    }
    for (int r = 0; r < m->rows; r++) { /* room for the rounding of activity */
        m->row_lower[r] = fmin(m->row_lower[r], activity[r] - 1e-6 * (1.0 + fabs(activity[r])));
        m->row_upper[r] = fmax(m->row_upper[r], activity[r] + 1e-6 * (1.0 + fabs(activity[r])));
    }
    for (int trial = 0; trial < 20; trial++) {
        OWNED(double) *y = random_duals(&rng, m);
        const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
        ck_assert_double_le(bound, lp_model_objective(m, x) * (1.0 + 1e-12) + 1e-9);
        ck_assert(!lp_farkas_is_proof(m, NULL, NULL, y));
        ck_assert(!exact_farkas(m, NULL, NULL, y));
    }
}

TEST(reduced_costs_and_given_bounds_are_used)
{
    /* min x0 - 2 x1, x0 + x1 >= 3, x in [0,10]^2, y = 1/2: d = (1/2, -5/2) */
    const int rows[1] = {0};
    const double one[1] = {1.0}, y[1] = {0.5};
    double d[2], lower[2] = {1.0, 0.0}, upper[2] = {2.0, 3.0};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 3.0, LP_INFINITY, NULL);
    lp_model_add_col(m, 1.0, 0.0, 10.0, false, 1, rows, one, NULL);
    lp_model_add_col(m, -2.0, 0.0, 10.0, false, 1, rows, one, NULL);
    const double own = lp_safe_bound(m, NULL, NULL, y, d);
    ck_assert_double_eq(d[0], 0.5);
    ck_assert_double_eq(d[1], -2.5);
    ck_assert_double_le(own, 1.5 - 25.0);
    ck_assert_double_ge(own, 1.5 - 25.0 - 1e-12);
    const double given = lp_safe_bound(m, lower, upper, y, NULL);
    ck_assert_double_le(given, 1.5 + 0.5 - 7.5);
    ck_assert_double_ge(given, 1.5 + 0.5 - 7.5 - 1e-12);
    /* A multiplier on an infinite side counts as 0: min of c'x alone. */
    const double wrong[1] = {-1.0};
    ck_assert_double_ge(lp_safe_bound(m, NULL, NULL, wrong, d), -20.0 - 1e-12);
    ck_assert_double_eq(d[0], 1.0);
    const double nan_y[1] = {NAN};
    ck_assert_double_ge(lp_safe_bound(m, NULL, NULL, nan_y, NULL), -20.0 - 1e-12);
    m->upper[1] = LP_INFINITY;
    m->row_lower[0] = -LP_INFINITY;
    ck_assert(isinf(lp_safe_bound(m, NULL, NULL, y, NULL)));
}

/* Columns without upper bounds whose reduced costs are zero but for rounding: the multipliers that
 * come back prove the bound that is said to be theirs, in exact arithmetic, and d is theirs. */
LOOP_TEST(mended_multipliers_prove_their_bound, 4)
{
    enum { ROWS = 12, COLS = 20 };
    base_rng rng = {(uint64_t)_i};
    int mended = 0;
    for (int trial = 0; trial < 20; trial++) {
        OWNED(lp_model) *m = lp_model_create();
        double d[COLS], y[ROWS], given[ROWS];
        for (int r = 0; r < ROWS; r++)
            lp_model_add_row(m, 1.0 + base_rng_double(&rng), LP_INFINITY, NULL);
        for (int j = 0; j < COLS; j++) {
            int row[ROWS], count = 0;
            double value[ROWS];
            for (int r = 0; r < ROWS; r++)
                if (base_rng_below(&rng, 3) == 0) {
                    row[count] = r;
                    value[count++] = 0.1 + base_rng_double(&rng);
                }
            lp_model_add_col(m, 0.5 + base_rng_double(&rng), 0.0, LP_INFINITY, false, count, row,
                             value, NULL);
        }
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        if (lp_solve(s) == LP_OPTIMAL) {
            memcpy(given, lp_dual(s), sizeof given);
            memcpy(y, given, sizeof y);
            const double bound = lp_safe_bound_mend(m, NULL, NULL, y, d);
            ck_assert_double_le(bound, lp_objective(s) + 1e-12);
            if (isfinite(bound)) {
                ck_assert_double_ge(bound, lp_objective(s) - 1e-9);
                ck_assert(exact_bound_at_least(m, NULL, NULL, y, bound));
                mended += !exact_bound_at_least(m, NULL, NULL, given, bound);
                for (int j = 0; j < COLS; j++)
                    ck_assert_double_ge(d[j], 0.0);
            }
        }
    }
    ck_assert_int_gt(mended, 5);
}

TEST(farkas_proofs)
{
    /* x0 + x1 <= 1, x0 + x1 >= 1 + gap */
    const int rows[2] = {0, 1};
    const double one[2] = {1.0, 1.0}, y[2] = {-1.0, 1.0}, wrong[2] = {1.0, -1.0};
    for (int k = 0; k < 2; k++) {
        const double gap = k ? 1e-9 : 0.0;
        OWNED(lp_model) *m = lp_model_create();
        lp_model_add_row(m, -LP_INFINITY, 1.0, NULL);
        lp_model_add_row(m, 1.0 + gap, LP_INFINITY, NULL);
        lp_model_add_col(m, 1.0, 0.0, LP_INFINITY, false, 2, rows, one, NULL);
        lp_model_add_col(m, 1.0, -LP_INFINITY, LP_INFINITY, false, 2, rows, one, NULL);
        ck_assert_int_eq(lp_farkas_is_proof(m, NULL, NULL, y), k == 1);
        ck_assert_int_eq(exact_farkas(m, NULL, NULL, y), k == 1);
        ck_assert(!lp_farkas_is_proof(m, NULL, NULL, wrong));
        ck_assert(!exact_farkas(m, NULL, NULL, wrong));
        m->lower[0] = 2.0;
        m->upper[0] = 1.0; /* crossed bounds need no multipliers */
        ck_assert(lp_farkas_is_proof(m, NULL, NULL, wrong));
        ck_assert(exact_farkas(m, NULL, NULL, wrong));
    }
}

TEST(rays)
{
    /* min -x0, x0 - x1 <= 4, x >= 0: unbounded along (1,1) */
    const int rows[1] = {0};
    const double one[1] = {1.0}, minus[1] = {-1.0};
    const double ray[2] = {1.0, 1.0}, blocked[2] = {1.0, 0.5}, negative[2] = {1.0, -1.0},
                 uphill[2] = {0.0, 1.0}, nan_ray[2] = {1.0, NAN};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, -LP_INFINITY, 4.0, NULL);
    lp_model_add_col(m, -1.0, 0.0, LP_INFINITY, false, 1, rows, one, NULL);
    lp_model_add_col(m, 0.0, 0.0, LP_INFINITY, false, 1, rows, minus, NULL);
    ck_assert(lp_ray_is_proof(m, ray));
    ck_assert(!lp_ray_is_proof(m, blocked));
    ck_assert(!lp_ray_is_proof(m, negative));
    ck_assert(!lp_ray_is_proof(m, uphill));
    ck_assert(!lp_ray_is_proof(m, nan_ray));
    m->upper[1] = 1e9;
    ck_assert(!lp_ray_is_proof(m, ray));
}

TEST(kkt_measures_each_condition)
{
    /* min x0 + 2 x1, x0 + x1 >= 3, 0 <= x <= 2: optimum (2,1), y = 2, d = (-1, 0) */
    const int rows[1] = {0};
    const double one[1] = {1.0}, x[2] = {2.0, 1.0}, y[1] = {2.0};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 3.0, LP_INFINITY, NULL);
    lp_model_add_col(m, 1.0, 0.0, 2.0, false, 1, rows, one, NULL);
    lp_model_add_col(m, 2.0, 0.0, 2.0, false, 1, rows, one, NULL);
    lp_kkt kkt = lp_kkt_check(m, x, y);
    ck_assert_double_eq(kkt.primal_row, 0.0);
    ck_assert_double_eq(kkt.primal_bound, 0.0);
    ck_assert_double_eq(kkt.dual, 0.0);
    ck_assert_double_eq(kkt.complementarity, 0.0);
    const double short_x[2] = {2.0, 0.5}, outside[2] = {2.25, 0.75}, other_y[1] = {1.5};
    ck_assert_double_eq(lp_kkt_check(m, short_x, y).primal_row, 0.5);
    ck_assert_double_eq(lp_kkt_check(m, outside, y).primal_bound, 0.25);
    ck_assert_double_eq(lp_kkt_check(m, x, other_y).dual, 0.5);
    const double interior[2] = {1.5, 1.5};
    kkt = lp_kkt_check(m, interior, y);
    ck_assert_double_eq(kkt.dual, 1.0);
    ck_assert_double_eq(kkt.complementarity, 0.5 / 14.5);
    const double negative_y[1] = {-1.0}, nan_x[2] = {NAN, 1.0};
    ck_assert_double_ge(lp_kkt_check(m, x, negative_y).dual, 1.0);
    ck_assert(isinf(lp_kkt_check(m, nan_x, y).primal_bound));
}
