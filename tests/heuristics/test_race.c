/* The race: what it returns, and that it is not led by the best start alone. */
#include <math.h>

#include "heuristics/search.h"
#include "problem/network.h"
#include "tests/heuristics/suites.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"

enum { MOST = 4 };

typedef struct told {
    int count;
    double last;
} told;

static void improved(void *context, const schedule *s, double joules)
{
    told *t = context;
    ck_assert_ptr_nonnull(s);
    ck_assert_msg(joules < t->last, "%g is told after %g", joules, t->last);
    t->last = joules;
    t->count++;
}

static heuristic_params race_params(told *t, uint64_t seed, uint64_t work)
{
    heuristic_params hp = heuristic_params_default();
    hp.seed = seed;
    hp.work_limit = work;
    hp.improved = improved;
    hp.context = t;
    *t = (told){0, INFINITY};
    return hp;
}

/* All found are valid, different, best first, and the best is the last that was told. */
static double check_found(const problem *p, schedule **found, int count, const told *t)
{
    double before = 0, best = INFINITY;
    for (int k = 0; k < count; k++) {
        validation v;
        base_error error;
        ck_assert_msg(schedule_validate(p, found[k], &v, &error) == 0, "%s", error.text);
        ck_assert(k == 0 || v.overhead_joules > before);
        before = v.overhead_joules;
        best = k == 0 ? before : best;
        schedule_free(found[k]);
    }
    if (t->count > 0)
        ck_assert_double_eq(best, t->last);
    return best;
}

START_TEST(test_race_against_oracle)
{
    int feasible = 0, optimal = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        random_instance instance = random_instance_make(seed, 6);
        const problem *p = &instance.problem;
        const oracle_result truth = oracle_solve(p);
        schedule *all = schedule_checkpoint_all(p->graph), *found[MOST];
        const schedule *starts[] = {all, truth.feasible ? truth.schedule : all};
        told t;
        heuristic_params hp = race_params(&t, seed, 60000);
        int count = heuristic_race(p, starts, 1, &hp, found, MOST);
        ck_assert(truth.feasible || count == 0);
        if (count > 0)
            optimal += check_found(p, found, count, &t) <= truth.overhead_joules + 1e-9;
        /* A start that is optimal stays the best. */
        hp = race_params(&t, seed, 6000);
        count = heuristic_race(p, starts, 2, &hp, found, MOST);
        ck_assert_int_eq(count > 0, truth.feasible);
        if (truth.feasible)
            ck_assert_double_le(check_found(p, found, count, &t), truth.overhead_joules + 1e-9);
        feasible += truth.feasible;
        schedule_free(all);
        schedule_free(truth.schedule);
        random_instance_free(&instance);
    }
    ck_assert_msg(feasible > 50 && optimal >= feasible * 95 / 100, "%d of %d", optimal, feasible);
}
END_TEST

START_TEST(test_race_keeps_valleys)
{
    base_error error;
    graph *g = network_build("vgg16_cifar", platform_find("m4"), network_options_default(), &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    schedule *found[2][MOST];
    int count[2];
    for (int k = 0; k < 2; k++) {
        told t;
        heuristic_params hp = race_params(&t, 1, 200000);
        schedule *starts[1] = {NULL};
        heuristic_params quick = heuristic_params_default();
        quick.work_limit = 20000;
        starts[0] = heuristic_search(&p, NULL, 0, &quick, &error);
        ck_assert_ptr_nonnull(starts[0]);
        count[k] = heuristic_race(&p, (const schedule *const *)starts, 1, &hp, found[k], MOST);
        schedule_free(starts[0]);
    }
    /* The same twice, and nothing is kept from before. */
    ck_assert_int_ge(count[0], 1);
    ck_assert_int_eq(count[0], count[1]);
    for (int c = 0; c < count[0]; c++) {
        validation v[2];
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(schedule_validate(&p, found[k][c], &v[k], NULL), 0);
            schedule_free(found[k][c]);
        }
        ck_assert_double_eq(v[0].overhead_joules, v[1].overhead_joules);
    }
    graph_free(g);
}
END_TEST

Suite *race_suite(void)
{
    Suite *suite = suite_create("heuristics/race");
    TCase *tcase = tcase_create("race");
    tcase_set_timeout(tcase, 180);
    tcase_add_test(tcase, test_race_against_oracle);
    tcase_add_test(tcase, test_race_keeps_valleys);
    suite_add_tcase(suite, tcase);
    return suite;
}
