/* What exact_solve says when it is stopped, cannot succeed, or is helped. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/engine.h"
#include "exact/log.h"
#include "formulation/formulation.h"
#include "tests/clock.h"
#include "tests/exact/agree.h"
#include "tests/oracle/special_instance.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("exact: ends", .seconds = 180);

/* How long after a limit the end may come; sanitizers are slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
static const double stop_slack = 5;
#else
static const double stop_slack = 0.5;
#endif

TEST(too_little_memory)
{
    OWNED(graph) *g = network_graph("linear", "m4");
    int node;
    problem p = problem_make(g, graph_minimum_bytes(g, &node) - 1);
    exact_params params = exact_params_default();
    exact_result r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_INFEASIBLE);
    ck_assert_ptr_null(r.schedule);
    ck_assert_contains(r.infeasible_reason, g->node_name[node]);
    ck_assert_int_eq(r.minimum_bytes, p.ram_budget_bytes + 1);
    exact_result_clear(&r);
    ck_assert_ptr_null(r.schedule);
}

TEST(deadline_below_base_time)
{
    OWNED(graph) *g = network_graph("linear", "m4");
    problem p = fraction_problem(g, 1);
    p.deadline_seconds = 0.5 * graph_base_seconds(g);
    exact_params params = exact_params_default();
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_INFEASIBLE);
    ck_assert_contains(r.infeasible_reason, "deadline");
}

/* Each node fits, but not what it takes to go on; the search has to find that out. */
TEST(infeasible_by_search)
{
    OWNED(graph) *g = network_graph("linear", "a72");
    problem p = problem_make(g, graph_minimum_bytes(g, NULL));
    p.allow_paging = p.allow_remat = false;
    exact_params params = agree_params();
    exact_result r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_INFEASIBLE);
    ck_assert_contains(r.infeasible_reason, "budget");
    ck_assert(strstr(r.infeasible_reason, "deadline") == NULL);
    exact_result_clear(&r);
    p.deadline_seconds = 2 * graph_base_seconds(g);
    r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_INFEASIBLE);
    ck_assert_contains(r.infeasible_reason, "deadline");
    exact_result_clear(&r);
}

/* All fits: nothing to search for. */
TEST(enough_memory)
{
    OWNED(graph) *g = network_graph("resnet50", "a72");
    problem p = fraction_problem(g, 1);
    exact_params params = exact_params_default();
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_double_eq(r.validation.overhead_joules, 0);
    ck_assert_double_eq(r.bound_overhead_joules, 0);
    ck_assert_str_eq(r.source, "checkpoint-all");
    ck_assert_double_lt(r.seconds, 1);
}

static void check_open_result(const problem *p, const exact_result *r)
{
    ck_assert_int_eq(r->status, EXACT_LIMIT);
    ck_assert_double_ge(r->bound_overhead_joules, 0);
    if (!r->schedule)
        return;
    ck_assert_int_eq(schedule_validate(p, r->schedule, NULL, NULL), 0);
    ck_assert_double_lt(r->bound_overhead_joules, r->validation.overhead_joules);
}

TEST(time_limit)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    problem p = fraction_problem(g, 0.2);
    exact_params params = exact_params_default();
    const double before = processor_seconds();
    params.limits.deadline = base_seconds() + 0.2;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_double_lt(processor_seconds() - before, 0.2 + stop_slack);
    check_open_result(&p, &r);
    ck_assert_int_eq(r.stop, BASE_STOP_TIME);
}

TEST(interrupt_and_memory)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    problem p = fraction_problem(g, 0.2);
    base_flag stop = 1;
    exact_params params = exact_params_default();
    params.limits.interrupt = &stop;
    exact_result r = exact_solve(&p, &params);
    check_open_result(&p, &r);
    ck_assert_int_eq(r.stop, BASE_STOP_INTERRUPT);
    exact_result_clear(&r);
    params.limits.interrupt = NULL;
    params.limits.memory_bytes = base_memory_used() + 1000;
    r = exact_solve(&p, &params);
    check_open_result(&p, &r);
    ck_assert_int_eq(r.stop, BASE_STOP_MEMORY);
    exact_result_clear(&r);
}

