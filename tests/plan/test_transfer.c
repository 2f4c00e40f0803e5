/* The transfer planner on a schedule small enough to follow by hand: six computations of 4
 * seconds; node 0 goes out (1 s) and comes back (2 s) for the last of them. */
#include "plan/draft.h"
#include "tests/plan/support.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("transfer", .seconds = 120);

static plan_timeline timeline(int64_t budget, bool planned, bool overlap)
{
    base_error error;
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, budget);
    OWNED(plan) *x = plan_of(&p, s, planned);
    ck_assert_msg(plan_execute(g, x, NULL, &error) == 0, "%s", error.text);
    ck_assert_int_le(x->arena_bytes, budget);
    plan_timeline t = plan_simulate(g, x, overlap);
    return t;
}

static void expect_total(int64_t budget, bool planned, bool overlap, double total)
{
    OWNED(plan_timeline) t = timeline(budget, planned, overlap);
    ck_assert_double_eq(t.compute_seconds, 24);
    ck_assert_double_eq(t.transfer_seconds, 3);
    ck_assert_double_eq(t.total_seconds, total);
    ck_assert_double_eq(t.stall_seconds, total - 24);
}

TEST(without_dma_everything_adds_up)
{
    expect_total(30, false, false, 27);
    expect_total(30, true, false, 27);
}

/* Where the schedule has it, the page-in starts when its reader wants it: two seconds of
 * waiting. The page-out runs beside computation 2, which does not need its memory. */
TEST(unplanned_pagein_stalls)
{
    expect_total(30, false, true, 26);
}

/* Stages 3 and 4 hold 20 bytes: there is room for the page-in beside computation 4. */
TEST(planned_pagein_arrives_in_time)
{
    expect_total(30, true, true, 24);
}

/* The page-in is issued as late as arrives in time, not as early as possible: in the slot
 * of computation 4, which runs from second 16 to 20. */
TEST(pagein_is_just_in_time)
{
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, 60);
    OWNED(plan) *x = plan_of(&p, s, true);
    OWNED(plan_timeline) t = plan_simulate(g, x, true);
    for (int k = 0; k < x->step_count; k++)
        if (x->step[k].op == PLAN_PAGEIN)
            ck_assert_double_eq(t.start[k], 16);
}

/* The same with page-outs of 10 seconds: begun when node 0 is there, at second 4, the
 * transfer ends at 14, while computation 3 (12 to 16) would already use the memory. Where
 * there is room the buffer lives on until slot 4. */
TEST(outgoing_buffer_lingers)
{
    for (int budget = 20; budget <= 30; budget += 10) {
        OWNED(graph) *g = chain_of_six();
        OWNED(schedule) *s = paged_schedule();
        g->pageout_seconds[0] = 10;
        problem p = problem_make(g, 30);
        draft *d = draft_create(&p, s);
        ck_assert_int_eq(d->buffer[0].death, 3);
        d->budget = budget; /* of the planner; the schedule itself needs 30 */
        transfer_plan(d);
        ck_assert_int_eq(d->buffer[0].death, budget == 30 ? 4 : 3);
        ck_assert_int_eq(d->load[3], budget == 30 ? 30 : 20);
        draft_free(d);
    }
}

/* The budget holds back a page-in: with node 4 of 20 bytes computation 4 has no room left, and
 * the transfer waits for its end. */
TEST(budget_holds_pagein_back)
{
    for (int budget = 30; budget <= 40; budget += 10) {
        OWNED(graph) *g = chain_of_six();
        OWNED(schedule) *s = paged_schedule();
        g->bytes[4] = 20;
        problem p = problem_make(g, 40);
        draft *d = draft_create(&p, s);
        d->budget = budget;
        transfer_plan(d);
        draft_assign(d, &(int64_t){PLAN_WORK});
        OWNED(plan) *x = draft_finish(d, NULL), *whole = plan_of(&p, s, true);
        OWNED(plan_timeline) t = plan_simulate(g, x, true);
        ck_assert_double_eq(t.total_seconds, budget == 40 ? 24 : 26);
        ck_assert_int_eq(whole->arena_bytes, 40);
        draft_free(d);
    }
}

/* One bus: no two transfers at once, in every plan. */
TEST(bus_carries_one_at_a_time)
{
    for (int seed = 1; seed <= 200; seed++) {
        OWNED(sample) s = sample_make((uint64_t)seed, 20);
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, true);
        OWNED(plan_timeline) t = plan_simulate(s.problem.graph, x, true);
        double bus = 0, processor = 0;
        for (int k = 0; k < x->step_count; k++) {
            if (x->step[k].op == PLAN_FREE)
                continue;
            double *last = x->step[k].op == PLAN_COMPUTE ? &processor : &bus;
            ck_assert_double_ge(t.start[k], *last);
            ck_assert_double_ge(t.start[k], x->step[k].op == PLAN_COMPUTE ? 0 : processor);
            *last = t.finish[k];
        }
        ck_assert_double_le(t.total_seconds, t.compute_seconds + t.transfer_seconds + 1e-9);
    }
}
