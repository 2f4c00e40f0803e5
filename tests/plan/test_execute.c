/* The simulated memory finds what is wrong with a plan. */
#include <string.h>

#include "tests/plan/support.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("execute", .seconds = 120);

/* The plan of paged_schedule, transfers where the schedule has them:
 * 0 compute a, 1 compute b, 2 pageout a, 3 compute c, 4 free a, 5 free b, 6 compute d, ... */
static plan *good_plan(const graph *g)
{
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, 30);
    return plan_of(&p, s, false);
}

static void expect(const graph *g, const plan *x, const char *part)
{
    base_error error = {""};
    ck_assert_int_eq(plan_execute(g, x, NULL, &error), -1);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' does not contain '%s'", error.text, part);
}

/* Number of the step with that operation on that node, the k-th of them. */
static int step_of(const plan *x, plan_op op, int node, int k)
{
    for (int i = 0; i < x->step_count; i++)
        if (x->step[i].op == op && x->buffer[x->step[i].buffer].node == node && k-- == 0)
            return i;
    ck_abort_msg("no such step");
    return -1;
}

static void remove_step(plan *x, int k)
{
    x->step_count--;
    memmove(&x->step[k], &x->step[k + 1], (size_t)(x->step_count - k) * sizeof *x->step);
}

TEST(good_plan_passes)
{
    base_error error;
    plan_execution e;
    OWNED(graph) *g = chain_of_six();
    OWNED(plan) *x = good_plan(g);
    ck_assert_msg(plan_execute(g, x, &e, &error) == 0, "%s", error.text);
    ck_assert_double_eq(e.overhead_joules, 0.75);
    ck_assert_double_eq(e.energy_joules, 6.75);
    ck_assert_double_eq(e.transfer_seconds, 3);
    ck_assert_int_eq(e.peak_bytes, 30);
}

/* Every single change of a step or address of a plan in a full memory is found, or harmless
 * in a way that can be said: it moves a buffer to a place that nobody uses. */
TEST(faults_are_found)
{
    OWNED(graph) *g = chain_of_six();
    plan *x = good_plan(g);
    x->buffer[x->step[step_of(x, PLAN_COMPUTE, 1, 0)].buffer].offset =
        x->buffer[x->step[step_of(x, PLAN_COMPUTE, 0, 0)].buffer].offset;
    expect(g, x, "overlaps living buffer");
    plan_free(x);

    x = good_plan(g);
    x->buffer[0].offset = 25;
    expect(g, x, "beyond the budget");
    plan_free(x);

    x = good_plan(g);
    x->budget_bytes = 29;
    expect(g, x, "budget");
    plan_free(x);

    x = good_plan(g);
    remove_step(x, step_of(x, PLAN_PAGEOUT, 0, 0));
    expect(g, x, "nothing on storage");
    plan_free(x);

    x = good_plan(g);
    int free_b = step_of(x, PLAN_FREE, 1, 0), compute_c = step_of(x, PLAN_COMPUTE, 2, 0);
    plan_step held = x->step[free_b];
    memmove(&x->step[compute_c + 1], &x->step[compute_c],
            (size_t)(free_b - compute_c) * sizeof *x->step);
    x->step[compute_c] = held;
    expect(g, x, "no buffer holds its input, node 1");
    plan_free(x);

    x = good_plan(g);
    remove_step(x, step_of(x, PLAN_FREE, 0, 0));
    expect(g, x, "overlaps living buffer 0");
    x->budget_bytes = 90;
    for (int b = 1; b < x->buffer_count; b++)
        x->buffer[b].offset = 10 + 10 * b;
    expect(g, x, "already in buffer 0");
    plan_free(x);

    x = good_plan(g);
    x->step_count = step_of(x, PLAN_COMPUTE, 5, 0);
    x->buffer_count--;
    expect(g, x, "the plan ends before node 5");
    plan_free(x);

    x = good_plan(g);
    x->buffer[x->step[step_of(x, PLAN_COMPUTE, 2, 0)].buffer].node = 3;
    expect(g, x, "computed before its stage");
    plan_free(x);

    x = good_plan(g);
    x->step[step_of(x, PLAN_FREE, 1, 0)].buffer = 77;
    expect(g, x, "no such buffer");
    plan_free(x);
}

/* A change of any one address in random plans: found, or every byte of the buffer was free
 * for all its life. */
TEST(moved_buffers_are_found)
{
    int found = 0, harmless = 0;
    for (int seed = 1; seed <= 150; seed++) {
        base_error error;
        OWNED(sample) s = sample_make((uint64_t)seed, 16);
        const graph *g = s.problem.graph;
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, false);
        if (x->arena_bytes <= x->budget_bytes)
            for (int b = 0; b < x->buffer_count; b++) {
                const int64_t right = x->buffer[b].offset;
                x->buffer[b].offset = right > 0 ? 0 : x->arena_bytes / 2;
                if (plan_execute(g, x, NULL, &error) != 0)
                    found++;
                else
                    harmless++;
                x->buffer[b].offset = right;
            }
    }
    ck_assert_int_gt(found, 2 * harmless);
}

/* Of a plan for the chain in which node 1 works in 10 bytes. */
TEST(workspaces_are_free_memory)
{
    base_error error;
    OWNED(graph) *g = chain_of_six();
    g->workspace[1] = 10;
    OWNED(plan) *x = good_plan(g);
    ck_assert_int_eq(x->peak_bytes, 30);
    plan_execution found;
    ck_assert_int_eq(plan_execute(g, x, &found, &error), 0);
    ck_assert_int_eq(found.peak_bytes, 30);
    ck_assert_int_eq(found.arena_bytes, 30);
    plan_step *step = &x->step[step_of(x, PLAN_COMPUTE, 1, 0)];
    for (int b = 0; b < 2; b++) { /* its input, its output */
        step->workspace = x->buffer[b].offset;
        expect(g, x, "the workspace overlaps living buffer");
    }
    step->workspace = 21;
    expect(g, x, "the workspace ends beyond the budget, node 1");
    step->workspace = -1;
    expect(g, x, "the workspace ends beyond the budget, node 1");
}

static bool ranges_meet(int64_t a, int64_t a_bytes, int64_t b, int64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/* A computation writes where a page-out is still reading: sequential execution cannot see
 * it, the timeline with DMA must wait. */
TEST(transfers_and_computations_keep_apart)
{
    int waiting = 0;
    for (int seed = 1; seed <= 300; seed++) {
        OWNED(sample) s = sample_make((uint64_t)seed, 20);
        const graph *g = s.problem.graph;
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, true);
        OWNED(plan_timeline) t = plan_simulate(g, x, true);
        for (int a = 0; a < x->step_count; a++) {
            const plan_buffer *out = &x->buffer[x->step[a].buffer];
            for (int b = a + 1; x->step[a].op == PLAN_PAGEOUT && b < x->step_count; b++) {
                const plan_buffer *in = &x->buffer[x->step[b].buffer];
                bool writes = x->step[b].op == PLAN_COMPUTE || x->step[b].op == PLAN_PAGEIN;
                const int64_t bytes = g->bytes[out->node];
                const int64_t work = x->step[b].op == PLAN_COMPUTE ? g->workspace[in->node] : 0;
                const bool works =
                    work > 0 && ranges_meet(out->offset, bytes, x->step[b].workspace, work);
                if (writes &&
                    (works || ranges_meet(out->offset, bytes, in->offset, g->bytes[in->node])))
                    ck_assert_double_ge(t.start[b], t.finish[a]);
                waiting += works;
            }
        }
    }
    ck_assert_int_gt(waiting, 20);
}