/* Memory that ends at any allocation: what is claimed holds, and nothing stays behind. */
LOOP_TEST(memory_may_end_anywhere, 2)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    problem p = fraction_problem(g, 0.5);
    exact_params params = exact_params_default();
    params.threads = 1 + _i;
    params.tuning.coarse = _i;
    const double optimum = 0.008778992274;
    const size_t before = base_memory_used();
    int stopped = 0, with_schedule = 0;
    static const size_t sizes[] = {11, 22, 33, 44, 66, 88};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        params.limits.memory_bytes = before + 100000 * sizes[k];
        exact_result r = exact_solve(&p, &params);
        ck_assert(r.status == EXACT_OPTIMAL || r.status == EXACT_LIMIT);
        ck_assert_double_le(r.bound_overhead_joules, optimum * (1 + 1e-8));
        if (r.schedule)
            ck_assert_int_eq(schedule_validate(&p, r.schedule, NULL, NULL), 0);
        if (r.status == EXACT_OPTIMAL)
            ck_assert_double_eq_tol(r.validation.overhead_joules, optimum, 1e-8 * optimum);
        else
            ck_assert_int_eq(r.stop, BASE_STOP_MEMORY);
        stopped += r.status == EXACT_LIMIT;
        with_schedule += r.status == EXACT_LIMIT && r.schedule;
        exact_result_clear(&r);
        ck_assert_uint_eq(base_memory_used(), before);
    }
    ck_assert_int_gt(stopped, 2);
    ck_assert_int_gt(with_schedule, 1);
}

TEST(node_limit)
{
    OWNED(graph) *g = network_graph("linear", "m4");
    problem p = fraction_problem(g, 0.5);
    p.deadline_seconds = graph_base_seconds(g);
    exact_params params = agree_params();
    for (int windows = 0; windows < 2; windows++) {
        /* A weak model, so that there is a tree. */
        params.features = FORMULATION_RELEASE;
        params.tuning.windows = windows;
        double optimum = 6030.2790151e-4 * graph_base_joules(g);
        const long limits[] = {0, 1, 5, 20};
        for (int k = 0; k < 4; k++) {
            params.node_limit = limits[k];
            OWNED(exact_result) r = exact_solve(&p, &params);
            if (r.status != EXACT_OPTIMAL)
                check_open_result(&p, &r);
            ck_assert_int_eq(r.stop, BASE_GO);
            ck_assert_int_le(r.nodes, limits[k] + 1);
            ck_assert_double_le(r.bound_overhead_joules, optimum * (1 + 1e-8));
        }
    }
}

/* What takes longer than the deadline leaves is in no model: with nothing left the search is that
 * without recomputations. */
TEST(no_time_left)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "a72");
    problem p = fraction_problem(g, 0.5);
    exact_params params = agree_params();
    p.deadline_seconds = graph_base_seconds(g);
    OWNED(exact_result) r = exact_solve(&p, &params);
    p.deadline_seconds = INFINITY;
    p.allow_remat = false;
    OWNED(exact_result) without = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_int_eq(without.status, EXACT_OPTIMAL);
    ck_assert_int_le(r.lp_iterations, 2 * without.lp_iterations);
}

