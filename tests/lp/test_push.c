/* From multipliers to a basis that has them. */
#include <math.h>
#include <string.h>

#include "tests/lp/certify.h"
#include "tests/lp/owned.h"
#include "tests/lp/simplex_models.h"
#include "tests/suite.h"

SUITE("push", .seconds = 60);

/* An optimal basis of which every other column has gone, slacks in their places. */
static unsigned char *spoilt_basis(const lp_solver *s)
{
    unsigned char *status = base_malloc(
        (size_t)(lp_solver_model(s)->cols + lp_solver_model(s)->rows) + 1, sizeof *status);
    int seen = 0;
    lp_get_basis(s, status);
    for (int j = 0; j < lp_solver_model(s)->cols; j++)
        if (status[j] == LP_BASIC && seen++ % 2 == 0)
            status[j] = LP_AT_LOWER;
    return status;
}

/* Pivots of the solve from a basis to which y (NULL: nothing) was pushed. */
static long pivots_from(const lp_model *m, const unsigned char *status, const double *y,
                        const double *x, double objective)
{
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    lp_set_basis(s, status);
    if (y)
        lp_push_duals(s, y, x);
    const long before = lp_iterations(s);
    const lp_status answer = lp_solve(s);
    const char *bad = certify(m, s, answer, 1e-8);
    ck_assert_msg(*bad == '\0', "%s: %s", lp_status_name(answer), bad);
    ck_assert_double_eq_tol(lp_objective(s), objective, 1e-8 * (1.0 + fabs(objective)));
    const long pivots = lp_iterations(s) - before;
    return pivots;
}

/* Optimal multipliers make up for a basis of which half is missing. */
TEST(optimal_multipliers_save_pivots)
{
    enum { MODELS = 20 * SIMPLEX_MODEL_FAMILIES };
    long with = 0, without = 0;
    for (int k = 0; k < MODELS; k++) {
        OWNED(lp_model) *m = simplex_model(k % SIMPLEX_MODEL_FAMILIES, 5, (uint64_t)k);
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        if (lp_solve(s) == LP_OPTIMAL) {
            unsigned char *status = spoilt_basis(s);
            with += pivots_from(m, status, lp_dual(s), lp_primal(s), lp_objective(s));
            without += pivots_from(m, status, NULL, NULL, lp_objective(s));
            base_free(status);
        }
    }
    ck_assert_int_gt(without, 1000);
    ck_assert_int_lt(5 * with, without);
}

/* Multipliers that mean nothing lose nothing. */
LOOP_TEST(any_multipliers_will_do, 4 * SIMPLEX_MODEL_FAMILIES)
{
    base_rng rng = {(uint64_t)_i};
    OWNED(lp_model) *m = simplex_model(_i % SIMPLEX_MODEL_FAMILIES, 4, 7);
    OWNED(double) *y = base_malloc((size_t)m->rows + 1, sizeof *y);
    OWNED(double) *x = base_malloc((size_t)m->cols + 1, sizeof *x);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    for (int k = 0; k < 10; k++) {
        for (int j = 0; j < m->cols; j++)
            x[j] = 0.25 * (double)base_rng_below(&rng, 9) - 0.5;
        for (int r = 0; r < m->rows; r++)
            y[r] = base_rng_below(&rng, 3) == 0 ? 0.0
                                                : ldexp((double)base_rng_below(&rng, 7) - 3.0,
                                                        (int)base_rng_below(&rng, 20));
        lp_push_duals(s, y, k % 2 ? x : NULL);
        const char *bad = certify_and_fix(m, s, &rng);
        ck_assert_msg(*bad == '\0', "%s", bad);
    }
}

/* What the solve had before it stays its own: the multipliers of an optimal basis change nothing.
 */
LOOP_TEST(own_multipliers_change_nothing, SIMPLEX_MODEL_FAMILIES)
{
    OWNED(lp_model) *m = simplex_model(_i, 5, 3);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    if (lp_solve(s) == LP_OPTIMAL) {
        const size_t rows = (size_t)m->rows + 1;
        const size_t cols = (size_t)m->cols + 1;
        OWNED(double) *y = base_malloc(rows, sizeof *y), *x = base_malloc(cols, sizeof *x);
        const double objective = lp_objective(s);
        memcpy(y, lp_dual(s), (size_t)m->rows * sizeof *y);
        memcpy(x, lp_primal(s), (size_t)m->cols * sizeof *x);
        ck_assert_int_eq(lp_push_duals(s, y, x), 0);
        const long before = lp_iterations(s);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        ck_assert_int_eq(lp_iterations(s), before);
        ck_assert_double_eq_tol(lp_objective(s), objective, 1e-9 * (1.0 + fabs(objective)));
    }
}
