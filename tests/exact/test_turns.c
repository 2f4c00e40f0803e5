/* Turns of several threads, some of which look for schedules beside the proof: what they do is a
 * matter of their counted work alone. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exact/exact.h"
#include "tests/exact/agree.h"
#include "tests/oracle/layered.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("turns", .seconds = 60);

/* A network whose search has several turns of every kind. */
static const char *const network = "vgg16_cifar", *const device = "m4";
static const double share = 0.61, slack = 1.0001;

static problem the_problem(graph **g)
{
    *g = network_graph(network, device);
    problem p = fraction_problem(*g, share);
    p.deadline_seconds = slack * graph_base_seconds(*g);
    return p;
}

/* Where a thread looks at its limits it may be held up, one in a while longer than a turn. */
typedef struct trouble {
    atomic_ulong state;
    atomic_long looks;
    long stop_at; /* at this look the user asks to stop; 0: never */
} trouble;

static bool disturb(void *context)
{
    trouble *t = context;
    base_rng rng = {atomic_fetch_add(&t->state, 0x9e3779b97f4a7c15u)};
    const uint64_t draw = base_rng_below(&rng, 20000);
    const struct timespec pause = {.tv_nsec = draw == 0 ? 20000000 : 200000};
    if (draw < 60)
        nanosleep(&pause, NULL);
    const long look = atomic_fetch_add(&t->looks, 1);
    return t->stop_at > 0 && look >= t->stop_at;
}

static exact_params two_threads(trouble *t)
{
    exact_params params = exact_params_default();
    params.threads = 2;
    params.tuning.serial_work = 0;
    params.limits.should_stop = disturb;
    params.limits.should_stop_context = t;
    return params;
}

/* Without coarse timelines the root of the tree over the rest has a turn beside the proof, too;
 * with short turns it lasts for several of the other tree's. The last one has three threads. */
static exact_params some_threads(trouble *t, int variant)
{
    exact_params params = two_threads(t);
    params.tuning.coarse = variant == 0;
    if (variant > 0) {
        params.tuning.least_slice = 1e6;
        params.tuning.slice = 0.01;
    }
    if (variant == 2)
        params.threads = 3;
    return params;
}

enum { VARIANTS = 3 };

static void expect_same_path(const exact_result *r, const exact_result *s)
{
    ck_assert_int_eq(r->status, s->status);
    ck_assert_int_eq(r->stop, s->stop);
    ck_assert_int_eq(r->nodes, s->nodes);
    ck_assert_int_eq(r->lp_iterations, s->lp_iterations);
    ck_assert_double_eq(r->work, s->work);
    ck_assert_double_eq(r->span, s->span);
    ck_assert_double_eq(r->bound_overhead_joules, s->bound_overhead_joules);
    ck_assert_int_eq(r->incumbent_count, s->incumbent_count);
    for (int k = 0; k < r->incumbent_count; k++)
        ck_assert_double_eq(r->incumbent[k].overhead_joules, s->incumbent[k].overhead_joules);
}

/* Runs three times, with threads held up at other times, on the same path; returns one result. */
static exact_result run_thrice(int variant, double work_limit)
{
    OWNED(graph) *g;
    const problem p = the_problem(&g);
    exact_result first = {0};
    for (int run = 0; run < 3; run++) {
        trouble t = {.state = 1000 * (unsigned long)run + 1};
        exact_params params = some_threads(&t, variant);
        params.work_limit = work_limit;
        exact_result r = exact_solve(&p, &params);
        if (run > 0) {
            expect_same_path(&r, &first);
            exact_result_clear(&first);
        }
        first = r;
    }
    return first;
}

LONG_LOOP_TEST(path_is_a_matter_of_work, VARIANTS)
{
    OWNED(exact_result) r = run_thrice(_i, INFINITY);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_int_gt(r.spent[EFFORT_ANNEAL].turns, 1);
    ck_assert_int_gt(r.spent[_i == 0 ? EFFORT_COARSE : EFFORT_REST].turns, 0);
    ck_assert_double_lt(r.span, r.work);
}

/* Work that is limited ends at the same place, though threads are held up. */
LOOP_TEST(work_limit_is_a_place, VARIANTS)
{
    OWNED(exact_result) r = run_thrice(_i, 0.05);
    ck_assert_int_eq(r.status, EXACT_LIMIT);
    ck_assert_int_eq(r.stop, BASE_STOP_WORK);
}

/* Searches that end before several threads have turns take the path of one thread. */
TEST(short_searches_are_serial)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    OWNED(exact_result) one = exact_solve(&p, &params);
    params.tuning.serial_work = 1e9 * one.work;
    params.threads = 3;
    OWNED(exact_result) three = exact_solve(&p, &params);
    expect_same_path(&three, &one);
    ck_assert_double_eq(three.span, three.work);
}

