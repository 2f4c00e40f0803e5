/* Models whose columns have infinite bounds: the dual's phase 1, safe bounds and rays. */
#include "lp/presolve.h"
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

/* A bound that rounding cannot touch, as near to the optimum as rounding is small. */
static void check_bound(const lp_model *m, const double *y, double objective)
{
    const double bound = lp_safe_bound(m, NULL, NULL, y, NULL), size = 1.0 + fabs(objective);
    ck_assert_double_ge(bound, objective - 1e-7 * size);
    ck_assert_double_le(bound, objective + 1e-9 * size);
}

START_TEST(optima_have_safe_bounds)
{
    int size;
    lp_model *m = numbered_model(_i, &size);
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert_str_eq(certify_answer(m, a, 1e-8), "");
    check_bound(m, a->y, a->objective);
    lp_solver *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_double_eq_tol(lp_objective(s), a->objective, 1e-8 * (1.0 + fabs(a->objective)));
    check_bound(m, lp_dual(s), a->objective);
    lp_solver_free(s);
    lp_answer_free(a);
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
START_TEST(infeasibility_is_proven)
{
    const double excess[] = {1.0, 1e-3, 1e-6};
    const int size = sizes[_i % 2];
    for (int k = 0; k < 3; k++)
        for (int family = 0; family < OPEN_FAMILIES; family++) {
            lp_model *m = open_infeasible((open_family)family, size, excess[k], (uint64_t)_i);
            lp_answer *a = lp_presolve_solve(m, NULL);
            ck_assert_msg(a->status == LP_INFEASIBLE, "family %d, %g: %s", family, excess[k],
                          lp_status_name(a->status));
            ck_assert_msg(lp_farkas_is_proof(m, NULL, NULL, a->farkas), "family %d, %g", family,
                          excess[k]);
            lp_answer_free(a);
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
        lp_answer *a = lp_presolve_solve(m, NULL);
        ck_assert_str_eq(certify_answer(m, a, 1e-8), "");
        ck_assert(a->status == LP_UNBOUNDED || family != OPEN_REGRESSION);
        lp_answer_free(a);
        lp_model_free(m);
    }
}
END_TEST

Suite *suite_open(void)
{
    Suite *suite = suite_create("open");
    TCase *tests = tcase_create("open");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, optima_have_safe_bounds, 0, MODELS);
    tcase_add_test(tests, dual_needs_no_primal);
    tcase_add_loop_test(tests, infeasibility_is_proven, 0, 6);
    tcase_add_loop_test(tests, directions_without_end_are_found, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
