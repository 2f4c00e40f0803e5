/* Models whose columns have infinite bounds: the dual's phase 1, bounds and rays. */
#include "lp/safe.h"
#include "lp/simplex/engine.h"
#include "tests/lp/certify.h"
#include "tests/lp/open_models.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("open", .seconds = 300);

enum { SEEDS = 4 };

static const int sizes[] = {12, 48, 360};

/* Number _i of the tests: family, seed and size. */
static lp_model *numbered_model(int i, int *size)
{
    *size = sizes[i / (SEEDS * OPEN_FAMILIES)];
    return open_model((open_family)(i % OPEN_FAMILIES), *size,
                      (uint64_t)(i / OPEN_FAMILIES % SEEDS));
}

enum { MODELS = OPEN_FAMILIES * SEEDS * (int)(sizeof sizes / sizeof *sizes) };

/* What multipliers prove is near the optimum, or nothing. */
static void check_bound(const lp_model *m, const double *y, double objective)
{
    const double bound = lp_safe_bound(m, NULL, NULL, y, NULL), size = 1.0 + fabs(objective);
    ck_assert(isinf(bound) || bound >= objective - 1e-7 * size);
    ck_assert_double_le(bound, objective + 1e-9 * size);
}

LOOP_TEST(optima_are_certified, MODELS)
{
    int size;
    OWNED(lp_model) *m = numbered_model(_i, &size);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_str_eq(certify(m, s, LP_OPTIMAL, 1e-8), "");
    check_bound(m, lp_dual(s), lp_objective(s));
}

/* With the columns closed far from the optimum the same multipliers prove it. */
LOOP_TEST(closed_columns_have_safe_bounds, MODELS)
{
    int size;
    OWNED(lp_model) *m = numbered_model(_i, &size);
    for (int j = 0; j < m->cols; j++) {
        m->lower[j] = fmax(m->lower[j], fmin(m->upper[j], 0.0) - 1e4);
        m->upper[j] = fmin(m->upper[j], fmax(m->lower[j], 0.0) + 1e4);
    }
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_int_eq(lp_open_column(m), -1);
    const double bound = lp_safe_bound(m, NULL, NULL, lp_dual(s), NULL);
    const double length = 1.0 + fabs(lp_objective(s));
    ck_assert_double_ge(bound, lp_objective(s) - 1e-7 * length);
    ck_assert_double_le(bound, lp_objective(s) + 1e-9 * length);
}

/* Where the slack basis is not dual feasible the dual simplex makes it so by itself. */
TEST(dual_needs_no_primal)
{
    long all = 0, primal = 0;
    for (int i = 0; i < MODELS; i++) {
        int size;
        OWNED(lp_model) *m = numbered_model(i, &size);
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        primal += s->primal_iterations;
        all += lp_iterations(s);
    }
    ck_assert_int_gt(all, 1000);
    ck_assert_int_lt(50 * primal, all);
}

/* Infeasible by much, and by little more than the tolerances. */
LOOP_TEST(infeasibility_is_found, 6)
{
    const double excess[] = {1.0, 1e-3, 1e-6};
    const int size = sizes[_i % 2];
    for (int k = 0; k < 3; k++)
        for (int family = 0; family < OPEN_FAMILIES; family++) {
            OWNED(lp_model) *m =
                open_infeasible((open_family)family, size, excess[k], (uint64_t)_i);
            OWNED(lp_solver) *s = lp_solver_create(m, NULL);
            const lp_status status = lp_solve(s);
            ck_assert_msg(status == LP_INFEASIBLE, "family %d, %g: %s", family, excess[k],
                          lp_status_name(status));
            ck_assert_str_eq(certify(m, s, status, 1e-8), "");
        }
}

/* Costs turned round: where they have no lower bound, a ray proves it. */
LOOP_TEST(directions_without_end_are_found, 4)
{
    for (int family = 0; family < OPEN_FAMILIES; family++) {
        OWNED(lp_model) *m = open_model((open_family)family, sizes[1], (uint64_t)_i);
        for (int j = 0; j < m->cols; j++)
            m->cost[j] = -m->cost[j];
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        const lp_status status = lp_solve(s);
        ck_assert_str_eq(certify(m, s, status, 1e-8), "");
        ck_assert(status == LP_UNBOUNDED || family != OPEN_REGRESSION);
    }
}