/* A limit on work ends every run at the same place, and a longer run begins as the shorter one. */
TEST(work_limit)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    problem p = fraction_problem(g, 0.3);
    const double limits[] = {0, 0.1, 0.42, 0.55}; /* before, in and after the LP over the windows */
    int before = 0;
    for (int k = 0; k < 4; k++) {
        exact_params params = exact_params_default();
        params.work_limit = limits[k];
        OWNED(exact_result) r = exact_solve(&p, &params), again = exact_solve(&p, &params);
        check_open_result(&p, &r);
        ck_assert_int_eq(r.stop, BASE_STOP_WORK);
        ck_assert_str_eq(exact_stop_name(&r), "work limit");
        ck_assert_double_ge(r.work, limits[k]);
        ck_assert_double_le(r.work, limits[k] + 0.15);
        ck_assert_double_eq(r.work, again.work);
        ck_assert_int_eq(r.nodes, again.nodes);
        ck_assert_int_eq(r.lp_iterations, again.lp_iterations);
        ck_assert_double_eq(r.bound_overhead_joules, again.bound_overhead_joules);
        ck_assert_int_eq(r.incumbent_count, again.incumbent_count);
        ck_assert_int_ge(r.incumbent_count, before);
        before = r.incumbent_count;
    }
}

/* A start is taken when it is valid, passed over otherwise, and not changed. */
TEST(starts)
{
    OWNED(graph) *g = network_graph("linear", "a72");
    problem p = fraction_problem(g, 0.5);
    exact_params params = agree_params();
    OWNED(exact_result) first = exact_solve(&p, &params);
    ck_assert_int_eq(first.status, EXACT_OPTIMAL);
    OWNED(schedule) *bad = schedule_checkpoint_all(g), *copy = schedule_copy(first.schedule);
    const schedule *list[2] = {bad, copy};
    const char *names[2] = {"bad start", "good start"};
    params.starts = list;
    params.start_names = names;
    params.start_count = 2;
    exact_result r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_str_eq(r.source, "good start");
    ck_assert_double_eq(r.validation.overhead_joules, first.validation.overhead_joules);
    size_t cells = (size_t)g->n * (size_t)g->n;
    ck_assert_mem_eq(copy->R, first.schedule->R, cells);
    exact_result_clear(&r);
    params.start_count = 1;
    params.node_limit = 0;
    r = exact_solve(&p, &params);
    ck_assert(strcmp(r.source, "bad start") != 0);
    exact_result_clear(&r);
}

/* The same run twice, and the same optimum whatever the threads. */
TEST(deterministic_runs)
{
    OWNED(graph) *g = network_graph("linear", "m4");
    problem p = fraction_problem(g, 0.5);
    p.deadline_seconds = graph_base_seconds(g);
    exact_params params = agree_params();
    double optimum = -1;
    for (int threads = 1; threads <= 2; threads++) {
        params.threads = threads;
        OWNED(exact_result) a = exact_solve(&p, &params), b = exact_solve(&p, &params);
        ck_assert_int_eq(a.status, EXACT_OPTIMAL);
        ck_assert_int_eq(a.nodes, b.nodes);
        ck_assert_int_eq(a.lp_iterations, b.lp_iterations);
        ck_assert_mem_eq(a.schedule->R, b.schedule->R, (size_t)g->n * (size_t)g->n);
        if (optimum >= 0)
            ck_assert_double_eq_tol(a.validation.overhead_joules, optimum, 1e-9 * optimum);
        optimum = a.validation.overhead_joules;
    }
}

/* A wide gap is met sooner, and the bound still says what is proven. */
TEST(gap)
{
    OWNED(graph) *g = network_graph("linear", "a72");
    problem p = fraction_problem(g, 0.5);
    exact_params params = exact_params_default();
    params.gap_relative = 0.5;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_WITHIN_GAP);
    ck_assert_double_ge(r.bound_overhead_joules, 0.5 * r.validation.overhead_joules);
    ck_assert_double_lt(r.bound_overhead_joules, (1 - 1e-9) * r.validation.overhead_joules);
    double optimum = 14.6510821e-4 * graph_base_joules(g);
    ck_assert_double_le(r.bound_overhead_joules, optimum * (1 + 1e-8));
    ck_assert_double_ge(r.validation.overhead_joules, optimum * (1 - 1e-8));
}

/* Sizes of one byte beside 38 gigabytes: the first LP of the tree ends in numerical trouble and
 * leaves no duals. Whatever is said then, nothing that is not there may be used. */
