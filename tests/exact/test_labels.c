/* Label searches: what a pass bounds and finds, against the oracle, and their turns. */
#include <math.h>

#include "exact/beside.h"
#include "exact/labels/label_pass.h"
#include "exact/labels/labels.h"
#include "problem/json.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("oracle", .seconds = 300);

enum { WIDE = 1000000, FIRST = 18000, INSTANCES = MANY(6000) };

static void walk(label_pass *q, double cutoff)
{
    q->share = INFINITY;
    while (label_pass_step(q, cutoff))
        ;
}

/* Bound of a relaxed pass. points: NULL without timelines. */
static double relaxed_bound(const problem *p, const label_points *points, long width, double cutoff)
{
    label_pass q = label_pass_open(p, points, true, width, cutoff);
    walk(&q, cutoff);
    const double bound = fmin(label_pass_bound(&q), cutoff);
    label_pass_close(&q);
    return bound;
}

/* Overhead of the best schedule of a restricted pass; INFINITY: none. */
static double best_found(const problem *p, const label_points *points, long width)
{
    double best = INFINITY;
    label_pass q = label_pass_open(p, points, false, width, INFINITY);
    walk(&q, INFINITY);
    for (long a = 0; a < label_pass_ends(&q); a++) {
        validation v;
        OWNED(schedule) *s = label_pass_schedule(&q, a);
        if (schedule_validate(p, s, &v, NULL) == 0) {
            ck_assert(v.overhead_joules <= label_pass_cost(&q, a) * (1 + 1e-12));
            best = fmin(best, v.overhead_joules);
        }
    }
    label_pass_close(&q);
    return best;
}

/* No bound is above the optimum, wide or narrow, with any cutoff and prices. Without paging a wide
 * pass has the optimum. */
TEST(passes_agree_with_the_oracle)
{
    int exact = 0, met = 0, paged = 0;
    for (uint64_t seed = FIRST; seed < FIRST + INSTANCES; seed++) {
        OWNED(random_instance) r = unlimited_instance_make(seed);
        const problem *p = &r.problem;
        oracle_result o = oracle_search(p, 300000);
        const double optimum = o.overhead_joules, above = optimum * (1 + 1e-6) + 1e-9;
        if (!o.gave_up) {
            label_points all = label_points_make(p, FORMULATION_DEFAULT, NULL),
                         *points = seed % 5 ? &all : NULL;
            const double wide = relaxed_bound(p, points, WIDE, INFINITY),
                         found = best_found(p, points, WIDE);
            ck_assert_msg(wide <= optimum, "seed %d: bound %.17g above %.17g", (int)seed, wide,
                          optimum);
            ck_assert_msg(found >= optimum * (1 - 1e-12), "seed %d", (int)seed);
            if (isfinite(optimum)) {
                const double cut = relaxed_bound(p, points, WIDE, above),
                             narrow = relaxed_bound(p, points, 1 + (long)seed % 3, above);
                ck_assert_msg(cut <= optimum, "seed %d: %.17g, %.17g", (int)seed, cut, optimum);
                ck_assert_msg(narrow <= optimum, "seed %d", (int)seed);
                met += wide >= optimum * (1 - 1e-12);
                paged += p->allow_paging;
            }
            if (!p->allow_paging && !p->charge_pagein_transfer) {
                ck_assert_msg(fabs(wide - optimum) <= 1e-12 * optimum ||
                                  (isinf(wide) && isinf(optimum)),
                              "seed %d: %.17g is not %.17g", (int)seed, wide, optimum);
                ck_assert_msg(fabs(found - optimum) <= 1e-12 * optimum ||
                                  (isinf(found) && isinf(optimum)),
                              "seed %d: %.17g is not %.17g", (int)seed, found, optimum);
                exact++;
            }
            label_points_clear(&all);
        }
        schedule_free(o.schedule);
    }
    ck_assert_int_gt(exact, INSTANCES / 4);
    ck_assert_int_gt(paged, INSTANCES / 4);
    ck_assert_int_gt(met, INSTANCES / 2);
}

