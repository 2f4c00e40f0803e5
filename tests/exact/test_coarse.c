/* The coarse timeline by itself, as the engine uses it, against the oracle. */
#include <check.h>
#include <math.h>

#include "exact/engine.h"
#include "problem/network.h"
#include "tests/exact/agree.h"
#include "tests/exact/suites.h"
#include "tests/oracle/special_instance.h"

static random_instance draw(uint64_t seed)
{
    const uint64_t family = seed % (SPECIAL_FAMILIES + 1);
    return family == SPECIAL_FAMILIES
               ? random_instance_make(seed, 6)
               : special_instance_make((special_family)family, seed / (SPECIAL_FAMILIES + 1), 6);
}

/* Whatever it proves holds: the bound, that there is no schedule, and that one is optimal. known:
 * the engine has an optimal schedule before. */
static void check(uint64_t seed, bool known, int *closed, int *found)
{
    random_instance r = draw(seed);
    const oracle_result oracle = oracle_solve(&r.problem);
    exact_params params = agree_params();
    params.tuning.coarse = true;
    exact_result result = {0};
    engine e = {.p = &r.problem,
                .params = &params,
                .result = &result,
                .features = params.features,
                .scale = formulation_default_scale(r.graph),
                .upper = INFINITY};
    pthread_mutex_init(&e.lock, NULL);
    if (known && oracle.feasible)
        ck_assert(engine_offer(&e, oracle.schedule, "oracle"));
    engine_coarse(&e, 1e4); /* a little, then the rest */
    engine_coarse(&e, 1e15);
    ck_assert(!e.failed && !e.limited);
    ck_assert(!e.infeasible || !oracle.feasible);
    ck_assert_msg(!oracle.feasible ||
                      e.lower / e.scale <= oracle.overhead_joules * (1 + 1e-9) + 1e-12,
                  "seed %d: bound %.9g, the optimum is %.9g", (int)seed, e.lower / e.scale,
                  oracle.overhead_joules);
    if (result.schedule) {
        ck_assert(oracle.feasible);
        ck_assert_double_ge(result.validation.overhead_joules,
                            oracle.overhead_joules * (1 - 1e-9) - 1e-12);
        *found += !known;
        *closed += known && oracle.overhead_joules > 0 && e.lower >= engine_cutoff(&e);
    }
    ck_assert(engine_done(&e) || !engine_coarse_left(&e));
    engine_coarse_clear(&e);
    pthread_mutex_destroy(&e.lock);
    exact_result_clear(&result);
    schedule_free(oracle.schedule);
    random_instance_free(&r);
}

START_TEST(agrees_with_the_oracle)
{
    int closed = 0, found = 0;
    for (uint64_t seed = 70000; seed < 70600; seed++) {
        check(seed, false, &closed, &found);
        check(seed, true, &closed, &found);
    }
    ck_assert_int_gt(closed, 100);
    ck_assert_int_gt(found, 100);
}
END_TEST

/* A deadline that is far away changes no answer, also where the windows alone have none. */
START_TEST(with_a_deadline)
{
    int infeasible = 0;
    for (uint64_t seed = 71000; seed < 71600; seed++) {
        random_instance r = draw(seed);
        const int64_t least = graph_minimum_bytes(r.graph, NULL);
        if (seed % 2)
            r.problem.ram_budget_bytes = least;
        const oracle_result oracle = oracle_solve(&r.problem);
        exact_params params = agree_params();
        params.tuning.coarse = true;
        params.limits.deadline = base_seconds() + 1000;
        const char *fault = agree_fault(&r.problem, &params, &oracle);
        ck_assert_msg(fault == NULL, "seed %d: %s", (int)seed, fault);
        infeasible += !oracle.feasible && r.problem.ram_budget_bytes >= least;
        schedule_free(oracle.schedule);
        random_instance_free(&r);
    }
    ck_assert_int_gt(infeasible, 20);
}
END_TEST

/* Two points tell most, if they are the right ones: 0.606 J with the fullest stage alone and
 * with eight spread evenly; the best schedule known takes 0.8086. */
START_TEST(points_are_chosen)
{
    base_error error;
    graph *g = network_build("bert", platform_find("m4"), network_options_default(), &error);
    ck_assert(g != NULL);
    const problem p = problem_make(g, (int64_t)(0.6 * (double)graph_checkpoint_all_peak(g)));
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = {.p = &p,
                .params = &params,
                .result = &result,
                .features = params.features,
                .scale = formulation_default_scale(g),
                .upper = INFINITY};
    pthread_mutex_init(&e.lock, NULL);
    engine_coarse(&e, 1e9);
    ck_assert_double_ge(e.lower / e.scale, 0.795);
    ck_assert_double_le(e.lower / e.scale, 0.8087);
    engine_coarse_clear(&e);
    pthread_mutex_destroy(&e.lock);
    exact_result_clear(&result);
    graph_free(g);
}
END_TEST

/* The search has a bound from it before growth has proven anything, and the same answer. */
START_TEST(before_growth)
{
    base_error error;
    graph *g =
        network_build("resnet18_cifar", platform_find("m4"), network_options_default(), &error);
    ck_assert(g != NULL);
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    exact_result early = exact_solve(&p, &params);
    params.tuning.coarse = false;
    exact_result late = exact_solve(&p, &params);
    ck_assert_int_eq(late.spent[EFFORT_COARSE].turns, 0);
    ck_assert_int_gt(early.spent[EFFORT_COARSE].successes, 0);
    ck_assert_int_eq(early.status, EXACT_OPTIMAL);
    ck_assert_double_eq_tol(early.validation.overhead_joules, late.validation.overhead_joules,
                            1e-9 * late.validation.overhead_joules);
    exact_result_clear(&early);
    exact_result_clear(&late);
    graph_free(g);
}
END_TEST

Suite *coarse_suite(void)
{
    Suite *s = suite_create("exact: coarse timeline");
    TCase *c = tcase_create("oracle");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, agrees_with_the_oracle);
    tcase_add_test(c, with_a_deadline);
    tcase_add_test(c, points_are_chosen);
    tcase_add_test(c, before_growth);
    suite_add_tcase(s, c);
    return s;
}
