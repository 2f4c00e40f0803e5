/* Random models against enumeration: all components on, each off in turn, several
 * threads. */
#include "models.h"
#include "suites.h"

#include <math.h>

#include "tests/oracle/parameters.h"

static void solve_and_compare(int kind, uint64_t seed, const bnb_params *p, const char *what)
{
    lp_model *m = random_model(kind, seed);
    const oracle_result o = oracle_solve(m);
    bnb_result r = bnb_solve(m, p, NULL, NULL);
    assert_agrees(m, &r, &o, what, kind, seed);
    bnb_result_clear(&r);
    lp_model_free(m);
}

START_TEST(agrees_with_enumeration)
{
    const bnb_params p = quiet_params();
    for (uint64_t seed = 1; seed <= 150; seed++)
        solve_and_compare(_i, seed, &p, "default");
}
END_TEST

START_TEST(agrees_without_presolve)
{
    bnb_params p = quiet_params();
    p.tuning.presolve = false;
    for (uint64_t seed = 1001; seed <= 1100; seed++)
        solve_and_compare(_i, seed, &p, "without presolve");
}
END_TEST

/* Everything that could close the root early is off: a tree is searched. */
START_TEST(agrees_with_plain_tree)
{
    bnb_params p = quiet_params();
    p.tuning.presolve = p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    p.tuning.rounding = p.tuning.dive = p.tuning.rins = p.tuning.propagation =
        p.tuning.reduced_cost_fixing = false;
    p.tuning.strong_branching = p.tuning.restarts = false;
    p.tuning.picked_duals = 0;
    for (uint64_t seed = 2001; seed <= 2080; seed++)
        solve_and_compare(_i, seed, &p, "plain tree");
}
END_TEST

/* Picked duals even where there is little to fix. */
START_TEST(agrees_with_duals_picked)
{
    bnb_params p = quiet_params();
    p.tuning.picked_duals = 1;
    for (uint64_t seed = 4001; seed <= 4150; seed++)
        solve_and_compare(_i, seed, &p, "picked duals");
    p.tuning.presolve = p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    for (uint64_t seed = 4201; seed <= 4300; seed++)
        solve_and_compare(_i, seed, &p, "picked duals, no cuts");
}
END_TEST

/* Fixings near the end of the search may move the LP's solution out of the domain: the root must
 * notice, also without strong branching, which would solve the LP again. */
START_TEST(agrees_with_duals_picked_near_the_optimum)
{
    bnb_params p = quiet_params();
    p.tuning.picked_duals = 1;
    p.tuning.strong_branching = p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
    p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    for (uint64_t seed = 9120; seed <= 9300; seed++) {
        lp_model *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        p.cutoff = o.feasible ? o.objective + 0.05 * fabs(o.objective) + 0.51 : LP_INFINITY;
        p.tuning.presolve = seed % 2 == 0;
        bnb_result r = bnb_solve(m, &p, NULL, NULL);
        assert_agrees(m, &r, &o, "picked duals and a cutoff", _i, seed);
        bnb_result_clear(&r);
        lp_model_free(m);
    }
}
END_TEST

/* Each switch turned. */
START_TEST(agrees_with_one_component_off)
{
    uint64_t seed = 3001;
    for (const params_entry *e = bnb_parameters.entry; e->name; e++) {
        bnb_params p = quiet_params();
        if (e->kind != PARAMS_SWITCH)
            continue;
        params_set(e, &p.tuning, e->initial == 0);
        for (int k = 0; k < 12; k++)
            solve_and_compare(_i, seed++, &p, e->name);
    }
}
END_TEST

START_TEST(agrees_with_any_parameters)
{
    for (uint64_t seed = 11001; seed <= 11300; seed++) {
        base_rng rng = {seed};
        bnb_params p = quiet_params();
        parameters_draw(&bnb_parameters, &p.tuning, 1 << seed % 4, &rng);
        p.threads = seed % 8 == 7 ? 2 : 1;
        solve_and_compare(_i, seed, &p, "any parameters");
    }
}
END_TEST

/* The least change of the objective that a judge by the gap alone would accept. */
static void assert_gap_is_closed(const bnb_result *r, const lp_model *m)
{
    double least = LP_INFINITY;
    for (int j = 0; j < m->cols; j++)
        if (m->cost[j] != 0.0)
            least = fmin(least, fabs(m->cost[j]));
    const double size = fabs(r->objective);
    ck_assert_double_le(r->objective - r->bound,
                        1e-9 * (size < 1e-9 * least ? least : size) * (1 + 1e-6));
    ck_assert_double_le(r->gap, 1e-9);
}

/* The answer to a model is that of the model with its costs in another unit. */
START_TEST(agrees_with_costs_in_any_unit)
{
    static const double unit[] = {1e-12, 1e-9, 1e12};
    const bnb_params p = quiet_params();
    for (uint64_t seed = 15001; seed <= 15090; seed++) {
        lp_model *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        const double u = unit[seed % 3];
        for (int j = 0; j < m->cols; j++)
            m->cost[j] *= u;
        m->offset *= u;
        bnb_result r = bnb_solve(m, &p, NULL, NULL);
        if (r.status == BNB_OPTIMAL)
            assert_gap_is_closed(&r, m);
        r.objective /= u;
        r.bound /= u;
        for (int j = 0; j < m->cols; j++)
            m->cost[j] /= u;
        m->offset /= u;
        assert_agrees(m, &r, &o, "costs in another unit", _i, seed);
        bnb_result_clear(&r);
        lp_model_free(m);
    }
}
END_TEST

/* Restarts and lazy rows, which small models do not see by default. */
START_TEST(agrees_with_lazy_rows)
{
    bnb_params p = quiet_params();
    p.tuning.lazy_rows = 1;
    p.tuning.restart_cols = 0;
    p.tuning.presolve = p.tuning.cuts_gomory = false;
    for (uint64_t seed = 8001; seed <= 8100; seed++) {
        p.tuning.rounding = p.tuning.dive = p.tuning.rins = seed % 2 == 0;
        p.threads = seed % 4 == 3 ? 2 : 1;
        solve_and_compare(_i, seed, &p, "lazy rows");
    }
}
END_TEST

START_TEST(agrees_with_threads)
{
    bnb_params p = quiet_params();
    p.threads = 2;
    p.tuning.presolve = p.tuning.cuts_gomory = p.tuning.dive = p.tuning.rins = false;
    p.tuning.cut_rounds_root = 1;
    for (uint64_t seed = 4001; seed <= 4040; seed++)
        solve_and_compare(_i, seed, &p, "two threads");
}
END_TEST

Suite *random_suite(void)
{
    Suite *s = suite_create("random models");
    TCase *c = tcase_create("enumeration");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, agrees_with_enumeration, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_without_presolve, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_plain_tree, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_duals_picked, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_duals_picked_near_the_optimum, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_one_component_off, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_any_parameters, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_costs_in_any_unit, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_lazy_rows, 0, MODEL_KINDS);
    tcase_add_loop_test(c, agrees_with_threads, 0, MODEL_KINDS);
    suite_add_tcase(s, c);
    return s;
}