/* Here the optimum computes a tensor again only to page it out, after the stage behind its own. */
TEST(a_page_out_may_pay_for_a_recomputation)
{
    base_error error;
    schedule_file *file =
        schedule_file_parse(NULL, 0, "tests/data/written-later.json", NULL, &error);
    ck_assert_msg(file != NULL, "%s", error.text);
    const oracle_result o = oracle_solve(&file->problem);
    ck_assert(o.feasible);
    ck_assert_double_le(relaxed_bound(&file->problem, NULL, WIDE, INFINITY), o.overhead_joules);
    schedule_free(o.schedule);
    schedule_file_free(file);
}

/* ResNet-18 in a fifth of its memory: with prices alone such a pass drops labels far below the
 * optimum, with timelines its best end is a schedule that meets the bound. */
TEST(timelines_bound_labels)
{
    enum { WIDTH = 4000 };
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 5);
    const double cutoff = 0.0412;
    label_points points = label_points_make(&p, FORMULATION_DEFAULT, NULL);
    label_pass q = label_pass_open(&p, &points, true, WIDTH, cutoff);
    while (label_pass_step(&q, cutoff))
        ;
    ck_assert_int_gt(label_pass_ends(&q), 0);
    validation v;
    schedule *s = label_pass_schedule(&q, 0);
    ck_assert_int_eq(schedule_validate(&p, s, &v, NULL), 0);
    ck_assert_double_lt(v.overhead_joules, cutoff);
    ck_assert_double_ge(label_pass_bound(&q), v.overhead_joules * (1 - 1e-9));
    schedule_free(s);
    label_pass_close(&q);
    label_points_clear(&points);
}

/* ResNet-18 in little memory, where other bounds leave a fifth. */
LONG_TEST(a_search_proves_by_labels)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "jetsontx2");
    const problem p = fraction_problem(g, 0.11);
    exact_params params = exact_params_default();
    params.work_limit = 8;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_double_eq_tol(r.validation.overhead_joules, 0.00134892238, 1e-11);
    ck_assert_int_gt(r.spent[EFFORT_LABELS].successes, 0);
}

/* Turns of a search without anything else. From a bound on, passes guess their cutoffs; with odd
 * seeds they then keep no schedules, so that guesses go on to the end. */
LOOP_TEST(turns_end_with_the_optimum, 2)
{
    enum { MOST_PASSES = 100 };
    int ended = 0, refuted = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(random_instance) r = unlimited_instance_make(seed);
        oracle_result o = oracle_search(&r.problem, 300000);
        exact_params params = agree_params();
        exact_result result = {0};
        engine e = engine_for(&r.problem, &params, &result);
        e.scale = 1;
        if (_i == 1) {
            params.heuristics = seed % 2 == 0;
            e.lower = o.feasible ? (double)(seed % 10) / 20 * o.overhead_joules
                                 : graph_base_joules(r.graph) / 50;
        }
        int passes = 0;
        while (!o.gave_up && engine_labels_left(&e) && !engine_done(&e)) {
            ck_assert_msg(passes++ < MOST_PASSES, "seed %d", (int)seed);
            engine_labels(&e, 1e9);
            ck_assert_msg(e.lower <= o.overhead_joules, "seed %d: %.17g above %.17g", (int)seed,
                          e.lower, o.overhead_joules);
        }
        ended += o.feasible && e.lower >= o.overhead_joules * (1 - 1e-8);
        ck_assert(e.upper >= o.overhead_joules * (1 - 1e-12));
        ck_assert(!e.infeasible || !o.feasible);
        refuted += e.infeasible;
        engine_end(&e);
        schedule_free(o.schedule);
    }
    ck_assert_int_gt(ended, 150);
    ck_assert_int_gt(refuted, 10);
}
