/* A limit may come at any moment: in a root LP, in a trial of strong branching, in a dive. Whatever
 * it ends, nothing may be called proven that is not. */
#include "bnb/instance.h"
#include "models.h"
#include "suites.h"

#include <math.h>

START_TEST(no_proof_from_a_limit)
{
    lp_model *m = cover_model(80, 140, (uint64_t)_i);
    bnb_params p = quiet_params();
    p.tuning.lazy_rows = 20;
    const double start = base_seconds();
    bnb_result whole = bnb_solve(m, &p, NULL, NULL);
    const double took = base_seconds() - start;
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    base_rng rng = {(uint64_t)_i};
    int stopped = 0;
    for (int trial = 0; trial < 40; trial++) {
        bnb_params q = p;
        q.cutoff = whole.objective + 0.01 + 3.0 * base_rng_double(&rng);
        q.tuning.cuts_gomory = trial % 2 == 0;
        q.limits.deadline = base_seconds() + 0.5 * took * base_rng_double(&rng);
        bnb_result r = bnb_solve(m, &q, NULL, NULL);
        ck_assert_int_ne(r.status, BNB_INFEASIBLE);
        ck_assert_double_le(r.bound, whole.objective + 1e-6 * fabs(whole.objective));
        if (r.status == BNB_OPTIMAL)
            ck_assert_double_le(r.objective, whole.objective + 1e-6 * fabs(whole.objective));
        stopped += r.status == BNB_LIMIT_TIME;
        bnb_result_clear(&r);
    }
    ck_assert_int_gt(stopped, 10);
    bnb_result_clear(&whole);
    lp_model_free(m);
}
END_TEST

/* A limit inside the first LP: what its duals have come to is a bound, better than that of the
 * costs (0 here). */
START_TEST(a_bound_from_an_unfinished_root)
{
    lp_model *m = cover_model(500, 900, 5);
    bnb_params p = quiet_params();
    p.tuning.presolve = false;
    lp_solver *lp = lp_solver_create(m, NULL);
    const double start = base_seconds();
    ck_assert_int_eq(lp_solve(lp), LP_OPTIMAL);
    const double took = base_seconds() - start, relaxation = lp_objective(lp);
    lp_solver_free(lp);
    int between = 0;
    for (int trial = 1; trial < 40; trial++) {
        bnb_params q = p;
        q.limits.deadline = base_seconds() + took * trial / 40;
        bnb_result r = bnb_solve(m, &q, NULL, NULL);
        if (r.status == BNB_LIMIT_TIME && r.iterations > 0 && r.bound < relaxation - 1e-6)
            between += r.bound > 1e-6;
        bnb_result_clear(&r);
    }
    ck_assert_int_gt(between, 2);
    lp_model_free(m);
}
END_TEST

/* A solution as good as was asked for ends the search; one that does not exist does not. */
START_TEST(a_target_ends_the_search)
{
    lp_model *m = cover_model(80, 140, 3);
    bnb_params p = quiet_params();
    p.threads = 1 + _i / 2;
    p.deterministic = _i % 2 == 1;
    bnb_result whole = bnb_solve(m, &p, NULL, NULL);
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    p.objective_target = whole.objective * 1.2;
    bnb_result r = bnb_solve(m, &p, NULL, NULL);
    ck_assert_int_eq(r.status, BNB_TARGET);
    ck_assert(r.has_solution && r.objective <= p.objective_target);
    ck_assert_double_le(r.bound, whole.objective + 1e-6 * fabs(whole.objective));
    ck_assert_int_lt(r.iterations, whole.iterations);
    bnb_result_clear(&r);
    p.objective_target = whole.objective * 0.99;
    r = bnb_solve(m, &p, NULL, NULL);
    ck_assert_int_eq(r.status, BNB_OPTIMAL);
    ck_assert_double_eq_tol(r.objective, whole.objective, 1e-6 * fabs(whole.objective));
    bnb_result_clear(&r);
    bnb_result_clear(&whole);
    lp_model_free(m);
}
END_TEST

/* Memory that ends at any allocation, in the root or in one of two threads: what is claimed holds,
 * and nothing stays behind. */
START_TEST(memory_may_end_anywhere)
{
    lp_model *m = cover_model(80, 140, 2);
    bnb_params p = quiet_params();
    p.threads = 1 + _i / 2;
    p.deterministic = _i % 2 == 1;
    bnb_result whole = bnb_solve(m, &p, NULL, NULL);
    ck_assert_int_eq(whole.status, BNB_OPTIMAL);
    const double optimum = whole.objective, slack = 1e-6 * fabs(optimum);
    bnb_result_clear(&whole);
    const size_t before = base_memory_used();
    int stopped = 0, bounded = 0;
    for (int trial = 0; trial < 60; trial++) {
        bnb_params q = p;
        q.seed = (uint64_t)trial;
        q.limits.memory_bytes = before + (size_t)(20000 * (1 + trial));
        bnb_result r = bnb_solve(m, &q, NULL, NULL);
        ck_assert(r.status == BNB_OPTIMAL || r.status == BNB_LIMIT_MEMORY);
        ck_assert_double_le(r.bound, optimum + slack);
        if (r.status == BNB_OPTIMAL)
            ck_assert_double_eq_tol(r.objective, optimum, slack);
        if (r.has_solution)
            ck_assert(bnb_model_satisfied(m, r.x, 1e-6));
        stopped += r.status == BNB_LIMIT_MEMORY;
        bounded += r.bound > -LP_INFINITY;
        bnb_result_clear(&r);
        ck_assert_uint_eq(base_memory_used(), before);
    }
    ck_assert_int_gt(stopped, 10);
    ck_assert_int_gt(bounded, 5);
    lp_model_free(m);
}
END_TEST

Suite *limits_suite(void)
{
    Suite *s = suite_create("limits");
    TCase *c = tcase_create("limits");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, no_proof_from_a_limit, 0, 3);
    tcase_add_test(c, a_bound_from_an_unfinished_root);
    tcase_add_loop_test(c, a_target_ends_the_search, 0, 4);
    tcase_add_loop_test(c, memory_may_end_anywhere, 0, 4);
    suite_add_tcase(s, c);
    return s;
}
