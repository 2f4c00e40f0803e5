/* Limits, cutoff and interruption. */
#include <math.h>

#include "tests/lp/certify.h"
#include "tests/lp/simplex_models.h"
#include "tests/lp/suites.h"

START_TEST(iteration_limit_is_kept)
{
    lp_model *m = simplex_model(8, 12, 3);
    lp_params params = lp_params_default();
    lp_solver *s = lp_solver_create(m, &params);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    double objective = lp_objective(s);
    lp_solver_free(s);
    params.iteration_limit = 7;
    s = lp_solver_create(m, &params);
    double bound = -INFINITY;
    int rounds = 0;
    for (lp_status status = LP_ITERATION_LIMIT; status != LP_OPTIMAL; rounds++) {
        long before = lp_solver_statistics(s).iterations;
        status = lp_solve(s);
        ck_assert(status == LP_ITERATION_LIMIT || status == LP_OPTIMAL);
        ck_assert_int_le(lp_solver_statistics(s).iterations - before, 7);
        ck_assert_double_ge(lp_dual_objective(s), bound - 1e-6);
        ck_assert_double_le(lp_dual_objective(s), objective + 1e-7 * (1 + fabs(objective)));
        bound = lp_dual_objective(s);
    }
    ck_assert_int_gt(rounds, 3);
    ck_assert_double_eq_tol(lp_objective(s), objective, 1e-8 * (1 + fabs(objective)));
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

START_TEST(cutoff_is_a_bound)
{
    int cut = 0;
    for (int seed = 0; seed < 30; seed++) {
        lp_model *m = simplex_model(7 + seed % 2, 5, (uint64_t)seed);
        m->offset = 3.0;
        lp_params params = lp_params_default();
        lp_solver *s = lp_solver_create(m, &params);
        lp_status status = lp_solve(s);
        double objective = lp_objective(s);
        lp_solver_free(s);
        if (status == LP_OPTIMAL) {
            params.cutoff = 0.5 * (3.0 + objective);
            s = lp_solver_create(m, &params);
            status = lp_solve(s);
            ck_assert(status == LP_CUTOFF || objective <= params.cutoff + 1e-9);
            if (status == LP_CUTOFF) {
                ck_assert_double_gt(lp_dual_objective(s), params.cutoff);
                ck_assert_double_le(lp_dual_objective(s), objective + 1e-7);
                cut++;
            }
            lp_solver_params(s)->cutoff = objective + 1e-3;
            ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
            ck_assert_double_eq_tol(lp_objective(s), objective, 1e-7);
            lp_solver_free(s);
        }
        lp_model_free(m);
    }
    ck_assert_int_gt(cut, 5);
}
END_TEST

START_TEST(time_limit_and_interrupt)
{
    lp_model *m = simplex_model(8, 120, 5);
    lp_params params = lp_params_default();
    params.limits.deadline = base_seconds() + 0.02;
    lp_solver *s = lp_solver_create(m, &params);
    double start = base_seconds();
    lp_status status = lp_solve(s);
    ck_assert_str_eq(lp_status_name(status), "time limit");
    ck_assert_double_lt(base_seconds() - start, 1.0);
    volatile sig_atomic_t stop = 1;
    lp_solver_params(s)->limits = (base_limits){.interrupt = &stop};
    ck_assert_str_eq(lp_status_name(lp_solve(s)), "interrupted");
    lp_solver_params(s)->limits = (base_limits){.memory_bytes = 1};
    ck_assert_str_eq(lp_status_name(lp_solve(s)), "memory limit");
    lp_solver_free(s);
    lp_model_free(m);
}
END_TEST

Suite *suite_simplex_limits(void)
{
    Suite *suite = suite_create("simplex limits");
    TCase *limits = tcase_create("limits");
    tcase_set_timeout(limits, 120);
    tcase_add_test(limits, iteration_limit_is_kept);
    tcase_add_test(limits, cutoff_is_a_bound);
    tcase_add_test(limits, time_limit_and_interrupt);
    suite_add_tcase(suite, limits);
    return suite;
}
