/* The dual and the primal simplex side by side: the same answer, bit for bit, for any number of
 * threads. */
#include <string.h>

#include "tests/lp/certify.h"
#include "tests/lp/simplex_models.h"
#include "tests/lp/suites.h"

enum { SIZE = 30 };

static lp_solver *race(const lp_model *m, int threads)
{
    lp_params params = lp_params_default();
    params.method = LP_METHOD_CONCURRENT;
    params.threads = threads;
    lp_solver *s = lp_solver_create(m, &params);
    lp_solve(s);
    return s;
}

static void check_same(const lp_solver *a, const lp_solver *b, const char *where)
{
    ck_assert_msg(lp_last_status(a) == lp_last_status(b), "%s: %s, %s", where,
                  lp_status_name(lp_last_status(a)), lp_status_name(lp_last_status(b)));
    ck_assert_msg(lp_iterations(a) == lp_iterations(b), "%s: %ld iterations, %ld", where,
                  lp_iterations(a), lp_iterations(b));
    const size_t cols = (size_t)lp_cols(a), rows = (size_t)lp_rows(a);
    ck_assert_msg(!memcmp(lp_primal(a), lp_primal(b), cols * sizeof(double)) &&
                      !memcmp(lp_dual(a), lp_dual(b), rows * sizeof(double)),
                  "%s: another vertex", where);
}

START_TEST(any_number_of_threads)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lp_model *m = simplex_model(_i, SIZE, seed);
        lp_solver *one = race(m, 1);
        char where[60];
        snprintf(where, sizeof where, "%s, seed %d", simplex_model_family_name(_i), (int)seed);
        const char *bad = certify(m, one, lp_last_status(one), 1e-8);
        ck_assert_msg(*bad == '\0', "%s: %s", where, bad);
        for (int threads = 2; threads <= 3; threads++) {
            lp_solver *more = race(m, threads);
            check_same(one, more, where);
            lp_solver_free(more);
        }
        lp_solver_free(one);
        lp_model_free(m);
    }
}
END_TEST

/* Which simplex won is seen by the iterations: here each of them does. */
START_TEST(either_can_win)
{
    const int family[] = {7, 4};
    for (int k = 0; k < 2; k++) {
        lp_model *m = simplex_model(family[k], SIZE, 3);
        lp_solver *alone = lp_solver_create(m, NULL), *both = race(m, 2);
        ck_assert_int_eq(lp_solve(alone), LP_OPTIMAL);
        ck_assert_int_eq(lp_last_status(both), LP_OPTIMAL);
        ck_assert_int_eq(lp_iterations(alone) == lp_iterations(both), k == 0);
        lp_solver_free(alone);
        lp_solver_free(both);
        lp_model_free(m);
    }
}
END_TEST

/* After the race the solver is like any other: changes and warm starts. */
START_TEST(goes_on_from_there)
{
    for (int k = 0; k < 2; k++) {
        lp_model *m = simplex_model(k == 0 ? 7 : 4, SIZE, 3);
        lp_solver *s = race(m, 2);
        for (int j = 0; j < m->cols; j += 7) {
            double x = lp_primal(s)[j];
            m->lower[j] = m->upper[j] = x;
            lp_set_bounds(s, j, x, x);
            ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        }
        const char *bad = certify(m, s, LP_OPTIMAL, 1e-7);
        ck_assert_msg(*bad == '\0', "%s", bad);
        lp_solver_free(s);
        lp_model_free(m);
    }
}
END_TEST

START_TEST(limits_stop_both)
{
    lp_model *m = simplex_model(8, 120, 5);
    for (int threads = 1; threads <= 2; threads++) {
        lp_params params = lp_params_default();
        params.method = LP_METHOD_CONCURRENT;
        params.threads = threads;
        params.limits.deadline = base_seconds() + 0.02;
        lp_solver *s = lp_solver_create(m, &params);
        double started = base_seconds();
        ck_assert_str_eq(lp_status_name(lp_solve(s)), "time limit");
        ck_assert_double_lt(base_seconds() - started, 2.0);
        lp_solver_free(s);
        base_flag stop = 1;
        params.limits = (base_limits){.interrupt = &stop};
        s = lp_solver_create(m, &params);
        ck_assert_str_eq(lp_status_name(lp_solve(s)), "interrupted");
        lp_solver_free(s);
        params.limits = (base_limits){0};
        params.iteration_limit = 40;
        s = lp_solver_create(m, &params);
        ck_assert_str_eq(lp_status_name(lp_solve(s)), "iteration limit");
        ck_assert_int_le(lp_iterations(s), 40);
        lp_solver_free(s);
    }
    lp_model_free(m);
}
END_TEST

Suite *suite_race(void)
{
    Suite *suite = suite_create("race");
    TCase *tcase = tcase_create("race");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, any_number_of_threads, 0, SIMPLEX_MODEL_FAMILIES);
    tcase_add_test(tcase, either_can_win);
    tcase_add_test(tcase, goes_on_from_there);
    tcase_add_test(tcase, limits_stop_both);
    suite_add_tcase(suite, tcase);
    return suite;
}
