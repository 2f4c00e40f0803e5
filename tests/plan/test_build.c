/* Plans of random schedules: they execute, their peak is the validator's, addresses fit. */
#include "tests/plan/support.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("build", .seconds = 120);

/* What the plan executes is what the pruned schedule says. */
static void compare_with_validator(const sample *s, const plan *x, bool same_peak)
{
    base_error error;
    validation v;
    plan_execution e;
    OWNED(schedule) *pruned = schedule_copy(s->schedule);
    schedule_prune(s->problem.graph, pruned);
    ck_assert_int_eq(schedule_validate(&s->problem, pruned, &v, &error), 0);
    ck_assert_msg(plan_execute(s->problem.graph, x, &e, &error) == 0, "%s", error.text);
    bool twice = false; /* a tensor in RAM is computed again: one copy goes earlier */
    for (int t = 0; t < pruned->n; t++)
        for (int i = 0; i < t; i++)
            twice |=
                pruned->S[schedule_cell(pruned, t, i)] && pruned->R[schedule_cell(pruned, t, i)];
    ck_assert_double_eq(e.overhead_joules, v.overhead_joules);
    ck_assert_int_eq(e.recompute_count, v.recompute_count);
    ck_assert_int_eq(e.pagein_count, v.pagein_count);
    ck_assert_int_eq(e.pageout_count, v.pageout_count);
    if (same_peak && !twice)
        ck_assert_int_eq(e.peak_bytes, v.peak_bytes);
    ck_assert_int_le(e.peak_bytes, s->problem.ram_budget_bytes);
    ck_assert_int_eq(e.peak_bytes, x->peak_bytes);
    ck_assert_int_eq(e.arena_bytes, x->arena_bytes);
}

enum { SAMPLES = 600, NODES = 24 };

TEST(random_schedules_execute)
{
    int fragmented = 0;
    int64_t pageins = 0;
    for (int seed = 1; seed <= SAMPLES; seed++) {
        OWNED(sample) s = sample_make((uint64_t)seed, NODES);
        for (int overlap = 0; overlap < 2; overlap++) {
            OWNED(plan) *x = plan_of(&s.problem, s.schedule, overlap);
            ck_assert_int_ge(x->arena_bytes, x->peak_bytes);
            for (int k = 0; k < x->step_count; k++)
                pageins += x->step[k].op == PLAN_PAGEIN;
            ck_assert_int_eq(x->no_packing, x->arena_bytes > x->budget_bytes);
            if (x->no_packing)
                fragmented++;
            else
                compare_with_validator(&s, x, !overlap);
        }
    }
    /* Fragmentation can make a budget at the very peak impossible, but it is rare. */
    ck_assert_int_le(fragmented, SAMPLES / 20);
    ck_assert_int_gt(pageins, SAMPLES);
}

/* The transfer planner never makes a run longer than the schedule's own placement. */
TEST(planner_never_slower)
{
    for (int seed = 1; seed <= SAMPLES; seed++) {
        OWNED(sample) s = sample_make((uint64_t)seed, NODES);
        OWNED(plan) *with = plan_of(&s.problem, s.schedule, true),
                    *without = plan_of(&s.problem, s.schedule, false);
        OWNED(plan_timeline) moved = plan_simulate(s.problem.graph, with, true);
        OWNED(plan_timeline) alone = plan_simulate(s.problem.graph, without, false);
        ck_assert_double_le(moved.total_seconds, alone.total_seconds + 1e-9);
        ck_assert_double_eq_tol(alone.total_seconds, alone.compute_seconds + alone.transfer_seconds,
                                1e-9);
    }
}

TEST(invalid_schedule_refused)
{
    base_error error;
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, 29);
    plan_options options = plan_options_default();
    ck_assert_ptr_null(plan_make(&p, s, &options, &error));
    p.ram_budget_bytes = 30;
    OWNED(plan) *x = plan_of(&p, s, true);
    ck_assert_int_eq(x->arena_bytes, 30);
}