/* One table, though turns beside the proof run trees of their own: a title each 30 lines. */
TEST(log_is_one_table)
{
    OWNED(graph) *g;
    const problem p = the_problem(&g);
    trouble t = {.state = 1};
    exact_params params = two_threads(&t);
    char *text = NULL;
    size_t size = 0;
    params.log = 1;
    params.log_stream = open_memstream(&text, &size);
    OWNED(exact_result) r = exact_solve(&p, &params);
    fclose(params.log_stream);
    int lines = 0, titles = 0;
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "  Source ", 9) == 0)
            titles++;
        else if (strchr(line, '|'))
            lines++;
    ck_assert_int_gt(lines, 10);
    ck_assert_int_eq(titles, (lines + 29) / 30);
    free(text);
}

/* What is said when the user stops it at any time holds, and nothing stays behind. */
LOOP_TEST(may_be_stopped_anywhere, VARIANTS)
{
    enum { STOPS = MANY(6) };
    OWNED(graph) *g;
    const problem p = the_problem(&g);
    const size_t before = base_memory_used();
    trouble calm = {.state = 1};
    exact_params params = some_threads(&calm, _i);
    exact_result best = exact_solve(&p, &params);
    const double optimum = best.validation.overhead_joules;
    exact_result_clear(&best);
    int open = 0;
    for (int k = 1; k <= STOPS; k++) {
        trouble t = {.state = (unsigned long)k, .stop_at = atomic_load(&calm.looks) * k / STOPS};
        params = some_threads(&t, _i);
        exact_result r = exact_solve(&p, &params);
        ck_assert(r.status == EXACT_OPTIMAL || r.status == EXACT_LIMIT);
        ck_assert_double_le(r.bound_overhead_joules, optimum * (1 + 1e-8));
        if (r.schedule)
            ck_assert_double_ge(r.validation.overhead_joules, optimum * (1 - 1e-8));
        if (r.status == EXACT_LIMIT)
            ck_assert_int_eq(r.stop, BASE_STOP_INTERRUPT);
        open += r.status == EXACT_LIMIT;
        exact_result_clear(&r);
        ck_assert_uint_eq(base_memory_used(), before);
    }
    ck_assert_int_ge(open, STOPS / 2);
}

/* All together do not go far beyond the limit, in the middle of a node's LP either: each leaves the
 * others' parts. */
LONG_TEST(work_limit_is_of_both)
{
    base_error error;
    layered_options options = layered_options_default();
    static const double limits[] = {0.3, 1};
    for (options.seed = 1; options.seed <= 2; options.seed++) {
        OWNED(graph) *g = layered_make(&options, &error);
        ck_assert_msg(g != NULL, "%s", error.text);
        problem p = problem_make(g, graph_checkpoint_all_peak(g) * 4 / 10);
        p.allow_paging = false;
        for (int k = 0; k < 2; k++) {
            trouble t = {.state = 3};
            exact_params params = two_threads(&t);
            params.work_limit = limits[k];
            OWNED(exact_result) r = exact_solve(&p, &params);
            ck_assert_int_eq(r.stop, BASE_STOP_WORK);
            ck_assert_double_le(r.work, params.work_limit + 0.02); /* a step that nothing ends */
        }
    }
}

/* The coarse timeline goes on beside the proof from where it was. */
TEST(nothing_is_done_twice)
{
    OWNED(graph) *g = network_graph("vgg16_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    trouble t = {.state = 3};
    exact_params params = two_threads(&t);
    OWNED(exact_result) two = exact_solve(&p, &params);
    params.threads = 1;
    OWNED(exact_result) one = exact_solve(&p, &params);
    ck_assert_int_gt(one.spent[EFFORT_COARSE].turns, 0);
    ck_assert_double_gt(one.spent[EFFORT_COARSE].work, 0.2 * one.work);
    ck_assert_double_le(two.spent[EFFORT_COARSE].work, 1.2 * one.spent[EFFORT_COARSE].work);
}

/* Nothing but the timeline runs beside the proof where nobody looks for schedules. */
TEST(goes_without_models)
{
    OWNED(graph) *g;
    const problem p = the_problem(&g);
    exact_params params = exact_params_default();
    OWNED(exact_result) best = exact_solve(&p, &params);
    params.threads = 2;
    params.tuning.serial_work = 0;
    params.heuristics = false;
    for (params.seed = 1; params.seed <= 2; params.seed++) {
        OWNED(exact_result) r = exact_solve(&p, &params);
        ck_assert_int_eq(r.status, EXACT_OPTIMAL);
        ck_assert_double_eq_tol(r.validation.overhead_joules, best.validation.overhead_joules,
                                1e-9 * best.validation.overhead_joules);
        ck_assert_int_gt(r.spent[EFFORT_COARSE].turns, 0);
    }
}
