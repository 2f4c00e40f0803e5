/* Label searches near a given schedule: what a pass finds, and the descent. */
#include <math.h>

#include "exact/labels/label_pass.h"
#include "exact/labels/polish.h"
#include "tests/exact/owned.h"
#include "tests/exact/support.h"
#include "tests/oracle/oracle.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("polish", .seconds = 120);

enum { FIRST = 40000, INSTANCES = MANY(2000), WIDE = 100000 };

/* An instance without a deadline and a limit on computations; half have paging. */
static random_instance draw(uint64_t seed)
{
    random_instance r = unlimited_instance_make(seed);
    r.problem.allow_paging = seed % 2 == 0;
    r.problem.charge_pagein_transfer = false;
    return r;
}

/* Overhead of the best schedule within `reach` of s; INFINITY: none. */
static double best_near(const problem *p, const schedule *s, int reach, long width)
{
    double best = INFINITY;
    label_guide guide = label_guide_open(p, s, reach);
    label_pass q = label_pass_open(p, NULL, false, width, INFINITY);
    q.guide = &guide;
    while (label_pass_step(&q, INFINITY))
        ;
    for (long a = 0; a < label_pass_ends(&q); a++) {
        validation v;
        OWNED(schedule) *x = label_pass_schedule(&q, a);
        if (schedule_validate(p, x, &v, NULL) == 0)
            best = fmin(best, v.overhead_joules);
    }
    label_pass_close(&q);
    label_guide_close(&guide);
    return best;
}

/* Near the optimum is the optimum, as a rule: its canonical form may need releases that the rules
 * do not grant. The narrow pass keeps one label at each distance. */
TEST(a_pass_keeps_near_its_guide)
{
    int solved = 0, all = 0, same = 0, narrow = 0;
    for (uint64_t seed = FIRST; seed < FIRST + INSTANCES; seed++) {
        OWNED(random_instance) r = draw(seed);
        const problem *p = &r.problem;
        oracle_result o = oracle_search(p, 300000);
        if (!o.gave_up && o.feasible) {
            const double least = o.overhead_joules * (1 - 1e-12),
                         most = o.overhead_joules * (1 + 1e-12);
            const double far = best_near(p, o.schedule, p->graph->n, WIDE),
                         none = best_near(p, o.schedule, 0, WIDE),
                         thin = best_near(p, o.schedule, 3, 4);
            ck_assert_msg(far >= least && none >= least && thin >= least, "seed %d", (int)seed);
            ck_assert_msg(p->allow_paging || far <= most, "seed %d", (int)seed);
            solved++;
            all += far <= most;
            same += none <= most;
            narrow += thin <= most;
        }
        schedule_free(o.schedule);
    }
    ck_assert_int_gt(solved, INSTANCES / 2);
    ck_assert_int_gt(100 * all, 98 * solved);
    ck_assert_int_gt(100 * same, 95 * solved);
    ck_assert_int_gt(100 * narrow, 97 * solved);
}

/* Everything again in each stage; what may not be computed again stays. */
static schedule *wasteful_schedule(const problem *p)
{
    schedule *s = schedule_create(p->graph->n);
    for (int t = 0; t < p->graph->n; t++)
        for (int i = 0; i < t; i++)
            (problem_may_recompute(p, i) ? s->R : s->S)[schedule_cell(s, t, i)] = 1;
    schedule_prune(p->graph, s);
    return s;
}

TEST(polish_descends)
{
    int solved = 0, before = 0, after = 0;
    for (uint64_t seed = FIRST; seed < FIRST + INSTANCES; seed++) {
        OWNED(random_instance) r = draw(seed);
        oracle_result o = oracle_search(&r.problem, 300000);
        const double most = o.overhead_joules * (1 + 1e-12);
        exact_params params = exact_params_default();
        exact_result result = {0};
        engine e = engine_for(&r.problem, &params, &result);
        e.scale = 1;
        if (!o.gave_up && o.feasible) {
            schedule *s = wasteful_schedule(&r.problem);
            engine_offer(&e, s, "test");
            schedule_free(s);
            solved += isfinite(e.upper);
            before += e.upper <= most;
            while (engine_polish_left(&e) && !engine_done(&e))
                engine_polish(&e, 1e4);
            after += e.upper <= most;
            ck_assert(e.upper >= o.overhead_joules * (1 - 1e-12));
        }
        engine_end(&e);
        schedule_free(o.schedule);
    }
    ck_assert_int_gt(solved, INSTANCES / 3);
    ck_assert_int_lt(before, solved / 5);
    ck_assert_int_gt(100 * after, 98 * solved);
}
