/* Graphs whose models over all cells are out of reach: a schedule and a bound all the same. */

#include "exact/exact.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/oracle/layered.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("large", .seconds = 300);

enum { MOST = 5000, NEAR = 40, DEGREE = 4 };

/* Node i reads up to DEGREE nodes, most of them among the NEAR before it; every node but the first
 * reads one. */
static graph *random_graph(int n, uint64_t seed)
{
    static graph_node node[MOST];
    static int input[MOST][DEGREE];
    base_rng rng = {seed};
    base_error error;
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int k = 0; k < DEGREE && i > 0; k++) {
            const int from = i > NEAR && base_rng_below(&rng, 5) ? i - NEAR : 0;
            const int u = from + (int)base_rng_below(&rng, (uint64_t)(i - from));
            bool is_new = true;
            for (int j = 0; j < count; j++)
                is_new = is_new && input[i][j] != u;
            if (is_new)
                input[i][count++] = u;
        }
        node[i] = (graph_node){.name = "node",
                               .inputs = input[i],
                               .input_count = count,
                               .bytes = 1 + (int64_t)base_rng_below(&rng, 1000),
                               .seconds = 1,
                               .joules = 1 + (double)base_rng_below(&rng, 1000),
                               .pagein_joules = 1 + (double)base_rng_below(&rng, 400),
                               .pageout_joules = 1 + (double)base_rng_below(&rng, 400)};
    }
    graph *g = graph_create("random", node, n, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

/* The run of so much work ends with both. */
static void check_run(const problem *p, double work, double gap)
{
    exact_params params = exact_params_default();
    params.limits.work_end = base_work_done() + (uint64_t)work;
    OWNED(exact_result) r = exact_solve(p, &params);
    ck_assert_int_eq(r.status, EXACT_LIMIT);
    ck_assert_ptr_nonnull(r.schedule);
    ck_assert_double_gt(r.validation.overhead_joules, 0);
    ck_assert_msg(r.bound_overhead_joules >= (1 - gap) * r.validation.overhead_joules,
                  "overhead %g J, bound %g J", r.validation.overhead_joules,
                  r.bound_overhead_joules);
}

TEST(schedule_and_bound)
{
    OWNED(graph) *g = random_graph(600, 1);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 9 / 10);
    p.allow_paging = false;
    check_run(&p, 6e8, 0.9);
}

LONG_TEST(thousands_of_nodes)
{
    OWNED(graph) *g = random_graph(2000, 2);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    check_run(&p, 1.5e9, 0.9);
}

/* The first bound does not wait for an LP that is too large for it, and nothing is written out cell
 * by cell. */
LONG_TEST(bound_comes_early)
{
    OWNED(graph) *g = random_graph(MOST, 3);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 9 / 10);
    p.allow_paging = false;
    check_run(&p, 2e9, 0.75);
    ck_assert_uint_lt(base_memory_peak(), (size_t)24 * MOST * MOST);
}

/* A run that ends before any model has a bound. */
TEST(bound_comes_at_once)
{
    OWNED(graph) *g = random_graph(MOST, 2);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    params.limits.work_end = base_work_done() + (uint64_t)2e6;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_LIMIT);
    ck_assert_double_gt(r.bound_overhead_joules, 0);
}

/* Rounds of cuts of the LP over the windows leave turns to the coarse timeline, though nothing in
 * the LP itself took long: more than two thirds of the work, all at once, without that. */
TEST(cuts_take_turns)
{
    problem p;
    OWNED(graph) *g = scattered_problem(1, 60, &p);
    exact_params params = exact_params_default();
    params.tuning.first_wait = 1e6;
    params.tuning.first_effort = 100;
    params.limits.work_end = base_work_done() + (uint64_t)6e8;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_LIMIT);
    ck_assert_int_gt(r.spent[EFFORT_BEGIN].turns, 2); /* the LP is solved */
    ck_assert_msg(r.spent[EFFORT_BEGIN].work < 0.2 * r.work, "%.3g of %.3g",
                  r.spent[EFFORT_BEGIN].work, r.work);
    /* as far as they are by then */
    ck_assert_double_gt(r.root_bound, 0);
    ck_assert_double_gt(r.root_bound_cuts, r.root_bound);
}

