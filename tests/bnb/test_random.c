/* Random models against enumeration: all components on, each off in turn, several
 * threads. */
#include "models.h"

#include <math.h>
#include <string.h>

#include "tests/bnb/failing.h"
#include "tests/lp/owned.h"
#include "tests/oracle/parameters.h"
#include "tests/suite.h"

SUITE("enumeration", .seconds = 120);

static void solve_and_compare(int kind, uint64_t seed, const bnb_params *p, const char *what)
{
    OWNED(lp_model) *m = random_model(kind, seed);
    const oracle_result o = oracle_solve(m);
    OWNED(bnb_result) r = bnb_solve(m, p, NULL);
    assert_agrees(m, &r, &o, what, kind, seed);
}

/* With the parameters that are named set to 0, and picked duals where said. */
static const struct {
    const char *what, *off;
    uint64_t seed;
    int models, picked, threads;
} variants[] = {
    {"default", "", 1, 150, 50, 1},
    {"without presolve", "presolve", 1001, 100, 50, 1},
    /* what could close the root early is off: a tree is searched */
    {"plain tree",
     "presolve cuts_gomory cuts_mir rounding dive rins propagation reduced_cost_fixing "
     "reliability restarts",
     2001, 80, 0, 1},
    /* even where there is little to fix */
    {"picked duals", "", 4001, 150, 1, 1},
    {"picked duals, no cuts", "presolve cuts_gomory cuts_mir", 4201, 100, 1, 1},
    {"two threads", "presolve cuts_gomory dive rins", 4001, 40, 50, 2},
};

LOOP_TEST(agrees_with_enumeration, LENGTH(variants) * MODEL_KINDS)
{
    const int v = _i / MODEL_KINDS;
    bnb_params p = quiet_params();
    char off[256], *rest;
    snprintf(off, sizeof off, "%s", variants[v].off);
    for (char *name = strtok_r(off, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        ck_assert(params_set(params_find(&bnb_parameters, name), &p.tuning, 0));
    p.tuning.picked_duals = variants[v].picked;
    p.threads = variants[v].threads;
    if (p.threads > 1)
        p.tuning.cut_rounds_root = 1;
    for (int k = 0; k < MANY(variants[v].models); k++)
        solve_and_compare(_i % MODEL_KINDS, variants[v].seed + (uint64_t)k, &p, variants[v].what);
}

/* Fixings near the end of the search may move the LP's solution out of the domain: the root must
 * notice, also without strong branching, which would solve the LP again. */
LOOP_TEST(agrees_with_duals_picked_near_the_optimum, MODEL_KINDS)
{
    bnb_params p = quiet_params();
    p.tuning.picked_duals = 1;
    p.tuning.reliability = 0;
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
    p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    for (uint64_t seed = 9120; seed < 9120 + MANY(181); seed++) {
        OWNED(lp_model) *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        p.cutoff = o.feasible ? o.objective + 0.05 * fabs(o.objective) + 0.51 : LP_INFINITY;
        p.tuning.presolve = seed % 2 == 0;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        assert_agrees(m, &r, &o, "picked duals and a cutoff", _i, seed);
    }
}

/* Each switch turned. */
LOOP_TEST(agrees_with_one_component_off, MODEL_KINDS)
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

LOOP_TEST(agrees_with_any_parameters, MODEL_KINDS)
{
    for (uint64_t seed = 11001; seed < 11001 + MANY(300); seed++) {
        base_rng rng = {seed};
        bnb_params p = quiet_params();
        parameters_draw(&bnb_parameters, &p.tuning, 1 << seed % 4, &rng);
        p.threads = seed % 8 == 7 ? 2 : 1;
        solve_and_compare(_i, seed, &p, "any parameters");
    }
}

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
LOOP_TEST(agrees_with_costs_in_any_unit, MODEL_KINDS)
{
    static const double unit[] = {1e-12, 1e-9, 1e12};
    const bnb_params p = quiet_params();
    for (uint64_t seed = 15001; seed <= 15090; seed++) {
        OWNED(lp_model) *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        const double u = unit[seed % 3];
        for (int j = 0; j < m->cols; j++)
            m->cost[j] *= u;
        m->offset *= u;
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        if (r.status == BNB_OPTIMAL)
            assert_gap_is_closed(&r, m);
        r.objective /= u;
        r.bound /= u;
        for (int j = 0; j < m->cols; j++)
            m->cost[j] /= u;
        m->offset /= u;
        assert_agrees(m, &r, &o, "costs in another unit", _i, seed);
    }
}

/* Restarts and lazy rows, which small models do not see by default. */
LOOP_TEST(agrees_with_lazy_rows, MODEL_KINDS)
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

/* Whose LPs fail, half of them after a few iterations, has an open answer or a true one. */
LOOP_TEST(failing_lps_prove_nothing, MODEL_KINDS)
{
    int solved = 0, open = 0;
    for (uint64_t seed = 21001; seed <= 21000 + MANY(100); seed++) {
        base_rng rng = {seed};
        bnb_params p = quiet_params();
        parameters_draw(&bnb_parameters, &p.tuning, 1 << seed % 4, &rng);
        p.threads = seed % 8 == 7 ? 2 : 1;
        p.node_limit = 2000;
        OWNED(lp_model) *m = random_model(_i, seed);
        const oracle_result o = oracle_solve(m);
        lp_fail(1 + (int)(seed % 4), seed);
        OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
        solved += lp_failures() > 0 && r.status == BNB_OPTIMAL;
        lp_fail(0, 0);
        if (r.status == BNB_OPTIMAL || r.status == BNB_INFEASIBLE) {
            assert_agrees(m, &r, &o, "failing LPs", _i, seed);
            continue;
        }
        open++;
        const double error = 1e-6 * fmax(1, fabs(o.objective));
        ck_assert_msg(r.status != BNB_UNBOUNDED, "kind %d, seed %d", _i, (int)seed);
        ck_assert_msg(!o.feasible || r.bound <= o.objective + error, "kind %d, seed %d", _i,
                      (int)seed);
        ck_assert_msg(!r.x || r.objective >= o.objective - error, "kind %d, seed %d", _i,
                      (int)seed);
    }
    ck_assert_int_gt(solved, MANY(10));
    ck_assert_int_gt(open, MANY(10));
}