TEST(trouble_in_the_first_lp)
{
    const int from_1[] = {1}, from_0[] = {0}, three[] = {1, 2, 3}, four[] = {0, 1, 3, 4};
    const graph_node nodes[] = {
        {"a", NULL, 0, 1, 0.0, 0.25, 0.9963592730651243, 5.839877928599088, 0.5, 0.75, true, 0, 0,
         GRAPH_PURE, false, NULL, NULL, 0},
        {"b", NULL, 0, 17179869193, 0.25, 2.5544680484214015, 0.5, 0.25, 0.875, 0.25, false, 0, 0,
         GRAPH_PURE, false, NULL, NULL, 0},
        {"c", from_1, 1, 38654705664, 0.0, 0.0, 0.25, 0.25, 1.0, 0.125, true, 0, 0, GRAPH_PURE,
         false, NULL, NULL, 0},
        {"d", from_0, 1, 38654705669, 1.0, 1.75, 9.567425592006408, 0.0, 0.125, 0.25, false, 0, 0,
         GRAPH_PURE, false, NULL, NULL, 0},
        {"e", three, 3, 25769803776, 1.5, 0.0, 17.452841815176182, 1.5, 0.25, 0.875, false, 0, 0,
         GRAPH_PURE, false, NULL, NULL, 0},
        {"f", four, 4, 34359738375, 1.0, 1.0, 1.25, 5.593402307920512, 0.375, 0.5, true, 0, 0,
         GRAPH_PURE, false, NULL, NULL, 0},
    };
    const double optimum = 0.25; /* by the oracle */
    base_error error;
    OWNED(graph) *g = graph_create("bytes", nodes, 6, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    problem p = problem_make(g, 120259084302);
    for (int heuristics = 0; heuristics < 2; heuristics++) {
        exact_params params = exact_params_default();
        params.heuristics = heuristics;
        OWNED(exact_result) r = exact_solve(&p, &params);
        ck_assert_int_eq(r.status, EXACT_OPTIMAL);
        ck_assert_double_eq_tol(r.validation.overhead_joules, optimum, 1e-9);
    }
}

typedef struct other_thread {
    engine *e;
    const schedule *s;
} other_thread;

static void *offer_there(void *data)
{
    const other_thread *o = data;
    ck_assert(engine_offer(o->e, o->s, "elsewhere"));
    return NULL;
}

/* A thread knows its own work alone: the log's line of what it finds has the search's. */
TEST(log_of_another_thread)
{
    char *log = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&log, &size);
    OWNED(graph) *g = network_graph("linear", "a72");
    problem p = fraction_problem(g, 1);
    exact_params params = agree_params();
    params.log = 1;
    params.log_stream = stream;
    OWNED(exact_result) result = {0};
    OWNED(schedule) *all = schedule_checkpoint_all(g);
    base_work(5000000);
    engine e = {.p = &p,
                .params = &params,
                .result = &result,
                .scale = 1,
                .upper = INFINITY,
                .work_before = base_work_done() - 3000000,
                .row = {.thread = pthread_self(), .effort = EFFORTS, .part = -INFINITY}};
    pthread_mutex_init(&e.lock, NULL);
    engine_log_turn(&e, EFFORT_GROW, -INFINITY);
    other_thread o = {&e, all};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, offer_there, &o), 0);
    pthread_join(thread, NULL);
    fclose(stream);
    double work[2] = {-1, -1};
    const char *line[2] = {strstr(log, "\n  grow "), strstr(log, "\n* elsewhere ")};
    for (int k = 0; k < 2; k++) {
        ck_assert_ptr_nonnull(line[k]);
        ck_assert_int_eq(sscanf(line[k], "%*[^|]|%*[^|]|%*[^|]| %lf", &work[k]), 1);
    }
    ck_assert_double_eq_tol(work[0], 0.003, 0.001);
    ck_assert_double_eq(work[0], work[1]);
    pthread_mutex_destroy(&e.lock);
    free(log);
}
