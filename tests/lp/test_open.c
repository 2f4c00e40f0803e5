/* Models whose columns have infinite bounds: the dual's phase 1, bounds and rays. */
#include "lp/safe.h"
#include "lp/simplex/engine.h"
#include "tests/lp/certify.h"
#include "tests/lp/open_models.h"
#include "tests/lp/suites.h"

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

START_TEST(optima_are_certified)
{
    int size;
    lp_model *m = numbered_model(_i, &size);
    lp_solver *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_str_eq(certify(m, s, LP_OPTIMAL, 1e-8), "");
    check_bound(m, lp_dual(s), lp_objective(s));
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

/* With the columns closed far from the optimum the same multipliers prove it. */
START_TEST(closed_columns_have_safe_bounds)
{
    int size;
    lp_model *m = numbered_model(_i, &size);
    for (int j = 0; j < m->cols; j++) {
        m->lower[j] = fmax(m->lower[j], fmin(m->upper[j], 0.0) - 1e4);
        m->upper[j] = fmin(m->upper[j], fmax(m->lower[j], 0.0) + 1e4);
    }
    lp_solver *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_int_eq(lp_open_column(m), -1);
    const double bound = lp_safe_bound(m, NULL, NULL, lp_dual(s), NULL);
    const double length = 1.0 + fabs(lp_objective(s));
    ck_assert_double_ge(bound, lp_objective(s) - 1e-7 * length);
    ck_assert_double_le(bound, lp_objective(s) + 1e-9 * length);
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

/* Where the slack basis is not dual feasible the dual simplex makes it so by itself. */
START_TEST(dual_needs_no_primal)
{
    long all = 0, primal = 0;
    for (int i = 0; i < MODELS; i++) {
        int size;
        lp_model *m = numbered_model(i, &size);
        lp_solver *s = lp_solver_create(m, NULL);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        primal += s->primal_iterations;
        all += lp_iterations(s);
        lp_solver_free(s);
        lp_model_free(m);
    }
    ck_assert_int_gt(all, 1000);
    ck_assert_int_lt(50 * primal, all);
}
END_TEST

/* Infeasible by much, and by little more than the tolerances. */
START_TEST(infeasibility_is_found)
{
    const double excess[] = {1.0, 1e-3, 1e-6};
    const int size = sizes[_i % 2];
    for (int k = 0; k < 3; k++)
        for (int family = 0; family < OPEN_FAMILIES; family++) {
            lp_model *m = open_infeasible((open_family)family, size, excess[k], (uint64_t)_i);
            lp_solver *s = lp_solver_create(m, NULL);
            const lp_status status = lp_solve(s);
            ck_assert_msg(status == LP_INFEASIBLE, "family %d, %g: %s", family, excess[k],
                          lp_status_name(status));
            ck_assert_str_eq(certify(m, s, status, 1e-8), "");
            lp_solver_free(s);
            lp_model_free(m);
        }
}
END_TEST

/* Costs turned round: where they have no lower bound, a ray proves it. */
START_TEST(directions_without_end_are_found)
{
    for (int family = 0; family < OPEN_FAMILIES; family++) {
        lp_model *m = open_model((open_family)family, sizes[1], (uint64_t)_i);
        for (int j = 0; j < m->cols; j++)
            m->cost[j] = -m->cost[j];
        lp_solver *s = lp_solver_create(m, NULL);
        const lp_status status = lp_solve(s);
        ck_assert_str_eq(certify(m, s, status, 1e-8), "");
        ck_assert(status == LP_UNBOUNDED || family != OPEN_REGRESSION);
        lp_solver_free(s);
        lp_model_free(m);
    }
}
END_TEST

Suite *suite_open(void)
{
    Suite *suite = suite_create("open");
    TCase *tests = tcase_create("open");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, optima_are_certified, 0, MODELS);
    tcase_add_loop_test(tests, closed_columns_have_safe_bounds, 0, MODELS);
    tcase_add_test(tests, dual_needs_no_primal);
    tcase_add_loop_test(tests, infeasibility_is_found, 0, 6);
    tcase_add_loop_test(tests, directions_without_end_are_found, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