/* A layered graph and its problem at 60 % of what keeping everything takes. */
static graph *layered_problem(int nodes, problem *p)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = nodes;
    options.width = 6;
    options.degree = 4;
    graph *g = layered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    *p = problem_make(g, graph_checkpoint_all_peak(g) * 6 / 10);
    return g;
}

/* Memory ends where the solution of the first timeline is to become a schedule: its bound stays,
 * and no schedule is said to have been found. */
LONG_TEST(bound_outlasts_memory)
{
    problem p;
    OWNED(graph) *g = layered_problem(2000, &p);
    exact_params params = exact_params_default();
    params.work_limit = 0.15; /* memory does not run out before */
    exact_result r = exact_solve(&p, &params);
    const double bound = r.bound_overhead_joules;
    ck_assert_double_gt(bound, 1.001 * r.bound[0].overhead_joules);
    exact_result_clear(&r);
    params.work_limit = 0.6;
    const size_t before = base_memory_used();
    for (size_t mib = 15; mib <= 60; mib += mib) {
        params.limits.memory_bytes = before + (mib << 20);
        r = exact_solve(&p, &params);
        ck_assert_int_eq(r.stop, mib == 60 ? BASE_STOP_WORK : BASE_STOP_MEMORY);
        ck_assert_double_ge(r.bound_overhead_joules, bound * (1 - 1e-6));
        ck_assert_int_eq(r.schedule != NULL, mib == 60);
        ck_assert_int_eq(r.first_incumbent_seconds > 0, mib == 60);
        exact_result_clear(&r);
        ck_assert_uint_eq(base_memory_used(), before);
    }
}

/* To make and to judge a schedule of thousands of nodes takes longer than the walk from look to
 * look: done each time, it leaves annealing a tenth of its turns. */
LONG_TEST(annealing_has_its_turns)
{
    problem p;
    OWNED(graph) *g = layered_problem(5000, &p);
    p.allow_paging = false;
    exact_params params = exact_params_default();
    params.tuning.coarse = false;
    params.work_limit = 0.6;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_ptr_nonnull(r.schedule);
    ck_assert_double_lt(r.validation.overhead_joules, 0.005 * graph_base_joules(g));
}

/* A chain of equal nodes and its gradients: most schedules cost the same, and one point of time
 * tells what all of them pay. */
TEST(equal_nodes)
{
    enum { FORWARD = 250, ALL = 2 * FORWARD - 1 };
    static graph_node node[ALL];
    static int input[ALL][3];
    for (int i = 0; i < ALL; i++) {
        const int of = i < FORWARD ? i : ALL - 1 - i; /* whose gradient it is */
        int count = 0;
        if (i > 0 && i < FORWARD)
            input[i][count++] = i - 1;
        if (i >= FORWARD) {
            input[i][count++] = of;
            input[i][count++] = of + 1;
        }
        if (i > FORWARD)
            input[i][count++] = i - 1;
        node[i] = (graph_node){.name = "node",
                               .inputs = input[i],
                               .input_count = count,
                               .bytes = 1,
                               .seconds = 1,
                               .joules = i < FORWARD ? 1 : 2,
                               .pagein_joules = 1,
                               .pageout_joules = 1,
                               .backward = i >= FORWARD};
    }
    OWNED(graph) *g = graph_create("chain", node, ALL, NULL);
    ck_assert_ptr_nonnull(g);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 6 / 10);
    exact_params params = exact_params_default();
    params.work_limit = 0.3;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_double_ge(r.bound_overhead_joules, (1 - 1e-9) * r.validation.overhead_joules);
}

/* In the middle of an LP of the coarse timeline, that would take many times what is left, and every
 * time at the same place. */
LONG_TEST(work_limit_ends_an_lp)
{
    OWNED(graph) *g = random_graph(2000, 2);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const double limits[] = {0.8, 1.2};
    for (int k = 0; k < 2; k++) {
        exact_params params = exact_params_default();
        params.work_limit = limits[k];
        OWNED(exact_result) r = exact_solve(&p, &params), again = exact_solve(&p, &params);
        ck_assert_int_eq(r.stop, BASE_STOP_WORK);
        ck_assert_double_le(r.work, limits[k] + 0.05);
        ck_assert_double_gt(r.bound_overhead_joules, 0);
        ck_assert_double_eq(r.work, again.work);
        ck_assert_int_eq(r.lp_iterations, again.lp_iterations);
        ck_assert_double_eq(r.bound_overhead_joules, again.bound_overhead_joules);
    }
}
